//! The readings of production files, and the findings they become.

use super::affixes;
use super::callbacks;
use super::dangers;
use super::flips;
use super::hardwired;
use super::insisting;
use super::limits;
use super::lists;
use super::predicates;
use super::tails;
use super::twins;
use super::unexported;
use super::unwrapped;
use crate::comparison::{CodeLine, Comparison, FileComparison, FileSide};
use crate::detectors::code_lines::{TestCode, is_rework};
use crate::detectors::error_swallowed;
use crate::detectors::feature_disabled;
use crate::detectors::gaps::{Gap, edited, gaps};
use crate::detectors::guard_removed;
use crate::detectors::hunks::{Line, partner};
use crate::detectors::report::{Draft, excerpt, show_before};
use crate::facts::{Function, Span};
use crate::finding::{Finding, RuleId, Severity, Side};

/// A production file that both sides have.
pub struct Page<'c> {
    pub comparison: &'c Comparison,
    pub before: &'c FileSide,
    pub after: &'c FileSide,
}

/// The rule that a reading belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Checks,
    Errors,
    Features,
}

impl Part {
    fn rule(self) -> RuleId {
        match self {
            Self::Checks => guard_removed::ID,
            Self::Errors => error_swallowed::ID,
            Self::Features => feature_disabled::ID,
        }
    }
}

/// What a reading tells of a place.
pub struct Told {
    pub part: Part,
    pub message: String,
    /// The lines that matter, on each side that has some.
    pub old: Option<u32>,
    pub new: Option<u32>,
    /// What tells it from others in the same function.
    pub detail: String,
}

/// One thing to look for.
struct Reading {
    /// A cheap question about the lines that went and those that came: most files need not be taken apart.
    may: fn(&[u8], &[u8]) -> bool,
    read: fn(&Page<'_>, &Gap<'_>) -> Option<Told>,
}

const READINGS: &[Reading] = &[
    Reading { may: twins::may, read: twins::read },
    Reading { may: affixes::may, read: affixes::read },
    Reading { may: unwrapped::may, read: unwrapped::read },
    Reading { may: insisting::may, read: insisting::read },
    Reading { may: dangers::may, read: dangers::read },
    Reading { may: limits::may, read: limits::read },
    Reading { may: lists::may, read: lists::read },
    Reading { may: predicates::may, read: predicates::read },
    Reading { may: flips::may, read: flips::read },
    Reading { may: callbacks::may, read: callbacks::read },
    Reading { may: tails::may, read: tails::read },
    Reading { may: hardwired::may, read: hardwired::read },
    Reading { may: unexported::may, read: unexported::read },
];

/// Larger files are written by programs.
const MOST_BYTES: usize = 1 << 20;

/// Places of more lines were written anew.
const LARGE: usize = 12;

/// More findings of one rule in one file tell of one thing.
const MOST: usize = 3;

/// What all readings tell of a change, for the rules that they belong to.
struct Found(Vec<(Part, Finding)>);

/// The findings of one rule. The files are read once for all of them.
pub fn detect(comparison: &Comparison, part: Part) -> Vec<Finding> {
    let found = comparison.shared(|| Found(read(comparison)));
    found.0.iter().filter(|(of, _)| *of == part).map(|(_, finding)| finding.clone()).collect()
}

fn read(comparison: &Comparison) -> Vec<(Part, Finding)> {
    if is_rework(comparison) {
        return Vec::new();
    }
    let in_file = |(file, before, after)| in_file(&Page { comparison, before, after }, file);
    edited(comparison).flat_map(in_file).collect()
}

fn in_file(page: &Page<'_>, file: &FileComparison) -> Vec<(Part, Finding)> {
    let Page { before, after, .. } = *page;
    if after.text.len() > MOST_BYTES {
        return Vec::new();
    }
    let (gone, fresh) = (before.lines_unlike(after), after.lines_unlike(before));
    let readings: Vec<&Reading> = READINGS.iter().filter(|reading| (reading.may)(gone, fresh)).collect();
    if readings.is_empty() {
        return Vec::new();
    }
    let (old_tests, new_tests) = (TestCode::of(before), TestCode::of(after));
    let is_test = |told: &Told| {
        told.old.is_some_and(|line| old_tests.contains(line))
            || told.new.is_some_and(|line| new_tests.contains(line))
    };
    let mut findings: Vec<(Part, Finding)> = Vec::new();
    for gap in gaps(file).iter().filter(|gap| gap.gone.len() <= LARGE && gap.fresh.len() <= LARGE) {
        let told = readings.iter().find_map(|reading| (reading.read)(page, gap));
        let Some(told) = told.filter(|told| !is_test(told)) else { continue };
        if findings.iter().filter(|(part, _)| *part == told.part).count() < MOST {
            findings.push((told.part, page.finding(told)));
        }
    }
    findings
}

impl Page<'_> {
    /// The lines of a place that took each other's place, as written.
    pub fn pairs(&self, gap: &Gap<'_>) -> Vec<(Line, Line)> {
        let raw = |side: &FileSide, lines: &[&CodeLine]| -> Vec<Line> {
            lines.iter().map(|line| (line.number, written(side, line.number))).collect()
        };
        let (old, new) = (raw(self.before, &gap.gone), raw(self.after, &gap.fresh));
        if let ([one], [other]) = (&old[..], &new[..]) {
            return vec![(one.clone(), other.clone())];
        }
        let found = old.into_iter().filter_map(|line| Some((line.clone(), partner(&line.1, &new)?.clone())));
        found.collect()
    }

    /// Some lines as written, put together.
    pub fn lines(&self, side: &FileSide, start: u32, end: u32) -> String {
        side.lines(Span { start, end }).map(|line| line.trim().to_owned() + "\n").collect()
    }

    /// The innermost function around a line.
    pub fn function<'s>(&self, side: &'s FileSide, line: u32) -> Option<&'s Function> {
        let inside = |one: &&Function| !one.name.is_empty() && one.span.start <= line && line <= one.span.end;
        side.facts.functions.iter().filter(inside).max_by_key(|one| one.span.start)
    }

    /// Whether what stands around a line refuses more than it did: what is no longer refused here is refused there.
    pub fn refuses_more(&self, old: u32, new: u32) -> bool {
        let count = |side: &FileSide, line: u32| {
            let function = self.function(side, line);
            function.map_or(0, |one| one.exits.iter().filter(|exit| exit.kind.refuses()).count())
        };
        count(self.after, new) > count(self.before, old)
    }

    fn finding(&self, told: Told) -> Finding {
        let at = |line: u32| Span { start: line, end: line };
        let shown = told.old.map(|line| show_before(self.comparison, self.before, at(line)));
        let help = match shown {
            Some(shown) => format!("bring it back as it was; this prints it: {shown}"),
            None => "take it out again, and mend what it trips over".to_owned(),
        };
        let draft = Draft {
            rule: told.part.rule(),
            severity: Severity::High,
            confidence: 0.75,
            message: told.message,
            help,
        };
        let line = told.new.or(told.old).unwrap_or(1);
        let (side, file) = match told.new {
            Some(_) => (Side::After, self.after),
            None => (Side::Before, self.before),
        };
        let name = self.function(file, line).map(|function| function.name.clone());
        let symbol = name.map_or_else(|| file.path.clone(), |name| format!("{}::{name}", file.path));
        let mut finding = draft.on(side, file, line, symbol);
        finding.before = told.old.and_then(|line| excerpt(self.before, at(line), line, "this was stricter"));
        finding.after = told.new.and_then(|line| excerpt(self.after, at(line), line, "now it is not"));
        if told.part == Part::Features {
            feature_disabled::lower_by_intent(self.comparison, &mut finding, &told.detail);
        }
        finding.detail = told.detail;
        finding.lower(Severity::Medium, "what it is worth is known from its name alone");
        finding
    }
}

fn written(side: &FileSide, line: u32) -> String {
    side.lines(Span { start: line, end: line }).next().unwrap_or_default().trim().to_owned()
}

/// How often a name stands in a text, by itself.
pub fn count(text: &str, name: &str) -> usize {
    crate::detectors::subject::names_of_any_length(text).filter(|word| *word == name).count()
}

/// How often a name stands in a file, by itself.
pub fn count_in(side: &FileSide, name: &str) -> usize {
    crate::text::occurrences(&side.text, name.as_bytes())
        .filter(|at| {
            let is_part = |byte: Option<&u8>| {
                byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$'))
            };
            let before = at.checked_sub(1).and_then(|at| side.text.get(at));
            !is_part(before) && !is_part(side.text.get(at + name.len()))
        })
        .count()
}
