//! The tests that a change loses and those it has in their place, counted once for all that ask.

use crate::collections::HashMap;
use crate::comparison::{At, Comparison, FileSide};
use crate::facts::{Level, Test};
use crate::pairing::Fate;

/// What is asked of every lost test; to count anew for each would take the square of their number.
pub struct Losses {
    /// The tests that are gone.
    pub removed: Vec<At>,
    /// How many of them each file had.
    gone: HashMap<usize, usize>,
    /// How many new ones each file has, named parts and skipped ones aside.
    added: HashMap<usize, usize>,
    /// New tests that run, named parts included.
    pub new: Vec<At>,
    /// Those of the tests that run which are new, or do not say what they said.
    pub rewritten: Vec<At>,
    /// Whether the tests that run assert at least as much as those that ran.
    pub asserts_no_less: bool,
    /// The tests of each file of the after side that run, with what they were: kept ones first.
    running: HashMap<usize, Vec<(At, Option<At>)>>,
}

impl Losses {
    pub fn of(comparison: &Comparison, removed: Vec<At>) -> Self {
        let mut losses = Self {
            gone: HashMap::new(),
            added: HashMap::new(),
            new: Vec::new(),
            rewritten: Vec::new(),
            asserts_no_less: !removed.is_empty() && asserts_no_less(comparison),
            running: HashMap::new(),
            removed,
        };
        // Nobody asks where nothing is lost.
        if losses.removed.is_empty() {
            return losses;
        }
        for at in &losses.removed {
            *losses.gone.entry(at.file).or_default() += 1;
        }
        let kept = comparison.pairing.fates.iter().filter_map(|(old, fate)| match fate {
            Fate::Same { after, .. } => Some((*after, Some(*old))),
            _ => None,
        });
        let added = comparison.pairing.added.iter().map(|&new| (new, None));
        for (new, old) in kept.chain(added) {
            let test = comparison.after(new).1;
            if test.is_skipped() {
                continue;
            }
            losses.running.entry(new.file).or_default().push((new, old));
            if old.is_none_or(|old| comparison.before(old).1.words != test.words) {
                losses.rewritten.push(new);
            }
            if old.is_none() {
                losses.new.push(new);
                *losses.added.entry(new.file).or_default() += usize::from(test.level == Level::Definition);
            }
        }
        losses
    }

    /// The lost tests of a file.
    pub fn of_file(&self, file: usize) -> impl Iterator<Item = At> {
        self.removed.iter().copied().filter(move |at| at.file == file)
    }

    /// How many tests a file lost, or all files.
    pub fn gone(&self, file: Option<usize>) -> usize {
        file.map_or(self.removed.len(), |file| self.gone.get(&file).copied().unwrap_or(0))
    }

    /// How many new tests a file has, or all files.
    pub fn added(&self, file: Option<usize>) -> usize {
        match file {
            Some(file) => self.added.get(&file).copied().unwrap_or(0),
            None => self.added.values().sum(),
        }
    }

    /// How many cases the lost tests of a file had and how many its new ones have; the rows of a table count one by one.
    pub fn cases(&self, comparison: &Comparison, file: usize) -> (usize, usize) {
        let rows = |test: &Test| test.cases.unwrap_or(1) as usize;
        let gone = self.of_file(file).map(|at| rows(comparison.before(at).1)).sum();
        let added = self.running(file).iter().filter(|(_, old)| old.is_none());
        (gone, added.map(|(new, _)| rows(comparison.after(*new).1)).sum())
    }

    /// The tests of a file that run after the change, with what they were before it.
    pub fn running(&self, file: usize) -> &[(At, Option<At>)] {
        self.running.get(&file).map_or(&[], Vec::as_slice)
    }

    /// The files that are gone with all their tests, in order.
    pub fn whole_files(&self, comparison: &Comparison) -> Vec<usize> {
        let is_whole = |file: &usize| {
            let sides = &comparison.files[*file];
            let before = sides.before.as_ref().filter(|_| sides.after.is_none());
            let listed = before.map_or(0, |before| before.facts.listed_tests().count());
            listed > 0 && self.gone(Some(*file)) >= listed
        };
        let mut files: Vec<usize> = self.gone.keys().copied().filter(is_whole).collect();
        files.sort_unstable();
        files
    }
}

fn asserts_no_less(comparison: &Comparison) -> bool {
    let count = |side: &FileSide| -> usize {
        let running = side.facts.listed_tests().filter(|test| !test.is_skipped());
        running.map(|test| test.assertions.len()).sum()
    };
    let before: usize = comparison.files.iter().filter_map(|file| file.before.as_ref()).map(count).sum();
    let after: usize = comparison.files.iter().filter_map(|file| file.after.as_ref()).map(count).sum();
    after >= before
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::{FileComparison, FileSide};
    use crate::languages::{Source, analyze};
    use crate::paths::PathClass;

    fn side(text: &str) -> Option<FileSide> {
        let facts = analyze(Source { path: "test_a.py", text: text.as_bytes() });
        Some(FileSide::new("test_a.py".to_owned(), facts, text.as_bytes().into()))
    }

    #[test]
    fn losses_and_what_is_new_are_counted_by_file() {
        let (a, b) = ("def test_a():\n    assert f(1) == 1\n", "def test_b():\n    assert g([2]).x\n");
        let skipped = "@pytest.mark.skip\ndef test_c():\n    assert h().y is None\n";
        let whole = FileComparison::new(side(&format!("{a}{b}")), None, PathClass::Test);
        let part = FileComparison::new(side(a), side(&format!("{b}{skipped}")), PathClass::Test);
        let comparison = Comparison::new("HEAD".to_owned(), vec![whole, part]);
        let at = |file, test| At { file, test };
        let losses = Losses::of(&comparison, vec![at(0, 0), at(0, 1), at(1, 0)]);
        assert_eq!((losses.gone(None), losses.gone(Some(0)), losses.gone(Some(1))), (3, 2, 1));
        assert_eq!(losses.whole_files(&comparison), [0]);
        let running: Vec<At> = losses.running(1).iter().map(|(new, _)| *new).collect();
        assert_eq!((running, losses.running(0).len()), (vec![at(1, 0)], 0));
        assert_eq!(losses.added(None), losses.added(Some(1)));
    }
}
