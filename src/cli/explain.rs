//! `explain`: the documentation of a rule.

use anyhow::{Result, bail};

use super::config;
use super::{Context, context};
use crate::detectors::{self, RULES};
use crate::exit_status::ExitStatus;
use crate::finding::{RuleId, Severity};
use crate::policy::{Pattern, Profile, nearest};
use crate::text::printable;
use crate::verdict::usual_action;

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
        context::print(&printable(&list(&patterns(context))))?;
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

/// Every rule on a line: what it is called, how bad, and what is done about it where no policy says otherwise.
fn list(patterns: &[Pattern]) -> String {
    let row = |id: &RuleId, severity: Severity, why: &str| {
        let action = usual_action(id, severity, Profile::default()).name();
        [&id.pattern_id, &id.name, severity.name(), action, why].map(str::to_owned)
    };
    let mut rows = vec![["id", "rule", "severity", "default", "why"].map(str::to_owned)];
    rows.extend(RULES.iter().map(|rule| row(&rule.id, rule.severity, rule.why)));
    rows.push(["-", "proof", "high", "block", PROOF_WHY].map(str::to_owned));
    for pattern in patterns {
        // Its id only repeats its name.
        let id = RuleId { pattern_id: "PX".into(), ..pattern.id() };
        rows.push(row(&id, pattern.severity, &pattern.message));
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
    let (ids, names) = (width(0), width(1));
    let line = |[id, name, severity, action, why]: &[String; 5]| {
        format!("{id:ids$}  {name:names$}  {severity:8}  {action:7}  {why}\n")
    };
    rows.iter().map(line).collect()
}

const PROOF_WHY: &str = "Nobody ran exactly this content, so nobody knows whether it works.";

/// The rules that the policy of this repository adds; none outside of repositories, and none that cannot be read.
fn patterns(context: &Context) -> Vec<Pattern> {
    config::settings(context).and_then(|settings| settings.patterns()).unwrap_or_default()
}
