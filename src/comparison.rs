//! Both sides of a change as facts, with the tests paired: what detectors look at.

mod code;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use crate::assertions::{self, Changed};
use crate::facts::{Comment, Definition, DefinitionKind, FileFacts, Health, Span, Test};
use crate::pairing::{self, Candidates, FunctionPairing, Pairing};
use crate::paths::{PathClass, class_by_name};
use crate::similarity::Body;

pub use code::{CodeLine, counts, vanished};

/// One side of one file.
#[derive(Clone, Debug)]
pub struct FileSide {
    pub path: String,
    pub facts: Arc<FileFacts>,
    /// The source, for excerpts.
    pub text: Arc<[u8]>,
    /// Where each line starts, found out when first asked for.
    line_starts: OnceLock<Vec<usize>>,
    /// The lines as code, found out when first asked for.
    code: OnceLock<Vec<CodeLine>>,
}

impl FileSide {
    pub fn new(path: String, facts: impl Into<Arc<FileFacts>>, text: Arc<[u8]>) -> Self {
        Self { path, facts: facts.into(), text, line_starts: OnceLock::new(), code: OnceLock::new() }
    }

    /// The lines that are not blank.
    pub fn code(&self) -> &[CodeLine] {
        self.code.get_or_init(|| code::lines(&self.text, &self.facts.signals.remarks))
    }

    fn has_tests(&self) -> bool {
        !self.facts.tests.is_empty()
    }

    /// The text without tests and what serves them alone, which may stand in the file of the code.
    fn without_tests(&self) -> Vec<u8> {
        let helpers = self.facts.definitions.iter().filter(|definition| definition.in_suite);
        let mut spans: Vec<Span> = self.facts.tests.iter().map(|test| test.span).collect();
        spans.extend(helpers.map(|helper| helper.span));
        spans.sort_unstable();
        let mut left = Vec::with_capacity(self.text.len());
        let (mut number, mut next) = (0, 0);
        for line in self.text.split_inclusive(|byte| *byte == b'\n') {
            number += 1;
            while spans.get(next).is_some_and(|span| span.end < number) {
                next += 1;
            }
            if spans.get(next).is_none_or(|span| number < span.start) {
                left.extend_from_slice(line);
            }
        }
        left
    }

    /// The lines of a span, without their line breaks.
    pub fn lines(&self, span: Span) -> impl Iterator<Item = Cow<'_, str>> {
        let starts = self.line_starts.get_or_init(|| {
            let breaks = self.text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
            std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect()
        });
        let (first, last) = (span.start.max(1) as usize - 1, (span.end as usize).min(starts.len()));
        (first..last).map(move |line| {
            let end = starts.get(line + 1).copied().unwrap_or(self.text.len());
            let text = &self.text[starts[line]..end];
            let text = text.strip_suffix(b"\n").unwrap_or(text);
            String::from_utf8_lossy(text.strip_suffix(b"\r").unwrap_or(text))
        })
    }
}

/// A file that differs between the sides; at least one of them is there.
#[derive(Clone, Debug)]
pub struct FileComparison {
    pub before: Option<FileSide>,
    pub after: Option<FileSide>,
    pub class: PathClass,
}

/// Where a test stands: a file of the comparison and a place in that side's list of tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct At {
    pub file: usize,
    pub test: usize,
}

/// Counts over all files of the change on one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Metrics {
    pub tests: i64,
    pub skipped: i64,
    pub assertions: i64,
}

pub struct Comparison {
    /// How a person names the before side to git: `HEAD`, or a commit.
    pub base_name: String,
    pub files: Vec<FileComparison>,
    pub pairing: Pairing,
    pub production: Production,
    /// Paths of the documents that change too; rules do not read them, but they tell of intent.
    pub documents: Vec<String>,
    /// What became of assertions and functions, found out when the first rule asks.
    assertions: OnceLock<Vec<Changed>>,
    functions: OnceLock<FunctionPairing>,
}

/// How much of a kept test's body must stand in a comment inside it.
const COMMENTED_BODY: f64 = 0.6;

/// What happened to the code that tests are about.
#[derive(Debug, Default)]
pub struct Production {
    pub changed: bool,
    /// Names that were defined before and no longer are.
    pub removed_definitions: HashSet<String>,
    /// Hashes of names that production code used before and no file of the change uses after.
    pub vanished: HashSet<u64>,
    /// Whether the change takes code away and puts next to nothing in its place.
    pub only_shrinks: bool,
}

impl Comparison {
    pub fn new(base_name: String, files: Vec<FileComparison>) -> Self {
        let production = Production::of(&files);
        let pairing = pairing::pair(&files);
        let (assertions, functions, documents) = (OnceLock::new(), OnceLock::new(), Vec::new());
        Self { base_name, files, pairing, production, documents, assertions, functions }
    }

    /// The same, with the documents that change too.
    pub fn with_documents(self, paths: impl Iterator<Item = String>) -> Self {
        let is_told =
            |path: &String| class_by_name(path) == PathClass::Documentation && !path.contains(".git");
        let mut documents: Vec<String> = paths.filter(is_told).collect();
        documents.sort();
        Self { documents, ..self }
    }

    /// What became of each function of the production code.
    pub fn functions(&self) -> &FunctionPairing {
        self.functions.get_or_init(|| pairing::pair_functions(&self.files))
    }

    pub fn before(&self, at: At) -> (&FileSide, &Test) {
        side_at(self.files[at.file].before.as_ref(), at)
    }

    pub fn after(&self, at: At) -> (&FileSide, &Test) {
        side_at(self.files[at.file].after.as_ref(), at)
    }

    /// The assertions of tests that live on and do not say what they said.
    pub fn changed_assertions(&self) -> &[Changed] {
        self.assertions.get_or_init(|| assertions::changes(self))
    }

    /// The comment inside a kept test that holds what the test did, where nothing is left that checks.
    pub fn commented_body(&self, before: At, after: At) -> Option<Span> {
        let ((old_side, old), (side, new)) = (self.before(before), self.after(after));
        if old.assertions.is_empty() || !new.assertions.is_empty() {
            return None;
        }
        let is_old = |comment: &Comment| old_side.facts.comments.iter().any(|old| old.body == comment.body);
        let holds = |comment: &&Comment| {
            new.span.contains(comment.span)
                && old.body.containment(&comment.body) >= COMMENTED_BODY
                && !is_old(comment)
        };
        side.facts.comments.iter().find(holds).map(|comment| comment.span)
    }

    pub fn metrics(&self) -> (Metrics, Metrics) {
        metrics(self.files.iter())
    }
}

/// The counts of both sides of some files.
pub fn metrics<'f>(files: impl Iterator<Item = &'f FileComparison> + Clone) -> (Metrics, Metrics) {
    let sum = |side: fn(&FileComparison) -> Option<&FileSide>| {
        let tests = files.clone().filter_map(side).flat_map(|side| side.facts.listed_tests());
        tests.fold(Metrics::default(), |sum, test| Metrics {
            tests: sum.tests + 1,
            skipped: sum.skipped + i64::from(test.is_skipped()),
            assertions: sum.assertions + test.assertions.len() as i64,
        })
    };
    (sum(|file| file.before.as_ref()), sum(|file| file.after.as_ref()))
}

/// Pairings only hold places of sides that are there.
fn side_at(side: Option<&FileSide>, at: At) -> (&FileSide, &Test) {
    let side = side.unwrap_or_else(|| unreachable!("a pairing points at a side that is there"));
    (side, &side.facts.tests[at.test])
}

impl Production {
    /// Whether no name leaves the code.
    pub fn leaves_all(&self) -> bool {
        self.removed_definitions.is_empty() && self.vanished.is_empty()
    }

    fn of(files: &[FileComparison]) -> Self {
        let production = || files.iter().filter(|file| file.class == PathClass::Production);
        let changed = production().any(|file| !equal_code(file));
        let after_definitions: HashSet<&str> =
            files.iter().filter_map(|file| file.after.as_ref()).flat_map(defined_names).collect();
        let before_names = production().filter_map(|file| file.before.as_ref()).flat_map(defined_names);
        let mut removed_definitions: HashSet<String> =
            before_names.filter(|name| !after_definitions.contains(name)).map(str::to_owned).collect();
        let renamed = renamed_functions(files);
        removed_definitions.retain(|name| !renamed.contains(name));
        let after_names: HashSet<u64> = files
            .iter()
            .filter_map(|file| file.after.as_ref())
            .flat_map(|side| side.facts.names.iter())
            .collect();
        let before_names =
            production().filter_map(|file| file.before.as_ref()).flat_map(|side| side.facts.names.iter());
        let mut vanished: HashSet<u64> = before_names.filter(|name| !after_names.contains(name)).collect();
        for name in &renamed {
            vanished.remove(&crate::similarity::hash(name.as_bytes()));
        }
        let only_shrinks = changed && only_shrinks(files.iter().filter(|file| is_code(file)));
        Self { changed, removed_definitions, vanished, only_shrinks }
    }
}

/// So many lines go for each one that comes, where code is only taken away.
const SHRINKS: usize = 5;

/// Code that is no test: also what only helps tests.
fn is_code(file: &FileComparison) -> bool {
    let sides = || file.before.iter().chain(&file.after);
    let read = sides().any(|side| !side.facts.language.is_empty());
    read && (file.class == PathClass::Production || sides().all(|side| side.facts.tests.is_empty()))
}

fn only_shrinks<'f>(files: impl Iterator<Item = &'f FileComparison>) -> bool {
    let (mut gone, mut new) = (0, 0);
    for file in files {
        let (before, after) = (file.before.as_ref(), file.after.as_ref());
        let alike = before.zip(after).map_or((0, 0), |(before, after)| alike(&before.text, &after.text));
        let (before, after) = (line_counts(before, alike), line_counts(after, alike));
        gone += surplus(&before, &after);
        new += surplus(&after, &before);
    }
    gone >= SHRINKS * new.max(1)
}

/// How many lines two texts have in common at their beginning, and how many bytes of whole lines at their end.
fn alike(one: &[u8], other: &[u8]) -> (usize, usize) {
    let lines = |text| <[u8]>::split_inclusive(text, |&byte| byte == b'\n');
    let same = lines(one).zip(lines(other)).take_while(|(one, other)| one == other);
    let (head, bytes) = same.fold((0, 0), |(lines, bytes), (line, _)| (lines + 1, bytes + line.len()));
    let rest = lines(&one[bytes..]).rev().zip(lines(&other[bytes..]).rev());
    let tail = rest.take_while(|(one, other)| one == other).map(|(line, _)| line.len()).sum();
    (head, tail)
}

/// How often each line that is not blank stands in the code of a side, its tests aside, and what is alike at the ends.
fn line_counts(side: Option<&FileSide>, (head, tail): (usize, usize)) -> HashMap<&[u8], usize> {
    let mut counts = HashMap::new();
    let Some(side) = side else { return counts };
    let mut tests = side.facts.tests.iter().peekable();
    let text = &side.text[..side.text.len() - tail];
    for (number, line) in (1..).zip(text.split(|&byte| byte == b'\n')).skip(head) {
        while tests.next_if(|test| test.span.end < number).is_some() {}
        let in_test = tests.peek().is_some_and(|test| test.span.start <= number);
        let line = line.trim_ascii();
        if !line.is_empty() && !in_test {
            *counts.entry(line).or_default() += 1;
        }
    }
    counts
}

/// How many lines one side has and the other has not.
fn surplus(of: &HashMap<&[u8], usize>, over: &HashMap<&[u8], usize>) -> usize {
    of.iter().map(|(line, count)| count.saturating_sub(over.get(line).copied().unwrap_or(0))).sum()
}

/// The old names of functions that live on under a new name.
fn renamed_functions(files: &[FileComparison]) -> HashSet<String> {
    let production = || files.iter().filter(|file| file.class == PathClass::Production);
    let old = || production().filter_map(|file| file.before.as_ref()).flat_map(functions);
    let new = || production().filter_map(|file| file.after.as_ref()).flat_map(functions);
    let old_names: HashSet<&str> = old().map(|function| function.name.as_str()).collect();
    let new_names: HashSet<&str> = new().map(|function| function.name.as_str()).collect();
    let added: Vec<&Body> = new()
        .filter(|function| !old_names.contains(function.name.as_str()))
        .map(|function| &function.body)
        .collect();
    if added.is_empty() {
        return HashSet::new();
    }
    let candidates = Candidates::new(added);
    let lives_on = |body: &Body| candidates.like(body).first().is_some_and(|&(_, alike)| alike >= RENAMED);
    let gone = old().filter(|function| !new_names.contains(function.name.as_str()));
    gone.filter(|function| lives_on(&function.body)).map(|function| function.name.clone()).collect()
}

fn functions(side: &FileSide) -> impl Iterator<Item = &Definition> {
    let worth_comparing = |definition: &&Definition| {
        definition.kind == DefinitionKind::Function && definition.body.len() >= MIN_BODY
    };
    side.facts.definitions.iter().filter(worth_comparing)
}

/// How alike the bodies of a function under two names are.
const RENAMED: f64 = 0.8;
/// Shorter bodies are alike by chance.
const MIN_BODY: usize = 8;

/// Whether a production file says the same on both sides, white space aside. What no language reads differs, or it
/// would not be in the change.
fn equal_code(file: &FileComparison) -> bool {
    let read = |side: &FileSide| !matches!(side.facts.health, Health::Unsupported | Health::TooLarge);
    match (&file.before, &file.after) {
        (Some(before), Some(after)) if read(before) && read(after) => {
            let same = crate::similarity::same_code;
            same(&before.text, &after.text)
                || before.has_tests() && same(&before.without_tests(), &after.without_tests())
        }
        _ => false,
    }
}

fn defined_names(side: &FileSide) -> impl Iterator<Item = &str> {
    let production = side.facts.definitions.iter().filter(|definition| !definition.in_suite);
    production.map(|definition| definition.name.as_str()).filter(|name| name.len() >= MIN_NAME)
}

/// Shorter names say too little: `T`, `fn`, `x1`.
const MIN_NAME: usize = 3;
