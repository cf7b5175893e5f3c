//! Tests that a macro of the repository makes: finds out which macros do.

use std::collections::{BTreeSet, HashSet};

use anyhow::Result;

use crate::facts::FileFacts;
use crate::git::{Content, File, ObjectId, Repository};

/// More files than this are not searched for macro definitions.
const MAX_FILES: usize = 5_000;

/// Settles pending macro tests: looks at the given files first, then through the packages they belong to.
pub fn resolve_macro_tests(
    repository: &Repository,
    commit: Option<&ObjectId>,
    files: &mut [(&str, &mut FileFacts)],
) -> Result<()> {
    let mut known: HashSet<String> =
        files.iter().flat_map(|(_, facts)| facts.test_macros.iter().cloned()).collect();
    let pending: BTreeSet<String> = files
        .iter()
        .flat_map(|(_, facts)| facts.macro_tests.iter().map(|test| test.macro_name.clone()))
        .filter(|name| !known.contains(name))
        .collect();
    if let Some(commit) = commit
        && !pending.is_empty()
    {
        let users: Vec<&str> =
            files.iter().filter(|(_, facts)| !facts.macro_tests.is_empty()).map(|(path, _)| *path).collect();
        known.extend(defined_in_packages(repository, commit, &users, &pending)?);
    }
    for (_, facts) in files {
        facts.resolve_macro_tests(|name| known.contains(name));
    }
    Ok(())
}

/// Test macros of the wanted names in the packages that hold the files.
fn defined_in_packages(
    repository: &Repository,
    commit: &ObjectId,
    users: &[&str],
    wanted: &BTreeSet<String>,
) -> Result<Vec<String>> {
    let mut folders = BTreeSet::new();
    for path in users {
        folders.insert(package_of(repository, commit, path)?);
    }
    let mut candidates = Vec::new();
    for folder in folders {
        let entries = repository.list_under(commit, &folder)?;
        let sources =
            entries.into_iter().filter(|(path, entry)| entry.is_file() && path.as_bytes().ends_with(b".rs"));
        candidates.extend(sources.map(|(path, entry)| File { path, content: Content::Blob(entry.id) }));
    }
    candidates.truncate(MAX_FILES);
    let mut defining = Vec::new();
    for file in &candidates {
        let Content::Blob(id) = &file.content else { continue };
        let text = repository.blob(id)?;
        if contains(&text, b"macro_rules!") && wanted.iter().any(|name| contains(&text, name.as_bytes())) {
            defining.push(file);
        }
    }
    let analyzed = super::analyze_all(repository, &defining)?;
    Ok(analyzed
        .into_iter()
        .flat_map(|file| file.facts.test_macros)
        .filter(|name| wanted.contains(name))
        .collect())
}

/// The nearest folder above a file that holds a package manifest, or the root.
fn package_of(repository: &Repository, commit: &ObjectId, path: &str) -> Result<String> {
    let mut folder = path;
    while let Some((above, _)) = folder.rsplit_once('/') {
        if repository.file_at(commit, &format!("{above}/Cargo.toml"))?.is_some() {
            return Ok(above.to_owned());
        }
        folder = above;
    }
    Ok(String::new())
}

fn contains(text: &[u8], needle: &[u8]) -> bool {
    text.windows(needle.len()).any(|window| window == needle)
}
