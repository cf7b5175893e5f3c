//! Tests of a base class that a class takes over only to switch them off: by a skip, an empty body, or nothing at all.
//!
//! Part of the rule about skipped tests. A base of the same file is known; of one from elsewhere it is only known that there
//! is one, so a test counts as taken over only where it does nothing of its own.

use crate::comparison::{At, Comparison, FileSide};
use crate::detectors::evidence::does_nothing;
use crate::facts::{Span, Test};

/// Bases that have no tests of their own.
const PLAIN: &[&str] = &[
    "object",
    "TestCase",
    "IsolatedAsyncioTestCase",
    "SimpleTestCase",
    "TransactionTestCase",
    "ABC",
    "Generic",
    "Protocol",
];

/// A head of a class is no longer than this.
const HEAD_LINES: u32 = 4;

/// Whether a new test takes the place of one that its class had from a base before.
pub fn takes_over(comparison: &Comparison, at: At) -> bool {
    let (after, test) = comparison.after(at);
    let Some(before) = &comparison.files[at.file].before else { return false };
    let Some(class) = test.suite.last() else { return false };
    let bases = bases_of(before, class);
    if bases.is_empty() || bases != bases_of(after, class) {
        return false;
    }
    let named = |side: &FileSide| {
        let of_base = |other: &&Test| {
            other.name == test.name && other.suite.last().is_some_and(|suite| bases.contains(suite))
        };
        side.facts.tests.iter().any(|other| of_base(&other))
    };
    let is_defined_here = bases.iter().any(|base| defines(before, base));
    named(before) || !is_defined_here && (is_bare(test) || only_hands_on(after, test))
}

/// Whether a test has no body of its own, and no skip either.
pub fn is_emptied(test: &Test) -> bool {
    test.skip.is_none() && test.assertions.is_empty() && (does_nothing(test) || test.body.len() <= EMPTY)
}

/// Whether a test has nothing but a skip, or not even that.
fn is_bare(test: &Test) -> bool {
    let skips = test.skip.is_some() && test.body.len() <= SKIP;
    test.assertions.is_empty() && (skips || is_emptied(test))
}

/// A body of so few tokens only leaves: `return`, a line that says why.
const EMPTY: usize = 3;
/// One of so few only skips: `raise unittest.SkipTest("not here")`.
const SKIP: usize = 12;

/// `super().test_total()` and nothing else.
fn only_hands_on(side: &FileSide, test: &Test) -> bool {
    let calls = [format!("super().{}(", test.name), format!("super.{}(", test.name)];
    test.assertions.is_empty()
        && side.lines(test.span).any(|line| calls.iter().any(|call| line.contains(call.as_str())))
}

fn defines(side: &FileSide, class: &str) -> bool {
    head(side, class).is_some()
}

/// The bases of a class that may have tests, by their last names.
pub fn bases_of(side: &FileSide, class: &str) -> Vec<String> {
    let Some(head) = head(side, class) else { return Vec::new() };
    let inside = match head.split_once(" extends ") {
        Some((_, rest)) => rest.split([' ', '{', '<']).next().unwrap_or_default().to_owned(),
        None => {
            let rest = head.split_once('(').map_or("", |(_, rest)| rest);
            rest.split(')').next().unwrap_or_default().to_owned()
        }
    };
    let last = |base: &str| base.trim().rsplit('.').next().unwrap_or_default().to_owned();
    let named = inside.split(',').filter(|base| !base.contains('=')).map(last);
    named.filter(|base| !base.is_empty() && !PLAIN.contains(&base.as_str())).collect()
}

/// The head of a class as it is written, on one line.
fn head(side: &FileSide, class: &str) -> Option<String> {
    let opens = |line: &str| {
        let Some((_, rest)) = line.split_once("class ") else { return false };
        let name = rest.trim_start().split(|c: char| !(c.is_alphanumeric() || c == '_')).next();
        name == Some(class) && !line.trim_start().starts_with(['#', '/', '*'])
    };
    let whole = Span { start: 1, end: u32::MAX };
    let at = side.lines(whole).position(|line| opens(&line))? as u32 + 1;
    let lines: Vec<_> = side.lines(Span { start: at, end: at + HEAD_LINES }).collect();
    let text = lines.join(" ");
    let end = text.find("):").map(|at| at + 1).or_else(|| text.find('{')).unwrap_or(text.len());
    Some(text[..end].to_owned())
}
