//! `explain`: the documentation of a rule.

use anyhow::{Result, bail};

use super::{Context, context};
use crate::detectors::{self, RULES};
use crate::exit_status::ExitStatus;
use crate::policy::nearest;

/// Print what a rule looks for, why, and what to do about it
///
/// Without a rule: the list of all rules.
#[derive(clap::Args)]
pub struct Args {
    /// The rule's name or pattern id, for example test-removed or LP-001; or `proof`
    rule: Option<String>,
}

/// Not a rule about what changed, but blocks like one.
const PROOF: &str = include_str!("../proof/explained.md");

pub fn run(args: &Args, context: &Context) -> Result<ExitStatus> {
    context.only_text("explain")?;
    let Some(name) = &args.rule else {
        let line = |rule: &detectors::Rule| {
            format!("{:8} {:20} {:9} {}\n", rule.id.pattern_id, rule.id.name, rule.severity.name(), rule.why)
        };
        let proof = "-        proof                high      Nobody ran exactly this content, so nobody knows whether it works.\n";
        context::print(&(RULES.iter().map(line).collect::<String>() + proof))?;
        return Ok(ExitStatus::Pass);
    };
    if name == "proof" {
        context::print(PROOF)?;
        return Ok(ExitStatus::Pass);
    }
    let Some(rule) = detectors::find(name) else {
        let names = detectors::names();
        match nearest(name, &names) {
            Some(meant) => bail!("there is no rule `{name}`: did you mean `{meant}`?"),
            None => bail!("there is no rule `{name}`; the rules are: {}, and proof", names.join(", ")),
        }
    };
    context::print(&rule.documentation())?;
    Ok(ExitStatus::Pass)
}
