//! Places at which a production file reads otherwise, whatever functions they stand in: the lines of code that went and
//! those that came, place by place.

use super::code_lines::{existing, is_scratch, is_tooling};
use super::lines::aligned;
use crate::comparison::{CodeLine, Comparison, FileSide};

/// One place, as lines of code; comments and blank lines are none.
pub struct Gap<'c> {
    pub gone: Vec<&'c CodeLine>,
    pub fresh: Vec<&'c CodeLine>,
    /// The line before it, which stays, as code.
    pub above: &'c str,
    /// The line of the new side that stands there, or follows.
    pub next: u32,
}

/// The production files that a change edits; what configures, builds or is played with aside.
pub fn edited(comparison: &Comparison) -> impl Iterator<Item = (&FileSide, &FileSide)> {
    let files = comparison.files.iter().filter_map(existing);
    files.filter(|(before, after)| {
        !after.facts.language.is_empty()
            && before.text != after.text
            && !is_scratch(&after.path)
            && !is_tooling(&after.path)
    })
}

/// The places of one file. None where too much of it is new.
pub fn gaps<'c>(before: &'c FileSide, after: &'c FileSide) -> Vec<Gap<'c>> {
    let says = |line: &&CodeLine| !line.code.is_empty();
    let (old, new): (Vec<&CodeLine>, Vec<&CodeLine>) =
        (before.code().iter().filter(says).collect(), after.code().iter().filter(says).collect());
    let texts = |lines: &[&CodeLine]| lines.iter().map(|line| line.code.clone()).collect::<Vec<_>>();
    let Some(pairs) = aligned(&texts(&old), &texts(&new)) else { return Vec::new() };
    let mut found = Vec::new();
    let (mut was, mut is) = (0, 0);
    for (at, to) in pairs.into_iter().chain([(old.len(), new.len())]) {
        if was < at || is < to {
            let above = was.checked_sub(1).map_or("", |at| old[at].code.as_str());
            let next = new.get(is).or(new.last()).map_or(1, |line| line.number);
            found.push(Gap { gone: old[was..at].to_vec(), fresh: new[is..to].to_vec(), above, next });
        }
        (was, is) = (at + 1, to + 1);
    }
    found
}
