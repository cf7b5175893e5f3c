//! What files outside of the change still check, for those in it that no longer do.

use std::collections::BTreeSet;
use std::sync::Arc;

use anyhow::Result;

use super::facts::Analyzed;
use crate::collections::{HashMap, HashSet};
use crate::facts::{Check, Force, Ground, ProjectFacts, Trigger};
use crate::git::{Change, ChangeSet, Entry, RepoPath, Repository};
use crate::project::{self, Callees};

/// A file that the change does not touch, with its text.
pub type Outside = (String, Vec<u8>);

/// Folders of build servers.
const FOLDERS: &[&str] = &[".github", ".circleci", ".gitlab", ".buildkite", ".azure-pipelines", ".ci", "ci"];

/// Files of a repository that are looked into at most.
const MAX_FILES: usize = 200;

/// Completes the before sides from which checks are gone; `files`, in the order of the changes, the before side
/// first. `outside` gives the configuration files that the change does not touch, and is only asked where needed.
pub fn complete(
    changes: &[&Change],
    files: &mut [Analyzed],
    outside: impl FnOnce() -> Result<Vec<Outside>>,
) -> Result<()> {
    let mut places = 0..files.len();
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for change in changes {
        let old = change.before().and_then(|_| places.next());
        let new = change.after().and_then(|_| places.next());
        before.extend(old.map(|at| (at, new)));
        after.extend(new);
    }
    // One job may lose what another one still runs.
    let mut fewer: HashMap<&str, i64> = HashMap::new();
    let old = before.iter().flat_map(|&(at, _)| signatures(&files[at])).map(|signature| (signature, 1));
    let new = after.iter().flat_map(|&at| signatures(&files[at])).map(|signature| (signature, -1));
    for (signature, count) in old.chain(new) {
        *fewer.entry(signature).or_default() += count;
    }
    let starts = |at: usize| files[at].facts.project.as_ref().map(|facts| &facts.triggers);
    let poorer: Vec<(usize, Option<usize>)> = before
        .into_iter()
        .filter(|&(at, other)| {
            signatures(&files[at]).any(|signature| fewer[signature] > 0)
                || other.is_some_and(|other| starts(at) != starts(other))
        })
        .collect();
    drop(fewer);
    if poorer.is_empty() {
        return Ok(());
    }
    let texts = outside()?;
    let outside: Vec<(&str, ProjectFacts, &[u8])> = texts
        .iter()
        .filter_map(|(path, text)| Some((path.as_str(), project::read(path, text)?, &text[..])))
        .collect();
    let here = after.iter().filter_map(|&at| {
        let file = &files[at];
        Some((file.path.as_str(), file.facts.project.as_deref()?, &file.text[..]))
    });
    let all: Vec<(&str, &ProjectFacts, &[u8])> =
        here.chain(outside.iter().map(|(path, facts, text)| (*path, facts, *text))).collect();
    let servers = all.iter().filter(|(_, facts, _)| is_served(facts));
    let served = servers.clone().next().is_some();
    let packages = all.iter().filter(|(path, ..)| is_package(path)).map(|(.., text)| *text);
    let callees = Callees::of(servers.map(|(.., text)| *text), packages);
    drop(all);
    let outside: Vec<(&str, ProjectFacts)> =
        outside.into_iter().map(|(path, facts, _)| (path, facts)).collect();
    let on_pulls = on_pulls(outside.iter().map(|(_, facts)| facts));
    let (elsewhere, started) = checks_of(&outside, &callees);
    let is_script = |check: &&Check| check.place.starts_with("scripts.");
    let scripts: Vec<Check> = elsewhere.iter().filter(is_script).cloned().collect();
    for (at, other) in poorer {
        let is_pipeline =
            files[at].facts.project.as_ref().is_some_and(|facts| facts.ground == Ground::Pipeline);
        // Where the last file goes that a server reads, or none of them calls any, scripts are left that nobody starts.
        let is_started = if is_pipeline { callees.anything } else { other.is_some() || served };
        let still_run = if is_started { &elsewhere } else { &started };
        if let Some(facts) = &mut Arc::make_mut(&mut files[at].facts).project {
            facts.called = if is_pipeline { called(&facts.checks, &elsewhere) } else { Vec::new() };
            facts.elsewhere.clone_from(still_run);
            facts.scripts_elsewhere.clone_from(&scripts);
            facts.on_pulls_elsewhere.clone_from(&on_pulls);
        }
    }
    Ok(())
}

fn is_served(facts: &ProjectFacts) -> bool {
    matches!(facts.ground, Ground::Pipeline | Ground::Hooks)
}

fn is_package(path: &str) -> bool {
    path.rsplit('/').next() == Some("package.json")
}

/// What the scripts and targets run that some commands call.
fn called(callers: &[Check], all: &[Check]) -> Vec<Check> {
    let names: HashSet<&str> =
        callers.iter().filter_map(|check| check.signature.split_once(' ')).map(|(_, name)| name).collect();
    let is_called = |check: &&Check| names.contains(check.place.trim_start_matches("scripts."));
    all.iter().filter(is_called).cloned().collect()
}

fn signatures(file: &Analyzed) -> impl Iterator<Item = &str> {
    let facts = file.facts.project.iter();
    facts.flat_map(|facts| facts.checks.iter().map(|check| check.signature.as_str()))
}

/// What build servers, hooks and scripts run, and what is started for sure.
fn checks_of(files: &[(&str, ProjectFacts)], callees: &Callees) -> (Vec<Check>, Vec<Check>) {
    let run = files.iter().filter(|(_, facts)| is_served(facts) || facts.ground == Ground::Scripts);
    let all = run.flat_map(|(path, facts)| facts.checks.iter().map(move |check| (path, facts, check)));
    let is_started = |(path, facts, check): &(&&str, &ProjectFacts, &Check)| {
        let script = check.place.strip_prefix("scripts.").filter(|_| is_package(path));
        is_served(facts) || script.is_some_and(|script| callees.scripts.contains(script))
    };
    let checks = |(.., check): (&&str, &ProjectFacts, &Check)| check.clone();
    (all.clone().map(checks).collect(), all.filter(is_started).map(checks).collect())
}

/// Signatures of what workflows run on pull requests, and what can stop one.
fn on_pulls<'f>(files: impl Iterator<Item = &'f ProjectFacts>) -> Vec<String> {
    let counts = |check: &&Check| {
        !matches!(check.force, Force::Ignored(_) | Force::Off(_)) && check.bypasses.is_empty()
    };
    let started = files.filter(|facts| facts.triggers.iter().any(Trigger::is_of_pulls));
    let checks = started.flat_map(|facts| &facts.checks).filter(counts);
    checks.map(|check| check.signature.clone()).collect()
}

/// The configuration files of the base in the root and in the folders of build servers that the change does not touch.
pub fn files_outside(repository: &Repository, change: &ChangeSet) -> Result<Vec<Outside>> {
    let Some(base) = change.base.as_ref().or(change.head.as_ref()) else { return Ok(Vec::new()) };
    let touched: BTreeSet<&[u8]> = change.raw.iter().map(|raw| raw.path.as_bytes()).collect();
    let mut entries = repository.children(base)?;
    for folder in FOLDERS.iter().filter(|folder| entries_have(&entries, folder)).copied().collect::<Vec<_>>()
    {
        entries.extend(repository.list_under(base, folder)?);
    }
    let wanted = entries.into_iter().filter(|(path, entry)| {
        entry.is_file() && !touched.contains(path.as_bytes()) && project::is_project(&path.text())
    });
    let wanted: Vec<_> = wanted.take(MAX_FILES).collect();
    let blobs = repository.blobs(&wanted.iter().map(|(_, entry)| &entry.id).collect::<Vec<_>>())?;
    let named = wanted.into_iter().zip(blobs).map(|((path, _), text)| (path.text().into_owned(), text));
    Ok(named.collect())
}

fn entries_have(entries: &[(RepoPath, Entry)], folder: &str) -> bool {
    entries.iter().any(|(path, _)| path.as_bytes() == folder.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_can_stop_a_pull_request_judges_it() {
        let file = |on: &str, step: &str| {
            let text = format!("on: {on}\njobs:\n  a:\n    steps:\n      - run: {step}\n");
            project::read(".github/workflows/ci.yml", text.as_bytes()).unwrap()
        };
        let files = [
            file("pull_request", "pytest"),
            file("pull_request", "mypy . || true"),
            file("push", "cargo test"),
            file("pull_request", "go test ./...\n        if: false"),
        ];
        assert_eq!(on_pulls(files.iter()), ["pytest"]);
    }
}
