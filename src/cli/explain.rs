//! `explain`: the documentation of a rule.

use anyhow::{Result, bail};

use super::{Context, context};
use crate::detectors::{self, RULES};
use crate::exit_status::ExitStatus;

/// Print what a rule looks for, why, and what to do about it
///
/// Without a rule: the list of all rules.
#[derive(clap::Args)]
pub struct Args {
    /// The rule's name or pattern id, for example test-removed or LP-001
    rule: Option<String>,
}

pub fn run(args: &Args, context: &Context) -> Result<ExitStatus> {
    context.only_text("explain")?;
    let Some(name) = &args.rule else {
        let line = |rule: &detectors::Rule| {
            format!("{:8} {:20} {:9} {}\n", rule.id.pattern_id, rule.id.name, rule.severity.name(), rule.why)
        };
        context::print(&RULES.iter().map(line).collect::<String>())?;
        return Ok(ExitStatus::Pass);
    };
    let Some(rule) = detectors::find(name) else {
        bail!("there is no rule `{name}`; the rules are: {}", detectors::names().join(", "));
    };
    context::print(&rule.documentation())?;
    Ok(ExitStatus::Pass)
}
