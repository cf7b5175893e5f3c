//! Errors that are handed on under a stricter condition than before.
//!
//! Part of the rule about swallowed errors. A condition that names the error tells kinds of errors apart, which is what
//! good handlers do; one about anything else lets the very same error pass. Where kinds were told apart before, more of
//! them that pass are told of too.

use super::conditions::holds_for_less;
use super::error_kinds::{holds_for_more_kinds, is_error_name, names_error, passes_more_kinds};
use super::error_swallowed::draft;
use super::functions::{Changed, plain, words};
use super::reached::asks_no_more;
use super::report::excerpt;
use super::subject::names_of_any_length;
use crate::facts::{Action, Context, Exit, ExitKind, Handler, HandlerKind, Span};
use crate::finding::{Finding, Severity};

pub fn tolerated(change: &Changed<'_>, kept: &[(&Handler, &Handler)]) -> Vec<Finding> {
    let mut findings = inside(change);
    findings.extend(let_pass(change));
    findings.extend(under_a_switch(change));
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
    if others > were || !less.lost.is_empty() {
        return None;
    }
    let mut finding = finding(change, (old.span, old.line), (new.span, new.line));
    if passes_more_kinds(asked(&old.text), asked(&new.text)) {
        finding.lower(Severity::Medium, "some errors passed before");
    } else if !passes_on_a_switch(&less.added, &[error]) {
        return None;
    }
    Some(finding)
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

/// Failures inside a handler that come under a condition, or under a stricter one.
fn inside(change: &Changed<'_>) -> Vec<Finding> {
    let tells = |exit: &&Exit| exit.kind.refuses() && exit.context == Context::Handler;
    let mut findings = Vec::new();
    for old in change.old.exits.iter().filter(tells) {
        let thrown: Vec<&str> = names_of_any_length(&old.text).collect();
        let same = |new: &&Exit| {
            plain(&new.text) == plain(&old.text)
                && !asks_no_more(change, old, new)
                && (is_stricter(old, new, &thrown)
                    || (passes_more_kinds(&old.condition, &new.condition) && nothing_follows(change, new)))
        };
        let known = change.new.exits.iter().any(|new| {
            plain(&new.condition) == plain(&old.condition) && plain(&new.text) == plain(&old.text)
        });
        let Some(new) = change.new.exits.iter().filter(tells).find(same).filter(|_| !known) else { continue };
        let mut finding = finding(change, (old.span, old.line), (new.span, new.line));
        if old.condition.is_empty() {
            finding.lower(Severity::Medium, "whoever sets what it asks for may know why");
        } else if !joins_by_and(&old.condition, &new.condition) {
            finding.lower(Severity::Medium, "some errors passed before");
        }
        findings.push(finding);
    }
    findings
}

/// Whether a branch asks for an error and hands it on: `if (result.isError) reject(result.error)`.
pub fn hands_on(exit: &Exit) -> bool {
    names_error(&exit.condition) && names_error(&exit.text) && !exit.text.contains("new ")
}

/// Errors that a branch handed on, and for which more has to hold now.
pub fn of_branch(change: &Changed<'_>, old: &Exit, new: &Exit) -> Finding {
    let mut finding = finding(change, (old.span, old.line), (new.span, new.line));
    finding.lower(Severity::Medium, "the error is still handed on in some cases");
    finding
}

/// What always failed, and now fails where a switch is on and is only written into a log where it is not.
fn under_a_switch(change: &Changed<'_>) -> Vec<Finding> {
    let always = |exit: &&Exit| {
        exit.kind == ExitKind::Fails && exit.context == Context::Open && exit.condition.is_empty()
    };
    let before = change.old_text();
    let mut findings = Vec::new();
    for old in change.old.exits.iter().filter(always) {
        let thrown: Vec<&str> = names_of_any_length(&old.text).collect();
        let comes_under = |new: &&Exit| {
            new.context == Context::Branch
                && plain(&new.text) == plain(&old.text)
                && is_switch(&new.condition, &thrown)
        };
        let Some(new) = change.new.exits.iter().find(comes_under) else { continue };
        let only_told = change.new.logs.iter().any(|log| {
            let line = change.side.lines(*log).next().unwrap_or_default();
            log.start > new.line && !before.contains(line.trim())
        });
        if only_told {
            let mut finding = finding(change, (old.span, old.line), (new.span, new.line));
            finding.lower(Severity::Medium, "whoever sets what it asks for may know why");
            findings.push(finding);
        }
    }
    findings
}

/// Quiet ways out for errors of some kinds, which more kinds take now.
fn let_pass(change: &Changed<'_>) -> Vec<Finding> {
    let quiet = |exit: &&Exit| matches!(exit.kind, ExitKind::Default | ExitKind::Continue);
    let same = |old: &Exit, new: &Exit| {
        plain(&new.text) == plain(&old.text) && holds_for_more_kinds(&old.condition, &new.condition)
    };
    let mut findings = Vec::new();
    for old in change.old.exits.iter().filter(quiet) {
        let Some(new) = change.new.exits.iter().filter(quiet).find(|new| same(old, new)) else { continue };
        let mut finding = finding(change, (old.span, old.line), (new.span, new.line));
        finding.lower(Severity::Medium, "some errors passed before");
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

/// Whether a handler does nothing about the errors that it does not hand on.
fn nothing_follows(change: &Changed<'_>, exit: &Exit) -> bool {
    let mut around = change.new.handlers.iter().filter(|handler| handler.span.contains(exit.span));
    around.next_back().is_some_and(|handler| {
        let rest = Span { start: exit.span.end + 1, end: handler.span.end };
        let says =
            |line: &str| !line.trim().starts_with(['#', '/', '*']) && line.contains(char::is_alphanumeric);
        exit.span.end >= handler.span.end || !change.side.lines(rest).any(|line| says(&line))
    })
}

fn is_stricter(old: &Exit, new: &Exit, thrown: &[&str]) -> bool {
    let (was, is) = (old.condition.as_str(), new.condition.as_str());
    if was.is_empty() {
        return is_switch(is, thrown);
    }
    let narrowed = holds_for_less(was, is)
        .is_some_and(|less| less.lost.is_empty() && passes_on_a_switch(&less.added, thrown));
    narrowed || joins_by_and(was, is)
}

/// Whether a condition is nothing but a name, or the opposite of one, that is no error's: `if self.strict`.
fn is_switch(condition: &str, thrown: &[&str]) -> bool {
    let name = condition.trim_matches(['(', ')', '!', ' ']);
    let name = name.strip_prefix("not ").unwrap_or(name);
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '?');
    !name.is_empty()
        && name.chars().all(is_name)
        && !names_of_any_length(name)
            .filter(|part| !matches!(*part, "self" | "this"))
            .any(|part| thrown.contains(&part) || is_error_name(part))
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
