//! Lines of a kept test that stand in a comment now: an input, a column, a step that it no longer takes.
//!
//! Assertions that became comments, and whole tests, are told of elsewhere.

use super::places::{Pages, Place};
use super::reading::Told;
use crate::text::{clipped, one_line};

/// More lines at once are a test written anew.
const MANY: usize = 60;

/// Shorter lines say little by themselves.
const SHORT: usize = 10;

/// What is written for whoever reads the output.
const PRINTS: &[&str] = &[
    "print",
    "console.",
    "log",
    "debug",
    "dbg!",
    "fmt.Print",
    "System.out",
    "pprint",
    "import",
    "breakpoint",
    "Parallel(",
    "parallel",
    "Helper(",
    "leep",
    "pdb",
];

pub fn read(pages: &Pages<'_>, place: &Place) -> Option<Told> {
    let gone = &pages.old[place.old.clone()];
    if gone.is_empty() || gone.len() > MANY {
        return None;
    }
    gone.iter().find_map(|line| {
        let (_, test) = pages
            .kept
            .iter()
            .find(|(old, _)| old.span.start <= line.number && line.number <= old.span.end)?;
        if !does_something(&line.code)
            || test.is_skipped()
            || test.assertions.is_empty()
            || is_asserted(pages, line.number)
        {
            return None;
        }
        let inside = pages
            .after
            .code()
            .iter()
            .filter(|one| test.span.start <= one.number && one.number <= test.span.end);
        let mut comments = inside.filter(|one| one.code.is_empty() && !one.documents);
        let comment = comments.find(|one| one.bared == line.code)?;
        let was_there = pages.before.code().iter().any(|one| one.code.is_empty() && one.bared == line.code);
        (!was_there).then(|| Told {
            message: format!(
                "a line of the test {} became a comment: `{}`",
                test.qualified_name(),
                clipped(&one_line(&line.code), 80)
            ),
            help: "make the test pass with it".to_owned(),
            old: Some(line.number),
            new: Some(comment.number),
            name: Some(test.qualified_name()),
        })
    })
}

/// Whether a line sets or calls something that the test may depend on.
fn does_something(code: &str) -> bool {
    let acts = code.contains('=') || code.contains('(') || code.ends_with(',');
    code.len() >= SHORT && acts && !PRINTS.iter().any(|word| code.contains(word))
}

fn is_asserted(pages: &Pages<'_>, line: u32) -> bool {
    pages.kept.iter().flat_map(|(old, _)| &old.assertions).any(|one| one.line == line)
}
