//! Proofs through the hook: every way to make a commit.

use super::project::{CART, Proving, TESTS, hooked};

#[test]
fn a_commit_that_nobody_ran_is_blocked_and_passes_after_a_run() {
    let Some(repo) = hooked() else { return };
    repo.edit();
    repo.add();
    repo.try_commit(&["-m", "Sum from zero"]).blocks().says("nobody ran exactly this");
    repo.gate_proving(&["run"]).passes();
    repo.try_commit(&["-m", "Sum from zero"]).passes();
    let note = repo.git(&["notes", "--ref", "aiwg-gate", "show", "HEAD"]);
    let note: serde_json::Value = serde_json::from_str(&note).expect("a note");
    assert_eq!(note["proofs"][0]["suite"], "python");
    assert_eq!(note["proofs"][0]["status"], "valid");
    assert!(
        note["proofs"][0]["digest"].as_str().is_some_and(|digest| digest.starts_with("sha256:")),
        "{note}"
    );
}

#[test]
fn commit_all_is_judged_by_what_it_commits() {
    let Some(repo) = hooked() else { return };
    repo.edit();
    repo.try_commit(&["-a", "-m", "Sum from zero"]).blocks();
    repo.gate_proving(&["run"]).passes();
    repo.try_commit(&["-a", "-m", "Sum from zero"]).passes();
}

#[test]
fn commit_of_a_path_is_judged_by_that_path_alone() {
    let Some(repo) = hooked() else { return };
    repo.edit();
    repo.write(
        "tests/test_cart.py",
        format!("{TESTS}\n    def test_more(self):\n        self.assertTrue(True)\n"),
    );
    repo.gate_proving(&["run"]).passes();
    // The run had both changes; this commit has one of them.
    let told = repo.try_commit(&["cart.py", "-m", "Sum from zero"]).blocks();
    told.says("tests/test_cart.py had changes that are not staged");
    // `aiwg-gate run --staged` alone would test an index that this commit does not take.
    repo.try_commit(&["cart.py", "-m", "Sum from zero"])
        .blocks()
        .says("git add what you commit, then `aiwg-gate run --staged`");
    repo.add();
    repo.try_commit(&["-m", "Both"]).passes();
}

#[test]
fn files_on_disk_have_the_suite_that_their_tests_make() {
    let Some(repo) = hooked() else { return };
    repo.write(
        "tests/test_cart.py",
        format!("{TESTS}\n    def test_more(self):\n        self.assertEqual(1, 1)\n"),
    );
    repo.gate_proving(&["run"]).passes();
    repo.gate_proving(&["check", "--worktree"]).passes().says("proof python valid");
}

#[test]
fn amending_the_message_needs_no_run_and_amending_code_does() {
    let Some(repo) = hooked() else { return };
    repo.edit();
    repo.gate_proving(&["run"]).passes();
    repo.try_commit(&["-a", "-m", "Sum from zero"]).passes();
    repo.try_commit(&["--amend", "-m", "Sum, starting from zero"]).passes();
    repo.write("cart.py", CART.replace("len(prices)", "len(list(prices))"));
    repo.try_commit(&["-a", "--amend", "--no-edit"]).blocks();
    repo.gate_proving(&["run"]).passes();
    repo.try_commit(&["-a", "--amend", "--no-edit"]).passes();
}

#[test]
fn a_linked_worktree_shares_the_memory_of_the_main_one() {
    let Some(repo) = hooked() else { return };
    repo.git(&["worktree", "add", "--quiet", "../other", "-b", "other"]);
    let at = |args: &[&str]| repo.gate_proving(&[&["-C", "../other"], args].concat());
    std::fs::write(repo.root().join("other/cart.py"), CART.replace("sum(prices)", "sum(prices, 0)")).unwrap();
    at(&["run"]).passes();
    assert!(repo.path(".aiwg/ralph/debug-memory/sessions").is_dir());
    assert!(!repo.root().join("other/.aiwg").exists());
    repo.git(&["-C", "../other", "commit", "--quiet", "-a", "-m", "Sum from zero"]);
    // The same content in the main working tree is proved, too.
    repo.edit();
    repo.add();
    assert_eq!(repo.status(), "valid");
}

#[test]
fn a_clean_merge_needs_no_run() {
    let Some(repo) = hooked() else { return };
    repo.git(&["checkout", "--quiet", "-b", "side"]);
    repo.write("cart.py", CART.replace("len(prices)", "len(list(prices))"));
    repo.gate_proving(&["run"]).passes();
    repo.try_commit(&["-a", "-m", "Count a list"]).passes();
    repo.git(&["checkout", "--quiet", "main"]);
    repo.write("tests/test_cart.py", format!("# Tests of the cart.\n{TESTS}"));
    repo.gate_proving(&["run"]).passes();
    repo.try_commit(&["-a", "-m", "Say what is tested"]).passes();
    repo.git(&["merge", "--quiet", "--no-edit", "side"]);
}

#[test]
fn a_merge_with_conflicts_needs_a_run_of_its_result() {
    let Some(repo) = hooked() else { return };
    repo.git(&["checkout", "--quiet", "-b", "side"]);
    repo.write("cart.py", CART.replace("sum(prices)", "sum(list(prices))"));
    repo.commit("Sum a list");
    repo.git(&["checkout", "--quiet", "main"]);
    repo.edit();
    repo.commit("Sum from zero");
    assert_ne!(repo.try_git(&["merge", "side"]).code, 0);
    repo.write("cart.py", CART.replace("sum(prices)", "sum(list(prices), 0)"));
    repo.add();
    repo.try_commit(&["--no-edit"]).blocks().says("nobody ran exactly this");
    repo.gate_proving(&["run"]).passes();
    repo.try_commit(&["--no-edit"]).passes();
}

#[test]
fn status_tells_where_the_index_stands() {
    let Some(repo) = hooked() else { return };
    repo.edit();
    repo.add();
    let told = repo.gate_proving(&["status"]).passes();
    told.says("suites").says("python").says("missing: no run of this suite is on record").says("0 sessions");
    repo.gate_proving(&["run"]).passes();
    repo.gate_proving(&["status"]).passes().says("valid: ").says("1 session");
}

#[test]
fn a_new_project_in_a_folder_is_proven_by_one_run() {
    let Some(repo) = hooked() else { return };
    repo.gate_proving(&["run"]).passes();
    repo.write("tools/setup.py", "");
    repo.write("tools/test_tools.py", TESTS.replace("from cart import", "from tools import"));
    repo.write("tools/tools.py", CART);
    repo.add();
    repo.try_commit(&["-m", "Add tools"]).blocks().says("suite tools:python, missing");
    repo.gate_proving(&["run"]).passes();
    repo.try_commit(&["-m", "Add tools"]).passes();
}

#[test]
fn a_folder_that_becomes_a_project_touches_the_suite_that_it_leaves() {
    let Some(repo) = hooked() else { return };
    repo.write("tools/tools.py", CART);
    repo.gate_proving(&["run"]).passes();
    repo.add();
    repo.try_commit(&["-m", "Add tools"]).passes();
    repo.write("tools/setup.py", "");
    repo.write("tools/test_tools.py", TESTS.replace("from cart import", "from tools import"));
    repo.write("tools/tools.py", CART.replace("sum(prices)", "sum(prices, 0)"));
    repo.add();
    repo.gate_proving(&["run"]).passes().says("python: passed");
    repo.try_commit(&["-m", "Make tools a project"]).passes();
}
