//! Both sides of a change as facts, with the tests paired: what detectors look at.

mod code;
mod generated;
mod places;
mod production;
mod shared;
mod touched;

use std::any::Any;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use crate::assertions::{self, Changed};
use crate::facts::{Comment, FileFacts, Span, Test};
use crate::intent::Intent;
use crate::pairing::{self, FunctionPairing, Pairing};
use crate::paths::{PathClass, class_by_name, is_vendored_by_name};
use crate::text::{common_end, line_breaks, lossy};

use code::LineStart;
use shared::Shared;

pub use code::{CodeLine, counts, vanished};
pub use generated::is_generated;
pub use places::Place;
pub use production::Production;
pub use touched::Touched;

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
        self.code.get_or_init(|| code::lines(&self.text, &self.facts.signals.remarks).collect())
    }

    /// The lines that have code on them.
    pub fn said(&self) -> Vec<&CodeLine> {
        let code = self.code();
        let mut said = Vec::with_capacity(code.len());
        said.extend(code.iter().filter(|line| !line.code.is_empty()));
        said
    }

    /// The lines between what both sides have in common at their beginning and at their end.
    pub fn lines_unlike(&self, other: &Self) -> &[u8] {
        let start = LineStart::of_difference(&self.text, &other.text).byte;
        let (one, rest) = (&self.text[start..], &other.text[start..]);
        let same = &one[one.len() - common_end(one, rest)..];
        // The line that the common end begins in belongs to what differs.
        let whole = line_breaks(same).next().map_or(0, |at| same.len() - at);
        &one[..one.len() - whole]
    }

    /// The same as lines; none where nothing differs.
    pub fn span_unlike(&self, other: &Self) -> Span {
        let start = self.first_unlike(other);
        let unlike = self.lines_unlike(other);
        let lines = line_breaks(unlike).count() + usize::from(!unlike.is_empty() && !unlike.ends_with(b"\n"));
        Span { start, end: (start - 1).saturating_add(u32::try_from(lines).unwrap_or(u32::MAX)) }
    }

    /// The number of the first line that the other side does not have there.
    pub fn first_unlike(&self, other: &Self) -> u32 {
        LineStart::of_difference(&self.text, &other.text).number
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

    /// The lines of code from a place on, comments and tests left out.
    fn code_alone(&self, from: LineStart) -> impl Iterator<Item = String> {
        let mut tests: Vec<Span> = self.facts.tests.iter().map(|test| test.span).collect();
        tests.sort_unstable();
        let in_test = move |line: u32| {
            let at = tests.partition_point(|span| span.end < line);
            tests.get(at).is_some_and(|span| span.start <= line)
        };
        // Sides that differ do so from here on: who compares them stops soon.
        let lines = code::lines_from(&self.text, &self.facts.signals.remarks, from);
        lines.filter(move |line| !line.code.is_empty() && !in_test(line.number)).map(|line| line.code)
    }

    fn line_starts(&self) -> &[usize] {
        self.line_starts
            .get_or_init(|| std::iter::once(0).chain(line_breaks(&self.text).map(|at| at + 1)).collect())
    }

    /// The line on which a byte stands.
    pub fn line_at(&self, byte: usize) -> u32 {
        u32::try_from(self.line_starts().partition_point(|start| *start <= byte)).unwrap_or(u32::MAX)
    }

    /// The bytes of a span, line breaks included.
    pub fn bytes(&self, span: Span) -> Range<usize> {
        let start = |line: u32| self.line_starts().get(line as usize).copied().unwrap_or(self.text.len());
        start(span.start.max(1) - 1)..start(span.end)
    }

    /// The lines of a span, without their line breaks.
    pub fn lines(&self, span: Span) -> impl Iterator<Item = Cow<'_, str>> {
        let starts = self.line_starts();
        let (first, last) = (span.start.max(1) as usize - 1, (span.end as usize).min(starts.len()));
        (first..last).map(move |line| {
            let end = starts.get(line + 1).copied().unwrap_or(self.text.len());
            let text = &self.text[starts[line]..end];
            let text = text.strip_suffix(b"\n").unwrap_or(text);
            lossy(text.strip_suffix(b"\r").unwrap_or(text))
        })
    }
}

/// A file that differs between the sides; at least one of them is there.
#[derive(Clone, Debug)]
pub struct FileComparison {
    pub before: Option<FileSide>,
    pub after: Option<FileSide>,
    pub class: PathClass,
    /// Where the sides differ, found out when first asked for.
    places: OnceLock<Vec<Place>>,
}

impl FileComparison {
    pub fn new(before: Option<FileSide>, after: Option<FileSide>, class: PathClass) -> Self {
        Self { before, after, class, places: OnceLock::new() }
    }

    /// Where the sides differ, as lines among those that have code on them; none unless both are there.
    pub fn places(&self) -> &[Place] {
        let (Some(before), Some(after)) = (&self.before, &self.after) else { return &[] };
        self.places.get_or_init(|| places::places(&before.said(), &after.said()))
    }

    /// Whether a program wrote each side that is there. A mark that comes with the change says nothing of what it replaces.
    pub fn is_generated(&self) -> bool {
        let mut sides = self.before.iter().chain(&self.after);
        self.class == PathClass::Production && sides.all(|side| generated::is_generated(&side.text))
    }
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
    /// What its author says that the change does, where there is a message.
    pub intent: Option<Intent>,
    /// What became of assertions and functions, found out when the first rule asks.
    assertions: OnceLock<Vec<Changed>>,
    functions: OnceLock<FunctionPairing>,
    touched: OnceLock<Touched>,
    shared: Shared,
}

/// How much of a kept test's body must stand in a comment inside it.
const COMMENTED_BODY: f64 = 0.6;

impl Comparison {
    pub fn new(base_name: String, files: Vec<FileComparison>) -> Self {
        let production = Production::of(&files);
        let pairing = pairing::pair(&files);
        let (assertions, functions, touched) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        let (documents, intent) = (Vec::new(), None);
        let shared = Shared::default();
        Self {
            base_name,
            files,
            pairing,
            production,
            documents,
            intent,
            assertions,
            functions,
            touched,
            shared,
        }
    }

    /// The same, with what else changes, by its path, and is not judged: documents, and code of others, from which may
    /// come what is right now.
    pub fn with_all(mut self, paths: impl Iterator<Item = String>) -> Self {
        // What programs read tells no person.
        let is_data = |path: &str| [".json", ".yaml", ".yml"].iter().any(|end| path.ends_with(end));
        for path in paths {
            let class = class_by_name(&path);
            self.production.changed |= is_vendored_by_name(&path) && class == PathClass::Production;
            if class == PathClass::Documentation && !path.contains(".git") && !is_data(&path) {
                self.documents.push(path);
            }
        }
        self.documents.sort();
        self
    }

    /// The same, with the message that goes with the change.
    pub fn with_message(mut self, message: Option<&str>) -> Self {
        self.intent = message.and_then(Intent::of);
        self
    }

    /// What became of each function of the production code.
    pub fn functions(&self) -> &FunctionPairing {
        self.functions.get_or_init(|| pairing::pair_functions(&self.files))
    }

    /// What the production code that changes speaks of.
    pub fn touched(&self) -> &Touched {
        self.touched.get_or_init(|| Touched::of(&self.files))
    }

    /// What several rules ask for, found out by the first one; the type of the answer is the question.
    pub fn shared<T: Any + Send + Sync>(&self, find: impl FnOnce() -> T) -> Arc<T> {
        self.shared.get_or_insert(find)
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
        // They stand in order: of all comments of a file, few are inside of one test.
        let comments = &side.facts.comments;
        let first = comments.partition_point(|comment| comment.span.start < new.span.start);
        let inside = comments[first..].iter().take_while(|comment| comment.span.start <= new.span.end);
        inside.clone().find(holds).map(|comment| comment.span)
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
