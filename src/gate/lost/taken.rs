//! Tests that a merge seems to lose, and that another parent took away: where a file was moved on one side, the other side's
//! work on it shows at the old path.

use anyhow::Result;

use super::twins::file_name;
use super::{Outcome, Source, blocking};
use crate::comparison::Comparison;
use crate::facts::Test;
use crate::finding::{Finding, Severity};
use crate::git::{ObjectId, Repository};

/// So many files of one name are looked at.
const MAX_FILES: usize = 8;

/// Lowers findings about tests that were there where the parents parted and that another parent has no more.
pub fn lower(
    repository: &Repository,
    comparison: &Comparison,
    findings: &mut [Finding],
    others: &[(&ObjectId, Vec<ObjectId>)],
) -> Result<()> {
    let mut taken = Vec::new();
    for lost in blocking(comparison, findings) {
        let name = file_name(&lost.side.path);
        for (other, forks) in others {
            let theirs = tests_called(repository, other, name)?;
            let mut had = Vec::new();
            for fork in forks {
                had.extend(tests_called(repository, fork, name)?);
            }
            let is_taken = |test: &&Test| has(&had, test) && !has(&theirs, test);
            if lost.tests.iter().all(is_taken) {
                taken.push((lost.finding, *other));
                break;
            }
        }
    }
    for (finding, other) in taken {
        findings[finding]
            .lower(Severity::Low, format!("{} had taken it away, and was judged for that", other.short()));
    }
    Ok(())
}

fn has(tests: &[Test], wanted: &Test) -> bool {
    tests.iter().any(|test| test.name == wanted.name && test.suite.last() == wanted.suite.last())
}

/// The tests of all files of a name.
fn tests_called(repository: &Repository, commit: &ObjectId, name: &str) -> Result<Vec<Test>> {
    let outcome = Outcome::at(repository, commit)?;
    let mut tests = Vec::new();
    for path in outcome.paths().iter().filter(|path| file_name(path) == name).take(MAX_FILES) {
        tests.extend(outcome.facts(path)?.iter().flat_map(|facts| facts.tests.clone()));
    }
    Ok(tests)
}
