//! `memory analyze` and `memory fix`: what is said about a failed attempt.

use anyhow::Result;
use chrono::Utc;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::{Context, named_session, print};
use crate::git::Repository;
use crate::memory::{self, RootCauseCategory, Said, Store, Which};
use crate::report::{memory_json, memory_noted_text};

/// Note why the last failed attempt failed, before the next one
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  aiwg-gate memory analyze --root-cause \"total() forgets the tax of the last item\" \\
      --strategy \"Loop over all items, not over all but one\" --category off_by_one --confidence 0.9")]
pub struct AnalyzeArgs {
    /// Which session, by its id or the beginning of it [default: AIWG_SESSION_ID, else the newest under way]
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// What is wrong and why; at least 20 characters
    #[arg(long, value_name = "TEXT")]
    root_cause: String,
    /// How to fix it; at least 20 characters
    #[arg(long, value_name = "TEXT")]
    strategy: String,
    /// The kind of cause
    #[arg(long, value_name = "CATEGORY", value_parser = category())]
    category: Option<RootCauseCategory>,
    /// How sure this is, from 0 to 1
    #[arg(long, value_name = "NUMBER")]
    confidence: Option<f64>,
    /// A failed test, or a part of its name, that has the same cause; may be given several times
    #[arg(long, value_name = "TEST")]
    related: Vec<String>,
}

fn category() -> impl TypedValueParser<Value = RootCauseCategory> {
    PossibleValuesParser::new(RootCauseCategory::ALL.map(RootCauseCategory::name))
        .map(|name| RootCauseCategory::from_name(&name).unwrap_or(RootCauseCategory::Other))
}

pub fn analyze(args: &AnalyzeArgs, context: &Context) -> Result<()> {
    let repository = context.repository()?;
    let said = Said {
        root_cause: args.root_cause.clone(),
        strategy: args.strategy.clone(),
        category: args.category,
        confidence: args.confidence,
        related: args.related.clone(),
    };
    let which = which(&repository, args.session.as_ref());
    let noted = memory::analyze(&Store::of(&repository)?, &which, &said, Utc::now())?;
    print(context, memory_noted_text::analysis(&noted), memory_json::noted(&noted))
}

/// Note what was changed since the last failed attempt; the next run tells whether it worked
///
/// The files and the size of the change are worked out by comparing the files on disk with what was tested.
/// After the run has passed, the description goes to the session that was solved last.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  aiwg-gate memory fix --description \"Loop over all items\"")]
pub struct FixArgs {
    /// Which session, by its id or the beginning of it [default: AIWG_SESSION_ID, else the newest under way, else the one solved last]
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// What was changed
    #[arg(long, value_name = "TEXT")]
    description: String,
}

pub fn fix(args: &FixArgs, context: &Context) -> Result<()> {
    let repository = context.repository()?;
    let which = which(&repository, args.session.as_ref());
    let store = Store::of(&repository)?;
    let noted = memory::fix(&repository, &store, &which, &args.description, Utc::now())?;
    print(context, memory_noted_text::fix(&noted), memory_json::noted(&noted))
}

fn which(repository: &Repository, session: Option<&String>) -> Which {
    Which { session: named_session(session), worktree: Some(memory::worktree_of(repository)) }
}
