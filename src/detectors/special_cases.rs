//! # special-cases (LP-017)
//!
//! Hard-coded cases were added to a function: an input is compared with a literal, and a literal is given back. More
//! than five of them are reported, and from two on those that are just what tests of the same change ask and expect.
//!
//! Severity: medium.
//!
//! ## Why it matters
//!
//! A function that lists the answers to known questions passes the tests that ask them, and knows nothing else.
//!
//! ## Example
//!
//! ```python
//! # before                         # after
//! def roman(number):               def roman(number):
//!     return convert(number)           if number == 4:
//!                                          return "IV"
//!                                      if number == 9:
//!                                          return "IX"
//!                                      ...
//! ```
//!
//! ## What is not reported
//!
//! - single cases, and a few that no test of the change spells out
//! - tables and switches, which are meant to list cases
//! - cases that the file had before, new functions
//!
//! ## What to do
//!
//! Write the rule behind the cases, or put them into a table that says what it is.

use std::collections::BTreeMap;

use super::code_lines::{existing, is_scratch};
use super::report::{Draft, excerpt};
use super::table;
use super::test_recognised::{is_tested, new_cases};
use crate::comparison::{Comparison, FileSide};
use crate::facts::{Span, SpecialCase};
use crate::finding::{Finding, FindingType, RuleId, Severity, Side};

pub const ID: RuleId = table::id("special-cases", "LP-017", FindingType::ValidationBypass);

/// More than this in one function are no accident.
const MANY: usize = 5;

/// From here on answers to tests are no accident either.
const FEW: usize = 2;

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let files = comparison.files.iter().filter_map(existing).filter(|(_, after)| !is_scratch(&after.path));
    files.flat_map(|(before, after)| in_file(comparison, before, after)).collect()
}

fn in_file(comparison: &Comparison, before: &FileSide, after: &FileSide) -> Vec<Finding> {
    let mut functions: BTreeMap<&str, Vec<&SpecialCase>> = BTreeMap::new();
    for case in new_cases(before, after) {
        functions.entry(&case.scope).or_default().push(case);
    }
    let is_listed = |cases: &[&SpecialCase]| {
        cases.len() > MANY || (cases.len() >= FEW && cases.iter().all(|case| is_tested(comparison, case)))
    };
    let listed = functions.into_iter().filter(|(_, cases)| is_listed(cases));
    listed.filter_map(|(scope, cases)| finding(after, scope, &cases)).collect()
}

fn finding(after: &FileSide, scope: &str, cases: &[&SpecialCase]) -> Option<Finding> {
    let (first, last) = (cases.first()?, cases.last()?);
    let name = scope.replace('.', "::");
    let draft = Draft {
        rule: ID,
        severity: Severity::Medium,
        confidence: 0.75,
        message: format!("{} hard-coded cases were added to `{name}`", cases.len()),
        help: "write the rule behind the cases, or put them into a table".to_owned(),
    };
    let mut finding = draft.on(Side::After, after, first.line, format!("{}::{name}", after.path));
    let span = Span { start: first.line, end: last.line };
    finding.after = excerpt(after, span, first.line, "the first of them");
    if cases.len() <= MANY {
        finding.evidence.push("tests of the same change ask and expect just these".to_owned());
    }
    Some(finding)
}
