//! `waive`: a person accepts a finding.

use std::io::{BufRead, IsTerminal, Write};

use anyhow::{Context as _, Result, bail};
use chrono::{Days, NaiveDate, Utc};

use super::{Context, Format, context};
use crate::agent;
use crate::exit_status::ExitStatus;
use crate::gate::{self, Request};
use crate::git::{ChangeSet, Repository, Selection};
use crate::policy::waivers::FILE_NAME;
use crate::report::{text, waivers_json, waivers_text};
use crate::verdict::Report;

/// Accept a finding, with a reason and an end: for people, at a terminal
///
/// Writes the waiver to aiwg-gate.waivers.yaml, which is tracked, and the decision to .aiwg/gates/decisions.log. Commit
/// the file together with the change, or before it.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The finding, by its fingerprint or the beginning of it
    #[arg(required_unless_present = "list")]
    fingerprint: Option<String>,
    /// Why this is fine
    #[arg(long, value_name = "TEXT", required_unless_present = "list")]
    reason: Option<String>,
    /// How many days it counts
    #[arg(long, value_name = "N", default_value_t = 90, value_parser = clap::value_parser!(u32).range(1..=3650))]
    days: u32,
    /// The last day on which it counts, in place of --days
    #[arg(long, value_name = "YYYY-MM-DD", conflicts_with = "days", value_parser = day)]
    expires: Option<NaiveDate>,
    /// Do not ask whether this is the finding that is meant
    #[arg(long)]
    yes: bool,
    /// Show every waiver and where it stands
    #[arg(long, conflicts_with_all = ["fingerprint", "reason", "expires", "yes"])]
    list: bool,
    #[command(flatten)]
    which: Which,
}

#[derive(clap::Args)]
#[group(multiple = false)]
struct Which {
    /// A finding of this commit, not of what is staged
    #[arg(long, value_name = "REV")]
    commit: Option<String>,
    /// A finding of A..B as one change
    #[arg(long, value_name = "A..B")]
    range: Option<String>,
    /// A finding in the files on disk
    #[arg(long)]
    worktree: bool,
}

const EXAMPLES: &str = "\
Examples:
  aiwg-gate waive 3f1c9a0b77d2 --reason \"The v1 API is switched off\"
  aiwg-gate waive 3f1c --reason \"Flaky until the clock is injected\" --days 14
  aiwg-gate waive --list";

pub fn run(args: &Args, context: &Context) -> Result<ExitStatus> {
    let (Some(fingerprint), Some(reason), false) = (&args.fingerprint, &args.reason, args.list) else {
        return list(args, context);
    };
    context.only_text("waive")?;
    only_people()?;
    let now = Utc::now();
    let last = || now.date_naive().checked_add_days(Days::new(args.days.into()));
    let expires = args.expires.or_else(last).context("this day is too far away")?;
    let request = Request::new(reason, expires, now)?;
    let repository = context.repository()?;
    let report = report(&repository, &args.which)?;
    let judged = gate::find_finding(&report, fingerprint)?;
    gate::refuse_known(&repository, &judged.finding, now)?;
    context::print(&text::render_finding(judged))?;
    if !args.yes && !confirmed(&format!("Waive this finding until {expires}? [y/N] "))? {
        context::tell("nothing was written")?;
        return Ok(ExitStatus::Blocked);
    }
    let waiver = gate::waive(&repository, &judged.finding, &request)?;
    context::print(&format!(
        "Waived until {}. Written to {FILE_NAME} and to the log of decisions.\n  next  git add :/{FILE_NAME}, and commit it \
         together with the change\n",
        waiver.expires
    ))?;
    Ok(ExitStatus::Pass)
}

/// chrono's own words are about characters.
fn day(text: &str) -> Result<NaiveDate, String> {
    text.parse().map_err(|_| "a day is written as in 2026-12-31".to_owned())
}

fn selection(which: &Which) -> Selection {
    match which {
        Which { commit: Some(revision), .. } => Selection::Commit(revision.clone()),
        Which { range: Some(range), .. } => Selection::Range(range.clone()),
        Which { worktree: true, .. } => Selection::Worktree,
        _ => Selection::Staged,
    }
}

fn report(repository: &Repository, which: &Which) -> Result<Report> {
    gate::check(repository, &ChangeSet::gather(repository, &selection(which))?, None)
}

/// A waiver is a person's decision: agents and scripts cannot take it.
fn only_people() -> Result<()> {
    if let Some(agent) = agent::running() {
        bail!(
            "a finding is waived by a person, and this runs under a coding agent ({agent}): ask the person you work for to \
             type this command in a terminal of their own"
        );
    }
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        bail!(
            "a finding is waived by a person at a terminal, and this is none: type the command there, without pipes"
        );
    }
    Ok(())
}

fn confirmed(question: &str) -> Result<bool> {
    let mut out = anstream::stderr().lock();
    out.write_all(question.as_bytes()).and_then(|()| out.flush())?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}

fn list(args: &Args, context: &Context) -> Result<ExitStatus> {
    let repository = context.repository()?;
    let change = gate::last_change(&repository, &selection(&args.which))?;
    let report = gate::check(&repository, &change, None)?;
    context::print(&match context.format {
        Format::Text => waivers_text::render(&report.waivers),
        Format::Json => waivers_json::render(&report.waivers)?,
    })?;
    Ok(ExitStatus::Pass)
}
