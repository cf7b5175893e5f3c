//! Tests that a macro of the repository makes: finds out which macros do.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use anyhow::Result;

use super::memo::{self, Macro, OfFile};
use crate::collections::HashSet;
use crate::facts::FileFacts;
use crate::git::{Entry, ObjectId, RepoPath, Repository};
use crate::languages::{Language, MacroHome, Source, language_of, test_macros};

/// Settles pending macro tests: looks at the given files first, then through the packages they belong to.
pub fn resolve_macro_tests(
    repository: &Repository,
    commit: Option<&ObjectId>,
    files: &mut [(&str, &mut Arc<FileFacts>)],
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
    // What stays as it is need not be copied: facts are shared with those that are kept.
    let is_settled =
        |facts: &FileFacts| facts.macro_tests.iter().all(|test| !known.contains(&test.macro_name));
    for (_, facts) in files.iter_mut().filter(|(_, facts)| !is_settled(facts)) {
        Arc::make_mut(facts).resolve_macro_tests(|name| known.contains(name));
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
        let folder = folder_at(repository, commit, folder)?;
        return defined_below(repository, &folder, language, home, wanted);
    }
    let may_define = |(path, entry): &(RepoPath, Entry)| {
        entry.is_file() && language_of(&path.text()).is_some_and(|found| found.name == language.name)
    };
    let (paths, entries): (Vec<RepoPath>, Vec<Entry>) =
        repository.list_under(commit, folder)?.into_iter().filter(may_define).unzip();
    let texts = repository.blobs(&entries.iter().map(|entry| &entry.id).collect::<Vec<_>>())?;
    let mut found = Vec::new();
    for (path, text) in paths.iter().zip(texts) {
        if (home.defined)(&text).iter().any(|name| wanted.contains(name)) {
            found.extend(test_macros(Source { path: &path.text(), text: &text }));
        }
    }
    found.retain(|name| wanted.contains(name));
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

/// The same with what was found out before, in this commit or another.
fn defined_below(
    repository: &Repository,
    folder: &ObjectId,
    language: &Language,
    home: &MacroHome,
    wanted: &BTreeSet<String>,
) -> Result<Vec<String>> {
    let all = all_below(repository, folder, language, home, 0)?;
    let mut found = Vec::new();
    let mut read = HashSet::new();
    for macro_ in all.iter().flat_map(|of_file| of_file.iter()) {
        if !wanted.contains(&macro_.name) || !read.insert(&macro_.blob) {
            continue;
        }
        let tests = memo::test_macros(&macro_.blob, || {
            let text = repository.blob(&macro_.blob)?;
            Ok(test_macros(Source { path: &macro_.file, text: &text }))
        })?;
        found.extend(tests.iter().filter(|name| wanted.contains(*name)).cloned());
    }
    Ok(found)
}

/// The macros that files of the language define below a folder, file by file.
fn all_below(
    repository: &Repository,
    folder: &ObjectId,
    language: &Language,
    home: &MacroHome,
    depth: usize,
) -> Result<Arc<[OfFile]>> {
    memo::macros_below(folder, language.name, || {
        let mut found = Vec::new();
        for (name, entry) in repository.children(folder)? {
            if entry.is_folder() && depth < DEPTH {
                found.extend_from_slice(&all_below(repository, &entry.id, language, home, depth + 1)?);
            } else if entry.is_file() && language_of(&name.text()).is_some_and(|it| it.name == language.name)
            {
                let defined = memo::macros(&entry.id, language.name, || {
                    let names = (home.defined)(&repository.blob(&entry.id)?);
                    let file = name.text().into_owned();
                    let macro_ = |name| Macro { name, file: file.clone(), blob: entry.id.clone() };
                    Ok(names.into_iter().map(macro_).collect())
                })?;
                found.extend(Some(defined).filter(|defined| !defined.is_empty()));
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
