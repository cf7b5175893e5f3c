//! Results as executions of definitions: all rows of a table are one.

use super::KnownTest;
use crate::collections::HashMap;
use crate::runner::results::{Outcome, Results, Skips, TestId, TestResult};

pub struct Unit<'r> {
    pub file: Option<&'r str>,
    pub suite: &'r [String],
    pub name: &'r str,
    pub line: Option<u32>,
    /// How often it ran: tests of equal names in different programs.
    pub times: u32,
    /// Whether it was skipped by a mark, be it its own or one that something else gave it.
    pub by_mark: bool,
    /// Whether a known test of exactly this name is it.
    pub claimed: bool,
    /// Whether a known test was found to be it in a lenient way.
    pub used: bool,
}

impl Unit<'_> {
    /// Whether a line alone may tell which test it is: the title may be computed.
    pub fn name_is_free(&self, test: &KnownTest<'_>) -> bool {
        !self.claimed || self.name == test.name
    }

    /// Whether a mark may be the test's own: one that is imported cannot be read, and a plain function has none.
    pub fn accounts_for(&self, test: &KnownTest<'_>) -> bool {
        !self.by_mark || test.is_marked || !test.suite.is_empty()
    }
}

/// Whether a result says that the test ran, or that it decided itself not to.
fn accounts(test: &TestResult, skips: Skips) -> bool {
    if test.outcome != Outcome::Skipped {
        return true;
    }
    let failure = test.failure.as_ref();
    match skips {
        Skips::Decided => true,
        Skips::Filtered => false,
        // A failure that was expected is an execution.
        Skips::Placed => {
            let place = failure.and_then(|failure| failure.location.as_ref());
            failure.is_some_and(|failure| failure.kind == "pytest.xfail")
                || place.is_some_and(|place| Some(&place.file) == test.id.file.as_ref())
        }
    }
}

/// pytest places a mark where the test begins, and a call where it stands.
fn is_by_mark(test: &TestResult, skips: Skips) -> bool {
    let place = test.failure.as_ref().and_then(|failure| failure.location.as_ref());
    skips == Skips::Placed
        && test.outcome == Outcome::Skipped
        && place.is_some_and(|place| place.line.is_some() && place.line == test.line)
}

pub fn units(results: &Results) -> Vec<Unit<'_>> {
    let mut index = HashMap::new();
    let mut rows: HashMap<&TestId, u32> = HashMap::new();
    let mut units: Vec<Unit<'_>> = Vec::new();
    for test in results.tests.iter().filter(|test| accounts(test, results.skips)) {
        let id = &test.id;
        let key = (&id.file, id.suite.as_slice(), id.name.as_str(), test.line);
        let at = *index.entry(key).or_insert_with(|| {
            units.push(Unit {
                file: id.file.as_deref(),
                suite: &id.suite,
                name: &id.name,
                line: test.line,
                times: 0,
                by_mark: true,
                claimed: false,
                used: false,
            });
            units.len() - 1
        });
        units[at].by_mark &= is_by_mark(test, results.skips);
        let times = rows.entry(id).or_default();
        *times += 1;
        units[at].times = units[at].times.max(*times);
    }
    units
}
