//! `status`: what is installed, and whether the gate would block.

use anyhow::Result;

use super::{Context, Format, context};
use crate::exit_status::ExitStatus;
use crate::report::{status_json, status_text};
use crate::status::Status;

/// Show the hooks, the policy, the last verdicts, and anything that would keep the gate from blocking
#[derive(clap::Args)]
pub struct Args {}

pub fn run(_args: &Args, context: &Context) -> Result<ExitStatus> {
    let status = Status::gather(&context.repository()?)?;
    context::print(&match context.format {
        Format::Text => status_text::render(&status),
        Format::Json => status_json::render(&status)?,
    })?;
    Ok(ExitStatus::Pass)
}
