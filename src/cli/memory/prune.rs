//! `memory prune`: lets go of what is old.

use anyhow::Result;
use chrono::Utc;

use super::{Context, print};
use crate::memory::{self, REACHED_COMMITS, Store};
use crate::report::{memory_json, memory_prune_text};

/// Remove sessions whose time is over: 30 days, 60 once something was learned, 90 once escalated
///
/// A session stays while it holds the newest proof of a commit that a local branch can reach. Files of other tools and
/// files that cannot be read are left alone.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  aiwg-gate memory prune --dry-run")]
pub struct Args {
    /// Print what would go and remove nothing
    #[arg(long)]
    dry_run: bool,
}

pub fn run(args: &Args, context: &Context) -> Result<()> {
    let repository = context.repository()?;
    let store = Store::of(&repository)?;
    let trees = repository.branch_trees(REACHED_COMMITS)?;
    let pruned = {
        let locked = store.lock()?;
        memory::prune(&locked, Utc::now(), |record| memory::proves(record, &trees), args.dry_run)?
    };
    if !args.dry_run {
        for session in &pruned.sessions {
            repository.forget_attempts(&session.session_id)?;
        }
    }
    print(
        context,
        memory_prune_text::render(&pruned, args.dry_run),
        memory_json::pruned(&pruned, args.dry_run),
    )
}
