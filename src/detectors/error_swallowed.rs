//! # error-swallowed (LP-016)
//!
//! Code that existed before the change now fails in silence: a handler that threw or acted is empty or only logs,
//! existing code was put into a catch-all that goes on, or an error that was handed on or looked at is dropped, be it
//! that only the success of a call is still asked for.
//!
//! Severity: high. A warning where the new handler writes a log or gives back a default, and where it takes more types
//! of errors than it did.
//!
//! ## Why it matters
//!
//! A swallowed error makes the call look like a success. The test turns green, and what went wrong shows up later, far
//! from its cause.
//!
//! ## Example
//!
//! ```text
//! // before                        // after
//! session.save(&state).await?;     let _ = session.save(&state).await;
//! ```
//!
//! ## What is not reported
//!
//! - handlers that are new together with the code they protect
//! - handlers for some types of errors only, where the code says what to do then
//! - fallbacks for a missing import, best-effort clean-up, retries
//! - a handler that moved, or catches less than before
//!
//! ## What to do
//!
//! Hand the error on, or handle it: catch the type you expect and leave the others alone. If it really does not matter,
//! say why in a waiver.

use super::functions::{Changed, changed, plain, words};
use super::handlers::{handlers, protected};
use super::report::{Draft, excerpt};
use super::table;
use crate::comparison::Comparison;
use crate::facts::{Action, Breadth, Context, Exit, ExitKind, Fortune, Handler, HandlerKind, Span};
use crate::finding::{Finding, FindingType, RuleId, Severity, Side};

pub const ID: RuleId = table::id("error-swallowed", "LP-016", FindingType::ErrorSuppression);

/// The share of what a new handler protects that must have been there before.
const EXISTING: f64 = 0.7;
/// Fewer tokens are no code worth protecting.
const MIN_CODE: usize = 3;
/// A function of which less is left was written anew.
const REWRITTEN: f64 = 0.35;

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let judged = |change: &Changed<'_>| change.similarity() >= REWRITTEN || change.kept() >= 0.7;
    changed(comparison).filter(judged).flat_map(|change| in_function(&change)).collect()
}

fn in_function(change: &Changed<'_>) -> Vec<Finding> {
    let handlers = handlers(change);
    let silenced = handlers.kept.iter().filter_map(|(old, new)| silenced(change, old, new));
    let wrapped = handlers.fresh.iter().filter_map(|handler| wrapped(change, handler));
    silenced.chain(wrapped).chain(dropped(change)).chain(tolerated(change)).collect()
}

/// A handler that stays and says less.
fn silenced(change: &Changed<'_>, old: &Handler, new: &Handler) -> Option<Finding> {
    let acted = matches!(old.action, Action::Fails | Action::Handles);
    let silent = match new.action {
        Action::Swallows => acted || old.action == Action::LogsOnly,
        Action::LogsOnly => old.action == Action::Fails,
        _ => false,
    };
    let widened = old.breadth < new.breadth && old.action.hides() && new.action.hides();
    if new.breadth < old.breadth || (!silent && !widened) || moved_out(change, old) {
        return None;
    }
    let message = match (silent, new.action) {
        (false, _) => format!("{} now hides every error, no longer only some", change.title()),
        (_, Action::LogsOnly) => format!("{} now only logs an error that it used to hand on", change.title()),
        _ => format!("{} now ignores an error that it used to handle", change.title()),
    };
    let mut finding = draft(change, new.line, message, 0.88);
    finding.before = excerpt(change.old_side, old.span, old.line, "errors were dealt with here");
    finding.after = excerpt(change.side, new.span, new.line, "now they are lost");
    if !silent {
        finding.lower(Severity::Medium, "some errors were hidden here before");
    } else if old.action == Action::LogsOnly {
        let severity = if new.breadth == Breadth::Broad { Severity::Medium } else { Severity::Low };
        finding.lower(severity, "it only logged before");
    } else if let Some(reason) = excuse(change, new) {
        finding.lower(Severity::Low, reason);
    }
    Some(finding)
}

/// Whether what a handler did is now done after it.
fn moved_out(change: &Changed<'_>, old: &Handler) -> bool {
    let inside =
        change.old_side.lines(old.span).skip(1).filter(|line| !line.trim().starts_with(['#', '/', '*']));
    let did = words(&inside.collect::<Vec<_>>().join(" "));
    let now = words(&change.new_text());
    old.action == Action::Handles && !did.is_empty() && did.is_subset(&now)
}

/// Existing code that a new catch-all now protects.
fn wrapped(change: &Changed<'_>, handler: &Handler) -> Option<Finding> {
    if !handler.action.hides() || handler.breadth == Breadth::Narrow || handler.kind == HandlerKind::Check {
        return None;
    }
    let (share, length) = change.was_there(handler.protected.clone());
    let was_hidden = change.old.handlers.iter().any(|old| {
        let old_code = protected(change.old_side, change.old, old);
        let same = protected(change.side, change.new, handler).containment(&old_code) >= EXISTING;
        same && old.action.hides() && old.breadth == Breadth::Broad
    });
    if share < EXISTING || length < MIN_CODE || was_hidden {
        return None;
    }
    let what = if handler.action == Action::Defaults { "turned into a default" } else { "ignored" };
    let message = format!("every error of existing code in {} is now {what}", change.title());
    let mut finding = draft(change, handler.line, message, 0.85);
    finding.before = excerpt(change.old_side, change.old.span, change.old.line, "errors left this function");
    finding.after = excerpt(change.side, handler.span, handler.line, "now they are lost");
    match handler.action {
        Action::LogsOnly => finding.lower(Severity::Medium, "the handler writes a log"),
        Action::Defaults => finding.lower(Severity::Medium, "the handler gives back a default"),
        _ => {}
    }
    if let Some(reason) = excuse(change, handler) {
        finding.lower(Severity::Low, reason);
    }
    Some(finding)
}

/// Why errors may be ignored here.
fn excuse(change: &Changed<'_>, handler: &Handler) -> Option<String> {
    let bytes = change.side.text.get(handler.protected.clone()).unwrap_or_default();
    let protected = String::from_utf8_lossy(bytes);
    if protected.contains("import ") || protected.contains("require(") || protected.contains("import(") {
        return Some("it is a fallback for something that may not be installed".to_owned());
    }
    let said = words(&protected);
    let cleans = [
        "close",
        "unlink",
        "unlinksync",
        "remove",
        "cleanup",
        "kill",
        "terminate",
        "dispose",
        "rmtree",
        "rm",
        "shutdown",
        "destroy",
        "delete",
        "release",
        "disconnect",
        "rmsync",
        "flush",
        "abort",
        "cancel",
    ];
    let name = change.new.short_name().to_lowercase();
    let ends = [
        "close",
        "dispose",
        "disconnect",
        "destroy",
        "teardown",
        "tear_down",
        "cleanup",
        "clean_up",
        "shutdown",
        "unmount",
    ];
    let at_end = ends.iter().any(|word| name.contains(word)) || name == "__del__" || name == "drop";
    if at_end || (said.len() <= 6 && cleans.iter().any(|word| said.contains(*word))) {
        return Some("it is clean-up, where there is nobody to tell".to_owned());
    }
    let whole = words(&change.new_text());
    let retries = ["retry", "retries", "attempt", "attempts", "max_retries", "maxretries"];
    retries.iter().any(|word| whole.contains(*word)).then(|| "the function tries again".to_owned())
}

/// Errors that were handed on or looked at, and are now dropped.
fn dropped(change: &Changed<'_>) -> Vec<Finding> {
    let lost = |how: Fortune| matches!(how, Fortune::Discarded | Fortune::Defaulted);
    let count = |errors: &[crate::facts::ErrorUse], callee: &str, drops: bool| {
        errors.iter().filter(|error| error.callee == callee && lost(error.how) == drops).count()
    };
    let mut findings = Vec::new();
    for error in change.new.errors.iter().filter(|error| lost(error.how)) {
        let callee = error.callee.as_str();
        let kept = count(&change.new.errors, callee, false) >= count(&change.old.errors, callee, false);
        let dropped_before =
            count(&change.old.errors, callee, true) >= count(&change.new.errors, callee, true);
        let known =
            change.old.errors.iter().any(|old| lost(old.how) && plain(&old.text) == plain(&error.text));
        if kept || dropped_before || known {
            continue;
        }
        let Some(old) = change.old.errors.iter().find(|old| old.callee == callee && !lost(old.how)) else {
            continue;
        };
        let message = format!("{} now drops the error of `{callee}`", change.title());
        let mut finding = draft(change, error.line, message, 0.88);
        let line = |line: u32| Span { start: line, end: line };
        finding.before = excerpt(change.old_side, line(old.line), old.line, "its error counted");
        finding.after = excerpt(change.side, line(error.line), error.line, "now it does not");
        let hidden = |handler: &&Handler| handler.line == old.line && handler.action.hides();
        if change.old.handlers.iter().any(|handler| hidden(&handler)) {
            finding.lower(Severity::Medium, "callers were not told before either");
        } else if error.how == Fortune::Defaulted {
            finding.lower(Severity::Medium, "a default stands in for the value");
        }
        findings.push(finding);
    }
    findings
}

/// Errors that are handed on under a stricter condition than before.
fn tolerated(change: &Changed<'_>) -> Vec<Finding> {
    let fails = |exit: &&Exit| {
        exit.kind == ExitKind::Fails && exit.context == Context::Handler && !exit.condition.is_empty()
    };
    let mut findings = Vec::new();
    for old in change.old.exits.iter().filter(fails) {
        let same =
            |new: &&Exit| plain(&new.text) == plain(&old.text) && is_stricter(&old.condition, &new.condition);
        let known = change.new.exits.iter().any(|new| {
            plain(&new.condition) == plain(&old.condition) && plain(&new.text) == plain(&old.text)
        });
        let Some(new) = change.new.exits.iter().filter(fails).find(same).filter(|_| !known) else { continue };
        let message = format!("{} now lets errors pass that it used to hand on", change.title());
        let mut finding = draft(change, new.line, message, 0.85);
        finding.before = excerpt(change.old_side, old.span, old.line, "these errors were handed on");
        finding.after = excerpt(change.side, new.span, new.line, "now more has to hold for that");
        findings.push(finding);
    }
    findings
}

/// Whether a condition that joined its parts by "or" now joins them by "and".
fn is_stricter(old: &str, new: &str) -> bool {
    let either = |text: &str| text.contains("||") || text.contains(" or ");
    let both = |text: &str| text.contains("&&") || text.contains(" and ");
    let shared = !words(old).is_disjoint(&words(new));
    // Turning "not (a or b)" into "not a and not b" changes nothing.
    let grouped = |text: &str| text.contains("not (") || text.contains("!(");
    shared && !grouped(old) && !grouped(new) && either(old) && !both(old) && both(new) && !either(new)
}

fn draft(change: &Changed<'_>, line: u32, message: String, confidence: f64) -> Finding {
    let draft = Draft {
        rule: ID,
        severity: Severity::High,
        confidence,
        message,
        help: format!(
            "hand the error on or handle it ({}:{line}); catch only the type you expect",
            change.side.path
        ),
    };
    change.finding(draft, Side::After, line)
}
