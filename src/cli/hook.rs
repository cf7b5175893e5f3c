//! `hook`: what the git hooks call.

use std::io::Read;

use anyhow::{Context as _, Result};
use clap::Subcommand;

use super::{Context, context};
use crate::exit_status::ExitStatus;
use crate::gate::{self, Bound};
use crate::git::{ObjectId, Repository, Selection};
use crate::report::text;
use crate::text::one_line;
use crate::verdict::Verdict;

/// Do the gate's part of a git hook (called by the installed hooks)
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    hook: Hook,
}

#[derive(Subcommand)]
enum Hook {
    /// Judge the staged change; a bad verdict stops the commit
    PreCommit,
    /// Judge the result of a merge; a bad verdict stops it
    PreMergeCommit,
    /// Nothing: the installed hook only passes on to the one from before
    CommitMsg {
        /// The file with the message
        file: Option<String>,
    },
    /// Bind the verdict to the commit as a note
    PostCommit,
    /// List commits that were never judged
    PrePush {
        /// The name of the remote
        remote: Option<String>,
        /// Its address
        url: Option<String>,
    },
}

pub fn run(args: &Args, context: &Context) -> Result<ExitStatus> {
    context.only_text("hook")?;
    let repository = context.repository()?;
    match &args.hook {
        Hook::PreCommit => judge(&repository, &Selection::Staged, context),
        Hook::PreMergeCommit => {
            judge(&repository, &Selection::StagedMerge(merged_heads(&repository)), context)
        }
        Hook::CommitMsg { .. } => Ok(ExitStatus::Pass),
        Hook::PostCommit => post_commit(&repository, context),
        Hook::PrePush { remote, .. } => pre_push(&repository, remote.as_deref()),
    }
}

fn judge(repository: &Repository, selection: &Selection, context: &Context) -> Result<ExitStatus> {
    let report = gate::judge_staged(repository, selection)?;
    context::print(&text::render(&report, context.detail()))?;
    Ok(if report.verdict == Verdict::Block { ExitStatus::Blocked } else { ExitStatus::Pass })
}

/// `git merge` names its heads to hooks by variable, before it writes MERGE_HEAD.
fn merged_heads(repository: &Repository) -> Vec<ObjectId> {
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let mut heads: Vec<ObjectId> =
        names.filter_map(|name| ObjectId::parse(name.strip_prefix("GITHEAD_")?)).collect();
    // A merge whose hooks run tests that merge elsewhere leaves its own variables in their way.
    heads.retain(|head| repository.resolve(head.as_str()).is_ok());
    heads.sort();
    if heads.is_empty() { repository.merge_heads() } else { heads }
}

fn post_commit(repository: &Repository, context: &Context) -> Result<ExitStatus> {
    match gate::bind(repository)? {
        Some(Bound::Now(report)) if report.verdict == Verdict::Block => {
            context::print(&text::render_after_the_fact(&report))?;
        }
        Some(Bound::Bypassed) if !context.quiet => {
            context::print(
                "aiwg-gate: this commit was never judged; `aiwg-gate check --commit HEAD` does it now\n",
            )?;
        }
        _ => {}
    }
    Ok(ExitStatus::Pass)
}

/// How many commits are named before the rest is counted.
const NAMED: usize = 10;

fn pre_push(repository: &Repository, remote: Option<&str>) -> Result<ExitStatus> {
    let refs = pushed_refs()?;
    let commits = gate::never_judged(repository, remote.unwrap_or("origin"), &refs)?;
    if commits.is_empty() {
        return Ok(ExitStatus::Pass);
    }
    let mut out = match commits.len() {
        1 => "aiwg-gate: 1 commit of this push was never judged:\n".to_owned(),
        count => format!("aiwg-gate: {count} commits of this push were never judged:\n"),
    };
    for commit in commits.iter().take(NAMED) {
        out.push_str(&format!("  {} {}\n", commit.id.short(), one_line(&commit.subject)));
    }
    if commits.len() > NAMED {
        out.push_str(&format!("  ... and {} more\n", commits.len() - NAMED));
    }
    out.push_str("Judge one with `aiwg-gate check --commit ID`. The push goes on.\n");
    context::print(&out)?;
    Ok(ExitStatus::Pass)
}

/// What git writes to the hook; hook managers that keep it to themselves tell the ends by variable.
fn pushed_refs() -> Result<String> {
    let variable = |name| std::env::var(name).ok();
    if let (Some(from), Some(to)) = (variable("PRE_COMMIT_FROM_REF"), variable("PRE_COMMIT_TO_REF")) {
        return Ok(format!("pushed {to} pushed {from}\n"));
    }
    let mut refs = String::new();
    std::io::stdin().lock().read_to_string(&mut refs).context("cannot read what git pushes")?;
    Ok(refs)
}
