//! Existing code that was put into a handler which hands errors on in some cases only, and does nothing in the others.
//!
//! Part of the rule about swallowed errors. To tell kinds of errors apart is what good handlers do, so a condition that
//! names the error counts only where what it lets go is all that is done: the other kinds then pass without a word.

use super::draft;
use super::wrapped::{hidden_or_expected, is_known};
use crate::detectors::conditions::bare;
use crate::detectors::error_kinds::is_error_name;
use crate::detectors::functions::Changed;
use crate::detectors::report::excerpt;
use crate::detectors::subject::names_of_any_length;
use crate::facts::{Action, Breadth, Exit, ExitKind, Handler, HandlerKind, Span};
use crate::finding::{Finding, Severity};

pub fn half_handled(change: &Changed<'_>, fresh: &[&Handler]) -> Vec<Finding> {
    fresh.iter().filter_map(|handler| of_handler(change, handler)).collect()
}

fn of_handler(change: &Changed<'_>, handler: &Handler) -> Option<Finding> {
    let falls_through = match (handler.kind, handler.action) {
        (HandlerKind::Clause | HandlerKind::Callback | HandlerKind::Check, Action::Fails) => {
            throws_under(change, handler)
        }
        (HandlerKind::Clause, Action::Defaults) if handler.breadth == Breadth::Broad => {
            takes_one_kind(change, handler)
        }
        _ => None,
    }?;
    let decided_before = handler.action == Action::Fails && asked_before(change, &falls_through.condition);
    if decided_before || !was_there(change, handler) || hidden_or_expected(change, handler) {
        return None;
    }
    let message = match handler.action {
        Action::Fails => format!(
            "an error of existing code in {} now leaves it only where `{}`",
            change.title(),
            crate::text::printable(bare(&falls_through.condition))
        ),
        _ => format!("{} now takes one kind of error, and drops all others", change.title()),
    };
    let mut finding = draft(change, falls_through.line, message, 0.8);
    finding.before = change.head_before("every error left this function");
    finding.after = excerpt(change.side, handler.span, falls_through.line, "now some are lost");
    finding.lower(Severity::Medium, "some errors still count");
    Some(finding)
}

/// Whether something of what decides about a failure decided about one before.
fn asked_before(change: &Changed<'_>, condition: &str) -> bool {
    let asked: Vec<&str> = names_of_any_length(condition).filter(|name| name.len() > 4).collect();
    let fails = change.old.exits.iter().filter(|exit| exit.kind.refuses());
    fails.into_iter().any(|exit| names_of_any_length(&exit.condition).any(|name| asked.contains(&name)))
}

/// Whether what may fail did so before, when its error left the function.
fn was_there(change: &Changed<'_>, handler: &Handler) -> bool {
    if handler.kind != HandlerKind::Check {
        return is_known(change, handler.protected.clone());
    }
    let handed_on = |errors: &[crate::facts::ErrorUse]| {
        let handed = |error: &&crate::facts::ErrorUse| error.how == crate::facts::Fortune::Propagated;
        errors.iter().filter(handed).filter(|error| error.callee == handler.callee).count()
    };
    !handler.callee.is_empty() && handed_on(&change.new.errors) < handed_on(&change.old.errors)
}

/// The failure of a handler that comes under a condition which is not about the error, where nothing else is done.
fn throws_under<'c>(change: &Changed<'c>, handler: &Handler) -> Option<&'c Exit> {
    let exits = inside(change, handler);
    let mut fails = exits.iter().filter(|exit| exit.kind.refuses());
    let (first, more) = (fails.next()?, fails.next());
    let own = bound_names(handler);
    let about_error = |condition: &str| {
        names_of_any_length(condition).any(|name| is_error_name(name) || own.iter().any(|own| own == name))
    };
    let conditional = !first.condition.is_empty() && first.span != handler.span;
    let alone = more.is_none() && exits.len() == 1 && does_nothing_else(change, handler, first);
    (conditional
        && alone
        && !about_error(&first.condition)
        && first.deciders.iter().all(|decider| decider.holds))
    .then_some(*first)
}

/// The quiet way out for one kind of error, after which a handler does nothing about the others.
fn takes_one_kind<'c>(change: &Changed<'c>, handler: &Handler) -> Option<&'c Exit> {
    let exits = inside(change, handler);
    let [only] = exits[..] else { return None };
    let own = bound_names(handler);
    let names_it = names_of_any_length(&only.condition)
        .any(|name| is_error_name(name) || own.iter().any(|own| own == name));
    (only.kind == ExitKind::Default && names_it && does_nothing_else(change, handler, only)).then_some(only)
}

fn inside<'c>(change: &Changed<'c>, handler: &Handler) -> Vec<&'c Exit> {
    let within = |exit: &&Exit| handler.span.contains(Span { start: exit.line, end: exit.line });
    change.new.exits.iter().filter(within).collect()
}

/// The names in the head of a handler that stand for no type: what it calls the error.
fn bound_names(handler: &Handler) -> Vec<String> {
    let types: Vec<&str> = handler.caught.iter().flat_map(|caught| names_of_any_length(caught)).collect();
    let words = ["except", "catch", "as", "if", "let", "Err", "any", "final", "unknown"];
    let head = handler.text.split(" {").next().unwrap_or_default();
    let head = head.split(": ").next().unwrap_or_default().split(" = ").next().unwrap_or_default();
    let names = names_of_any_length(head).filter(|name| !types.contains(name) && !words.contains(name));
    names.map(str::to_owned).collect()
}

/// Whether all else in a handler is comments, logs and brackets.
fn does_nothing_else(change: &Changed<'_>, handler: &Handler, exit: &Exit) -> bool {
    let numbered = (handler.span.start..).zip(change.side.lines(handler.span)).skip(1);
    let idle = |number: u32, line: &str| {
        let at = Span { start: number, end: number };
        let line = line.trim().trim_start_matches('}').trim();
        line.is_empty()
            || exit.span.contains(at)
            || change.new.logs.iter().any(|log| log.contains(at))
            || line.starts_with(['#', '/', '*'])
            || line.starts_with("else")
            || !line.contains(char::is_alphanumeric)
    };
    numbered.into_iter().all(|(number, line)| idle(number, &line))
}
