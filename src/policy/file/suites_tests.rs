//! Reading suites: what is accepted, and where and how the rest is refused.

use crate::policy::{Framework, Policy, Required, SuiteSetting};

fn parse(suites: &str) -> Result<Vec<SuiteSetting>, String> {
    let policy = Policy::parse(&format!("version: 1\nsuites:{suites}\n"), &[]);
    policy.map(|policy| policy.suites.expect("suites")).map_err(|error| error.to_string())
}

#[track_caller]
fn refused(suites: &str, message: &str) {
    assert_eq!(parse(suites).expect_err(suites), format!("aiwg-gate.yaml:{message}"));
}

/// One suite with further keys, the first of them in line 6 from column 5 on.
fn unit(further: &str) -> String {
    format!("\n  - name: unit\n    paths: [\"src/**\"]\n    command: make test\n    {further}")
}

fn only(suites: &str) -> SuiteSetting {
    let mut suites = parse(suites).unwrap();
    assert_eq!(suites.len(), 1);
    suites.remove(0)
}

#[track_caller]
fn refused_key(further: &str, column: usize, words: &str) {
    let error = parse(&unit(further)).expect_err(further);
    assert!(error.starts_with(&format!("aiwg-gate.yaml:6:{column}: ")), "{error}");
    assert!(error.contains(words), "{error}");
}

#[test]
fn every_key_is_read() {
    let text = "\n  - { name: unit, paths: [\"src/**\", tests/], command: cargo test --locked, framework: cargo_test,\n      \
                timeout_seconds: 900, required: push, working_directory: ./crates/a/, fail_fast: true,\n      \
                environment: { RUST_LOG: info, N: 010, V: 1.10, ON: yes, B: true, EMPTY: \"\" } }";
    let suite = only(text);
    assert_eq!((suite.name.as_str(), suite.command.as_str()), ("unit", "cargo test --locked"));
    assert_eq!(suite.paths, ["src/**", "tests/"]);
    assert_eq!((suite.framework, suite.required), (Some(Framework::CargoTest), Required::Push));
    assert_eq!((suite.timeout_seconds, suite.fail_fast), (900, true));
    assert_eq!(suite.working_directory, "crates/a");
    let variables: Vec<String> =
        suite.environment.iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(variables, ["B=true", "EMPTY=", "N=010", "ON=yes", "RUST_LOG=info", "V=1.10"]);
}

#[test]
fn what_is_left_out_has_a_default() {
    let suite = only(&unit(""));
    assert_eq!((suite.timeout_seconds, suite.required, suite.framework), (120, Required::Commit, None));
    assert_eq!((suite.working_directory.as_str(), suite.fail_fast), ("", false));
    assert!(suite.environment.is_empty());
}

#[test]
fn no_suites_and_none_stated_are_two_things() {
    assert_eq!(parse(" []"), Ok(vec![]));
    assert_eq!(Policy::parse("version: 1\n", &[]).unwrap().suites, None);
    refused("", "2:8: the suites are missing: list them, write [] for none, or leave the key out");
}

#[test]
fn every_framework_and_place_has_a_name_that_reads_back() {
    for framework in Framework::ALL {
        assert_eq!(only(&unit(&format!("framework: {}", framework.name()))).framework, Some(framework));
    }
    for required in Required::ALL {
        assert_eq!(only(&unit(&format!("required: {}", required.name()))).required, required);
    }
}

#[test]
fn a_suite_needs_name_command_and_paths() {
    refused("\n  - command: x", "3:5: a suite needs a name: add `name: unit` or the like");
    refused("\n  -", "3:4: a suite needs a name: add `name: unit` or the like");
    refused(
        "\n  - {name: a, paths: [b]}",
        "3:5: the suite `a` needs a command: add `command:` with what you type to run it",
    );
    for paths in ["", ", paths: []", ", paths: "] {
        let error = parse(&format!("\n  - {{name: a, command: b{paths}}}")).unwrap_err();
        assert!(error.contains(":3:5: the suite `a` needs paths"), "{error}");
    }
}

#[test]
fn names_are_unique_and_safe() {
    refused(
        "\n  - {name: a, command: x, paths: [b]}\n  - {name: a, command: y, paths: [c]}",
        "4:12: a suite `a` stands above already: give this one another name",
    );
    for (name, words) in [
        ("-x", "reads like an option"),
        ("\"a\\nb\"", "control characters"),
        ("\"\\e[31m\"", "control characters"),
        ("' a'", "space around"),
        ("''", "a value is missing"),
        (&"x".repeat(101), "100 is the limit"),
        ("[a]", "a name"),
    ] {
        let error = parse(&format!("\n  - {{name: {name}, command: x, paths: [b]}}")).expect_err(name);
        assert!(error.starts_with("aiwg-gate.yaml:3:12: ") && error.contains(words), "{error}");
    }
    assert_eq!(
        only(&format!(" [{{name: {}, command: x, paths: [b]}}]", "é".repeat(100))).name.chars().count(),
        100
    );
}

#[test]
fn commands_are_one_line_with_something_in_it() {
    for (command, words) in
        [("\"  \"", "empty"), ("\"a\\nb\"", "one line"), ("\"a\\0\"", "one line"), ("", "a value is missing")]
    {
        let error =
            parse(&format!("\n  - name: a\n    paths: [b]\n    command: {command}")).expect_err(command);
        assert!(error.starts_with("aiwg-gate.yaml:5:") && error.contains(words), "{error}");
    }
    let piped = only(
        "\n  - name: a\n    paths: [b]\n    command: set -o pipefail; a \"$X\" | tee out > log & wait # why",
    );
    assert_eq!(piped.command, "set -o pipefail; a \"$X\" | tee out > log & wait");
}

#[test]
fn wrong_keys_and_values_are_refused_with_their_place() {
    refused_key("timeout: 5", 5, "unknown key of a suite `timeout`");
    refused_key("timeout-seconds: 5", 5, "did you mean `timeout_seconds`?");
    refused_key("name: other", 5, "the key of a suite `name` is given twice");
    refused_key("framework: pytst", 16, "`pytst` is no framework: did you mean `pytest`?");
    refused_key("framework: rspec", 16, "write pytest, unittest, jest");
    refused_key("required: always", 15, "commit, push or ci");
    refused_key("fail_fast: yes", 16, "true or false");
    refused_key("fail_fast: \"true\"", 16, "true or false");
    refused_key("paths2: []", 5, "unknown key of a suite");
}

#[test]
fn time_limits_are_whole_numbers_within_a_day() {
    for seconds in [5, 600, 86_400] {
        assert_eq!(only(&unit(&format!("timeout_seconds: {seconds}"))).timeout_seconds, seconds);
    }
    for (seconds, words) in [
        ("4", "write 5 to 86400"),
        ("86401", "write 5 to 86400"),
        ("-1", "a whole number from 5 to 86400"),
        ("60.0", "a whole number"),
        ("'60'", "a whole number"),
        ("1m", "a whole number"),
        ("99999999999999999999999", "a whole number"),
        ("", "a whole number"),
    ] {
        let error = parse(&unit(&format!("timeout_seconds: {seconds}"))).expect_err(seconds);
        assert!(error.starts_with("aiwg-gate.yaml:6:") && error.contains(words), "{error}");
    }
}

#[test]
fn folders_and_variables_stay_within_bounds() {
    refused_key("working_directory: ../x", 24, "leads upwards");
    refused_key("working_directory: /tmp", 24, "not below the repository");
    assert_eq!(only(&unit("working_directory: .")).working_directory, "");
    refused_key("environment: {GIT_DIR: x}", 19, "belongs to git");
    refused_key("environment: {git_dir: x}", 19, "belongs to git");
    refused_key("environment: {A-B: x}", 19, "is no name of a variable");
    refused_key("environment: {1A: x}", 19, "is no name of a variable");
    refused_key("environment: {A: x, A: y}", 25, "`A` is given twice");
    refused_key("environment: {A: \"\\0\"}", 22, "the character 0");
    refused_key("environment: {A: [b]}", 22, "the text of a variable");
    refused_key("environment: {A: ~}", 18, "the variable `A` has no value");
    refused_key("environment: [A=b]", 18, "variables by name");
    assert!(parse(&unit("environment: {A: }")).unwrap_err().contains("`A` has no value"));
}

#[test]
fn shapes_other_than_a_list_of_suites_are_refused() {
    refused_shape(" unit");
    refused_shape("\n  unit: {command: x}");
    refused_shape(" [unit]");
    refused_shape(" [[]]");
    let many = |count: usize| {
        let suites = (0..count).map(|at| format!("\n  - {{name: s{at}, command: x, paths: [a]}}"));
        parse(&suites.collect::<String>())
    };
    assert_eq!(many(100).unwrap().len(), 100);
    assert!(many(101).unwrap_err().contains("at most 100 suites"));
}

#[track_caller]
fn refused_shape(suites: &str) {
    let error = parse(suites).expect_err(suites);
    assert!(error.contains("{ name: unit"), "{error}");
}

#[test]
fn aliases_are_refused_in_suites_too() {
    let bomb = "\n  - &a {name: a, command: x, paths: [b]}\n  - *a";
    assert!(parse(bomb).unwrap_err().contains("anchor"));
    assert!(parse(&unit("environment: {<<: {A: b}}")).unwrap_err().contains("no name of a variable"));
}
