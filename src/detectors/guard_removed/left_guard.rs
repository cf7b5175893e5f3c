//! Statements that ran under a condition and now run in any case: they left the branch that is still there, or the
//! question whether something is there gave way to a mark that tells the type checker to look away.
//!
//! Part of the rule about guards. What a condition is around of is told by how far lines are set in.

use crate::comparison::FileSide;
use crate::detectors::functions::{Changed, plain};
use crate::detectors::subject::names_of_any_length;
use crate::facts::{DirectiveKind, Function, Span};

/// A statement without the condition that it had.
pub struct LeftGuard {
    pub line: u32,
    pub old_line: u32,
    pub condition: String,
    pub unchecked: bool,
}

/// Longer functions are not taken apart.
const MAX_LINES: usize = 400;

pub fn left_guard(change: &Changed<'_>) -> Option<LeftGuard> {
    if change.new.name.is_empty() {
        return None;
    }
    unchecked(change).or_else(|| set_out(change))
}

/// A statement with the heads of the branches around it.
struct Placed {
    line: u32,
    text: String,
    heads: Vec<String>,
    indent: usize,
}

/// A statement that stands right after a branch which it was the end of.
fn set_out(change: &Changed<'_>) -> Option<LeftGuard> {
    if change.pair.new.containment(&change.pair.old) < 0.8 {
        return None;
    }
    let (old, new) = (placed(change.old_side, change.old)?, placed(change.side, change.new)?);
    let once = |all: &[Placed], text: &str| all.iter().filter(|other| other.text == text).count() == 1;
    for (at, now) in new.iter().enumerate() {
        let acts = now.text.ends_with(')') || now.text.contains('=');
        if !acts
            || is_head(&now.text)
            || now.text.len() < 8
            || !once(&new, &now.text)
            || !once(&old, &now.text)
        {
            continue;
        }
        let Some(was) = old.iter().find(|old| old.text == now.text) else { continue };
        let Some((head, rest)) = was.heads.split_last() else { continue };
        let is_if = head.starts_with("if") && !head.starts_with("ifnot__name__");
        let left = is_if && rest == now.heads && once(&new, head);
        // The branch must still stand just before, do something, and not leave.
        let above: Vec<&Placed> =
            new[..at].iter().rev().take_while(|other| other.heads.contains(head)).collect();
        let leaves = |other: &&&Placed| {
            ["return", "raise", "throw", "continue", "break", "panic", "else"]
                .iter()
                .any(|word| other.text.starts_with(word))
        };
        if left && !above.is_empty() && !above.iter().any(|other| leaves(&other)) {
            let condition = as_written(change, head);
            return Some(LeftGuard { line: now.line, old_line: was.line, condition, unchecked: false });
        }
    }
    None
}

/// The condition of a head, with its white space.
fn as_written(change: &Changed<'_>, head: &str) -> String {
    let line = change.side.lines(change.new.span).find(|line| plain(line) == head).unwrap_or_default();
    line.trim().trim_start_matches("if").trim_end_matches([':', '{', ' ']).trim().to_owned()
}

fn is_head(text: &str) -> bool {
    [
        "if", "elif", "else", "for", "while", "try", "except", "catch", "finally", "with", "switch", "case",
        "return",
    ]
    .iter()
    .any(|word| text.starts_with(word))
}

/// The statements of a function, those over several lines as one.
fn placed(side: &FileSide, function: &Function) -> Option<Vec<Placed>> {
    let lines: Vec<_> = side.lines(function.span).collect();
    if lines.len() > MAX_LINES {
        return None;
    }
    let mut found: Vec<Placed> = Vec::new();
    let mut open: Vec<(usize, String)> = Vec::new();
    let mut depth = 0i64;
    for (number, line) in (function.span.start..).zip(&lines) {
        let text = plain(line);
        if text.is_empty() || text.starts_with(['#', '*']) || text.starts_with("//") {
            continue;
        }
        let brackets: i64 = text
            .bytes()
            .map(|byte| match byte {
                b'(' | b'[' => 1,
                b')' | b']' => -1,
                _ => 0,
            })
            .sum();
        if depth > 0 {
            depth += brackets;
            if let Some(last) = found.last_mut() {
                last.text.push_str(&text);
            }
            continue;
        }
        depth = brackets.max(0);
        let indent = line.len() - line.trim_start().len();
        open.retain(|(around, _)| *around < indent);
        let heads = open.iter().map(|(_, head)| head.clone()).collect();
        let text = text.trim_end_matches(';').to_owned();
        if text.ends_with([':', '{']) {
            open.push((indent, text.clone()));
        }
        found.push(Placed { line: number, text, heads, indent });
    }
    found.retain(|placed| placed.indent > 0);
    Some(found)
}

/// A value that was asked whether it is there, and of which the type checker is now told nothing.
fn unchecked(change: &Changed<'_>) -> Option<LeftGuard> {
    let inside = |line: u32| change.new.span.contains(Span { start: line, end: line });
    let directives = &change.side.facts.signals.directives;
    let marks = directives.iter().filter(|mark| mark.kind == DirectiveKind::Suppression && inside(mark.line));
    let old: Vec<String> = change.old_side.lines(change.old.span).map(|line| plain(&line)).collect();
    for mark in marks {
        let line = change.side.lines(Span { start: mark.line, end: mark.line }).next()?.into_owned();
        if old.contains(&plain(&line)) {
            continue;
        }
        let text = change.new_text();
        let asked = |name: &str, line: &str| {
            let nothing = ["isnotNone", "!==null", "!=null", "!==undefined", "!=nil"];
            line.contains("if") && nothing.iter().any(|end| line.contains(&format!("{name}{end}")))
        };
        for name in names_of_any_length(&line).filter(|name| name.len() > 2) {
            let Some(at) = old.iter().position(|line| asked(name, line)) else { continue };
            if !text.lines().any(|line| asked(name, &plain(line))) {
                let condition = name.to_owned();
                let old_line = change.old.span.start + at as u32;
                return Some(LeftGuard { line: mark.line, old_line, condition, unchecked: true });
            }
        }
    }
    None
}
