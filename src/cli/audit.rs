//! `audit`: what would the gate have said about past commits?

use std::path::PathBuf;

use anyhow::Result;

use super::progress::Progress;
use super::{Context, FormatName, context};
use crate::audit::{self, Audited, Watch};
use crate::exit_status::ExitStatus;
use crate::files::Pending;
use crate::git::Walk;
use crate::report::audit_html::AuditHtml;
use crate::report::audit_text::AuditText;
use crate::report::json;
use crate::runner::Interrupts;
use crate::text::{one_line, plural};

pub const FORMATS: &[FormatName] = &[FormatName::Text, FormatName::Jsonl, FormatName::Html];

/// Judge past commits: what would the gate have said about each?
///
/// Every commit is judged as `check --commit REV --no-proof` does it, by the policy of its own base side. Reads only;
/// works in bare repositories. What was found out is kept beside the repository's objects, so that the same commits
/// cost next to nothing the next time.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A range, or a revision with everything that leads to it [default: HEAD]
    #[arg(value_name = "A..B")]
    revisions: Option<String>,
    /// Only the newest N commits
    #[arg(short = 'n', long, value_name = "N")]
    max_count: Option<usize>,
    /// Follow only the first parent of merges
    #[arg(long)]
    first_parent: bool,
    /// Leave merges out
    #[arg(long)]
    no_merges: bool,
    /// Only commits after a date, as git reads dates
    #[arg(long, value_name = "DATE")]
    since: Option<String>,
    /// Only commits before a date
    #[arg(long, value_name = "DATE")]
    until: Option<String>,
    /// Write to a file, which appears when it is whole
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Neither use nor keep what earlier audits found out
    #[arg(long)]
    no_cache: bool,
}

const EXAMPLES: &str = "\
Examples:
  aiwg-gate audit -n 1000                            the last thousand commits, as a summary
  aiwg-gate audit v1.0..main -v                      everything since a release, each commit listed
  aiwg-gate audit --format html --output audit.html  a page with charts, to look at in a browser
  aiwg-gate audit --format jsonl | jq .verdict       the JSON of `check` for each commit, one to a line

Exit codes: 0 whatever was found, for this is a report; 2 error; 130 interrupted.";

pub fn run(args: &Args, context: &Context) -> Result<ExitStatus> {
    let walk = Walk {
        revisions: args.revisions.clone(),
        max_count: args.max_count,
        first_parent: args.first_parent,
        no_merges: args.no_merges,
        since: args.since.clone(),
        until: args.until.clone(),
    };
    let mut teller = Teller {
        interrupts: Interrupts::watch()?,
        bar: Progress::new("commits", context.quiet),
        form: Form::new(context)?,
        file: args.output.as_deref().map(Pending::begin).transpose()?,
        done: 0,
        total: 0,
    };
    let audited = audit::audit(&context.directory, &walk, !args.no_cache, &mut teller);
    teller.bar.clear();
    // Ctrl-C ends git too, whose error would then be told in its place.
    if audited.is_err() && teller.interrupts.count() > 0 {
        let is_kept = !args.no_cache && !context.repository()?.has_cut_history();
        context::tell(&teller.broken_off(is_kept))?;
        return Ok(ExitStatus::Interrupted);
    }
    let judged = plural(teller.done, "commit");
    match audited.and_then(|()| teller.finish(context.quiet)) {
        Ok(()) => {}
        Err(error) if error.is::<ReaderGone>() => return Ok(ExitStatus::Pass),
        Err(error) => return Err(error),
    }
    if let Some(file) = args.output.as_deref().filter(|_| !context.quiet) {
        context::print(&format!("Written to {}: {judged}.\n", one_line(&file.to_string_lossy())))?;
    }
    Ok(ExitStatus::Pass)
}

/// Nobody reads on (`| head`): no reason to work on, and no error.
#[derive(Debug)]
struct ReaderGone;

impl std::fmt::Display for ReaderGone {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("nobody reads the output")
    }
}

impl std::error::Error for ReaderGone {}

/// The formats, each of which is put together commit by commit.
enum Form {
    Text(AuditText),
    Lines,
    Html(Box<AuditHtml>),
}

impl Form {
    fn new(context: &Context) -> Result<Self> {
        Ok(match context.asked {
            FormatName::Html => Self::Html(Box::new(AuditHtml::new(context.repository()?.name()))),
            FormatName::Jsonl => Self::Lines,
            _ => Self::Text(AuditText::new(context.verbose)),
        })
    }
}

/// Follows the audit for a person or a file.
struct Teller {
    interrupts: Interrupts,
    bar: Progress,
    form: Form,
    file: Option<Pending>,
    done: usize,
    total: usize,
}

impl Teller {
    fn print(&mut self, text: &str) -> Result<()> {
        match &mut self.file {
            Some(file) => file.write(text.as_bytes()),
            None if context::print_on(text)? => Ok(()),
            None => Err(ReaderGone.into()),
        }
    }

    /// How far an audit came that somebody ended.
    fn broken_off(&self, is_kept: bool) -> String {
        if self.total == 0 {
            return "interrupted before any commit was judged".to_owned();
        }
        let kept = if is_kept { " and kept: the next audit goes on from there" } else { "" };
        format!("interrupted: {} of {} judged{kept}", self.done, plural(self.total, "commit"))
    }

    fn finish(mut self, quiet: bool) -> Result<()> {
        let text = match &self.form {
            Form::Text(text) => text.finish(quiet),
            Form::Html(page) => page.finish(),
            Form::Lines => String::new(),
        };
        self.print(&text)?;
        self.file.map_or(Ok(()), Pending::finish)
    }
}

impl Watch for Teller {
    fn audited(&mut self, audited: Audited) -> Result<()> {
        match &mut self.form {
            Form::Text(text) => text.add(&audited),
            Form::Html(page) => page.add(&audited),
            Form::Lines => self.print(&json::line(&audited)?)?,
        }
        Ok(())
    }

    fn progress(&mut self, done: usize, total: usize) -> Result<()> {
        (self.done, self.total) = (done, total);
        self.bar.show(done, total);
        self.interrupts.check()
    }
}
