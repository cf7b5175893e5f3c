//! # error-handling-removed (LP-007)
//!
//! A check of an error, or a handler, is gone while the call that may fail stays, and nothing tells anybody about the
//! failure any more. So is an error that a handler still keeps in a variable, where nobody asks for that any more.
//!
//! Severity: high; a warning where the call reads differently, so that it may no longer give an error back.
//!
//! ## Why it matters
//!
//! The code goes on with a result that is not there. It looks simpler and passes its tests, as long as nothing fails.
//!
//! ## Example
//!
//! ```go
//! // before                                   // after
//! if err := store.Save(item); err != nil {    store.Save(item)
//!     return err
//! }
//! ```
//!
//! ## What is not reported
//!
//! - a handler that was taken away so that errors leave the function: that is stricter
//! - a check of a call that is gone, or that no longer gives an error back
//! - a handler that moved to the caller, was narrowed or replaced by another
//!
//! ## What to do
//!
//! Look at the error again: hand it on, or handle it.

use super::functions::{Changed, changed, words};
use super::handlers::{handlers, protected};
use super::report::{Draft, excerpt};
use super::subject::names_of_any_length;
use super::table;
use crate::comparison::Comparison;
use crate::facts::{Breadth, ErrorUse, Fortune, Handler, HandlerKind, Span};
use crate::finding::{Finding, FindingType, RuleId, Severity, Side};
use crate::pairing::touched_names;
use crate::similarity::hash;

pub const ID: RuleId = table::id("error-handling-removed", "LP-007", FindingType::ErrorSuppression);

/// A function of which less is left was written anew.
const REWRITTEN: f64 = 0.5;

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let judged = |change: &Changed<'_>| change.similarity() >= REWRITTEN;
    let mut findings = Vec::new();
    for change in changed(comparison).filter(judged) {
        findings.extend(unchecked(comparison, &change));
        for handler in handlers(&change).gone {
            findings.extend(of_callback(&change, handler));
            findings.extend(of_variable(&change, handler));
            findings.extend(of_kept_error(&change, handler));
            findings.extend(of_clause(&change, handler));
        }
    }
    findings
}

/// Calls whose error counted and that now stand alone.
fn unchecked(comparison: &Comparison, change: &Changed<'_>) -> Vec<Finding> {
    let counted = |error: &&ErrorUse| matches!(error.how, Fortune::Checked | Fortune::Propagated);
    let uses = |errors: &[ErrorUse], callee: &str| {
        errors.iter().filter(counted).filter(|error| error.callee == callee).count()
    };
    let mut seen: Vec<&str> = Vec::new();
    let mut findings = Vec::new();
    for old in change.old.errors.iter().filter(counted) {
        if seen.contains(&old.callee.as_str())
            || uses(&change.new.errors, &old.callee) >= uses(&change.old.errors, &old.callee)
        {
            continue;
        }
        seen.push(&old.callee);
        let before = alone(change, &old.callee, true);
        let Some(line) = alone(change, &old.callee, false).into_iter().nth(before.len()) else { continue };
        let mut finding = finding(change, old.line, line, format!("the error of `{}`", old.callee));
        if touched_names(&comparison.files, comparison.functions()).contains(&hash(old.callee.as_bytes())) {
            finding.lower(Severity::Low, "the called function changes too");
        } else if old.text.starts_with("if ") && !is_same_call(change, line) {
            finding.lower(Severity::Medium, "the called function may no longer give an error back");
        }
        findings.push(finding);
    }
    findings
}

/// Whether the very call that stands alone now was checked before: then what it gives back has not changed either.
fn is_same_call(change: &Changed<'_>, line: u32) -> bool {
    let mut lines = change.side.lines(Span { start: line, end: line });
    let call = lines.next().map(|line| line.trim().trim_end_matches(';').to_owned()).unwrap_or_default();
    !call.is_empty() && change.old_text().contains(&format!("= {call}"))
}

/// The lines of one side on which a call is a whole statement.
fn alone(change: &Changed<'_>, callee: &str, old: bool) -> Vec<u32> {
    let (side, function) = if old { (change.old_side, change.old) } else { (change.side, change.new) };
    let rust = side.facts.language == "rust";
    let is_statement = |line: &str| {
        let line = line.trim();
        let Some((head, rest)) = line.split_once(&format!("{callee}(")) else { return false };
        if rest.replace(").await", ")").contains(").") || rest.contains('?') {
            return false;
        }
        let path =
            head.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b':'));
        path && !head.starts_with('.')
            && if rust { line.ends_with(");") || line.ends_with(".await;") } else { line.ends_with(')') }
    };
    let lines: Vec<_> = side.lines(function.span).collect();
    // A line that goes on with the one before is no statement.
    let starts = |at: usize| {
        let above = lines[..at].iter().rev().map(|line| line.trim()).find(|line| !line.is_empty());
        above.is_none_or(|above| !rust || above.ends_with([';', '{', '}']) || above.starts_with("//"))
    };
    let found = (0..lines.len()).filter(|&at| is_statement(&lines[at]) && starts(at));
    found.map(|at| function.span.start + at as u32).collect()
}

/// A promise that lost its handler and that nobody waits for.
fn of_callback(change: &Changed<'_>, handler: &Handler) -> Option<Finding> {
    if handler.kind != HandlerKind::Callback || handler.action.hides() {
        return None;
    }
    let bytes = change.old_side.text.get(handler.protected.clone()).unwrap_or_default();
    let promise = String::from_utf8_lossy(bytes);
    let promise = promise.trim();
    let first = promise.lines().next().unwrap_or("").trim();
    let start = |line: &str| {
        let line = line.trim();
        line.starts_with(first) && !first.is_empty()
    };
    let lines = change.side.lines(change.new.span).zip(change.new.span.start..);
    let (_, line) = lines.into_iter().find(|(line, _)| start(line))?;
    let text = change.new_text();
    let tail = text.split_once(promise).map_or("", |(_, tail)| tail).trim_start();
    (tail.starts_with(';') || tail.starts_with('}') || tail.starts_with('\n'))
        .then(|| finding(change, handler.line, line, "the failure of a promise".to_owned()))
}

/// The variable that a check asks for, where the error in it comes from no call of its own.
fn asked(handler: &Handler) -> Option<String> {
    let named = handler.text.strip_prefix("if (").or_else(|| handler.text.strip_prefix("if "))?;
    let variable: String = named.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let counts =
        handler.kind == HandlerKind::Check && !handler.action.hides() && handler.protected.is_empty();
    Some(variable).filter(|variable| counts && !variable.is_empty())
}

/// `if (failure) throw failure` that went while a handler still keeps its error there, for nobody.
fn of_kept_error(change: &Changed<'_>, handler: &Handler) -> Option<Finding> {
    let variable = asked(handler)?;
    let sets = |line: &str| {
        let target = line.split_once('=').map(|(target, _)| target.split(':').next().unwrap_or(target));
        let last = target.and_then(|target| target.split_whitespace().last());
        last == Some(variable.as_str()) && line.matches(variable.as_str()).count() == 1
    };
    let declares = |line: &str| {
        let declared = line.trim_start_matches("let ").trim_start_matches("var ");
        declared.len() < line.len() && declared.starts_with(variable.as_str())
    };
    let has = |line: &str| names_of_any_length(line).any(|name| name == variable);
    let in_clause = |line: u32| {
        let at = Span { start: line, end: line };
        let mut clauses = change.new.handlers.iter().filter(|other| other.kind == HandlerKind::Clause);
        clauses.any(|clause| clause.span.contains(at))
    };
    let lines: Vec<_> = (change.new.span.start..).zip(change.side.lines(change.new.span)).collect();
    let mut named = lines.iter().map(|(line, text)| (*line, text.trim())).filter(|(_, text)| has(text));
    let kept = named.clone().find(|(line, text)| sets(text) && in_clause(*line))?.0;
    let unread = named.all(|(_, text)| sets(text) || declares(text));
    unread.then(|| finding(change, handler.line, kept, format!("`{variable}`, which a handler keeps for it")))
}

/// `if (err) ...` that went while the callback still gets its error.
fn of_variable(change: &Changed<'_>, handler: &Handler) -> Option<Finding> {
    let variable = asked(handler)?;
    let gets = |line: &str| {
        let named = line.contains(&format!("({variable},")) || line.contains(&format!("({variable})"));
        named && !line.contains("catch(") && (line.contains("=>") || line.contains("function"))
    };
    let (before, after) = (change.old_text(), change.new_text());
    let count = |code: &str| code.lines().filter(|line| gets(line)).count();
    let checks = |code: &str| code.matches(&format!("if ({variable}")).count();
    if count(&after) < count(&before) || checks(&after) >= checks(&before) {
        return None;
    }
    let lines = change.side.lines(change.new.span).zip(change.new.span.start..);
    let (_, line) = lines.into_iter().find(|(line, _)| gets(line) && !line.trim().starts_with("//"))?;
    Some(finding(change, handler.line, line, format!("`{variable}`")))
}

/// A clause that threw, next to or inside one that hides everything: what it caught is hidden now.
fn of_clause(change: &Changed<'_>, handler: &Handler) -> Option<Finding> {
    if handler.kind != HandlerKind::Clause || handler.action.hides() {
        return None;
    }
    let code = protected(change.old_side, change.old, handler);
    let hides = |other: &&Handler| {
        let covers = code.containment(&protected(change.side, change.new, other)) >= 0.7;
        other.kind == HandlerKind::Clause && other.breadth == Breadth::Broad && other.action.hides() && covers
    };
    let other = change.new.handlers.iter().find(hides)?;
    let was_there = change.old.handlers.iter().any(|old| old.text == other.text);
    let about = words(&handler.caught.join(" ")).into_iter().next();
    let what = about.map_or("an error".to_owned(), |_| format!("`{}`", handler.caught.join("`, `")));
    was_there.then(|| finding(change, handler.line, other.line, what))
}

fn finding(change: &Changed<'_>, old: u32, new: u32, what: String) -> Finding {
    let draft = Draft {
        rule: ID,
        severity: Severity::High,
        confidence: 0.84,
        message: format!("{} no longer looks at {what}", change.title()),
        help: format!("hand the error on or handle it ({}:{new})", change.side.path),
    };
    let mut finding = change.finding(draft, Side::After, new);
    let line = |line: u32| Span { start: line, end: line + 2 };
    finding.before = excerpt(change.old_side, line(old), old, "it was looked at here");
    finding.after = excerpt(change.side, Span { start: new, end: new }, new, "now nobody is told");
    finding
}
