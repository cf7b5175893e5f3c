//! From findings to a decision. Pure: policy in, verdict out.

use crate::comparison::Metrics;
use crate::finding::{Finding, FindingType, RuleId, Severity};
use crate::git::{ChangeKind, ObjectId};
use crate::policy::{OnMissing, Policy, Profile, RuleAction};
use crate::proof::SuiteProof;

/// More findings of medium severity than this, over more than one file, block together.
const MEDIUMS: usize = 2;

/// What is done about one finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    Log,
    Warn,
    Block,
}

impl Action {
    pub fn name(self) -> &'static str {
        match self {
            Self::Log => "log",
            Self::Warn => "warn",
            Self::Block => "block",
        }
    }

    fn verdict(self) -> Verdict {
        match self {
            Self::Log => Verdict::Pass,
            Self::Warn => Verdict::Warn,
            Self::Block => Verdict::Block,
        }
    }
}

impl From<Action> for RuleAction {
    fn from(action: Action) -> Self {
        match action {
            Action::Log => Self::Log,
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
) -> (Verdict, Vec<Judged>) {
    let crowd = too_many_mediums(policy, &findings);
    let mut judged: Vec<Judged> = Vec::with_capacity(findings.len());
    for finding in findings {
        let Some(action) = action(policy, &finding, crowd) else { continue };
        let action = if policy.profile.may_block() { action } else { action.min(Action::Warn) };
        judged.push(Judged { finding, action });
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
        Some(RuleAction::Warn) => return Some(by_severity.min(Action::Warn)),
        // Blocks whatever is not merely noted: evidence that lowered it to low still counts.
        Some(RuleAction::Block) if finding.severity > Severity::Low => return Some(Action::Block),
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

fn too_many_mediums(policy: &Policy, findings: &[Finding]) -> bool {
    let undecided = |finding: &&Finding| policy.action(&finding.rule.name).is_none();
    let mediums: Vec<&Finding> =
        findings.iter().filter(|finding| counts_towards_crowd(finding)).filter(undecided).collect();
    let several_files = mediums.iter().any(|finding| finding.path != mediums[0].path);
    mediums.len() > MEDIUMS && several_files
}

fn counts_towards_crowd(finding: &Finding) -> bool {
    finding.severity == Severity::Medium && !finding.lowered
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Side;

    fn finding(severity: Severity, confidence: f64, path: &str) -> Finding {
        Finding {
            rule: RuleId {
                name: "test-skipped".into(),
                pattern_id: "LP-003".into(),
                kind: FindingType::TestSkipping,
            },
            severity,
            confidence,
            lowered: false,
            side: Side::After,
            path: path.to_owned(),
            line: 1,
            symbol: path.to_owned(),
            detail: String::new(),
            message: String::new(),
            help: String::new(),
            before: None,
            after: None,
            evidence: Vec::new(),
        }
    }

    fn verdict(policy: &Policy, findings: Vec<Finding>) -> Verdict {
        judge(policy, findings, &[]).0
    }

    fn standard(findings: Vec<Finding>) -> Verdict {
        verdict(&Policy::default(), findings)
    }

    fn with_rule(action: RuleAction) -> Policy {
        Policy { rules: [("test-skipped".to_owned(), action)].into(), ..Policy::default() }
    }

    fn with_profile(profile: Profile) -> Policy {
        Policy { profile, ..Policy::default() }
    }

    #[test]
    fn what_a_rule_usually_leads_to_follows_severity_and_profile() {
        let rule = finding(Severity::High, 1.0, "a").rule;
        let usual = |severity| Profile::ALL.map(|profile| usual_action(&rule, severity, profile));
        assert_eq!(usual(Severity::High), [Action::Block, Action::Block, Action::Warn]);
        // The rule is about skips, which strict never lets pass.
        assert_eq!(usual(Severity::Medium), [Action::Warn, Action::Block, Action::Warn]);
        assert_eq!(usual(Severity::Low), [Action::Log, Action::Block, Action::Log]);
    }

    #[test]
    fn nothing_found_passes() {
        assert_eq!(standard(Vec::new()), Verdict::Pass);
    }

    #[test]
    fn severe_and_sure_blocks_and_severe_but_unsure_warns() {
        assert_eq!(standard(vec![finding(Severity::High, 0.80, "a")]), Verdict::Block);
        assert_eq!(standard(vec![finding(Severity::Critical, 0.95, "a")]), Verdict::Block);
        assert_eq!(standard(vec![finding(Severity::High, 0.79, "a")]), Verdict::Warn);
    }

    #[test]
    fn medium_warns_and_low_is_only_logged() {
        assert_eq!(standard(vec![finding(Severity::Medium, 1.0, "a")]), Verdict::Warn);
        assert_eq!(standard(vec![finding(Severity::Low, 1.0, "a")]), Verdict::Pass);
    }

    #[test]
    fn more_than_two_mediums_over_more_than_one_file_block() {
        let mediums =
            |paths: &[&str]| paths.iter().map(|path| finding(Severity::Medium, 1.0, path)).collect();
        assert_eq!(standard(mediums(&["a", "a", "b"])), Verdict::Block);
        assert_eq!(standard(mediums(&["a", "a", "a"])), Verdict::Warn);
        assert_eq!(standard(mediums(&["a", "b"])), Verdict::Warn);
    }

    #[test]
    fn mediums_that_evidence_lowered_do_not_add_up() {
        let lowered = |path| Finding { lowered: true, ..finding(Severity::Medium, 1.0, path) };
        assert_eq!(standard(vec![lowered("a"), lowered("b"), lowered("c"), lowered("d")]), Verdict::Warn);
    }

    #[test]
    fn the_policy_has_the_last_word_on_a_rule() {
        let high = || vec![finding(Severity::High, 0.95, "a")];
        assert_eq!(verdict(&with_rule(RuleAction::Warn), high()), Verdict::Warn);
        assert_eq!(verdict(&with_rule(RuleAction::Log), high()), Verdict::Pass);
        assert!(judge(&with_rule(RuleAction::Off), high(), &[]).1.is_empty());
        let medium = vec![finding(Severity::Medium, 0.95, "a")];
        assert_eq!(verdict(&with_rule(RuleAction::Block), medium), Verdict::Block);
    }

    #[test]
    fn a_rule_set_to_warn_does_not_make_more_of_what_is_only_logged() {
        assert_eq!(
            verdict(&with_rule(RuleAction::Warn), vec![finding(Severity::Low, 1.0, "a")]),
            Verdict::Pass
        );
    }

    #[test]
    fn strict_blocks_any_new_skip_and_anything_unknown() {
        let unknown = [Inconclusive { path: "a".to_owned(), reason: String::new() }];
        let strict = with_profile(Profile::Strict);
        assert_eq!(verdict(&strict, vec![finding(Severity::Low, 0.5, "a")]), Verdict::Block);
        assert_eq!(judge(&strict, Vec::new(), &unknown).0, Verdict::Block);
        assert_eq!(judge(&Policy::default(), Vec::new(), &unknown).0, Verdict::Warn);
    }

    #[test]
    fn advisory_never_blocks() {
        let advisory = with_profile(Profile::Advisory);
        assert_eq!(verdict(&advisory, vec![finding(Severity::Critical, 1.0, "a")]), Verdict::Warn);
    }
}
