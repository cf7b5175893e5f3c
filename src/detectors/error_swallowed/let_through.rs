//! Quiet ways out that were put into a handler which hands errors on, in front of that.
//!
//! Part of the rule about swallowed errors.

use super::draft;
use crate::detectors::error_kinds::names_error;
use crate::detectors::functions::{Changed, plain};
use crate::detectors::report::excerpt;
use crate::detectors::subject::names_of_any_length;
use crate::detectors::switch_names::words;
use crate::facts::{Action, Exit, ExitKind, Function, Handler, Span};
use crate::finding::{Finding, Severity};

/// Words that tell of an end that was asked for, or of another try.
const MEANT: &[&str] = &[
    "retry",
    "retries",
    "attempt",
    "attempts",
    "cancel",
    "canceled",
    "cancelled",
    "cancellation",
    "abort",
    "aborted",
    "eof",
    "done",
    "stop",
    "stopped",
    "closed",
    "closing",
    "shutdown",
    "interrupted",
    "interrupt",
    "timeout",
    "backoff",
    "stopiteration",
    "finish",
    "finished",
    "exit",
    "disconnect",
    "disconnected",
];

pub fn let_through(change: &Changed<'_>, kept: &[(&Handler, &Handler)]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (old, new) in
        kept.iter().filter(|(old, new)| old.action == Action::Fails && new.action == Action::Fails)
    {
        let (before, after) = (quiet(change.old, old), quiet(change.new, new));
        let known = |exit: &&&Exit| !before.iter().any(|old| is_same(old, exit));
        let fresh = after.iter().filter(known).find(|exit| !exit.condition.is_empty() && !is_meant(exit));
        let Some(exit) = fresh.filter(|_| after.len() > before.len()) else { continue };
        let message = format!(
            "{} keeps back an error that it used to hand on, where `{}`",
            change.title(),
            crate::text::printable(&exit.condition)
        );
        let mut finding = draft(change, exit.line, message, 0.8);
        finding.before = excerpt(change.old_side, old.span, old.line, "every error was handed on");
        finding.after = excerpt(change.side, exit.span, exit.line, "now some are not");
        finding.lower(Severity::Medium, "the other errors are still handed on");
        findings.push(finding);
    }
    findings.dedup_by_key(|finding| finding.line);
    findings
}

/// The ways out of a handler that tell nobody.
fn quiet<'c>(function: &'c Function, handler: &Handler) -> Vec<&'c Exit> {
    let inside = |exit: &&Exit| handler.span.contains(Span { start: exit.line, end: exit.line });
    let quiet = |exit: &&Exit| matches!(exit.kind, ExitKind::Default | ExitKind::Continue);
    function.exits.iter().filter(inside).filter(quiet).collect()
}

fn is_same(old: &Exit, new: &Exit) -> bool {
    plain(&old.condition) == plain(&new.condition) && plain(&old.text) == plain(&new.text)
}

/// Whether a condition speaks of an end that was asked for, or of another try.
pub fn is_meant_to_end(condition: &str) -> bool {
    let said = names_of_any_length(condition).flat_map(words);
    said.into_iter().any(|word| MEANT.contains(&word.as_str()))
}

fn is_meant(exit: &Exit) -> bool {
    // To tell kinds of errors apart is what good handlers do.
    names_error(&exit.condition) || is_meant_to_end(&exit.condition)
}
