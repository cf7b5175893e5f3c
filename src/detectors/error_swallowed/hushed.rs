//! Errors of a call that left the function before and are kept from its callers now: by a check that only logs or gives
//! a default, or by a new helper that does.
//!
//! Part of the rule about swallowed errors.

use super::best_effort::excuse;
use super::draft;
use super::wrapped::{EXISTING, MIN_CODE};
use crate::comparison::{Comparison, FileSide};
use crate::detectors::functions::{Changed, added};
use crate::detectors::report::excerpt;
use crate::detectors::subject::names_of_any_length;
use crate::facts::{Action, Breadth, Context, Exit, ExitKind, Fortune, Function, Handler, HandlerKind, Span};
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
    } else if fails_in_the_end(change, handler) {
        finding.lower(Severity::Low, "it is tried again, and fails in the end");
    }
}

/// Whether the very same call fails the function in another case of the question: after so many rounds, as a rule.
fn fails_in_the_end(change: &Changed<'_>, handler: &Handler) -> bool {
    let asks_again = |exit: &&Exit| exit.kind == ExitKind::Fails && exit.context != Context::Check;
    let count = |function: &Function| function.exits.iter().filter(asks_again).count();
    let text = change.new_text();
    let repeats = |text: &str| {
        ["loop {", "while ", "for "].iter().map(|word| text.matches(word).count()).sum::<usize>()
    };
    !handler.callee.is_empty()
        && repeats(&text) > repeats(&change.old_text())
        && count(change.new) > count(change.old)
}

/// A function of Rust whose callers learn that there is nothing, and no longer why: `Option` for `Result`.
pub fn as_option(change: &Changed<'_>) -> Option<Finding> {
    let head = |side: &FileSide, function: &Function| {
        let bytes = side.text.get(function.whole.start..function.body.start).unwrap_or_default();
        String::from_utf8_lossy(bytes).split_whitespace().collect::<String>()
    };
    let (was, is) = (head(change.old_side, change.old), head(change.side, change.new));
    let gives = |head: &str, kind: &str| head.split("->").last().is_some_and(|given| given.contains(kind));
    let turned = gives(&was, "Result<") && gives(&is, "Option<") && !gives(&is, "Result<");
    if change.side.facts.language != "rust" || !turned {
        return None;
    }
    let drops = |line: &str| line.contains(".ok()") || line.contains("Err(_)");
    let lines = (change.new.span.start..).zip(change.side.lines(change.new.span));
    let (line, _) = lines.into_iter().find(|(_, line)| drops(line))?;
    let handed = change.old.errors.iter().find(|error| error.how == Fortune::Propagated)?;
    let message = format!("{} no longer tells its callers why there is nothing", change.title());
    let mut finding = draft(change, line, message, 0.8);
    let at = |line: u32| Span { start: line, end: line };
    finding.before = excerpt(change.old_side, at(handed.line), handed.line, "its error left this function");
    finding.after = excerpt(change.side, at(line), line, "now it is dropped");
    finding.lower(Severity::Medium, "callers still learn that there is nothing");
    Some(finding)
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
        let old_code = crate::detectors::handlers::protected(change.old_side, change.old, old);
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
