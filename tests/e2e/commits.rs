//! Commits, ranges and the working tree: what is compared with what, and that looking changes nothing.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::repo::{Repo, outcome};
use crate::suite::{FILE, skipped, tests};

#[test]
fn a_commit_is_judged_against_its_parent() {
    let repo = Repo::with_tests(&["total", "tax"]);
    let less = repo.commit_tests(&["total"]);
    repo.commit_tests(&["total", "more"]);
    assert_eq!(repo.findings(&["--commit", &less]), ["test-removed test_tax"]);
    let report = repo.gate_json(&["check", "--commit", "HEAD~1"]);
    assert_eq!(report["change"]["head"], less.as_str());
    assert_eq!(report["change"]["base"], repo.git(&["rev-parse", "HEAD~2"]).as_str());
    repo.gate(&["check", "--commit", "HEAD"]).passes();
    repo.gate(&["check", "--commit", &less[..12]])
        .blocks()
        .says(&format!("git show {}", &repo.git(&["rev-parse", "HEAD~2"])[..10]));
}

#[test]
fn what_hides_among_many_licence_headers_is_found() {
    let repo = Repo::with_tests(&["total", "tax"]);
    let header = |year: u32, file: u32| format!("# Copyright {year} The authors.\n\nx = {file}\n");
    let write_all =
        |year| (0..60).for_each(|file| repo.write(&format!("src/a{file}.py"), header(year, file)));
    write_all(2025);
    repo.commit("Headers");
    write_all(2026);
    repo.commit("Another year");
    let report = repo.gate_json(&["check", "--commit", "HEAD"]);
    assert_eq!((&report["verdict"], &report["change"]["files"]), (&"pass".into(), &60.into()));
    write_all(2027);
    repo.commit_tests(&["total"]);
    assert_eq!(repo.findings(&["--commit", "HEAD"]), ["test-removed test_tax"]);
}

#[test]
fn a_root_commit_adds_everything() {
    let repo = Repo::with_tests(&["total", "tax"]);
    let report = repo.gate_json(&["check", "--commit", "HEAD"]);
    assert_eq!((&report["verdict"], &report["change"]["files"]), (&"pass".into(), &2.into()));
}

#[test]
fn a_tag_names_its_commit() {
    let repo = Repo::with_tests(&["total", "tax"]);
    repo.commit_tests(&["total"]);
    repo.git(&["tag", "--annotate", "-m", "x", "v1"]);
    repo.gate(&["check", "--commit", "v1"]).blocks();
    repo.gate(&["check", "--range", "v1~1..v1"]).blocks();
}

#[test]
fn a_bare_repository_has_commits_and_ranges_but_nothing_staged() {
    let repo = Repo::with_tests(&["total", "tax"]);
    repo.commit_tests(&["total"]);
    repo.git(&["clone", "--quiet", "--bare", ".", "../bare.git"]);
    let gate = |args: &[&str]| repo.gate(&[&["-C", "../bare.git"], args].concat());
    gate(&["check", "--commit", "HEAD"]).blocks();
    gate(&["check", "--range", "HEAD~1.."]).blocks();
    gate(&["tests", "--rev", "HEAD"]).passes().says("test_total");
    gate(&["check"]).errs("bare repository has no index").says("--commit");
    gate(&["check", "--worktree"]).errs("bare repository has no working tree");
    gate(&["tests"]).errs("--rev");
}

#[test]
fn a_range_is_judged_from_where_its_ends_parted() {
    let repo = Repo::with_tests(&["total"]);
    repo.branch("feature", "main");
    repo.write("tests/test_feature.py", tests(&["feature"]));
    repo.commit("Feature");
    repo.checkout("main");
    repo.commit_tests(&["total", "later"]);
    repo.gate(&["check", "--range", "main..feature"]).passes();
    repo.gate(&["check", "--range", "main...feature"]).passes();
    repo.checkout("feature");
    repo.write(FILE, tests(&["other"]));
    repo.commit("Less");
    assert_eq!(repo.findings(&["--range", "main..feature"]), ["test-removed test_total"]);
    assert_eq!(repo.findings(&["--range", "main.."]), ["test-removed test_total"]);
    assert_eq!(repo.findings(&["--range", "..main"]), [""; 0]);
}

#[test]
fn a_range_is_one_change_whatever_its_commits_did() {
    let repo = Repo::with_tests(&["total", "tax"]);
    let first = repo.head();
    repo.commit_tests(&["total"]);
    repo.commit_tests(&["total", "tax"]);
    repo.gate(&["check", "--range", &format!("{first}..HEAD")]).passes();
}

#[test]
fn revisions_that_name_nothing_are_errors() {
    let repo = Repo::with_tests(&["total"]);
    repo.gate(&["check", "--commit", "nowhere"]).errs("there is no commit `nowhere`");
    repo.gate(&["check", "--range", "main..nowhere"]).errs("there is no commit `nowhere`");
    repo.gate(&["check", "--range", "main"]).errs("write it as A..B");
    repo.gate(&["check", "--commit", "HEAD:tests"]).errs("there is no commit");
    repo.gate(&["check", "--commit", "HEAD~9"]).errs("there is no commit");
    repo.gate(&["tests", "--rev", ""]).errs("there is no commit");
    repo.git(&["checkout", "--quiet", "--orphan", "other"]);
    repo.commit("Elsewhere");
    repo.gate(&["check", "--range", "main..other"]).errs("have no common history");
}

#[test]
fn a_revision_is_never_taken_for_an_option() {
    let repo = Repo::with_tests(&["total"]);
    for revision in ["--all", "--output=stolen", "-h", "--upload-pack=touch stolen"] {
        repo.gate(&["check", &format!("--commit={revision}")]).errs("there is no commit");
        repo.gate(&["check", &format!("--range={revision}..main")]).errs("there is no commit");
        repo.gate(&["tests", &format!("--rev={revision}")]).errs("there is no commit");
    }
    assert!(!repo.path("stolen").exists());
}

#[test]
fn the_end_of_a_shallow_clone_is_an_error_with_the_command() {
    let repo = Repo::with_tests(&["total", "tax"]);
    repo.branch("side", "main");
    repo.commit_tests(&["total", "tax", "side"]);
    repo.checkout("main");
    repo.commit_tests(&["total"]);
    let source = format!("file://{}", repo.directory().display());
    repo.git(&["clone", "--quiet", "--depth=1", "--no-single-branch", &source, "../shallow"]);
    let gate = |args: &[&str]| repo.gate(&[&["-C", "../shallow"], args].concat());
    gate(&["check", "--commit", "HEAD"]).errs("git fetch --deepen=1");
    gate(&["check", "--range", "origin/side..HEAD"]).errs("git fetch --unshallow");
    gate(&["check"]).passes();
    repo.git(&["-C", "../shallow", "fetch", "--quiet", "--deepen=1"]);
    gate(&["check", "--commit", "HEAD"]).blocks();
    std::fs::write(repo.root().join("shallow").join(FILE), tests(&["other"])).expect("a file");
    gate(&["install", "--binary", crate::repo::GATE]).passes();
    repo.try_git(&["-C", "../shallow", "commit", "--quiet", "--all", "-m", "x"]).blocks();
}

#[test]
fn the_working_tree_is_judged_as_it_is_on_disk() {
    let repo = Repo::with_tests(&["total", "tax"]);
    repo.write(".gitignore", "ignored/\n");
    repo.commit("Ignore");
    let files = || repo.gate_json(&["check", "--worktree"])["change"]["files"].clone();
    repo.write("ignored/test_x.py", tests(&["x"]));
    assert_eq!(files(), 0);
    repo.write("tests/test_untracked.py", tests(&["untracked"]));
    assert_eq!(files(), 1);
    repo.write(FILE, tests(&["total"]));
    assert_eq!(repo.findings(&["--worktree"]), ["test-removed test_tax"]);
    repo.gate(&["check"]).passes();
    repo.remove(FILE);
    repo.gate(&["-C", "tests", "check", "--worktree"]).blocks().says("was deleted");
    repo.write("tests/test_untracked.py", tests(&["total", "tax"]));
    repo.gate(&["check", "--worktree"]).passes();
}

#[test]
fn a_file_that_was_written_again_is_not_changed() {
    let repo = Repo::with_tests(&["total", "tax"]);
    repo.remove(FILE);
    repo.write(FILE, tests(&["total", "tax"]));
    assert_eq!(repo.gate_json(&["check", "--worktree"])["change"]["files"], 0);
}

#[test]
fn the_working_tree_before_the_first_commit_has_everything_to_gain() {
    let repo = Repo::new();
    repo.stage(&["total"]);
    repo.write("tests/test_new.py", tests(&["new"]));
    repo.write("tests/test_meant.py", tests(&["meant"]));
    repo.git(&["add", "--intent-to-add", "tests/test_meant.py"]);
    let report = repo.gate_json(&["check", "--worktree"]);
    assert_eq!((&report["verdict"], &report["metrics"]["after"]["tests"]), (&"pass".into(), &3.into()));
}

#[test]
fn replaced_objects_do_not_hide_what_is_committed() {
    let repo = Repo::with_tests(&["total", "tax"]);
    let first = repo.head();
    repo.commit_tests(&["total"]);
    repo.git(&["replace", &first, "HEAD"]);
    repo.gate(&["check", "--commit", "HEAD"]).blocks();
}

/// Every file with its time of change and its content.
fn picture(root: &Path) -> BTreeMap<PathBuf, (SystemTime, Vec<u8>)> {
    let mut picture = BTreeMap::new();
    let mut pending = vec![root.to_owned()];
    while let Some(path) = pending.pop() {
        let metadata = std::fs::symlink_metadata(&path).expect("metadata");
        let content = if metadata.is_dir() {
            pending.extend(
                std::fs::read_dir(&path).expect("a folder").map(|entry| entry.expect("an entry").path()),
            );
            Vec::new()
        } else {
            std::fs::read(&path).expect("a file")
        };
        picture.insert(path, (metadata.modified().expect("a time"), content));
    }
    picture
}

#[test]
fn looking_writes_nothing() {
    let repo = Repo::with_tests(&["total", "tax"]);
    repo.commit_tests(&["total", "more"]);
    repo.write(FILE, skipped(&["total"]));
    repo.add();
    repo.remove(FILE);
    repo.write(FILE, skipped(&["total"]));
    repo.write("untracked.py", "x = 1\n");
    let patch = outcome(repo.command("git").args(["diff", "HEAD"])).passes().stdout;
    std::fs::write(repo.root().join("patch"), patch).expect("a file");
    let before = picture(repo.root());
    let commands: &[&[&str]] = &[
        &["check"],
        &["check", "--worktree"],
        &["check", "--commit", "HEAD"],
        &["check", "--range", "HEAD~1.."],
        &["check", "--patch", "../patch"],
        &["tests"],
        &["tests", "--rev", "HEAD"],
        &["status"],
        &["explain", "test-removed"],
        &["config", "list"],
    ];
    for command in commands {
        assert!(matches!(repo.gate(command).code, 0 | 1), "{command:?}");
        assert!(picture(repo.root()) == before, "{command:?} wrote something");
    }
    // Whether the files on disk were run is asked by objects, which git throws away again.
    repo.write("aiwg-gate.yaml", "version: 1\n");
    repo.commit("Suites count");
    repo.write(FILE, skipped(&["total", "more"]));
    let looks = || {
        let mut picture = picture(repo.root());
        picture.retain(|path, _| !path.starts_with(repo.path(".git/objects")));
        picture
    };
    let before = looks();
    repo.gate_proving(&["check", "--worktree"]).blocks().says("blocked[proof]");
    for command in commands {
        assert!(matches!(repo.gate_proving(command).code, 0 | 1), "{command:?}");
        assert!(looks() == before, "{command:?} wrote something");
    }
}

#[test]
fn a_change_that_is_taken_back_warns_of_the_tests_that_go_with_it() {
    let repo = Repo::with_tests(&["total"]);
    let code = |rate: &str| format!("def total(items):\n    return sum(items) * {rate}\n");
    repo.write("shop/cart.py", code("1"));
    repo.commit("Code");
    repo.write("shop/cart.py", code("RATE"));
    repo.write(FILE, tests(&["total", "tax"]));
    let change = repo.commit("Tax");
    repo.write("shop/other.py", "NAME = 'shop'\n");
    repo.commit("Something else");
    repo.git(&["revert", "--no-edit", &change]);
    repo.gate(&["check", "--commit", "HEAD"])
        .passes()
        .says("warning[test-removed]")
        .says("takes it back to what it was at");
    repo.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
    repo.write(FILE, tests(&["total"]));
    repo.add();
    repo.gate(&["check"]).blocks();
    repo.write("shop/cart.py", code("1"));
    repo.add();
    repo.gate(&["check"]).passes();
    repo.write("shop/cart.py", code("2"));
    repo.add();
    repo.gate(&["check"]).blocks();
}

#[test]
fn files_edited_since_are_taken_back_line_by_line() {
    let repo = Repo::with_tests(&["total"]);
    let code = |rate: &str, name: &str| {
        format!("NAME = '{name}'\n\n\ndef total(items):\n    return sum(items) * {rate}\n")
    };
    repo.write("shop/cart.py", code("1", "shop"));
    repo.commit("Code");
    repo.write("shop/cart.py", code("RATE", "shop"));
    repo.write(FILE, tests(&["total", "tax"]));
    repo.commit("Tax");
    repo.write("shop/cart.py", code("RATE", "store"));
    repo.write(FILE, tests(&["total", "tax", "name"]));
    repo.commit("Name");
    repo.write(FILE, tests(&["total", "name"]));
    repo.write("shop/cart.py", code("2", "store"));
    repo.add();
    repo.gate(&["check"]).blocks();
    repo.write("shop/cart.py", code("1", "store"));
    repo.add();
    repo.gate(&["check"]).passes().says("warning[test-removed]").says("what goes here came with");
}

#[test]
fn a_cut_off_history_is_no_obstacle_to_a_block() {
    let repo = Repo::with_tests(&["total", "tax"]);
    repo.write("shop/cart.py", "def total(items):\n    return sum(items)\n");
    repo.commit("Code");
    repo.commit("Nothing");
    let shallow = repo.root().join("shallow");
    let from = format!("file://{}", repo.directory().display());
    repo.git(&["clone", "--quiet", "--depth", "1", &from, shallow.to_str().expect("a path")]);
    std::fs::write(shallow.join(FILE), tests(&["total"])).expect("an edit");
    std::fs::write(shallow.join("shop/cart.py"), "def total(items):\n    return 1 + sum(items)\n")
        .expect("an edit");
    let shallow = shallow.to_str().expect("a path");
    repo.git(&["-C", shallow, "add", "--all"]);
    repo.gate(&["-C", shallow, "check"]).blocks();
}
