//! # test-skipped (LP-003)
//!
//! A test that ran before the change is now skipped, expected to fail, left out because another one is focused
//! (`it.only`), or no longer found by the runner. So are a test whose fixture skips, a test that is left quietly where its
//! set-up fails, an inherited one that a class switches off by a method of its own, a part of a test that becomes a skipped
//! test of its own, and a test that moves to a place for flaky ones. Also: more skips in helpers, aliases, hooks and at the
//! head of a file than before; a body that only runs where a condition holds; a loop that makes fewer tests; a list of what
//! is passed over that grows (`KNOWN_FAILURES`, `skip.txt`); fewer constants that are tried; and an example of the
//! documentation that is only shown (` ```ignore `, `# doctest: +SKIP`). And: a case kept as data that is told to be left out
//! (`skip: true`), a function that tests and that no list names any more, and lines of a list that became comments. Also: a
//! condition under which a test or a helper passes something over and that holds more often (one more entry of a list, one
//! more reason), a call of a function that tests which came under a condition, a helper that checks and is now left at once
//! somewhere, an inherited test that is empty in a class or set to nothing, and an expected failure that is not strict any
//! more. And: a flag or helper that says what the machine can do and that says no on more of them, a list that tests are run
//! over and that loses values, cases that a loop passes over by their name or that are filtered before tests are made, and a
//! value that a test of all values of a type leaves out (`@EnumSource(mode = EXCLUDE, ..)`).
//!
//! Severity: high; medium for a single skip that gives a reason, be it in a new comment at the mark, for a skip that depends
//! on the environment, for a part that is split off, for another place, for a focus that leaves out no other test of its
//! file, and for all that no single test owns.
//!
//! Where nothing of the kind is seen, and the message of the commit says that tests are left out (`Skip the svn tests`), what
//! changes about them is a warning.
//!
//! ## Why it matters
//!
//! A skipped test can never fail, so the run is green whatever the code does. Skips that were meant for a day tend
//! to stay for years.
//!
//! ## Example
//!
//! ```js
//! // before                                  // after
//! it('refunds the deposit', ...)             it.skip('refunds the deposit', ...)
//! ```
//!
//! ## What is not reported
//!
//! - a skip that was there before, and a skip that is taken away
//! - a skip moved along with its test, and one that took the place of a quiet return
//! - helpers that skip for new tests alone, and new examples that are only shown
//!
//! Warned about, never blocked: skips that depend on platform, version or tools. Logged only: a new test that
//! starts out skipped.
//!
//! ## What to do
//!
//! Take the mark off and make the test pass. If it cannot run somewhere, make the skip depend on exactly that. If
//! it has to rest, say why in the mark.

mod doc_examples;
mod excluded_cases;
mod fixed_flags;
mod grown_lists;
pub mod inherited;
mod left_rounds;
mod set_aside;
mod shortened_lists;
mod spelled_skips;
mod told_to_skip;
pub mod under_conditions;

use std::collections::BTreeMap;

use super::edits;
use super::evidence;
use crate::collections::HashSet;

use super::report::{Draft, excerpt, rename, symbol};
use super::skips::{NewSkip, lower_by_reason, new_skips, remedy};
use super::table;
use super::test_removed::listed_tests;

use crate::comparison::{At, Comparison, FileComparison, FileSide};
use crate::facts::{Scope, Skip, SkipKind, Span, Test};
use crate::finding::{Finding, FindingType, RuleId, Severity, Side};
use crate::pairing::Fate;
use crate::text::plural;

pub const ID: RuleId = table::id("test-skipped", "LP-003", FindingType::TestSkipping);

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let mut findings = Vec::new();
    let own: Vec<NewSkip<'_>> = new_skips(comparison).filter(|new| new.skip.scope == Scope::Test).collect();
    let alone = own.iter().filter(|new| new.skip.kind != SkipKind::Conditional).count() == 1;
    findings.extend(own.iter().map(|new| skipped(comparison, new, alone)));
    findings.extend(focused(comparison));
    findings.extend(uncollected(comparison));
    findings.extend(overridden(comparison));
    findings.extend(emptied(comparison));
    findings.extend(skipped_from_the_start(comparison));
    findings.extend(set_aside::detect(comparison));
    findings.extend(told_to_skip::detect(comparison));
    findings.extend(fixed_flags::detect(comparison));
    findings.extend(listed_tests::left_out(comparison));
    findings.extend(doc_examples::detect(comparison));
    findings.extend(under_conditions::detect(comparison));
    findings.extend(grown_lists::detect(comparison));
    findings.extend(excluded_cases::detect(comparison));
    findings.extend(shortened_lists::detect(comparison));
    let mut unowned = spelled_skips::detect(comparison);
    unowned.extend(edits::detect(comparison, edits::Part::Skipped));
    let told: HashSet<String> = findings.iter().chain(&unowned).map(|one| one.symbol.clone()).collect();
    unowned.extend(left_rounds::detect(comparison).into_iter().filter(|one| !told.contains(&one.symbol)));
    let beside = told_to_skip::beside(comparison);
    unowned.extend(
        beside
            .into_iter()
            .filter(|one| !unowned.iter().any(|told| told.path == one.path))
            .collect::<Vec<_>>(),
    );
    if !unowned.is_empty() {
        let suites = super::suite_disabled::detect(comparison);
        let is_told = |path: &str| {
            findings.iter().chain(&suites).any(|one| one.path == path && one.severity > Severity::Low)
        };
        unowned.retain(|finding| !is_told(&finding.path));
        findings.extend(unowned);
    }
    findings
}

/// Tests of a base class that ran in a class before the change, and are switched off there by a method of its own.
fn overridden(comparison: &Comparison) -> Vec<Finding> {
    let mut found: Vec<(At, &Skip)> = Vec::new();
    for &at in &comparison.pairing.added {
        let (_, test) = comparison.after(at);
        if let Some(skip) = test.skip.as_ref().filter(|_| is_override(comparison, at)) {
            found.push((at, skip));
        }
    }
    let finding = |&(at, skip): &(At, &Skip)| {
        let (side, test) = comparison.after(at);
        let old_side = comparison.files[at.file].before.as_ref()?;
        let draft = Draft {
            rule: ID,
            severity: Severity::High,
            confidence: 0.85,
            message: format!("the inherited test {} is now skipped", test.qualified_name()),
            help: remedy(skip, &side.path, "make the inherited test pass"),
        };
        let mut finding = draft.on_test(Side::After, side, test);
        finding.line = skip.line;
        finding.after = excerpt(side, test.span, skip.line, "it takes the place of the inherited one");
        lower_by_reason(&mut finding, [old_side, side], skip, (found.len() == 1).then_some(test));
        if !test.overrides {
            finding.lower(Severity::Medium, "that a base class has it is told by names");
        }
        Some(finding)
    };
    found.iter().filter_map(finding).collect()
}

/// Tests of a base class in whose place a class now has an empty one.
fn emptied(comparison: &Comparison) -> Vec<Finding> {
    let added = comparison.pairing.added.iter().copied();
    let empty =
        added.filter(|&at| inherited::is_emptied(comparison.after(at).1) && is_override(comparison, at));
    let finding = |at: At| {
        let (side, test) = comparison.after(at);
        let draft = Draft {
            rule: ID,
            severity: Severity::High,
            confidence: 0.8,
            message: format!("the inherited test {} does nothing here any more", test.qualified_name()),
            help: format!("take it out at {}:{} and make the inherited test pass", side.path, test.line),
        };
        let mut finding = draft.on_test(Side::After, side, test);
        finding.after = excerpt(side, test.span, test.line, "it takes the place of the inherited one");
        finding.lower(Severity::Medium, "what the base class tests is not looked at");
        finding
    };
    empty.map(finding).collect()
}

/// Whether a new test stands for one that its class had from a base.
fn is_override(comparison: &Comparison, at: At) -> bool {
    let (_, test) = comparison.after(at);
    test.overrides && had_suite(comparison, at) || inherited::takes_over(comparison, at)
}

/// Whether the class around a test was there before.
fn had_suite(comparison: &Comparison, at: At) -> bool {
    let (_, test) = comparison.after(at);
    let Some(before) = &comparison.files[at.file].before else { return false };
    let is_class = |name: &String| test.suite.last() == Some(name);
    before.facts.definitions.iter().any(|known| is_class(&known.name))
        || before.facts.tests.iter().any(|known| known.suite.iter().any(is_class))
}

fn skipped(comparison: &Comparison, new: &NewSkip<'_>, alone: bool) -> Finding {
    let ((old_side, old), (side, test)) = (comparison.before(new.before), comparison.after(new.after));
    let name = test.qualified_name();
    let message = match new.skip.kind {
        SkipKind::Conditional => format!("the test {name} is now skipped under a condition"),
        SkipKind::ExpectedFailure => format!("the test {name} is now expected to fail"),
        SkipKind::NotCollected => format!("the test {name} is no longer run"),
        SkipKind::Focus | SkipKind::Unconditional => format!("the test {name} is now skipped"),
    };
    let draft = Draft {
        rule: ID,
        severity: Severity::High,
        confidence: if comparison.production.changed { 0.9 } else { 0.95 },
        message,
        help: remedy(new.skip, &side.path, "make the test pass"),
    };
    let mut finding = draft.on_test(Side::After, side, test);
    finding.line = new.skip.line;
    finding.before = excerpt(old_side, old.span, old.line, "it ran before");
    finding.after = excerpt(side, test.span, new.skip.line, state_label(new.skip));
    lower_by_reason(&mut finding, [old_side, side], new.skip, alone.then_some(test));
    if evidence::does_nothing(old) {
        finding.lower(Severity::Low, "its body was empty");
    }
    finding
}

fn state_label(skip: &Skip) -> &'static str {
    match skip.kind {
        SkipKind::Conditional => "now it depends on this",
        SkipKind::ExpectedFailure => "now it may fail",
        _ => "now it does not",
    }
}

/// One finding for each focus mark that leaves tests out which ran before.
fn focused(comparison: &Comparison) -> Vec<Finding> {
    let mut by_file: BTreeMap<usize, Vec<NewSkip<'_>>> = BTreeMap::new();
    for new in new_skips(comparison).filter(|new| new.skip.kind == SkipKind::Focus) {
        by_file.entry(new.after.file).or_default().push(new);
    }
    let finding = |left_out: Vec<NewSkip<'_>>| {
        let first = left_out.first()?;
        let (side, test) = comparison.after(first.after);
        let line = first.skip.line;
        let draft = Draft {
            rule: ID,
            severity: Severity::High,
            confidence: 0.95,
            message: format!(
                "a focused test leaves out {} of {}",
                plural(left_out.len(), "other test"),
                side.path
            ),
            help: format!("take the focus off at {}:{line}, so that all tests run", side.path),
        };
        let mut finding = draft.on(Side::After, side, line, symbol(side, test));
        finding.after = excerpt(side, Span { start: line, end: line }, line, "only this runs");
        Some(finding)
    };
    by_file.into_values().filter_map(finding).collect()
}

/// Tests whose code is still there, but where or as what the runner does not look.
fn uncollected(comparison: &Comparison) -> Vec<Finding> {
    let mut by_file: BTreeMap<usize, Vec<Remains<'_>>> = BTreeMap::new();
    for (before, fate) in &comparison.pairing.fates {
        if let Fate::Uncollected { file, name, span } = fate {
            by_file.entry(*file).or_default().push(Remains { before: *before, name, span: *span });
        }
    }
    by_file.into_iter().flat_map(|(file, remains)| out_of_sight(comparison, file, &remains)).collect()
}

/// What is left of a test that is no longer collected.
struct Remains<'a> {
    before: At,
    name: &'a str,
    span: Span,
}

/// One finding where a whole file was renamed out of the runner's sight, else one for each test.
fn out_of_sight(comparison: &Comparison, file: usize, remains: &[Remains<'_>]) -> Vec<Finding> {
    let FileComparison { before: Some(old_side), after: Some(side), .. } = &comparison.files[file] else {
        return Vec::new();
    };
    let renamed = old_side.path != side.path && side.facts.tests.is_empty();
    if let (true, Some(first)) = (renamed, remains.first()) {
        let (_, old) = comparison.before(first.before);
        let draft = Draft {
            rule: ID,
            severity: Severity::High,
            confidence: 0.9,
            message: format!(
                "{} became {}, where the runner finds no tests: {} no longer run",
                old_side.path,
                side.path,
                plural(remains.len(), "test")
            ),
            help: format!("give it back its name: {}", rename(&side.path, &old_side.path)),
        };
        let mut finding = draft.on(Side::After, side, first.span.start, old_side.path.clone());
        finding.before = excerpt(old_side, old.span, old.line, "the runner found this and the others here");
        return vec![finding];
    }
    remains.iter().map(|remains| hidden(comparison, side, remains)).collect()
}

fn hidden(comparison: &Comparison, side: &FileSide, remains: &Remains<'_>) -> Finding {
    let (old_side, old) = comparison.before(remains.before);
    let name = old.qualified_name();
    let message = if remains.name == old.name {
        format!("the test {name} is still written down, but the runner does not find it any more")
    } else {
        format!("the test {name} lives on as `{}`, which the runner does not find", remains.name)
    };
    let place = format!("{}:{}", side.path, remains.span.start);
    let draft = Draft {
        rule: ID,
        severity: Severity::High,
        confidence: 0.9,
        message,
        help: format!("give it back the name, mark and place by which the runner collects it ({place})"),
    };
    let mut finding = draft.on(Side::After, side, remains.span.start, symbol(old_side, old));
    finding.before = excerpt(old_side, old.span, old.line, "the runner found it here");
    finding.after = excerpt(side, remains.span, remains.span.start, "it does not run any more");
    finding
}

/// New tests that are skipped at once lose nothing that was there; they are only logged.
fn skipped_from_the_start(comparison: &Comparison) -> Vec<Finding> {
    let finding = |&at: &At| {
        let (side, test): (_, &Test) = comparison.after(at);
        let skip = test.skip.as_ref().filter(|skip| skip.kind != SkipKind::Conditional)?;
        if is_override(comparison, at) {
            return None;
        }
        let source = set_aside::taken_from(comparison, at);
        let draft = Draft {
            rule: ID,
            severity: if source.is_some() { Severity::Medium } else { Severity::Low },
            confidence: 0.9,
            message: match &source {
                Some(source) => {
                    format!("a part of the test {source} is now a test of its own that is skipped")
                }
                None => format!("the new test {} starts out skipped", test.qualified_name()),
            },
            help: format!("make it run, or add it when it can ({}:{})", side.path, skip.line),
        };
        let mut finding = draft.on_test(Side::After, side, test);
        finding.after = excerpt(side, test.span, skip.line, "it does not run");
        if source.is_none() {
            finding.evidence.push("it is new, so no test that ran is lost".to_owned());
        }
        Some(finding)
    };
    comparison.pairing.added.iter().filter_map(finding).collect()
}
