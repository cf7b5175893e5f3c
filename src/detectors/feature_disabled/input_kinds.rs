//! Kinds of input that a function took and takes no more: a branch for one type, or a parameter with the branch that it
//! decided about, is gone and nothing stands in its place.
//!
//! Part of the rule about disabled features. Tests or documents that change with it tell of an intent.

use super::{draft, lower_by_intent};
use crate::collections::HashSet;
use crate::comparison::{Comparison, FileSide};
use crate::detectors::functions::{Changed, plain};
use crate::detectors::hunks::{Hunk, hunks};
use crate::detectors::report::excerpt;
use crate::detectors::subject::names_of_any_length;
use crate::facts::{ExitKind, Span};
use crate::finding::{Finding, Severity, Side};
use crate::paths::PathClass;

/// Longer branches are features of their own, which other rules tell of.
const MAX_LINES: u32 = 14;

/// So much of the new function must have been there before.
const KEPT: f64 = 0.9;

/// Types that went with an old version of a language.
const OLD: &[&str] = &["unicode", "basestring", "long", "buffer", "xrange", "file"];

/// Documentation stands so many lines above a function.
const ABOVE: u32 = 30;

pub fn dropped(comparison: &Comparison, change: &Changed<'_>) -> Option<Finding> {
    if change.new.name.is_empty() || change.pair.old.len() <= change.pair.new.len() {
        return None;
    }
    let (line, message, name) = documented(change).or_else(|| branch(comparison, change))?;
    let mut finding = change.finding(draft(message, 0.72), Side::Before, line);
    finding.before = excerpt(change.old_side, Span { start: line, end: line + 3 }, line, "this was taken");
    finding.after = change.head_after("now it is not");
    finding.lower(Severity::Medium, "nobody may have used it");
    if let Some(test) = comparison.files.iter().find(|file| file.class == PathClass::Test) {
        let path = test.after.as_ref().or(test.before.as_ref()).map_or("a test", |side| side.path.as_str());
        finding.lower(Severity::Low, format!("{path} changes with it"));
    }
    lower_by_intent(comparison, &mut finding, &name);
    Some(finding)
}

/// A branch for one type that is gone, and nothing is in its place.
fn branch(comparison: &Comparison, change: &Changed<'_>) -> Option<(u32, String, String)> {
    if change.pair.new.containment(&change.pair.old) < KEPT {
        return None;
    }
    let takes = |hunk: &Hunk| {
        hunk.old.end - hunk.old.start <= MAX_LINES
            && hunk.old.end > hunk.old.start + 1
            && hunk.new.start == hunk.new.end
    };
    hunks(change).into_iter().filter(takes).find_map(|hunk| {
        let refuses = change.old.exits.iter().any(|exit| {
            hunk.old.contains(&exit.line) && (exit.kind.refuses() || exit.kind == ExitKind::Denies)
        });
        let head = change
            .old_side
            .lines(Span { start: hunk.old.start, end: hunk.old.start })
            .next()?
            .trim()
            .to_owned();
        let name = asked_type(&head).filter(|_| !refuses)?;
        let gone = comparison.production.removed_definitions.contains(&name)
            || OLD.contains(&name.as_str())
            || names_all(comparison, &name, true) >= names_all(comparison, &name, false);
        let others = change.new_text();
        let last = names_of_any_length(&others).any(|word| word == name);
        let message = format!("{} no longer deals with `{name}`", change.title());
        (!gone && !last).then_some((hunk.old.start, message, name))
    })
}

/// The type that the head of a branch asks for.
fn asked_type(head: &str) -> Option<String> {
    let asks = head.starts_with("if") || head.starts_with("elif") || head.starts_with("} else if");
    let rest = if asks && head.contains("isinstance(") {
        head.split_once("isinstance(")?.1.split_once(',')?.1
    } else if asks && head.contains("instanceof ") {
        head.split_once("instanceof ")?.1
    } else {
        let case = head.strip_prefix("case ")?;
        let is_type = case.chars().next().is_some_and(|c| c.is_uppercase() || c == '*') || case.contains('.');
        if is_type { case } else { return None }
    };
    let rest = rest.split([')', ':', '{', '&', '|']).next()?.trim();
    let one = !rest.contains([',', '(', '"', '\'']);
    names_of_any_length(rest).last().filter(|_| one).map(str::to_owned)
}

/// A parameter that is gone with the branch that it decided about, while the documentation still tells of it.
fn documented(change: &Changed<'_>) -> Option<(u32, String, String)> {
    let now: HashSet<&str> = names_of_any_length(&change.new.parameters).collect();
    let code = change.new_text();
    let gone =
        names_of_any_length(&change.old.parameters).filter(|name| !now.contains(name) && name.len() > 2);
    for name in gone {
        let asks = [
            format!("if{name}"),
            format!("if({name}"),
            format!("ifnot{name}"),
            format!("if!{name}"),
            format!("if(!{name}"),
        ];
        let lines = (change.old.span.start..).zip(change.old_side.lines(change.old.span));
        let decided = lines.into_iter().find(|(_, line)| {
            let line = plain(line);
            asks.iter().any(|ask| line.starts_with(ask.as_str()))
        });
        let Some((line, _)) = decided else { continue };
        if !code
            .lines()
            .any(|line| plain(line).starts_with("if") && names_of_any_length(line).any(|word| word == name))
            && tells_of(change.side, change.new.span, name)
        {
            let message = format!(
                "{} no longer takes `{name}`, which its documentation still tells of",
                change.title()
            );
            return Some((line, message, name.to_owned()));
        }
    }
    None
}

/// Whether documentation in or above a function explains a parameter.
fn tells_of(side: &FileSide, span: Span, name: &str) -> bool {
    let around = Span { start: span.start.saturating_sub(ABOVE).max(1), end: span.end };
    side.lines(around).any(|line| {
        let line = line.trim().trim_start_matches(['*', '/', '#', ' ', '-', ':', '@']);
        let explains = line.strip_prefix("param").is_some_and(|rest| {
            let rest = rest.split(['}', ']']).next_back().unwrap_or(rest);
            names_of_any_length(rest).next() == Some(name)
        });
        explains || line.starts_with(&format!("{name} (")) || line.starts_with(&format!("{name} :"))
    })
}

/// How often production code of the change names something, on one side.
fn names_all(comparison: &Comparison, name: &str, after: bool) -> usize {
    let files = comparison.files.iter().filter(|file| file.class == PathClass::Production);
    let sides = files.filter_map(|file| if after { file.after.as_ref() } else { file.before.as_ref() });
    let count = |side: &FileSide| {
        let text = String::from_utf8_lossy(&side.text);
        names_of_any_length(&text).filter(|word| *word == name).count()
    };
    sides.map(count).sum()
}
