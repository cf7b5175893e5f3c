//! Judges one change: gather, understand, detect, judge.

use anyhow::Result;

use super::lost;
use super::merge;
use super::prove::{Ask, prove};
use super::revert;
use super::understand::understand;
use super::unknown::unknown;
use super::waivers::waivers;
use crate::collections::HashSet;
use crate::comparison::{Comparison, Metrics};
use crate::detectors;
use crate::finding::Finding;
use crate::git::{Change, ChangeKind, ChangeSet, Content, Repository};
use crate::policy::{self, OnMissing, Policy};
use crate::proof;
use crate::verdict::{Action, ChangeSummary, Inconclusive, Proved, Report, Verdict, judge, judge_proofs};

/// Judges a change by the policy of the side it starts from. Without `ask`, proofs are left out.
pub fn check(repository: &Repository, change: &ChangeSet, ask: Option<Ask>) -> Result<Report> {
    let mut inconclusive = Vec::new();
    let policy = base_policy(repository, change, &mut inconclusive)?;
    check_new_policy(repository, change)?;
    let waivers = waivers(repository, &policy, change, &mut inconclusive)?;
    let seen = match &change.merge {
        None => see(repository, &policy, change)?,
        Some(merge) => merge::see(repository, &policy, change, merge)?,
    };
    inconclusive.extend(seen.inconclusive);
    inconclusive.sort();
    inconclusive.dedup();
    let (verdict, findings) = judge(&policy, seen.findings, &inconclusive, &waivers);
    let found: HashSet<String> = match waivers.all.is_empty() {
        true => HashSet::new(),
        false => findings.iter().map(|judged| judged.finding.fingerprint()).collect(),
    };
    let waivers = waivers.listed(|print| found.contains(print));
    let proofs = ask.map(|ask| prove(repository, &policy, change, ask)).transpose()?.unwrap_or_default();
    // Of a commit that exists it is told what was run, but nothing can be made up for any more.
    let binding = is_to_be_committed(change);
    let no_suite = proofs.no_suite && binding;
    let (proved, proofs) = judge_proofs(&policy, proofs.suites, binding);
    let unproved = if no_suite { Verdict::Warn } else { Verdict::Pass };
    let to_run = if verdict == Verdict::Block { Vec::new() } else { to_run(&policy, &proofs) };
    let verdict = verdict.max(proved).max(unproved);
    let change = ChangeSummary {
        kind: change.kind,
        base: change.base.clone(),
        head: change.head.clone(),
        files: change.files(),
    };
    let (before, after) = (seen.before, seen.after);
    Ok(Report { verdict, change, before, after, findings, inconclusive, waivers, proofs, no_suite, to_run })
}

/// The suites that the policy wants run where a proof is missing; a failed one would only fail again.
fn to_run(policy: &Policy, proofs: &[Proved]) -> Vec<String> {
    let wanted = policy.proof.on_missing == OnMissing::Run;
    let open = proofs.iter().filter(|proved| wanted && proved.action > Action::Log);
    let open = open.filter(|proved| proved.proof.status != proof::Status::Failed);
    open.map(|proved| proved.proof.suite.clone()).collect()
}

/// What there is to say about a change, before the policy decides.
pub struct Seen {
    pub findings: Vec<Finding>,
    pub inconclusive: Vec<Inconclusive>,
    pub before: Metrics,
    pub after: Metrics,
}

fn see(repository: &Repository, policy: &Policy, change: &ChangeSet) -> Result<Seen> {
    let files = understand(repository, policy, change, &change.changes)?;
    let inconclusive = files.iter().filter_map(|(_, file)| unknown(file, change.kind)).collect();
    let files = files.into_iter().map(|(_, file)| file).collect();
    let comparison = Comparison::new(base_name(change), files).with_all(paths_of(&change.changes));
    let comparison = comparison.with_message(change.message.as_deref());
    let (before, after) = comparison.metrics();
    let mut findings = detectors::detect_with(&comparison, &policy.patterns);
    revert::lower(repository, change, &comparison, &mut findings);
    lost::lower(repository, change, &comparison, &mut findings)?;
    Ok(Seen { findings, inconclusive, before, after })
}

/// The paths of a list of changes on the after side.
pub fn paths_of(changes: &[Change]) -> impl Iterator<Item = String> {
    changes.iter().filter_map(Change::after).map(|file| file.path.text().into_owned())
}

/// The policy of the base side; a broken one there counts as none, and is told.
pub fn base_policy(
    repository: &Repository,
    change: &ChangeSet,
    inconclusive: &mut Vec<Inconclusive>,
) -> Result<Policy> {
    let file = |path: &str| change.base.as_ref().map_or(Ok(None), |base| repository.file_at(base, path));
    let Some(text) = file(policy::FILE_NAME)? else {
        let names = |path: &str| paths_of(&change.changes).any(|changed| changed == path);
        let misnamed = names(policy::MISNAMED) || file(policy::MISNAMED)?.is_some();
        if misnamed && !names(policy::FILE_NAME) {
            let reason = format!("it is not read: a policy is called {}", policy::FILE_NAME);
            inconclusive.push(Inconclusive { path: policy::MISNAMED.to_owned(), reason });
        }
        return Ok(Policy::default());
    };
    match Policy::parse_bytes(&text, &detectors::names()) {
        Ok(policy) => Ok(policy),
        Err(error) => {
            let reason = format!("the policy of the base side is not valid, so the defaults apply: {error}");
            inconclusive.push(Inconclusive { path: policy::FILE_NAME.to_owned(), reason });
            Ok(Policy::default())
        }
    }
}

/// The change brings a policy or waivers that cannot be read: a fault of the change, not of the tool.
#[derive(Debug)]
pub struct BadPolicy(pub String);

impl std::fmt::Display for BadPolicy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadPolicy {}

/// A policy that is about to be committed must be valid: later commits are judged by it.
fn check_new_policy(repository: &Repository, change: &ChangeSet) -> Result<()> {
    if !is_to_be_committed(change) {
        return Ok(());
    }
    let Some(file) = new_file(repository, change, policy::FILE_NAME)? else { return Ok(()) };
    let invalid = |reason: String| BadPolicy(format!("the policy in this change is not valid: {reason}"));
    let text = file.ok_or_else(|| {
        invalid(format!("{}: this is no ordinary file: put the policy itself there", policy::FILE_NAME))
    })?;
    Policy::parse_bytes(&text, &detectors::names()).map_err(|error| invalid(error.to_string()))?;
    Ok(())
}

/// Whether the change is not yet a commit, so that what is wrong with it can be mended.
pub fn is_to_be_committed(change: &ChangeSet) -> bool {
    matches!(change.kind, ChangeKind::Staged | ChangeKind::Worktree)
}

/// What the change puts at a path: `None` where it leaves it alone or takes it away, `Some(None)` for no ordinary file.
pub fn new_file(repository: &Repository, change: &ChangeSet, path: &str) -> Result<Option<Option<Vec<u8>>>> {
    let mut files = change.changes.iter().filter_map(Change::after);
    let Some(file) = files.find(|file| file.path.as_bytes() == path.as_bytes()) else { return Ok(None) };
    Ok(Some(match &file.content {
        Content::Blob(id) => Some(repository.blob(id)?),
        Content::Bytes(bytes) => Some(bytes.to_vec()),
        Content::Opaque => None,
    }))
}

pub fn base_name(change: &ChangeSet) -> String {
    match (&change.kind, &change.base) {
        (ChangeKind::Commit | ChangeKind::Range, Some(base)) => base.short().to_owned(),
        _ => "HEAD".to_owned(),
    }
}
