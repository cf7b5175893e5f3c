//! Places at which a production file reads otherwise, whatever functions they stand in: the lines of code that went and
//! those that came, place by place.

use super::code_lines::{existing, is_scratch, is_tooling};
use crate::comparison::{CodeLine, Comparison, FileComparison, FileSide, Place};

/// One place, as lines of code; comments and blank lines are none.
pub struct Gap<'c> {
    pub gone: Vec<&'c CodeLine>,
    pub fresh: Vec<&'c CodeLine>,
    /// The line before it, which stays, as code.
    pub above: &'c str,
    /// The line of the new side that stands there, or follows.
    pub next: u32,
}

/// The production files that a change edits, with both sides; what configures, builds or is played with aside.
pub fn edited(comparison: &Comparison) -> impl Iterator<Item = (&FileComparison, &FileSide, &FileSide)> {
    let sides = |file| existing(file).map(|(before, after)| (file, before, after));
    comparison.files.iter().filter_map(sides).filter(|(_, before, after)| {
        !after.facts.language.is_empty()
            && before.text != after.text
            && !is_scratch(&after.path)
            && !is_tooling(&after.path)
    })
}

/// Longer lines are written by programs, and too long to be gone through word by word.
const LONGEST: usize = 4096;

/// The places of one file.
pub fn gaps(file: &FileComparison) -> Vec<Gap<'_>> {
    let (Some(before), Some(after)) = (&file.before, &file.after) else { return Vec::new() };
    let (old, new) = (before.said(), after.said());
    let gap = |place: &Place| Gap {
        gone: written(&old[place.old.clone()]),
        fresh: written(&new[place.new.clone()]),
        above: place.old.start.checked_sub(1).map_or("", |at| old[at].code.as_str()),
        next: new.get(place.new.start).or(new.last()).map_or(1, |line| line.number),
    };
    let gaps = file.places().iter().map(gap);
    gaps.filter(|gap| !gap.gone.is_empty() || !gap.fresh.is_empty()).collect()
}

/// The lines that a person may have written.
fn written<'c>(lines: &[&'c CodeLine]) -> Vec<&'c CodeLine> {
    lines.iter().copied().filter(|line| line.code.len() <= LONGEST).collect()
}
