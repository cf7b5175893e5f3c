//! Lost tests whose values went into others: as a row of a table, as a further part, or word by word into a rewritten test.

use std::collections::HashSet;

use super::super::losses::Losses;
use super::NEARBY;
use super::claims::{share_of, values_of};
use crate::comparison::{At, Comparison, FileSide};
use crate::facts::Test;

/// So many words of a lost test a table needs that has a row for it, ...
const TABLE: f64 = 0.5;
/// ... a test that takes it over as a part, ...
const GROWN: f64 = 0.75;
/// ... and a test that has all of its values.
const VALUED: f64 = 0.3;
/// Tests that differ in this little are variants of each other.
const DOUBLE: f64 = 0.8;
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
            new.body != old.body
                && new.assertions.len() >= old.assertions.len()
                && old.body.similarity(&lost.body) >= DOUBLE
        },
    )
}

/// Whether a test that is new or was rewritten has every long value of a lost one, and says something of the same.
pub fn has_all_values(comparison: &Comparison, losses: &Losses, at: At) -> bool {
    let (side, lost) = comparison.before(at);
    let wanted = telling_values(side, lost);
    let has_all = |&new: &At| {
        let (side, test) = comparison.after(new);
        if test.assertions.len() < lost.assertions.len().max(1) || share_of(lost, test) < VALUED {
            return false;
        }
        let found: HashSet<String> = values_of(&text_of(side, test)).into_iter().collect();
        wanted.iter().all(|value| found.contains(value))
    };
    !wanted.is_empty() && losses.rewritten.iter().take(NEARBY).any(has_all)
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
