//! A test file that both sides have, as those see it who read the places at which it differs.

use std::ops::Range;

use crate::collections::{HashMap, HashSet};
pub use crate::comparison::Place;
use crate::comparison::{At, CodeLine, Comparison, FileComparison, FileSide};
use crate::facts::{Assertion, Span, Test};
use crate::pairing::Fate;

/// Lines of longer places are not put together.
const LONG: usize = 120;

/// A test file that both sides have, with the lines that say something.
pub struct Pages<'a> {
    pub before: &'a FileSide,
    pub after: &'a FileSide,
    pub old: Vec<&'a CodeLine>,
    pub new: Vec<&'a CodeLine>,
    pub places: &'a [Place],
    /// Tests that live on in this file: those of the before side and of the after side.
    pub kept: Vec<(&'a Test, &'a Test)>,
}

impl<'a> Pages<'a> {
    pub fn of(comparison: &'a Comparison, index: usize) -> Option<Self> {
        let FileComparison { before: Some(before), after: Some(after), .. } = &comparison.files[index] else {
            return None;
        };
        let (old, new, places) = (before.said(), after.said(), comparison.files[index].places());
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
