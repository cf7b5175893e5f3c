//! # error-swallowed (LP-016)
//!
//! Code that existed before the change now fails in silence: a handler that threw or acted is empty or only logs,
//! existing code was put into a catch-all that goes on, or an error that was handed on or looked at is dropped, be it
//! that only the success of a call is still asked for, or that a check or a new helper keeps the error to itself.
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
//! - handlers for some types of errors only, where the code says what to do then, or where they say that something is
//!   not there
//! - fallbacks for a missing import, best-effort clean-up, retries
//! - a handler that moved, or catches less than before
//!
//! ## What to do
//!
//! Hand the error on, or handle it: catch the type you expect and leave the others alone. If it really does not matter,
//! say why in a waiver.

use super::functions::{Changed, changed, plain, words};
use super::handlers::{handlers, protected};
use super::hushed;
use super::report::{Draft, excerpt};
use super::table;
use super::tolerated::tolerated;
use super::unverified::{Care, Unverified, unverified};
use crate::comparison::Comparison;
use crate::facts::{Action, Breadth, Fortune, Handler, HandlerKind, Span};
use crate::finding::{Finding, FindingType, RuleId, Severity, Side};

pub const ID: RuleId = table::id("error-swallowed", "LP-016", FindingType::ErrorSuppression);

/// The share of what a new handler protects that must have been there before.
pub(super) const EXISTING: f64 = 0.7;
/// Fewer tokens are no code worth protecting.
pub(super) const MIN_CODE: usize = 3;
/// A function of which less is left was written anew.
const REWRITTEN: f64 = 0.35;

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let judged = |change: &Changed<'_>| change.similarity() >= REWRITTEN || change.kept() >= 0.7;
    changed(comparison).filter(judged).flat_map(|change| in_function(comparison, &change)).collect()
}

fn in_function(comparison: &Comparison, change: &Changed<'_>) -> Vec<Finding> {
    let handlers = handlers(change);
    let silenced = handlers.kept.iter().filter_map(|(old, new)| silenced(change, old, new));
    let wrapped = handlers.fresh.iter().filter_map(|handler| wrapped(change, handler));
    let mut findings: Vec<Finding> =
        silenced.chain(wrapped).chain(dropped(change)).chain(tolerated(change, &handlers.kept)).collect();
    findings.extend(unverified(change, Care::Errors).into_iter().map(|option| of_option(change, &option)));
    findings.extend(hushed::checked(change, &handlers.fresh));
    findings.extend(hushed::in_helpers(comparison, change));
    findings
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

/// A library that is told to keep errors to itself.
fn of_option(change: &Changed<'_>, option: &Unverified) -> Finding {
    let message = format!(
        "{} tells a library to keep errors back: `{}` is `{}`",
        change.title(),
        option.name,
        option.value
    );
    let mut finding = draft(change, option.line, message, 0.8);
    let line = Span { start: option.line, end: option.line };
    finding.after = excerpt(change.side, line, option.line, "now they are lost");
    finding.lower(Severity::Medium, "what the option does is known from its name alone");
    finding
}

/// Existing code that a new handler now protects: one that takes all, or one that is silent about some.
fn wrapped(change: &Changed<'_>, handler: &Handler) -> Option<Finding> {
    if !handler.action.hides() || handler.kind == HandlerKind::Check {
        return None;
    }
    if handler.breadth == Breadth::Narrow && !hides_some(change, handler) {
        return None;
    }
    let (share, length) = change.was_there(handler.protected.clone());
    let was_hidden = change.old.handlers.iter().any(|old| {
        let old_code = protected(change.old_side, change.old, old);
        let same = protected(change.side, change.new, handler).containment(&old_code) >= EXISTING;
        same && old.action.hides() && (old.breadth == Breadth::Broad || old.caught == handler.caught)
    });
    if share < EXISTING || length < MIN_CODE || was_hidden {
        return None;
    }
    let what = if handler.action == Action::Defaults { "turned into a default" } else { "ignored" };
    let which = if handler.breadth == Breadth::Broad {
        "every error".to_owned()
    } else {
        format!("`{}`", handler.caught.join("`, `"))
    };
    let message = format!("{which} of existing code in {} is now {what}", change.title());
    let mut finding = draft(change, handler.line, message, 0.85);
    finding.before = excerpt(change.old_side, change.old.span, change.old.line, "errors left this function");
    finding.after = excerpt(change.side, handler.span, handler.line, "now they are lost");
    match handler.action {
        Action::LogsOnly => finding.lower(Severity::Medium, "the handler writes a log"),
        Action::Defaults => finding.lower(Severity::Medium, "the handler gives back a default"),
        _ if handler.breadth == Breadth::Narrow => {
            finding.lower(Severity::Medium, "other errors still leave")
        }
        _ => {}
    }
    if let Some(reason) = excuse(change, handler) {
        finding.lower(Severity::Low, reason);
    }
    Some(finding)
}

/// Errors that say that something is not there, or is over: to go on is often the answer.
const EXPECTED: &str = "importerror modulenotfounderror keyerror indexerror attributeerror stopiteration filenotfounderror \
    processlookuperror brokenpipeerror connectionreseterror cancellederror keyboardinterrupt interruptedexception \
    doesnotexist objectdoesnotexist nosuchfileexception filenotfoundexception fileexistserror stopasynciteration \
    cancellationexception eoferror timeouterror notimplementederror typeerror";

/// Whether a handler of some types keeps back what left the function before: in silence, or against what it declared.
fn hides_some(change: &Changed<'_>, handler: &Handler) -> bool {
    let last = |name: &String| name.rsplit('.').next().unwrap_or(name).to_owned();
    let declares = |side: &crate::comparison::FileSide, function: &crate::facts::Function, name: &str| {
        let head = side.text.get(function.whole.start..function.body.start).unwrap_or_default();
        let head = String::from_utf8_lossy(head);
        head.split_once("throws").is_some_and(|(_, types)| words(types).contains(&name.to_lowercase()))
    };
    let undeclared = handler.caught.iter().map(last).any(|name| {
        declares(change.old_side, change.old, &name) && !declares(change.side, change.new, &name)
    });
    let expected = |name: String| EXPECTED.split_whitespace().any(|known| known == name.to_lowercase());
    undeclared || (handler.action == Action::Swallows && !handler.caught.iter().map(last).any(expected))
}

/// Why errors may be ignored here.
pub(super) fn excuse(change: &Changed<'_>, handler: &Handler) -> Option<String> {
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

pub(super) fn draft(change: &Changed<'_>, line: u32, message: String, confidence: f64) -> Finding {
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
