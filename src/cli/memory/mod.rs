//! `memory`: questions to debug memory, and what is noted in it by hand.

mod ask;
mod note;
mod prune;

use anyhow::Result;
use clap::Subcommand;

use super::context::{self, named_session};
use super::{Context, Format};
use crate::exit_status::ExitStatus;

/// Ask debug memory what failed before and what fixed it, and note causes and fixes
///
/// `aiwg-gate run` keeps each run of the tests as an attempt of a session: one session is one bug hunt. They are YAML
/// files under .aiwg/ralph/debug-memory/ in the main working tree.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  aiwg-gate memory query --file src/cart.py     before you edit it: what went wrong there
  aiwg-gate memory query null reference         sessions that mention these words, the best first
  aiwg-gate memory show last                    the newest session, attempt by attempt
  aiwg-gate memory analyze --root-cause \"...\" --strategy \"...\"
                                                after a failed attempt: why it failed")]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Query(ask::QueryArgs),
    Show(ask::ShowArgs),
    /// List what sessions taught: patterns of errors, what fixes them, how often that worked
    Patterns,
    /// Show how well the loop works: pass rates, attempts, escalations, by kind of error and file
    Stats,
    Analyze(note::AnalyzeArgs),
    Fix(note::FixArgs),
    Prune(prune::Args),
}

pub fn run(args: &Args, context: &Context) -> Result<ExitStatus> {
    match &args.action {
        Action::Query(args) => ask::query(args, context)?,
        Action::Show(args) => ask::show(args, context)?,
        Action::Patterns => ask::patterns(context)?,
        Action::Stats => ask::stats(context)?,
        Action::Analyze(args) => note::analyze(args, context)?,
        Action::Fix(args) => note::fix(args, context)?,
        Action::Prune(args) => prune::run(args, context)?,
    }
    Ok(ExitStatus::Pass)
}

fn print(context: &Context, text: String, json: serde_json::Result<String>) -> Result<()> {
    match context.format {
        Format::Text => context::print(&text),
        Format::Json => context::print(&json?),
    }
}
