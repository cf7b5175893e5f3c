//! What an edit left alone: functions, tests and definitions of another version of a file that stand in this one as they
//! were, some lines further up or down. What is known of them need not be found out again.

use std::ops::Range;

use tree_sitter::{InputEdit, Node};

use super::builder::Spoken;
use super::signals::{LIST_LIMIT, PROBE_LIMIT};
use super::span_of;
use crate::facts::{Definition, FileFacts, Function, Shift, Signals, Span, Test};
use crate::similarity::{Body, Words};

/// The facts of another version, and how its text became this one.
pub(super) struct Kept<'a> {
    facts: &'a FileFacts,
    /// What the packs took for comments.
    spoken: &'a [Spoken],
    stretches: Vec<Stretch>,
    /// Whether what stands on some lines is found in the lists of signals.
    are_in_order: bool,
}

/// A function without checks that stands as it stood, on lines of its own.
pub(super) struct Plain<'a> {
    pub shift: Shift,
    /// What is defined inside of it.
    pub inside: &'a [Definition],
    pub spoken: &'a [Spoken],
}

/// Bytes of the new text that the old one has, too, as whole lines.
struct Stretch {
    new: Range<usize>,
    /// Its lines, from 1.
    lines: Range<i64>,
    shift: Shift,
}

impl<'a> Kept<'a> {
    /// `edits` lead from the old text to the new one, the last one first.
    pub fn new(facts: &'a FileFacts, spoken: &'a [Spoken], edits: &[InputEdit]) -> Self {
        let mut stretches = Vec::with_capacity(edits.len() + 1);
        let (mut at, mut line, mut shift) = (0, 1, Shift::default());
        for edit in edits.iter().rev() {
            let start = edit.start_byte.saturating_add_signed(shift.bytes);
            let first = edit.start_position.row as i64 + 1 + shift.lines;
            stretches.push(Stretch { new: at..start, lines: line..first, shift });
            shift.bytes += edit.new_end_byte as isize - edit.old_end_byte as isize;
            shift.lines += edit.new_end_position.row as i64 - edit.old_end_position.row as i64;
            at = edit.old_end_byte.saturating_add_signed(shift.bytes);
            line = edit.old_end_position.row as i64 + 1 + shift.lines;
        }
        stretches.push(Stretch { new: at..usize::MAX, lines: line..i64::MAX, shift });
        // Lists that may be full are cut where the file is read.
        let are_in_order =
            facts.signals.are_in_order(LIST_LIMIT / 2) && facts.signals.probes.len() <= PROBE_LIMIT / 2;
        Self { facts, spoken, stretches, are_in_order }
    }

    /// How far a node moved that no edit touched, where nothing else stands on its lines.
    fn alone(&self, node: Node<'_>, text: &[u8]) -> Option<Shift> {
        let bytes = node.byte_range();
        let shift = self.shift(&bytes)?;
        let goes_on = |byte: &&u8| **byte != b'\n';
        let mut before = text.get(..bytes.start)?.iter().rev().take_while(goes_on);
        let mut behind = text.get(bytes.end..)?.iter().take_while(goes_on);
        let is_blank = |byte: &u8| byte.is_ascii_whitespace();
        (before.all(is_blank) && behind.all(is_blank)).then_some(shift)
    }

    /// The signals of the other version, with the lines and bytes of a function in it and how far it moved.
    pub fn signals(&self, node: Node<'_>, text: &[u8]) -> Option<(&'a Signals, Span, Range<usize>, Shift)> {
        let shift = self.alone(node, text).filter(|_| self.are_in_order)?;
        let back = |byte: usize| byte.saturating_add_signed(-shift.bytes);
        let bytes = back(node.start_byte())..back(node.end_byte());
        Some((&self.facts.signals, shift.back(span_of(node)), bytes, shift))
    }

    /// A definition of a function that neither is a test nor has to do with any.
    pub fn plain(&self, node: Node<'_>, definition: &Definition, text: &[u8]) -> Option<Plain<'a>> {
        let shift = self.alone(node, text)?;
        let span = shift.back(definition.span);
        let listed = &self.facts.definitions;
        let from = &listed[listed.partition_point(|one| one.span.start < span.start)..];
        let inside = from.iter().take_while(|one| one.span.start <= span.end).count();
        let (own, inside) = from.get(..inside)?.split_first()?;
        let is_it = own.span == span && own.name == definition.name && own.kind == definition.kind;
        let asks = |one: &Definition| !one.assertions.is_empty() || one.in_suite != definition.in_suite;
        if !is_it || asks(own) || inside.iter().any(asks) || self.has_tests_on(span) {
            return None;
        }
        let bytes = |byte: usize| byte.saturating_add_signed(-shift.bytes);
        let first = self.spoken.partition_point(|one| one.bytes.start < bytes(node.start_byte()));
        let count = self.spoken[first..].partition_point(|one| one.bytes.start < bytes(node.end_byte()));
        Some(Plain { shift, inside, spoken: &self.spoken[first..first + count] })
    }

    fn has_tests_on(&self, lines: Span) -> bool {
        let tests = self.facts.tests.iter().chain(self.facts.macro_tests.iter().map(|test| &test.test));
        let mut spans = tests.map(|test| test.span);
        spans.any(|span| span.start <= lines.end && lines.start <= span.end)
    }

    /// How far some bytes moved that no edit touched.
    fn shift(&self, new: &Range<usize>) -> Option<Shift> {
        let before = self.stretches.partition_point(|stretch| stretch.new.start <= new.start);
        let stretch = self.stretches[..before].last().filter(|stretch| new.end <= stretch.new.end)?;
        Some(stretch.shift)
    }

    /// Where some lines stood that no edit touched.
    fn lines_before(&self, new: Span) -> Option<Span> {
        let (start, end) = (i64::from(new.start), i64::from(new.end));
        let before = self.stretches.partition_point(|stretch| stretch.lines.start <= start);
        let stretch = self.stretches[..before].last().filter(|stretch| end < stretch.lines.end)?;
        Some(stretch.shift.back(new))
    }

    /// The function that stood where a node stands now, with those inside of it, and how far they moved.
    pub fn function(&self, node: Node<'_>, name: &str) -> Option<(&'a [Function], Shift)> {
        let shift = self.shift(&node.byte_range())?;
        let back = |byte: usize| byte.saturating_add_signed(-shift.bytes);
        let whole = back(node.start_byte())..back(node.end_byte());
        // The first one is the file itself.
        let listed = self.facts.functions.get(1..)?;
        let from = &listed[listed.partition_point(|one| one.whole.start < whole.start)..];
        from.first().filter(|one| one.whole == whole && one.name == name)?;
        let inside = from.iter().take_while(|one| one.whole.start < whole.end).count();
        Some((&from[..inside], shift))
    }

    /// The fingerprints of a test that stands as it stood.
    pub fn test(&self, test: &Test) -> Option<(Words, Body)> {
        let span = self.lines_before(test.span)?;
        let listed = &self.facts.tests;
        let from = &listed[listed.partition_point(|one| one.span.start < span.start)..];
        let here = from.iter().take_while(|one| one.span.start == span.start);
        let is_it = |one: &&Test| one.span == span && one.name == test.name && one.suite == test.suite;
        let old = only(here.filter(is_it))?;
        Some((old.words.clone(), old.body.clone()))
    }

    /// Those of a definition.
    pub fn definition(&self, definition: &Definition) -> Option<(Words, Body)> {
        let span = self.lines_before(definition.span)?;
        let listed = &self.facts.definitions;
        let from = &listed[listed.partition_point(|one| one.span.start < span.start)..];
        let here = from.iter().take_while(|one| one.span.start == span.start);
        let is_it = |one: &&Definition| one.span == span && one.name == definition.name;
        let old = only(here.filter(|one| is_it(one) && one.kind == definition.kind))?;
        Some((old.words.clone(), old.body.clone()))
    }

    /// The comments of the old text within some of its bytes.
    pub fn comments(&self, within: &Range<usize>) -> &'a [Range<usize>] {
        let all = self.facts.functions.first().map_or(&[][..], |file| &file.comments);
        let first = all.partition_point(|comment| comment.start < within.start);
        let count = all[first..].iter().take_while(|comment| comment.start < within.end).count();
        &all[first..first + count]
    }
}

/// The one there is; none where several things stand on one line.
fn only<T>(mut found: impl Iterator<Item = T>) -> Option<T> {
    let one = found.next()?;
    found.next().is_none().then_some(one)
}
