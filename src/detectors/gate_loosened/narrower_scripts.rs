//! A script of the package that a pipeline ran, and another one in its place that runs less.
//!
//! What a script runs is read from where the scripts stand, in the change or outside of it, through the scripts that it
//! calls itself.

use std::collections::BTreeSet;

use super::ID;
use super::checks::{label, line_of, symbol};
use super::matching::{Matched, counts};
use crate::detectors::ground::{GroundPair, GroundSide, Loosened, Pool, compare};
use crate::detectors::report::Draft;
use crate::facts::{About, Check, CheckClass, Ground};
use crate::finding::{Finding, Severity, Side};

pub fn detect(pairs: &[GroundPair<'_>], pool: &Pool<'_>) -> Vec<Finding> {
    pairs.iter().filter_map(|pair| in_file(pair, pairs).or_else(|| written_out(pair, pairs, pool))).collect()
}

/// A target or a script that a pipeline ran, and in its place a command of the same tool that runs less:
/// `go test ./cart` for `make test`.
fn written_out(pair: &GroundPair<'_>, pairs: &[GroundPair<'_>], pool: &Pool<'_>) -> Option<Finding> {
    let (before, after) = (pair.before?, pair.after.filter(|side| side.facts.ground == Ground::Pipeline)?);
    let matched = Matched::of(pair);
    let changed = pairs.iter().filter_map(|pair| pair.after).flat_map(|side| &side.facts.checks);
    let known: Vec<&Check> = changed.chain(&before.facts.called).collect();
    let is_test = |check: &&&Check| counts(check) && check.class == CheckClass::Test;
    for old in matched.gone.iter().filter(is_test) {
        let Some((_, target)) = old.signature.split_once(' ') else { continue };
        let ran = known.iter().filter(|check| {
            check.class == CheckClass::Test && check.place.trim_start_matches("scripts.") == target
        });
        for (was, new) in ran.flat_map(|was| {
            let heirs = matched.added.iter().filter(is_test);
            heirs
                .filter(|new| new.place == old.place && new.signature == was.signature)
                .map(move |new| (was, new))
        }) {
            let is_less = |loosened: &Loosened<'_>| {
                matches!(loosened, Loosened::Narrowed(_) | Loosened::Restricted { .. })
                    && loosened.setting().about == About::Tests
            };
            if !compare(&was.settings, &new.settings, pool).iter().any(is_less) {
                continue;
            }
            let draft = Draft {
                rule: ID,
                severity: Severity::High,
                confidence: 0.85,
                message: format!(
                    "`{}` is run in place of `{}`, which ran `{}`",
                    label(new),
                    label(old),
                    label(was)
                ),
                help: format!("run all of it again at {}:{}", after.file.path, new.line),
            };
            let mut finding = draft.on(Side::After, after.file, new.line, symbol(after.file, &new.place));
            finding.before = line_of(before.file, old.line, "this ran more");
            finding.after = line_of(after.file, new.line, "this runs less");
            finding.lower(Severity::Medium, "the rest of it may be run elsewhere");
            return Some(finding);
        }
    }
    None
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
