//! `tests`: the inventory of the working tree and of commits.

use crate::repo::Repo;
use crate::suite::{FILE, skipped, tests};

#[test]
fn the_inventory_is_that_of_the_working_tree() {
    let repo = Repo::with_tests(&["total", "tax"]);
    repo.write("tests/test_new.py", skipped(&["new"]));
    repo.write(".gitignore", "tests/test_ignored.py\n");
    repo.write("tests/test_ignored.py", tests(&["ignored"]));
    repo.gate(&["tests"])
        .passes()
        .says("test_new  (skipped)")
        .says("3 tests in 2 files, 1 skipped, 3 assertions")
        .never_says("test_ignored");
    repo.remove(FILE);
    repo.gate(&["tests"]).passes().says("1 test in 1 file");
}

#[test]
fn a_commit_is_read_as_it_was() {
    let repo = Repo::with_tests(&["total", "tax"]);
    let first = repo.head();
    repo.commit_tests(&["other"]);
    let inventory = repo.gate_json(&["tests", "--rev", "HEAD~1"]);
    assert_eq!((&inventory["version"], &inventory["rev"]), (&1.into(), &first.into()));
    assert_eq!(
        inventory["totals"],
        serde_json::json!({"files": 1, "tests": 2, "skipped": 0, "assertions": 2})
    );
    let test = serde_json::json!({
        "id": "tests/test_cart.py::test_tax", "name": "test_tax", "suite": [], "line": 6, "skipped": false,
        "skip_reason": null, "assertions": 1, "cases": 1
    });
    assert_eq!(inventory["files"][0]["tests"][1], test);
    assert_eq!(inventory["files"][0]["health"], "clean");
    assert_eq!(repo.gate_json(&["tests"])["rev"], serde_json::Value::Null);
}

#[test]
fn paths_narrow_the_inventory() {
    let repo = Repo::with_tests(&["total"]);
    repo.write("other/test_other.py", tests(&["other"]));
    repo.commit("Other");
    for revision in [&[][..], &["--rev", "HEAD"]] {
        let list = |path: &str| repo.gate(&[&["tests", path], revision].concat());
        list("other").passes().says("test_other").never_says("test_total");
        list("other/").passes().says("test_other");
        list("./tests").passes().says("test_total");
        list(FILE).passes().says("test_total").never_says("test_other");
        list("nowhere").errs("no source file of the repository is at or below nowhere");
    }
    repo.gate(&["-C", "tests", "tests"]).passes().says("test_other").says("test_total");
    repo.gate(&["-C", "tests", "tests", "."]).passes().never_says("test_other").says("test_total");
    repo.gate(&["-C", "tests", "tests", "test_cart.py"]).passes().says("test_total");
    repo.gate(&["-C", "tests", "tests", "../other"]).passes().says("test_other").never_says("test_total");
    repo.gate(&["tests", ".."]).errs("is outside the repository");
    repo.gate(&["tests", repo.path("other").to_str().expect("text")]).passes().never_says("test_total");
}

#[test]
fn nothing_is_an_inventory_too() {
    let repo = Repo::new();
    repo.gate(&["tests"]).passes().says("0 tests in 0 files");
    repo.gate(&["tests", "--rev", "HEAD"]).errs("there is no commit `HEAD`");
}
