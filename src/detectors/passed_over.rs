//! Failures that the code still asks about, and no longer tells anybody of: what worked is used, and what did not is
//! passed over.
//!
//! Part of the rule about swallowed errors.

use super::error_swallowed::draft;
use super::functions::{Changed, plain};
use super::report::excerpt;
use super::subject::names_of_any_length;
use crate::comparison::FileSide;
use crate::facts::{Action, Exit, ExitKind, Handler, HandlerKind, Span};
use crate::finding::{Finding, Severity};

/// `if err != nil { return err }` that became `if err == nil { ... }`, and nothing for all else.
pub fn only_where_it_worked(change: &Changed<'_>, gone: &[&Handler]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let handed_on =
        |handler: &&&Handler| handler.kind == HandlerKind::Check && handler.action == Action::Fails;
    for handler in gone.iter().filter(handed_on) {
        let asked = handler.text.split('{').next().unwrap_or_default();
        let Some(error) = names_of_any_length(asked).find(|name| name.to_lowercase().contains("err")) else {
            continue;
        };
        let still_called = !handler.callee.is_empty()
            && change.new_text().contains(&format!("{}(", handler.callee))
            && !change.new.handlers.iter().any(|other| other.callee == handler.callee);
        let Some(line) = worked(change, error).filter(|_| still_called) else { continue };
        let message = format!("{} passes over the error of `{}`", change.title(), handler.callee);
        let mut finding = draft(change, line, message, 0.85);
        finding.before = excerpt(change.old_side, handler.span, handler.line, "its error counted");
        finding.after =
            excerpt(change.side, Span { start: line, end: line }, line, "now only its success does");
        finding.lower(Severity::Medium, "what needs its result is left out");
        findings.push(finding);
    }
    findings
}

/// A new branch for the case that there is no error, with no other branch beside it.
fn worked(change: &Changed<'_>, error: &str) -> Option<u32> {
    let heads = [format!("if{error}==nil{{"), format!("if(!{error}){{"), format!("if!{error}{{")];
    let bare = |line: &str| line.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let old: Vec<String> = change.old_side.lines(change.old.span).map(|line| bare(&line)).collect();
    let lines: Vec<_> = change.side.lines(change.new.span).zip(change.new.span.start..).collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let at = lines.iter().position(|(line, _)| heads.contains(&bare(line)) && !old.contains(&bare(line)))?;
    let (head, number) = &lines[at];
    let end =
        lines[at + 1..].iter().find(|(line, _)| !line.trim().is_empty() && indent(line) <= indent(head));
    let otherwise = end.is_some_and(|(line, _)| line.contains("else"));
    (!otherwise).then_some(*number)
}

/// A quiet way out for one answer, which all answers but one take now: `== 404` that became `!= 200`.
pub fn all_but_one(change: &Changed<'_>) -> Vec<Finding> {
    let quiet = |exit: &&Exit| exit.kind == ExitKind::Default && !exit.condition.is_empty();
    let halves = |condition: &str, sign: &str| {
        let condition = plain(condition);
        let (subject, value) = condition.split_once(sign)?;
        let value = value.trim_start_matches('=').to_owned();
        (value.bytes().all(|byte| byte.is_ascii_digit()) && !value.is_empty())
            .then(|| (subject.to_owned(), value))
    };
    let mut findings = Vec::new();
    for old in change.old.exits.iter().filter(quiet) {
        let Some((subject, value)) = halves(&old.condition, "==") else { continue };
        let widened = |new: &&Exit| {
            plain(&new.text) == plain(&old.text)
                && halves(&new.condition, "!=").is_some_and(|(of, other)| of == subject && other != value)
        };
        let Some(new) = change.new.exits.iter().filter(quiet).find(widened) else { continue };
        let message = format!("{} passes over more than `{}`", change.title(), old.condition);
        let mut finding = draft(change, new.line, message, 0.85);
        finding.before = excerpt(change.old_side, old.span, old.line, "this alone passed");
        finding.after = excerpt(change.side, new.span, new.line, "now all but one do");
        finding.lower(Severity::Medium, "some passed before");
        findings.push(finding);
    }
    findings
}

/// An error that a branch handed on, as to whoever reads a stream, and that goes nowhere now.
pub fn handed_to_nobody(change: &Changed<'_>, lost: &Exit) -> Finding {
    let message =
        format!("{} no longer hands on the error of {}", change.title(), super::guard_removed::refused(lost));
    let mut finding = draft(change, change.new.line, message, 0.85);
    finding.before = excerpt(change.old_side, lost.span, lost.line, "it was handed on");
    finding.after = change.head_after("now it is passed over");
    finding.lower(Severity::Medium, "others may be told in another way");
    finding
}

/// Whether the function said the same before where the call of a handler gave nothing: `if (!found) { return false }`.
pub fn said_before(change: &Changed<'_>, handler: &Handler) -> bool {
    let inside = |exit: &&Exit| handler.span.contains(Span { start: exit.line, end: exit.line });
    let quiet = |exit: &&Exit| !exit.kind.refuses();
    let Some(now) = change.new.exits.iter().filter(inside).find(quiet) else { return false };
    let logs = |spans: &[Span], span: Span| spans.iter().any(|log| span.contains(*log));
    let same =
        |old: &Exit| !old.kind.refuses() && plain(&old.text) == plain(&now.text) && !old.condition.is_empty();
    let still =
        |old: &Exit| change.new.exits.iter().any(|new| plain(&new.condition) == plain(&old.condition));
    let was =
        change.old.exits.iter().find(|old| same(old) && !still(old) && logs(&change.old.logs, old.span));
    was.is_some_and(|old| {
        let set = text(change.side, handler.protected.clone());
        let asked = names_of_any_length(&old.condition).next().unwrap_or_default();
        logs(&change.new.logs, handler.span) && names_of_any_length(&set).any(|name| name == asked)
    })
}

fn text(side: &FileSide, bytes: std::ops::Range<usize>) -> String {
    String::from_utf8_lossy(side.text.get(bytes).unwrap_or_default()).into_owned()
}
