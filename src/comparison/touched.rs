//! What the production code that changes speaks of: the definitions that differ, what uses them in the same files, and every
//! name on the lines that differ.

use super::production::is_setup;
use super::{FileComparison, FileSide, vanished};
use crate::collections::HashSet;
use crate::facts::{Definition, Span};
use crate::paths::PathClass;
use crate::similarity::hash;

/// Larger files are written by programs.
const LARGE: usize = 1 << 20;

/// So many steps are gone from what differs to what uses it.
const STEPS: usize = 3;

/// A change with more words on its lines may have to do with anything, and is gone through no further.
const MANY: usize = 1000;

/// Shorter names stand for many things.
const MIN_NAME: usize = 3;

/// What the change does to production code, as names.
#[derive(Debug, Default)]
pub struct Touched {
    /// Something changes that nobody can read line by line, or too much does.
    pub is_open: bool,
    /// Paths of the files of production code that change.
    pub paths: Vec<String>,
    /// Names of definitions around the lines that differ, and of those in the same files that lead to them.
    pub definitions: HashSet<String>,
    /// Hashes of the words on the lines that differ.
    pub words: HashSet<u64>,
}

impl Touched {
    pub(super) fn of(files: &[FileComparison]) -> Self {
        let mut touched = Self::default();
        let production = files.iter().filter(|file| file.class == PathClass::Production);
        for file in production.filter(|file| !is_setup(file)) {
            let sides = || file.before.iter().chain(&file.after);
            if sides().any(|side| side.text.len() > LARGE || side.text.contains(&0)) {
                touched.is_open = true;
                return touched;
            }
            touched.paths.extend(sides().map(|side| side.path.clone()));
            touched.add(file.before.as_ref(), file.after.as_ref());
            touched.add(file.after.as_ref(), file.before.as_ref());
            if touched.is_open {
                return touched;
            }
        }
        touched.follow(files);
        touched
    }

    /// What one side has and the other has not.
    fn add(&mut self, side: Option<&FileSide>, other: Option<&FileSide>) {
        let Some(side) = side else { return };
        let own = vanished(side.code(), other.into_iter().flat_map(|other| other.code()));
        let lines = side.code().iter().filter(|line| own.contains_key(line.code.as_str()));
        for number in lines.map(|line| line.number) {
            if self.words.len() > MANY {
                self.is_open = true;
                return;
            }
            let here = Span { start: number, end: number };
            for text in side.lines(here) {
                let words = text.split(|c: char| !is_name_part(c)).filter(|word| word.len() >= MIN_NAME);
                self.words.extend(words.map(|word| hash(word.as_bytes())));
            }
            // Of a method that differs, its class says little: every other method has that, too.
            let around = side.facts.definitions.iter().filter(|one| one.span.contains(here));
            self.definitions.extend(named(around.max_by_key(|one| one.span.start).into_iter()));
        }
    }

    /// Adds the definitions of the files that change whose code names what is touched.
    fn follow(&mut self, files: &[FileComparison]) {
        let sides = files.iter().filter(|file| file.class == PathClass::Production);
        let sides: Vec<&FileSide> = sides.flat_map(|file| file.before.iter().chain(&file.after)).collect();
        for _ in 0..STEPS {
            let leads = |one: &&Definition| self.definitions.iter().any(|name| one.words.contains(name));
            let all = sides.iter().flat_map(|side| &side.facts.definitions);
            let more: Vec<String> =
                named(all.filter(leads)).filter(|name| !self.definitions.contains(name)).collect();
            if more.is_empty() {
                return;
            }
            self.definitions.extend(more);
        }
    }
}

fn named<'d>(definitions: impl Iterator<Item = &'d Definition>) -> impl Iterator<Item = String> {
    definitions.map(|one| one.name.clone()).filter(|name| name.len() >= MIN_NAME)
}

fn is_name_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}
