//! Lost tests whose values went into others: as a row of a table or as a further part; and variants of tests
//! that are rewritten.

use super::NEARBY;
use super::claims::{literals_of, share_of, values_of};
use crate::assertions::split;
use crate::collections::HashSet;
use crate::comparison::{At, Comparison, FileSide};
use crate::detectors::test_removed::losses::Losses;
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
/// What goes in, and what comes out.
const PAIR: usize = 2;
/// Shorter values are found in many tests.
const LONG: usize = 8;

/// The test of the file that has a new row with what a lost one was given, by name.
pub fn row_of(comparison: &Comparison, losses: &Losses, at: At) -> Option<String> {
    let (side, lost) = comparison.before(at);
    let values = telling_values(side, lost);
    // Short values tell only where all of them are there in their order.
    let all = values_of(&text_of(side, lost));
    if values.is_empty() && all.len() < PAIR {
        return None;
    }
    let is_whole = |row: &String| all.len() >= PAIR && literals_of(row) == all;
    let has_row = |&&(new, old): &&(At, Option<At>)| {
        let test = comparison.after(new).1;
        let known: HashSet<&String> = old.iter().flat_map(|old| &comparison.before(*old).1.rows).collect();
        let mut fresh = test.rows.iter().filter(|row| !known.contains(row));
        !test.assertions.is_empty()
            && share_of(lost, test) >= TABLE
            && fresh.any(|row| is_whole(row) || values.iter().any(|value| row.contains(value.as_str())))
    };
    let heir = losses.running(at.file).iter().take(NEARBY).find(has_row)?;
    Some(comparison.after(heir.0).1.qualified_name())
}

/// So many words of a row the test needs that the row became ...
const ROW: f64 = 0.6;
/// ... and so many of the whole.
const PART: f64 = 0.25;

/// Whether each row of a lost test has become a new test of the file, each another one.
pub fn is_split_up(comparison: &Comparison, losses: &Losses, at: At) -> bool {
    let (_, lost) = comparison.before(at);
    if lost.rows.len() < 2 {
        return false;
    }
    let new = losses.running(at.file).iter().filter(|(_, old)| old.is_none()).take(NEARBY);
    let mut left: Vec<&Test> = new.map(|(new, _)| comparison.after(*new).1).collect();
    left.retain(|test| !test.assertions.is_empty() && share_of(lost, test) >= PART);
    let mut becomes_one = |row: &String| {
        let has = |test: &&Test| share_of_row(row, &lost.rows, test) >= ROW;
        let found = left.iter().position(has)?;
        Some(left.remove(found))
    };
    lost.rows.iter().all(|row| becomes_one(row).is_some())
}

/// How many of the words by which a row differs from the others a test has.
fn share_of_row(row: &str, all: &[String], test: &Test) -> f64 {
    let is_common = |word: &str| all.iter().all(|other| split(other).any(|one| one == word));
    let own: Vec<&str> = split(row).filter(|word| word.len() > 1 && !is_common(word)).collect();
    let found = own.iter().filter(|word| test.words.contains(word)).count();
    found as f64 / own.len().max(1) as f64
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
