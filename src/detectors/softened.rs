//! Checks that stay and count for less: one that only test builds make, an error that became a warning, a case that a
//! deciding function no longer says no to.
//!
//! Part of the rule about guards.

use std::collections::HashSet;

use super::exits::{allowed, take_equal};
use super::functions::{Changed, names, overlap, plain};
use crate::facts::{Context, Exit, ExitKind, Span};

/// What a check was, what it is now, and why that is less.
pub struct Softened<'c> {
    pub exit: &'c Exit,
    pub line: u32,
    pub now: String,
    pub reason: &'static str,
}

pub fn softened<'c>(change: &Changed<'c>) -> Vec<Softened<'c>> {
    let mut found = optional(change);
    found.extend(warned(change));
    found
}

/// The cases for which a function that decides no longer says no, while all else in it is as it was.
pub fn no_longer_denied<'c>(change: &Changed<'c>) -> Vec<&'c Exit> {
    let old = change.old.exits.iter();
    if !old.clone().any(|exit| exit.kind == ExitKind::Denies) || change.kept() < KEPT {
        return Vec::new();
    }
    let before: HashSet<String> =
        change.old_side.lines(change.old.span).map(|line| line.trim().to_owned()).collect();
    let fresh: Vec<HashSet<String>> = change
        .side
        .lines(change.new.span)
        .filter(|line| !before.contains(line.trim()))
        .map(|line| names(&line))
        .collect();
    // A line that speaks of the same may ask the same in other words.
    let reworded = |exit: &&Exit| fresh.iter().any(|said| overlap(&names(&exit.condition), said) >= SAME);
    allowed(change).into_iter().filter(|exit| !reworded(exit)).collect()
}

/// The share of the names of a condition, or of a line, that the other has too.
const SAME: f64 = 0.6;

/// The share of the new function that must have been there before.
const KEPT: f64 = 0.85;

/// Checks that became assertions which a release build, or a flag of the interpreter, leaves out.
fn optional<'c>(change: &Changed<'c>) -> Vec<Softened<'c>> {
    let rust = change.side.facts.language == "rust";
    let leaves_out = |exit: &&Exit| {
        let own = if rust { "debug_assert" } else { "assert " };
        exit.context == Context::Check && exit.text.starts_with(own)
    };
    let is_firm = |exit: &&Exit| {
        let asserts = exit.context == Context::Check && exit.text.starts_with("assert");
        let throws = exit.context == Context::Branch && exit.kind == ExitKind::Fails;
        if rust { asserts } else { throws }
    };
    let of = |exits: &'c [Exit]| -> Vec<&'c Exit> { exits.iter().collect() };
    let (mut old, mut new) = (of(&change.old.exits), of(&change.new.exits));
    take_equal(&mut old, &mut new, |a, b| {
        plain(&a.text) == plain(&b.text) && plain(&a.condition) == plain(&b.condition)
    });
    let (firm, loose) = (old.into_iter().filter(is_firm), new.into_iter().filter(leaves_out));
    let loose: Vec<&Exit> = loose.collect();
    let became = |exit: &'c Exit| {
        let same = |new: &&&'c Exit| match rust {
            true => plain(&new.text).strip_prefix("debug_") == Some(&plain(&exit.text)),
            false => {
                let asked = names(new.condition.trim_start_matches("assert"));
                !asked.is_empty() && names(&exit.condition) == asked
            }
        };
        let new = loose.iter().find(same)?;
        let reason = "the assertion that stands there now is left out of some builds and runs";
        Some(Softened { exit, line: new.line, now: new.text.clone(), reason })
    };
    firm.filter_map(became).collect()
}

/// Errors that are reported as warnings now, by the very line that reported them.
fn warned<'c>(change: &Changed<'c>) -> Vec<Softened<'c>> {
    let lines = |side: &crate::comparison::FileSide, span: Span| -> Vec<(u32, String)> {
        (span.start..).zip(side.lines(span).map(|line| line.trim().to_owned())).collect()
    };
    let reports = |exit: &&Exit| exit.kind == ExitKind::Notes || exit.text.starts_with("throw ");
    let reports = |exit: &&Exit| reports(exit) || exit.context == Context::Check;
    let judged: Vec<&Exit> = change.old.exits.iter().filter(reports).collect();
    if judged.is_empty() {
        return Vec::new();
    }
    let old: HashSet<String> =
        lines(change.old_side, change.old.span).into_iter().map(|(_, line)| line).collect();
    let fresh: Vec<(u32, String)> =
        lines(change.side, change.new.span).into_iter().filter(|(_, line)| !old.contains(line)).collect();
    let text = plain(&change.new_text());
    let mut found = Vec::new();
    for exit in judged {
        let mut here = change.old_side.lines(Span { start: exit.line, end: exit.line });
        let was = here.next().map(|line| line.trim().to_owned()).unwrap_or_default();
        let milder = |(_, line): &&(u32, String)| {
            let same = || match exit.context {
                Context::Check => is_given_the_same(&text, line, exit),
                _ => as_error(line) == as_error(&was),
            };
            line.to_lowercase().contains("warn") && same()
        };
        if let Some((line, now)) = fresh.iter().find(milder) {
            let reason = "it is still told, as a warning";
            found.push(Softened { exit, line: *line, now: now.clone(), reason });
        }
    }
    found
}

/// Whether a new call that warns is given what a check was given: `warning(x > 0, 'no')` for `invariant(x > 0, 'no')`.
fn is_given_the_same(text: &str, line: &str, check: &Exit) -> bool {
    let Some((callee, _)) = line.split_once('(') else { return false };
    let given = plain(&check.condition);
    let given: String = given.trim_start_matches('(').chars().take(GIVEN).collect();
    let given = given.trim_end_matches([')', ',']);
    let (callee, own) = (plain(callee), check.text.split('(').next().map(plain));
    callee.to_lowercase().contains("warn")
        && own.is_some_and(|own| own != callee)
        && given.len() > 2
        && text.contains(&format!("{callee}({given}"))
}

/// So much of what a check is given tells it from others.
const GIVEN: usize = 80;

/// A line with its words for warnings and errors made one.
fn as_error(line: &str) -> String {
    plain(line)
        .to_lowercase()
        .replace("warnings", "errors")
        .replace("warning", "error")
        .replace("warn", "error")
}
