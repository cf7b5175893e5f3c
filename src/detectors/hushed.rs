//! Errors of a call that left the function before and are kept from its callers now: by a check that only logs or gives
//! a default, or by a new helper that does.
//!
//! Part of the rule about swallowed errors.

use super::best_effort::excuse;
use super::error_swallowed::draft;
use super::functions::{Changed, added};
use super::report::excerpt;
use super::subject::names_of_any_length;
use super::wrapped::{EXISTING, MIN_CODE};
use crate::comparison::{Comparison, FileSide};
use crate::facts::{Action, Breadth, Fortune, Function, Handler, HandlerKind, Span};
use crate::finding::{Finding, Severity};
use crate::similarity::Body;

/// `call()?` that became a check of the result which tells no caller.
pub fn checked<'c>(change: &Changed<'c>, fresh: &[&'c Handler]) -> Vec<Finding> {
    let hides = |handler: &&&Handler| {
        handler.kind == HandlerKind::Check && handler.action.hides() && handler.breadth == Breadth::Broad
    };
    let mut findings = Vec::new();
    for handler in fresh.iter().filter(hides) {
        if let Some(callee) = handed_on_no_more(change, handler) {
            let message = format!("{} {} the error of `{callee}`", change.title(), now(handler.action));
            let mut finding = draft(change, handler.line, message, 0.88);
            finding.before =
                excerpt(change.old_side, change.old.span, handed_at(change, callee), "its error counted");
            finding.after = excerpt(change.side, handler.span, handler.line, "now nobody is told");
            weigh(&mut finding, change, handler);
            findings.push(finding);
        }
    }
    findings
}

/// The call whose error a handler keeps back now, and which was handed on more often before.
fn handed_on_no_more<'h>(change: &'h Changed<'_>, handler: &'h Handler) -> Option<&'h str> {
    let callee = handler.callee.as_str();
    if !callee.is_empty() && handed(change.new, callee) < handed(change.old, callee) {
        return Some(callee);
    }
    // One by one in a closure now, all at once before.
    let each = |callee: &str| callee == "collect" || callee.starts_with("try_");
    let propagated =
        |error: &&crate::facts::ErrorUse| error.how == Fortune::Propagated && each(&error.callee);
    let gone = change.old.errors.iter().filter(propagated);
    gone.map(|error| error.callee.as_str()).find(|gone| handed(change.new, gone) < handed(change.old, gone))
}

fn handed(function: &Function, callee: &str) -> usize {
    function.errors.iter().filter(|error| error.how == Fortune::Propagated && error.callee == callee).count()
}

fn handed_at(change: &Changed<'_>, callee: &str) -> u32 {
    let handed = |error: &&crate::facts::ErrorUse| error.how == Fortune::Propagated && error.callee == callee;
    change.old.errors.iter().find(handed).map_or(change.old.line, |error| error.line)
}

fn now(action: Action) -> &'static str {
    match action {
        Action::LogsOnly => "now only logs",
        Action::Defaults => "now puts a default in place of",
        _ => "now ignores",
    }
}

fn weigh(finding: &mut Finding, change: &Changed<'_>, handler: &Handler) {
    match handler.action {
        Action::LogsOnly => finding.lower(Severity::Medium, "the handler writes a log"),
        Action::Defaults => finding.lower(Severity::Medium, "the handler gives back a default"),
        _ => {}
    }
    if let Some(reason) = excuse(change, handler) {
        finding.lower(Severity::Low, reason);
    }
}

/// Code whose errors left the function, and that a new helper of the same file now does while it keeps them back.
pub fn in_helpers(comparison: &Comparison, change: &Changed<'_>) -> Vec<Finding> {
    let helpers: Vec<(&FileSide, &Function)> = added(comparison)
        .filter(|(side, helper)| side.path == change.side.path && !helper.handlers.is_empty())
        .take(MAX_HELPERS)
        .collect();
    if helpers.is_empty() {
        return Vec::new();
    }
    let (before, after) = (change.old_text(), change.new_text());
    let calls = |text: &str, name: &str| names_of_any_length(text).any(|word| word == name);
    let mut findings = Vec::new();
    for (side, helper) in helpers {
        let name = helper.short_name();
        if !calls(&after, name) || calls(&before, name) {
            continue;
        }
        let keeps = |handler: &&Handler| handler.action.hides() && keeps_back(change, side, helper, handler);
        if let Some(handler) = helper.handlers.iter().find(keeps) {
            findings.push(of_helper(change, side, handler, name));
        }
    }
    findings
}

/// More helpers at once are a feature.
const MAX_HELPERS: usize = 24;

/// Whether a handler of a helper keeps back errors that left the function before.
fn keeps_back(change: &Changed<'_>, side: &FileSide, helper: &Function, handler: &Handler) -> bool {
    if handler.kind == HandlerKind::Check {
        return handler.breadth == Breadth::Broad
            && !handler.callee.is_empty()
            && handed(change.new, &handler.callee) < handed(change.old, &handler.callee);
    }
    let code = Body::of(&side.text, handler.protected.clone(), &helper.comments);
    let hidden = change.old.handlers.iter().any(|old| {
        let old_code = super::handlers::protected(change.old_side, change.old, old);
        code.containment(&old_code) >= EXISTING
    });
    let left = !change.pair.old.is_empty() && code.containment(&change.pair.old) >= EXISTING;
    handler.breadth == Breadth::Broad && code.len() >= MIN_CODE && left && !hidden
}

fn of_helper(change: &Changed<'_>, side: &FileSide, handler: &Handler, name: &str) -> Finding {
    let message =
        format!("{} now calls `{name}`, which keeps back errors that used to leave it", change.title());
    let mut finding = draft(change, handler.line, message, 0.8);
    finding.before = excerpt(
        change.old_side,
        change.old.span,
        handed_at(change, &handler.callee),
        "errors left this function",
    );
    let span = Span { start: handler.span.start, end: handler.span.end };
    finding.after = excerpt(side, span, handler.line, "now they are lost");
    weigh(&mut finding, change, handler);
    finding
}
