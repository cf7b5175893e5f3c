//! Merges: the work of each side was judged there; the merge answers for what it loses beyond that.

use crate::repo::{Outcome, Repo, outcome};
use crate::suite::{FILE, skipped, tests};

/// Two branches from `base`, left on `main`.
fn parted(base: &[&str], main: &[&str], other: &[&str]) -> Repo {
    let repo = Repo::with_tests(base);
    repo.branch("other", "main");
    repo.commit_tests(other);
    repo.checkout("main");
    repo.commit_tests(main);
    repo
}

/// Merges `other` with the test file as given, without hooks.
fn merge_as(repo: &Repo, text: String) -> String {
    repo.try_git(&["merge", "--no-commit", "--no-ff", "other"]);
    repo.write(FILE, text);
    repo.commit("Merge")
}

fn judged(repo: &Repo) -> Vec<String> {
    repo.findings(&["--commit", "HEAD"])
}

const NOTHING: [&str; 0] = [];

/// Long enough for git to merge what the two ends of a file say.
const LONG: [&str; 6] = ["total", "one", "two", "three", "four", "tax"];

#[test]
fn a_clean_merge_of_judged_work_is_quiet() {
    let repo =
        parted(&LONG, &["total", "one", "two", "three", "four"], &["one", "two", "three", "four", "tax"]);
    repo.install();
    let report = repo.gate_json(&["check", "--range", "main..other"]);
    assert_eq!(report["verdict"], "block");
    repo.try_git(&["merge", "--no-ff", "--no-edit", "other"]).passes();
    assert_eq!(repo.read(FILE), tests(&["one", "two", "three", "four"]));
    assert_eq!(judged(&repo), NOTHING);
}

#[test]
fn a_merge_of_a_branch_that_removed_a_file_is_quiet() {
    let repo = Repo::with_tests(&["total"]);
    repo.write("tests/test_old.py", tests(&["old"]));
    repo.commit("Old");
    repo.branch("other", "main");
    repo.remove("tests/test_old.py");
    repo.commit("Without");
    repo.checkout("main");
    repo.commit_tests(&["total", "more"]);
    repo.install();
    repo.try_git(&["merge", "--no-ff", "--no-edit", "other"]).passes();
    assert_eq!(judged(&repo), NOTHING);
}

#[test]
fn a_resolved_conflict_is_quiet_where_it_keeps_what_both_sides_have() {
    let repo = parted(&["total", "tax"], &["total", "ours"], &["total", "theirs", "tax"]);
    repo.install();
    repo.try_git(&["merge", "other"]).blocks();
    repo.stage(&["total", "ours", "theirs"]);
    repo.gate(&["check"]).passes();
    repo.try_commit(&[]).passes();
    assert_eq!(repo.note("HEAD")["verdict"], "pass");
    assert_eq!(judged(&repo), NOTHING);
}

#[test]
fn a_conflict_resolved_at_the_cost_of_a_test_blocks() {
    let lost: [(&[&str], &str); 3] = [
        (&["ours", "theirs"], "test-removed test_total"),
        (&["total", "ours"], "test-removed test_theirs"),
        (&["total", "theirs"], "test-removed test_ours"),
    ];
    for (kept, finding) in lost {
        let repo = parted(&["total"], &["total", "ours"], &["total", "theirs"]);
        repo.install();
        repo.try_git(&["merge", "other"]).blocks();
        repo.stage(kept);
        assert_eq!(repo.findings(&[]), [finding]);
        let head = repo.head();
        repo.try_commit(&[]).blocks();
        assert_eq!(repo.head(), head);
        merge_as(&repo, tests(kept));
        assert_eq!(judged(&repo), [finding]);
    }
}

#[test]
fn what_the_other_side_lost_is_shown_as_that_side_has_it() {
    let repo = parted(&["total"], &["total"], &["one", "two", "three", "total", "theirs"]);
    merge_as(&repo, tests(&["one", "two", "three", "total"]));
    let other = repo.git(&["rev-parse", "other"]);
    repo.gate(&["check", "--commit", "HEAD"])
        .blocks()
        .says("def test_theirs():")
        .says(&format!("git show {}:{FILE} | sed -n '21,23p'", &other[..10]));
}

#[test]
fn a_file_that_one_side_added_cannot_vanish_in_the_merge() {
    let repo = Repo::with_tests(&["total"]);
    repo.branch("other", "main");
    repo.write("tests/test_theirs.py", tests(&["theirs"]));
    repo.commit("Theirs");
    repo.checkout("main");
    repo.commit_tests(&["total", "more"]);
    repo.git(&["merge", "--quiet", "--no-commit", "--no-ff", "other"]);
    repo.git(&["rm", "--quiet", "--force", "tests/test_theirs.py"]);
    repo.gate(&["check"]).blocks().says("tests/test_theirs.py was deleted");
    repo.install();
    repo.try_commit(&[]).blocks();
    repo.commit("Merge");
    repo.gate(&["check", "--commit", "HEAD"]).blocks();
}

#[test]
fn a_merge_that_ignores_the_other_side_loses_its_tests() {
    let repo = parted(&["total"], &["total", "ours"], &["total", "theirs"]);
    repo.install();
    let head = repo.head();
    repo.try_git(&["merge", "--strategy=ours", "--no-edit", "other"]).says("test_theirs was removed");
    assert_eq!(repo.head(), head);
}

#[test]
fn a_test_that_moved_on_one_side_is_not_missed() {
    let repo = Repo::with_tests(&LONG);
    repo.branch("other", "main");
    repo.git(&["mv", FILE, "tests/test_basket.py"]);
    repo.commit("Renamed");
    repo.checkout("main");
    repo.commit_tests(&["new", "total", "one", "two", "three", "four", "tax"]);
    repo.install();
    repo.try_git(&["merge", "--no-ff", "--no-edit", "other"]).passes();
    assert!(repo.read("tests/test_basket.py").contains("test_new"));
    assert_eq!(judged(&repo), NOTHING);
}

#[test]
fn code_that_one_side_took_away_explains_the_tests_the_other_side_wrote_for_it() {
    let code = "def refund(order):\n    return order.paid\n";
    let test = "from shop import refund\n\n\ndef test_refund():\n    assert refund(order(9)) == 9\n";
    let more = format!("{test}\n\ndef test_refund_of_nothing():\n    assert refund(order(0)) == 0\n");
    let repo = Repo::with_tests(&["total"]);
    repo.write("shop.py", code);
    repo.write("tests/test_refund.py", test);
    repo.commit("Refunds");
    repo.branch("other", "main");
    repo.write("tests/test_refund.py", more);
    repo.commit("More about refunds");
    repo.checkout("main");
    repo.remove("tests/test_refund.py");
    repo.write("shop.py", "x = 1\n");
    repo.commit("No refunds");
    repo.try_git(&["merge", "other"]).blocks();
    repo.git(&["rm", "--quiet", "tests/test_refund.py"]);
    repo.gate(&["check"]).passes();
}

#[test]
fn a_skip_added_in_the_merge_is_the_merges_own() {
    let repo = parted(&["total", "tax"], &["total", "tax", "ours"], &["total", "tax"]);
    merge_as(
        &repo,
        tests(&["total", "tax", "ours"]).replace("def test_tax", "@pytest.mark.skip\ndef test_tax"),
    );
    assert_eq!(judged(&repo), ["test-skipped test_tax"]);
}

#[test]
fn a_skip_that_one_side_added_is_not_told_again() {
    let repo = Repo::with_tests(&LONG);
    repo.branch("other", "main");
    repo.write(FILE, skipped(&LONG));
    repo.commit("Skipped");
    repo.checkout("main");
    repo.commit_tests(&["total", "one", "two", "three", "four", "tax", "more"]);
    let merged = skipped(&LONG) + &tests(&["more"]);
    merge_as(&repo, merged);
    assert_eq!(judged(&repo), NOTHING);
}

#[test]
fn an_octopus_answers_to_each_of_its_parents() {
    let octopus = || {
        let repo = Repo::with_tests(&["total"]);
        for name in ["one", "two", "three"] {
            repo.branch(name, "main");
            repo.write(&format!("tests/test_{name}.py"), tests(&[name]));
            repo.commit(name);
        }
        repo.checkout("main");
        repo.commit_tests(&["total", "more"]);
        repo.install();
        repo
    };
    let repo = octopus();
    repo.try_git(&["merge", "--no-edit", "two", "one", "three"]).passes();
    assert_eq!(judged(&repo), NOTHING);
    assert_eq!(repo.gate_json(&["status"])["commits"][0]["verdict"]["verdict"], "pass");
    let repo = octopus();
    repo.git(&["merge", "--quiet", "--no-commit", "two", "one", "three"]);
    repo.git(&["rm", "--quiet", "--force", "tests/test_three.py"]);
    repo.write("tests/test_one.py", tests(&["other"]));
    repo.add();
    assert_eq!(repo.findings(&[]), ["test-removed test_one", "test-removed tests/test_three.py"]);
    repo.try_commit(&[]).blocks();
}

#[test]
fn a_squashed_merge_is_an_ordinary_change() {
    let repo = Repo::with_tests(&["total", "tax"]);
    repo.branch("other", "main");
    repo.commit_tests(&["total", "more"]);
    repo.checkout("main");
    repo.install();
    repo.git(&["merge", "--quiet", "--squash", "other"]);
    repo.try_commit(&[]).blocks();
}

#[test]
fn a_fast_forward_makes_no_commit_to_judge() {
    let repo = Repo::with_tests(&["total", "tax"]);
    repo.branch("other", "main");
    repo.commit_tests(&["total"]);
    repo.checkout("main");
    repo.install();
    repo.try_git(&["merge", "--quiet", "other"]).passes();
}

#[test]
fn crossed_histories_do_not_bring_removed_tests_back() {
    let repo = Repo::with_tests(&["total"]);
    repo.branch("other", "main");
    repo.commit_tests(&["total", "shared"]);
    repo.write("other.py", "x = 1\n");
    let theirs = repo.commit("Other");
    repo.checkout("main");
    repo.write("ours.py", "x = 1\n");
    let ours = repo.commit("Ours");
    repo.git(&["merge", "--quiet", "--no-edit", &theirs]);
    repo.commit_tests(&["total"]);
    repo.checkout("other");
    repo.git(&["merge", "--quiet", "--no-edit", &ours]);
    repo.write("later.py", "x = 1\n");
    repo.commit("Later");
    repo.checkout("main");
    repo.install();
    repo.try_git(&["merge", "--no-edit", "other"]).passes();
    assert_eq!(judged(&repo), NOTHING);
}

#[test]
fn the_verdict_on_a_merge_is_known_although_git_runs_no_hook_after_it() {
    let repo = parted(
        &LONG,
        &["total", "one", "two", "three", "four", "tax", "more"],
        &["new", "total", "one", "two", "three", "four", "tax"],
    );
    repo.install();
    repo.try_git(&["merge", "--no-ff", "--no-edit", "other"]).passes();
    let status = repo.gate_json(&["status"]);
    assert_eq!(status["commits"][0]["verdict"]["verdict"], "pass", "{status}");
    repo.write("after.py", "x = 1\n");
    repo.add();
    repo.try_commit(&[]).passes();
    assert_eq!(repo.note("HEAD~1")["judged"], "before_commit");
}

#[test]
fn the_variables_of_a_merge_elsewhere_are_not_taken_for_this_one() {
    let repo = parted(
        &LONG,
        &["new", "total", "one", "two", "three", "four", "tax"],
        &["total", "one", "two", "three", "four"],
    );
    repo.install();
    let mut merge = repo.command("git");
    merge
        .args(["merge", "--no-ff", "--no-edit", "other"])
        .env(format!("GITHEAD_{}", "1".repeat(40)), "elsewhere");
    outcome(&mut merge).passes();
    assert_eq!(repo.gate_json(&["status"])["commits"][0]["verdict"]["verdict"], "pass");
}

#[test]
fn a_merge_in_a_linked_worktree_is_judged_there() {
    let repo = parted(&["total"], &["total", "ours"], &["total", "theirs"]);
    repo.install();
    repo.git(&["worktree", "add", "--quiet", "-b", "linked", "../linked", "main"]);
    let git = |args: &[&str]| -> Outcome { repo.try_git(&[&["-C", "../linked"], args].concat()) };
    git(&["merge", "other"]).blocks();
    std::fs::write(repo.root().join("linked").join(FILE), tests(&["total", "ours"])).expect("a file");
    git(&["add", "."]).passes();
    git(&["commit", "--quiet", "--no-edit"]).blocks();
    std::fs::write(repo.root().join("linked").join(FILE), tests(&["total", "ours", "theirs"]))
        .expect("a file");
    git(&["add", "."]).passes();
    git(&["commit", "--quiet", "--no-edit"]).passes();
    assert!(repo.has_note("linked"));
}

#[test]
fn a_merge_whose_sides_parted_beyond_a_shallow_clone_is_not_judged() {
    let repo = Repo::with_tests(&["total", "old"]);
    repo.branch("other", "main");
    repo.commit_tests(&["total", "old", "theirs"]);
    repo.checkout("main");
    // Gone long before the merge, and brought by no side.
    repo.commit_tests(&["total"]);
    repo.write("one.py", "x = 1\n");
    repo.commit("One");
    merge_as(&repo, tests(&["total", "theirs"]));
    assert_eq!(judged(&repo), NOTHING);
    let from = format!("file://{}", repo.directory().display());
    for (depth, is_judged) in [("2", false), ("3", false), ("4", true)] {
        let there = format!("../cut-{depth}");
        repo.git(&["clone", "--quiet", "--depth", depth, &from, &there]);
        let checked = repo.gate(&["-C", &there, "check", "--commit", "HEAD"]);
        let audited = repo.gate(&["-C", &there, "audit", "-n", "1"]).passes();
        if is_judged {
            checked.passes();
            audited.says("1 commit judged").never_says("could not be judged");
        } else {
            checked.errs("does not reach back").says("git fetch --unshallow");
            audited.says("1 commit could not be judged").says("git fetch --unshallow");
        }
    }
}

/// The file as a branch moved it.
const MOVED: &str = "tests/shop/test_cart.py";

/// A branch adds a test to a file that `main` moves; `kept` are the tests that the merge has at the new place.
fn moved_and_merged(main: &[&str], kept: &[&str]) -> Repo {
    let repo = Repo::with_tests(&LONG);
    repo.branch("other", "main");
    repo.commit_tests(&[&LONG[..], &["late"]].concat());
    repo.checkout("main");
    repo.remove(FILE);
    repo.write(MOVED, tests(main));
    repo.commit("Move");
    repo.try_git(&["merge", "--no-commit", "--no-ff", "other"]);
    repo.try_git(&["rm", "--ignore-unmatch", "-f", FILE]);
    repo.write(MOVED, tests(kept));
    repo.commit("Merge");
    repo
}

#[test]
fn a_test_that_both_sides_brought_at_two_places_is_not_lost() {
    let all = [&LONG[..], &["late"]].concat();
    assert_eq!(judged(&moved_and_merged(&all, &all)), NOTHING);
}

#[test]
fn a_test_that_no_place_has_any_more_is_lost() {
    let found = judged(&moved_and_merged(&LONG, &LONG));
    assert!(!found.is_empty(), "a merge without the test of the branch is told");
}

#[test]
fn an_automatic_merge_is_nobodys_doing() {
    let all = [&LONG[..], &["late"]].concat();
    let repo = Repo::with_tests(&LONG);
    repo.branch("other", "main");
    repo.commit_tests(&all);
    repo.checkout("main");
    repo.remove(FILE);
    repo.write(MOVED, tests(&LONG));
    repo.commit("Move");
    repo.try_git(&["merge", "--no-ff", "--no-edit", "other"]).passes();
    assert_eq!(repo.read(MOVED), tests(&all));
    assert_eq!(judged(&repo), NOTHING);
}
