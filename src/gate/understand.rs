//! Turns the files of a change into facts of both sides.

use std::sync::Arc;

use anyhow::Result;
use globset::{GlobMatcher, GlobSet};
use rayon::prelude::*;

use super::astray;
use super::facts::{Analyzed, analyze_sides};
use super::ground;
use super::headers::without_headers;
use super::hidden;
use super::importers;
use super::left_behind;
use super::macros::resolve_macro_tests;
use super::nothing;
use super::refusals;
use super::shared;
use super::surroundings::{self, Committed};
use super::unreached;
use crate::collections::HashSet;
use crate::comparison::{FileComparison, FileSide};
use crate::facts::FileFacts;
use crate::git::{Attributes, Change, ChangeSet, File, RepoPath, Repository};
use crate::languages::{Source, calls};
use crate::paths::{Classifier, PathClass, is_vendored_by_name};
use crate::policy::{Policy, What};

/// The facts of both sides of every file that counts.
pub fn understand<'c>(
    repository: &Repository,
    policy: &Policy,
    change: &ChangeSet,
    changes: &'c [Change],
) -> Result<Vec<(&'c Change, FileComparison)>> {
    let paths: Vec<RepoPath> = changes.iter().flat_map(sides).map(|file| file.path.clone()).collect();
    let attributes = Attributes::read(repository, change.base.as_ref(), &paths)?;
    let classifier = Classifier::new(policy, attributes)?;
    let all = changes;
    let changes = without_headers(repository, judged(changes, &classifier))?;
    let mut analyzed = analyze_sides(repository, &changes)?;
    read_calls(policy, &mut analyzed);
    let mut pending: Vec<(&str, &mut Arc<FileFacts>)> =
        analyzed.iter_mut().map(|file| (file.path.as_str(), &mut file.facts)).collect();
    resolve_macro_tests(repository, change.base.as_ref().or(change.head.as_ref()), &mut pending)?;
    shared::resolve_in_change(repository, change, &changes, &mut analyzed)?;
    let base = Committed::before(repository, change);
    surroundings::complete(&changes, &mut analyzed, &base)?;
    let is_production = |path: &str| classifier.class_of(path) == PathClass::Production;
    importers::complete(&changes, &mut analyzed, is_production, &base)?;
    refusals::complete(&changes, &mut analyzed, is_production, &base)?;
    left_behind::complete(&changes, &mut analyzed, is_production, &base)?;
    ground::complete(&changes, &mut analyzed, || ground::files_outside(repository, change))?;
    nothing::complete(&changes, &mut analyzed, || all_paths(repository, change))?;
    hidden::complete(&changes, &mut analyzed, &base, || kept_paths(repository, change, all))?;
    // What other parents took away is not on the lists of a merge.
    if change.merge.is_none() {
        astray::complete(&changes, &mut analyzed, &base)?;
        unreached::complete(&changes, &mut analyzed, || kept_paths(repository, change, all))?;
    }
    Ok(changes.iter().copied().zip(assemble(&changes, analyzed, &classifier)).collect())
}

/// Every path of the base, and of the change.
fn all_paths(repository: &Repository, change: &ChangeSet) -> Result<Vec<String>> {
    let base = change.base.as_ref().map(|base| repository.list(base)).transpose()?.unwrap_or_default();
    let new = change.raw.iter().map(|raw| &raw.path);
    Ok(base.iter().map(|(path, _)| path).chain(new).map(|path| path.text().into_owned()).collect())
}

/// The paths of the base that neither leave nor move with the change, be they judged or not.
fn kept_paths(repository: &Repository, change: &ChangeSet, changes: &[Change]) -> Result<Vec<String>> {
    let base = change.base.as_ref().map(|base| repository.list(base)).transpose()?.unwrap_or_default();
    let path = |file: Option<&'_ File>| file.map(|file| file.path.clone());
    let gone = changes.iter().filter_map(|change| {
        path(change.before()).filter(|before| path(change.after()).as_ref() != Some(before))
    });
    let gone: HashSet<RepoPath> = gone.collect();
    let kept = base.iter().map(|(path, _)| path).filter(|path| !gone.contains(*path));
    Ok(kept.map(|path| path.text().into_owned()).collect())
}

/// Reads the calls that patterns of the policy ask about; most policies ask about none.
fn read_calls(policy: &Policy, analyzed: &mut [Analyzed]) {
    let about_calls = policy.patterns.iter().filter(|pattern| matches!(pattern.what, What::Call(_)));
    let asked: Vec<(GlobSet, GlobMatcher)> =
        about_calls.filter_map(|pattern| Some((pattern.path_set(), pattern.names()?))).collect();
    if asked.is_empty() {
        return;
    }
    analyzed.par_iter_mut().for_each(|file| {
        let here = |paths: &GlobSet| paths.is_empty() || paths.is_match(&file.path);
        let names: Vec<&GlobMatcher> =
            asked.iter().filter(|(paths, _)| here(paths)).map(|(_, names)| names).collect();
        if !names.is_empty() {
            let source = Source { path: &file.path, text: &file.text };
            Arc::make_mut(&mut file.facts).calls =
                calls(source, |name| names.iter().any(|glob| glob.is_match(name)));
        }
    });
}

/// The changes of files that count.
pub fn judged<'c>(changes: &'c [Change], classifier: &Classifier) -> Vec<&'c Change> {
    let counts = |change: &&Change| !LEFT_OUT.contains(&class_of(classifier, change)) || decides(change);
    changes.iter().filter(counts).collect()
}

/// Whether it says what is judged: neither a policy nor attributes can take themselves out of sight.
fn decides(change: &Change) -> bool {
    let is_attributes = |path: &str| path.rsplit('/').next() == Some(".gitattributes");
    sides(change)
        .map(|file| file.path.text())
        .any(|path| path == crate::policy::FILE_NAME || is_attributes(&path) && !is_vendored_by_name(&path))
}

/// Files of these classes are not judged.
const LEFT_OUT: [PathClass; 3] = [PathClass::Ignored, PathClass::Vendored, PathClass::Documentation];

/// Puts the sides of each change together; `analyzed` has them in the order of the changes, the before side first.
pub fn assemble(
    changes: &[&Change],
    analyzed: Vec<Analyzed>,
    classifier: &Classifier,
) -> Vec<FileComparison> {
    let mut analyzed = analyzed.into_iter();
    let mut comparison = |change: &&Change| {
        let before = change.before().and_then(|_| analyzed.next()).map(into_side);
        let after = change.after().and_then(|_| analyzed.next()).map(into_side);
        // What moves to where nobody looks is gone: from there it could vanish unseen.
        let after = after.filter(|_| !leaves(classifier, change));
        FileComparison::new(before, after, class_of(classifier, change))
    };
    changes.iter().map(&mut comparison).collect()
}

/// Whether a file that counts is renamed to others' code or to what the policy wants left alone. One that becomes
/// documentation stays a file that can no longer be read.
fn leaves(classifier: &Classifier, change: &Change) -> bool {
    let (Some(before), Some(after)) = (change.before(), change.after()) else { return false };
    let class = |file: &File| classifier.class_of(&file.path.text());
    !LEFT_OUT.contains(&class(before)) && matches!(class(after), PathClass::Ignored | PathClass::Vendored)
}

pub fn sides(change: &Change) -> impl Iterator<Item = &File> {
    change.before().into_iter().chain(change.after())
}

/// A test file that is renamed out of the runner's sight is still judged as a test file.
fn class_of(classifier: &Classifier, change: &Change) -> PathClass {
    let classes: Vec<PathClass> = sides(change).map(|file| classifier.class_of(&file.path.text())).collect();
    let preferred = [PathClass::Test, PathClass::Production, PathClass::Documentation, PathClass::Ignored];
    preferred.into_iter().find(|class| classes.contains(class)).unwrap_or(PathClass::Vendored)
}

fn into_side(file: Analyzed) -> FileSide {
    FileSide::new(file.path, file.facts, file.text)
}
