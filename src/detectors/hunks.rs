//! Which lines of a function stand in the place of which: where a change takes and gives, place by place.

use std::ops::Range;

use super::functions::{Changed, agreement, names, overlap};
use crate::comparison::FileSide;
use crate::facts::{Function, Span};

/// A place of a function that reads otherwise, as lines of both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    pub old: Range<u32>,
    pub new: Range<u32>,
}

/// Longer stretches that differ are no single place.
const LONG: usize = 160;

/// The places at which a function reads otherwise, comments and white space aside. None where too much of it does.
pub fn hunks(change: &Changed<'_>) -> Vec<Hunk> {
    let (old, new) = (code(change.old_side, change.old), code(change.side, change.new));
    let ends = (change.old.span.end + 1, change.new.span.end + 1);
    between(&old, &new, ends)
}

/// A line of code with its number.
pub type Line = (u32, String);

/// A line that reads like another has so many of its names, those that both have counting a little more.
const ALIKE: f64 = 0.75;

/// Places of more lines were written anew.
const PLACE: usize = 8;

/// The lines of the old side and those that took their place, one for one, where places are small.
pub fn pairs(change: &Changed<'_>) -> Vec<(Line, Line)> {
    let lines = |side: &FileSide, range: &Range<u32>| -> Vec<Line> {
        let span = Span { start: range.start, end: range.end.saturating_sub(1) };
        let numbered = (range.start..).zip(side.lines(span).map(|line| line.trim().to_owned()));
        numbered.take_while(|(number, _)| *number < range.end).filter(|(_, line)| !line.is_empty()).collect()
    };
    let mut found = Vec::new();
    for hunk in hunks(change) {
        let (old, new) = (lines(change.old_side, &hunk.old), lines(change.side, &hunk.new));
        if old.len() > PLACE || new.len() > 2 * PLACE {
            continue;
        }
        for line in old {
            if let Some(best) = partner(&line.1, &new) {
                found.push((line, best.clone()));
            }
        }
    }
    found
}

/// The line that reads most like another, if any reads like it.
pub fn partner<'l>(line: &str, others: &'l [Line]) -> Option<&'l Line> {
    let said = names(line);
    let alike = |other: &Line| overlap(&said, &names(&other.1)) + agreement(&said, &names(&other.1)) / 2.0;
    let best = others.iter().max_by(|a, b| alike(a).total_cmp(&alike(b)));
    best.filter(|best| alike(best) >= ALIKE)
}

/// The lines of a function that say something, with their numbers.
fn code(side: &FileSide, function: &Function) -> Vec<(u32, String)> {
    let is_comment = |number: u32| {
        let line = side.bytes(Span { start: number, end: number });
        let text = side.text.get(line.clone()).unwrap_or_default();
        let start = line.start + text.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        function.comments.iter().any(|comment| comment.start <= start && start < comment.end)
    };
    let lines = (function.span.start..).zip(side.lines(function.span));
    let lines = lines.map(|(number, line)| (number, line.trim().to_owned()));
    lines.filter(|(number, line)| !line.is_empty() && !is_comment(*number)).collect()
}

fn between(old: &[(u32, String)], new: &[(u32, String)], ends: (u32, u32)) -> Vec<Hunk> {
    let same = |one: &(u32, String), other: &(u32, String)| one.1 == other.1;
    let head = old.iter().zip(new).take_while(|(one, other)| same(one, other)).count();
    let rest = old[head..].iter().rev().zip(new[head..].iter().rev());
    let tail = rest.take_while(|(one, other)| same(one, other)).count();
    let (mid_old, mid_new) = (&old[head..old.len() - tail], &new[head..new.len() - tail]);
    if mid_old.len() > LONG || mid_new.len() > LONG {
        return Vec::new();
    }
    let at = |lines: &[(u32, String)], at: usize, end: u32| lines.get(at).map_or(end, |line| line.0);
    let mut hunks: Vec<Hunk> = Vec::new();
    for (from, to) in gaps(mid_old, mid_new) {
        hunks.push(Hunk {
            old: at(old, head + from.start, ends.0)..at(old, head + from.end, ends.0),
            new: at(new, head + to.start, ends.1)..at(new, head + to.end, ends.1),
        });
    }
    hunks
}

/// What stands between the lines that both have, those that only close something aside.
fn gaps(old: &[(u32, String)], new: &[(u32, String)]) -> Vec<(Range<usize>, Range<usize>)> {
    let says = |line: &str| line.contains(|c: char| c.is_alphanumeric());
    let mut longest = vec![vec![0u16; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            longest[i][j] = if old[i].1 == new[j].1 && says(&old[i].1) {
                longest[i + 1][j + 1] + 1
            } else {
                longest[i + 1][j].max(longest[i][j + 1])
            };
        }
    }
    let (mut i, mut j, mut gaps) = (0, 0, Vec::new());
    let (mut from, mut to) = (0, 0);
    while i < old.len() && j < new.len() {
        if old[i].1 == new[j].1 && says(&old[i].1) {
            if from < i || to < j {
                gaps.push((from..i, to..j));
            }
            (i, j) = (i + 1, j + 1);
            (from, to) = (i, j);
        } else if longest[i + 1][j] >= longest[i][j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    if from < old.len() || to < new.len() {
        gaps.push((from..old.len(), to..new.len()));
    }
    gaps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<(u32, String)> {
        (1..).zip(text.split(';').map(|line| line.trim().to_owned())).collect()
    }

    #[test]
    fn each_place_has_its_own_hunk() {
        let hunks = between(&lines("a; b; c; d; e"), &lines("a; x; c; d; y; z; e"), (6, 8));
        assert_eq!(hunks, vec![Hunk { old: 2..3, new: 2..3 }, Hunk { old: 5..5, new: 5..7 }]);
    }

    #[test]
    fn lines_that_only_close_hold_nothing_apart() {
        let hunks = between(&lines("a; b; }; c; }; d"), &lines("a; x; }; y; }; d"), (7, 7));
        assert_eq!(hunks, vec![Hunk { old: 2..5, new: 2..5 }]);
    }
}
