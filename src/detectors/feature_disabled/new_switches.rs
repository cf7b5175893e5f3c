//! Switches that are new, off, and stand on existing code: part of the rule about disabled features.

use super::{draft, lower_by_intent, one, symbol};
use crate::collections::{HashMap, HashSet};
use crate::comparison::{CodeLine, Comparison, FileSide, vanished};
use crate::detectors::code_lines::{TestCode, function_at};
use crate::detectors::report::excerpt;
use crate::detectors::switch_names::{Meaning, meaning, words};
use crate::detectors::unverified::{Care, turned_off};
use crate::facts::{Place, Switch};
use crate::finding::{Finding, Side};

/// Options of existing calls and objects that are off now and were not named, or not decided, before.
pub fn findings(comparison: &Comparison, before: &FileSide, after: &FileSide) -> Vec<Finding> {
    let known: HashSet<(&str, &str)> = keys(before).collect();
    let tests = TestCode::of(after);
    let is_new = |switch: &&Switch| {
        (is_off(switch) || is_off_by_default(switch))
            && !is_told_elsewhere(after, switch)
            && !known.contains(&(switch.scope.as_str(), switch.name.as_str()))
            && !tests.contains(switch.line)
    };
    let fresh: Vec<&Switch> = after.facts.signals.switches.iter().filter(is_new).take(MAX_NEW).collect();
    if fresh.is_empty() {
        return Vec::new();
    }
    let (old, new) = (before.code(), after.code());
    let sides = Sides { before, after, gone: vanished(old, new), old, new };
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

/// Whether the switch is about checks or errors of a function: other rules tell of those.
pub(super) fn is_told_elsewhere(after: &FileSide, switch: &Switch) -> bool {
    let inside = || !function_at(after, switch.line).is_empty();
    let judged = matches!(switch.place, Place::Option | Place::Call);
    let care = turned_off(&switch.name, switch.on);
    let outside = care == Some(Care::Checks) && !after.facts.language.is_empty();
    judged && care.is_some() && (outside || inside())
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
        } else if self.guards(switch) || self.takes_in(switch) {
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
            Place::Call => chained() && is_setter(&switch.name),
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

    /// Whether a new parameter that is off by default stands in front of code that ran in any case.
    fn takes_in(&self, switch: &Switch) -> bool {
        if !is_off_by_default(switch) {
            return false;
        }
        let name = &switch.name;
        let asks =
            [format!("if{name}:"), format!("if({name})"), format!("if{name}{{"), format!("if({name}){{")];
        let count = |lines: &[CodeLine], code: &str| lines.iter().filter(|line| line.code == code).count();
        let guards = |at: usize| {
            let below = self.new[at + 1..].iter().find(|line| !line.code.is_empty());
            below.is_some_and(|line| {
                let does = line.code.contains('(')
                    && !line.code.starts_with("return")
                    && !line.code.starts_with("raise");
                let (was, is) = (count(self.old, &line.code), count(self.new, &line.code));
                does && was > 0 && is <= was && !line.code.starts_with("throw")
            })
        };
        let heads = self.new.iter().enumerate().filter(|(_, line)| asks.contains(&line.code));
        let known = |line: &CodeLine| self.old.iter().any(|old| old.code == line.code);
        heads.into_iter().any(|(at, line)| !known(line) && guards(at))
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

/// Whether a parameter is off for all who do not give it, whatever its name tells.
fn is_off_by_default(switch: &Switch) -> bool {
    switch.place == Place::Default && !switch.on && meaning(&switch.name) != Meaning::Disables
}

/// Whether a call of this name sets an option; `orElse(false)` does not.
fn is_setter(name: &str) -> bool {
    let setters = ["with", "set", "enable", "use", "allow", "include", "support", "supports"];
    words(name).first().is_some_and(|word| setters.contains(&word.as_str()))
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
