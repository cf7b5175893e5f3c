//! Where a test file reads otherwise: the lines that went and the lines that came, place by place.
//!
//! Lines are compared as code, without white space and comments. What both sides have once holds the rest apart, so that a
//! long file with changes all over it costs no more than its length.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::comparison::{At, CodeLine, Comparison, FileComparison, FileSide};
use crate::facts::{Assertion, Span, Test};
use crate::pairing::Fate;

/// Stretches without a line that both sides have once are compared line by line up to this length.
const LONG: usize = 120;

/// A test file that both sides have, with the lines that say something.
pub struct Pages<'a> {
    pub before: &'a FileSide,
    pub after: &'a FileSide,
    pub old: Vec<&'a CodeLine>,
    pub new: Vec<&'a CodeLine>,
    pub places: Vec<Place>,
    /// Tests that live on in this file: those of the before side and of the after side.
    pub kept: Vec<(&'a Test, &'a Test)>,
}

/// A place at which the file reads otherwise, as lines among those that say something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub old: Range<usize>,
    pub new: Range<usize>,
}

impl<'a> Pages<'a> {
    pub fn of(comparison: &'a Comparison, index: usize) -> Option<Self> {
        let FileComparison { before: Some(before), after: Some(after), .. } = &comparison.files[index] else {
            return None;
        };
        let code = |side: &'a FileSide| -> Vec<&'a CodeLine> {
            side.code().iter().filter(|line| !line.code.is_empty()).collect()
        };
        let (old, new) = (code(before), code(after));
        let mut places = Vec::new();
        gaps(&old, &new, (0..old.len(), 0..new.len()), DEPTH, &mut places);
        let kept = |(at, fate): &(At, Fate)| match fate {
            Fate::Same { after, .. } if after.file == index && at.file == index => {
                Some((comparison.before(*at).1, comparison.after(*after).1))
            }
            _ => None,
        };
        let mut kept: Vec<(&Test, &Test)> = comparison.pairing.fates.iter().filter_map(kept).collect();
        // A test that only calls what it was lives on under its name.
        let names: HashMap<String, &Test> =
            before.facts.tests.iter().map(|test| (test.qualified_name(), test)).collect();
        let known: HashSet<Span> = kept.iter().map(|(_, new)| new.span).collect();
        let others = after.facts.tests.iter().filter(|test| !known.contains(&test.span));
        kept.extend(others.filter_map(|test| Some((*names.get(&test.qualified_name())?, test))));
        Some(Self { before, after, old, new, places, kept })
    }

    /// A line of the before side as it is written, without the white space around it.
    pub fn old_text(&self, at: usize) -> String {
        text(self.before, self.old[at].number)
    }

    pub fn new_text(&self, at: usize) -> String {
        text(self.after, self.new[at].number)
    }

    /// Lines of a place that may continue each other: one by one, or those that begin alike.
    pub fn pairs(&self, place: &Place) -> Vec<(usize, usize)> {
        if place.old.len() == place.new.len() {
            return place.old.clone().zip(place.new.clone()).collect();
        }
        if place.old.len().max(place.new.len()) > LONG {
            return Vec::new();
        }
        let head = |code: &str| code.chars().take(HEAD).collect::<String>();
        let partner = |old: usize| {
            let begins = head(&self.old[old].code);
            let alike = place.new.clone().find(|new| head(&self.new[*new].code) == begins);
            alike.or_else(|| self.only_one(place, old)).map(|new| (old, new))
        };
        place.old.clone().filter_map(partner).collect()
    }

    /// The one condition, loop or return of the after side of a place, for the one of the before side.
    fn only_one(&self, place: &Place, old: usize) -> Option<usize> {
        let word =
            ["if", "for", "while", "return"].into_iter().find(|word| self.old[old].code.starts_with(word))?;
        let mut others = place.old.clone().filter(|at| self.old[*at].code.starts_with(word));
        let mut new = place.new.clone().filter(|at| self.new[*at].code.starts_with(word));
        let found = new.next().filter(|_| new.next().is_none())?;
        (others.next() == Some(old) && others.next().is_none()).then_some(found)
    }

    /// The kept test around a line of the after side, the innermost one.
    pub fn test_at(&self, line: u32) -> Option<(&'a Test, &'a Test)> {
        let around = self.kept.iter().filter(|(_, new)| new.span.start <= line && line <= new.span.end);
        around.max_by_key(|(_, new)| new.span.start).copied()
    }

    /// What the kept test or the helper around a line of the after side asserts, and what it is called.
    pub fn asserting_at(&self, line: u32) -> Option<(String, Vec<&'a Assertion>)> {
        if let Some((_, test)) = self.test_at(line) {
            return Some((test.qualified_name(), test.assertions.iter().collect()));
        }
        let definitions = &self.after.facts.definitions;
        let around = definitions.iter().filter(|one| one.span.start <= line && line <= one.span.end);
        let helper = around.max_by_key(|one| one.span.start)?;
        let was_there = self.before.facts.definitions.iter().any(|old| old.name == helper.name);
        (was_there && !helper.assertions.is_empty())
            .then(|| (helper.name.clone(), helper.assertions.iter().collect()))
    }

    /// The lines of a block of the after side that a line opens, by how far they are indented.
    pub fn block_below(&self, at: usize) -> Range<usize> {
        let depth = |at: usize| indent(self.after, self.new[at].number);
        let open = depth(at);
        let end = (at + 1..self.new.len()).find(|next| depth(*next) <= open).unwrap_or(self.new.len());
        at + 1..end
    }
}

/// So much of the beginning two lines have in common that may continue each other.
const HEAD: usize = 6;

fn text(side: &FileSide, line: u32) -> String {
    let written = side.lines(Span { start: line, end: line }).next().unwrap_or_default();
    written.trim().to_owned()
}

/// How far a line is indented.
pub fn indent(side: &FileSide, line: u32) -> usize {
    let written = side.lines(Span { start: line, end: line }).next().unwrap_or_default();
    written.len() - written.trim_start().len()
}

/// Files that do not come apart after so many steps are compared no further.
const DEPTH: usize = 24;

/// The places between what both sides have in common.
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
        let mut places = Vec::new();
        gaps(&old, &new, (0..old.len(), 0..new.len()), DEPTH, &mut places);
        places.into_iter().map(|place| (place.old, place.new)).collect()
    }

    #[test]
    fn each_place_stands_by_itself() {
        assert_eq!(places("a b c d e", "a x c d y z e"), [(1..2, 1..2), (4..4, 4..6)]);
        assert_eq!(places("a b a b a", "a b a"), [(3..5, 3..3)]);
        assert_eq!(places("a b", "a b"), []);
        assert_eq!(places("a a b a a c a a", "a a x a a c a a"), [(2..3, 2..3)]);
    }
}
