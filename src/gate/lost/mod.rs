//! What the rest of the repository says about tests that a change seems to lose: whether they stand somewhere else in the
//! result, and whether what they are about had left the code before.
//!
//! Asked only of what would block: to look through a tree, or back in history, takes time.

mod copies;
mod past;
mod said;
mod taken;
mod tree;
mod twins;

use anyhow::Result;

use crate::collections::HashMap;
use crate::comparison::{Comparison, FileSide};
use crate::facts::Test;
use crate::finding::{Finding, Severity};
use crate::git::{ChangeSet, Repository};
use crate::pairing::Fate;

pub use taken::lower as lower_taken;
pub use tree::{Outcome, Source};
pub use twins::lower as lower_twins;

/// The rule whose findings are looked into.
const RULE: &str = "test-removed";

/// So many lost tests are looked for; more are a matter for whoever reads the change.
const MOST: usize = 300;

/// A finding with the tests it is about.
pub struct Lost<'c> {
    pub finding: usize,
    pub side: &'c FileSide,
    pub tests: Vec<&'c Test>,
}

/// Lowers what would block where a test stands elsewhere, or where what it was about is gone for some time.
pub fn lower(
    repository: &Repository,
    change: &ChangeSet,
    comparison: &Comparison,
    findings: &mut [Finding],
) -> Result<()> {
    if !has_any(comparison, findings) {
        return Ok(());
    }
    let Some(outcome) = Outcome::of(repository, change)? else { return Ok(()) };
    lower_twins(comparison, findings, &outcome)?;
    copies::lower(comparison, findings, &outcome)?;
    past::lower(repository, change, comparison, findings, &outcome)
}

/// Whether there is anything to look into.
pub fn has_any(comparison: &Comparison, findings: &[Finding]) -> bool {
    !from(Severity::Medium, comparison, findings).is_empty()
}

/// The findings that would block, with the tests that are gone; none where there are too many.
pub fn blocking<'c>(comparison: &'c Comparison, findings: &[Finding]) -> Vec<Lost<'c>> {
    from(Severity::High, comparison, findings)
}

/// The tests of a file that are gone: of a table that lost rows the test is still there.
struct Gone<'c> {
    side: &'c FileSide,
    all: Vec<&'c Test>,
    by_name: HashMap<String, Vec<&'c Test>>,
}

fn gone(comparison: &Comparison) -> HashMap<&str, Gone<'_>> {
    let mut files: HashMap<&str, Gone<'_>> = HashMap::new();
    for (at, _) in comparison.pairing.fates.iter().filter(|(_, fate)| *fate == Fate::Removed) {
        let (side, test) = comparison.before(*at);
        let new = || Gone { side, all: Vec::new(), by_name: HashMap::new() };
        let file = files.entry(&side.path).or_insert_with(new);
        file.all.push(test);
        file.by_name.entry(test.qualified_name()).or_default().push(test);
    }
    files
}

/// The findings from a severity on, with the tests that are gone.
fn from<'c>(severity: Severity, comparison: &'c Comparison, findings: &[Finding]) -> Vec<Lost<'c>> {
    let is_wanted = |finding: &Finding| finding.severity >= severity && finding.rule.name == RULE;
    let files = gone(comparison);
    let lost = |(at, finding): (usize, &Finding)| {
        let Gone { side, all, by_name } = files.get(finding.path.as_str())?;
        let name = finding.symbol.strip_prefix(&side.path)?;
        let tests = if name.is_empty() { all } else { by_name.get(name.strip_prefix("::")?)? };
        Some(Lost { finding: at, side, tests: tests.clone() })
    };
    let wanted = findings.iter().enumerate().filter(|(_, finding)| is_wanted(finding));
    let found: Vec<Lost<'c>> = wanted.filter_map(lost).collect();
    if found.iter().map(|lost| lost.tests.len()).sum::<usize>() > MOST { Vec::new() } else { found }
}
