//! Whether a change takes back what an earlier one brought: the tests that came with it then go with it.
//!
//! Told by content, not by what a message says: the files in question are what they were at one earlier commit, and so is most
//! of the production code that changes. Where they have been edited since, what goes has to be what one earlier commit brought.
//! Whoever takes back tests alone gets no such credit.

mod earlier;
mod undone;

use std::collections::BTreeSet;

use anyhow::Result;

use crate::collections::HashMap;
use crate::comparison::Comparison;
use crate::finding::{Finding, Severity};
use crate::git::{Change, ChangeSet, Content, ObjectId, RepoPath, Repository};
use crate::languages::language_of;
use crate::paths::PathClass;

/// So many commits back is what they are compared with; what is taken back later has become part of the code.
const BACK: usize = 128;

/// So many files are looked at on the way.
const MOST: usize = 32;

/// Lowers what would block to a warning where the change goes back to what was there before.
pub fn lower(repository: &Repository, change: &ChangeSet, comparison: &Comparison, findings: &mut [Finding]) {
    let blocking =
        |finding: &&mut Finding| finding.severity >= Severity::High && language_of(&finding.path).is_some();
    let mut wanted: BTreeSet<String> =
        findings.iter_mut().filter(blocking).map(|finding| finding.path.clone()).take(MOST).collect();
    if wanted.is_empty() {
        return;
    }
    let Some(state) = State::of(change, comparison) else {
        lower_second_step(repository, change, findings, &wanted);
        return;
    };
    let back = state.find(repository, change, &wanted);
    wanted.retain(|path| !back.contains_key(path));
    let undone = undone::find(repository, change, comparison, &wanted);
    for finding in findings.iter_mut().filter(blocking) {
        let why = if let Some(commit) = back.get(&finding.path) {
            let at = commit.short();
            format!("the change takes it back to what it was at {at}, and production code with it")
        } else if let Some(commit) = undone.get(&finding.path) {
            let at = commit.short();
            format!(
                "what goes here came with {at}, and the change takes back the production code of that commit too"
            )
        } else {
            continue;
        };
        finding.lower(Severity::Medium, why);
    }
}

/// The same where the code was taken back before, and the change takes back its tests.
fn lower_second_step(
    repository: &Repository,
    change: &ChangeSet,
    findings: &mut [Finding],
    wanted: &BTreeSet<String>,
) {
    let back = earlier::find(repository, change, &contents(change), wanted);
    for finding in findings.iter_mut().filter(|finding| finding.severity >= Severity::High) {
        if let Some(commit) = back.get(&finding.path) {
            let at = commit.short();
            let why = format!("it goes back to what it was before the code that {at} took back");
            finding.lower(Severity::Medium, why);
        }
    }
}

/// What the change leaves at each path that it touches, as far as git knows it.
fn contents(change: &ChangeSet) -> HashMap<String, Option<ObjectId>> {
    let mut after = HashMap::new();
    for file in change.changes.iter().filter_map(Change::before) {
        after.insert(file.path.text().into_owned(), None);
    }
    for file in change.changes.iter().filter_map(Change::after) {
        let Content::Blob(id) = &file.content else { continue };
        after.insert(file.path.text().into_owned(), Some(id.clone()));
    }
    after
}

/// What the change leaves at the paths that it touches.
struct State {
    after: HashMap<String, Option<ObjectId>>,
    production: Vec<String>,
}

impl State {
    /// `None` where no production code changes, or where it is not known as git knows it.
    fn of(change: &ChangeSet, comparison: &Comparison) -> Option<Self> {
        let after = contents(change);
        let code = comparison.files.iter().filter(|file| file.class == PathClass::Production);
        let sides = code.filter_map(|file| file.after.as_ref().or(file.before.as_ref()));
        let production = sides.filter(|side| !side.facts.language.is_empty()).map(|side| side.path.clone());
        let production: Vec<String> = production.filter(|path| after.contains_key(path)).take(MOST).collect();
        (!production.is_empty()).then_some(Self { after, production })
    }

    /// The commit to which each path goes back, of those that do.
    fn find(
        &self,
        repository: &Repository,
        change: &ChangeSet,
        wanted: &BTreeSet<String>,
    ) -> HashMap<String, ObjectId> {
        let mut found = HashMap::new();
        let mut at = change.base.clone();
        for _ in 0..BACK {
            let Some(commit) = at else { break };
            // A clone may be cut off here, or lack what is far back: nothing goes back further than it is known.
            let Ok(parents) = repository.parents(&commit) else { break };
            at = parents.into_iter().next();
            let Some(earlier) = &at else { break };
            let Ok(same) = self.most_is_as_at(repository, earlier) else { break };
            if !same {
                continue;
            }
            for path in wanted {
                if !found.contains_key(path) && self.is_as_at(repository, earlier, path).unwrap_or(false) {
                    found.insert(path.clone(), earlier.clone());
                }
            }
            if found.len() == wanted.len() {
                break;
            }
        }
        found
    }

    fn most_is_as_at(&self, repository: &Repository, commit: &ObjectId) -> Result<bool> {
        let half = self.production.len() / 2;
        let (mut same, mut other) = (0, 0);
        for path in &self.production {
            match self.is_as_at(repository, commit, path)? {
                true => same += 1,
                false => other += 1,
            }
            if same > half || other > half {
                break;
            }
        }
        Ok(same > half)
    }

    fn is_as_at(&self, repository: &Repository, commit: &ObjectId, path: &str) -> Result<bool> {
        let Some(after) = self.after.get(path) else { return Ok(false) };
        let there = repository.entry(commit, &RepoPath::new(path))?;
        Ok(there.map(|entry| entry.id) == *after)
    }
}
