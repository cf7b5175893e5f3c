//! What tests of readers ask of results.

use super::{Results, TestResult};

/// Passed, failed, errors, skipped.
pub fn counts(results: &Results) -> (u64, u64, u64, u64) {
    let counts = results.counts();
    (counts.passed, counts.failed, counts.errors, counts.skipped)
}

pub fn test<'r>(results: &'r Results, id: &str) -> &'r TestResult {
    let found = results.tests.iter().find(|test| test.id.to_string() == id);
    found.unwrap_or_else(|| panic!("{id} is not in {:#?}", results.tests))
}
