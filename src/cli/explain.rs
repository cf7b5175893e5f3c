//! `explain`: the documentation of a rule.

use anyhow::{Result, bail};

use super::config;
use super::{Context, context};
use crate::detectors::{self, RULES};
use crate::exit_status::ExitStatus;
use crate::policy::{Pattern, nearest};
use crate::text::printable;

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
        let added = |pattern: &Pattern| {
            let Pattern { name, severity, message, .. } = pattern;
            format!("{:8} {name:20} {:9} {message}\n", "PX", severity.name())
        };
        let added: String = patterns(context).iter().map(added).collect();
        context::print(&(RULES.iter().map(line).collect::<String>() + proof + &printable(&added)))?;
        return Ok(ExitStatus::Pass);
    };
    if name == "proof" {
        context::print(PROOF)?;
        return Ok(ExitStatus::Pass);
    }
    let Some(rule) = detectors::find(name) else {
        let patterns = patterns(context);
        let is_meant = |pattern: &&Pattern| pattern.name == *name || pattern.id().pattern_id == name.as_str();
        if let Some(pattern) = patterns.iter().find(is_meant) {
            context::print(&printable(&pattern.documentation()))?;
            return Ok(ExitStatus::Pass);
        }
        let names: Vec<&str> = detectors::names()
            .into_iter()
            .chain(patterns.iter().map(|pattern| pattern.name.as_str()))
            .collect();
        match nearest(name, &names) {
            Some(meant) => bail!("there is no rule `{name}`: did you mean `{meant}`?"),
            None => bail!("there is no rule `{name}`; the rules are: {}, and proof", names.join(", ")),
        }
    };
    context::print(&rule.documentation())?;
    Ok(ExitStatus::Pass)
}

/// The rules that the policy of this repository adds; none outside of repositories, and none that cannot be read.
fn patterns(context: &Context) -> Vec<Pattern> {
    config::settings(context).and_then(|settings| settings.patterns()).unwrap_or_default()
}
