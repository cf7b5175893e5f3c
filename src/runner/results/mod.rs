//! What a test run said, one test at a time, whichever tool said it. One file per format.
//!
//! Readers are total: any bytes give results or an error in words, never a panic. They count tests themselves and
//! trust no totals.

#[cfg(test)]
mod captured_tests;
pub mod event_lines;
pub mod executed;
mod expectation;
pub mod frames;
mod go_failure;
pub mod go_json;
pub mod jest_json;
pub mod junit;
pub mod libtest;
mod limits;
pub mod mocha_json;
mod model;
pub mod nextest_text;
mod panics;
pub mod pytest_text;
mod python_crash;
pub mod summary;
#[cfg(test)]
mod testing;
mod traceback;
pub mod unittest_text;
mod words;

pub use model::{Counts, Failure, Location, Outcome, Results, Skips, TestId, TestResult};
