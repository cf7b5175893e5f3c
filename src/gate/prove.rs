//! Asks for each suite that a change touches whether someone ran exactly this content.

use std::collections::BTreeSet;

use anyhow::Result;

use crate::detectors;
use crate::git::{Attributes, ChangeKind, ChangeSet, RawChange, RepoPath, Repository};
use crate::memory::{Index, Store};
use crate::paths::Classifier;
use crate::policy::{self, Equivalence, Policy, Required};
use crate::proof::{Content, Prover, Rules, Status, SuiteProof};
use crate::runner::{CommitTree, DiskTree, Finder, StagedTree, Suite, Tree, vanished};

/// What is known about the runs of a change.
#[derive(Clone, Debug, Default)]
pub struct Proofs {
    pub suites: Vec<SuiteProof>,
    /// Whether code changes and there is no suite that could run it.
    pub no_suite: bool,
}

/// How to ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask {
    /// The step for which suites must have passed; those of other steps are left to these.
    pub by: Required,
    /// Whether code hashes are wanted where no run has them.
    pub with_hash: bool,
}

/// The proofs of a change.
pub fn prove(repository: &Repository, policy: &Policy, change: &ChangeSet, ask: Ask) -> Result<Proofs> {
    let Some(wanted) = wanted(repository, policy, change)? else { return Ok(Proofs::default()) };
    let scope = Scope::of(repository, policy, change)?;
    let code = scope.code();
    let before = CommitTree::new(repository, change.base.as_ref());
    let after = resulting(repository, change);
    let after = &*after;
    let new_policy = policy_after(change, after);
    // A first commit starts from nothing: its own policy is all there is.
    let in_force = new_policy.as_ref().filter(|_| change.base.is_none()).unwrap_or(policy);
    let sides = Sides {
        before: Finder::new(in_force, &before),
        kept: Finder::new(in_force, after),
        brought: new_policy.as_ref().map(|policy| Finder::new(policy, after)),
    };
    let all: Vec<&str> = scope.all.iter().map(String::as_str).collect();
    let gone = vanished(&sides.before, &sides.kept, &all);
    let suites = sides.suites(&all);
    if suites.is_empty() && gone.is_empty() {
        // A policy that says so itself needs no reminder.
        let says_so = policy.suites.as_ref().is_some_and(Vec::is_empty);
        return Ok(Proofs { suites: Vec::new(), no_suite: !code.is_empty() && !says_so });
    }
    let mut proofs: Vec<SuiteProof> = gone.iter().map(missing_suite).collect();
    let mut index = None;
    for suite in &suites {
        let own = |path: &str| sides.has_input(suite, path);
        let touched = |path: &&str| own(path) || sides.before.had_input(suite, path);
        let merged = change.merge.is_some() && code.is_empty();
        if let Some(reason) = excuse(suite, ask, merged, code.iter().any(touched)) {
            proofs.push(SuiteProof::not_required(&suite.name, reason));
            continue;
        }
        let index = match &mut index {
            Some(index) => &*index,
            none => none.insert(Store::of(repository)?.index()?),
        };
        let counts = |path: &str| own(path) && scope.classifier.is_input(path);
        proofs.push(prover(repository, policy, index, &wanted, ask.with_hash).prove(suite, &counts)?);
    }
    Ok(Proofs { suites: proofs, no_suite: false })
}

/// Why a suite needs no proof, where it needs none.
fn excuse(suite: &Suite, ask: Ask, merged: bool, touched: bool) -> Option<&'static str> {
    match suite.required {
        required if required != ask.by => Some(match required {
            Required::Commit => "it must have passed before each commit",
            Required::Push => "it must have passed before a push",
            Required::Ci => "it must have passed in CI",
        }),
        _ if merged => Some("the merge changes nothing of its own"),
        _ if !touched => Some("no code of it changes"),
        _ => None,
    }
}

/// Where suites are looked for. A change is asked by the policy that it starts from: what it says itself about suites
/// only adds to that.
struct Sides<'t> {
    /// The base side, by its own policy.
    before: Finder<'t>,
    /// What results, by the policy of the base side.
    kept: Finder<'t>,
    /// What results, by the policy that the change brings.
    brought: Option<Finder<'t>>,
}

impl Sides<'_> {
    /// The suites near the change. One is what the base side says it is, unless only the change has it.
    fn suites(&self, paths: &[&str]) -> Vec<Suite> {
        let before = self.before.touched(paths).into_iter().filter(|suite| self.kept.has(suite));
        let brought = self.brought.iter().flat_map(|brought| brought.touched(paths));
        let mut suites: Vec<Suite> = Vec::new();
        for suite in before.chain(self.kept.touched(paths)).chain(brought) {
            if !suites.iter().any(|known| known.name == suite.name) {
                suites.push(suite);
            }
        }
        suites
    }

    /// Whether a path belongs to a suite once the change is made, as it does where the suite is run.
    fn has_input(&self, suite: &Suite, path: &str) -> bool {
        std::iter::once(&self.kept).chain(&self.brought).any(|finder| finder.has_input(suite, path))
    }
}

pub fn prover<'a>(
    repository: &'a Repository,
    policy: &Policy,
    index: &'a Index,
    wanted: &'a Content,
    with_hash: bool,
) -> Prover<'a> {
    Prover {
        repository,
        index,
        wanted,
        rules: Rules { excuse_known_failures: policy.profile.tolerates_known_failures() },
        by_tokens: policy.equivalence() == Equivalence::Tokens,
        with_hash,
    }
}

/// The content that the change results in; `None` where that is not known.
fn wanted(repository: &Repository, policy: &Policy, change: &ChangeSet) -> Result<Option<Content>> {
    let tree = change.base.as_ref().map(|base| repository.tree_of(base)).transpose()?;
    Ok(match change.kind {
        ChangeKind::Patch => None,
        ChangeKind::Worktree => {
            let classifier = Classifier::new(policy, Attributes::default())?;
            let snapshot = repository.snapshot_worktree(|path| classifier.counts_untracked(path))?;
            Some(Content::new(tree, &snapshot.delta))
        }
        _ => Some(Content::new(tree, &change.raw)),
    })
}

fn missing_suite(suite: &Suite) -> SuiteProof {
    SuiteProof {
        suite: suite.name.clone(),
        status: Status::Missing,
        code_hash: None,
        run: None,
        explanation: "this change takes the suite away, and its code stays".to_owned(),
        details: vec![format!("it was: {}", suite.command)],
        next: Some("git diff --cached".to_owned()),
    }
}

/// Which paths a change is about.
struct Scope {
    classifier: Classifier,
    /// Every path of the change.
    all: Vec<String>,
    /// The paths that a run would have to be repeated for.
    own: BTreeSet<String>,
}

impl Scope {
    fn of(repository: &Repository, policy: &Policy, change: &ChangeSet) -> Result<Self> {
        let paths: Vec<RepoPath> = change
            .raw
            .iter()
            .map(|change| change.path.clone())
            .chain(change.changes.iter().filter_map(|change| change.after()).map(|file| file.path.clone()))
            .collect();
        let classifier =
            Classifier::new(policy, Attributes::read(repository, change.base.as_ref(), &paths)?)?;
        let own = match &change.merge {
            Some(merge) => merge.own.iter().map(|path| path.text().into_owned()).collect(),
            None => paths.iter().map(|path| path.text().into_owned()).collect(),
        };
        let all: BTreeSet<String> = paths.iter().map(|path| path.text().into_owned()).collect();
        Ok(Self { classifier, all: all.into_iter().collect(), own })
    }

    fn code(&self) -> Vec<&str> {
        self.own.iter().map(String::as_str).filter(|path| self.classifier.is_input(path)).collect()
    }
}

/// The policy that the change brings, where it brings one.
fn policy_after(change: &ChangeSet, after: &dyn Tree) -> Option<Policy> {
    let is_policy = |change: &&RawChange| change.path.as_bytes() == policy::FILE_NAME.as_bytes();
    change.raw.iter().find(is_policy)?;
    match after.read(policy::FILE_NAME) {
        Some(text) => Policy::parse_bytes(&text, &detectors::names()).ok(),
        None => Some(Policy::default()),
    }
}

/// The files that the change results in. What is only on disk is in no object of git's.
fn resulting<'r>(repository: &'r Repository, change: &ChangeSet) -> Box<dyn Tree + 'r> {
    match (change.kind, repository.work_dir()) {
        (ChangeKind::Worktree, Some(root)) => Box::new(DiskTree::new(root)),
        _ => Box::new(StagedTree::new(repository, change.base.as_ref(), &change.raw)),
    }
}
