//! Suites that a change takes away, and changes that only look like it.

use super::*;
use crate::policy::{Required, SuiteSetting};

fn gone(before: &Files, after: &Files, paths: &[&str]) -> Vec<String> {
    gone_by_policy(&Policy::default(), before, &Policy::default(), after, paths)
}

fn gone_by_policy(
    policy: &Policy,
    before: &Files,
    then: &Policy,
    after: &Files,
    paths: &[&str],
) -> Vec<String> {
    let gone = super::super::vanished(&Finder::new(policy, before), &Finder::new(then, after), paths);
    gone.into_iter().map(|suite| suite.name).collect()
}

fn policy(suites: &[(&str, &str)]) -> Policy {
    let setting = |&(name, path): &(&str, &str)| SuiteSetting {
        name: name.into(),
        paths: vec![path.into()],
        command: "make test".into(),
        framework: None,
        timeout_seconds: 60,
        required: Required::Commit,
        working_directory: String::new(),
        environment: BTreeMap::new(),
        fail_fast: false,
    };
    Policy { suites: Some(suites.iter().map(setting).collect()), ..Policy::default() }
}

fn web() -> Files {
    Files::of(&[
        ("web/package.json", r#"{"scripts": {"test": "jest"}}"#),
        ("web/src/a.ts", ""),
        ("api/setup.cfg", "[tool:pytest]"),
        ("api/app.py", ""),
        ("api/tests/test_a.py", "def test_a(): pass"),
    ])
}

#[test]
fn fires_when_the_test_script_runs_nothing_any_more() {
    for script in
        ["{}", r#"{"scripts": {"test": "echo ok"}}"#, r#"{"scripts": {"test": "exit 0"}}"#, "no json"]
    {
        let after = web().with("web/package.json", script);
        assert_eq!(gone(&web(), &after, &["web/package.json"]), ["web:node"], "{script}");
    }
}

#[test]
fn fires_when_the_manifest_goes_and_the_code_stays() {
    let after = web().without("web/package.json");
    assert_eq!(gone(&web(), &after, &["web/package.json", "web/src/a.ts"]), ["web:node"]);
    let go = Files::of(&[("go.mod", "module a"), ("a.go", ""), ("a_test.go", "")]);
    assert_eq!(gone(&go, &go.clone().without("go.mod"), &["go.mod"]), ["go"]);
}

#[test]
fn fires_when_the_suite_further_up_only_tells_an_exit_code() {
    let root = r#"{"scripts": {"test": "turbo run test"}}"#;
    let before = web().with("package.json", root);
    let after = before.clone().with("web/package.json", "{}");
    assert_eq!(gone(&before, &after, &["web/package.json"]), ["web:node"]);
    let named = before.with("package.json", r#"{"scripts": {"test": "jest"}}"#);
    assert_eq!(gone(&named, &named.clone().with("web/package.json", "{}"), &["web/package.json"]), [""; 0]);
}

#[test]
fn quiet_when_a_component_goes_as_a_whole_or_moves() {
    let after = web().without("web/");
    assert_eq!(gone(&web(), &after, &["web/package.json", "web/src/a.ts"]), [""; 0]);
    let moved = after.with("site/package.json", r#"{"scripts": {"test": "jest"}}"#).with("site/src/a.ts", "");
    assert_eq!(gone(&web(), &moved, &["web/package.json", "site/package.json"]), [""; 0]);
    let note = web().without("web/").with("web/README.md", "moved");
    assert_eq!(gone(&web(), &note, &["web/package.json", "web/src/a.ts"]), [""; 0]);
}

#[test]
fn quiet_when_settings_move_or_the_runner_changes() {
    let after = web().without("api/setup.cfg").with("api/pyproject.toml", "[tool.pytest.ini_options]");
    assert_eq!(gone(&web(), &after, &["api/setup.cfg", "api/pyproject.toml"]), [""; 0]);
    let up = web().without("api/setup.cfg").with("pytest.ini", "");
    assert_eq!(gone(&web(), &up, &["api/setup.cfg", "pytest.ini"]), [""; 0]);
    let vitest = web().with("web/package.json", r#"{"scripts": {"test": "vitest run"}}"#);
    assert_eq!(gone(&web(), &vitest, &["web/package.json"]), [""; 0]);
    let maven = Files::of(&[("pom.xml", ""), ("src/test/java/ATest.java", "")]);
    let gradle = maven.clone().without("pom.xml").with("build.gradle", "");
    assert_eq!(gone(&maven, &gradle, &["pom.xml", "build.gradle"]), [""; 0]);
}

#[test]
fn quiet_when_the_policy_takes_the_files_over() {
    let after = policy(&[("web", "web/**")]);
    let changed = web().with("web/package.json", "{}");
    let found = Policy::default();
    assert_eq!(gone_by_policy(&found, &web(), &after, &changed, &["web/package.json"]), [""; 0]);
    let elsewhere = policy(&[("api", "api/**")]);
    assert_eq!(gone_by_policy(&found, &web(), &elsewhere, &changed, &["web/package.json"]), ["web:node"]);
}

#[test]
fn a_suite_of_the_policy_is_missed_only_if_no_other_has_its_files() {
    let before = policy(&[("unit", "web/**"), ("api", "api/**")]);
    let renamed = policy(&[("browser", "web/**"), ("api", "api/**")]);
    let removed = policy(&[("api", "api/**")]);
    let paths = ["web/src/a.ts"];
    assert_eq!(gone_by_policy(&before, &web(), &renamed, &web(), &paths), [""; 0]);
    assert_eq!(gone_by_policy(&before, &web(), &removed, &web(), &paths), ["unit"]);
    assert_eq!(gone_by_policy(&before, &web(), &removed, &web().without("web/"), &paths), [""; 0]);
}

#[test]
fn suites_of_the_policy_are_told_by_their_globs() {
    let policy = policy(&[("one", "web/"), ("two", "*.py")]);
    let files = web();
    let finder = Finder::new(&policy, &files);
    let names = |paths: &[&str]| -> Vec<String> {
        finder.touched(paths).into_iter().map(|suite| suite.name).collect()
    };
    assert_eq!(names(&["web/a/b.ts"]), ["one"]);
    assert_eq!(names(&["x/y.py", "web/z"]), ["one", "two"]);
    assert_eq!(names(&["Makefile"]), [""; 0]);
    assert_eq!(finder.all(&[]).len(), 2);
}
