//! Reading policy files: what is accepted, and where and how the rest is refused.

use proptest::prelude::*;

use super::*;
use crate::policy::RuleAction;

const RULES: &[&str] = &["test-removed", "test-skipped"];

fn parse(text: &str) -> Result<Policy, PolicyError> {
    Policy::parse(text, RULES)
}

#[track_caller]
fn refused(text: &str, message: &str) {
    assert_eq!(parse(text).expect_err(text).to_string(), message);
}

#[track_caller]
fn says(text: &str, line: usize, column: usize, words: &str) {
    let error = parse(text).expect_err(text);
    assert_eq!((error.line, error.column), (line, column), "{error}");
    assert!(error.message.contains(words), "{error}");
}

#[test]
fn the_shortest_policy_is_the_default() {
    for text in
        ["version: 1", "version: 1\n", "{version: 1}", "---\nversion: 1\n...\n", "version: 1\nrules:\n"]
    {
        assert_eq!(parse(text), Ok(Policy::default()), "{text}");
    }
}

#[test]
fn every_key_is_read() {
    let text = "version: 1\nprofile: strict # why\npaths: { tests: [], documentation: [\"handbook/**\"] }\n\
                rules:\n  test-skipped: warn\n  'test-removed': off\n";
    let policy = parse(text).unwrap();
    assert_eq!(policy.profile, Profile::Strict);
    assert_eq!(policy.paths.documentation, ["handbook/**"]);
    assert_eq!(policy.action("test-skipped"), Some(RuleAction::Warn));
    assert_eq!(policy.action("test-removed"), Some(RuleAction::Off));
    assert_eq!(policy.action("suite-disabled"), None);
}

#[test]
fn windows_line_ends_a_mark_at_the_start_and_tabs_after_values_change_nothing() {
    let plain = parse("version: 1\nprofile: strict\nrules:\n  test-skipped: log\n").unwrap();
    let odd = "\u{feff}version: 1\r\nprofile:\tstrict\t# x\r\nrules:\r\n  test-skipped: log\r\n";
    assert_eq!(parse(odd), Ok(plain));
}

#[test]
fn unknown_names_are_refused_with_their_place() {
    refused(
        "version: 1\nrules:\n    test-skiped: warn\n",
        "aiwg-gate.yaml:3:5: unknown rule `test-skiped`: did you mean `test-skipped`?",
    );
    refused(
        "version: 1\nlanguages: []\n",
        "aiwg-gate.yaml:2:1: unknown key `languages`: known are version, profile, paths, rules, patterns, suites, \
         proof, feedback, waivers",
    );
    refused(
        "version: 1\npaths: {test: []}\n",
        "aiwg-gate.yaml:2:9: unknown list of paths `test`: did you mean `tests`?",
    );
    refused("\u{feff}versoin: 1\n", "aiwg-gate.yaml:1:1: unknown key `versoin`: did you mean `version`?");
}

#[test]
fn bad_values_are_refused_with_their_place() {
    refused(
        "version: 1\nprofile: tough\n",
        "aiwg-gate.yaml:2:10: `tough` is no profile: write standard, strict or advisory",
    );
    refused(
        "version: 1\nrules: {test-skipped: false}\n",
        "aiwg-gate.yaml:2:23: `false` is no action: write block, warn, log or off",
    );
    refused(
        "version: 2\n",
        "aiwg-gate.yaml:1:10: version 2 is not known to this aiwg-gate: write `version: 1`, or update it",
    );
    says("version: 1\npaths:\n  tests:\n    - 'a['\n", 4, 7, "is not a glob");
    says("version: 1\npaths:\n  tests: 'a/**'\n", 3, 10, "a list of globs");
    says("version: 1\npaths:\n  tests: [a, [b]]\n", 3, 14, "a glob");
    says("version: '1'\n", 1, 10, "the number 1");
    says("version: 1\nprofile:\n", 2, 9, "a profile: standard");
    says("version: 1\npaths: {tests: ['']}\n", 2, 17, "a glob");
    says("version: 1\nrules: warn\n", 2, 8, "actions by rule");
    says("version: 1\nrules: [warn]\n", 2, 8, "actions by rule");
    says("- version: 1\n", 1, 1, "key: value");
    says("strict\n", 1, 1, "key: value");
}

#[test]
fn repeated_keys_are_refused() {
    refused(
        "version: 1\nprofile: strict\nprofile: advisory\n",
        "aiwg-gate.yaml:3:1: the key `profile` is given twice: keep one of them",
    );
    says("version: 1\nrules: {test-skipped: off, test-skipped: off}", 2, 28, "twice");
    says("version: 1\npaths:\n  tests: [a]\n  tests: [b]", 4, 3, "twice");
}

#[test]
fn a_version_is_needed() {
    says("profile: strict\n", 1, 1, "`version: 1`");
    says("", 1, 1, "`version: 1`");
    says("---\n", 2, 1, "`version: 1`");
    says("~", 1, 1, "`version: 1`");
}

#[test]
fn aliases_and_further_documents_are_refused() {
    says("version: 1\npaths:\n  tests: &a [x]\n  ignored: *a\n", 3, 10, "anchor");
    says("version: 1\npaths: {tests: [**/*.py]}\n", 2, 17, "quotes");
    says("version: 1\n---\nversion: 1\n", 2, 1, "one document");
    says("version: 1\n<<: {profile: strict}\n", 2, 1, "unknown key `<<`");
}

#[test]
fn broken_yaml_is_refused_with_its_place() {
    assert!(parse("version: 1\nrules: {test-skipped: warn\n").is_err());
    assert!(parse("version: 1\n\tprofile: strict\n").unwrap_err().message.contains("not with tabs"));
    says("version: 1\nrules:\n\ttest-skipped: warn\n", 3, 1, "not with tabs");
}

#[test]
fn large_and_deep_files_end_quickly_in_an_error() {
    let started = std::time::Instant::now();
    says(&format!("version: 1\n# {}", "x".repeat(MAX_BYTES)), 1, 1, "is the limit");
    for opening in ["[", "{a: ", "- ", "? ", "a:\n", "'", "\"", "- [", "x [", "[a: "] {
        let text = opening.repeat(MAX_BYTES / opening.len());
        assert!(parse(&text).is_err(), "{opening}");
        assert!(parse(&format!("version: 1\npaths: x\n  {}", &text[..MAX_BYTES - 40])).is_err(), "{opening}");
    }
    let many = format!("version: 1\npaths: {{tests: [{}]}}", "a,".repeat(2000));
    assert!(parse(&many).unwrap_err().message.contains("at most 1000"));
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

#[test]
fn bytes_that_are_not_text_are_refused() {
    let error = Policy::parse_bytes(b"version: 1\n# \xff", RULES).unwrap_err();
    assert_eq!((error.line, error.column), (2, 3));
    assert!(Policy::parse_bytes(b"version: 1", RULES).is_ok());
}

proptest! {
    #[test]
    fn no_input_panics(text in any::<String>()) {
        let _ = parse(&text);
    }

    #[test]
    fn no_mixture_of_yaml_panics(parts in prop::collection::vec(prop::sample::select(PARTS), 0..40)) {
        let text = parts.concat();
        if let Err(error) = parse(&text) {
            prop_assert!(error.line >= 1 && error.column >= 1);
            prop_assert!(!error.message.is_empty() && !error.message.contains("refused"));
        }
    }
}

const PARTS: &[&str] = &[
    "version",
    "profile",
    "paths",
    "rules",
    "suites",
    "proof",
    "feedback",
    "waivers",
    "patterns",
    "name: a",
    "command: b",
    "environment",
    "max_attempts",
    "link",
    "true",
    "tests",
    "strict",
    "test-skipped",
    "warn",
    ": ",
    ":",
    "1",
    "\n",
    "\n  ",
    "\n- ",
    " ",
    "[",
    "]",
    "{",
    "}",
    ", ",
    "\"",
    "'",
    "#",
    " # ",
    "*",
    "&a ",
    "*a",
    "!",
    "|",
    ">",
    "---",
    "...",
    "\t",
    "\r\n",
    "? ",
    "\\",
    "\u{feff}",
    "\u{0}",
    "é",
    "<<",
    "%",
    "@",
    "~",
    "\u{85}",
    "\u{2028}",
];
