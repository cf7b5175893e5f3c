//! Judges one change: gather, understand, detect, judge.

use anyhow::{Result, bail};

use super::facts::{Analyzed, analyze_all};
use super::macros::resolve_macro_tests;
use super::merge::{self, OtherSide};
use super::shared;
use crate::comparison::{Comparison, FileComparison, FileSide};
use crate::detectors;
use crate::facts::{FileFacts, Health};
use crate::git::{Attributes, Change, ChangeKind, ChangeSet, Content, File, ObjectId, RepoPath, Repository};
use crate::paths::{Classifier, PathClass};
use crate::policy::{self, Policy};
use crate::verdict::{ChangeSummary, Inconclusive, Report, judge};

/// Judges a change by the policy of the side it starts from.
pub fn check(repository: &Repository, change: &ChangeSet) -> Result<Report> {
    let mut inconclusive = Vec::new();
    let policy = base_policy(repository, change, &mut inconclusive)?;
    check_new_policy(repository, change)?;
    let comparison = Comparison::new(base_name(change), understand(repository, change, &policy)?);
    let summary = ChangeSummary {
        kind: change.kind,
        base: change.base.clone(),
        head: change.head.clone(),
        files: change.changes.len(),
    };
    Ok(conclude(&policy, &comparison, summary, inconclusive))
}

/// Detects and judges, once both sides are understood.
pub(super) fn conclude(
    policy: &Policy,
    comparison: &Comparison,
    change: ChangeSummary,
    mut inconclusive: Vec<Inconclusive>,
) -> Report {
    inconclusive.extend(comparison.files.iter().filter_map(|file| unknown(file, change.kind)));
    inconclusive.sort();
    let findings = detectors::detect(comparison);
    let (before, after) = comparison.metrics();
    let (verdict, findings) = judge(policy, findings, &inconclusive);
    Report { verdict, change, before, after, findings, inconclusive }
}

/// The policy of the base side; a broken one there counts as none, and is told.
fn base_policy(
    repository: &Repository,
    change: &ChangeSet,
    inconclusive: &mut Vec<Inconclusive>,
) -> Result<Policy> {
    let Some(base) = &change.base else { return Ok(Policy::default()) };
    let Some(text) = repository.file_at(base, policy::FILE_NAME)? else { return Ok(Policy::default()) };
    match Policy::parse_bytes(&text, &detectors::names()) {
        Ok(policy) => Ok(policy),
        Err(error) => {
            let reason = format!("the policy of the base side is not valid, so the defaults apply: {error}");
            inconclusive.push(Inconclusive { path: policy::FILE_NAME.to_owned(), reason });
            Ok(Policy::default())
        }
    }
}

/// A policy that is about to be committed must be valid: later commits are judged by it.
fn check_new_policy(repository: &Repository, change: &ChangeSet) -> Result<()> {
    if !matches!(change.kind, ChangeKind::Staged | ChangeKind::Worktree) {
        return Ok(());
    }
    let new = change
        .changes
        .iter()
        .filter_map(Change::after)
        .find(|file| file.path.as_bytes() == policy::FILE_NAME.as_bytes());
    let Some(file) = new else { return Ok(()) };
    let analyzed = analyze_all(repository, &[file])?;
    let text =
        analyzed.first().map(|file| String::from_utf8_lossy(&file.text).into_owned()).unwrap_or_default();
    if let Err(error) = Policy::parse(&text, &detectors::names()) {
        bail!("the policy in this change is not valid: {error}");
    }
    Ok(())
}

fn base_name(change: &ChangeSet) -> String {
    match (&change.kind, &change.base) {
        (ChangeKind::Commit | ChangeKind::Range, Some(base)) => base.short().to_owned(),
        _ => "HEAD".to_owned(),
    }
}

/// The facts of both sides of every file that counts.
fn understand(repository: &Repository, change: &ChangeSet, policy: &Policy) -> Result<Vec<FileComparison>> {
    let paths: Vec<RepoPath> = change.changes.iter().flat_map(sides).map(|file| file.path.clone()).collect();
    let attributes = Attributes::read(repository, change.base.as_ref(), &paths)?;
    let classifier = Classifier::new(policy, attributes)?;
    let changes = judged(&change.changes, &classifier);
    let files: Vec<&File> = changes.iter().flat_map(|change| sides(change)).collect();
    let mut analyzed = analyze_all(repository, &files)?;
    let mut pending: Vec<(&str, &mut FileFacts)> =
        analyzed.iter_mut().map(|file| (file.path.as_str(), &mut file.facts)).collect();
    resolve_macro_tests(repository, change.base.as_ref().or(change.head.as_ref()), &mut pending)?;
    shared::resolve_in_change(repository, change, &changes, &mut analyzed)?;
    let mut comparisons = assemble(&changes, analyzed, &classifier);
    if !change.other_parents.is_empty() {
        for file in &mut comparisons {
            expect_all_parents(repository, change, file)?;
        }
    }
    Ok(comparisons)
}

/// The changes of files that count.
pub(super) fn judged<'c>(changes: &'c [Change], classifier: &Classifier) -> Vec<&'c Change> {
    let counts = |file: &&Change| {
        !matches!(
            class_of(classifier, file),
            PathClass::Ignored | PathClass::Vendored | PathClass::Documentation
        )
    };
    changes.iter().filter(counts).collect()
}

/// Puts the sides of each change together; `analyzed` has them in the order of the changes, the before side first.
pub(super) fn assemble(
    changes: &[&Change],
    analyzed: Vec<Analyzed>,
    classifier: &Classifier,
) -> Vec<FileComparison> {
    let mut analyzed = analyzed.into_iter();
    let mut comparison = |change: &&Change| {
        let before = change.before().and_then(|_| analyzed.next()).map(into_side);
        let after = change.after().and_then(|_| analyzed.next()).map(into_side);
        FileComparison { before, after, class: class_of(classifier, change) }
    };
    changes.iter().map(&mut comparison).collect()
}

pub(super) fn sides(change: &Change) -> impl Iterator<Item = &File> {
    change.before().into_iter().chain(change.after())
}

/// A test file that is renamed out of the runner's sight is still judged as a test file.
fn class_of(classifier: &Classifier, change: &Change) -> PathClass {
    let classes: Vec<PathClass> = sides(change).map(|file| classifier.class_of(&file.path.text())).collect();
    let preferred = [PathClass::Test, PathClass::Production, PathClass::Documentation, PathClass::Ignored];
    preferred.into_iter().find(|class| classes.contains(class)).unwrap_or(PathClass::Vendored)
}

fn into_side(file: Analyzed) -> FileSide {
    FileSide { path: file.path, facts: file.facts, text: file.text }
}

/// Widens the before side of a merge to what all parents have.
fn expect_all_parents(repository: &Repository, change: &ChangeSet, file: &mut FileComparison) -> Result<()> {
    let Some(path) =
        file.before.as_ref().or(file.after.as_ref()).map(|side| RepoPath::new(side.path.as_bytes()))
    else {
        return Ok(());
    };
    let mut others = Vec::new();
    for parent in &change.other_parents {
        let theirs = facts_at(repository, &parent.commit, &path)?;
        let fork = parent.fork.as_ref().map(|fork| facts_at(repository, fork, &path)).transpose()?.flatten();
        others.push(OtherSide { theirs, fork });
    }
    if let Some(before) = &mut file.before {
        before.facts = merge::expected(std::mem::take(&mut before.facts), &others);
    }
    Ok(())
}

fn facts_at(repository: &Repository, commit: &ObjectId, path: &RepoPath) -> Result<Option<FileFacts>> {
    let Some(entry) = repository.entry(commit, path)?.filter(|entry| entry.is_file()) else {
        return Ok(None);
    };
    let file = File { path: path.clone(), content: Content::Blob(entry.id) };
    Ok(analyze_all(repository, &[&file])?.pop().map(|file| file.facts))
}

/// Endings of source files in languages that no pack reads.
const UNREAD_SOURCES: &[&str] = &[
    "c", "cc", "clj", "cpp", "cs", "cxx", "dart", "erl", "ex", "exs", "fs", "groovy", "h", "hs", "jl", "kt",
    "kts", "lua", "m", "ml", "mm", "nim", "php", "pl", "r", "rb", "scala", "sh", "swift", "vb", "zig",
];

/// A test file about which nothing can be said, with the reason.
fn unknown(file: &FileComparison, kind: ChangeKind) -> Option<Inconclusive> {
    let side = file.after.as_ref().or(file.before.as_ref())?;
    let has_tests = !side.facts.tests.is_empty() || file.class == PathClass::Test;
    let extension = side.path.rsplit_once('.').map_or("", |(_, extension)| extension);
    let reason = match side.facts.health {
        Health::Partial if has_tests && kind != ChangeKind::Patch => {
            "it has syntax errors, so only parts of it were compared"
        }
        Health::TooLarge if has_tests => "it is too large to be read",
        Health::Unsupported if file.class == PathClass::Test && UNREAD_SOURCES.contains(&extension) => {
            "tests in this language are not understood yet"
        }
        _ => return None,
    };
    Some(Inconclusive { path: side.path.clone(), reason: reason.to_owned() })
}
