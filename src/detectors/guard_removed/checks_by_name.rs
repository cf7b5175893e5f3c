//! Checks that are calls by the name of a check: what such a call is worth, and so what its loss is.
//!
//! Part of the rule about guards.

use super::remains::{given_and_used, survives};
use crate::collections::HashSet;
use crate::detectors::exits::Lost;
use crate::detectors::functions::{Changed, plain};
use crate::detectors::subject::names_of_any_length;
use crate::facts::{Context, Exit, Span};
use crate::finding::{Finding, Severity};

/// The share of the new function that must have been there before.
const KEPT: f64 = 0.9;

/// Whether a check states what the code takes for granted.
pub fn is_assertion(exit: &Exit) -> bool {
    let lower = exit.text.to_lowercase();
    exit.context == Context::Check && (lower.starts_with("assert") || lower.starts_with("debug_assert"))
}

/// Whether a check by name is put around a call: `requireNonNull(find(x))`.
pub fn wraps_a_result(exit: &Exit) -> bool {
    let inside = exit.condition.trim_start_matches('(');
    inside.split_once('(').is_some_and(|(name, _)| !name.is_empty() && !name.contains(' '))
}

/// Assertions often state what the author knows; other checks by name are less sure than a visible refusal.
/// Where the change takes the function that checked as well, it shows that it refused.
pub fn weigh_check(finding: &mut Finding, change: &Changed<'_>, exit: &Exit, is_shown: bool) {
    let line = change.old_side.lines(Span { start: exit.line, end: exit.line }).next().unwrap_or_default();
    let call: String = exit.text.chars().take_while(|c| *c != '(').collect();
    let passes_on = line
        .split_once(&call)
        .is_some_and(|(head, _)| !head.trim().is_empty() && !head.trim().ends_with('='));
    let lower = exit.text.to_lowercase();
    let internal =
        lower.starts_with("assert") || lower.starts_with("debug_assert") || lower.contains(".assert");
    let known = [
        "requirenonnull",
        "preconditions.",
        "validate.",
        "assert.",
        "checkargument",
        "checknotnull",
        "checkstate",
        "ensure!",
        "validate",
        "authoriz",
        "authentic",
    ];
    let only_change = loss_is_all(change, exit) || is_only_taken_out(change);
    if internal && is_of_input(change, exit) {
        finding.lower(Severity::Medium, "it was an assertion about what callers give in");
    } else if internal && only_change && !narrows_type(&lower) {
        finding.lower(Severity::Medium, "it was an assertion of the code about itself");
    } else if internal {
        finding.lower(Severity::Low, "it was an assertion of the code about itself");
    } else if passes_on && is_known_for_nothing(&lower) && !given_and_used(change, exit).is_empty() {
        finding.lower(Severity::Medium, "it passed on what callers give in");
    } else if passes_on {
        finding.lower(Severity::Low, "it only passed a value on");
    } else if line.trim_start().starts_with("if ") && is_joined(change, exit) {
        finding.lower(Severity::Low, "what the call refuses is handed on together with others");
    } else if line.trim_start().starts_with("if ") {
        finding.lower(Severity::Medium, "it handed on what the call refused");
    } else if is_shown {
        finding.lower(Severity::Medium, "the function that checked goes with its call");
    } else if !known.iter().any(|name| lower.contains(name)) {
        let severity = if only_change { Severity::Medium } else { Severity::Low };
        finding.lower(severity, "that the call checks is known from its name alone");
    } else if lower.contains("validate") || lower.contains("authoriz") || lower.contains("authentic") {
        finding.lower(Severity::Medium, "that the call checks is known from its name alone");
    } else if !lower.starts_with("ensure!") {
        finding.confidence = finding.confidence.min(0.78);
        finding.evidence.push("libraries use it for input and for their own state alike".to_owned());
    }
}

/// Parts of the names of what makes one error of several.
const JOINING: &[&str] = &["join", "combine", "append", "aggregate", "merge"];

/// Whether the very call is now given to what makes one error of several, which is returned: `errors.Join(a(x), b(x))`.
fn is_joined(change: &Changed<'_>, exit: &Exit) -> bool {
    let text = change.new_text();
    let joins = |(at, _): (usize, &str)| {
        let Some((_, head)) = text[..at].rsplit_once("return ") else { return false };
        let Some((callee, given)) = head.split_once('(') else { return false };
        let is_open = 1 + given.matches('(').count() > given.matches(')').count();
        let lower = callee.to_lowercase();
        is_open && !given.contains(['{', '}', ';']) && JOINING.iter().any(|word| lower.contains(word))
    };
    exit.text.ends_with(')') && text.match_indices(exit.text.as_str()).any(joins)
}

/// Whether a call of a library refuses nothing, and hands on all else.
fn is_known_for_nothing(call: &str) -> bool {
    ["requirenonnull", "checknotnull"].iter().any(|name| call.contains(name))
}

/// Whether an assertion asks what sort of thing a caller of a public function gave in, and the function still takes it.
fn is_of_input(change: &Changed<'_>, exit: &Exit) -> bool {
    let states = ["assert ", "assert!", "assert("].iter().any(|word| exit.text.starts_with(word));
    let name = change.new.short_name();
    let public = !name.starts_with('_') || name == "__init__";
    let asked = exit.condition.to_lowercase();
    let asked = plain(&asked);
    let tells_the_reader = [
        "isnone",
        "isnotnone",
        "=none",
        "=null",
        "=nil",
        "=undefined",
        "'undefined'",
        "is_some()",
        "is_none()",
    ]
    .iter()
    .any(|word| asked.contains(word));
    states && public && !tells_the_reader && change.kept() >= KEPT && asks_for_input(change, exit)
}

/// Whether an assertion is about a parameter that the function still uses, whatever that is called: `default` too.
fn asks_for_input(change: &Changed<'_>, exit: &Exit) -> bool {
    let asked = exit.condition.split(['"', '\'']).next().unwrap_or_default();
    let given: HashSet<&str> = names_of_any_length(&change.new.parameters).collect();
    let body = change.side.text.get(change.new.body.clone()).unwrap_or_default();
    let body = String::from_utf8_lossy(body);
    let used: HashSet<&str> = names_of_any_length(&body).collect();
    let is_own = |name: &&str| !matches!(*name, "self" | "this" | "cls");
    let about = |name: &str| given.contains(name) && used.contains(name);
    !given_and_used(change, exit).is_empty()
        || names_of_any_length(asked).filter(is_own).find(|name| *name != "assert").is_some_and(about)
}

/// Whether the function is as it was, to the last token, but for the check.
fn loss_is_all(change: &Changed<'_>, exit: &Exit) -> bool {
    let lost = [Lost { exit, turned: None }];
    change.pair.old.len() > change.pair.new.len() && survives(change, &lost) >= 0.99 && change.kept() >= 0.99
}

/// Whether lines of the function went, and none came.
pub fn is_only_taken_out(change: &Changed<'_>) -> bool {
    let lines = |text: String| -> Vec<String> {
        text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
    };
    let (old, new) = (lines(change.old_text()), lines(change.new_text()));
    let mut left = old.iter();
    new.len() < old.len()
        && old.len() - new.len() <= FEW_LINES
        && new.iter().all(|line| left.any(|one| one == line))
}

/// A check takes so many lines at most.
const FEW_LINES: usize = 4;

/// Whether an assertion tells a type checker what it does not know, rather than the reader.
fn narrows_type(text: &str) -> bool {
    ["none", "null", "nil", "isinstance", "instanceof", "some()", "undefined", "callable("]
        .iter()
        .any(|word| text.contains(word))
}
