//! # error-swallowed (LP-016)
//!
//! Code that existed before the change now fails in silence: a handler that threw or acted is empty or only logs,
//! existing code was put into a catch-all that goes on, or an error that was handed on or looked at is dropped, be it
//! that only the success of a call is still asked for, or that a check or a new helper keeps the error to itself. Also
//! where a function fails at fewer places or in fewer cases, and goes on there instead, however either is spelled: a new
//! handler that throws under a condition only, or takes one kind of error and lets the others fall through. A listener
//! for errors that does nothing (`socket.on('error', () => {})`, `recover()`), a call or a class that only tries
//! (`safeParse`, `errors="ignore"`), a command or a close whose result counts no more (`check_call` that became `call`,
//! `exit(1)` that became `exit(0)`, `check=True` that is gone), a loop that waits and goes on, a `Result` that became an
//! `Option`, a promise that nobody waits for, a callback that gets nothing for an error, a function for errors or
//! warnings that newly leaves for one of them, and settings that hide warnings and logs from a whole process count as
//! well. In tests, as a warning: a step, or what prepares one, that was put into a handler which does nothing, and a
//! callback that has no name for its error any more.
//!
//! Severity: high. A warning where the new handler writes a log or gives back a default, where it takes more types
//! of errors than it did, where it only looks after clean-up and says nothing of why, and where other code stands in the
//! place of the failure.
//!
//! Where nothing of the kind is seen, and the message of the commit says that errors are suppressed or ignored, what
//! changes in the code is a warning.
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
//! - fallbacks for a missing import, clean-up of files and clean-up that a comment explains, retries
//! - listeners that tell somebody, or that come together with what they listen to
//! - calls that only try, where somebody asks how it went
//! - a handler that moved, or catches less than before
//! - a poisoned lock that is taken all the same, and a call of a function that no longer has an error to give
//!
//! ## What to do
//!
//! Hand the error on, or handle it: catch the type you expect and leave the others alone. If it really does not matter,
//! say why in a waiver.

mod best_effort;
mod half_handled;
mod hushed;
mod ignored_kinds;
mod kept_to_itself;
mod let_through;
mod outcomes;
mod tried;
mod unheard;
mod widened_handlers;
mod wrapped;

use super::bounds;
use super::edits;
use super::functions::{Changed, changed, plain, words};
use super::handlers::handlers;
use crate::collections::HashSet;
use best_effort::excuse;

use kept_to_itself::kept_to_itself;
use let_through::let_through;

use super::error_to_default;
use super::passed_over;
use super::process_wide::Hides;
use super::reached::{Narrowed, narrowed};
use super::report::{Draft, excerpt};
use super::tolerated::{of_branch, tolerated};
use super::unverified::{Care, Unverified, unverified};
use widened_handlers::{falls_back, widened};
use wrapped::wrapped;

use super::loosened;
use super::process_wide;
use super::table;

use crate::comparison::Comparison;
use crate::facts::{Action, Breadth, Exit, Fortune, Handler, Span};
use crate::finding::{Finding, FindingType, RuleId, Severity, Side};
use crate::pairing::touched_names;
use crate::similarity::hash;

pub const ID: RuleId = table::id("error-swallowed", "LP-016", FindingType::ErrorSuppression);

/// A function of which less is left was written anew, ...
const REWRITTEN: f64 = 0.35;
/// ... unless this much of what it was stands in what it is: a short one that was put into a handler is mostly new.
const CONTAINED: f64 = 0.5;

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let contained = |change: &Changed<'_>| change.pair.old.containment(&change.pair.new);
    let judged = |change: &Changed<'_>| {
        change.similarity() >= REWRITTEN || change.kept() >= 0.7 || contained(change) >= CONTAINED
    };
    let of = |change: Changed<'_>| match judged(&change) {
        true => in_function(comparison, &change),
        // A call that was put into a handler is still the same call.
        false if change.new.handlers.is_empty() => Vec::new(),
        false => {
            let handlers = handlers(&change);
            let wider = handlers.kept.iter().filter_map(|(old, new)| falls_back(&change, old, new));
            wider.chain(half_handled::half_handled(&change, &handlers.fresh)).collect()
        }
    };
    let mut findings: Vec<Finding> = changed(comparison).flat_map(of).collect();
    findings.extend(process_wide::findings(comparison, &ID, Hides::Errors));
    findings.extend(edits::detect(comparison, edits::Part::Swallowed));
    let told: HashSet<(String, u32)> =
        findings.iter().map(|finding| (finding.path.clone(), finding.line)).collect();
    let looser = loosened::detect(comparison, loosened::Part::Errors).into_iter();
    let looser = looser.filter(|finding| !told.contains(&(finding.path.clone(), finding.line)));
    findings.extend(looser.filter(|finding| !is_told_as_default(comparison, finding)));
    findings
}

/// Whether the rule about defaults tells of the function around a finding.
fn is_told_as_default(comparison: &Comparison, finding: &Finding) -> bool {
    changed(comparison).any(|change| {
        let span = change.new.span;
        let around =
            change.side.path == finding.path && span.start <= finding.line && finding.line <= span.end;
        around && !change.new.name.is_empty() && error_to_default::is_told(&change)
    })
}

fn in_function(comparison: &Comparison, change: &Changed<'_>) -> Vec<Finding> {
    let handlers = handlers(change);
    // Of what a file does outside of its functions little is known but what is put into a handler.
    if change.new.name.is_empty() && !(change.old.says_something() && change.new.says_something()) {
        return wrapped(change, &handlers.fresh).chain(unheard::unheard(change, &handlers.fresh)).collect();
    }
    let silenced = handlers.kept.iter().filter_map(|(old, new)| silenced(change, old, new));
    let grown = handlers.kept.iter().filter_map(|(old, new)| widened(change, old, new));
    let grown = grown.chain(handlers.kept.iter().filter_map(|(old, new)| falls_back(change, old, new)));
    let wrapped = wrapped(change, &handlers.fresh);
    let mut findings: Vec<Finding> =
        silenced.chain(grown).chain(wrapped).chain(dropped(comparison, change)).collect();
    findings.extend(given_back_no_more(comparison, change));
    findings.extend(handlers.kept.iter().filter_map(|(old, new)| kept_to_itself(change, old, new)));
    findings.extend(tolerated(change, &handlers.kept));
    findings.extend(unverified(change, Care::Errors).into_iter().map(|option| of_option(change, &option)));
    findings.extend(passed_over::only_where_it_worked(change, &handlers.gone));
    findings.extend(passed_over::all_but_one(change));
    findings.extend(hushed::checked(change, &handlers.fresh));
    findings.extend(hushed::as_option(change));
    findings.extend(unheard::unheard(change, &handlers.fresh));
    if !change.new.name.is_empty() {
        findings.extend(hushed::in_helpers(comparison, change));
    }
    if findings.iter().all(|finding| finding.severity == Severity::Low) {
        findings.extend(let_through(change, &handlers.kept));
        // What the nearest condition tells is told with the guards.
        let told = |old: &Exit| bounds::widened(change).iter().any(|bound| bound.old.line == old.line);
        let fewer = narrowed(change).into_iter().filter(Narrowed::is_error);
        findings.extend(
            fewer.filter(|fewer| !told(fewer.old)).map(|fewer| of_branch(change, fewer.old, fewer.new)),
        );
    }
    if findings.iter().all(|finding| finding.severity == Severity::Low) {
        findings.extend(half_handled::half_handled(change, &handlers.fresh));
        findings.extend(tried::tried(comparison, change));
        findings.extend(ignored_kinds::ignored(change));
    }
    if findings.iter().all(|finding| finding.severity == Severity::Low) {
        findings.extend(outcomes::turned(comparison, change));
    }
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
    // What stood outside of the handler before does not do its work: it may be what the handler did it for.
    let lines = (change.old.span.start..).zip(change.old_side.lines(change.old.span));
    let is_inside = |line: u32| old.span.contains(Span { start: line, end: line });
    let outside: HashSet<String> =
        lines.filter(|(line, _)| !is_inside(*line)).map(|(_, line)| plain(&line)).collect();
    let text = change.new_text();
    let fresh: Vec<&str> = text.lines().filter(|line| !outside.contains(&plain(line))).collect();
    let now = words(&fresh.join(" "));
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

/// Errors that were handed on or looked at, and are now dropped.
fn dropped(comparison: &Comparison, change: &Changed<'_>) -> Vec<Finding> {
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
    findings.extend(unasked(comparison, change));
    findings
}

/// Calls that stay, and whose error nobody looks at any more: `send(x)` for `if err := send(x); err != nil { return err }`.
fn unasked(comparison: &Comparison, change: &Changed<'_>) -> Option<Finding> {
    let (was, text) = (change.old_text(), change.new_text());
    // Alone on its line: nobody takes what it gives.
    let is_alone = |text: &str, callee: &str| {
        let call = format!("{callee}(");
        text.lines().map(str::trim).any(|line| line.starts_with(&call) && line.ends_with([')', ';']))
    };
    let asked = |error: &&crate::facts::ErrorUse| {
        matches!(error.how, Fortune::Checked | Fortune::Propagated)
            && !change.new.errors.iter().any(|new| new.callee == error.callee)
            && is_alone(&text, &error.callee)
            && !is_alone(&was, &error.callee)
            && !has_no_error(comparison, &error.callee)
    };
    let error = change.old.errors.iter().find(asked)?;
    let line = text.lines().position(|line| line.trim().starts_with(&format!("{}(", error.callee)))?;
    let line = change.new.span.start + u32::try_from(line).unwrap_or(0);
    let message = format!("{} no longer looks at the error of `{}`", change.title(), error.callee);
    let mut finding = draft(change, line, message, 0.8);
    let at = |line: u32| Span { start: line, end: line };
    finding.before = excerpt(change.old_side, at(error.line), error.line, "its error counted");
    finding.after = excerpt(change.side, at(line), line, "now nobody asks");
    finding.lower(Severity::Medium, "it may have stopped to give one");
    Some(finding)
}

/// Whether the change makes a function one that has no error to give back, where its head says so.
fn has_no_error(comparison: &Comparison, name: &str) -> bool {
    let mut called = changed(comparison).filter(|change| change.new.short_name() == name);
    called.any(|change| {
        change.side.facts.language == "go"
            && change.old_side_head().ends_with("error")
            && !change.new_side_head().contains("error")
    })
}

/// `return group.Wait()` that became `group.Wait()` and `return nil`, in a function that gives back an error alone.
fn given_back_no_more(comparison: &Comparison, change: &Changed<'_>) -> Option<Finding> {
    let head = change.new_side_head();
    if !head.ends_with("error") || change.old_text().contains("return nil") {
        return None;
    }
    let trimmed = |line: &str| line.trim().trim_end_matches(';').to_owned();
    let new: Vec<String> = change.side.lines(change.new.span).map(|line| trimmed(&line)).collect();
    let old = (change.old.span.start..).zip(change.old_side.lines(change.old.span));
    let dropped = old.into_iter().find_map(|(number, line)| {
        let line = trimmed(&line);
        let call =
            line.strip_prefix("return ").filter(|call| call.ends_with(')') && !call.starts_with("nil"))?;
        let at = new.iter().position(|line| line == call)?;
        (!new.contains(&line) && new[at..].iter().any(|line| line == "return nil"))
            .then(|| (number, change.new.span.start + at as u32, call.to_owned()))
    });
    let (old_line, line, call) = dropped?;
    let callee = call.split('(').next().and_then(|path| path.rsplit('.').next()).unwrap_or_default();
    let changes = touched_names(&comparison.files, comparison.functions()).contains(&hash(callee.as_bytes()));
    let message = format!("{} no longer gives back the error of `{call}`", change.title());
    let mut finding = draft(change, line, message, 0.85);
    let at = |line: u32| Span { start: line, end: line };
    finding.before = excerpt(change.old_side, at(old_line), old_line, "its error was given back");
    finding.after = excerpt(change.side, at(line), line, "now nobody is told");
    finding.lower(Severity::Medium, "it may be told in another way");
    if changes {
        finding.lower(Severity::Low, "the called function changes too");
    }
    Some(finding)
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
