//! `hook`: what the git hooks call.

use std::io::Read;

use anyhow::{Context as _, Result};
use clap::Subcommand;

use super::run::run_staged;
use super::{Context, context};
use crate::exit_status::ExitStatus;
use crate::gate::{self, Bound};
use crate::git::{CommitLine, ObjectId, Repository, Selection};
use crate::report::next_text::Occasion;
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
    /// List commits that were never judged; stop where a suite must have passed by now
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
    let mut report = gate::judge_staged(repository, selection)?;
    if !report.to_run.is_empty() {
        // The policy asks for it: what is missing is run here, on exactly what is staged.
        run_staged(repository, &report.to_run, context)?;
        report = gate::judge_staged(repository, selection)?;
    }
    context::print(&text::render(&report, context.detail(), Occasion::Committing))?;
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
        Some(Bound::Admitted(report)) if !context.quiet => {
            context::print(&text::render_admitted(*report))?;
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
    let push = Push::read(repository, remote)?;
    let commits = gate::never_judged(repository, &push.remote, &push.refs)?;
    if !commits.is_empty() {
        context::print(&told(&commits))?;
    }
    let unproved = gate::unproved(repository, &push.remote, &push.refs)?;
    context::print(&text::render_unproved(&unproved))?;
    Ok(if unproved.is_empty() { ExitStatus::Pass } else { ExitStatus::Blocked })
}

/// The commits that nobody judged, the first of them by name.
fn told(commits: &[CommitLine]) -> String {
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
    out.push_str("Judge one with `aiwg-gate check --commit ID`. They do not stop the push.\n");
    out
}

/// A push as git tells it to its hook: the remote, and a line for each reference.
struct Push {
    remote: String,
    refs: String,
}

impl Push {
    /// git gives the remote as an argument and writes the references to the hook. pre-commit and prek keep both
    /// to themselves and tell by variable.
    fn read(repository: &Repository, remote: Option<&str>) -> Result<Self> {
        if let Some(remote) = remote {
            return Ok(Self { remote: remote.to_owned(), refs: written_refs()? });
        }
        let remote = variable("PRE_COMMIT_REMOTE_NAME").unwrap_or_else(|| "origin".to_owned());
        let refs = match managed_refs(repository)? {
            Some(refs) => refs,
            None => written_refs()?,
        };
        Ok(Self { remote, refs })
    }
}

fn written_refs() -> Result<String> {
    let mut refs = String::new();
    std::io::stdin().lock().read_to_string(&mut refs).context("cannot read what git pushes")?;
    Ok(refs)
}

/// The reference that a hook manager names. Where the first commit of all is pushed there is nothing to start
/// from, and pre-commit then names the end by its branch only.
fn managed_refs(repository: &Repository) -> Result<Option<String>> {
    let Some(end) = variable("PRE_COMMIT_TO_REF").or_else(|| variable("PRE_COMMIT_LOCAL_BRANCH")) else {
        return Ok(None);
    };
    let end = repository.resolve(&end)?;
    let start = match variable("PRE_COMMIT_FROM_REF") {
        Some(start) => repository.resolve(&start)?.to_string(),
        None => "0".repeat(end.as_str().len()),
    };
    Ok(Some(format!("pushed {end} pushed {start}\n")))
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
