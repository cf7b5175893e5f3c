//! Judges a merge: against each parent, by what that parent could expect to find in the result.

use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use anyhow::Result;

use super::check::{Seen, base_name};
use super::expected::{self, Other};
use super::facts::analyze_all;
use super::lost::{self, Outcome};
use super::macros::resolve_macro_tests;
use super::shared::resolve_in_tree;
use super::understand::understand;
use super::unknown::unknown;
use crate::collections::{HashMap, HashSet};
use crate::comparison::{Comparison, FileComparison, FileSide, Metrics, metrics};
use crate::detectors;
use crate::facts::Test;
use crate::finding::{Finding, FindingType, Severity};
use crate::git::{
    Change, ChangeSet, Content, File, Merge, ObjectId, RawChange, RepoPath, Repository, with_renames,
};
use crate::policy::Policy;
use crate::project::is_project;

pub fn see(repository: &Repository, policy: &Policy, change: &ChangeSet, merge: &Merge) -> Result<Seen> {
    let looked_at = merge.own.union(&merge.put_together).cloned().collect();
    let mut view = View { repository, change, looked_at, known: HashMap::new() };
    let mut seen = Seen {
        findings: Vec::new(),
        inconclusive: Vec::new(),
        before: Metrics::default(),
        after: Metrics::default(),
    };
    // Of such a merge nothing is told, so nothing has to be explained either.
    let automatic = LazyCell::new(|| is_automatic(repository, change, merge));
    let mut project: Option<Vec<Finding>> = None;
    let mut of_code: Option<Vec<Finding>> = None;
    for (index, raw) in merge_lists(change, merge).enumerate() {
        let own: Vec<RawChange> =
            raw.iter().filter(|change| merge.own.contains(&change.path)).cloned().collect();
        let changes = with_renames(repository, &own)?;
        let files = understand(repository, policy, change, &changes)?;
        seen.inconclusive.extend(files.iter().filter_map(|(_, file)| unknown(file, change.kind)));
        if index == 0 {
            (seen.before, seen.after) = metrics(files.iter().map(|(_, file)| file));
        }
        if !policy.patterns.is_empty() {
            project = Some(of_project(policy, &files, project));
        }
        let mut findings = view.findings(index, files)?;
        // What an earlier parent has nothing to say about, no later one can bring back.
        let is_settled = of_code.as_ref().is_some_and(Vec::is_empty);
        let matters =
            |finding: &Finding| finding.severity > Severity::Low && (is_about_tests(finding) || !is_settled);
        let to_explain: Vec<&Finding> = findings.iter().filter(|finding| matters(finding)).collect();
        if !to_explain.is_empty() && !*automatic {
            // What the other parents did to the code may explain what is gone, and is costly to read.
            let is_asked =
                |change: &&RawChange| merge.own.contains(&change.path) || explains(change, &to_explain);
            let raw: Vec<RawChange> = raw.iter().filter(is_asked).cloned().collect();
            let changes = with_renames(repository, &raw)?;
            findings = view.findings(index, understand(repository, policy, change, &changes)?)?;
            findings.retain(|finding| merge.own.contains(&RepoPath::new(finding.path.as_str())));
        }
        let (of_tests, others) = findings.into_iter().partition(is_about_tests);
        of_code = Some(against_all(others, of_code));
        let known: HashSet<String> = seen.findings.iter().map(Finding::fingerprint).collect();
        let of_tests: Vec<Finding> = of_tests;
        seen.findings.extend(of_tests.into_iter().filter(|new| !known.contains(&new.fingerprint())));
    }
    seen.findings.extend(of_code.into_iter().flatten());
    if !seen.findings.is_empty() && *automatic {
        seen.findings.clear();
    }
    seen.findings.extend(project.into_iter().flatten());
    Ok(seen)
}

/// Whether the merge is what git makes of its parents by itself: what each of them did was judged there.
fn is_automatic(repository: &Repository, change: &ChangeSet, merge: &Merge) -> bool {
    let (Some(ours), [theirs]) = (&change.base, &merge.others[..]) else { return false };
    repository.merges_by_itself(ours, &theirs.commit, &change.raw)
}

/// Whether what another parent did to a file can be the reason for what was found. For what configuration no longer says
/// only other configuration can, and files that came or went.
fn explains(change: &RawChange, findings: &[&Finding]) -> bool {
    findings.iter().any(|finding| !is_project(&finding.path))
        || is_project(&change.path.text())
        || change.before.is_none()
        || change.after.is_none()
}

/// What the rules of the project find against this parent and all before it: what one of them has is no news.
fn of_project(
    policy: &Policy,
    files: &[(&Change, FileComparison)],
    known: Option<Vec<Finding>>,
) -> Vec<Finding> {
    let files = files.iter().map(|(_, file)| file.clone()).collect();
    let found = detectors::detect_project(&Comparison::new("HEAD".to_owned(), files), &policy.patterns);
    against_all(found, known)
}

/// What was found against this parent and all before it.
fn against_all(found: Vec<Finding>, known: Option<Vec<Finding>>) -> Vec<Finding> {
    let Some(mut known) = known else { return found };
    let prints: HashSet<String> = found.iter().map(Finding::fingerprint).collect();
    known.retain(|finding| prints.contains(&finding.fingerprint()));
    known
}

/// Tests are narrowed down to what the merge answers for; of everything else a parent may have had it already.
fn is_about_tests(finding: &Finding) -> bool {
    use FindingType::{AssertionWeakening, TestDeletion, TestSkipping};
    matches!(finding.rule.kind, AssertionWeakening | TestDeletion | TestSkipping)
}

/// The list from each parent to the result.
fn merge_lists<'a>(change: &'a ChangeSet, merge: &'a Merge) -> impl Iterator<Item = &'a [RawChange]> {
    let others = merge.others.iter().map(|parent| parent.raw.as_slice());
    std::iter::once(change.raw.as_slice()).chain(others)
}

/// One merge, to be looked at from each of its parents.
struct View<'a> {
    repository: &'a Repository,
    change: &'a ChangeSet,
    /// The paths whose tests are compared.
    looked_at: BTreeSet<RepoPath>,
    /// The tests of files in parents and forks, which are asked for from each side.
    known: HashMap<(ObjectId, RepoPath), Vec<Test>>,
}

impl View<'_> {
    fn findings(&mut self, parent: usize, files: Vec<(&Change, FileComparison)>) -> Result<Vec<Finding>> {
        let parents = self.change.parents();
        let mut others = Vec::new();
        for other in parents.iter().enumerate().filter(|(index, _)| *index != parent).map(|(_, other)| *other)
        {
            others.push((other, self.repository.merge_bases(parents[parent], other)?));
        }
        let mut comparisons = Vec::with_capacity(files.len());
        for (change, mut file) in files {
            self.narrow(change, &mut file, &others)?;
            comparisons.push(file);
        }
        let name = if parent == 0 { base_name(self.change) } else { parents[parent].short().to_owned() };
        let comparison = Comparison::new(name, comparisons);
        let mut findings = detectors::detect(&comparison);
        if lost::has_any(&comparison, &findings) {
            let Some(outcome) = Outcome::of(self.repository, self.change)? else { return Ok(findings) };
            lost::lower_twins(&comparison, &mut findings, &outcome)?;
            lost::lower_taken(self.repository, &comparison, &mut findings, &others)?;
        }
        Ok(findings)
    }

    /// Leaves the tests that the merge answers for.
    fn narrow(
        &mut self,
        change: &Change,
        file: &mut FileComparison,
        others: &[(&ObjectId, Vec<ObjectId>)],
    ) -> Result<()> {
        let mut before = tests_of(&mut file.before, change.before(), &self.looked_at);
        let mut after = tests_of(&mut file.after, change.after(), &self.looked_at);
        if before.is_empty() && after.is_empty() {
            return Ok(());
        }
        let ours = before.clone();
        for (commit, forks) in others {
            expected::keep_expected(&mut before, &mut after, &self.other(change.before(), commit, forks)?);
            expected::leave_out_brought(&ours, &mut after, &self.other(change.after(), commit, forks)?);
        }
        for (side, tests) in [(&mut file.before, before), (&mut file.after, after)] {
            if let Some(side) = side {
                Arc::make_mut(&mut side.facts).tests = tests;
            }
        }
        Ok(())
    }

    /// A file as another parent has it, and as it was where the two parted.
    fn other(&mut self, file: Option<&File>, commit: &ObjectId, forks: &[ObjectId]) -> Result<Other> {
        let Some(file) = file else { return Ok(Other::default()) };
        let forks = forks.iter().map(|fork| self.tests_at(fork, &file.path)).collect::<Result<_>>()?;
        Ok(Other { tests: self.tests_at(commit, &file.path)?, forks })
    }

    fn tests_at(&mut self, commit: &ObjectId, path: &RepoPath) -> Result<Vec<Test>> {
        let key = (commit.clone(), path.clone());
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let tests = tests_at(self.repository, commit, path)?;
        Ok(self.known.entry(key).or_insert(tests).clone())
    }
}

/// Takes the tests out of one side of a file, unless they are to be compared.
fn tests_of(side: &mut Option<FileSide>, file: Option<&File>, own: &BTreeSet<RepoPath>) -> Vec<Test> {
    let tests = side
        .as_mut()
        .map(|side| std::mem::take(&mut Arc::make_mut(&mut side.facts).tests))
        .unwrap_or_default();
    if file.is_some_and(|file| own.contains(&file.path)) { tests } else { Vec::new() }
}

fn tests_at(repository: &Repository, commit: &ObjectId, path: &RepoPath) -> Result<Vec<Test>> {
    let Some(entry) = repository.entry(commit, path)?.filter(|entry| entry.is_file()) else {
        return Ok(Vec::new());
    };
    let file = File { path: path.clone(), content: Content::Blob(entry.id) };
    let Some(mut found) = analyze_all(repository, &[&file])?.pop() else { return Ok(Vec::new()) };
    let mut pending = [(found.path.as_str(), &mut found.facts)];
    resolve_macro_tests(repository, Some(commit), &mut pending)?;
    if pending[0].1.shared_uses.iter().any(|used| used.module.is_some()) {
        let all = repository.list(commit)?.into_iter().filter(|(_, entry)| entry.is_file());
        let all: Vec<File> =
            all.map(|(path, entry)| File { path, content: Content::Blob(entry.id) }).collect();
        resolve_in_tree(repository, &all, &mut pending)?;
    }
    Ok(Arc::unwrap_or_clone(found.facts).tests)
}
