//! Debug memory as real runs fill it: what is learned, what counts as an attempt, when a person is called.

use crate::proof::project::{CART, Proving, TESTS, project};
use crate::repo::{GATE, Outcome, Repo, outcome};

/// The gate as an agent starts it.
#[track_caller]
fn agent(repo: &Repo, args: &[&str]) -> Outcome {
    outcome(repo.command(GATE).env("CLAUDECODE", "1").args(args))
}

/// Code that fails one test, in as many ways as there are numbers.
fn wrong(number: u32) -> String {
    CART.replace("sum(prices)", &format!("sum(prices) + {number}"))
}

#[test]
fn a_failure_without_a_message_costs_nothing_but_its_lesson() {
    let Some(repo) = project() else { return };
    repo.write("cart.py", CART.replace("return sum(prices)", "raise ValueError()"));
    repo.gate_proving(&["run"]).blocks();
    repo.edit();
    repo.gate_proving(&["run"]).passes().says("(passed)").never_says("error:").never_says("warning:");
    repo.gate_proving(&["memory", "show", "last"]).passes().says("attempt 2");
}

#[test]
fn what_failed_before_an_agent_came_is_not_held_against_it() {
    let Some(repo) = project() else { return };
    repo.write("tests/test_cart.py", TESTS.replace("count([5, 5]), 2", "count([5, 5]), 3"));
    repo.commit("Break a test");
    repo.gate_proving(&["run", "--base"]);
    for number in 1..=5 {
        repo.write("cart.py", format!("{CART}\n\ndef rate():\n    return {number}\n"));
        let told = agent(&repo, &["run"]).passes().says("proof: valid").says("(passed)");
        told.never_says("times").never_says("escalated");
        repo.commit("Add a rate");
    }
    repo.write("cart.py", wrong(1));
    agent(&repo, &["run"]).blocks().says("failed 1 of 3 times");
}

#[test]
fn a_run_of_some_tests_leaves_a_session_open() {
    let Some(repo) = project() else { return };
    repo.edit();
    let one = ["run", "--", "python3", "-m", "unittest", "tests.test_cart.CartTest.test_count"];
    let told = agent(&repo, &one).passes().says("proof: weak");
    told.says("(in_progress, this run decides nothing)").never_says("times");
    agent(&repo, &["run"]).passes().says("attempt 2 of session").says("(passed)");
}

#[test]
fn to_run_the_same_content_again_uses_up_no_attempt() {
    let Some(repo) = project() else { return };
    repo.write("cart.py", wrong(1));
    for _ in 0..4 {
        agent(&repo, &["run"]).blocks().says("failed 1 of 3 times").never_says("escalated");
    }
    repo.write("cart.py", wrong(2));
    agent(&repo, &["run"]).blocks().says("failed 2 of 3 times");
    repo.write("cart.py", wrong(3));
    let told = agent(&repo, &["run"]).blocks().says("escalated (max_attempts_reached)");
    told.says("as it was before the hunt:")
        .says("return sum(prices)\n")
        .never_says("Error: AssertionError: ");
}

#[test]
fn a_fix_is_described_after_the_green_run() {
    let Some(repo) = project() else { return };
    repo.write("cart.py", wrong(1));
    repo.gate_proving(&["run"]).blocks();
    repo.edit();
    repo.gate_proving(&["run"]).passes();
    let fix = ["memory", "fix", "--description", "Took the constant out of the sum"];
    repo.gate_proving(&fix).passes().says("The fix of attempt 1 is replaced").says("the run after it passed");
    let told = repo.gate_proving(&["memory", "show", "last"]).passes();
    told.says("Took the constant out of the sum (+1/-1 lines, passed)").says("chain      intact");
    repo.gate_proving(&["memory", "patterns"]).passes().says("fix: Took the constant out of the sum");
    let asked = repo.gate_proving(&["memory", "query", "--file", "cart.py"]).passes();
    asked.says("cart.py: 1 past session of this file, 1 in this folder\n").says("    1 x  AssertionError: ");
    repo.gate_proving(&fix).errs("has a described fix already");
}

#[test]
fn the_newest_session_is_not_one_of_the_future() {
    let Some(repo) = project() else { return };
    let future = "session_id: later\nfile_path: a.py\nstatus: passed\nupdated_at: 2999-01-01T00:00:00Z\n\
                  executions: []\n";
    repo.write(".aiwg/ralph/debug-memory/sessions/session-later.yaml", future);
    repo.gate_proving(&["memory", "show", "last"]).passes().says("later");
    repo.write("cart.py", wrong(1));
    repo.gate_proving(&["run"]).blocks();
    repo.gate_proving(&["memory", "show", "last"]).passes().says("cart.py").never_says("later");
}
