//! Functions that did their work everywhere, and that now do it on some systems or versions only and give back nothing on
//! the others.
//!
//! Part of the rule about disabled features.

use super::{draft, lower_by_intent};
use crate::comparison::Comparison;
use crate::detectors::conditions::bare;
use crate::detectors::functions::{Changed, plain};
use crate::detectors::report::excerpt;
use crate::detectors::subject::names_of_any_length;
use crate::detectors::switch_names::words;
use crate::facts::{Context, Exit, ExitKind, Span};
use crate::finding::{Finding, Severity, Side};

/// Words of names that stand for a version or a system.
pub const SYSTEMS: &[&str] = &[
    "version", "platform", "windows", "win32", "darwin", "macos", "linux", "goos", "goarch", "osx",
    "android", "ios", "pypy", "jython", "py2", "py3", "ci", "wasm", "musl",
];

/// So much of the old function must stand in the new one.
const WHOLE: f64 = 0.85;

pub fn only_on_some(comparison: &Comparison, change: &Changed<'_>) -> Option<Finding> {
    let grew = change.pair.new.len() > change.pair.old.len();
    if change.new.name.is_empty() || !grew || change.pair.old.containment(&change.pair.new) < WHOLE {
        return None;
    }
    let (line, condition) = left_early(change).or_else(|| put_under(change))?;
    let message =
        format!("{} no longer does its work on some systems: `{}` decides", change.title(), bare(&condition));
    let mut finding = change.finding(draft(message, 0.75), Side::After, line);
    finding.before = change.head_before("it did its work everywhere");
    finding.after = excerpt(change.side, Span { start: line, end: line }, line, "now only on some systems");
    finding.lower(Severity::Medium, "it may never have worked on the others");
    lower_by_intent(comparison, &mut finding, change.new.short_name());
    Some(finding)
}

fn is_new(change: &Changed<'_>, exit: &Exit) -> bool {
    !change.old.exits.iter().any(|old| plain(&old.text) == plain(&exit.text) && old.context == exit.context)
}

/// Whether a way out gives back something that is empty, rather than only leaving.
fn is_empty(exit: &Exit) -> bool {
    let given = exit.text.trim_start_matches("return").trim().trim_end_matches(';');
    let flag = ["true", "false", "True", "False"].contains(&given);
    exit.kind == ExitKind::Default && !given.is_empty() && !flag
}

/// `if on_windows(): return []` in front of everything.
fn left_early(change: &Changed<'_>) -> Option<(u32, String)> {
    let is_way = |exit: &&Exit| {
        exit.context == Context::Branch
            && is_empty(exit)
            && is_new(change, exit)
            && speaks_of_system(&exit.condition)
    };
    let exit = change.new.exits.iter().filter(is_way).find(|exit| exit.deciders.len() == 1)?;
    let first = exit.span.start <= change.new.span.start + 4;
    first.then(|| (exit.line, exit.condition.clone()))
}

/// `if not on_windows(): ...` around everything, and an empty value after it.
fn put_under(change: &Changed<'_>) -> Option<(u32, String)> {
    let ends = change.new.exits.iter().rfind(|exit| exit.context == Context::Open && is_empty(exit))?;
    if !is_new(change, ends) {
        return None;
    }
    let old: crate::collections::HashSet<String> =
        change.old_side.lines(change.old.span).map(|line| line.trim().to_owned()).collect();
    let lines: Vec<(u32, String)> = (change.new.span.start..)
        .zip(change.side.lines(change.new.span).map(|line| line.trim().to_owned()))
        .collect();
    let head =
        |(_, line): &&(u32, String)| line.starts_with("if") && !old.contains(line) && speaks_of_system(line);
    let (number, line) = lines.iter().find(head)?;
    let condition = line.trim_start_matches("if").trim().trim_end_matches(['{', ':']).trim();
    (*number < ends.line).then(|| (*number, condition.to_owned()))
}

fn speaks_of_system(condition: &str) -> bool {
    let says = |name: &str| words(name).iter().any(|word| SYSTEMS.contains(&word.as_str()));
    names_of_any_length(condition).any(says)
}
