//! Results as executions of definitions: all rows of a table are one.

use std::collections::HashMap;

use super::KnownTest;
use crate::runner::results::{Results, TestId};

pub struct Unit<'r> {
    pub file: Option<&'r str>,
    pub suite: &'r [String],
    pub name: &'r str,
    pub line: Option<u32>,
    /// How often it ran: tests of equal names in different programs.
    pub times: u32,
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
}

pub fn units(results: &Results) -> Vec<Unit<'_>> {
    let mut index = HashMap::new();
    let mut rows: HashMap<&TestId, u32> = HashMap::new();
    let mut units: Vec<Unit<'_>> = Vec::new();
    for test in &results.tests {
        let id = &test.id;
        let key = (&id.file, id.suite.as_slice(), id.name.as_str(), test.line);
        let at = *index.entry(key).or_insert_with(|| {
            units.push(Unit {
                file: id.file.as_deref(),
                suite: &id.suite,
                name: &id.name,
                line: test.line,
                times: 0,
                claimed: false,
                used: false,
            });
            units.len() - 1
        });
        let times = rows.entry(id).or_default();
        *times += 1;
        units[at].times = units[at].times.max(*times);
    }
    units
}
