//! Lost tests that stand somewhere else in the result: in another module to which they had been copied or moved before, or
//! in a file that the change puts in place of several.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;

use super::{Lost, Source, from};
use crate::collections::HashMap;
use crate::comparison::{Comparison, FileSide};
use crate::detectors::checked_nothing;
use crate::facts::{FileFacts, Level, Test};
use crate::finding::{Finding, Severity};
use crate::languages::language_of;
use crate::paths::{PathClass, class_by_name};
use crate::text::{contains, name_words};

/// So many names are looked for in all of the tests.
const MAX_NAMES: usize = 40;

/// So many files that name one of them are taken apart.
const MAX_FILES: usize = 60;

/// A test of the same name.
#[derive(Clone)]
struct Twin {
    path: String,
    /// Where its file stood before the change.
    origin: String,
    test: Test,
}

/// Lowers findings about tests that stand elsewhere.
pub fn lower(comparison: &Comparison, findings: &mut [Finding], outcome: &dyn Source) -> Result<()> {
    let lost = from(Severity::Medium, comparison, findings);
    if lost.is_empty() {
        return Ok(());
    }
    let mut twins = Twins { merged: outcome.is_merged(), ..Twins::default() };
    for file in &comparison.files {
        if let Some(side) = &file.after {
            let origin = file.before.as_ref().map_or(&side.path, |before| &before.path);
            twins.add(&side.path, origin, &side.facts, &lost);
        }
    }
    let mut told = twins.explain(&lost);
    if told.len() < lost.len() {
        twins.look_beside(&lost, outcome)?;
        told = twins.explain(&lost);
    }
    // What is only warned about is not worth to look through all tests for.
    let blocks = |lost: &&Lost<'_>| findings[lost.finding].severity >= Severity::High;
    if lost.iter().filter(blocks).any(|lost| !told.contains_key(&lost.finding)) {
        twins.look_everywhere(&lost, outcome)?;
        told = twins.explain(&lost);
    }
    for (finding, (severity, path)) in told {
        let much = if severity == Severity::Low { "says the same" } else { "speaks of much the same" };
        findings[finding].lower(severity, format!("a test of this name that {much} stands in {path}"));
    }
    Ok(())
}

/// The tests that bear the names of lost ones, by name.
#[derive(Default)]
struct Twins {
    found: HashMap<String, Vec<Twin>>,
    read: BTreeSet<String>,
    merged: bool,
}

impl Twins {
    fn add(&mut self, path: &str, origin: &str, facts: &FileFacts, lost: &[Lost<'_>]) {
        let is_wanted = |test: &&Test| {
            !test.is_skipped() && lost.iter().any(|lost| lost.tests.iter().any(|one| one.name == test.name))
        };
        for test in facts.tests.iter().filter(is_wanted) {
            let twin = Twin { path: path.to_owned(), origin: origin.to_owned(), test: test.clone() };
            self.found.entry(test.name.clone()).or_default().push(twin);
        }
    }

    /// Reads the files that are called like one that lost tests: most of what moved kept its name.
    fn look_beside(&mut self, lost: &[Lost<'_>], outcome: &dyn Source) -> Result<()> {
        let names: BTreeSet<&str> = lost.iter().map(|lost| file_name(&lost.side.path)).collect();
        let paths = outcome.paths().into_iter().filter(|path| names.contains(file_name(path)));
        self.read_all(paths.take(MAX_FILES).collect(), lost, outcome)
    }

    /// Reads the test files that name a lost test.
    fn look_everywhere(&mut self, lost: &[Lost<'_>], outcome: &dyn Source) -> Result<()> {
        let told = self.explain(lost);
        let open = lost.iter().filter(|lost| !told.contains_key(&lost.finding));
        let mut names: BTreeMap<(&'static str, bool), BTreeSet<&str>> = BTreeMap::new();
        for lost in open {
            let Some(language) = language_of(&lost.side.path) else { continue };
            // Where tests stand among the code, so may their twins.
            let key = (language.name, class_by_name(&lost.side.path) == PathClass::Test);
            names.entry(key).or_default().extend(lost.tests.iter().map(|test| test.name.as_str()));
        }
        for ((language, apart), names) in names {
            let names: Vec<&str> =
                names.into_iter().filter(|name| is_telling(name)).take(MAX_NAMES).collect();
            let is_wanted = |path: &str| {
                let is_like = language_of(path).is_some_and(|it| it.name == language);
                is_like && (!apart || class_by_name(path) == PathClass::Test)
            };
            let mut paths = Vec::new();
            outcome.read(&is_wanted, &mut |path, text| {
                if names.iter().any(|name| contains(text, name.as_bytes())) {
                    paths.push(path.to_owned());
                }
                !names.is_empty() && paths.len() < MAX_FILES
            })?;
            self.read_all(paths, lost, outcome)?;
        }
        Ok(())
    }

    fn read_all(&mut self, paths: Vec<String>, lost: &[Lost<'_>], outcome: &dyn Source) -> Result<()> {
        for path in paths {
            if self.read.insert(path.clone())
                && let Some(facts) = outcome.facts(&path)?
            {
                self.add(&path, &path, &facts, lost);
            }
        }
        Ok(())
    }

    /// The findings all of whose tests stand elsewhere, with how severe they are then, and where the first one is.
    fn explain(&self, lost: &[Lost<'_>]) -> HashMap<usize, (Severity, String)> {
        let explained = |lost: &Lost<'_>| {
            let mut severity = Severity::Low;
            let mut place = None;
            for test in lost.tests.iter().filter(|test| checked_nothing(test).is_none()) {
                let twins = self.found.get(&test.name)?;
                let best =
                    twins.iter().filter_map(|twin| Some((self.stands_for(lost.side, test, twin)?, twin)));
                let (found, twin) = best.min_by_key(|(severity, _)| *severity)?;
                severity = severity.max(found);
                place.get_or_insert_with(|| twin.path.clone());
            }
            Some((lost.finding, (severity, place?)))
        };
        lost.iter().filter_map(explained).collect()
    }

    /// How severe the loss of a test is, given one of the same name.
    fn stands_for(&self, side: &FileSide, lost: &Test, twin: &Twin) -> Option<Severity> {
        let same_part = lost.suite == twin.test.suite && side.path != twin.origin;
        if lost.level == Level::Template
            || twin.test.level == Level::Template
            || lost.level == Level::Subtest && !same_part
        {
            return None;
        }
        let found = lost.words.iter().filter(|&word| twin.test.words.has_hash(word)).count();
        let share = found as f64 / lost.words.len().max(1) as f64;
        let as_much = 2 * twin.test.assertions.len() >= lost.assertions.len();
        let words = name_words(&lost.name).len();
        let all = self.found.get(&lost.name).map_or(&[][..], Vec::as_slice);
        let files: BTreeSet<&str> = all.iter().map(|twin| twin.path.as_str()).collect();
        // In its own file a test of the same name was there before, and said something else.
        let is_elsewhere = side.path != twin.origin;
        let is_rare = is_elsewhere && files.len() <= RARE && words >= NAMED;
        let is_long = is_elsewhere && files.len() <= RARE && words > 1 && lost.words.len() >= LONG;
        let is_moved = self.merged && file_name(&side.path) == file_name(&twin.path);
        let is_beside = is_elsewhere && (is_moved || is_same_place(&side.path, lost, twin));
        // Parts of a repository may have copies of each other's tests, each for its own code.
        let is_one = files.len() <= RARE && words >= NAMED || is_moved || lost.level == Level::Shared;
        let says_all = is_one
            && share >= 1.0
            && lost.body.containment(&twin.test.body) >= COPIED
            && twin.test.assertions.len() >= lost.assertions.len();
        if says_all
            || as_much
                && (is_beside && share >= BESIDE
                    || is_rare && share >= NAMESAKE
                    || is_long && share >= AT_LENGTH)
        {
            return Some(Severity::Low);
        }
        let is_sentence = is_rare && words >= WELL_NAMED && as_much;
        (is_sentence && share >= ALIKE).then_some(if share >= SENTENCE {
            Severity::Low
        } else {
            Severity::Medium
        })
    }
}

/// Names of fewer words are borne by tests of many things.
const NAMED: usize = 3;
const WELL_NAMED: usize = 4;
/// A name that more files have says little about what a test is about.
const RARE: usize = 2;

/// So much of its body a twin has that says all of it.
const COPIED: f64 = 0.6;
/// So much a twin says of what a lost test said, for one in a file or a class of the same name, ...
const BESIDE: f64 = 0.5;
/// ... for one with a rare name, ...
const NAMESAKE: f64 = 0.85;
/// ... for one that has many words, ...
const LONG: usize = 30;
const AT_LENGTH: f64 = 0.75;
/// ... for one whose name is a sentence, ...
const SENTENCE: f64 = 0.65;
/// ... and for one that may be meant to say the same.
const ALIKE: f64 = 0.4;

/// Whether a twin stands in a class or a file that bears the name of the lost test's own.
fn is_same_place(path: &str, lost: &Test, twin: &Twin) -> bool {
    let stem = |path: &str| file_name(path).split('.').next().unwrap_or_default().to_owned();
    let same_class = lost.suite.last().is_some_and(|suite| Some(suite) == twin.test.suite.last());
    let class = lost.suite.last().map_or(0, |suite| name_words(suite).len());
    same_class && class > 1 || stem(path) == stem(&twin.path) && name_words(&stem(path)).len() > 1
}

pub fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Whether a name is worth looking for in all files.
fn is_telling(name: &str) -> bool {
    name.len() >= 8 && name_words(name).len() >= 2
}
