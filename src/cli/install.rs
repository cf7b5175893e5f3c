//! `aiwg-gate install`: puts the gate into the repository's git hooks.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::Context;
use super::context::print;
use crate::exit_status::ExitStatus;
use crate::hooks::{self, Plan};
use crate::platform::is_executable;
use crate::status;

/// Install the git hooks that run the gate
///
/// Writes pre-commit, pre-merge-commit, commit-msg, post-commit and pre-push where git looks for them, and
/// lists the gate's own records in info/exclude. Existing hooks are kept and run first; `aiwg-gate uninstall`
/// puts everything back. Run it again after an update, or whenever `aiwg-gate status` says so.
#[derive(clap::Args)]
pub struct Args {
    /// Print what would be done and change nothing
    #[arg(long)]
    dry_run: bool,
    /// The program that hooks call [default: this one]
    #[arg(long, value_name = "PATH")]
    binary: Option<PathBuf>,
}

pub fn run(args: &Args, context: &Context) -> Result<ExitStatus> {
    context.only_text("install")?;
    let repository = context.repository()?;
    let program = program(args.binary.as_deref())?;
    let plan = hooks::plan_install(&repository, &program)?;
    if args.dry_run {
        print(&format!("Nothing is changed. This would be done:\n{}", told(&plan)))?;
        return Ok(ExitStatus::Pass);
    }
    plan.apply(&repository).context("the hooks are only partly installed; repair the cause and try again")?;
    if !context.quiet {
        // The hooks are in place, whatever can be said about suites.
        let first = if status::asks_for_runs(&repository).unwrap_or_default() { RUN_FIRST } else { COMMIT };
        print(&format!("{}\nNext: {first} {LATER}", told(&plan)))?;
    }
    Ok(ExitStatus::Pass)
}

const COMMIT: &str = "commit as usual.";
const RUN_FIRST: &str = "\
`aiwg-gate run` before you commit: code that nobody ran is blocked (`aiwg-gate explain proof`).\n     ";
const LATER: &str = "`aiwg-gate status` shows the state, `aiwg-gate uninstall` undoes this.\n";

/// Absolute, since hooks run elsewhere.
fn program(chosen: Option<&Path>) -> Result<PathBuf> {
    let Some(chosen) = chosen else {
        return std::env::current_exe().context("cannot tell where this program is; name it with --binary");
    };
    let runs = std::fs::metadata(chosen).is_ok_and(|found| found.is_file() && is_executable(&found));
    if !runs {
        bail!("--binary {}: there is no such program", chosen.display());
    }
    Ok(std::path::absolute(chosen)?)
}

/// A plan as people read it: one line for each thing, then what they should know.
pub(super) fn told(plan: &Plan) -> String {
    let width = plan.lines().iter().map(|line| line.subject.len()).max().unwrap_or_default();
    let lines = plan.lines().iter().map(|line| format!("{:width$}  {}\n", line.subject, line.text));
    let notes = plan.notes().iter().map(|note| format!("note: {note}\n"));
    lines.chain(notes).collect()
}
