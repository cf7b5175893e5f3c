//! The state of the gate in a repository: hooks, policy, suites, proofs, recent verdicts, and what would keep it from
//! blocking.

use anyhow::Result;

use crate::detectors;
use crate::gate::{self, Ask};
use crate::git::{ChangeSet, CommitLine, Repository, Selection};
use crate::hooks::{self, Installation, Problem};
use crate::ledger::Entry;
use crate::memory::Store;
use crate::policy::{self, OnMissing, Policy, Profile, Required, RuleAction};
use crate::proof::SuiteProof;
use crate::runner::{DiskTree, Finder, Suite, is_manifest};

/// How many commits are looked at.
const RECENT: &str = "--max-count=10";

pub struct Status {
    pub installation: Installation,
    pub policy: PolicyState,
    /// The suites of the working tree.
    pub suites: Vec<Suite>,
    /// Where the index stands now; an error in words where that cannot be told.
    pub proofs: Result<Vec<SuiteProof>, String>,
    /// Sessions in debug memory, and files there that cannot be read.
    pub memory: MemoryState,
    /// The newest commits of HEAD with their verdicts.
    pub recent: Vec<(CommitLine, Option<Entry>)>,
    /// Everything that would keep the gate from blocking.
    pub problems: Vec<Problem>,
}

#[derive(Default)]
pub struct MemoryState {
    pub sessions: usize,
    pub unreadable: Vec<String>,
}

pub struct PolicyState {
    /// Whether HEAD holds a policy file.
    pub from_file: bool,
    pub policy: Policy,
    pub error: Option<String>,
}

impl Status {
    pub fn gather(repository: &Repository) -> Result<Self> {
        let installation = hooks::inspect(repository)?;
        let policy = policy_state(repository)?;
        let mut problems = installation.problems.clone();
        problems.extend(policy_problems(&policy));
        problems.extend(misnamed(repository).filter(|_| !policy.from_file));
        let suites = suites(repository, &policy.policy)?;
        let proofs = proofs(repository, &policy.policy).map_err(|error| format!("{error:#}"));
        let memory = memory(repository)?;
        Ok(Self { installation, suites, proofs, memory, recent: recent(repository)?, problems, policy })
    }
}

/// Whether a commit of what is here would be blocked until somebody runs it.
pub fn asks_for_runs(repository: &Repository) -> Result<bool> {
    let policy = policy_state(repository)?.policy;
    let blocks = policy.profile.may_block() && policy.proof.on_missing == OnMissing::Block;
    let by_commit = |suite: &Suite| suite.required == Required::Commit;
    Ok(blocks && suites(repository, &policy)?.iter().any(by_commit))
}

/// What could be run here.
fn suites(repository: &Repository, policy: &Policy) -> Result<Vec<Suite>> {
    let Some(root) = repository.work_dir() else { return Ok(Vec::new()) };
    let tree = DiskTree::new(root);
    let paths = repository.paths_on_disk()?;
    let manifests: Vec<String> =
        paths.iter().map(|path| path.text().into_owned()).filter(|path| is_manifest(path)).collect();
    Ok(Finder::new(policy, &tree).all(&manifests))
}

/// The proofs that a commit would need now.
fn proofs(repository: &Repository, policy: &Policy) -> Result<Vec<SuiteProof>> {
    if repository.is_bare() {
        return Ok(Vec::new());
    }
    let change = ChangeSet::gather(repository, &Selection::Staged)?;
    let ask = Ask { by: Required::Commit, with_hash: false };
    Ok(gate::prove(repository, policy, &change, ask)?.suites)
}

fn memory(repository: &Repository) -> Result<MemoryState> {
    let index = Store::of(repository)?.index()?;
    let unreadable = index.unreadable().iter();
    Ok(MemoryState {
        sessions: index.summaries().count(),
        unreadable: unreadable.map(|file| format!("{}: {}", file.path.display(), file.reason)).collect(),
    })
}

fn policy_state(repository: &Repository) -> Result<PolicyState> {
    let head = repository.head()?;
    let text = head.map(|head| repository.file_at(&head, policy::FILE_NAME)).transpose()?.flatten();
    let Some(text) = text else {
        return Ok(PolicyState { from_file: false, policy: Policy::default(), error: None });
    };
    Ok(match Policy::parse_bytes(&text, &detectors::names()) {
        Ok(policy) => PolicyState { from_file: true, policy, error: None },
        Err(error) => {
            PolicyState { from_file: true, policy: Policy::default(), error: Some(error.to_string()) }
        }
    })
}

/// A policy that nobody reads, because its name ends otherwise.
fn misnamed(repository: &Repository) -> Option<Problem> {
    let root = repository.work_dir()?;
    let is_file = |name: &str| root.join(name).is_file();
    (is_file(policy::MISNAMED) && !is_file(policy::FILE_NAME)).then(|| Problem {
        message: format!("{} is not read: a policy is called {}", policy::MISNAMED, policy::FILE_NAME),
        repair: format!("rename it to {}", policy::FILE_NAME),
    })
}

fn policy_problems(state: &PolicyState) -> Vec<Problem> {
    let mut problems = Vec::new();
    if let Some(error) = &state.error {
        problems.push(Problem {
            message: format!("the policy is not valid, so the defaults apply: {error}"),
            repair: format!("mend {} and commit it", policy::FILE_NAME),
        });
    }
    if state.policy.profile == Profile::Advisory {
        problems.push(Problem {
            message: "the profile is advisory: nothing blocks".to_owned(),
            repair: "aiwg-gate config set profile standard".to_owned(),
        });
    }
    if state.policy.proof.on_missing == OnMissing::Warn {
        problems.push(Problem {
            message: "proof.on_missing is warn: commits that nobody ran do not block".to_owned(),
            repair: "aiwg-gate config unset proof.on_missing".to_owned(),
        });
    }
    for (rule, action) in state.policy.rules.iter().filter(|(_, action)| **action != RuleAction::Block) {
        problems.push(Problem {
            message: format!("the rule {rule} is set to {action}: its findings never block"),
            repair: format!("aiwg-gate config unset rules.{rule}"),
        });
    }
    problems
}

fn recent(repository: &Repository) -> Result<Vec<(CommitLine, Option<Entry>)>> {
    if repository.head()?.is_none() {
        return Ok(Vec::new());
    }
    let commits = repository.commits(&[RECENT, "HEAD"])?;
    let notes = repository.notes(&commits.iter().map(|commit| &commit.id).collect::<Vec<_>>())?;
    let with_verdict = |(commit, note): (CommitLine, Option<String>)| {
        let entry = gate::verdict_on(repository, &commit.id, note.as_deref())?;
        Ok((commit, entry))
    };
    commits.into_iter().zip(notes).map(with_verdict).collect()
}
