//! Tests that move to where their runner does not look, as far as files of the repository tell for sure: the names and
//! places that Maven and cargo take, the lists of pytest, jest and vitest.
//!
//! A new place can only be spoken of by files that change with it, or by a pattern: whoever finds it some other way is asked
//! for by name among the files of the change.

mod cargo;
mod lists;
mod maven;

use std::sync::Arc;

use anyhow::Result;

use super::facts::Analyzed;
use super::surroundings::{Base, has_word, lost, pairs};
use crate::collections::HashMap;
use crate::facts::{Astray, FileFacts};
use crate::git::Change;
use crate::languages::language_of;
use crate::text::contains;

/// Nobody moves more files by hand.
const MAX_MOVES: usize = 200;

/// Completes the after sides to which tests come from elsewhere; `files` in the order of the changes, the before side first.
pub fn complete(changes: &[&Change], files: &mut [Analyzed], base: &dyn Base) -> Result<()> {
    let sides = pairs(changes, files.len());
    let moves = moves(&sides, files);
    if moves.is_empty() || moves.len() > MAX_MOVES {
        return Ok(());
    }
    let found = astray(&Tree::new(&sides, files, base), files, moves)?;
    for (at, astray) in found {
        Arc::make_mut(&mut files[at].facts).collection.astray = Some(astray);
    }
    Ok(())
}

fn astray(tree: &Tree<'_>, files: &[Analyzed], moves: Vec<Move>) -> Result<Vec<(usize, Astray)>> {
    let mut found = Vec::new();
    for Move { from, to } in moves {
        let (from, to) = (&files[from], to);
        let Some(language) = language_of(&files[to].path) else { continue };
        let ask = match language.name {
            "java" => maven::why,
            "rust" => cargo::why,
            "python" => lists::of_python,
            "javascript" | "typescript" => lists::of_scripts,
            _ => continue,
        };
        if let Some(why) = ask(tree, &from.path, &files[to])? {
            found.push((to, Astray { from: from.path.clone(), why }));
        }
    }
    Ok(found)
}

/// Where tests come from, as the places of two sides.
struct Move {
    from: usize,
    to: usize,
}

/// Files with tests that change their path, and new ones that have a test which another file of their language loses.
fn moves(sides: &[(Option<usize>, Option<usize>)], files: &[Analyzed]) -> Vec<Move> {
    let has_tests = |at: &usize| !files[*at].facts.tests.is_empty();
    let renamed = sides.iter().filter_map(|&(from, to)| Some((from?, to?)));
    let renamed = renamed.filter(|(from, to)| files[*from].path != files[*to].path);
    let mut moves: Vec<Move> = renamed
        .filter(|(from, to)| has_tests(from) && has_tests(to))
        .map(|(from, to)| Move { from, to })
        .collect();
    let fresh = sides.iter().filter(|(from, _)| from.is_none()).filter_map(|&(_, to)| to);
    let fresh: Vec<usize> = fresh.filter(has_tests).collect();
    if fresh.is_empty() {
        return moves;
    }
    let mut losing: HashMap<(&str, String), usize> = HashMap::new();
    for &(from, to) in sides {
        let Some(from) = from.filter(has_tests) else { continue };
        for name in lost(&files[from], to.map(|to| &files[to])) {
            losing.entry((files[from].facts.language, name)).or_insert(from);
        }
    }
    for to in fresh {
        let facts = &files[to].facts;
        let mut origins =
            facts.tests.iter().filter_map(|test| losing.get(&(facts.language, test.name.clone())));
        moves.extend(origins.next().map(|&from| Move { from, to }));
    }
    moves
}

/// The repository as it is after the change.
struct Tree<'a> {
    base: &'a dyn Base,
    /// The files of the change by their paths; those that are gone have no side.
    touched: HashMap<&'a str, Option<&'a Analyzed>>,
}

impl<'a> Tree<'a> {
    fn new(sides: &[(Option<usize>, Option<usize>)], files: &'a [Analyzed], base: &'a dyn Base) -> Self {
        let gone = sides.iter().filter_map(|&(from, _)| Some((files[from?].path.as_str(), None)));
        let there = sides.iter().filter_map(|&(_, to)| to.map(|to| &files[to]));
        Self { base, touched: gone.chain(there.map(|file| (file.path.as_str(), Some(file)))).collect() }
    }

    fn has(&self, path: &str) -> Result<bool> {
        match self.touched.get(path) {
            Some(side) => Ok(side.is_some()),
            None => self.base.has(path),
        }
    }

    fn facts(&self, path: &str) -> Result<Option<Arc<FileFacts>>> {
        match self.touched.get(path) {
            Some(side) => Ok(side.map(|side| side.facts.clone())),
            None => self.base.facts(path),
        }
    }

    /// Whether a file that is there says a word.
    fn says(&self, path: &str, word: &str) -> Result<bool> {
        match self.touched.get(path) {
            Some(side) => Ok(side.is_some_and(|side| has_word(&side.text, word.as_bytes()))),
            None => Ok(self.base.words(path)?.is_some_and(|words| words.contains(word))),
        }
    }

    /// The same for a file whose commands may say it, too.
    fn commands_say(&self, path: &str, word: &str) -> Result<bool> {
        if self.says(path, word)? {
            return Ok(true);
        }
        let facts = self.facts(path)?;
        let checks =
            facts.iter().filter_map(|facts| facts.project.as_ref()).flat_map(|project| &project.checks);
        Ok(checks.into_iter().any(|check| has_word(check.text.as_bytes(), word.as_bytes())))
    }

    /// The other files of the change as they are after it.
    fn others(&self, but: &str) -> impl Iterator<Item = &Analyzed> {
        self.touched.values().filter_map(|side| *side).filter(move |side| side.path != but)
    }

    /// Whether another file of the change has one of some texts.
    fn is_spoken_of(&self, path: &str, texts: &[String]) -> bool {
        self.others(path).any(|side| texts.iter().any(|text| contains(&side.text, text.as_bytes())))
    }

    /// The folders around a file that have one of some files, the nearest first, the root as an empty text.
    fn folders_with(&self, path: &str, names: &[&str]) -> Result<Vec<String>> {
        let mut found = Vec::new();
        for folder in folders(path) {
            for name in names {
                if self.has(&joined(folder, name))? {
                    found.push(folder.to_owned());
                    break;
                }
            }
        }
        Ok(found)
    }
}

/// The folders around a file, the nearest first.
fn folders(path: &str) -> impl Iterator<Item = &str> {
    fn above(path: &str) -> &str {
        path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }
    std::iter::successors(Some(above(path)), |folder| (!folder.is_empty()).then(|| above(folder)))
}

fn joined(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// A path as seen from a folder around it.
fn below<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    if folder.is_empty() { Some(path) } else { path.strip_prefix(folder)?.strip_prefix('/') }
}

/// The name of a file without its ending.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_around_a_file_end_with_the_root() {
        assert_eq!(folders("a/b/c.rs").collect::<Vec<_>>(), ["a/b", "a", ""]);
        assert_eq!(folders("c.rs").collect::<Vec<_>>(), [""]);
        assert_eq!(
            (below("a/b.rs", "a"), below("ab/b.rs", "a"), below("b.rs", "")),
            (Some("b.rs"), None, Some("b.rs"))
        );
        assert_eq!((stem("a/cart.test.ts"), stem("Makefile")), ("cart.test", "Makefile"));
    }
}
