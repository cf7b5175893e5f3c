//! Reading `proof` and `feedback`.

use crate::policy::{
    Equivalence, FeedbackSettings, OnMissing, Policy, Profile, ProofSettings, RequireAnalysis,
};

fn parse(text: &str) -> Result<Policy, String> {
    Policy::parse(&format!("version: 1\n{text}\n"), &[]).map_err(|error| error.to_string())
}

#[track_caller]
fn refused(text: &str, message: &str) {
    assert_eq!(parse(text).expect_err(text), format!("aiwg-gate.yaml:{message}"));
}

#[test]
fn nothing_said_is_the_default() {
    for text in ["", "proof:\nfeedback:", "proof: {}\nfeedback: {}"] {
        assert_eq!(parse(text), Ok(Policy::default()), "{text}");
    }
    assert_eq!(parse("proof: {link: }").unwrap().proof.link, Vec::<String>::new());
}

#[test]
fn every_key_is_read() {
    let text = "proof: { on_missing: run, equivalence: exact, link: [node_modules, \"packages/app/.venv/\"] }\n\
                feedback: { max_attempts: 10, require_analysis: off, abort_on_regression: false }";
    let policy = parse(text).unwrap();
    let link = vec!["node_modules".to_owned(), "packages/app/.venv".to_owned()];
    let expected = ProofSettings { on_missing: OnMissing::Run, equivalence: Some(Equivalence::Exact), link };
    assert_eq!(policy.proof, expected);
    let expected = FeedbackSettings {
        max_attempts: 10,
        require_analysis: RequireAnalysis::Off,
        abort_on_regression: false,
    };
    assert_eq!(policy.feedback, expected);
}

#[test]
fn one_key_leaves_the_others_at_their_defaults() {
    let policy = parse("proof: {on_missing: warn}\nfeedback: {require_analysis: block}").unwrap();
    assert_eq!(policy.proof, ProofSettings { on_missing: OnMissing::Warn, ..ProofSettings::default() });
    let analysis = RequireAnalysis::Block;
    assert_eq!(
        policy.feedback,
        FeedbackSettings { require_analysis: analysis, ..FeedbackSettings::default() }
    );
}

#[test]
fn the_profile_decides_where_equivalence_is_not_stated() {
    let equivalence = |text: &str| parse(text).unwrap().equivalence();
    assert_eq!(equivalence(""), Equivalence::Tokens);
    assert_eq!(equivalence("profile: advisory"), Equivalence::Tokens);
    assert_eq!(equivalence("profile: strict"), Equivalence::Exact);
    assert_eq!(equivalence("profile: strict\nproof: {equivalence: tokens}"), Equivalence::Tokens);
    assert_eq!(equivalence("proof: {equivalence: exact}"), Equivalence::Exact);
    assert_eq!(parse("profile: strict").unwrap().profile, Profile::Strict);
}

#[test]
fn wrong_keys_and_values_are_refused_with_their_place() {
    refused("proof: {on-missing: run}", "2:9: unknown key of proof `on-missing`: did you mean `on_missing`?");
    refused(
        "proof:\n  on_missing: ignore",
        "3:15: `ignore` is no answer to a missing proof: write block, run or warn",
    );
    refused("proof:\n  equivalence: token", "3:16: `token` is no equivalence: did you mean `tokens`?");
    refused(
        "proof:\n  link: [a]\n  link: [b]",
        "4:3: the key of proof `link` is given twice: keep one of them",
    );
    refused(
        "proof: {link: [a, ../b]}",
        "2:19: `../b` leads upwards: write it from the root of the repository, without `..`",
    );
    refused("feedback: {max_attempts: 0}", "2:26: 0 is out of range for max_attempts: write 1 to 10");
    refused("feedback: {max_attempts: 11}", "2:26: 11 is out of range for max_attempts: write 1 to 10");
    refused(
        "feedback: {max_attempt: 3}",
        "2:12: unknown key of feedback `max_attempt`: did you mean `max_attempts`?",
    );
    refused(
        "feedback: {require_analysis: no}",
        "2:30: `no` is no way to ask for an analysis: write off, warn or block",
    );
    for (text, words) in [
        ("proof: run", "settings by name"),
        ("proof: {link: a}", "a list of folders"),
        ("proof: {link: [[a]]}", "the name of a folder"),
        ("feedback: {max_attempts: \"3\"}", "a whole number from 1 to 10, without quotes"),
        ("feedback: {abort_on_regression: off}", "true or false, without quotes"),
        ("feedback: {abort_on_regression: 1}", "true or false"),
        ("feedback: [3]", "settings by name"),
    ] {
        let error = parse(text).expect_err(text);
        assert!(error.starts_with("aiwg-gate.yaml:2:") && error.contains(words), "{error}");
    }
    let many = format!("proof: {{link: [{}]}}", "a,".repeat(101));
    assert!(parse(&many).unwrap_err().contains("at most 100 folders"));
}
