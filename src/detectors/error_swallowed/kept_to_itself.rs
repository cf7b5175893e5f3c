//! Handlers that still do what they did about an error, and no longer hand it on: `rollback(); raise` without the `raise`.

use super::draft;
use crate::collections::HashSet;
use crate::comparison::FileSide;
use crate::detectors::functions::{Changed, plain};
use crate::detectors::report::excerpt;
use crate::facts::{Action, Handler};
use crate::finding::{Finding, Severity};

/// How statements begin that hand an error on.
const HANDS_ON: &[&str] = &["raise", "throw", "return err", "return Err", "panic"];

pub fn kept_to_itself(change: &Changed<'_>, old: &Handler, new: &Handler) -> Option<Finding> {
    if old.action != Action::Fails || new.action != Action::Handles {
        return None;
    }
    let (was, is) = (inside(change.old_side, old), inside(change.side, new));
    let gone: Vec<&String> = was.difference(&is).collect();
    let hands_on = |line: &&String| HANDS_ON.iter().any(|start| line.starts_with(&plain(start)));
    // Anything new may well tell somebody.
    if gone.is_empty() || !gone.iter().all(hands_on) || !is.is_subset(&was) || is.is_empty() {
        return None;
    }
    let message = format!("{} no longer hands on an error after it dealt with it", change.title());
    let mut finding = draft(change, new.line, message, 0.85);
    finding.before = excerpt(change.old_side, old.span, old.line, "callers got to know of it");
    finding.after = excerpt(change.side, new.span, new.line, "now they go on as if nothing had happened");
    finding.lower(Severity::Medium, "the rest of the handler stays");
    Some(finding)
}

/// The lines of a handler behind its head, as code.
fn inside(side: &FileSide, handler: &Handler) -> HashSet<String> {
    let lines = side.lines(handler.span).skip(1).map(|line| plain(&line).trim_end_matches(';').to_owned());
    lines.filter(|line| line.chars().any(char::is_alphanumeric)).collect()
}
