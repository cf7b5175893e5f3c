//! `tests`: the static inventory.

use anyhow::Result;

use super::progress::Progress;
use super::{Context, Format, context};
use crate::exit_status::ExitStatus;
use crate::inventory::Inventory;
use crate::report::{inventory_json, inventory_text};

/// List the tests that the runners would collect, without running anything
#[derive(clap::Args)]
pub struct Args {
    /// Only files at or below these paths
    #[arg(value_name = "PATH")]
    paths: Vec<String>,
    /// Read a commit instead of the working tree
    #[arg(long, value_name = "REV")]
    rev: Option<String>,
}

pub fn run(args: &Args, context: &Context) -> Result<ExitStatus> {
    let repository = context.repository()?;
    let paths = args.paths.iter().map(|path| repository.path_from_root(path)).collect::<Result<Vec<_>>>()?;
    let bar = Progress::new("files", context.quiet);
    let show = |done, total| bar.show(done, total);
    let inventory = Inventory::read(&repository, args.rev.as_deref(), &paths, show)?;
    bar.clear();
    context::print(&match context.format {
        Format::Text => inventory_text::render(&inventory),
        Format::Json => inventory_json::render(&inventory)?,
    })?;
    Ok(ExitStatus::Pass)
}
