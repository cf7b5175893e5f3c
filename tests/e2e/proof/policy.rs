//! What the policy says about proofs.

use super::project::{CART, Proving, hooked, project};
use crate::repo::{GATE, Repo};

#[test]
fn on_missing_run_runs_exactly_what_is_staged_from_the_hook() {
    let Some(repo) = hooked() else { return };
    repo.write("aiwg-gate.yaml", "version: 1\nproof: { on_missing: run }\n");
    repo.commit("Run from the hook");
    repo.edit();
    repo.add();
    // On disk it is broken; what is staged is not.
    repo.write("cart.py", "broken(\n");
    repo.try_commit(&["-m", "Sum from zero"]).passes().says("3 passed");
    assert_eq!(repo.read("cart.py"), "broken(\n");
    repo.write("cart.py", CART.replace("sum(prices)", "sum(prices) + 1"));
    repo.add();
    repo.try_commit(&["-m", "Break it"]).blocks().says("suite python, failed");
}

#[test]
fn on_missing_warn_lets_the_commit_pass_and_says_so() {
    let Some(repo) = hooked() else { return };
    repo.write("aiwg-gate.yaml", "version: 1\nproof: { on_missing: warn }\n");
    repo.commit("Only warn");
    repo.edit();
    repo.try_commit(&["-a", "-m", "Sum from zero"]).passes().says("warning[proof]: nobody ran exactly this");
    repo.gate_proving(&["status"]).says("proof.on_missing is warn");
}

#[test]
fn check_never_runs_anything_even_if_the_policy_says_run() {
    let Some(repo) = project() else { return };
    repo.write("aiwg-gate.yaml", "version: 1\nproof: { on_missing: run }\n");
    repo.commit("Run from the hook");
    repo.edit();
    repo.add();
    repo.gate_proving(&["check"]).blocks();
    assert!(!repo.path(".aiwg").exists());
}

#[test]
fn a_change_needs_only_the_suites_that_it_touches() {
    let Some(repo) = project() else { return };
    let policy = "version: 1\nsuites:\n  - { name: shop, command: 'true', paths: ['*.py', 'tests/**'], framework: other }\n  \
                  - { name: web, command: 'false', paths: ['web/**'], framework: other }\n";
    repo.write("aiwg-gate.yaml", policy);
    repo.write("web/page.js", "let a = 1\n");
    repo.commit("Name two suites");
    repo.edit();
    repo.gate_proving(&["run"]).passes().says("shop: passed").never_says("web:");
    repo.add();
    repo.gate_proving(&["check"]).passes().says("proof shop valid");
    repo.write("web/page.js", "let a = 2\n");
    repo.add();
    repo.gate_proving(&["check"]).blocks().says("suite web, missing").never_says("suite shop");
    repo.gate_proving(&["run", "shop"]).passes();
    repo.gate_proving(&["run", "webb"]).errs("there is no suite `webb`: did you mean `web`?");
}

#[test]
fn a_suite_that_vanishes_while_its_code_stays_is_missing() {
    let Some(repo) = project() else { return };
    repo.write("web/package.json", "{\"name\": \"web\", \"scripts\": {\"test\": \"node --test\"}}\n");
    repo.write("web/page.js", "module.exports = 1\n");
    repo.write("web/page.test.js", "require('node:test')('one', () => {})\n");
    repo.commit("Add the page");
    repo.write("web/package.json", "{\"name\": \"web\", \"scripts\": {}}\n");
    repo.add();
    let told = repo.gate_proving(&["check"]).blocks();
    told.says("suite web:node, missing").says("this change takes the suite away, and its code stays");
    repo.git(&["rm", "-r", "-f", "--quiet", "web"]);
    repo.gate_proving(&["check"]).never_says("web:node, missing");
}

#[test]
fn emptying_the_list_of_suites_does_not_end_the_question() {
    let Some(repo) = project() else { return };
    repo.write("aiwg-gate.yaml", "version: 1\nsuites: []\n");
    repo.edit();
    repo.add();
    repo.gate_proving(&["check"]).blocks().says("suite python, missing");
}

#[test]
fn a_repository_without_any_suite_is_warned_in_one_line() {
    let repo = Repo::new();
    repo.write("main.c", "int main(void) { return 0; }\n");
    repo.run(GATE, &["install", "--quiet"]).passes();
    repo.add();
    let told = repo.run("git", &["commit", "--quiet", "-m", "Start"]).passes();
    told.says("no test suite was found for this change, so nobody can tell whether it was ever run");
}

#[test]
fn a_suite_for_pushes_stops_the_push_and_no_commit() {
    let Some(repo) = hooked() else { return };
    let policy = "version: 1\nsuites:\n  - { name: slow, command: 'true', paths: ['*.py'], framework: other, required: push }\n";
    repo.write("aiwg-gate.yaml", policy);
    repo.commit("Name a slow suite");
    repo.git(&["init", "--quiet", "--bare", "../remote.git"]);
    repo.git(&["remote", "add", "origin", "../remote.git"]);
    repo.git(&["push", "--quiet", "--no-verify", "origin", "main"]);
    repo.edit();
    repo.try_commit(&["-a", "-m", "Sum from zero"]).passes();
    let told = repo.run("git", &["push", "--quiet", "origin", "main"]);
    assert_ne!(told.code, 0, "{}", told.both());
    told.says("suite slow, missing").says("nothing was pushed");
    repo.gate_proving(&["run", "slow"]).passes();
    repo.git(&["push", "--quiet", "origin", "main"]);
}
