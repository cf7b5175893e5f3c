//! Tests that a macro of the repository makes: finds out which macros do.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use anyhow::Result;

use super::memo;
use crate::facts::FileFacts;
use crate::git::{Entry, ObjectId, RepoPath, Repository};
use crate::languages::{Language, MacroHome, Source, analyze, language_of};
use crate::text::contains;

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
    let mut packages: BTreeMap<String, (&'static Language, &'static MacroHome)> = BTreeMap::new();
    for path in users {
        let Some(language) = language_of(path) else { continue };
        let Some(home) = &language.macros else { continue };
        packages.insert(package_of(repository, commit, path, home)?, (language, home));
    }
    let mut found = Vec::new();
    for (folder, (language, home)) in packages {
        found.extend(defined_under(repository, commit, &folder, language, home, wanted)?);
    }
    Ok(found)
}

fn defined_under(
    repository: &Repository,
    commit: &ObjectId,
    folder: &str,
    language: &Language,
    home: &MacroHome,
    wanted: &BTreeSet<String>,
) -> Result<Vec<String>> {
    if memo::is_on() {
        let found = all_below(repository, &folder_at(repository, commit, folder)?, language, home, 0)?;
        return Ok(found.iter().filter(|name| wanted.contains(*name)).cloned().collect());
    }
    let may_define = |(path, entry): &(RepoPath, Entry)| {
        entry.is_file() && language_of(&path.text()).is_some_and(|found| found.name == language.name)
    };
    let (paths, entries): (Vec<RepoPath>, Vec<Entry>) =
        repository.list_under(commit, folder)?.into_iter().filter(may_define).unzip();
    let texts = repository.blobs(&entries.iter().map(|entry| &entry.id).collect::<Vec<_>>())?;
    let mut found = Vec::new();
    for (path, text) in paths.iter().zip(texts) {
        if contains(&text, home.mark) && wanted.iter().any(|name| contains(&text, name.as_bytes())) {
            let facts = analyze(Source { path: &path.text(), text: &text });
            found.extend(facts.test_macros.into_iter().filter(|name| wanted.contains(name)));
        }
    }
    Ok(found)
}

fn folder_at(repository: &Repository, commit: &ObjectId, folder: &str) -> Result<ObjectId> {
    match repository.entry(commit, &RepoPath::new(folder))? {
        Some(entry) if entry.is_folder() => Ok(entry.id),
        _ => repository.tree_of(commit),
    }
}

/// Nobody nests folders deeper.
const DEPTH: usize = 64;

/// Every test macro that files of the language define below a folder. Of folders that were looked through before, in
/// this commit or another, it is known.
fn all_below(
    repository: &Repository,
    folder: &ObjectId,
    language: &Language,
    home: &MacroHome,
    depth: usize,
) -> Result<Arc<[String]>> {
    memo::macros(folder, language.name, || {
        let mut found = Vec::new();
        for (name, entry) in repository.children(folder)? {
            if entry.is_folder() && depth < DEPTH {
                found.extend_from_slice(&all_below(repository, &entry.id, language, home, depth + 1)?);
            } else if entry.is_file() && language_of(&name.text()).is_some_and(|it| it.name == language.name)
            {
                let define = || {
                    let text = repository.blob(&entry.id)?;
                    if !contains(&text, home.mark) {
                        return Ok(Vec::new());
                    }
                    Ok(analyze(Source { path: &name.text(), text: &text }).test_macros)
                };
                found.extend_from_slice(&memo::macros(&entry.id, language.name, define)?);
            }
        }
        Ok(found)
    })
}

/// The nearest folder above a file that holds a package manifest, or the root.
fn package_of(repository: &Repository, commit: &ObjectId, path: &str, home: &MacroHome) -> Result<String> {
    let mut folder = path;
    while let Some((above, _)) = folder.rsplit_once('/') {
        let manifest = RepoPath::new(format!("{above}/{}", home.manifest));
        if repository.entry(commit, &manifest)?.is_some() {
            return Ok(above.to_owned());
        }
        folder = above;
    }
    Ok(String::new())
}
