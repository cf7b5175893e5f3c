//! The decision table: from findings, waivers and policy to a verdict.

use super::*;
use crate::finding::Side;
use crate::policy::waivers::{Place, Standing, State};

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
        admitted: false,
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
    judge(policy, findings, &[], &Waivers::default()).0
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
    let mediums = |paths: &[&str]| paths.iter().map(|path| finding(Severity::Medium, 1.0, path)).collect();
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
    assert!(judge(&with_rule(RuleAction::Off), high(), &[], &Waivers::default()).1.is_empty());
    let medium = vec![finding(Severity::Medium, 0.95, "a")];
    assert_eq!(verdict(&with_rule(RuleAction::Block), medium), Verdict::Block);
}

#[test]
fn a_rule_set_to_warn_does_not_make_more_of_what_is_only_logged() {
    assert_eq!(verdict(&with_rule(RuleAction::Warn), vec![finding(Severity::Low, 1.0, "a")]), Verdict::Pass);
}

#[test]
fn strict_blocks_any_new_skip_and_anything_unknown() {
    let unknown = [Inconclusive { path: "a".to_owned(), reason: String::new() }];
    let strict = with_profile(Profile::Strict);
    assert_eq!(verdict(&strict, vec![finding(Severity::Low, 0.5, "a")]), Verdict::Block);
    assert_eq!(judge(&strict, Vec::new(), &unknown, &Waivers::default()).0, Verdict::Block);
    assert_eq!(judge(&Policy::default(), Vec::new(), &unknown, &Waivers::default()).0, Verdict::Warn);
}

#[test]
fn advisory_never_blocks() {
    let advisory = with_profile(Profile::Advisory);
    assert_eq!(verdict(&advisory, vec![finding(Severity::Critical, 1.0, "a")]), Verdict::Warn);
}

fn waivers(of: &Finding, refused: Option<&str>, today: &str) -> Waivers {
    let day = |text: &str| text.parse().expect("a day");
    let waiver = Waiver {
        fingerprint: of.fingerprint(),
        rule: of.rule.name.to_string(),
        reason: "because".to_owned(),
        by: "Ann".to_owned(),
        created: day("2026-01-01"),
        expires: day("2026-04-01"),
    };
    let refused = refused.map(str::to_owned);
    Waivers { all: vec![Standing { waiver, place: Place::Base, refused }], today: day(today) }
}

#[test]
fn a_waiver_that_counts_takes_its_finding_out_of_the_verdict_and_no_other() {
    let (one, two) = (finding(Severity::High, 1.0, "a"), finding(Severity::High, 1.0, "b"));
    let waivers = waivers(&one, None, "2026-04-01");
    let (verdict, judged) = judge(&Policy::default(), vec![one.clone()], &[], &waivers);
    assert_eq!((verdict, judged[0].action), (Verdict::Pass, Action::Waived));
    assert_eq!(judged[0].waiver.as_ref().map(|waiver| waiver.reason.as_str()), Some("because"));
    let (verdict, judged) = judge(&Policy::default(), vec![one, two], &[], &waivers);
    let actions: Vec<Action> = judged.iter().map(|judged| judged.action).collect();
    assert_eq!((verdict, actions), (Verdict::Block, vec![Action::Block, Action::Waived]));
}

#[test]
fn expired_and_refused_waivers_change_nothing() {
    let high = || finding(Severity::High, 1.0, "a");
    for waivers in [waivers(&high(), None, "2026-04-02"), waivers(&high(), Some("no"), "2026-01-02")] {
        assert_eq!(judge(&Policy::default(), vec![high()], &[], &waivers).0, Verdict::Block);
        assert_ne!(waivers.listed(|_| true)[0].state, State::Used);
    }
}

#[test]
fn waived_mediums_do_not_add_up_and_what_is_logged_needs_no_waiver() {
    let mediums = ["a", "b", "c"].map(|path| finding(Severity::Medium, 1.0, path));
    let waivers_of = |finding: &Finding| waivers(finding, None, "2026-01-02");
    assert_eq!(judge(&Policy::default(), mediums.to_vec(), &[], &waivers_of(&mediums[0])).0, Verdict::Warn);
    let low = finding(Severity::Low, 1.0, "a");
    let judged = judge(&Policy::default(), vec![low.clone()], &[], &waivers_of(&low)).1;
    assert_eq!(judged[0].action, Action::Log);
}
