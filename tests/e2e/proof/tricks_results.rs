//! Results that look like a whole run and are none.

use std::process::{Command, Stdio};

use super::project::{Proving, TESTS, project};
use crate::repo::{GATE, Repo, outcome};

const ALL: [&str; 8] = ["python3", "-m", "unittest", "discover", "-s", "tests", "-t", "."];

#[test]
fn the_output_of_an_earlier_run_is_weak() {
    let Some(repo) = project() else { return };
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("old.log");
    let ran = outcome(repo.command("python3").args(&ALL[1..]).arg("-v"));
    std::fs::write(&log, ran.both()).unwrap();
    repo.edit();
    let told = repo.gate_proving(&["run", "--", "cat", log.to_str().unwrap()]).passes();
    told.says("proof: weak").says("the command is none that is known to run tests");
    repo.add();
    assert_eq!(repo.status(), "weak");
}

#[test]
fn a_script_that_runs_everything_is_no_proof_but_the_suite_is() {
    let Some(repo) = project() else { return };
    repo.write("check.sh", format!("{} -v\n", ALL.join(" ")));
    repo.commit("Add a script");
    repo.edit();
    repo.gate_proving(&["run", "--", "sh", "check.sh"]).passes().says("proof: weak");
    repo.gate_proving(&["run"]).passes();
    repo.add();
    assert_eq!(repo.status(), "valid");
}

#[test]
fn a_run_without_asserts_is_weak() {
    let Some(repo) = project() else { return };
    repo.edit();
    let mut command = vec!["run", "--", "python3", "-O"];
    command.extend(&ALL[1..]);
    repo.gate_proving(&command).passes().says("`-O` in the command makes Python leave out every assert");
    repo.add();
    assert_eq!(repo.status(), "weak");
}

#[test]
fn no_variable_takes_asserts_away() {
    let Some(repo) = project() else { return };
    repo.write(
        "tests/test_cart.py",
        TESTS.replace("self.assertEqual(total([]), 0)", "assert total([]) == 1"),
    );
    repo.commit("Expect too much");
    repo.edit();
    outcome(repo.command(GATE).arg("run").env("PYTHONOPTIMIZE", "1")).blocks().says("AssertionError");
}

const NODE_TESTS: &str = "\
const test = require('node:test');
const assert = require('node:assert');
const { total } = require('./cart.js');
test('adds', () => assert.strictEqual(total([1, 2]), 3));
test('adds nothing', () => assert.strictEqual(total([]), 0));
test('counts here only', (t) => { if (process.env.NOWHERE !== 'x') t.skip('not here'); });
test.skip('is off', () => {});
";

fn node_project() -> Option<Repo> {
    let node = Command::new("node").arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).status();
    if !node.is_ok_and(|status| status.success()) {
        println!("skipped: node is not installed");
        return None;
    }
    let repo = Repo::new();
    repo.write("package.json", "{\"name\": \"cart\", \"scripts\": {\"test\": \"node --test\"}}\n");
    repo.write("cart.js", "exports.total = (prices) => prices.reduce((a, b) => a + b, 0);\n");
    repo.write("cart.test.js", NODE_TESTS);
    repo.commit("Add the cart");
    repo.write("cart.js", "exports.total = (prices) => prices.reduce((a, b) => b + a, 0);\n");
    Some(repo)
}

#[test]
fn a_pattern_of_names_leaves_tests_out() {
    let Some(repo) = node_project() else { return };
    let told = repo.gate_proving(&["run", "--", "node", "--test", "--test-name-pattern", "nothing"]).passes();
    told.says("proof: weak").says("cart.test.js::adds");
    repo.add();
    assert_eq!(repo.status(), "weak");
}

#[test]
fn a_test_that_skips_itself_is_accounted_for() {
    let Some(repo) = node_project() else { return };
    repo.gate_proving(&["run"]).passes();
    repo.add();
    assert_eq!(repo.status(), "valid");
}

#[test]
fn an_id_that_is_none_is_refused_before_anything_runs() {
    let Some(repo) = project() else { return };
    repo.edit();
    let told = repo.gate_proving(&["run", "--session", "../x"]).errs("`../x` is not a session id");
    assert!(!told.both().contains("test_total"), "{}", told.both());
}

#[test]
fn a_record_that_comes_with_the_commits_is_no_proof() {
    let Some(repo) = project() else { return };
    repo.edit();
    repo.gate_proving(&["run"]).passes();
    repo.add();
    assert_eq!(repo.status(), "valid");
    repo.git(&["reset", "--quiet", "--hard"]);
    repo.git(&["add", "--force", ".aiwg"]);
    repo.commit("Bring records along");
    repo.edit();
    repo.add();
    assert_eq!(repo.status(), "missing");
}

#[test]
fn no_argument_is_a_command_to_a_build_server() {
    let Some(repo) = project() else { return };
    let told = repo.gate_proving(&["check", "--commit", "x\n::error::y"]);
    assert!(told.both().lines().all(|line| !line.starts_with("::")), "{}", told.both());
}
