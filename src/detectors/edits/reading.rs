//! The readings of test files, and the findings they become.

use super::alternatives;
use super::amounts;
use super::arms;
use super::calls_under;
use super::capabilities;
use super::expected_calls;
use super::guards;
use super::hushed;
use super::left_out;
use super::limits;
use super::loops;
use super::muted;
use super::nulled;
use super::options;
use super::places::{Pages, Place};
use super::retried;
use super::rows;
use super::soft_marks;
use super::values;
use super::waits;
use super::wildcards;
use crate::comparison::{Comparison, FileSide};
use crate::detectors::assertion_weakened;
use crate::detectors::error_swallowed;
use crate::detectors::relation::{self, About};
use crate::detectors::report::{Draft, excerpt};
use crate::detectors::test_removed;
use crate::detectors::test_skipped;
use crate::detectors::tolerance_widened;
use crate::facts::{Health, Span, Test};
use crate::finding::{Finding, RuleId, Severity, Side};
use crate::paths::PathClass;

/// The rule that a reading belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Skipped,
    Weakened,
    Widened,
    Removed,
    Swallowed,
}

/// What a reading tells of a place.
pub struct Told {
    pub message: String,
    pub help: String,
    /// The lines that matter, on each side that has some.
    pub old: Option<u32>,
    pub new: Option<u32>,
    /// The test or helper around it, where there is one.
    pub name: Option<String>,
}

/// One thing to look for.
struct Reading {
    part: Part,
    /// Whether code that changes with it may be the reason.
    with_code: bool,
    read: fn(&Pages<'_>, &Place) -> Option<Told>,
}

const READINGS: &[Reading] = &[
    Reading { part: Part::Skipped, with_code: false, read: guards::read },
    Reading { part: Part::Skipped, with_code: false, read: calls_under::read },
    Reading { part: Part::Skipped, with_code: false, read: soft_marks::read },
    Reading { part: Part::Skipped, with_code: false, read: nulled::read },
    Reading { part: Part::Skipped, with_code: false, read: capabilities::read },
    Reading { part: Part::Skipped, with_code: true, read: left_out::read },
    Reading { part: Part::Swallowed, with_code: false, read: hushed::read },
    Reading { part: Part::Weakened, with_code: false, read: retried::read },
    Reading { part: Part::Weakened, with_code: true, read: loops::read },
    Reading { part: Part::Weakened, with_code: true, read: waits::read },
    Reading { part: Part::Weakened, with_code: true, read: limits::read },
    Reading { part: Part::Weakened, with_code: true, read: muted::read },
    Reading { part: Part::Weakened, with_code: true, read: amounts::read },
    Reading { part: Part::Weakened, with_code: true, read: expected_calls::read },
    Reading { part: Part::Widened, with_code: true, read: wildcards::read },
    Reading { part: Part::Widened, with_code: true, read: alternatives::read },
    Reading { part: Part::Widened, with_code: false, read: arms::read },
    Reading { part: Part::Widened, with_code: true, read: options::read },
    Reading { part: Part::Removed, with_code: true, read: rows::read },
    Reading { part: Part::Removed, with_code: true, read: values::read },
];

/// Larger files are written by programs.
const MOST_BYTES: usize = 1 << 20;

/// Folders of what tests look at: what stands there is data.
const DATA: &[&str] =
    &["fixtures", "fixture", "__fixtures__", "testdata", "test-data", "resources", "samples"];

/// What all readings tell of a change, for the rules that they belong to.
struct Found(Vec<(Part, Finding)>);

/// The findings of one rule. The files are read once for all of them.
pub fn detect(comparison: &Comparison, part: Part) -> Vec<Finding> {
    let found = comparison.shared(|| Found(read(comparison)));
    found.0.iter().filter(|(of, _)| *of == part).map(|(_, finding)| finding.clone()).collect()
}

fn read(comparison: &Comparison) -> Vec<(Part, Finding)> {
    let mut findings = Vec::new();
    for index in 0..comparison.files.len() {
        if !is_read(comparison, index) {
            continue;
        }
        let Some(pages) = Pages::of(comparison, index) else { continue };
        for reading in READINGS {
            let told = pages.places.iter().find_map(|place| (reading.read)(&pages, place));
            findings.extend(told.map(|told| (reading.part, finding(comparison, &pages, reading, told))));
        }
    }
    findings
}

/// Whether a file holds tests, or serves them, and both sides could be read.
fn is_read(comparison: &Comparison, index: usize) -> bool {
    let file = &comparison.files[index];
    let (Some(before), Some(after)) = (&file.before, &file.after) else { return false };
    let is_readable = |side: &FileSide| {
        side.text.len() <= MOST_BYTES && !side.facts.language.is_empty() && side.facts.health == Health::Clean
    };
    let of_tests = file.class == PathClass::Test || !before.facts.tests.is_empty();
    of_tests
        && is_readable(before)
        && is_readable(after)
        && before.text != after.text
        && !after.path.split('/').any(|part| DATA.contains(&part))
}

fn finding(comparison: &Comparison, pages: &Pages<'_>, reading: &Reading, told: Told) -> Finding {
    let rule: RuleId = match reading.part {
        Part::Skipped => test_skipped::ID,
        Part::Weakened => assertion_weakened::ID,
        Part::Widened => tolerance_widened::ID,
        Part::Removed => test_removed::ID,
        Part::Swallowed => error_swallowed::ID,
    };
    let draft =
        Draft { rule, severity: Severity::High, confidence: 0.8, message: told.message, help: told.help };
    let (side, file, line) = match (told.new, told.old) {
        (Some(line), _) => (Side::After, pages.after, line),
        (None, line) => (Side::Before, pages.before, line.unwrap_or(1)),
    };
    let symbol = match &told.name {
        Some(name) => format!("{}::{name}", file.path),
        None => file.path.clone(),
    };
    let mut finding = draft.on(side, file, line, symbol);
    let here = |line: u32| Span { start: line, end: line };
    finding.before = told.old.and_then(|line| excerpt(pages.before, here(line), line, "this was there"));
    finding.after = told.new.and_then(|line| excerpt(pages.after, here(line), line, "this stands there now"));
    if reading.with_code && comparison.production.changed {
        let line =
            told.old.map(|line| pages.before.lines(here(line)).collect::<String>()).unwrap_or_default();
        let named = |test: &&Test| told.name.as_ref().is_some_and(|name| test.qualified_name() == *name);
        let test = pages.before.facts.tests.iter().find(named);
        relation::lower(
            comparison,
            &mut finding,
            Severity::Low,
            About { side: pages.before, test, text: &line },
        );
    } else {
        finding.lower(Severity::Medium, "it is read off the lines alone");
    }
    finding
}
