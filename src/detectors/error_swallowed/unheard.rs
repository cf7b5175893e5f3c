//! Listeners for errors that were put on existing code and do nothing about them: `socket.on('error', () => {})`, an
//! empty handler for whatever a process does not catch.
//!
//! Part of the rule about swallowed errors. An emitter without a listener ends the program, so that a listener which does
//! nothing is a catch-all that stands elsewhere.

use super::draft;
use crate::detectors::functions::Changed;
use crate::detectors::report::excerpt;
use crate::detectors::subject::names_of_any_length;
use crate::facts::{Action, Handler, HandlerKind};
use crate::finding::{Finding, Severity};

/// So much of a function, or of a file, must have been there before a listener for everything came to it.
const KEPT: f64 = 0.6;

/// What stands for a whole process.
const PROCESS: &[&str] =
    &["process", "Thread", "sys", "threading", "loop", "panic", "std", "window", "self", "globalThis"];

pub fn unheard(change: &Changed<'_>, fresh: &[&Handler]) -> Vec<Finding> {
    let listeners = fresh.iter().filter(|handler| handler.kind == HandlerKind::Listener);
    listeners.filter_map(|handler| of_listener(change, handler)).collect()
}

fn of_listener(change: &Changed<'_>, handler: &Handler) -> Option<Finding> {
    let silent = match handler.action {
        Action::Swallows | Action::Defaults => true,
        Action::LogsOnly => is_hardly_told(change, handler),
        _ => false,
    };
    if !silent || !is_on_existing_code(change, handler) {
        return None;
    }
    let head = crate::text::clipped(&handler.text, 60);
    let message = format!("{} now ignores errors that nobody took before: `{head}`", change.title());
    let mut finding = draft(change, handler.line, message, 0.8);
    finding.before = change.head_before("an error ended the program");
    finding.after = excerpt(change.side, handler.span, handler.line, "now it is lost");
    finding.lower(Severity::Medium, "others may still be told");
    Some(finding)
}

/// Whether a log is written that hardly anybody sees, or an error that should end a process is only logged.
fn is_hardly_told(change: &Changed<'_>, handler: &Handler) -> bool {
    let text: String = change.side.lines(handler.span).collect::<Vec<_>>().join("\n").to_lowercase();
    let low = ["debug", "trace", "verbose", "silly"].iter().any(|level| text.contains(level));
    let loud = ["error(", "warn(", "warning(", "fatal(", "severe(", "exception("];
    low && !loud.iter().any(|level| text.contains(level))
}

/// Whether the listener was put on something that the code had before.
fn is_on_existing_code(change: &Changed<'_>, handler: &Handler) -> bool {
    let head = handler.text.split(['(', '=']).next().unwrap_or_default();
    let mut path = names_of_any_length(head).filter(|name| *name != "this");
    let Some(root) = path.next() else { return false };
    if PROCESS.contains(&root) {
        return change.pair.old.containment(&change.pair.new) >= KEPT;
    }
    let before = change.old_text();
    let was_there = names_of_any_length(&before).any(|name| name == root);
    was_there && change.pair.old.containment(&change.pair.new) >= KEPT
}
