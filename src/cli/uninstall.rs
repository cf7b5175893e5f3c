//! `aiwg-gate uninstall`: takes the gate out of the repository's git hooks.

use anyhow::{Context as _, Result};

use super::Context;
use super::context::print;
use super::install::told;
use crate::exit_status::ExitStatus;
use crate::{hooks, ledger};

/// Remove the git hooks and put back what was there before
///
/// Only files that `aiwg-gate install` wrote are removed; a hook that was edited or replaced since stays. Verdicts that
/// wait for their commit are dropped; notes on commits stay.
#[derive(clap::Args)]
pub struct Args {
    /// Print what would be done and change nothing
    #[arg(long)]
    dry_run: bool,
}

pub fn run(args: &Args, context: &Context) -> Result<ExitStatus> {
    context.only_text("uninstall")?;
    let repository = context.repository()?;
    let plan = hooks::plan_uninstall(&repository)?;
    if args.dry_run {
        print(&format!("Nothing is changed. This would be done:\n{}", told(&plan)))?;
        return Ok(ExitStatus::Pass);
    }
    plan.apply(&repository).context("the hooks are only partly removed; repair the cause and try again")?;
    ledger::forget(&repository)?;
    if plan.changes_nothing() && plan.notes().is_empty() && !context.quiet {
        print("The gate is not installed here.\n")?;
    } else if !context.quiet || !plan.notes().is_empty() {
        print(&told(&plan))?;
    }
    Ok(ExitStatus::Pass)
}
