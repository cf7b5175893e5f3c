//! What the author says and no other rule saw: the message of a commit names the deed, and the files show the place.
//!
//! A change that can be read either way is read as its author reads it. What was only noted becomes a warning; where
//! nothing was noted, the first place that fits is told. Never more than a warning: words prove nothing.

use super::report::{Draft, excerpt};
use super::{
    assertion_weakened, coverage_loosened, error_swallowed, feature_disabled, gate_loosened, test_skipped,
};
use crate::comparison::{self, CodeLine, Comparison, FileComparison, FileSide};
use crate::facts::Span;
use crate::finding::{Excerpt, Finding, FindingType, RuleId, Severity, Side};
use crate::intent::{Intent, Object, has_provisional, speaks_of_shipping};
use crate::paths::PathClass;
use crate::text::contains;

/// Something that a message can admit, and how it is told.
struct Deed {
    rule: RuleId,
    /// What findings about it may be called.
    kinds: &'static [FindingType],
    message: &'static str,
    help: &'static str,
}

static TESTS_LEFT_OUT: Deed = Deed {
    rule: test_skipped::ID,
    kinds: &[FindingType::TestSkipping, FindingType::TestDeletion, FindingType::ValidationBypass],
    message: "tests are left out, as the message says, and this is what changes about them",
    help: "mend what keeps the tests from passing, and let them run",
};

static LESS_EXPECTED: Deed = Deed {
    rule: assertion_weakened::ID,
    kinds: &[FindingType::AssertionWeakening, FindingType::TestSkipping],
    message: "less is expected, as the message says, and this is what changes about it",
    help: "expect what the code should do, as exactly as before",
};

static COVERAGE_LEFT_OUT: Deed = Deed {
    rule: coverage_loosened::ID,
    kinds: &[FindingType::CoverageRegression],
    message: "coverage counts for less, as the message says",
    help: "keep measuring, and add the tests that are missing",
};

static CHECK_LEFT_OUT: Deed = Deed {
    rule: gate_loosened::ID,
    kinds: &[FindingType::ValidationBypass, FindingType::TestSkipping],
    message: "a check is left out, as the message says",
    help: "mend what the check complains about, and let it run",
};

static FEATURE_LEFT_OUT: Deed = Deed {
    rule: feature_disabled::ID,
    kinds: &[FindingType::FeatureRemoval, FindingType::ValidationBypass, FindingType::TestSkipping],
    message: "something is switched off for now, as the message says",
    help: "mend it, or take it out for good, together with its tests",
};

static ERRORS_HIDDEN: Deed = Deed {
    rule: error_swallowed::ID,
    kinds: &[FindingType::ErrorSuppression, FindingType::ValidationBypass],
    message: "errors are passed over, as the message says",
    help: "let whoever can do something about them know",
};

/// A deed, and where to look for it.
#[derive(Clone, Copy)]
struct Admission {
    deed: &'static Deed,
    place: Place,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Tests,
    /// Workflows, scripts, settings of runners and checkers.
    Ground,
    TestsOrGround,
    Code,
    CodeOrGround,
    /// Only what a rule noted counts.
    Noted,
}

/// Raises what the message says, and adds it where nothing tells of it.
pub fn detect(comparison: &Comparison, findings: &mut Vec<Finding>) {
    let Some(intent) = &comparison.intent else { return };
    for admission in admissions(comparison, intent) {
        let is_of = |finding: &Finding| admission.deed.kinds.contains(&finding.rule.kind);
        if findings.iter().any(|finding| is_of(finding) && finding.severity > Severity::Low) {
            continue;
        }
        let noted: Vec<&mut Finding> = findings.iter_mut().filter(|finding| is_of(finding)).collect();
        if noted.is_empty() {
            findings.extend(admission.told(comparison, intent));
        } else {
            let is_meant = |finding: &&mut Finding| is_open(finding) && admission.covers(finding);
            noted.into_iter().filter(is_meant).for_each(|finding| raise(finding, intent));
        }
    }
}

/// Whether a note can be read either way. What a rule never takes for more stays one, and so does what is known of skips and
/// lost tests: those were noted because nothing is lost.
fn is_open(finding: &Finding) -> bool {
    let is_known = matches!(finding.rule.kind, FindingType::TestSkipping | FindingType::TestDeletion);
    finding.lowered && !is_known
}

/// What a message says of its change. That less is asked for is about tests only where no code changes.
fn admissions(comparison: &Comparison, intent: &Intent) -> Vec<Admission> {
    let only_tests = !comparison.production.changed;
    let left_out = match intent.leaves_out {
        Some(Object::Tests) => Some((&TESTS_LEFT_OUT, Place::TestsOrGround)),
        // What it is stands nowhere; in the files of tests it can only be tests.
        Some(Object::Unnamed) => Some((&TESTS_LEFT_OUT, Place::Tests)),
        Some(Object::Coverage) => Some((&COVERAGE_LEFT_OUT, Place::Ground)),
        Some(Object::Checks) => Some((&CHECK_LEFT_OUT, Place::Ground)),
        // Of a program it is mostly said where it failed without need.
        Some(Object::Failures) if has_code(comparison) => None,
        Some(Object::Failures) => Some((&CHECK_LEFT_OUT, Place::Ground)),
        Some(Object::Errors) => Some((&ERRORS_HIDDEN, Place::Code)),
        Some(Object::Other) if intent.is_provisional || comments_on_it(comparison) => {
            Some(if is_about_checks(comparison, intent) {
                (&CHECK_LEFT_OUT, Place::Ground)
            } else {
                (&FEATURE_LEFT_OUT, Place::CodeOrGround)
            })
        }
        Some(Object::Other) if only_tests => Some((&LESS_EXPECTED, Place::Noted)),
        Some(Object::Other) => Some((&FEATURE_LEFT_OUT, Place::Noted)),
        None => None,
    };
    let is_about_tests = only_tests || intent.asks_less_of == Some(Object::Tests);
    let less = intent.asks_less_of.filter(|_| is_about_tests).map(|_| (&LESS_EXPECTED, Place::Tests));
    let all = left_out.into_iter().chain(less);
    all.map(|(deed, place)| Admission { deed, place }).collect()
}

/// Whether the change touches a program, and not only what builds and tests it.
fn has_code(comparison: &Comparison) -> bool {
    comparison.files.iter().any(|file| Place::Code.fits(file))
}

/// Whether all that changes are workflows, and neither they nor the message speak of what is made for people.
fn is_about_checks(comparison: &Comparison, intent: &Intent) -> bool {
    let is_workflow = |file: &FileComparison| {
        let mut sides = file.before.iter().chain(&file.after);
        sides.any(|side| side.facts.project.is_some() && !speaks_of_shipping(&side.path))
    };
    comparison.files.iter().all(is_workflow) && !speaks_of_shipping(&intent.subject)
}

/// Whether a comment that comes with the change says that it is for a while.
fn comments_on_it(comparison: &Comparison) -> bool {
    let sides = comparison.files.iter().filter_map(|file| file.before.as_ref().zip(file.after.as_ref()));
    sides.into_iter().any(|(before, after)| {
        let changed = after.lines(after.span_unlike(before));
        let was = |line: &str| contains(&before.text, line.as_bytes());
        let remarks = changed.filter(|line| REMARKS.iter().any(|mark| line.contains(mark)));
        remarks.filter(|line| has_provisional(line)).take(MOST).any(|line| !was(line.trim()))
    })
}

/// How comments begin.
const REMARKS: &[&str] = &["//", "#", "/*", "* "];

/// So many of them are looked for in what was there before.
const MOST: usize = 32;

impl Admission {
    /// Whether what was noted is what the message is about: where no place is looked for, only by the same name.
    fn covers(&self, finding: &Finding) -> bool {
        self.place != Place::Noted || finding.rule.kind == self.deed.rule.kind
    }

    /// The finding at the first place that fits.
    fn told(&self, comparison: &Comparison, intent: &Intent) -> Option<Finding> {
        let files = comparison.files.iter().enumerate().filter(|(_, file)| self.place.fits(file));
        let (file, lines) =
            files.filter_map(|(at, file)| Some((file, self.lines(comparison, at, file)?))).next()?;
        let draft = Draft {
            rule: self.deed.rule.clone(),
            severity: Severity::Medium,
            confidence: 0.6,
            message: self.deed.message.to_owned(),
            help: self.deed.help.to_owned(),
        };
        let (side, on, span) = match (&file.after, lines.new, &file.before, lines.old) {
            (Some(after), Some(span), ..) => (Side::After, after, span),
            (_, _, Some(before), Some(span)) => (Side::Before, before, span),
            _ => return None,
        };
        let mut finding = draft.on(side, on, span.start, on.path.clone());
        finding.before = shown(file.before.as_ref(), lines.old, "it was so");
        finding.after = shown(file.after.as_ref(), lines.new, "and is so now");
        // It stands for itself: three admissions are no more certain than one.
        finding.lowered = true;
        finding.admit(said(intent));
        Some(finding)
    }

    /// The first lines of a file that the deed may have been done to.
    fn lines(&self, comparison: &Comparison, at: usize, file: &FileComparison) -> Option<Lines> {
        let Some(before) = &file.before else { return None };
        let old = before.said();
        let Some(after) = &file.after else {
            return Some(Lines { old: span(&old), new: None });
        };
        let new = after.said();
        let is_added = |lines: Span| {
            let added = comparison.pairing.added.iter().filter(|added| added.file == at);
            added.map(|added| after.facts.tests[added.test].span).any(|test| test.contains(lines))
        };
        let spans = |place: &comparison::Place| Lines {
            old: span(&old[place.old.clone()]),
            new: span(&new[place.new.clone()]),
        };
        let lines: Vec<Lines> = file.places().iter().map(spans).collect();
        // What was passed over before is read by others.
        let gone = lines.iter().filter_map(|lines| lines.old).flat_map(|old| before.lines(old));
        if self.deed.rule.kind == FindingType::TestSkipping && gone.into_iter().any(|line| passes_over(&line))
        {
            return None;
        }
        lines.into_iter().find(|lines| lines.old.is_some() || !lines.new.is_some_and(is_added))
    }
}

/// Words of code that passes a test over.
const PASSES_OVER: &[&str] = &["skip", "ignore", "xfail", "disabled", "assume"];

fn passes_over(line: &str) -> bool {
    let line = line.to_lowercase();
    PASSES_OVER.iter().any(|word| line.contains(word))
}

impl Place {
    fn fits(self, file: &FileComparison) -> bool {
        let is_code = |side: &FileSide| side.facts.project.is_none() && !side.facts.language.is_empty();
        let is_ground = || !file.before.iter().chain(&file.after).any(is_code);
        match self {
            Self::Tests => file.class == PathClass::Test,
            Self::Ground => is_ground(),
            Self::TestsOrGround => file.class == PathClass::Test || is_ground(),
            Self::Code => file.class == PathClass::Production && !is_ground(),
            Self::CodeOrGround => file.class == PathClass::Production,
            Self::Noted => false,
        }
    }
}

/// The lines of a place on both sides.
struct Lines {
    old: Option<Span>,
    new: Option<Span>,
}

fn span(lines: &[&CodeLine]) -> Option<Span> {
    Some(Span { start: lines.first()?.number, end: lines.last()?.number })
}

fn shown(side: Option<&FileSide>, span: Option<Span>, label: &str) -> Option<Excerpt> {
    let (side, span) = side.zip(span)?;
    excerpt(side, span, span.start, label)
}

fn raise(finding: &mut Finding, intent: &Intent) {
    finding.severity = Severity::Medium;
    finding.admit(said(intent));
}

/// So much of a first line is shown.
const SHOWN: usize = 100;

fn said(intent: &Intent) -> String {
    let subject = &intent.subject;
    let shown = &subject[..subject.floor_char_boundary(SHOWN.min(subject.len()))];
    let rest = if shown.len() < subject.len() { "..." } else { "" };
    format!("the message says so: `{shown}{rest}`")
}
