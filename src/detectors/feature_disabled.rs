//! # feature-disabled (LP-008)
//!
//! Something that was switched on is switched off: an option or constant set from true to false, a new `false` in
//! existing options, or a condition that can no longer hold. Also in configuration files; and an entry of a package that
//! leads users to its files, such as `types` or `bin`, was put under a key that nothing reads. Or the code is there and
//! comes to nothing: what it finds out is overwritten, only some builds have it, nobody calls it any more, a parameter
//! that decided is not looked at, a comment that says so stands in its place, a constant stands where something was
//! asked for or made, a system gets the variant that does nothing or an empty answer, a case is turned away as not
//! implemented, a new parameter that is off takes in what was always done, an entry left a list or a table and its code
//! stayed behind, a branch for one type of input is gone, a parameter is gone that the documentation still tells of, a
//! literal stands where a setting was read, a name is handed on no more, a function lost its last way, or the mark by
//! which a framework finds it (`@app.route(...)`, `@Scheduled(...)`).
//!
//! Severity: medium; logged where tests or documents change with it, or where the name does not say what it enables.
//!
//! Where nothing of the kind is seen, and the message of the commit says that something is off for now, what changes is a
//! warning.
//!
//! ## Why it matters
//!
//! The code is all still there, so no test of it fails and no reader misses it. What it did for users is gone.
//!
//! ## Example
//!
//! ```typescript
//! // before                                  // after
//! compile({                                  compile({
//!   source,                                    source,
//!   transformAssetUrls: true,                  transformAssetUrls: false,
//! })                                         })
//! ```
//!
//! ## What is not reported
//!
//! - switches of names that are renamed or inverted together with their meaning
//! - state of a running function, properties such as `optional` or `readonly`, and how much is printed
//! - switches that are turned on
//!
//! ## What to do
//!
//! Mend what the feature trips over and leave it on. If it is meant to be off from now on, say so in the documents
//! and adapt its tests in the same commit.

mod build_tags;
mod constant_off;
mod input_kinds;
mod new_switches;
mod offers;
mod overwritten;
pub mod some_systems;
mod taken_out;
pub mod turned_away;
mod unmarked;
mod variants;

use std::collections::BTreeMap;

use super::arguments::flipped;
use super::code_lines::{TestCode, existing, function_at, is_rework, is_scratch};
use super::functions::{Changed, changed};
use super::report::{Draft, excerpt};
use super::switch_names::{Meaning, meaning, words};
use super::unverified::insists;
use crate::collections::HashSet;

use super::table;
use crate::comparison::{Comparison, FileSide};
use crate::facts::{DeadCondition, Place, Span, Switch};
use crate::finding::{Finding, FindingType, RuleId, Severity, Side};
use crate::paths::{PathClass, is_read_by_no_test};
use crate::text::contains;

pub const ID: RuleId = table::id("feature-disabled", "LP-008", FindingType::FeatureRemoval);

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let flips: Vec<Flip<'_>> =
        comparison.files.iter().filter_map(existing).flat_map(|(b, a)| flips(b, a)).collect();
    let on: HashSet<&str> = flips.iter().filter(|flip| !flip.off).map(|flip| flip.name()).collect();
    let off = flips.iter().filter(|flip| flip.off && !on.contains(flip.name()) && !flip.is_told_elsewhere());
    let mut found: Vec<Finding> = off.map(|flip| flip.finding(comparison)).collect();
    for (before, after) in
        comparison.files.iter().filter_map(existing).filter(|(_, after)| !is_scratch(&after.path))
    {
        found.extend(new_switches::findings(comparison, before, after));
        found.extend(dead_conditions(comparison, before, after));
    }
    found.extend(offers::findings(comparison));
    found.extend(overwritten::findings(comparison));
    found.extend(build_tags::findings(comparison));
    found.extend(taken_out::findings(comparison));
    found.extend(changed(comparison).filter_map(|change| of_argument(comparison, &change)));
    let constants = constant_off::findings(comparison);
    let known = |finding: &Finding, found: &[Finding]| {
        found.iter().any(|known| known.path == finding.path && known.line == finding.line)
    };
    let constants: Vec<Finding> = constants.into_iter().filter(|finding| !known(finding, &found)).collect();
    found.extend(constants);
    found.extend(variants::findings(comparison));
    found.extend(changed(comparison).filter_map(|change| turned_away::case(comparison, &change)));
    found.extend(changed(comparison).filter_map(|change| some_systems::only_on_some(comparison, &change)));
    found.extend(changed(comparison).filter_map(|change| input_kinds::dropped(comparison, &change)));
    found.extend(super::unlisted::orphaned(comparison));
    found.extend(unmarked::findings(comparison));
    found.extend(super::loosened::detect(comparison, super::loosened::Part::Features));
    let mut seen = HashSet::new();
    found.retain(|finding| {
        !is_setup(comparison, &finding.path) && seen.insert((finding.path.clone(), finding.symbol.clone()))
    });
    found
}

/// Whether a file written in a language sets up a tool that checks: the rule about the ground tells of it.
fn is_setup(comparison: &Comparison, path: &str) -> bool {
    let sides =
        comparison.files.iter().filter_map(|file| file.after.as_ref()).filter(|side| side.path == path);
    sides.into_iter().any(|side| side.facts.project.is_some() && !side.facts.language.is_empty())
}

/// A switch that both sides have, with another value.
struct Flip<'c> {
    before: (&'c FileSide, &'c Switch),
    after: (&'c FileSide, &'c Switch),
    /// Whether what the name enables is off now.
    off: bool,
}

/// What makes a switch the same on both sides.
type Key<'c> = (&'c str, &'c str, Place);

fn by_key(side: &FileSide) -> BTreeMap<Key<'_>, Vec<&Switch>> {
    let mut found: BTreeMap<Key<'_>, Vec<&Switch>> = BTreeMap::new();
    let tests = TestCode::of(side);
    let counts = |switch: &&Switch| switch.place != Place::Variable && !tests.contains(switch.line);
    for switch in side.facts.signals.switches.iter().filter(counts) {
        found.entry((&switch.scope, &switch.name, switch.place)).or_default().push(switch);
    }
    found
}

fn flips<'c>(before: &'c FileSide, after: &'c FileSide) -> Vec<Flip<'c>> {
    if before.facts.signals.switches.is_empty() || is_scratch(&after.path) {
        return Vec::new();
    }
    let (old, new) = (by_key(before), by_key(after));
    let same_number = old.into_iter().filter_map(|(key, old)| {
        let new = new.get(&key).filter(|new| new.len() == old.len())?;
        Some(old.into_iter().zip(new.iter().copied()).collect::<Vec<_>>())
    });
    let changed = same_number.flatten().filter(|(old, new)| old.on != new.on);
    let flip = |(old, new): (&'c Switch, &'c Switch)| {
        let off = new.on == (meaning(&new.name) == Meaning::Disables);
        Flip { before: (before, old), after: (after, new), off }
    };
    changed.map(flip).collect()
}

/// Whether a setter is about being strict: what is accepted when that is off was not before.
fn insists_on_more(name: &str) -> bool {
    words(name).iter().any(|word| matches!(word.as_str(), "strict" | "secure" | "sandboxed" | "safe"))
}

impl Flip<'_> {
    /// Whether what is off now are the checks or the errors of a library that a function uses.
    fn is_told_elsewhere(&self) -> bool {
        let (side, switch) = self.after;
        // What decides what is checked is no feature, and has its own rules.
        let project = side.facts.project.as_deref();
        if project.is_some_and(|facts| facts.settings.iter().any(|setting| setting.line == switch.line)) {
            return true;
        }
        // What protects is no feature either.
        if !side.facts.language.is_empty() && self.off && super::loosened::is_protective(&switch.name) {
            return true;
        }
        let insisted = switch.place == Place::Option && insists(&switch.name).is_some();
        let inside = || !function_at(side, switch.line).is_empty() && !side.facts.language.is_empty();
        inside() && (insisted || new_switches::is_told_elsewhere(side, switch))
    }

    fn name(&self) -> &str {
        &self.after.1.name
    }

    fn finding(&self, comparison: &Comparison) -> Finding {
        let ((old_side, old), (side, new)) = (self.before, self.after);
        let message = format!("`{}` was {}, now it is {}", new.name, old.on, new.on);
        let mut finding =
            draft(message, 0.75).on(Side::After, side, new.line, symbol(side, &new.scope, &new.name));
        finding.before = excerpt(old_side, one(old.line), old.line, "before");
        finding.after = excerpt(side, one(new.line), new.line, "switched off");
        match meaning(&new.name) {
            _ if is_read_by_no_test(&side.path) && new.scope.ends_with("with") => {
                finding.lower(Severity::Low, "it is about how a server builds, not about what is built");
            }
            _ if side.facts.language.is_empty() && is_hidden(&side.path) => {
                finding.lower(Severity::Low, "it sets up a tool of the project, not what users get");
            }
            Meaning::Disables if side.facts.language.is_empty() && skips(&new.name) => {
                finding.lower(Severity::Low, "what is skipped in configuration is a step or a check");
            }
            Meaning::Neutral => {
                finding.lower(Severity::Low, "the name tells of a state or a detail, not of a feature")
            }
            Meaning::Option if new.place == Place::Call && insists_on_more(&new.name) => {}
            // What is shipped switched off is off for all who change nothing.
            Meaning::Option if side.facts.language.is_empty() && is_shipped(&side.path) => {}
            Meaning::Option if new.place == Place::Call || side.facts.language.is_empty() => {
                finding.lower(Severity::Low, "the name does not say what is switched off");
            }
            _ => {}
        }
        lower_by_intent(comparison, &mut finding, &new.name);
        finding
    }
}

/// Whether a file is the configuration that a program is delivered with.
fn is_shipped(path: &str) -> bool {
    let mut folders = path.split('/').rev().skip(1);
    let shipped = ["conf", "dist", "distribution", "resources", "defaults", "etc"];
    folders.any(|folder| shipped.contains(&folder)) && !path.contains("/test/")
}

/// Whether a file is out of sight, as the settings of tools are; what a server does is set up in a folder of its own.
fn is_hidden(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|name| name.starts_with('.'))
}

/// `skip`, `skipTests`
fn skips(name: &str) -> bool {
    words(name).first().is_some_and(|word| word == "skip" || word == "skips")
}

/// A call that is told to leave out something that it did.
fn of_argument(comparison: &Comparison, change: &Changed<'_>) -> Option<Finding> {
    let flip = flipped(change).filter(|flip| !flip.checks)?;
    let message = format!(
        "`{}` is given {} for `{}` where it was {}",
        flip.callee, flip.value, flip.parameter, !flip.value
    );
    let mut finding = change.finding(draft(message, 0.75), Side::After, flip.line);
    finding.after = excerpt(change.side, one(flip.line), flip.line, "switched off");
    finding.detail.clone_from(&flip.parameter);
    lower_by_intent(comparison, &mut finding, &flip.parameter);
    Some(finding)
}

/// Lowers a finding about a switch that tests or documents know of.
pub(super) fn lower_by_intent(comparison: &Comparison, finding: &mut Finding, name: &str) {
    if let Some(path) = comparison.documents.first() {
        finding.lower(Severity::Low, format!("{path} changes with it, which tells users"));
    } else if let Some(path) = test_about(comparison, name) {
        finding.lower(Severity::Low, format!("{path}, which is about it, changes with it"));
    } else if is_rework(comparison) {
        finding.lower(Severity::Low, "it is a detail of a large rework");
    }
}

/// A test file of the change that mentions the name.
fn test_about<'c>(comparison: &'c Comparison, name: &str) -> Option<&'c str> {
    let tests = comparison.files.iter().filter(|file| file.class == PathClass::Test);
    let sides = tests.flat_map(|file| file.before.iter().chain(&file.after));
    sides.filter(|side| contains(&side.text, name.as_bytes())).map(|side| side.path.as_str()).min()
}

/// Conditions around existing code that cannot hold any more.
fn dead_conditions(comparison: &Comparison, before: &FileSide, after: &FileSide) -> Vec<Finding> {
    let known: HashSet<(&str, &str)> =
        before.facts.signals.dead.iter().map(|dead| (dead.scope.as_str(), dead.text.as_str())).collect();
    let tests = TestCode::of(after);
    let is_new = |dead: &&DeadCondition| {
        !known.contains(&(dead.scope.as_str(), dead.text.as_str())) && !tests.contains(dead.line)
    };
    let fresh: Vec<&DeadCondition> = after.facts.signals.dead.iter().filter(is_new).collect();
    if fresh.is_empty() {
        return Vec::new();
    }
    let (old, new) = (before.code(), after.code());
    let was_there: HashSet<&str> = old.iter().map(|line| line.code.as_str()).collect();
    let guards_old = |dead: &&&DeadCondition| {
        let from = new.partition_point(|line| line.number <= dead.line);
        let mut below = new[from..].iter().filter(|line| !line.code.is_empty());
        below.next().is_some_and(|line| was_there.contains(line.code.as_str()))
    };
    let finding = |dead: &&DeadCondition| {
        let message = format!("the condition `{}` can no longer hold", dead.text);
        let name = crate::text::clipped(&dead.text, 60);
        let mut finding =
            draft(message, 0.85).on(Side::After, after, dead.line, symbol(after, &dead.scope, &name));
        finding.after = excerpt(after, one(dead.line), dead.line, "what follows never runs");
        if !comparison.documents.is_empty() {
            lower_by_intent(comparison, &mut finding, &dead.text);
        }
        finding
    };
    fresh.iter().filter(guards_old).map(finding).collect()
}

pub(super) fn draft(message: String, confidence: f64) -> Draft {
    Draft {
        rule: ID,
        severity: Severity::Medium,
        confidence,
        message,
        help: "switch it on again, or adapt its documents and tests if it is meant to stay off".to_owned(),
    }
}

pub(super) fn symbol(side: &FileSide, scope: &str, name: &str) -> String {
    let scope = if scope.is_empty() { String::new() } else { format!("{}::", scope.replace('.', "::")) };
    format!("{}::{scope}{name}", side.path)
}

pub(super) fn one(line: u32) -> Span {
    Span { start: line, end: line }
}
