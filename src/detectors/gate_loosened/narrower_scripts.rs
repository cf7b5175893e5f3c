//! A script of the package that a pipeline ran, and another one in its place that runs less.
//!
//! What a script runs is read from where the scripts stand, in the change or outside of it, through the scripts that it
//! calls itself.

use std::collections::BTreeSet;

use super::ID;
use super::checks::{line_of, symbol};
use super::matching::{Matched, counts};
use crate::detectors::ground::{GroundPair, GroundSide};
use crate::detectors::report::Draft;
use crate::facts::{Check, Ground};
use crate::finding::{Finding, Severity, Side};

pub fn detect(pairs: &[GroundPair<'_>]) -> Vec<Finding> {
    pairs.iter().filter_map(|pair| in_file(pair, pairs)).collect()
}

fn in_file(pair: &GroundPair<'_>, pairs: &[GroundPair<'_>]) -> Option<Finding> {
    let (before, after) = (pair.before?, pair.after?);
    if after.facts.ground != Ground::Pipeline {
        return None;
    }
    let matched = Matched::of(pair);
    let calls = |checks: &[&'_ Check]| -> Vec<(String, u32, String)> {
        let named = checks.iter().filter(|check| counts(check));
        let scripts = named.filter_map(|check| {
            Some((check.signature.strip_prefix("run ")?.to_owned(), check.line, check.place.clone()))
        });
        scripts.collect()
    };
    let (gone, added) = (calls(&matched.gone), calls(&matched.added));
    let known = known_scripts(&before, pairs);
    for (old, old_line, place) in &gone {
        let Some((new, line, _)) = added.iter().find(|(_, _, other)| other == place) else { continue };
        let (all, rest) = (runs(old, &known), runs(new, &known));
        let mut left =
            all.difference(&rest).filter(|what| !added.iter().any(|(name, ..)| what.ends_with(name)));
        let Some(first) = left.next().filter(|_| !rest.is_empty() && rest.is_subset(&all)) else { continue };
        let draft = Draft {
            rule: ID,
            severity: Severity::High,
            confidence: 0.85,
            message: format!("`{new}` is run in place of `{old}`, and leaves out {first}"),
            help: format!("run {old} again, or add {first} at {}:{line}", after.file.path),
        };
        let mut finding = draft.on(Side::After, after.file, *line, symbol(after.file, place));
        finding.before = line_of(before.file, *old_line, "this ran more");
        finding.after = line_of(after.file, *line, "this runs less");
        finding.lower(Severity::Medium, "the rest of it still runs");
        return Some(finding);
    }
    None
}

/// All commands of scripts that are known: after the change where it has them, else those that it leaves alone.
fn known_scripts<'c>(before: &GroundSide<'c>, pairs: &[GroundPair<'c>]) -> Vec<&'c Check> {
    let changed = pairs.iter().filter_map(|pair| pair.after).flat_map(|side| &side.facts.checks);
    let all = changed.chain(&before.facts.scripts_elsewhere);
    all.filter(|check| check.place.starts_with("scripts.")).collect()
}

/// What a script runs in the end, other scripts followed.
fn runs(script: &str, known: &[&Check]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut open = vec![script.to_owned()];
    while let Some(name) = open.pop() {
        if !seen.insert(name.clone()) {
            continue;
        }
        let place = format!("scripts.{name}");
        for check in known.iter().filter(|check| check.place == place) {
            match check.signature.strip_prefix("run ") {
                Some(inner) if known.iter().any(|other| other.place == format!("scripts.{inner}")) => {
                    open.push(inner.to_owned());
                }
                _ if check.signature.starts_with("script:") => {}
                _ => {
                    found.insert(check.text.clone());
                }
            }
        }
    }
    found
}
