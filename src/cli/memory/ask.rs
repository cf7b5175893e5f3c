//! `memory query`, `show`, `patterns` and `stats`: reads only.

use anyhow::{Context as _, Result, anyhow};
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::{Context, named_session, print};
use crate::memory::{self, ErrorType, KnownFailures, LOOK_BACK, Query, Session, Stats, Store};
use crate::report::{memory_json, memory_query_text, memory_show_text, memory_stats_text};

/// Find sessions, the most relevant first; with --file also what to do before you edit it
///
/// Without anything to look for, the newest sessions are listed.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  aiwg-gate memory query timeout connection
  aiwg-gate memory query --file src/cart.py
  aiwg-gate memory query --module 'src/auth/**' --error TypeError
  aiwg-gate memory query --test test_total --limit 3")]
pub struct QueryArgs {
    /// Words of messages, causes, fixes, tests or files; any of them may match
    #[arg(value_name = "TEXT")]
    text: Vec<String>,
    /// Sessions of this file and of its folder, nearest first
    #[arg(long, value_name = "FILE")]
    file: Option<String>,
    /// Only sessions of files that match this glob
    #[arg(long, value_name = "GLOB")]
    module: Option<String>,
    /// Only sessions with this kind of error
    #[arg(long, value_name = "TYPE", ignore_case = true, value_parser = error_type())]
    error: Option<ErrorType>,
    /// Only sessions in which a test failed whose name contains this
    #[arg(long, value_name = "NAME")]
    test: Option<String>,
    /// The most sessions to show
    #[arg(long, value_name = "N", default_value_t = LOOK_BACK)]
    limit: usize,
}

fn error_type() -> impl TypedValueParser<Value = ErrorType> {
    PossibleValuesParser::new(ErrorType::ALL.map(ErrorType::name))
        .map(|name| ErrorType::from_name(&name).unwrap_or_default())
}

pub fn query(args: &QueryArgs, context: &Context) -> Result<()> {
    let repository = context.repository()?;
    let glob = |glob: &String| {
        let compiled = crate::policy::compile_glob(glob).map_err(|message| anyhow!("--module: {message}"))?;
        anyhow::Ok(compiled.compile_matcher())
    };
    let asked = Query {
        text: args.text.join(" "),
        file: args.file.as_ref().map(|file| repository.path_from_root(file)).transpose()?,
        module: args.module.as_ref().map(glob).transpose()?,
        error: args.error,
        test: args.test.clone(),
        limit: args.limit,
    };
    let answer = memory::query(&Store::of(&repository)?, &asked)?;
    print(context, memory_query_text::render(&answer), memory_json::query(&answer))
}

/// Show one session: its attempts, failures, causes and fixes
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  aiwg-gate memory show last
  aiwg-gate memory show 6f9619ff        the beginning of an id is enough
  aiwg-gate memory show last -v         also stack traces and diffs")]
pub struct ShowArgs {
    /// An id, the beginning of one, or `last` for the newest session
    #[arg(value_name = "ID")]
    id: Option<String>,
}

pub fn show(args: &ShowArgs, context: &Context) -> Result<()> {
    let store = Store::of(&context.repository()?)?;
    let session = match named_session(args.id.as_ref()).as_deref() {
        None | Some("last") => newest(&store)?,
        Some(id) => store.session(id)?.with_context(|| memory::not_found(id))?,
    };
    let text = memory_show_text::render(&session, context.verbose);
    print(context, text, memory_json::session(&session))
}

fn newest(store: &Store) -> Result<Session> {
    let index = store.index()?;
    // Clocks of other machines, and other tools, may be ahead.
    let now = chrono::Utc::now();
    let past = |summary: &memory::Summary| summary.updated_at.is_none_or(|time| time <= now);
    let newest = index.summaries().find(past).or_else(|| index.summaries().next());
    let id = newest.context("debug memory is empty: `aiwg-gate run` fills it")?.session_id;
    store.session(&id)?.with_context(|| memory::not_found(&id))
}

pub fn patterns(context: &Context) -> Result<()> {
    let learned = Store::of(&context.repository()?)?.read_patterns()?;
    print(context, memory_stats_text::patterns(&learned), memory_json::patterns(&learned))
}

pub fn stats(context: &Context) -> Result<()> {
    let store = Store::of(&context.repository()?)?;
    let (sessions, unreadable) = store.sessions()?;
    let stats = Stats::of(&sessions, &KnownFailures::of_all_suites(&store.index()?));
    let text = memory_stats_text::render(&stats, &unreadable);
    print(context, text, memory_json::stats(&stats, &unreadable))
}
