//! Judges two trees that are at hand, without a repository.
//!
//! Everything after the reading is the same as for a change in git, renames included. Attributes and merges need a
//! history and are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use aiwg_gate::collections::HashSet;
use aiwg_gate::comparison::Comparison;
use aiwg_gate::detectors;
use aiwg_gate::facts::FileFacts;
use aiwg_gate::gate::{
    Base, Lacking, Source as Files, analyze_texts, assemble, complete_astray, complete_ground,
    complete_hidden, complete_importers, complete_left_behind, complete_surroundings, complete_unreached,
    judged, lower_twins, paths_of, resolve_sides, sides, unknown,
};
use aiwg_gate::git::{Attributes, Candidate, Change, ChangeKind, Content, File, RepoPath, find_renames};
use aiwg_gate::languages::{Source, analyze, language_of};
use aiwg_gate::paths::{Classifier, PathClass};
use aiwg_gate::policy::Policy;
use aiwg_gate::policy::waivers::Waivers;
use aiwg_gate::similarity::Words;
use aiwg_gate::verdict::{ChangeSummary, Report, judge};
use anyhow::Result;

/// One file of a tree.
#[derive(Clone, Debug)]
pub struct TreeFile {
    /// The path below the root, with forward slashes.
    pub path: String,
    pub text: Arc<[u8]>,
}

/// Judges the change that leads from one tree to the other, by what its message says.
pub fn check_trees(
    before: &[TreeFile],
    after: &[TreeFile],
    policy: &Policy,
    message: Option<&str>,
) -> Result<Report> {
    let comparison = compare_trees(before, after, policy)?.with_message(message);
    let files = comparison.files.len();
    let summary = ChangeSummary { kind: ChangeKind::Worktree, base: None, head: None, files };
    let inconclusive: Vec<_> =
        comparison.files.iter().filter_map(|file| unknown(file, summary.kind)).collect();
    let mut findings = detectors::detect(&comparison);
    lower_twins(&comparison, &mut findings, &Kept { before, after })?;
    let (before, after) = comparison.metrics();
    let (verdict, findings) = judge(policy, findings, &inconclusive, &Waivers::default());
    let (waivers, proofs, no_suite, to_run) = (Vec::new(), Vec::new(), false, Vec::new());
    Ok(Report {
        verdict,
        change: summary,
        before,
        after,
        findings,
        inconclusive,
        waivers,
        proofs,
        no_suite,
        to_run,
    })
}

/// Both trees as facts: the files that differ and count.
pub fn compare_trees(before: &[TreeFile], after: &[TreeFile], policy: &Policy) -> Result<Comparison> {
    let classifier = Classifier::new(policy, Attributes::default())?;
    let all = changes(before, after);
    let changes = judged(&all, &classifier);
    let files: Vec<&File> = changes.iter().flat_map(|change| sides(change)).collect();
    let mut analyzed = analyze_texts(&files, files.iter().map(|file| bytes(file)).collect());
    let elsewhere = |path: &str| before.iter().chain(after).find(|file| file.path == path).map(facts_of);
    if analyzed.iter().any(|file| !file.facts.macro_tests.is_empty()) {
        let macros: HashSet<String> =
            before.iter().chain(after).flat_map(|file| facts_of(file).test_macros).collect();
        for file in &mut analyzed {
            std::sync::Arc::make_mut(&mut file.facts).resolve_macro_tests(|name| macros.contains(name));
        }
    }
    resolve_sides(&changes, &mut analyzed, |path| Ok(elsewhere(path).map(Into::into)))?;
    complete_surroundings(&changes, &mut analyzed, &Given(before))?;
    let is_production = |path: &str| classifier.class_of(path) == PathClass::Production;
    complete_importers(&changes, &mut analyzed, is_production, &Given(before))?;
    complete_left_behind(&changes, &mut analyzed, is_production, &Given(before))?;
    complete_ground(&changes, &mut analyzed, || Ok(unchanged(before, after)))?;
    complete_astray(&changes, &mut analyzed, &Given(before))?;
    let stays = |file: &&TreeFile| after.iter().any(|other| other.path == file.path);
    let kept: Vec<String> = before.iter().filter(stays).map(|file| file.path.clone()).collect();
    complete_hidden(&changes, &mut analyzed, &Given(before), || Ok(kept.clone()))?;
    complete_unreached(&changes, &mut analyzed, || Ok(kept))?;
    let comparison = Comparison::new("HEAD".to_owned(), assemble(&changes, analyzed, &classifier));
    Ok(comparison.with_all(paths_of(&all)))
}

/// A tree that is at hand as what the change starts from.
struct Given<'t>(&'t [TreeFile]);

impl Base for Given<'_> {
    fn has(&self, path: &str) -> Result<bool> {
        let below = format!("{path}/");
        Ok(self.0.iter().any(|file| file.path == path || file.path.starts_with(&below)))
    }

    fn files_in(&self, folder: &str, most: usize) -> Result<Vec<String>> {
        let name = |file: &TreeFile| match file.path.rsplit_once('/') {
            Some((above, name)) => (above == folder).then(|| name.to_owned()),
            None => folder.is_empty().then(|| file.path.clone()),
        };
        Ok(self.0.iter().filter_map(name).take(most).collect())
    }

    fn facts(&self, path: &str) -> Result<Option<Arc<FileFacts>>> {
        let facts = |file: &TreeFile| {
            let project = aiwg_gate::project::read(&file.path, &file.text).map(Box::new);
            Arc::new(FileFacts { project, ..facts_of(file) })
        };
        Ok(self.0.iter().find(|file| file.path == path).map(facts))
    }

    fn text(&self, path: &str) -> Result<Option<Arc<[u8]>>> {
        Ok(self.0.iter().find(|file| file.path == path).map(|file| file.text.clone()))
    }

    fn words(&self, path: &str) -> Result<Option<Arc<Words>>> {
        let words = |file: &TreeFile| Arc::new(Words::names(&file.text, &[]));
        Ok(self.0.iter().find(|file| file.path == path).map(words))
    }

    fn naming(
        &self,
        language: &str,
        names: &BTreeSet<String>,
        but: &HashSet<String>,
    ) -> Result<Vec<(String, Arc<FileFacts>)>> {
        let is_wanted = |file: &&TreeFile| {
            let text = String::from_utf8_lossy(&file.text);
            language_of(&file.path).is_some_and(|it| it.name == language)
                && !but.contains(&file.path)
                && names.iter().any(|name| text.contains(name.as_str()))
        };
        let wanted = self.0.iter().filter(is_wanted);
        Ok(wanted.map(|file| (file.path.clone(), Arc::new(facts_of(file)))).collect())
    }

    fn lacking(
        &self,
        language: &str,
        names: &BTreeSet<String>,
        is_wanted: &dyn Fn(&str) -> bool,
    ) -> Result<Option<Lacking>> {
        let is_like = |file: &&TreeFile| {
            language_of(&file.path).is_some_and(|it| it.name == language) && is_wanted(&file.path)
        };
        let files: Vec<&TreeFile> = self.0.iter().filter(is_like).collect();
        let says = |name: &str| files.iter().any(|file| String::from_utf8_lossy(&file.text).contains(name));
        let lacking = names.iter().filter(|name| !says(name)).cloned().collect();
        Ok(Some((lacking, files.iter().map(|file| file.path.clone()).collect())))
    }
}

/// The files that a change between two trees leaves alone.
struct Kept<'t> {
    before: &'t [TreeFile],
    after: &'t [TreeFile],
}

impl Kept<'_> {
    fn kept(&self) -> impl Iterator<Item = &TreeFile> {
        let same =
            |file: &&TreeFile| self.before.iter().any(|old| old.path == file.path && old.text == file.text);
        self.after.iter().filter(same)
    }
}

impl Files for Kept<'_> {
    fn paths(&self) -> Vec<String> {
        self.kept().map(|file| file.path.clone()).collect()
    }

    fn read(
        &self,
        is_wanted: &dyn Fn(&str) -> bool,
        each: &mut dyn FnMut(&str, &[u8]) -> bool,
    ) -> Result<bool> {
        for file in self.kept().filter(|file| is_wanted(&file.path)) {
            if !each(&file.path, &file.text) {
                break;
            }
        }
        Ok(true)
    }

    fn facts(&self, path: &str) -> Result<Option<Arc<FileFacts>>> {
        Ok(self.kept().find(|file| file.path == path).map(|file| Arc::new(facts_of(file))))
    }
}

/// The files that are the same in both trees.
fn unchanged(before: &[TreeFile], after: &[TreeFile]) -> Vec<(String, Vec<u8>)> {
    let same =
        |file: &&TreeFile| after.iter().any(|other| other.path == file.path && other.text == file.text);
    before.iter().filter(same).map(|file| (file.path.clone(), file.text.to_vec())).collect()
}

fn facts_of(file: &TreeFile) -> FileFacts {
    analyze(Source { path: &file.path, text: &file.text })
}

fn bytes(file: &File) -> Arc<[u8]> {
    match &file.content {
        Content::Bytes(bytes) => Arc::clone(bytes),
        Content::Blob(_) | Content::Opaque => Arc::from([]),
    }
}

/// What differs, sorted by path, renames found.
fn changes(before: &[TreeFile], after: &[TreeFile]) -> Vec<Change> {
    let (old, new) = (by_path(before), by_path(after));
    let gone: Vec<&TreeFile> =
        old.iter().filter(|(path, _)| !new.contains_key(*path)).map(|(_, file)| *file).collect();
    let fresh: Vec<&TreeFile> =
        new.iter().filter(|(path, _)| !old.contains_key(*path)).map(|(_, file)| *file).collect();
    let sources = renames(&gone, &fresh);
    let mut changes = Vec::new();
    for (path, after) in &new {
        let kept = old.get(path).copied();
        let renamed = || {
            let place = fresh.iter().position(|file| file.path == *path)?;
            sources[place].map(|source| gone[source])
        };
        match kept.or_else(renamed) {
            Some(before) if before.path == after.path && before.text == after.text => {}
            Some(before) => changes.push(Change::Modified { before: file(before), after: file(after) }),
            None => changes.push(Change::Added(file(after))),
        }
    }
    let deleted = (0..gone.len()).filter(|place| !sources.contains(&Some(*place)));
    changes.extend(deleted.map(|place| Change::Deleted(file(gone[place]))));
    changes.sort_by(|a, b| path_of(a).cmp(&path_of(b)));
    changes
}

fn by_path(tree: &[TreeFile]) -> BTreeMap<&str, &TreeFile> {
    tree.iter().map(|file| (file.path.as_str(), file)).collect()
}

/// For each new file the lost one that it continues.
fn renames(gone: &[&TreeFile], fresh: &[&TreeFile]) -> Vec<Option<usize>> {
    let key =
        |file: &&TreeFile| format!("{:016x}-{}", aiwg_gate::similarity::hash(&file.text), file.text.len());
    let (old, new): (Vec<String>, Vec<String>) =
        (gone.iter().map(key).collect(), fresh.iter().map(key).collect());
    fn candidates<'a>(files: &[&'a TreeFile], keys: &'a [String]) -> Vec<Candidate<'a>> {
        let candidate = |(file, key): (&&'a TreeFile, &'a String)| Candidate {
            key: Some(key),
            path: file.path.as_bytes(),
            text: &file.text,
        };
        files.iter().zip(keys).map(candidate).collect()
    }
    find_renames(&candidates(gone, &old), &candidates(fresh, &new))
}

fn file(file: &TreeFile) -> File {
    File { path: RepoPath::new(file.path.as_str()), content: Content::Bytes(Arc::clone(&file.text)) }
}

fn path_of(change: &Change) -> Option<&RepoPath> {
    change.after().or(change.before()).map(|file| &file.path)
}
