//! Edits of policy files: what changes, what stays, what is refused.

use proptest::prelude::*;

use super::*;
use crate::policy::{FeedbackKey, PathList, ProofKey};

const RULES: &[&str] = &["test-removed", "test-skipped"];

#[track_caller]
fn try_set(text: &str, key: &str, value: &str) -> Result<String, EditError> {
    let key = Key::parse(key, RULES).unwrap();
    edit(text, &key, Some(&key.read(value).unwrap()), RULES)
}

#[track_caller]
fn set(text: &str, key: &str, value: &str) -> String {
    try_set(text, key, value).unwrap()
}

#[track_caller]
fn unset(text: &str, key: &str) -> String {
    edit(text, &Key::parse(key, RULES).unwrap(), None, RULES).unwrap()
}

#[test]
fn a_value_is_replaced_and_its_comment_stays() {
    let text = "# head\nversion: 1\n\nprofile:   strict   # since March\n# tail\n";
    assert_eq!(set(text, "profile", "advisory"), text.replace("strict", "advisory"));
    assert_eq!(
        set("version: 1\nprofile: 'strict'", "profile", "standard"),
        "version: 1\nprofile: 'standard'"
    );
    assert_eq!(
        set("version: 1\nprofile: \"strict\"#x", "profile", "strict"),
        "version: 1\nprofile: \"strict\"#x"
    );
}

#[test]
fn a_new_profile_stands_below_the_version() {
    assert_eq!(set(NEW_FILE, "profile", "strict"), format!("{NEW_FILE}profile: strict\n"));
    assert_eq!(
        set("version: 1 # one\nrules:\n  test-skipped: log\n", "profile", "strict"),
        "version: 1 # one\nprofile: strict\nrules:\n  test-skipped: log\n"
    );
    assert_eq!(set("version: 1", "profile", "strict"), "version: 1\nprofile: strict");
    assert_eq!(set("{version: 1}\n", "profile", "strict"), "{version: 1, profile: strict}\n");
    assert_eq!(set("{ version: 1 }", "profile", "strict"), "{ version: 1, profile: strict }");
    assert_eq!(
        set("\u{feff}version: 1\r\n", "profile", "strict"),
        "\u{feff}version: 1\r\nprofile: strict\r\n"
    );
}

#[test]
fn a_rule_joins_the_others_in_their_style() {
    let block = "version: 1\nrules:\n    # first\n    test-removed: warn # so\n    # last\nprofile: strict\n";
    assert_eq!(
        set(block, "rules.test-skipped", "off"),
        block.replace("# so\n", "# so\n    test-skipped: off\n")
    );
    assert_eq!(
        set("version: 1\nrules: {test-removed: warn} # so\n", "rules.test-skipped", "off"),
        "version: 1\nrules: {test-removed: warn, test-skipped: off} # so\n"
    );
    assert_eq!(
        set("version: 1\nrules: {\n  test-removed: warn # so\n}\n", "rules.test-skipped", "off"),
        "version: 1\nrules: {\n  test-removed: warn, # so\n  test-skipped: off\n}\n"
    );
    assert_eq!(
        set("version: 1\nrules: {\n  test-removed: warn, # so\n}\n", "rules.test-skipped", "off"),
        "version: 1\nrules: {\n  test-removed: warn, # so\n  test-skipped: off,\n}\n"
    );
    assert_eq!(
        set("version: 1\nrules: {}\n", "rules.test-skipped", "off"),
        "version: 1\nrules: {test-skipped: off}\n"
    );
    assert_eq!(
        set("version: 1\r\nrules: # none\r\n", "rules.test-skipped", "off"),
        "version: 1\r\nrules: # none\r\n  test-skipped: off\r\n"
    );
}

#[test]
fn a_first_rule_brings_its_heading() {
    assert_eq!(
        set("version: 1\n# rules:\n#   a: b\n", "rules.test-skipped", "off"),
        "version: 1\n# rules:\n#   a: b\nrules:\n  test-skipped: off\n"
    );
    assert_eq!(
        set("{\"version\":1}", "rules.test-skipped", "off"),
        "{\"version\":1, rules: {test-skipped: off}}"
    );
}

#[test]
fn lists_change_item_by_item() {
    let block = "version: 1\npaths:\n  tests:\n  - 'a/**' # the a\n  # about b\n  - b\n  ignored: [x]\n";
    assert_eq!(set(block, "paths.tests", "a/**,b,*.c"), block.replace("  - b\n", "  - b\n  - '*.c'\n"));
    assert_eq!(set(block, "paths.tests", "a/**"), block.replace("  - b\n", ""));
    assert_eq!(
        set(block, "paths.tests", "[]"),
        "version: 1\npaths:\n  tests: []\n  # about b\n  ignored: [x]\n"
    );
    assert_eq!(set(block, "paths.ignored", "x, *.y"), block.replace("[x]", "[x, \"*.y\"]"));
    assert_eq!(set(block, "paths.ignored", "z"), block.replace("[x]", "[z]"));
    let flow = "version: 1\npaths: {tests: [\n  'a', # the a\n  'b'\n]}\n";
    assert_eq!(set(flow, "paths.tests", "b"), "version: 1\npaths: {tests: [\n  'b'\n]}\n");
    assert_eq!(
        set(flow, "paths.tests", "a,b,c"),
        "version: 1\npaths: {tests: [\n  'a', # the a\n  'b',\n  'c'\n]}\n"
    );
    assert_eq!(set(flow, "paths.tests", "[]"), "version: 1\npaths: {tests: [\n]}\n");
}

#[test]
fn a_new_list_is_written_in_brackets() {
    assert_eq!(
        set("version: 1\n", "paths.vendored", "third/**,*.x"),
        "version: 1\npaths:\n  vendored: [\"third/**\", \"*.x\"]\n"
    );
    assert_eq!(
        set("version: 1\npaths: {tests: []}\n", "paths.tests", "a"),
        "version: 1\npaths: {tests: [\"a\"]}\n"
    );
    assert_eq!(
        set("version: 1\npaths:\n  tests:\n", "paths.tests", "it's \"a\""),
        "version: 1\npaths:\n  tests: [\"it's \\\"a\\\"\"]\n"
    );
}

#[test]
fn a_setting_is_taken_out_and_nothing_else() {
    let text = "version: 1\nprofile: strict # so\nrules:\n  test-removed: warn\n  # about skips\n  test-skipped: off\n";
    assert_eq!(unset(text, "profile"), text.replace("profile: strict # so\n", ""));
    assert_eq!(unset(text, "rules.test-skipped"), text.replace("  test-skipped: off\n", ""));
    assert_eq!(unset(text, "paths.tests"), text);
    assert_eq!(unset("version: 1\nrules:\n  test-skipped: off\n", "rules.test-skipped"), "version: 1\n");
    assert_eq!(
        unset("version: 1\nrules: # mine\n  test-skipped: off\n", "rules.test-skipped"),
        "version: 1\nrules: # mine\n"
    );
    let flow = "version: 1\nrules: {test-removed: warn, test-skipped: off} # x\n";
    assert_eq!(unset(flow, "rules.test-skipped"), "version: 1\nrules: {test-removed: warn} # x\n");
    assert_eq!(unset(flow, "rules.test-removed"), "version: 1\nrules: {test-skipped: off} # x\n");
    assert_eq!(unset("{version: 1, profile: strict}", "profile"), "{version: 1}");
    assert_eq!(unset("version: 1\npaths:\n  tests:\n  - a\n  - b\n", "paths.tests"), "version: 1\n");
}

const SUITES: &str = "\
version: 1
suites: # ours
  # fast
  - name: unit # first
    paths: [\"src/**\"]
    command: make test

    environment:
      A: b # c
  - { name: slow, paths: [a], command: make slow,
      required: ci }
# after
proof: { on_missing: run, link: [node_modules] } # so
";

#[test]
fn suites_stay_as_they_are_while_settings_around_them_change() {
    let flush =
        SUITES.replace("  - ", "- ").replace("    paths", "  paths").replace("    command", "  command");
    let flush = flush.replace("    environment", "  environment");
    let flow = "version: 1\nsuites: [{name: a, paths: [b], command: c}, {name: d, paths: [e], command: f}]\n\
                proof: { on_missing: run, link: [node_modules] } # so\n";
    for text in [SUITES, &SUITES.replace('\n', "\r\n"), &flush, flow] {
        assert_eq!(
            set(text, "proof.on_missing", "warn"),
            text.replace("on_missing: run", "on_missing: warn")
        );
        assert_eq!(
            set(text, "proof.link", "node_modules,a/.venv"),
            text.replace("[node_modules]", "[node_modules, a/.venv]")
        );
        assert_eq!(unset(text, "proof.link"), text.replace(", link: [node_modules]", ""));
        let ends = if text.contains('\r') { "\r\n" } else { "\n" };
        let strict = format!("version: 1{ends}profile: strict{ends}");
        assert_eq!(set(text, "profile", "strict"), text.replace(&format!("version: 1{ends}"), &strict));
        let added = format!("{text}feedback:{ends}  max_attempts: 5{ends}");
        assert_eq!(set(text, "feedback.max_attempts", "5"), added);
        assert_eq!(unset(&added, "feedback.max_attempts"), text);
    }
}

#[test]
fn numbers_and_flags_are_written_without_quotes() {
    let text = "version: 1\nfeedback:\n  max_attempts: 3 # few\n  abort_on_regression: true\n  require_analysis: 'off'\n";
    assert_eq!(set(text, "feedback.max_attempts", "10"), text.replace(": 3 ", ": 10 "));
    assert_eq!(set(text, "feedback.abort_on_regression", "false"), text.replace("true", "false"));
    assert_eq!(set(text, "feedback.require_analysis", "block"), text.replace("'off'", "'block'"));
    assert_eq!(
        set("version: 1\nfeedback: {}\n", "feedback.max_attempts", "2"),
        "version: 1\nfeedback: {max_attempts: 2}\n"
    );
    assert_eq!(
        set("version: 1\nfeedback:\n  max_attempts: 0x5\n", "feedback.max_attempts", "6"),
        "version: 1\nfeedback:\n  max_attempts: 6\n"
    );
}

#[test]
fn links_are_written_in_every_style() {
    assert_eq!(
        set("version: 1\n", "proof.link", "node_modules,.venv"),
        "version: 1\nproof:\n  link: [\"node_modules\", \".venv\"]\n"
    );
    let block = "version: 1\nproof:\n  link:\n    - node_modules # js\n    - .venv\n  equivalence: exact\n";
    assert_eq!(
        set(block, "proof.link", "node_modules,.venv,target"),
        block.replace("- .venv\n", "- .venv\n    - target\n")
    );
    assert_eq!(set(block, "proof.link", ".venv"), block.replace("    - node_modules # js\n", ""));
}

#[test]
fn edits_that_cannot_be_done_cleanly_are_refused() {
    for text in [
        "version: 1\nprofile:\n  strict\n",
        "\"version\": 1\nrules:\n  \"test-sk\\x69pped\": warn\n",
        "version: 1\nrules:\n  ? test-skipped\n  : warn\n",
    ] {
        assert!(PolicyFile::parse(text, RULES).is_ok(), "{text}");
        let key = if text.contains("profile") { "profile" } else { "rules.test-skipped" };
        let value = if text.contains("profile") { "advisory" } else { "off" };
        let error = try_set(text, key, value).unwrap_err();
        assert!(matches!(error, EditError::ByHand(_)), "{error}");
        assert!(error.to_string().contains("by hand"));
    }
}

#[test]
fn a_file_that_cannot_be_read_is_not_edited() {
    let error = try_set("version: 1\nprofil: x\n", "profile", "strict").unwrap_err();
    assert_eq!(error.to_string(), "aiwg-gate.yaml:2:1: unknown key `profil`: did you mean `profile`?");
}

fn comments(text: &str) -> Vec<String> {
    let mut found: Vec<String> =
        text.lines().filter_map(|line| line.split_once('#')).map(|(_, c)| c.into()).collect();
    found.sort();
    found
}

const VERSIONS: &[&str] = &["version: 1\n", "---\nversion: 1 #v\n\n", "#h\n\"version\": 1\n"];
const PROFILES: &[&str] = &["", "profile: strict #p\n", "'profile' : \"advisory\"\n", "# profile: x\n"];
const PATHS: &[&str] = &[
    "",
    "paths:\n",
    "paths: { tests: [a, 'b c'], ignored: [] } #q\n",
    "paths:\n  tests:\n    - a #a\n    #m\n    - \"*.b\"\n  #z\n",
    "paths:\n    tests: [\n      a,\n      # n\n      b ]\n    vendored:\n    - v\n",
];
const SUITE_PARTS: &[&str] = &[
    "",
    "suites: [] #s\n",
    "suites:\n- name: a #n\n  paths: [b]\n  command: c\n",
    "suites:\n  #s\n  - {name: a, paths: [b], command: c}\n\n  - name: d\n    command: e\n    paths:\n    - f #f\n",
    "suites: [{name: a, paths: [b],\n  command: c}] #s\nproof: {link: [x]}\n",
    "feedback:\n  max_attempts: 3 #m\n",
];
const RULE_PARTS: &[&str] = &[
    "",
    "rules:\n#r\n",
    "rules: {test-skipped: warn}\n",
    "rules:\n  test-removed: off #t\n\n  #u\n  test-skipped: 'log'\n",
    "rules: {\n  test-removed: block, #t\n  test-skipped: warn #w\n}\n",
];

proptest! {
    /// Setting a value keeps every comment, can be read back, and is refused or done completely.
    #[test]
    fn files_in_usual_styles_can_be_edited(
        parts in (
            prop::sample::select(VERSIONS), prop::sample::select(PROFILES),
            prop::sample::select(PATHS), prop::sample::select(RULE_PARTS), prop::sample::select(SUITE_PARTS),
        ),
        windows in any::<bool>(),
        swapped in any::<bool>(),
        change in 0..12_usize,
    ) {
        let (version, profile, paths, rules, suites) = parts;
        let tail = if swapped { [rules, suites, paths, profile] } else { [profile, paths, rules, suites] };
        let text = format!("{version}{}", tail.concat());
        let text = if windows { text.replace('\n', "\r\n") } else { text };
        let globs = |list: &[&str]| Setting::List(list.iter().map(|glob| (*glob).to_owned()).collect());
        let tests = Key::Paths(PathList::Tests);
        let skipped = Key::Rule("test-skipped".into());
        let (key, value) = match change {
            0 => (Key::Profile, Some(Setting::Word("standard"))),
            1 => (Key::Profile, None),
            2 => (skipped, Some(Setting::Word("block"))),
            3 => (skipped, None),
            4 => (tests, Some(globs(&["a", "new/**"]))),
            5 => (tests, Some(globs(&[]))),
            6 => (tests, None),
            7 => (Key::Feedback(FeedbackKey::MaxAttempts), Some(Setting::Number(4))),
            8 => (Key::Feedback(FeedbackKey::AbortOnRegression), Some(Setting::Flag(false))),
            9 => (Key::Proof(ProofKey::OnMissing), Some(Setting::Word("run"))),
            10 => (Key::Proof(ProofKey::Link), Some(globs(&["x", "y"]))),
            _ => (Key::Paths(PathList::Vendored), Some(globs(&["v", "w"]))),
        };
        let edited = edit(&text, &key, value.as_ref(), RULES);
        prop_assert!(edited.is_ok(), "{text}\n{key} {value:?}\n{edited:?}");
        let edited = edited.unwrap();
        if matches!(change, 0 | 2 | 7..) {
            prop_assert_eq!(comments(&text), comments(&edited));
        }
        prop_assert_eq!(windows && !edited.replace("\r\n", "").is_empty(), edited.contains('\r'));
        prop_assert!(!windows || !edited.replace("\r\n", "").contains('\n'), "{edited:?}");
    }

    #[test]
    fn no_input_panics(text in any::<String>()) {
        let _ = layout::document(&text);
        let _ = try_set(&format!("version: 1\n{text}"), "rules.test-skipped", "off");
    }

    #[test]
    fn no_mixture_of_yaml_panics(parts in prop::collection::vec(prop::sample::select(PARTS), 0..30)) {
        let text = format!("version: 1\n{}", parts.concat());
        let _ = layout::document(&parts.concat());
        for (key, value) in [("profile", "strict"), ("rules.test-skipped", "off"), ("paths.tests", "a,b"), ("feedback.max_attempts", "4")] {
            let key = Key::parse(key, RULES).unwrap();
            let _ = rewrite(&text, &key, None, Some(&key.read(value).unwrap()));
            let _ = rewrite(&text, &key, None, None);
            let old = Setting::List(vec!["x".into(), "a".into()]);
            let _ = rewrite(&text, &key, Some(&old), Some(&key.read(value).unwrap()));
        }
    }
}

const PARTS: &[&str] = &[
    "profile",
    "paths",
    "rules",
    "tests",
    "test-skipped",
    ": ",
    ":",
    "x",
    "\n",
    "\n  ",
    "\n- ",
    "\n    ",
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
    "---",
    "...",
    "\t",
    "\r\n",
    "? ",
    "\\",
    "\u{feff}",
    "é",
];

#[test]
fn a_quoted_key_over_several_lines_is_no_layout() {
    let rules = ["test-removed"];
    let key = Key::parse("profile", &rules).expect("a key");
    assert!(edit("\"\\\nx\": 1\n", &key, None, &rules).is_err());
}
