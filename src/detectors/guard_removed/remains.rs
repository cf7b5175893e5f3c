//! What is left of a function apart from the checks that it lost: new code around it must not hide the loss.

use std::ops::Range;

use crate::collections::HashSet;
use crate::comparison::FileSide;
use crate::detectors::exits::Lost;
use crate::detectors::functions::{Changed, names, plain};
use crate::detectors::replacement::without_strings;
use crate::detectors::subject::{names_of_any_length, roots};
use crate::facts::{Context, Exit, Function, Span};
use crate::similarity::Body;

/// Fewer tokens say nothing about a function.
const MIN_REST: usize = 8;

/// The share of the old body, lost checks aside, that the new one still has.
pub fn survives(change: &Changed<'_>, lost: &[Lost<'_>]) -> f64 {
    let spans = lost.iter().map(|lost| change.old_side.bytes(lost.exit.span));
    let left_out = joined(change.old.comments.iter().cloned().chain(spans).collect());
    let rest = Body::of(&change.old_side.text, change.old.body.clone(), &left_out);
    if rest.len() < MIN_REST {
        return 0.0;
    }
    rest.containment(&change.pair.new)
}

/// So many words of what was done besides the checks are enough to tell it again, ...
const FEW: usize = 2;
/// ... and so large a share of them must be there.
const MOST: f64 = 0.85;

/// So many words more may have come.
const MORE: usize = 4;

/// Whether a short function still does what it did besides the lost checks, in nearly the same words and few others.
pub fn goes_on(change: &Changed<'_>, lost: &[Lost<'_>]) -> bool {
    let checks: HashSet<u32> =
        lost.iter().flat_map(|lost| lost.exit.span.start..=lost.exit.span.end).collect();
    let body = |side: &FileSide, function: &Function, but: &HashSet<u32>| {
        let lines = (function.span.start..).zip(side.lines(function.span));
        let lines = lines.filter(|(number, _)| *number > function.line && !but.contains(number));
        let text: String = lines.map(|(_, line)| format!("{line}\n")).collect();
        names(&without_strings(&text))
    };
    let old = body(change.old_side, change.old, &checks);
    let new = body(change.side, change.new, &HashSet::new());
    let found = old.iter().filter(|name| new.contains(*name)).count();
    // What is still asked may be dealt with.
    let text = plain(&change.new_text());
    let is_asked = |lost: &Lost<'_>| {
        let condition = plain(&lost.exit.condition);
        !condition.is_empty() && text.contains(&condition)
    };
    if lost.iter().any(is_asked) {
        return false;
    }
    old.len() >= FEW && found as f64 >= MOST * old.len() as f64 && new.len() <= 2 * old.len() + MORE
}

/// What new code of a function does with what a lost check was about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum NewCode {
    /// Nothing but to write it into a log.
    Ignores,
    /// Makes it fit: `value = max(0, value)`.
    Bends,
    /// Does something else in the case that was refused.
    Handles,
    /// Anything else: it may do the work of the check.
    Uses,
}

/// What lines that only the new function has do with what a check was about.
pub fn new_code(change: &Changed<'_>, lost: &Exit) -> NewCode {
    let subject = roots(&lost.condition);
    let (before, after) = (change.old_text(), change.new_text());
    // What was refused may still be told apart, or was all that was left: then any new line may be for it.
    let asked = lost.context != Context::Check && plain(&after).contains(&plain(&lost.condition));
    let old: HashSet<&str> = before.lines().map(str::trim).collect();
    let logs = |number: u32| {
        let line = Span { start: number, end: number };
        change.new.logs.iter().any(|span| span.contains(line))
    };
    let lines = change.side.lines(change.new.span).zip(change.new.span.start..);
    let fresh = lines.filter(|(line, number)| !old.contains(line.trim()) && !logs(*number));
    let is_about = |name: &str| match asked {
        true => !["pass", "else", "end"].contains(&name),
        false => subject.iter().any(|word| word == name),
    };
    let told = fresh.filter_map(|(line, _)| {
        let name = names_of_any_length(&line).find(|name| is_about(name))?;
        Some(bends(&line, name))
    });
    told.fold(NewCode::Ignores, |so_far, bends| match (so_far, bends) {
        (NewCode::Ignores | NewCode::Bends, true) => NewCode::Bends,
        _ if asked => NewCode::Handles,
        _ => NewCode::Uses,
    })
}

/// Whether a line sets a variable to itself within limits.
fn bends(line: &str, name: &str) -> bool {
    let Some((target, value)) = line.split_once('=') else { return false };
    let has = |text: &str, word: &str| names_of_any_length(text).any(|name| name == word);
    let limits = ["max", "min", "clamp", "Max", "Min", "abs"].iter().any(|word| has(value, word));
    limits && has(target, name) && has(value, name)
}

/// What a check was about, as far as the caller gives it and the function still uses it.
pub fn given_and_used(change: &Changed<'_>, lost: &Exit) -> Vec<String> {
    let given: HashSet<&str> = names_of_any_length(&change.new.parameters).collect();
    let body = change.side.text.get(change.new.body.clone()).unwrap_or_default();
    let body = String::from_utf8_lossy(body);
    let used: HashSet<&str> = names_of_any_length(&body).collect();
    let mut subject = roots(&lost.condition);
    subject.retain(|name| given.contains(name.as_str()) && used.contains(name.as_str()));
    subject
}

/// Ranges in order, those that meet made one.
fn joined(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_unstable_by_key(|range| range.start);
    let mut joined: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}
