//! # suite-disabled (LP-002)
//!
//! A whole group of tests is switched off by one mark: `describe.skip`, `@Disabled` or `@Ignore` on a class,
//! `pytestmark = pytest.mark.skip` on a module, a build tag that nobody sets. Also: a run that ends as a success where it
//! ended as a failure (`os.Exit(0)` for `os.Exit(1)` in `TestMain`), a list of tests to run that no longer names some, and a
//! mark on a class that has its tests from a base.
//!
//! Severity: high; medium if the mark depends on the environment, for lists of tests, and for tests of a base.
//!
//! ## Why it matters
//!
//! One line takes every test below it out of the run, and a reader of the diff sees only that line.
//!
//! ## Example
//!
//! ```java
//! // before                    // after
//! class RefundTest {           @Disabled("flaky")
//!                              class RefundTest {
//! ```
//!
//! ## What is not reported
//!
//! - a group that was switched off before, and one that is switched on again
//! - a group of new tests only
//! - a list that loses what is removed or renamed in the same change
//!
//! Warned about, never blocked: marks that depend on platform, version or tools.
//!
//! ## What to do
//!
//! Take the mark off and mend the tests that fail. If only some of them cannot run, skip exactly those, with a
//! reason.

mod inherited_tests;
mod run_lists;

use std::collections::BTreeMap;

use super::report::{Draft, excerpt};
use super::skips::{NewSkip, lower_by_reason, new_skips, remedy};
use super::table;
use crate::comparison::Comparison;
use crate::facts::{Scope, SkipKind, Span};
use crate::finding::{Finding, FindingType, RuleId, Severity, Side};
use crate::text::plural;

pub const ID: RuleId = table::id("suite-disabled", "LP-002", FindingType::TestSkipping);

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let mut marks: BTreeMap<(usize, u32), Vec<NewSkip<'_>>> = BTreeMap::new();
    let on_groups = |new: &NewSkip<'_>| new.skip.scope != Scope::Test && new.skip.kind != SkipKind::Focus;
    for new in new_skips(comparison).filter(on_groups) {
        marks.entry((new.after.file, new.skip.line)).or_default().push(new);
    }
    let marked = marks.into_values().filter_map(|tests| disabled(comparison, &tests));
    marked.chain(run_lists::detect(comparison)).chain(inherited_tests::detect(comparison)).collect()
}

fn disabled(comparison: &Comparison, tests: &[NewSkip<'_>]) -> Option<Finding> {
    let first = tests.first()?;
    let (side, test) = comparison.after(first.after);
    let skip = first.skip;
    let group = match skip.scope {
        Scope::File => format!("the file {}", side.path),
        _ => format!("the suite {}", test.suite.join("::")),
    };
    let state = match skip.kind {
        SkipKind::Conditional => "is now skipped under a condition",
        SkipKind::ExpectedFailure => "is now expected to fail",
        _ => "is now skipped",
    };
    let draft = Draft {
        rule: ID,
        severity: Severity::High,
        confidence: 0.95,
        message: format!("{group} {state}, with {} that ran before", plural(tests.len(), "test")),
        help: remedy(skip, &side.path, "mend the tests that fail"),
    };
    let symbol = match skip.scope {
        Scope::File => side.path.clone(),
        _ => format!("{}::{}", side.path, test.suite.join("::")),
    };
    let label =
        if skip.kind == SkipKind::Conditional { "now it depends on this" } else { "now none of them does" };
    let mut finding = draft.on(Side::After, side, skip.line, symbol);
    let (old_side, old) = comparison.before(first.before);
    finding.before =
        excerpt(old_side, Span { start: old.line, end: old.line }, old.line, "this and the others ran");
    finding.after = excerpt(side, Span { start: skip.line, end: skip.line }, skip.line, label);
    // A reason does not make a whole group one skip; only the environment lowers it.
    lower_by_reason(&mut finding, [old_side, side], skip, None);
    Some(finding)
}
