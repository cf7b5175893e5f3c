//! `man`: the manual pages.

use std::path::PathBuf;

use anyhow::{Context as _, Result};

use super::{Context, context};
use crate::exit_status::ExitStatus;

/// Print the manual page, or write one page per command
///
/// For example: `aiwg-gate man | man -l -`
#[derive(clap::Args)]
pub struct Args {
    /// Write aiwg-gate.1 and a page for each command into DIR
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
}

pub fn run(args: &Args, context: &Context) -> Result<ExitStatus> {
    context.only_text("man")?;
    let command = super::command();
    match &args.output {
        Some(directory) => clap_mangen::generate_to(command, directory)
            .with_context(|| format!("cannot write manual pages to {}", directory.display()))?,
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            context::print(&String::from_utf8(page)?)?;
        }
    }
    Ok(ExitStatus::Pass)
}
