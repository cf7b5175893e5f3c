//! What code says about the run as a whole, in whatever language: calls that end it, and lists of tests to run.

use std::ops::Range;

use crate::facts::{Named, RunEnd};
use crate::text::occurrences;

/// Calls that end a program with what they are given.
const EXITS: &[&str] = &["os.Exit(", "sys.exit(", "os._exit(", "process.exit(", "System.exit("];

/// Calls and annotations that are given the types whose tests are to run.
const LISTS: &[&str] =
    &["addTestSuite(", "SuiteClasses(", "SelectClasses(", "loadTestsFromTestCase(", "makeSuite("];

/// As many entries of a file are kept, and as much of a list is read.
const KEPT: usize = 512;
const LIST: usize = 16 * 1024;

/// The calls of a text that end the run, those in comments aside.
pub(super) fn ends(text: &[u8], comments: &[Range<usize>]) -> Vec<RunEnd> {
    let mut lines = Lines { text, at: 0, line: 1 };
    let found = found(text, comments, EXITS).into_iter().take(KEPT);
    let end = |(at, name): (usize, &str)| {
        let given = text[at + name.len()..].split(|&byte| byte == b')').next().unwrap_or_default();
        RunEnd { line: lines.of(at), well: matches!(given.trim_ascii(), b"0" | b"") }
    };
    found.map(end).collect()
}

/// The types that lists of tests name, those in comments aside.
pub(super) fn registered(text: &[u8], comments: &[Range<usize>]) -> Vec<Named> {
    let mut lines = Lines { text, at: 0, line: 1 };
    let mut names = Vec::new();
    let mut read = 0;
    for (at, name) in found(text, comments, LISTS).into_iter().take(KEPT) {
        // A list inside a list has been read with it.
        let mut place = (at + name.len()).max(read);
        let rest = &text[place..text.len().min(place + LIST)];
        let end = rest.iter().position(|&byte| byte == b')').unwrap_or(rest.len());
        read = place + end;
        for word in rest[..end].split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_') {
            let is_type = word.first().is_some_and(u8::is_ascii_uppercase);
            if is_type && !is_in(comments, place) && names.len() < KEPT {
                let name = String::from_utf8_lossy(word).into_owned();
                names.push(Named { name, line: lines.of(place) });
            }
            place += word.len() + 1;
        }
    }
    names
}

/// Where one of some words stands outside comments, in order.
fn found<'w>(text: &[u8], comments: &[Range<usize>], words: &[&'w str]) -> Vec<(usize, &'w str)> {
    // All of them end with a bracket, of which there are fewer than bytes.
    let place = |at: usize| {
        let end = at + 1;
        let word = words.iter().find(|word| text[..end].ends_with(word.as_bytes()))?;
        Some((end - word.len(), *word))
    };
    let mut places: Vec<(usize, &str)> = occurrences(text, b"(").filter_map(place).collect();
    places.retain(|(at, _)| !is_in(comments, *at));
    places
}

/// Whether a byte stands in a comment; comments are in order.
fn is_in(comments: &[Range<usize>], at: usize) -> bool {
    let next = comments.partition_point(|comment| comment.end <= at);
    comments.get(next).is_some_and(|comment| comment.start <= at)
}

/// Counts lines from one place of a text to the next.
struct Lines<'t> {
    text: &'t [u8],
    at: usize,
    line: u32,
}

impl Lines<'_> {
    fn of(&mut self, at: usize) -> u32 {
        let passed = self.text.get(self.at..at).unwrap_or_default();
        self.line += u32::try_from(passed.iter().filter(|&&byte| byte == b'\n').count()).unwrap_or(0);
        self.at = self.at.max(at);
        self.line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_told_by_what_they_are_given() {
        let text = b"if err != nil {\n\tos.Exit(1)\n}\n// os.Exit(0)\nos.Exit( 0 )\nos.Exit(code)\n";
        let comment = 30..43;
        let ends: Vec<(u32, bool)> = ends(text, &[comment]).iter().map(|end| (end.line, end.well)).collect();
        assert_eq!(ends, [(2, false), (5, true), (6, false)]);
    }

    #[test]
    fn lists_name_types() {
        let text = b"@SuiteClasses({\n  CartTest.class,\n  UserTest.class\n})\nsuite.addTestSuite(OrderTest.class);\n";
        let names: Vec<(u32, String)> =
            registered(text, &[]).into_iter().map(|one| (one.line, one.name)).collect();
        let expected = [(2, "CartTest"), (3, "UserTest"), (5, "OrderTest")];
        assert_eq!(names, expected.map(|(line, name)| (line, name.to_owned())));
    }
}
