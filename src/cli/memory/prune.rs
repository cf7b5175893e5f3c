//! `memory prune`: lets go of what is old.

use anyhow::Result;
use chrono::Utc;

use super::{Context, print};
use crate::memory::{self, Store};
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
    let pruned = memory::prune_unneeded(&repository, &store, Utc::now(), args.dry_run)?;
    print(
        context,
        memory_prune_text::render(&pruned, args.dry_run),
        memory_json::pruned(&pruned, args.dry_run),
    )
}
