//! # feature-disabled (LP-008)
//!
//! Something that was switched on is switched off: an option or constant set from true to false, a new `false` in
//! existing options, or a condition that can no longer hold. Also in configuration files.
//!
//! Severity: medium; logged where tests or documents change with it, or where the name does not say what it enables.
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

use std::collections::{BTreeMap, HashMap, HashSet};

use super::code_lines::{CodeLine, TestCode, existing, function_at, is_rework, is_scratch, lines, vanished};
use super::report::{Draft, excerpt};
use super::switch_names::{Meaning, meaning, words};
use super::table;
use crate::comparison::{Comparison, FileSide};
use crate::facts::{DeadCondition, Place, Span, Switch};
use crate::finding::{Finding, FindingType, RuleId, Severity, Side};
use crate::paths::PathClass;
use crate::text::contains;

pub const ID: RuleId = table::id("feature-disabled", "LP-008", FindingType::FeatureRemoval);

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let flips: Vec<Flip<'_>> =
        comparison.files.iter().filter_map(existing).flat_map(|(b, a)| flips(b, a)).collect();
    let on: HashSet<&str> = flips.iter().filter(|flip| !flip.off).map(|flip| flip.name()).collect();
    let off = flips.iter().filter(|flip| flip.off && !on.contains(flip.name()));
    let mut found: Vec<Finding> = off.map(|flip| flip.finding(comparison)).collect();
    for (before, after) in
        comparison.files.iter().filter_map(existing).filter(|(_, after)| !is_scratch(&after.path))
    {
        found.extend(new_off(comparison, before, after));
        found.extend(dead_conditions(comparison, before, after));
    }
    let mut seen = HashSet::new();
    found.retain(|finding| seen.insert((finding.path.clone(), finding.symbol.clone())));
    found
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

impl Flip<'_> {
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
            Meaning::Neutral => {
                finding.lower(Severity::Low, "the name tells of a state or a detail, not of a feature")
            }
            Meaning::Option if new.place == Place::Call || side.facts.language.is_empty() => {
                finding.lower(Severity::Low, "the name does not say what is switched off");
            }
            _ => {}
        }
        lower_by_intent(comparison, &mut finding, &new.name);
        finding
    }
}

/// Lowers a finding about a switch that tests or documents know of.
fn lower_by_intent(comparison: &Comparison, finding: &mut Finding, name: &str) {
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

/// Options of existing calls and objects that are off now and were not named, or not decided, before.
fn new_off(comparison: &Comparison, before: &FileSide, after: &FileSide) -> Vec<Finding> {
    let known: HashSet<(&str, &str)> = keys(before).collect();
    let tests = TestCode::of(after);
    let is_new = |switch: &&Switch| {
        is_off(switch)
            && !known.contains(&(switch.scope.as_str(), switch.name.as_str()))
            && !tests.contains(switch.line)
    };
    let fresh: Vec<&Switch> = after.facts.signals.switches.iter().filter(is_new).take(MAX_NEW).collect();
    if fresh.is_empty() {
        return Vec::new();
    }
    let (old, new) = (lines(before), lines(after));
    let sides = Sides { before, after, gone: vanished(&old, &new), old: &old, new: &new };
    fresh.into_iter().filter_map(|switch| sides.finding(comparison, switch)).collect()
}

/// So many are enough to tell of.
const MAX_NEW: usize = 64;

fn keys(side: &FileSide) -> impl Iterator<Item = (&str, &str)> {
    side.facts.signals.switches.iter().map(|switch| (switch.scope.as_str(), switch.name.as_str()))
}

/// Whether the switch turns something off, as far as its name tells.
fn is_off(switch: &Switch) -> bool {
    let meaning = meaning(&switch.name);
    let off = switch.on == (meaning == Meaning::Disables) && meaning != Meaning::Neutral;
    off && switch.place != Place::Variable
}

/// Both sides of a file as lines.
struct Sides<'c> {
    before: &'c FileSide,
    after: &'c FileSide,
    gone: HashMap<&'c str, usize>,
    old: &'c [CodeLine],
    new: &'c [CodeLine],
}

impl Sides<'_> {
    fn finding(&self, comparison: &Comparison, switch: &Switch) -> Option<Finding> {
        let (name, on) = (&switch.name, switch.on);
        let message = if self.was_decided(switch) {
            format!("`{name}` was decided by the code, now it is always {on}")
        } else if self.may_be_added(switch) && self.stands_alone(switch) && !is_introduced(comparison, switch)
        {
            format!("`{name}: {on}` was added to existing options")
        } else if self.guards(switch) {
            format!("the new switch `{name}`, which is off, guards existing code")
        } else {
            return None;
        };
        let symbol = symbol(self.after, &switch.scope, name);
        let mut finding = draft(message, 0.7).on(Side::After, self.after, switch.line, symbol);
        finding.after = excerpt(self.after, one(switch.line), switch.line, "switched off");
        lower_by_intent(comparison, &mut finding, name);
        Some(finding)
    }

    fn code_at(&self, line: u32) -> Option<&str> {
        let at = self.new.partition_point(|code| code.number < line);
        self.new
            .get(at)
            .filter(|code| code.number == line && !code.code.is_empty())
            .map(|code| code.code.as_str())
    }

    /// Whether the same name had another value before, which was no literal.
    fn was_decided(&self, switch: &Switch) -> bool {
        let Some(code) = self.code_at(switch.line).filter(|_| switch.place != Place::Call) else {
            return false;
        };
        let open = code.trim_end_matches([',', ';', ')', '}']);
        let Some(start) = ["false", "False", "true", "True"].iter().find_map(|word| open.strip_suffix(word))
        else {
            return false;
        };
        let value =
            |line: &'_ str| line.strip_prefix(start).map(|rest| rest.trim_end_matches([',', ';']).to_owned());
        let is_decision = |value: &String| {
            let word = value.trim_matches(['"', '\'', '(', ')']);
            !matches!(word, "" | "true" | "True" | "false" | "False" | "null" | "None" | "nil" | "undefined")
                && word.parse::<f64>().is_err()
                && !value.ends_with(['{', '[', '('])
        };
        let function = function_at(self.after, switch.line);
        let was = |line: &&CodeLine| {
            self.gone.contains_key(line.code.as_str())
                && value(&line.code).is_some_and(|value| is_decision(&value))
        };
        let mut decided = self.old.iter().filter(was);
        start.ends_with([':', '=']) && decided.any(|line| function_at(self.before, line.number) == function)
    }

    /// Whether a line that only sets the switch means something: options do, and calls of a chain.
    fn may_be_added(&self, switch: &Switch) -> bool {
        let is_source = !self.after.facts.language.is_empty();
        let chained = || self.code_at(switch.line).is_some_and(|code| code.starts_with('.'));
        match switch.place {
            Place::Option if is_source => !keys(self.before).any(|(_, name)| name == switch.name),
            // A settings file says so in its own words, or it is one value among many.
            Place::Option => says_off(&switch.name),
            Place::Call => chained(),
            _ => false,
        }
    }

    /// Whether the switch is a line of its own between two lines that followed each other before.
    fn stands_alone(&self, switch: &Switch) -> bool {
        let code: Vec<&CodeLine> = self.new.iter().filter(|line| !line.code.is_empty()).collect();
        let at = code.partition_point(|line| line.number < switch.line);
        let Some(line) = code.get(at).filter(|line| line.number == switch.line) else { return false };
        let short = line.code.len() <= switch.name.len() + 12;
        let (Some(above), Some(below)) = (at.checked_sub(1).and_then(|at| code.get(at)), code.get(at + 1))
        else {
            return false;
        };
        let open = |code: &str| code.trim_end_matches([',', ';']).to_owned();
        let (above, below) = (open(&above.code), open(&below.code));
        let old: Vec<&str> =
            self.old.iter().map(|line| line.code.as_str()).filter(|code| !code.is_empty()).collect();
        short && old.windows(2).any(|pair| open(pair[0]) == above && open(pair[1]) == below)
    }

    /// Whether a new constant that is off stands in front of code of a function that was there before.
    fn guards(&self, switch: &Switch) -> bool {
        if switch.place != Place::Constant || switch.on || !says_off(&switch.name) {
            return false;
        }
        let asks =
            [format!("if!{}", switch.name), format!("if(!{}", switch.name), format!("ifnot{}", switch.name)];
        let guard = self.new.iter().find(|line| asks.iter().any(|ask| line.code.starts_with(ask)));
        let function = guard.map(|line| function_at(self.after, line.number)).filter(|name| !name.is_empty());
        let last = |name: &str| name.rsplit("::").next().unwrap_or_default().to_owned();
        let stood = |name: String| self.before.facts.definitions.iter().any(|old| old.name == last(&name));
        function.is_some_and(stood)
    }
}

/// Whether the name itself speaks of enabling or disabling.
fn says_off(name: &str) -> bool {
    let told = ["enable", "enabled", "enables", "disable", "disabled", "disables"];
    words(name).iter().any(|word| told.contains(&word.as_str()))
}

/// Whether the change itself brings what the switch is for: then it is no feature that was there.
fn is_introduced(comparison: &Comparison, switch: &Switch) -> bool {
    let mentions = |side: &FileSide| {
        let text = String::from_utf8_lossy(&side.text);
        text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
            .filter(|word| *word == switch.name)
            .count()
    };
    let more: usize = comparison
        .files
        .iter()
        .map(|file| {
            let count = |side: &Option<FileSide>| side.as_ref().map_or(0, &mentions);
            count(&file.after).saturating_sub(count(&file.before))
        })
        .sum();
    more > 1
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
    let (old, new) = (lines(before), lines(after));
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

fn draft(message: String, confidence: f64) -> Draft {
    Draft {
        rule: ID,
        severity: Severity::Medium,
        confidence,
        message,
        help: "switch it on again, or adapt its documents and tests if it is meant to stay off".to_owned(),
    }
}

fn symbol(side: &FileSide, scope: &str, name: &str) -> String {
    let scope = if scope.is_empty() { String::new() } else { format!("{}::", scope.replace('.', "::")) };
    format!("{}::{scope}{name}", side.path)
}

fn one(line: u32) -> Span {
    Span { start: line, end: line }
}
