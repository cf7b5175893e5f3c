//! Which patterns a policy may hold, and what is said of others.

use super::super::{Pattern, What, When};
use super::*;
use crate::finding::{FindingType, Severity};

const GOOD: &str = "\
version: 1
rules: {no-raw-sql: warn}
patterns:
  - name: no-raw-sql
    type: validation_bypass
    severity: high
    message: \"Raw SQL bypasses the guard\"
    paths: [\"src/**\"]
    when: added
    call: execute_raw
  - {name: keep-guards, type: feature_removal, severity: medium, message: Guards stay, when: removed, symbol: \"check_*\"}
  - {name: no-new-shell, type: error_suppression, severity: low, message: No shell, paths: [\"*.sh\"]}
";

fn parse(text: &str) -> Result<PolicyFile, PolicyError> {
    PolicyFile::parse(text, &["test-removed", "test-skipped"])
}

#[track_caller]
fn refused(from: &str, to: &str, words: &str) {
    assert!(GOOD.contains(from), "{from}");
    let error = parse(&GOOD.replacen(from, to, 1)).expect_err(to);
    assert!(error.to_string().contains(words), "{error}");
    assert!(error.line > 1, "{error}");
}

#[test]
fn patterns_are_read_and_rules_may_name_them_above() {
    let file = parse(GOOD).unwrap();
    let first = Pattern {
        name: "no-raw-sql".to_owned(),
        kind: FindingType::ValidationBypass,
        severity: Severity::High,
        message: "Raw SQL bypasses the guard".to_owned(),
        paths: vec!["src/**".to_owned()],
        when: When::Added,
        what: What::Call("execute_raw".to_owned()),
    };
    assert_eq!(file.patterns[0], first);
    assert_eq!(
        (file.patterns[1].when, &file.patterns[1].what),
        (When::Removed, &What::Symbol("check_*".into()))
    );
    assert_eq!((file.patterns[2].when, &file.patterns[2].what), (When::Added, &What::File));
    assert_eq!(file.rules.len(), 1);
    assert!(parse("version: 1\npatterns:\n").unwrap().patterns.is_empty());
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    refused("name: keep-guards", "name: No Raw", "is no name for a rule");
    refused("name: keep-guards", "name: test-removed", "a rule of aiwg-gate itself");
    refused("name: keep-guards", "name: proof", "a rule of aiwg-gate itself");
    refused("name: keep-guards", "name: no-raw-sql", "stands above already");
    refused("type: validation_bypass", "type: validation", "is no type of finding");
    refused("severity: high", "severity: hi", "write low, medium, high or critical");
    refused("when: added", "when: always", "write added or removed");
    refused("call: execute_raw", "calls: execute_raw", "did you mean `call`?");
    refused("call: execute_raw", "call: \"a[\"", "is not a glob");
    refused("call: execute_raw", "call: a\n    symbol: b", "both `call:` and `symbol:`");
    refused("    message: \"Raw SQL bypasses the guard\"\n", "", "the pattern `no-raw-sql` needs `message:`");
    refused(", paths: [\"*.sh\"]", "", "looks for nothing");
    refused("rules: {no-raw-sql: warn}", "rules: {no-raw-sq: warn}", "did you mean `no-raw-sql`?");
}

#[test]
fn a_name_that_is_refused_leaves_the_others_known() {
    let error = parse(&GOOD.replacen("name: keep-guards", "name: [x]", 1)).unwrap_err();
    assert!(error.line >= 2, "{error}");
}
