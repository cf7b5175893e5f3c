//! Ways around a proof that must not lead anywhere.

use super::project::{CART, Proving, TESTS, project};
use crate::repo::{GATE, Repo, outcome};

fn broken(repo: &Repo) {
    repo.write("cart.py", CART.replace("sum(prices)", "sum(prices) + 1"));
    repo.add();
}

const EASY: &str =
    "version: 1\nsuites:\n  - { name: python, command: 'true', framework: other, paths: ['**'] }\n";

#[test]
fn a_policy_that_comes_and_goes_is_no_way_to_another_command() {
    let Some(repo) = project() else { return };
    broken(&repo);
    repo.write("aiwg-gate.yaml", EASY);
    repo.gate_proving(&["run"]);
    repo.remove("aiwg-gate.yaml");
    assert_ne!(repo.status(), "valid");
    repo.gate_proving(&["check"]).blocks();
}

#[test]
fn a_policy_in_the_change_itself_is_no_way_out() {
    let Some(repo) = project() else { return };
    broken(&repo);
    for policy in [
        EASY.to_owned(),
        EASY.replace("name: python", "name: easy"),
        EASY.replace("name: python", "name: easy").replace("'**'", "'nothing'"),
        EASY.replace("paths: ['**']", "paths: ['**'], required: ci"),
        "version: 1\nsuites: []\n".to_owned(),
    ] {
        repo.write("aiwg-gate.yaml", &policy);
        repo.add();
        repo.gate_proving(&["run", "--all", "--quiet"]);
        repo.gate_proving(&["check"]).blocks();
    }
}

#[test]
fn a_committed_suite_cannot_be_narrowed_renamed_or_postponed_by_the_change_it_judges() {
    let Some(repo) = project() else { return };
    let own = "version: 1\nsuites:\n  - { name: unit, command: python3 -m unittest discover -s tests -t ., paths: ['**'] }\n";
    repo.write("aiwg-gate.yaml", own);
    repo.commit("Name a suite");
    broken(&repo);
    for policy in [
        own.replace("'**'", "'tests/**'"),
        own.replace("name: unit", "name: other"),
        own.replace("paths:", "required: ci, paths:"),
        EASY.replace("name: python", "name: unit"),
    ] {
        repo.write("aiwg-gate.yaml", &policy);
        repo.add();
        repo.gate_proving(&["run", "--all", "--quiet"]);
        repo.gate_proving(&["check"]).blocks().says("suite unit");
    }
}

#[test]
fn a_policy_by_itself_may_be_committed_without_a_run() {
    let Some(repo) = project() else { return };
    repo.write("aiwg-gate.yaml", EASY);
    repo.add();
    repo.gate_proving(&["check"]).passes();
}

#[test]
fn a_nested_project_takes_nothing_away_from_the_suite_that_tested_it() {
    let Some(repo) = project() else { return };
    repo.write("shop/__init__.py", "");
    repo.write("shop/price.py", "def price():\n    return 3\n");
    let tests = "import unittest\n\nfrom shop.price import price\n\n\nclass PriceTest(unittest.TestCase):\n    \
                 def test_price(self):\n        self.assertEqual(price(), 3)\n";
    repo.write("tests/test_price.py", tests);
    repo.commit("Add the shop");
    repo.write("shop/price.py", "def price():\n    return 4\n");
    repo.write("shop/pyproject.toml", "[project]\nname = 'shop'\n");
    repo.write("shop/tests/__init__.py", "");
    repo.write(
        "shop/tests/test_nothing.py",
        TESTS.replace("from cart import count, total\n", "count = len\ntotal = sum\n"),
    );
    repo.add();
    repo.gate_proving(&["run", "shop:python"]).passes();
    repo.gate_proving(&["check"]).blocks().says("suite python");
}

#[test]
fn a_broken_base_run_excuses_nothing_that_passed_there_before() {
    let Some(repo) = project() else { return };
    repo.gate_proving(&["run", "--base"]).passes();
    repo.write("../poison/sitecustomize.py", "import builtins\nbuiltins.sum = lambda *a: -1\n");
    let poison = repo.root().join("poison");
    outcome(repo.command(GATE).args(["run", "--base"]).env("PYTHONPATH", &poison));
    broken(&repo);
    repo.gate_proving(&["run"]).blocks();
    assert_eq!(repo.status(), "failed");
}

#[test]
fn a_run_on_a_clean_tree_excuses_nothing() {
    let Some(repo) = project() else { return };
    repo.write("tests/test_cart.py", TESTS.replace("count([5, 5]), 2", "count([5, 5]), 3"));
    repo.commit("Break a test");
    repo.gate_proving(&["run"]).blocks();
    repo.edit();
    repo.gate_proving(&["run"]).blocks();
    repo.add();
    assert_eq!(repo.status(), "failed");
}

#[test]
fn known_failures_stay_known_from_commit_to_commit() {
    let Some(repo) = project() else { return };
    repo.write("tests/test_cart.py", TESTS.replace("count([5, 5]), 2", "count([5, 5]), 3"));
    repo.commit("Break a test");
    repo.gate_proving(&["run", "--base"]);
    for number in 1..4 {
        repo.write("cart.py", CART.replace("sum(prices)", &format!("sum(prices, {number} - {number})")));
        repo.gate_proving(&["run"]).passes().says("failed as known");
        repo.add();
        assert_eq!(repo.status(), "valid");
        repo.commit("Sum from somewhere");
    }
}
