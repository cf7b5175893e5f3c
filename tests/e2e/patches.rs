//! Patches: judged as whole files where the repository has what they start from, else by the lines they show. Nothing they
//! name is read from disk, or written.

use proptest::prelude::*;

use crate::repo::{Outcome, Repo};
use crate::suite::{FILE, findings, tests};

fn check(repo: &Repo, patch: impl AsRef<[u8]>) -> Outcome {
    repo.gate_reading(&["check", "--patch", "-"], patch)
}

fn told(repo: &Repo, patch: impl AsRef<[u8]>) -> Vec<String> {
    let outcome = repo.gate_reading(&["check", "--patch", "-", "--format", "json"], patch);
    let report = serde_json::from_str(&outcome.stdout).unwrap_or_else(|_| panic!("{}", outcome.both()));
    findings(&report)
}

/// What git prints for a change of the test file.
fn diff(before: &[&str], after: &[&str], options: &[&str]) -> (Repo, String) {
    let repo = Repo::with_tests(before);
    repo.write(FILE, tests(after));
    let patch = repo.git(&[&["diff"], options].concat()) + "\n";
    repo.git(&["checkout", "--quiet", "."]);
    (repo, patch)
}

const LONG: [&str; 5] = ["one", "two", "three", "four", "five"];

#[test]
fn a_test_removed_in_a_hunk_blocks() {
    let (repo, patch) = diff(&LONG, &["one", "two", "four", "five"], &[]);
    check(&repo, &patch).blocks().says("test_three was removed");
    std::fs::write(repo.root().join("a.patch"), &patch).expect("a file");
    repo.gate(&["check", "--patch", "../a.patch"]).blocks();
    repo.gate(&["check", "--patch", "nowhere.patch"]).errs("cannot read the patch from nowhere.patch");
}

#[test]
fn edits_that_cut_through_the_code_are_not_called_unreadable() {
    let code = |bound: u32| {
        let body: String = (0..30).map(|n| format!("        if (value[{n}] > {bound}) {{\n            check(\n                value[{n}],\n            )\n        }}\n")).collect();
        format!(
            "def test_long():\n    data = {{\n{}    }}\n    assert data\n\n\ndef test_other():\n    assert 1\n",
            body
        )
    };
    let repo = Repo::new();
    repo.write(FILE, tests(&LONG) + &code(1));
    repo.write(
        "cart.test.js",
        format!(
            "describe('cart', () => {{\n{}}});\n",
            "  it('adds', () => {\n    expect(add(1)).toBe(2);\n  });\n".repeat(9)
        ),
    );
    repo.commit("First");
    repo.write(FILE, (tests(&LONG) + &code(1)).replace("value[15],", "value[15] + 1,"));
    repo.write(
        "cart.test.js",
        repo.read("cart.test.js").replacen("toBe(2);", "toBe(2); // two", 5).replacen("; // two", ";", 4),
    );
    for lines in ["-U0", "-U1", "-U3"] {
        let patch = repo.git(&["diff", lines]);
        assert_eq!(told(&repo, patch), [""; 0], "{lines}");
    }
}

/// A test whose assertion stands far from its name.
fn far(assertion: &str) -> String {
    format!("def test_far():\n{}    {assertion}\n", "    step()\n".repeat(40))
}

#[test]
fn few_lines_around_an_edit_are_enough() {
    let repo = Repo::new();
    repo.write(FILE, far("assert total() == 3"));
    repo.commit("First");
    repo.write(FILE, far("assert total()"));
    let patches = ["-U0", "-U1", "-U3"].map(|lines| repo.git(&["diff", lines]));
    let without_ids =
        patches[0].lines().filter(|line| !line.starts_with("index ")).collect::<Vec<_>>().join("\n");
    for patch in patches.iter().chain([&without_ids]) {
        assert_eq!(told(&repo, patch), ["assertion-weakened test_far"], "{patch}");
    }
    // What it starts from is no longer at HEAD, but still in the repository.
    repo.write(FILE, "def test_other():\n    assert 1 == one()\n");
    repo.commit("Second");
    assert_eq!(told(&repo, &patches[0]), ["assertion-weakened test_far"]);
    assert_eq!(told(&repo, without_ids), [""; 0]);
}

#[test]
fn what_a_patch_names_is_looked_up_in_the_repository_alone() {
    let repo = Repo::with_tests(&LONG);
    std::fs::write(repo.root().join("test_outside.py"), tests(&LONG)).expect("a file");
    repo.write("test_untracked.py", tests(&LONG));
    let before = |path: &str| {
        // The first line does stand in each of these files.
        let patch = format!(
            "diff --git a/{path} b/{path}\nindex HEAD..main 100644\n--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-def test_one():\n+def test_first():\n"
        );
        let outcome = repo.gate_reading(&["check", "--patch", "-", "--format", "json"], patch);
        let report: serde_json::Value =
            serde_json::from_str(&outcome.stdout).unwrap_or_else(|_| panic!("{}", outcome.both()));
        report["metrics"]["before"]["tests"].clone()
    };
    assert_eq!(before(FILE), 5);
    for path in ["../test_outside.py", "test_untracked.py", "tests/../../test_outside.py"] {
        assert_eq!(before(path), 1, "{path}");
    }
}

#[test]
fn a_line_that_comes_first_in_a_test_stands_there_without_any_lines_around_it() {
    let repo = Repo::with_tests(&LONG);
    repo.write(FILE, tests(&LONG).replace("def test_five():\n", "def test_five():\n    return\n"));
    for context in ["-U3", "-U0"] {
        let patch = repo.git(&["diff", context]) + "\n";
        check(&repo, patch).blocks().says("test_five");
    }
}

#[test]
fn a_deleted_file_blocks_with_or_without_its_content() {
    let repo = Repo::with_tests(&["total", "tax"]);
    repo.remove(FILE);
    check(&repo, repo.git(&["diff"])).blocks().says("was deleted with 2 tests");
    let plain = format!(
        "--- {FILE}\t2026-01-02 03:04:05\n+++ /dev/null\t1970-01-01\n@@ -1,3 +0,0 @@\n-def test_total():\n-    t = 1\n-    assert t\n"
    );
    check(&repo, plain).blocks();
    repo.git(&["checkout", "--quiet", "."]);
}

#[test]
fn hunk_counts_are_not_trusted() {
    let (repo, patch) = diff(&LONG, &["one", "two", "four", "five"], &[]);
    let header = patch.lines().find(|line| line.starts_with("@@")).expect("a hunk");
    for wrong in [
        "@@ -1,1 +1,1 @@",
        "@@ -1,900 +1,2 @@",
        "@@ -99999999999999999999 +1 @@",
        "@@ @@",
        "@@ -5000000,1 +1 @@",
    ] {
        check(&repo, patch.replace(header, wrong)).blocks().says("test_three was removed");
    }
}

#[test]
fn line_ends_of_windows_change_nothing() {
    let (repo, patch) = diff(&LONG, &["one", "two", "four", "five"], &[]);
    assert_eq!(told(&repo, patch.replace('\n', "\r\n")), ["test-removed test_three"]);
}

#[test]
fn unusual_paths_are_understood() {
    let repo = Repo::new();
    let names = [
        "tests/test_sp ace.py",
        "tests/test_\"q\".py",
        "tests/test_\u{e4}.py",
        "tests/test_\t\n.py",
        "tests/test_b/ b/test_x.py",
    ];
    for name in names {
        repo.write(name, tests(&["total", "tax"]));
    }
    repo.commit("First");
    for name in names {
        repo.remove(name);
    }
    for options in
        [&[][..], &["--no-prefix"], &["--src-prefix=i/", "--dst-prefix=w/"], &["--irreversible-delete"]]
    {
        let patch = repo.git(&[&["diff"], options].concat());
        let report = repo.gate_reading(&["check", "--patch", "-", "--format", "json"], &patch);
        let report: serde_json::Value = serde_json::from_str(&report.stdout).expect("JSON");
        let mut files: Vec<&str> = report["findings"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|finding| finding["file"].as_str().expect("text"))
            .collect();
        files.sort_unstable();
        let mut expected = names.to_vec();
        expected.sort_unstable();
        assert_eq!(files, expected, "{options:?}\n{patch}");
    }
}

#[test]
fn renames_are_followed() {
    let repo = Repo::with_tests(&LONG);
    repo.git(&["mv", FILE, "tests/test_basket.py"]);
    let patch = repo.git(&["diff", "--cached", "--find-renames"]);
    check(&repo, &patch).passes();
    repo.write("tests/test_basket.py", tests(&["one", "two", "three", "five"]));
    repo.add();
    let patch = repo.git(&["diff", "--cached", "--find-renames=10%"]);
    assert!(patch.contains("rename to"), "{patch}");
    assert_eq!(told(&repo, patch), ["test-removed test_four"]);
}

#[test]
fn several_files_are_one_change() {
    let repo = Repo::with_tests(&LONG);
    repo.write(FILE, tests(&["one", "two", "three", "four"]));
    repo.write("tests/test_new.py", tests(&["five"]));
    repo.write("cart.py", "x = 1\n");
    repo.add();
    check(&repo, repo.git(&["diff", "--cached"])).passes();
    repo.git(&["rm", "--quiet", "--force", "tests/test_new.py"]);
    check(&repo, repo.git(&["diff", "--cached"])).blocks();
}

#[test]
fn mails_are_patches() {
    let repo = Repo::with_tests(&LONG);
    repo.commit_tests(&["one", "two", "three", "five"]);
    repo.commit_tests(&["one", "three", "five"]);
    let mails = repo.git(&["format-patch", "--stdout", "HEAD~2"]);
    assert!(mails.contains("\n-- \n"));
    check(&repo, mails).blocks().says("test_four was removed");
}

#[test]
fn a_series_of_mails_is_judged_by_what_it_makes_of_each_file() {
    let repo = Repo::with_tests(&LONG);
    let start = repo.git(&["rev-parse", "HEAD"]);
    repo.commit_tests(&["one", "two", "three", "five"]);
    repo.commit_tests(&["one", "two", "three", "five", "four"]);
    let mails = repo.git(&["format-patch", "--stdout", "HEAD~2"]);
    repo.git(&["reset", "--quiet", "--hard", &start]);
    repo.git(&["reflog", "expire", "--expire=now", "--all"]);
    repo.git(&["gc", "--quiet", "--prune=now"]);
    check(&repo, mails).passes().says("tests 5");
}

#[test]
fn a_copy_with_edits_takes_nothing_away() {
    let repo = Repo::with_tests(&LONG);
    repo.write("tests/test_copy.py", tests(&["one", "two", "three"]));
    repo.add();
    let patch = repo.git(&["diff", "--cached", "--find-copies-harder", "--find-copies=30%"]);
    assert!(patch.contains("copy from"), "{patch}");
    check(&repo, patch).passes().says("tests 0 -> 3");
}

#[test]
fn a_signature_or_other_text_at_the_end_is_not_code() {
    let (repo, patch) = diff(&["one", "two"], &["one", "two", "three"], &[]);
    for end in ["-- \n2.47.3\n", "-- \r\n2.47.3\r\n\r\n", "\nThanks,\nsomebody\n", "-- "] {
        check(&repo, format!("{patch}{end}")).passes().says("tests 2 -> 3");
    }
}

#[test]
fn lines_that_look_like_headers_stay_lines() {
    let text = "-- a query\nSELECT 1;\n++ more\n";
    let repo = Repo::with_tests(&["total"]);
    repo.write("query.sql", text);
    repo.commit("Query");
    repo.write("query.sql", "");
    repo.write(FILE, tests(&["other"]));
    assert_eq!(told(&repo, repo.git(&["diff"])), ["test-removed test_total"]);
}

#[test]
fn what_is_no_patch_is_an_error() {
    let repo = Repo::with_tests(&["total"]);
    // Nothing differs: that is a diff too.
    for empty in ["", "\n"] {
        check(&repo, empty).passes().says("0 files changed");
    }
    check(&repo, "hello\n").errs("not a unified diff");
    check(&repo, "-- \n").errs("not a unified diff");
}

#[test]
fn a_combined_diff_of_a_merge_is_refused() {
    let repo = Repo::with_tests(&["total"]);
    repo.branch("other", "main");
    repo.commit_tests(&["total", "theirs"]);
    repo.checkout("main");
    repo.commit_tests(&["total", "ours"]);
    repo.try_git(&["merge", "other"]).blocks();
    repo.stage(&["ours", "theirs"]);
    repo.commit("Merge");
    check(&repo, repo.git(&["show"])).errs("check --commit");
    check(&repo, repo.git(&["show", "--first-parent", "--diff-merges=1"])).blocks();
}

#[test]
fn the_message_of_a_mail_changes_nothing() {
    let repo = Repo::with_tests(&LONG);
    repo.commit_tests(&["one", "two", "three", "five"]);
    repo.write("cart.py", "x = 1\n");
    repo.commit("Cart\n\ndeleted file mode 100644\nrename to elsewhere.txt\n@@ -1 +1 @@\n-def test_fake():\n-    assert 1\n");
    let mails = repo.git(&["format-patch", "--stdout", "HEAD~2"]);
    assert_eq!(told(&repo, mails), ["test-removed test_four"]);
}

#[test]
fn binary_patches_and_changes_of_mode_are_no_obstacle() {
    let repo = Repo::with_tests(&["total"]);
    repo.write("logo.png", b"\x89PNG\0\xff");
    repo.git(&["update-index", "--chmod=+x", FILE]);
    repo.git(&["add", "logo.png"]);
    check(&repo, repo.git(&["diff", "--cached"])).passes();
    check(&repo, repo.git(&["diff", "--cached", "--binary"])).passes();
}

#[test]
fn names_that_leave_the_repository_are_only_names() {
    for options in [&[][..], &["--object-format=sha256"]] {
        let repo = Repo::init(options);
        repo.commit("First");
        std::fs::write(repo.root().join("test_secret.py"), tests(&["secret"])).expect("a file");
        for name in [
            "../test_secret.py",
            "/etc/test_passwd.py",
            "a/../../test_secret.py",
            ".git/test_config.py",
            "a//b/./test_x.py",
        ] {
            let patch = format!(
                "--- a/{name}\n+++ b/{name}\n@@ -1,2 +1,2 @@\n def test_a():\n-    assert 1\n+    assert 2\n"
            );
            let report = check(&repo, patch).passes();
            assert!(!report.both().contains("secret()"), "{}", report.both());
        }
        let js = "--- a/../x.test.js\n+++ b/../x.test.js\n@@ -1 +1,2 @@\n import { suite } from '../../shared';\n+suite();\n";
        check(&repo, js).passes();
    }
}

#[test]
fn a_patch_is_judged_before_the_first_commit_too() {
    let repo = Repo::new();
    check(
        &repo,
        format!("--- a/{FILE}\n+++ b/{FILE}\n@@ -1,2 +0,0 @@\n-def test_a():\n-    assert total() == 1\n"),
    )
    .blocks();
}

fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("diff --git a/test_x.py b/test_x.py".to_owned()),
        Just("--- a/test_x.py".to_owned()),
        Just("+++ b/test_x.py".to_owned()),
        Just("--- /dev/null".to_owned()),
        Just("+++ \"b/\\303\\".to_owned()),
        "@@ -[0-9]{0,20},?[0-9]{0,3} \\+[0-9]{0,7} ?@?@?",
        "[-+ ](def test_[a-z]\\(\\):|    assert x|)",
        Just("deleted file mode 100644".to_owned()),
        Just("rename from \"".to_owned()),
        "\\PC{0,12}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn no_patch_makes_the_gate_panic(lines in prop::collection::vec(line(), 0..24)) {
        use aiwg_gate::git::{ChangeSet, Repository, Selection};
        static REPO: std::sync::OnceLock<Repo> = std::sync::OnceLock::new();
        let repository = Repository::open(REPO.get_or_init(Repo::new).directory()).expect("a repository");
        if let Ok(change) = ChangeSet::gather(&repository, &Selection::Patch(lines.join("\n").into_bytes())) {
            aiwg_gate::gate::check(&repository, &change, None).expect("a report");
        }
    }
}

#[test]
fn line_numbers_of_many_files_do_not_fill_the_memory() {
    let file = |number: usize| {
        format!(
            "--- a/tests/test_{number}.py\n+++ b/tests/test_{number}.py\n@@ -999999,2 +999999,0 @@\n\
             -def test_a():\n-    assert total({number}) == {number}\n"
        )
    };
    let patch: String = (0..40).map(file).collect();
    check(&Repo::with_tests(&["one"]), &patch).blocks().says("test_a was removed");
}
