//! stub
use super::Context;
use crate::exit_status::ExitStatus;
use anyhow::Result;

/// install
#[derive(clap::Args)]
pub struct Args {}

pub fn run(_args: &Args, _context: &Context) -> Result<ExitStatus> {
    anyhow::bail!("not there yet")
}
