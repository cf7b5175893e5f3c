//! What was run against what is staged.

use super::project::{CART, Proving, TESTS, project, sources};

#[test]
fn code_that_nobody_ran_is_missing_a_proof() {
    let Some(repo) = project() else { return };
    repo.edit();
    repo.add();
    let told = repo.gate_proving(&["check"]).blocks();
    told.says("nobody ran exactly this: suite python, missing")
        .says("no run of this suite is on record")
        .says("do: aiwg-gate run")
        .says("`aiwg-gate run`, then commit\n")
        .never_says("Nothing was committed");
}

#[test]
fn a_proof_is_named_beside_the_rules_that_block() {
    let Some(repo) = project() else { return };
    repo.write("tests/test_cart.py", TESTS.split("\n    def test_count").next().expect("tests"));
    repo.add();
    let told = repo.gate_proving(&["check"]).blocks();
    told.says("aiwg-gate explain test-removed\n").says("aiwg-gate explain proof\n");
}

#[test]
fn a_run_of_the_staged_content_is_a_proof() {
    let Some(repo) = project() else { return };
    repo.edit();
    repo.gate_proving(&["run"]).passes().says("3 passed").says("proof: valid for this content");
    repo.add();
    repo.gate_proving(&["check"]).passes().says("proof python valid");
    assert_eq!(repo.status(), "valid");
}

#[test]
fn the_first_commit_needs_a_proof_too() {
    let Some(repo) = sources() else { return };
    repo.add();
    assert_eq!(repo.status(), "missing");
    repo.gate_proving(&["run"]).passes();
    assert_eq!(repo.status(), "valid");
}

#[test]
fn a_file_changed_after_the_run_makes_it_stale() {
    let Some(repo) = project() else { return };
    repo.edit();
    repo.gate_proving(&["run"]).passes();
    repo.write("cart.py", CART.replace("sum(prices)", "sum(prices, 1)"));
    repo.add();
    let told = repo.gate_proving(&["check"]).blocks();
    told.says("suite python, stale").says("cart.py was changed after it").says("do: aiwg-gate run\n");
}

#[test]
fn a_failing_run_of_this_content_is_no_proof() {
    let Some(repo) = project() else { return };
    repo.write("cart.py", CART.replace("sum(prices)", "sum(prices) + 1"));
    let told = repo.gate_proving(&["run"]);
    assert_eq!(told.code, 1, "{}", told.both());
    told.says("1 passed, 2 failed").says("test_total").says("expected 3, got 4");
    repo.add();
    let told = repo.gate_proving(&["check"]).blocks();
    told.says("suite python, failed").says("test_total").says("mend what fails, then: aiwg-gate run");
}

#[test]
fn what_is_partly_staged_was_not_what_ran() {
    let Some(repo) = project() else { return };
    repo.edit();
    repo.add();
    repo.write(
        "cart.py",
        CART.replace("sum(prices)", "sum(prices, 0)").replace("len(prices)", "len(list(prices))"),
    );
    repo.gate_proving(&["run"]).passes();
    let told = repo.gate_proving(&["check"]).blocks();
    told.says("stale").says("cart.py had changes that are not staged").says("do: aiwg-gate run --staged");
    repo.gate_proving(&["run", "--staged"]).passes();
    assert_eq!(repo.status(), "valid");
}

#[test]
fn an_untracked_file_that_was_there_is_named() {
    let Some(repo) = project() else { return };
    repo.write("helper.py", "LIMIT = 3\n");
    repo.write("cart.py", format!("from helper import LIMIT\n\n\n{CART}"));
    repo.gate_proving(&["run"]).passes();
    repo.git(&["add", "cart.py"]);
    let told = repo.gate_proving(&["check"]).blocks();
    told.says("stale").says("helper.py was there, untracked; it is not in this commit");
    // Exactly the index: the import fails there.
    let told = repo.gate_proving(&["run", "--staged"]);
    assert_eq!(told.code, 1, "{}", told.both());
    repo.add();
    assert_eq!(repo.status(), "valid");
}

#[test]
fn notes_and_reports_beside_the_code_do_not_count() {
    let Some(repo) = project() else { return };
    repo.edit();
    repo.write("notes.txt", "remember the milk\n");
    repo.write("out.log", "noise\n");
    repo.gate_proving(&["run"]).passes();
    repo.git(&["add", "cart.py"]);
    assert_eq!(repo.status(), "valid");
}

#[test]
fn reformatting_keeps_a_proof_and_names_the_file() {
    let Some(repo) = project() else { return };
    repo.edit();
    repo.gate_proving(&["run"]).passes();
    let formatted = "# The cart.\n\ndef total(prices):\n\n    return sum(prices,   0)  # all of them\n\n\ndef count(prices):\n    return len( prices )\n";
    repo.write("cart.py", formatted);
    repo.add();
    repo.gate_proving(&["check"]).passes().says("proof: python: only reformatted since: cart.py");
    assert_eq!(repo.status(), "valid");
}

#[test]
fn one_changed_token_does_not_keep_a_proof() {
    let Some(repo) = project() else { return };
    repo.edit();
    repo.gate_proving(&["run"]).passes();
    repo.write("cart.py", CART.replace("sum(prices)", "sum(prices,  0.0)"));
    repo.add();
    assert_eq!(repo.status(), "stale");
}

#[test]
fn a_line_break_that_changes_meaning_does_not_keep_a_proof() {
    let Some(repo) = project() else { return };
    repo.write("cart.py", CART.replace("return len(prices)", "return len(prices) + 0"));
    repo.gate_proving(&["run"]).passes();
    repo.write("cart.py", CART.replace("return len(prices)", "return len(prices)\n    + 0"));
    repo.add();
    assert_eq!(repo.status(), "stale");
}

#[test]
fn exact_equivalence_wants_the_very_bytes() {
    let Some(repo) = project() else { return };
    repo.write("aiwg-gate.yaml", "version: 1\nproof: { equivalence: exact }\n");
    repo.commit("Be exact");
    repo.edit();
    repo.gate_proving(&["run"]).passes();
    repo.write("cart.py", format!("\n{}", repo.read("cart.py")));
    repo.add();
    assert_eq!(repo.status(), "stale");
}

#[test]
fn a_renamed_file_was_not_run_under_its_new_name() {
    let Some(repo) = project() else { return };
    repo.gate_proving(&["run"]).passes();
    repo.git(&["mv", "cart.py", "basket.py"]);
    let told = repo.gate_proving(&["check"]).blocks();
    told.says("stale").says("cart.py was renamed to basket.py after it");
}

#[test]
fn documentation_needs_no_proof() {
    let Some(repo) = project() else { return };
    repo.write("README.md", "# The cart\n");
    repo.add();
    repo.gate_proving(&["check"]).passes().never_says("nobody ran");
    assert_eq!(repo.status(), "not_required");
}

#[test]
fn a_tree_that_changes_under_the_tests_proves_nothing() {
    let Some(repo) = project() else { return };
    repo.edit();
    let meddling = TESTS.replace(
        "    def test_count(self):\n",
        "    def test_count(self):\n        open('cart.py', 'a').write('# later\\n')\n",
    );
    repo.write("tests/test_cart.py", meddling);
    repo.gate_proving(&["run"]).passes().says("proof: weak").says("cart.py changed while the tests ran");
}

#[test]
fn a_proof_holds_on_another_base_with_the_same_content() {
    let Some(repo) = project() else { return };
    repo.edit();
    repo.gate_proving(&["run"]).passes();
    repo.write("README.md", "# News\n");
    repo.git(&["add", "README.md"]);
    repo.git(&["commit", "--quiet", "-m", "Write news"]);
    repo.add();
    assert_eq!(repo.status(), "valid");
}

#[test]
fn a_proof_of_old_content_counts_again_when_the_content_comes_back() {
    let Some(repo) = project() else { return };
    repo.gate_proving(&["run"]).passes();
    repo.edit();
    repo.gate_proving(&["run"]).passes();
    repo.commit("Sum from zero");
    repo.write("cart.py", CART);
    repo.add();
    assert_eq!(repo.status(), "valid");
}

#[test]
fn whoever_installs_hears_that_runs_are_asked_for() {
    let Some(repo) = project() else { return };
    repo.gate(&["install"]).passes().says("Next: `aiwg-gate run` before you commit");
    repo.commit_no_suites();
    repo.gate(&["install"]).passes().says("Next: commit as usual.");
}
