//! Lost tests whose values went into others: as a row of a table or as a further part; and variants of tests
//! that are rewritten.

use std::collections::HashSet;

use super::super::losses::Losses;
use super::NEARBY;
use super::claims::{share_of, values_of};
use crate::comparison::{At, Comparison, FileSide};
use crate::facts::Test;

/// So many words of a lost test a table needs that has a row for it, ...
const TABLE: f64 = 0.5;
/// ... and a test that takes it over as a part.
const GROWN: f64 = 0.8;
/// Tests of some length that differ in this little are variants of each other.
const VARIANT: usize = 60;
const DOUBLE: f64 = 0.88;
/// Tests of fewer words are all alike.
const SAID: usize = 25;
/// Shorter values are found in many tests.
const LONG: usize = 8;

/// The test of the file that has a new row with what a lost one was given, by name.
pub fn row_of(comparison: &Comparison, losses: &Losses, at: At) -> Option<String> {
    let (side, lost) = comparison.before(at);
    let values = telling_values(side, lost);
    if values.is_empty() {
        return None;
    }
    let has_row = |&&(new, old): &&(At, Option<At>)| {
        let test = comparison.after(new).1;
        let known: HashSet<&String> = old.iter().flat_map(|old| &comparison.before(*old).1.rows).collect();
        let mut fresh = test.rows.iter().filter(|row| !known.contains(row));
        !test.assertions.is_empty()
            && share_of(lost, test) >= TABLE
            && fresh.any(|row| values.iter().any(|value| row.contains(value.as_str())))
    };
    let heir = losses.running(at.file).iter().take(NEARBY).find(has_row)?;
    Some(comparison.after(heir.0).1.qualified_name())
}

/// The kept test of the file that has the words of a lost one, and as many more assertions as that had.
pub fn grown(comparison: &Comparison, losses: &Losses, at: At) -> Option<String> {
    let (_, lost) = comparison.before(at);
    let asserted = lost.assertions.len();
    let takes_over = |&&(new, old): &&(At, Option<At>)| {
        let Some(old) = old else { return false };
        let (test, before) = (comparison.after(new).1, comparison.before(old).1);
        asserted > 0
            && lost.words.len() >= SAID
            && test.assertions.len() >= before.assertions.len() + asserted
            && share_of(lost, test) >= GROWN
            && test.body.len() > before.body.len()
    };
    let heir = losses.running(at.file).iter().take(NEARBY).find(takes_over)?;
    Some(comparison.after(heir.0).1.qualified_name())
}

/// Whether a kept test of the file was much like the lost one before, and now says something else.
pub fn has_changed_double(comparison: &Comparison, losses: &Losses, at: At) -> bool {
    let (_, lost) = comparison.before(at);
    let kept = losses.running(at.file).iter().take(NEARBY);
    kept.filter_map(|&(new, old)| Some((comparison.after(new).1, comparison.before(old?).1))).any(
        |(new, old)| {
            lost.body.len() >= VARIANT
                && new.body != old.body
                && new.assertions.len() >= old.assertions.len()
                && old.body.similarity(&lost.body) >= DOUBLE
        },
    )
}

/// The values of a test that no other one has by chance.
fn telling_values(side: &FileSide, test: &Test) -> Vec<String> {
    let mut values = values_of(&text_of(side, test));
    values.retain(|value| value.len() >= LONG);
    values
}

fn text_of(side: &FileSide, test: &Test) -> String {
    side.lines(test.span).collect::<Vec<_>>().join("\n")
}
