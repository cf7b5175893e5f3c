//! Where a file reads otherwise: the lines that went and the lines that came, place by place.
//!
//! Lines are compared as code, without white space and comments. What both sides have once holds the rest apart, so that a
//! long file with changes all over it costs no more than its length.

use std::ops::Range;

use super::CodeLine;
use crate::collections::HashMap;

/// Stretches without a line that both sides have once are compared line by line up to this length.
const LONG: usize = 120;

/// A place at which a file reads otherwise, as lines among those that say something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub old: Range<usize>,
    pub new: Range<usize>,
}

/// The places between what two texts have in common.
pub(super) fn places(old: &[&CodeLine], new: &[&CodeLine]) -> Vec<Place> {
    let mut found = Vec::new();
    gaps(old, new, (0..old.len(), 0..new.len()), DEPTH, &mut found);
    found
}

/// Files that do not come apart after so many steps are compared no further.
const DEPTH: usize = 24;

/// Those of two stretches.
fn gaps(
    old: &[&CodeLine],
    new: &[&CodeLine],
    (a, b): (Range<usize>, Range<usize>),
    depth: usize,
    into: &mut Vec<Place>,
) {
    let same = |i: usize, j: usize| old[i].code == new[j].code;
    let (mut a, mut b) = (a, b);
    while !a.is_empty() && !b.is_empty() && same(a.start, b.start) {
        (a.start, b.start) = (a.start + 1, b.start + 1);
    }
    while !a.is_empty() && !b.is_empty() && same(a.end - 1, b.end - 1) {
        (a.end, b.end) = (a.end - 1, b.end - 1);
    }
    if a.is_empty() && b.is_empty() {
        return;
    }
    let anchors = if depth > 0 { anchors(old, new, &a, &b) } else { Vec::new() };
    if anchors.is_empty() {
        return between(old, new, (a, b), into);
    }
    let (mut i, mut j) = (a.start, b.start);
    for (at, partner) in anchors {
        gaps(old, new, (i..at, j..partner), depth - 1, into);
        (i, j) = (at + 1, partner + 1);
    }
    gaps(old, new, (i..a.end, j..b.end), depth - 1, into);
}

/// Lines that stand once in either stretch, in the same order on both sides.
fn anchors(old: &[&CodeLine], new: &[&CodeLine], a: &Range<usize>, b: &Range<usize>) -> Vec<(usize, usize)> {
    if a.is_empty() || b.is_empty() {
        return Vec::new();
    }
    let mut once: HashMap<&str, [Vec<usize>; 2]> = HashMap::new();
    for (side, lines, stretch) in [(0, old, a), (1, new, b)] {
        for at in stretch.clone() {
            once.entry(&lines[at].code).or_default()[side].push(at);
        }
    }
    let mut common: Vec<(usize, usize)> = once
        .values()
        .filter_map(|[a, b]| match (a.as_slice(), b.as_slice()) {
            ([a], [b]) => Some((*a, *b)),
            _ => None,
        })
        .collect();
    common.sort_unstable();
    rising(&common)
}

/// The longest part of a sorted list in which the second numbers rise, too.
fn rising(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; pairs.len()];
    for (at, (_, second)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].1 < *second);
        before[at] = length.checked_sub(1).map(|last| ends[last]);
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut chain = Vec::with_capacity(ends.len());
    let mut at = ends.last().copied();
    while let Some(here) = at {
        chain.push(pairs[here]);
        at = before[here];
    }
    chain.reverse();
    chain
}

/// The same line by line, where no line stands out.
fn between(
    old: &[&CodeLine],
    new: &[&CodeLine],
    (a, b): (Range<usize>, Range<usize>),
    into: &mut Vec<Place>,
) {
    if a.is_empty() || b.is_empty() || a.len() > LONG || b.len() > LONG {
        into.push(Place { old: a, new: b });
        return;
    }
    let mut longest = vec![vec![0u16; b.len() + 1]; a.len() + 1];
    let says = |i: usize| old[i].code.contains(|c: char| c.is_alphanumeric());
    let same = |i: usize, j: usize| old[a.start + i].code == new[b.start + j].code && says(a.start + i);
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            longest[i][j] = match same(i, j) {
                true => longest[i + 1][j + 1] + 1,
                false => longest[i + 1][j].max(longest[i][j + 1]),
            };
        }
    }
    let (mut i, mut j, mut from, mut to) = (0, 0, 0, 0);
    let mut push = |from: usize, i: usize, to: usize, j: usize| {
        if from < i || to < j {
            into.push(Place { old: a.start + from..a.start + i, new: b.start + to..b.start + j });
        }
    };
    while i < a.len() && j < b.len() {
        if same(i, j) {
            push(from, i, to, j);
            (i, j) = (i + 1, j + 1);
            (from, to) = (i, j);
        } else if longest[i + 1][j] >= longest[i][j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    push(from, a.len(), to, b.len());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(old: &str, new: &str) -> Vec<(Range<usize>, Range<usize>)> {
        let lines = |text: &str| -> Vec<CodeLine> {
            let line = |(code, number): (&str, u32)| CodeLine {
                number,
                code: code.to_owned(),
                bared: String::new(),
                documents: false,
                beside: false,
            };
            text.split(' ').zip(1..).map(line).collect()
        };
        let (old, new) = (lines(old), lines(new));
        let (old, new): (Vec<&CodeLine>, Vec<&CodeLine>) = (old.iter().collect(), new.iter().collect());
        super::places(&old, &new).into_iter().map(|place| (place.old, place.new)).collect()
    }

    #[test]
    fn each_place_stands_by_itself() {
        assert_eq!(places("a b c d e", "a x c d y z e"), [(1..2, 1..2), (4..4, 4..6)]);
        assert_eq!(places("a b a b a", "a b a"), [(3..5, 3..3)]);
        assert_eq!(places("a b", "a b"), []);
        assert_eq!(places("a a b a a c a a", "a a x a a c a a"), [(2..3, 2..3)]);
    }
}
