//! Formats, colours, exit codes: what scripts and people rely on.

use std::process::Stdio;

use serde_json::Value;

use crate::repo::{GATE, Repo, outcome};
use crate::suite::{FILE, skipped};

/// A repository with something to say on every level.
fn eventful() -> Repo {
    let repo = Repo::with_tests(&["one", "two", "three", "four"]);
    for number in 0..9 {
        repo.write(&format!("tests/test_{number}.py"), crate::suite::tests(&["x", "y"]));
    }
    repo.commit("More");
    repo.write(FILE, skipped(&["one", "two"]));
    for number in 0..9 {
        repo.remove(&format!("tests/test_{number}.py"));
    }
    repo.write("tests/test_broken.py", "def test_a(:\n  assert (\n");
    repo.add();
    repo
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let repo = eventful();
    let without_time = |text: String| -> String {
        text.lines().skip_while(|line| line.is_empty()).filter(|line| !line.contains("\"total\":")).collect()
    };
    for args in [
        &["check"][..],
        &["check", "--format", "json"],
        &["check", "-v", "--color", "always"],
        &["tests", "--format", "json"],
    ] {
        let first = without_time(repo.gate(args).stdout);
        for _ in 0..3 {
            assert_eq!(without_time(repo.gate(args).stdout), first, "{args:?}");
        }
    }
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn the_report_has_every_field_of_its_version() {
    let repo = eventful();
    let report = repo.gate_json(&["check"]);
    let top = [
        "change",
        "findings",
        "inconclusive",
        "metrics",
        "proofs",
        "timings_ms",
        "verdict",
        "version",
        "waivers",
    ];
    assert_eq!(keys(&report), top);
    assert_eq!((&report["version"], &report["verdict"]), (&1.into(), &"block".into()));
    assert_eq!(keys(&report["change"]), ["base", "files", "head", "kind"]);
    assert_eq!(keys(&report["metrics"]), ["after", "before", "delta"]);
    for side in ["after", "before", "delta"] {
        assert_eq!(keys(&report["metrics"][side]), ["assertions", "skipped", "tests"]);
    }
    assert_eq!(keys(&report["inconclusive"][0]), ["path", "reason"]);
    assert_eq!(keys(&report["timings_ms"]), ["total"]);
    let fields = [
        "action",
        "after",
        "before",
        "confidence",
        "evidence",
        "file",
        "fingerprint",
        "help",
        "line",
        "message",
        "pattern_id",
        "rule",
        "severity",
        "side",
        "symbol",
        "type",
    ];
    for finding in report["findings"].as_array().expect("a list") {
        assert_eq!(keys(finding), fields);
        assert!(["block", "warn", "log"].contains(&finding["action"].as_str().expect("text")));
        assert!(["before", "after"].contains(&finding["side"].as_str().expect("text")));
        assert!(finding["fingerprint"].as_str().is_some_and(|print| print.len() == 71));
    }
}

#[test]
fn the_exit_code_depends_on_the_verdict_alone() {
    let repo = eventful();
    repo.gate(&["check"]).blocks();
    repo.gate(&["check", "--format", "json"]).blocks();
    repo.gate(&["check", "-q"]).blocks();
    repo.gate(&["check", "--exit-zero"]).passes().says("blocked");
    repo.gate(&["check", "--exit-zero", "--commit", "nowhere"]).errs("there is no commit");
}

#[test]
fn quiet_and_verbose_say_less_and_more() {
    let repo = Repo::with_tests(&["one"]);
    assert_eq!(repo.gate(&["check", "-q"]).passes().both(), "");
    repo.gate(&["check"]).passes().says("aiwg-gate: pass");
    repo.write(FILE, "def test_one():\n    pass\n");
    repo.commit("Empty");
    repo.git(&["rm", "--quiet", FILE]);
    repo.gate(&["check"]).passes().never_says("noted").says("-v shows them");
    repo.gate(&["check", "-v"]).passes().says("noted[test-removed]");
    repo.gate(&["check", "-q", "-v"]).errs("cannot be used with");
}

#[test]
fn colour_is_for_terminals_unless_it_is_asked_for() {
    let repo = eventful();
    let run = |args: &[&str], variables: &[(&str, &str)]| {
        outcome(repo.command(GATE).arg("check").args(args).envs(variables.iter().copied())).stdout
    };
    assert!(!run(&[], &[]).contains('\x1b'));
    assert!(!run(&["--color", "never"], &[("CLICOLOR_FORCE", "1")]).contains('\x1b'));
    assert!(run(&["--color", "always"], &[]).contains('\x1b'));
    assert!(!run(&[], &[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")]).contains('\x1b'));
    assert!(!run(&["--color", "always", "--format", "json"], &[]).contains('\x1b'));
}

#[test]
fn a_reader_that_goes_away_is_no_accident() {
    let repo = eventful();
    for args in [
        &["check"][..],
        &["check", "--format", "json"],
        &["tests"],
        &["man"],
        &["completions", "bash"],
        &["explain", "test-removed"],
        &["--help"],
    ] {
        let mut child = repo
            .command(GATE)
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a process");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("an end");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(
            stderr.is_empty() && matches!(output.status.code(), Some(0 | 1)),
            "{args:?}: {:?} {stderr}",
            output.status
        );
    }
}

#[test]
fn every_rule_that_blocks_is_named_below_the_report() {
    let repo = Repo::with_tests(&["total", "tax", "ship"]);
    repo.write(FILE, skipped(&["total", "tax"]));
    repo.add();
    let told = repo.gate(&["check"]).blocks();
    for rule in ["test-removed", "test-skipped"] {
        assert!(told.stdout.contains(&format!("aiwg-gate explain {rule}\n")), "{}", told.stdout);
        assert!(told.stdout.contains(&format!("config set rules.{rule} warn")), "{}", told.stdout);
    }
}

#[test]
fn what_is_logged_is_offered_only_where_it_is_not_shown() {
    let repo = Repo::with_tests(&["total"]);
    repo.write("shop.py", "import os\n");
    repo.commit("Shop");
    repo.write("shop.py", "import os  # noqa\n");
    repo.add();
    repo.gate(&["check"]).passes().says("1 logged (-v shows them)");
    repo.gate(&["check", "-v"]).passes().says("1 logged\n").says("noted[suppression-added]");
}

#[test]
fn wrong_usage_is_an_error_of_its_own() {
    let repo = Repo::with_tests(&["one"]);
    repo.gate(&["check", "--nonsense"]).errs("--nonsense");
    repo.gate(&["nonsense"]).errs("nonsense");
    repo.gate(&["check", "HEAD"])
        .errs("unexpected argument")
        .says("tip: for a commit, write `check --commit HEAD`");
    repo.gate(&["check", "HEAD~1..HEAD"]).errs("write `check --range HEAD~1..HEAD`");
    repo.gate(&["check", "tests/"]).errs("`check` takes no paths");
    repo.gate(&["rules"]).errs("`aiwg-gate explain` lists the rules");
    repo.gate(&[]).errs("Usage");
    repo.gate(&["check", "--staged", "--worktree"]).errs("cannot be used with");
    repo.gate(&["check", "--format", "xml"]).errs("possible values");
    repo.gate(&["-C", "nowhere", "check"]).errs("there is no such directory");
    repo.gate(&["hook", "pre-commit", "--format", "json"]).errs("prints text only");
}

#[test]
fn outside_of_a_repository_the_error_helps() {
    let repo = Repo::new();
    let home = repo.root().join("home");
    for args in [&["check"][..], &["status"], &["tests"], &["install"]] {
        outcome(repo.command(GATE).current_dir(&home).args(args))
            .errs("is not a git repository")
            .says("-C DIR");
    }
    let nowhere = outcome(repo.command(GATE).arg("check").env("GIT_DIR", "nowhere.git"));
    nowhere.errs("is not a git repository");
}

#[test]
fn what_explains_and_completes_needs_no_repository() {
    let repo = Repo::new();
    let run = |args: &[&str]| outcome(repo.command(GATE).current_dir(repo.root().join("home")).args(args));
    run(&["explain", "test-removed"]).passes().says("Why it matters").says("LP-001");
    run(&["explain", "LP-001"]).passes().says("test-removed");
    run(&["explain", "no-such-rule"]).errs("no-such-rule");
    let list = run(&["explain"]).passes().stdout;
    let column = |line: &str| line.find("  block  ").or(line.find("  warn   ")).or(line.find("  log    "));
    assert!(list.starts_with("id      rule "), "{list}");
    let at = list.find("default").expect("a heading") - 2;
    assert!(list.lines().skip(1).all(|line| column(line) == Some(at)), "{list}");
    for shell in ["bash", "zsh", "fish"] {
        run(&["completions", shell]).passes().says("aiwg-gate").says("check");
    }
    run(&["man"]).passes().says(".TH");
    run(&["--version"]).passes().says(env!("CARGO_PKG_VERSION"));
    run(&["--help"]).passes().says("Exit codes: 0 pass");
}
