//! Errors that are handed on under a stricter condition than before.
//!
//! Part of the rule about swallowed errors. A condition that names the error tells kinds of errors apart, which is what
//! good handlers do; one about anything else lets the very same error pass.

use super::conditions::holds_for_less;
use super::error_swallowed::draft;
use super::functions::{Changed, plain, words};
use super::report::excerpt;
use super::subject::names_of_any_length;
use crate::facts::{Action, Context, Exit, ExitKind, Handler, HandlerKind, Span};
use crate::finding::{Finding, Severity};

pub fn tolerated(change: &Changed<'_>, kept: &[(&Handler, &Handler)]) -> Vec<Finding> {
    let mut findings = inside(change);
    findings.extend(kept.iter().filter_map(|(old, new)| at_the_door(change, old, new)));
    findings
}

/// `if err != nil` that asks for more now.
fn at_the_door(change: &Changed<'_>, old: &Handler, new: &Handler) -> Option<Finding> {
    let check = old.kind == HandlerKind::Check && new.kind == HandlerKind::Check;
    if !check || old.action != Action::Fails || new.action != Action::Fails {
        return None;
    }
    let less = holds_for_less(asked(&old.text), asked(&new.text))?;
    let error = names_of_any_length(asked(&old.text)).next()?;
    let others = change.new.handlers.iter().filter(|other| other.callee == new.callee).count();
    let were = change.old.handlers.iter().filter(|other| other.callee == old.callee).count();
    if others > were || !passes_on_a_switch(&less.added, &[error]) || !less.lost.is_empty() {
        return None;
    }
    Some(finding(change, (old.span, old.line), (new.span, new.line)))
}

/// The condition of a head: `err != nil` of `if err := f(); err != nil {`.
fn asked(head: &str) -> &str {
    let head = head.strip_prefix("if ").unwrap_or(head);
    let head = head.split(" {").next().unwrap_or(head);
    head.rsplit(';').next().unwrap_or(head).trim()
}

/// Whether what has to hold as well is about something other than the error.
fn passes_on_a_switch(added: &[String], error: &[&str]) -> bool {
    let names_error = |part: &String| names_of_any_length(part).any(|name| error.contains(&name));
    !added.is_empty() && !added.iter().any(names_error)
}

/// Failures under a condition of their own inside a handler.
fn inside(change: &Changed<'_>) -> Vec<Finding> {
    let fails = |exit: &&Exit| {
        exit.kind == ExitKind::Fails && exit.context == Context::Handler && !exit.condition.is_empty()
    };
    let mut findings = Vec::new();
    for old in change.old.exits.iter().filter(fails) {
        let thrown: Vec<&str> = names_of_any_length(&old.text).collect();
        let same = |new: &&Exit| {
            plain(&new.text) == plain(&old.text) && is_stricter(&old.condition, &new.condition, &thrown)
        };
        let known = change.new.exits.iter().any(|new| {
            plain(&new.condition) == plain(&old.condition) && plain(&new.text) == plain(&old.text)
        });
        let Some(new) = change.new.exits.iter().filter(fails).find(same).filter(|_| !known) else { continue };
        let mut finding = finding(change, (old.span, old.line), (new.span, new.line));
        if !joins_by_and(&old.condition, &new.condition) {
            finding.lower(Severity::Medium, "some errors passed before");
        }
        findings.push(finding);
    }
    findings
}

fn finding(change: &Changed<'_>, old: (Span, u32), new: (Span, u32)) -> Finding {
    let message = format!("{} now lets errors pass that it used to hand on", change.title());
    let mut finding = draft(change, new.1, message, 0.85);
    finding.before = excerpt(change.old_side, old.0, old.1, "these errors were handed on");
    finding.after = excerpt(change.side, new.0, new.1, "now more has to hold for that");
    finding
}

fn is_stricter(old: &str, new: &str, thrown: &[&str]) -> bool {
    let narrowed = holds_for_less(old, new)
        .is_some_and(|less| less.lost.is_empty() && passes_on_a_switch(&less.added, thrown));
    narrowed || joins_by_and(old, new)
}

/// Whether a condition that joined its parts by "or" now joins them by "and".
fn joins_by_and(old: &str, new: &str) -> bool {
    let either = |text: &str| text.contains("||") || text.contains(" or ");
    let both = |text: &str| text.contains("&&") || text.contains(" and ");
    let shared = !words(old).is_disjoint(&words(new));
    // Turning "not (a or b)" into "not a and not b" changes nothing.
    let grouped = |text: &str| text.contains("not (") || text.contains("!(");
    shared && !grouped(old) && !grouped(new) && either(old) && !both(old) && both(new) && !either(new)
}
