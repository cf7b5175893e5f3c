//! Why a proof counts or does not, in words, and the one command to type.

use anyhow::Result;

use super::content::Difference;
use super::search::{Close, Exact, Found};
use super::standing::Standing;
use super::status::{RunRef, Status, SuiteProof};
use crate::collections::HashMap;
use crate::git::{ObjectId, RepoPath, Repository};
use crate::memory::{ProofEnd, Record};
use crate::text::{moment, plural};

/// Files or tests that are named before the rest is counted.
const NAMED: usize = 5;

pub fn explain(repository: &Repository, suite: &str, found: &Found) -> Result<SuiteProof> {
    Ok(match found {
        Found::Nothing => SuiteProof {
            suite: suite.to_owned(),
            status: Status::Missing,
            code_hash: None,
            run: None,
            explanation: "no run of this suite is on record".to_owned(),
            details: Vec::new(),
            next: Some("aiwg-gate run".to_owned()),
        },
        Found::Exact(exact) => explain_exact(suite, exact),
        Found::Close(close) => explain_close(repository, suite, close)?,
    })
}

fn explain_exact(suite: &str, exact: &Exact) -> SuiteProof {
    let record = &exact.record;
    let run = format!("{} ({})", moment(record.timestamp), counted(record));
    let (status, explanation, details, next) = match &exact.standing {
        Standing::Passed { known } => {
            let mut details = listed("only reformatted since", &exact.reformatted);
            details.extend(listed("known to fail on the base too", known));
            (Status::Valid, format!("the run of {run} had this content"), details, None)
        }
        Standing::Failed { tests } => {
            let explanation = match record.proof.ended {
                ProofEnd::Timeout => format!("the run of {run} did not end in time"),
                ProofEnd::Signal => format!("the run of {run} was ended by a signal"),
                _ => format!("the run of {run} failed with this content"),
            };
            let mut details = listed("failing", tests);
            details.push(
                "if they failed before this change too: `aiwg-gate run --base` puts that on record".into(),
            );
            (Status::Failed, explanation, details, Some("aiwg-gate run"))
        }
        Standing::Weak { reasons } => {
            let mut details = reasons.clone();
            // The suite's own command left tests out, and nothing else is wrong: it would do so again.
            let by_itself = record.proof.own_command && record.proof.weak.is_empty() && record.intact;
            let next = if by_itself { "aiwg-gate run --base" } else { "aiwg-gate run" };
            if by_itself {
                details.push("if the project never runs them, a run of the base puts that on record".into());
            }
            (Status::Weak, format!("the run of {run} does not tell enough"), details, Some(next))
        }
        Standing::None => {
            (Status::Missing, format!("the run of {run} was broken off"), Vec::new(), Some("aiwg-gate run"))
        }
    };
    SuiteProof {
        suite: suite.to_owned(),
        status,
        code_hash: None,
        run: Some(RunRef::of(record)),
        explanation,
        details,
        next: next.map(str::to_owned),
    }
}

fn explain_close(repository: &Repository, suite: &str, close: &Close) -> Result<SuiteProof> {
    let record = &close.record;
    let named: Vec<&Difference> = close.differences.iter().take(NAMED).collect();
    let on_disk =
        repository.hash_on_disk(&named.iter().map(|difference| &difference.path).collect::<Vec<_>>())?;
    let mut details = Vec::new();
    let renamed = renames(&close.differences);
    for (difference, disk) in named.iter().zip(&on_disk) {
        details.extend(describe(difference, disk.as_ref(), record, &renamed));
    }
    if close.differences.len() > NAMED {
        details.push(format!("... and {} more", plural(close.differences.len() - NAMED, "file")));
    }
    // What is on disk is what is wanted: an ordinary run will do.
    let as_on_disk = named
        .iter()
        .zip(&on_disk)
        .all(|(difference, disk)| difference.wanted.as_ref().map(|entry| &entry.id) == disk.as_ref());
    Ok(SuiteProof {
        suite: suite.to_owned(),
        status: Status::Stale,
        code_hash: None,
        run: Some(RunRef::of(record)),
        explanation: format!(
            "the closest run, of {} ({}), had other content",
            moment(record.timestamp),
            counted(record)
        ),
        details,
        next: Some(match (as_on_disk, repository.commits_named_paths()) {
            (true, _) => "aiwg-gate run".to_owned(),
            (false, false) => "aiwg-gate run --staged".to_owned(),
            // What `git commit <path>` takes is in no index that lasts.
            (false, true) => "git add what you commit, then `aiwg-gate run --staged`".to_owned(),
        }),
    })
}

/// New paths by the old ones whose content they have.
fn renames(differences: &[Difference]) -> HashMap<&RepoPath, &RepoPath> {
    let gone = differences.iter().filter(|difference| difference.wanted.is_none());
    let came: HashMap<&ObjectId, &RepoPath> = differences
        .iter()
        .filter(|difference| difference.tested.is_none())
        .filter_map(|difference| Some((&difference.wanted.as_ref()?.id, &difference.path)))
        .collect();
    gone.filter_map(|gone| Some((&gone.path, *came.get(&gone.tested.as_ref()?.id)?))).collect()
}

/// One line for a difference; none for the other half of a rename.
fn describe(
    difference: &Difference,
    disk: Option<&ObjectId>,
    record: &Record,
    renamed: &HashMap<&RepoPath, &RepoPath>,
) -> Option<String> {
    let path = &difference.path;
    if let Some(new) = renamed.get(path) {
        return Some(format!("{path} was renamed to {new} after it"));
    }
    if renamed.values().any(|new| *new == path) {
        return None;
    }
    let untracked = record.proof.untracked.iter().any(|untracked| *untracked == path.text());
    Some(match (&difference.tested, &difference.wanted) {
        (Some(_), None) if untracked => {
            format!("{path} was there, untracked; it is not in this commit")
        }
        (Some(tested), None) if disk == Some(&tested.id) => {
            format!("{path} was there, and is on disk; it is not in this commit")
        }
        (Some(_), None) => format!("{path} was there; this commit removes it"),
        (None, Some(_)) => format!("{path} was not there"),
        (Some(tested), Some(wanted)) if disk == Some(&tested.id) && tested.id != wanted.id => {
            format!("{path} had changes that are not staged")
        }
        _ => format!("{path} was changed after it"),
    })
}

fn listed(what: &str, names: &[String]) -> Vec<String> {
    if names.is_empty() {
        return Vec::new();
    }
    let mut line = format!("{what}: {}", names.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", "));
    if names.len() > NAMED {
        line.push_str(&format!(" and {} more", names.len() - NAMED));
    }
    vec![line]
}

fn counted(record: &Record) -> String {
    let results = record.test_results;
    let bad = results.failed + results.errors;
    if results.total == 0 {
        return format!(
            "exit code {}",
            record.proof.exit_code.map_or("none".to_owned(), |code| code.to_string())
        );
    }
    if bad > 0 {
        format!("{} passed, {bad} failed", results.passed)
    } else {
        format!("{} passed", results.passed)
    }
}
