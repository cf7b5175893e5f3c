//! From findings to a decision. Pure: policy in, verdict out.

use crate::comparison::Metrics;
use crate::detectors;
use crate::finding::{Finding, FindingType, RuleId, Severity};
use crate::git::{ChangeKind, ObjectId};
use crate::policy::waivers::{Listed, Waivers};
use crate::policy::{OnMissing, Policy, Profile, RuleAction, Waiver};
use crate::proof::SuiteProof;

/// More findings of medium severity than this, over more than one file, block together.
const MEDIUMS: usize = 2;

/// What is done about one finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    /// A person decided to accept it.
    Waived,
    Log,
    Warn,
    Block,
}

impl Action {
    pub fn name(self) -> &'static str {
        match self {
            Self::Waived => "waived",
            Self::Log => "log",
            Self::Warn => "warn",
            Self::Block => "block",
        }
    }

    fn verdict(self) -> Verdict {
        match self {
            Self::Waived | Self::Log => Verdict::Pass,
            Self::Warn => Verdict::Warn,
            Self::Block => Verdict::Block,
        }
    }
}

impl From<Action> for RuleAction {
    fn from(action: Action) -> Self {
        match action {
            Action::Waived | Action::Log => Self::Log,
            Action::Warn => Self::Warn,
            Action::Block => Self::Block,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    Pass,
    Warn,
    Block,
}

impl Verdict {
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Warn => "warn",
            Self::Block => "block",
        }
    }
}

/// A finding and what is done about it.
#[derive(Clone, Debug)]
pub struct Judged {
    pub finding: Finding,
    pub action: Action,
    /// The waiver by which it was waived.
    pub waiver: Option<Waiver>,
}

/// The proof of a suite and what is done about it.
#[derive(Clone, Debug)]
pub struct Proved {
    pub proof: SuiteProof,
    pub action: Action,
}

/// A file about which nothing could be said.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Inconclusive {
    pub path: String,
    pub reason: String,
}

/// Which change was judged.
#[derive(Clone, Debug)]
pub struct ChangeSummary {
    pub kind: ChangeKind,
    pub base: Option<ObjectId>,
    pub head: Option<ObjectId>,
    pub files: usize,
}

/// Everything that is told about one change.
#[derive(Clone, Debug)]
pub struct Report {
    pub verdict: Verdict,
    pub change: ChangeSummary,
    pub before: Metrics,
    pub after: Metrics,
    pub findings: Vec<Judged>,
    pub inconclusive: Vec<Inconclusive>,
    /// Every waiver of the base side and of the change, and what became of it.
    pub waivers: Vec<Listed>,
    pub proofs: Vec<Proved>,
    /// Whether code changes and there is no suite that could run it.
    pub no_suite: bool,
    /// Suites that the policy wants run before the commit goes on, where nothing else stands in its way.
    pub to_run: Vec<String>,
}

/// Decides what is done about each proof. Where nothing can be run any more, because the commit exists, it is only told.
pub fn judge_proofs(policy: &Policy, proofs: Vec<SuiteProof>, binding: bool) -> (Verdict, Vec<Proved>) {
    let action = |proof: &SuiteProof| {
        if proof.status.is_good() || !binding {
            Action::Log
        } else if policy.proof.on_missing == OnMissing::Warn || !policy.profile.may_block() {
            Action::Warn
        } else {
            Action::Block
        }
    };
    let proved: Vec<Proved> =
        proofs.into_iter().map(|proof| Proved { action: action(&proof), proof }).collect();
    let verdict = proved.iter().map(|proved| proved.action.verdict()).max();
    (verdict.unwrap_or(Verdict::Pass), proved)
}

/// Decides what is done about each finding, and so about the change.
pub fn judge(
    policy: &Policy,
    findings: Vec<Finding>,
    inconclusive: &[Inconclusive],
    waivers: &Waivers,
) -> (Verdict, Vec<Judged>) {
    let counting = waivers.counting();
    let waived = |finding: Finding| {
        // Most repositories have no waivers, and a fingerprint costs a digest.
        let print = (!counting.is_empty()).then(|| finding.fingerprint());
        let waiver = print.and_then(|print| counting.get(print.as_str()).copied().cloned());
        (finding, waiver)
    };
    let found: Vec<(Finding, Option<Waiver>)> = findings.into_iter().map(waived).collect();
    let open = || found.iter().filter(|(_, waiver)| waiver.is_none()).map(|(finding, _)| finding);
    let crowd = too_many_mediums(policy, open());
    let mut judged: Vec<Judged> = Vec::with_capacity(found.len());
    for (finding, waiver) in found {
        let Some(action) = action(policy, &finding, crowd) else { continue };
        let action = if policy.profile.may_block() { action } else { action.min(Action::Warn) };
        // What would only be logged needs no waiver.
        let waiver = waiver.filter(|_| action > Action::Log);
        let action = if waiver.is_some() { Action::Waived } else { action };
        judged.push(Judged { finding, action, waiver });
    }
    judged.sort_by_key(|judged| std::cmp::Reverse(judged.action));
    let unknown = match inconclusive {
        [] => Verdict::Pass,
        _ if policy.profile.inconclusive_blocks() => Verdict::Block,
        _ => Verdict::Warn,
    };
    let known = judged.iter().map(|judged| judged.action.verdict());
    (known.max().unwrap_or(Verdict::Pass).max(unknown), judged)
}

/// The action for one finding; `None` where the policy switched its rule off.
fn action(policy: &Policy, finding: &Finding, crowd: bool) -> Option<Action> {
    let by_severity = by_severity(finding.severity, finding.confidence, policy.profile);
    match policy.action(&finding.rule.name) {
        Some(RuleAction::Off) => return None,
        Some(RuleAction::Log) => return Some(Action::Log),
        Some(RuleAction::Warn) if is_meant(finding) => return Some(Action::Warn),
        Some(RuleAction::Warn) => return Some(by_severity.min(Action::Warn)),
        // Blocks whatever is not merely noted: evidence that lowered it to low still counts.
        Some(RuleAction::Block) if is_meant(finding) => return Some(Action::Block),
        Some(RuleAction::Block) | None => {}
    }
    if policy.profile.new_skips_block() && finding.rule.kind == FindingType::TestSkipping {
        return Some(Action::Block);
    }
    if crowd && counts_towards_crowd(finding) {
        return Some(Action::Block);
    }
    Some(by_severity)
}

/// Whether who names a rule in the policy means this finding: not what the rule only notes beside what it is about.
fn is_meant(finding: &Finding) -> bool {
    let only_notes = || detectors::find(&finding.rule.name).is_none_or(|rule| rule.severity == Severity::Low);
    finding.severity > Severity::Low || !finding.lowered && only_notes()
}

/// What is done about what a rule usually reports, where the policy does not name the rule.
pub fn usual_action(rule: &RuleId, severity: Severity, profile: Profile) -> Action {
    let skips = profile.new_skips_block() && rule.kind == FindingType::TestSkipping;
    let action = if skips { Action::Block } else { by_severity(severity, 1.0, profile) };
    if profile.may_block() { action } else { action.min(Action::Warn) }
}

fn by_severity(severity: Severity, confidence: f64, profile: Profile) -> Action {
    match severity {
        Severity::Critical | Severity::High if confidence >= profile.blocking_confidence() => Action::Block,
        Severity::Critical | Severity::High | Severity::Medium => Action::Warn,
        Severity::Low => Action::Log,
    }
}

fn too_many_mediums<'f>(policy: &Policy, findings: impl Iterator<Item = &'f Finding>) -> bool {
    let undecided = |finding: &&Finding| policy.action(&finding.rule.name).is_none();
    let mediums: Vec<&Finding> =
        findings.filter(|finding| counts_towards_crowd(finding)).filter(undecided).collect();
    let several_files = mediums.iter().any(|finding| finding.path != mediums[0].path);
    mediums.len() > MEDIUMS && several_files
}

fn counts_towards_crowd(finding: &Finding) -> bool {
    finding.severity == Severity::Medium && !finding.lowered
}

#[cfg(test)]
#[path = "verdict_tests.rs"]
mod tests;
