//! Runs that pass and prove nothing, and failures that are nobody's fault.

use super::project::{CART, Proving, TESTS, project};
use crate::repo::{GATE, outcome};

#[test]
fn a_command_that_leaves_tests_out_is_weak() {
    let Some(repo) = project() else { return };
    repo.edit();
    let one = ["run", "--", "python3", "-m", "unittest", "tests.test_cart.CartTest.test_count"];
    repo.gate_proving(&one).passes().says("proof: weak").says("1 of 3 tests ran");
    repo.add();
    let told = repo.gate_proving(&["check"]).blocks();
    told.says("suite python, weak").says("1 of 3 tests ran; tests/test_cart.py::CartTest::test_total");
}

#[test]
fn another_command_that_runs_everything_is_a_proof() {
    let Some(repo) = project() else { return };
    repo.edit();
    repo.gate_proving(&["run", "--", "python3", "-m", "unittest", "discover", "-s", "tests", "-t", "."])
        .passes();
    repo.add();
    assert_eq!(repo.status(), "valid");
}

#[test]
fn a_run_without_any_test_is_weak() {
    let Some(repo) = project() else { return };
    repo.write(
        "aiwg-gate.yaml",
        "version: 1\nsuites:\n  - { name: unit, command: python3 -m unittest -v tests, paths: ['**'] }\n",
    );
    repo.commit("Name a suite");
    repo.edit();
    repo.gate_proving(&["run"]).says("no test ran");
}

#[test]
fn a_hidden_exit_code_is_weak() {
    let Some(repo) = project() else { return };
    let policy = "version: 1\nsuites:\n  - name: unit\n    command: python3 -m unittest discover -v -s tests -t . || true\n    paths: ['**']\n";
    repo.write("aiwg-gate.yaml", policy);
    repo.commit("Name a suite");
    repo.edit();
    repo.gate_proving(&["run"]).passes().says("`||` in the command hides the exit code");
    repo.add();
    assert_eq!(repo.status(), "weak");
}

#[test]
fn what_failed_before_the_change_is_known_after_a_run_of_the_base() {
    let Some(repo) = project() else { return };
    repo.write("tests/test_cart.py", TESTS.replace("count([5, 5]), 2", "count([5, 5]), 3"));
    repo.commit("Break a test");
    repo.edit();
    repo.gate_proving(&["run"]).blocks();
    repo.add();
    repo.gate_proving(&["check"]).blocks().says("`aiwg-gate run --base` puts that on record");
    repo.gate_proving(&["run", "--base"]);
    let told = repo.gate_proving(&["check"]).passes();
    told.says("known to fail on the base too: ").says("test_count");
    assert_eq!(repo.status(), "valid");
    // The strict profile excuses nothing.
    repo.write("aiwg-gate.yaml", "version: 1\nprofile: strict\n");
    repo.git(&["stash", "push", "--quiet", "--", "cart.py"]);
    repo.commit("Be strict");
    repo.git(&["stash", "pop", "--quiet"]);
    repo.gate_proving(&["run"]).blocks();
    repo.add();
    assert_eq!(repo.status(), "failed");
}

#[test]
fn a_new_failure_beside_a_known_one_still_fails() {
    let Some(repo) = project() else { return };
    repo.write("tests/test_cart.py", TESTS.replace("count([5, 5]), 2", "count([5, 5]), 3"));
    repo.commit("Break a test");
    repo.gate_proving(&["run", "--base"]);
    repo.write("cart.py", CART.replace("sum(prices)", "sum(prices) + 1"));
    repo.gate_proving(&["run"]).blocks();
    repo.add();
    assert_eq!(repo.status(), "failed");
}

#[test]
fn tests_that_the_base_never_runs_are_excused_after_a_run_of_the_base() {
    let Some(repo) = project() else { return };
    repo.write("extra/test_slow.py", TESTS.replace("CartTest", "SlowTest"));
    repo.commit("Add tests that discovery does not find");
    repo.edit();
    repo.gate_proving(&["run"])
        .passes()
        .says("proof: weak")
        .says("3 of 6 tests ran")
        .says("aiwg-gate run --base");
    repo.gate_proving(&["run", "--base"]).passes();
    repo.add();
    assert_eq!(repo.status(), "valid");
    repo.commit("Sum from zero");
    // The proof of this commit is the base of the next.
    repo.write("cart.py", CART.replace("len(prices)", "len(list(prices))"));
    repo.gate_proving(&["run"]).passes();
    repo.add();
    assert_eq!(repo.status(), "valid");
}

#[test]
fn a_run_out_of_time_fails_and_ends_everything_it_started() {
    let Some(repo) = project() else { return };
    let policy = "version: 1\nsuites:\n  - { name: unit, command: sleep 600, paths: ['**'], framework: other, timeout_seconds: 5 }\n";
    repo.write("aiwg-gate.yaml", policy);
    repo.commit("Name a suite");
    repo.edit();
    repo.gate_proving(&["run"]).blocks().says("out of time");
    repo.add();
    assert_eq!(repo.status(), "failed");
}

#[test]
fn an_interrupted_run_is_on_record_and_no_evidence() {
    let Some(repo) = project() else { return };
    let policy = "version: 1\nsuites:\n  - { name: unit, command: 'echo started; sleep 600', paths: ['**'], framework: other }\n";
    repo.write("aiwg-gate.yaml", policy);
    repo.commit("Name a suite");
    repo.edit();
    let mut child =
        repo.command(GATE).arg("run").stdout(std::process::Stdio::piped()).spawn().expect("a run");
    // The first line of the child tells that the suite has started.
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().expect("a pipe")));
    assert_eq!(lines.next().expect("a line").expect("text"), "started");
    outcome(repo.command("kill").args(["-INT", &child.id().to_string()])).passes();
    let status = child.wait().expect("an end");
    assert_eq!(status.code(), Some(130));
    let rest: Vec<String> = lines.map_while(Result::ok).collect();
    assert!(rest.iter().any(|line| line.contains("interrupted")), "{rest:?}");
    repo.add();
    assert_eq!(repo.status(), "missing");
    repo.gate_proving(&["check"]).says("was broken off");
}
