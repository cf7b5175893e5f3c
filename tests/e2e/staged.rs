//! The staged change: what is judged is exactly what is committed.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use crate::repo::{GATE, Repo, outcome};
use crate::suite::{FILE, NO_SUITES, findings, inconclusive, skipped, tests};

const GONE: &[&str] = &["test-removed test_tax"];

#[test]
fn the_first_commit_has_nothing_to_lose() {
    let repo = Repo::new();
    repo.gate(&["check"]).passes();
    repo.stage(&["total", "tax"]);
    let report = repo.gate_json(&["check"]);
    assert_eq!(report["verdict"], "pass");
    assert_eq!(report["change"]["base"], serde_json::Value::Null);
    assert_eq!(report["metrics"]["after"]["tests"], 2);
    repo.install();
    // Nothing is found, but there is something to run.
    repo.try_commit(&[]).blocks().says("blocked[proof]").says("no run of this suite").says("0 -> 2 (+2)");
    repo.write("aiwg-gate.yaml", NO_SUITES);
    repo.add();
    repo.try_commit(&[]).passes().says("no test suite was found");
    assert_eq!(repo.note("HEAD")["verdict"], "warn");
}

#[test]
fn a_removed_test_blocks_and_a_kept_one_does_not() {
    let repo = Repo::with_tests(&["total", "tax"]);
    repo.gate(&["check"]).passes();
    repo.stage(&["total"]);
    repo.gate(&["check"]).blocks().says("test_tax was removed");
    repo.stage(&["tax", "total", "discount"]);
    repo.gate(&["check"]).passes();
}

#[test]
fn the_staged_content_is_judged_and_not_the_file_on_disk() {
    let repo = Repo::with_tests(&["total", "tax"]);
    repo.stage(&["total"]);
    repo.write(FILE, tests(&["total", "tax"]));
    assert_eq!(repo.findings(&[]), GONE);
    repo.git(&["add", FILE]);
    repo.write(FILE, tests(&["total"]));
    assert_eq!(repo.findings(&[]), [""; 0]);
}

#[test]
fn every_way_to_commit_is_judged_by_what_it_commits() {
    let other = "tests/test_other.py";
    let ways: &[(&[&str], bool)] = &[
        (&[], false),
        (&["--all"], true),
        (&[FILE], true),
        (&["--only", FILE], true),
        (&["--include", FILE], true),
        (&["--only", other], false),
        (&["--include", other], false),
    ];
    for (options, blocked) in ways {
        let repo = Repo::with_tests(&["total", "tax"]);
        repo.write(other, tests(&["other"]));
        repo.commit("Other");
        repo.install();
        repo.write(FILE, tests(&["total"]));
        repo.write(other, tests(&["other", "more"]));
        repo.write("staged.py", "x = 1\n");
        repo.git(&["add", "staged.py"]);
        let (head, before) = (repo.head(), repo.git(&["status", "--porcelain"]));
        let made = repo.try_commit(options);
        assert_eq!(made.code, i32::from(*blocked), "{options:?}\n{}", made.both());
        if *blocked {
            assert_eq!((repo.head(), repo.git(&["status", "--porcelain"])), (head, before), "{options:?}");
        } else {
            assert_eq!(repo.note("HEAD")["judged"], "before_commit", "{options:?}");
        }
    }
}

#[test]
fn what_is_staged_but_not_committed_does_not_block() {
    let repo = Repo::hooked(&["total", "tax"]);
    repo.stage(&["total"]);
    repo.write("cart.py", "x = 1\n");
    repo.git(&["add", "--intent-to-add", "cart.py"]);
    repo.try_commit(&["--only", "cart.py"]).passes();
    assert!(repo.has_note("HEAD"));
    repo.try_commit(&[]).blocks();
}

#[test]
fn a_linked_worktree_is_judged_by_its_own_index() {
    let repo = Repo::hooked(&["total", "tax"]);
    repo.git(&["worktree", "add", "--quiet", "../linked"]);
    let linked = repo.root().join("linked");
    std::fs::write(linked.join(FILE), tests(&["total"])).expect("a file");
    repo.gate(&["check"]).passes();
    repo.gate(&["-C", "../linked", "check"]).passes();
    repo.git(&["-C", "../linked", "add", "."]);
    repo.gate(&["-C", "../linked", "check"]).blocks();
    repo.try_git(&["-C", "../linked", "commit", "-qm", "Less"]).blocks();
    std::fs::write(linked.join(FILE), tests(&["total", "tax", "more"])).expect("a file");
    repo.try_git(&["-C", "../linked", "commit", "-qam", "More"]).passes();
    assert!(repo.has_note("linked"));
}

#[test]
fn a_sub_directory_and_variables_lead_to_the_same_answer() {
    let repo = Repo::with_tests(&["total", "tax"]);
    repo.stage(&["total"]);
    repo.gate(&["-C", "tests", "check"]).blocks();
    repo.gate(&["-C", ".git", "check"]).blocks();
    let elsewhere = |directory: &str, tree: Option<&str>| {
        let mut command = repo.command(GATE);
        command.current_dir(repo.root().join("home")).args(["check"]).env("GIT_DIR", directory);
        if let Some(tree) = tree {
            command.env("GIT_WORK_TREE", tree);
        }
        outcome(&mut command)
    };
    elsewhere("../work/.git", None).blocks();
    elsewhere("../work/.git", Some("../work")).blocks();
    let mut command = repo.command(GATE);
    command.current_dir(repo.root()).args(["-C", "home", "check"]).env("GIT_DIR", "../work/.git");
    outcome(&mut command).blocks();
    let mut command = repo.command(GATE);
    command.args(["check", "--worktree"]).env("GIT_DIR", repo.path(".git")).env("GIT_WORK_TREE", "../home");
    outcome(&mut command).blocks().says("was deleted");
}

#[test]
fn another_index_is_judged_where_a_variable_names_it() {
    let repo = Repo::with_tests(&["total", "tax"]);
    std::fs::copy(repo.path(".git/index"), repo.path(".git/other")).expect("a copy");
    repo.stage(&["total"]);
    outcome(repo.command(GATE).arg("check").env("GIT_INDEX_FILE", repo.path(".git/other"))).passes();
    outcome(repo.command(GATE).arg("check").env("GIT_INDEX_FILE", ".git/other")).passes();
    repo.gate(&["check"]).blocks();
}

#[test]
fn a_file_that_is_only_intended_is_not_part_of_the_change() {
    let repo = Repo::with_tests(&["total"]);
    repo.write("tests/test_new.py", tests(&["new"]));
    repo.git(&["add", "--intent-to-add", "tests/test_new.py"]);
    assert_eq!(repo.gate_json(&["check"])["change"]["files"], 0);
    repo.git(&["rm", "--quiet", "--cached", FILE]);
    repo.git(&["add", "--intent-to-add", FILE]);
    repo.gate(&["check"]).blocks();
}

#[test]
fn renames_are_followed() {
    let repo = Repo::with_tests(&["total", "tax", "discount"]);
    repo.git(&["mv", FILE, "tests/test_basket.py"]);
    let report = repo.gate_json(&["check"]);
    assert_eq!((&report["verdict"], &report["change"]["files"]), (&"pass".into(), &1.into()));
    repo.write("tests/test_basket.py", tests(&["total", "discount", "more"]));
    repo.add();
    assert_eq!(repo.findings(&[]), GONE);
    repo.git(&["mv", "tests/test_basket.py", "tests/basket.txt"]);
    repo.gate(&["check"]).blocks();
}

#[test]
fn a_change_of_mode_alone_says_nothing() {
    let repo = Repo::with_tests(&["total"]);
    repo.git(&["update-index", "--chmod=+x", FILE]);
    let report = repo.gate_json(&["check"]);
    assert_eq!((&report["verdict"], &report["change"]["files"]), (&"pass".into(), &1.into()));
}

#[test]
fn a_test_file_that_becomes_a_link_or_a_submodule_blocks() {
    let repo = Repo::with_tests(&["total"]);
    repo.remove(FILE);
    std::os::unix::fs::symlink("../elsewhere.py", repo.path(FILE)).expect("a link");
    repo.add();
    repo.gate(&["check"]).blocks();
    repo.git(&["update-index", "--cacheinfo", &format!("160000,{},{FILE}", repo.head())]);
    repo.gate(&["check"]).blocks();
    repo.git(&["update-index", "--force-remove", FILE]);
    repo.remove(FILE);
    repo.write(&format!("{FILE}/file.py"), "x = 1\n");
    repo.add();
    repo.gate(&["check"]).blocks().says("was deleted");
}

#[test]
fn binary_files_are_no_obstacle() {
    let repo = Repo::with_tests(&["total"]);
    repo.write("tests/logo.png", b"\x89PNG\0\xff\xfe");
    repo.add();
    repo.gate(&["check"]).passes();
    repo.write(FILE, b"\0\x01\x02\xff\xfe");
    repo.add();
    repo.gate(&["check"]).blocks();
}

#[test]
fn unusual_paths_are_read_and_printed_without_harm() {
    let names: &[&[u8]] = &[
        b"tests/test_sp ace.py",
        b"tests/test_\"quoted\".py",
        b"tests/test_new\nline.py",
        b"tests/test_\x1b[31mred\x1b]0;title\x07.py",
        b"tests/test_latin\xe4.py",
        b"tests/test_\xe2\x80\xaereversed.py",
        b"-tests/test_option.py",
        b":(top)/test_magic.py",
        b"[a-z]*/test_glob.py",
    ];
    let repo = Repo::new();
    for folder in ["tests", "-tests", ":(top)", "[a-z]*"] {
        std::fs::create_dir(repo.path(folder)).expect("a folder");
    }
    for name in names {
        std::fs::write(repo.directory().join(OsStr::from_bytes(name)), tests(&["total"])).expect("a file");
    }
    repo.commit("First");
    for name in names {
        std::fs::remove_file(repo.directory().join(OsStr::from_bytes(name))).expect("a file");
    }
    repo.add();
    let report = repo.gate_json(&["check"]);
    assert_eq!(findings(&report).len(), names.len(), "{report}");
    for args in [&["check"][..], &["tests", "--rev", "HEAD"], &["check", "-v"]] {
        let text = repo.gate(args).both();
        assert!(!text.contains(['\x1b', '\x07', '\u{202e}']), "{text:?}");
    }
    let coloured = repo.gate(&["check", "--color", "always"]).both();
    let harmless = coloured.split('\x1b').skip(1).all(|rest| {
        rest.strip_prefix('[').is_some_and(|rest| {
            rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';').starts_with('m')
        })
    });
    assert!(harmless && coloured.contains("\x1b["), "{coloured:?}");
    assert!(!coloured.contains("\x1b[31mred"), "{coloured:?}");
}

#[test]
fn what_cannot_be_read_is_told_and_never_fine() {
    let repo = Repo::with_tests(&["total"]);
    repo.write("tests/test_ruby.rb", "def test_a; assert total == 1; end\n");
    repo.commit("Tests in a language that nobody reads");
    let huge = format!("{}{}", tests(&["total"]), "# filler\n".repeat(350_000));
    repo.write("tests/test_huge.py", &huge);
    repo.write("tests/test_broken.py", "def test_a(:\n    assert (\n\ndef test_b():\n    assert 1\n");
    repo.write("tests/test_ruby.rb", "def test_a; assert true; end\n");
    repo.add();
    let report = repo.gate_json(&["check"]);
    let expected = ["tests/test_broken.py", "tests/test_huge.py", "tests/test_ruby.rb"];
    assert_eq!(
        (&report["verdict"], inconclusive(&report)),
        (&"warn".into(), expected.map(String::from).to_vec())
    );
    repo.gate(&["check"]).passes().says("could not tell: tests/test_huge.py");
    repo.write(FILE, huge);
    repo.add();
    assert_eq!(repo.findings(&[]), [format!("test-unreadable {FILE}")]);
}

#[test]
fn a_place_that_could_not_be_read_before_either_is_told_once() {
    let repo = Repo::with_tests(&["total"]);
    let broken = "def test_a():\n    assert total() == 1\n\n\nx = = 2\n";
    let path = "tests/test_broken.py";
    repo.write(path, broken);
    repo.add();
    assert_eq!(inconclusive(&repo.gate_json(&["check"])), [path]);
    repo.commit("A file that is broken in one place");
    repo.write(path, format!("import cart\n\n{broken}\n\ndef test_b():\n    assert cart.tax() == 2\n"));
    repo.add();
    let report = repo.gate_json(&["check"]);
    assert_eq!((&report["verdict"], inconclusive(&report)), (&"pass".into(), Vec::<String>::new()));
    repo.write(path, broken.replace("test_a()", "test_a(:"));
    repo.add();
    assert_eq!(inconclusive(&repo.gate_json(&["check"])), [path]);
}

#[test]
fn code_that_can_no_longer_be_read_in_full_is_told() {
    let repo = Repo::with_tests(&["total"]);
    repo.write("shop/cart.py", "def total(items):\n    return sum(items)\n");
    repo.commit("Code");
    repo.write("shop/cart.py", "def total(items:\n    return sum(items)\n");
    repo.add();
    assert_eq!(inconclusive(&repo.gate_json(&["check"])), ["shop/cart.py"]);
}

#[test]
fn a_conflict_is_an_error_with_the_way_out() {
    let repo = Repo::with_tests(&["total"]);
    repo.branch("other", "main");
    repo.commit_tests(&["total", "tax"]);
    repo.checkout("main");
    repo.commit_tests(&["total", "discount"]);
    repo.try_git(&["merge", "other"]).blocks();
    repo.gate(&["check"]).errs("tests/test_cart.py is not merged yet").says("git add");
}

#[test]
fn a_detached_head_is_as_good_as_a_branch() {
    let repo = Repo::hooked(&["total", "tax"]);
    repo.git(&["checkout", "--quiet", "--detach"]);
    repo.stage(&["total"]);
    repo.try_commit(&[]).blocks();
    repo.stage(&["total", "tax", "more"]);
    repo.try_commit(&[]).passes();
    assert!(repo.has_note("HEAD"));
}

#[test]
fn files_that_git_is_told_not_to_look_at_are_judged_by_the_index() {
    for flag in ["--assume-unchanged", "--skip-worktree"] {
        let repo = Repo::with_tests(&["total", "tax"]);
        repo.git(&["update-index", flag, FILE]);
        repo.write(FILE, tests(&["total"]));
        repo.gate(&["check"]).passes();
        repo.git(&["update-index", &flag.replace("--", "--no-"), FILE]);
        repo.add();
        repo.git(&["update-index", flag, FILE]);
        repo.gate(&["check"]).blocks();
    }
}

#[test]
fn a_skip_counts_as_staged() {
    let repo = Repo::with_tests(&["total"]);
    repo.write(FILE, skipped(&["total"]));
    repo.gate(&["check"]).passes();
    repo.add();
    assert_eq!(repo.findings(&[]).len(), 1);
}

mod both_ways {
    //! libgit2 and git give the same list of staged paths.

    use aiwg_gate::git::Repository;
    use proptest::prelude::*;

    use crate::repo::Repo;

    #[derive(Clone, Debug)]
    enum Step {
        Write(usize, u8),
        Delete(usize),
        Rename(usize, usize),
        Executable(usize),
        Link(usize),
        Intend(usize),
        Submodule(usize),
        Commit,
    }

    const PATHS: [&str; 6] = ["a", "b.py", "dir/a", "dir/b c", "dir/deep/\u{e4}", "dir.x"];

    fn step() -> impl Strategy<Value = Step> {
        let path = 0..PATHS.len();
        prop_oneof![
            4 => (path.clone(), 0..3_u8).prop_map(|(path, content)| Step::Write(path, content)),
            2 => path.clone().prop_map(Step::Delete),
            1 => (path.clone(), path.clone()).prop_map(|(from, to)| Step::Rename(from, to)),
            1 => path.clone().prop_map(Step::Executable),
            1 => path.clone().prop_map(Step::Link),
            2 => path.clone().prop_map(Step::Intend),
            1 => path.prop_map(Step::Submodule),
            1 => Just(Step::Commit),
        ]
    }

    /// Steps that make no sense where they stand are refused by git, which is fine.
    fn take(repo: &Repo, step: &Step) {
        let on_disk = |path: usize| repo.path(PATHS[path]);
        match *step {
            Step::Write(path, content) => {
                let _ = std::fs::remove_file(on_disk(path));
                repo.write(PATHS[path], [content, b'\n']);
                repo.try_git(&["add", PATHS[path]]);
            }
            Step::Delete(path) => drop(repo.try_git(&["rm", "--quiet", "--force", PATHS[path]])),
            Step::Rename(from, to) => drop(repo.try_git(&["mv", "--force", PATHS[from], PATHS[to]])),
            Step::Executable(path) => drop(repo.try_git(&["update-index", "--chmod=+x", PATHS[path]])),
            Step::Link(path) => {
                let _ = std::fs::remove_file(on_disk(path));
                if std::os::unix::fs::symlink("target", on_disk(path)).is_ok() {
                    repo.try_git(&["add", PATHS[path]]);
                }
            }
            Step::Intend(path) => {
                repo.try_git(&["rm", "--quiet", "--cached", PATHS[path]]);
                repo.write(PATHS[path], "intended\n");
                repo.try_git(&["add", "--intent-to-add", PATHS[path]]);
            }
            Step::Submodule(path) => {
                let entry = format!("160000,{},{}", "1".repeat(40), PATHS[path]);
                repo.try_git(&["update-index", "--add", "--replace", "--cacheinfo", &entry]);
            }
            Step::Commit => drop(repo.try_git(&["commit", "--quiet", "-m", "x"])),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 10, failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn the_staged_list_is_the_same_by_libgit2_and_by_git(steps in prop::collection::vec(step(), 1..14)) {
            let repo = Repo::new();
            std::fs::create_dir_all(repo.path("dir/deep")).expect("a folder");
            for step in &steps {
                take(&repo, step);
            }
            let opened = Repository::open(repo.directory()).expect("a repository");
            let head = opened.head().expect("a head");
            let listed = opened.staged(head.as_ref()).expect("a list");
            prop_assert_eq!(listed, opened.staged_by_git(head.as_ref()).expect("a list"));
        }
    }
}

#[test]
fn tests_that_move_to_where_nobody_looks_are_gone() {
    for place in ["vendor", "node_modules/own", "third_party"] {
        let repo = Repo::with_tests(&["total", "tax"]);
        repo.write(&format!("{place}/test_cart.py"), repo.read(FILE));
        repo.remove(FILE);
        repo.add();
        repo.gate(&["check"]).blocks().says("deleted with 2 tests");
    }
}

#[test]
fn tests_that_come_from_there_are_welcome() {
    let repo = Repo::new();
    repo.write("vendor/test_cart.py", tests(&["total", "tax"]));
    repo.commit("Vendored");
    repo.write(FILE, repo.read("vendor/test_cart.py"));
    repo.remove("vendor/test_cart.py");
    repo.add();
    repo.gate(&["check"]).passes();
}

#[test]
fn the_command_that_brings_a_file_back_means_that_file_alone() {
    let repo = Repo::new();
    repo.write("tests/[id]/test_a.py", tests(&["total"]));
    repo.commit("Tests");
    repo.remove("tests/[id]/test_a.py");
    repo.add();
    repo.gate(&["check"]).blocks().says("-- ':(top,literal)tests/[id]/test_a.py'");
}

#[test]
fn the_command_that_brings_a_file_back_works_in_any_folder() {
    let repo = Repo::with_tests(&["total", "tax"]);
    repo.write("_odd/test_a.py", tests(&["odd"]));
    repo.write("docs/a.md", "# A\n");
    repo.commit("More");
    for file in [FILE, "_odd/test_a.py"] {
        repo.remove(file);
        repo.add();
        let told = repo.gate(&["-C", "docs", "check"]).blocks().stdout;
        let start = told.find("git restore").expect("a command");
        let command = told[start..].lines().next().expect("a line");
        outcome(repo.command("sh").args(["-c", command]).current_dir(repo.path("docs"))).passes();
        assert!(repo.path(file).is_file(), "{command}");
        repo.gate(&["check"]).passes();
    }
}

#[test]
fn attributes_count_in_a_change_of_many_folders() {
    let repo = Repo::new();
    let file = |number: usize| format!("f{number}/test_a{number}.py");
    for number in 0..70 {
        repo.write(&file(number), tests(&["total"]));
    }
    repo.write("f7/.gitattributes", "*.py linguist-generated\n");
    repo.commit("Tests");
    for number in 0..70 {
        let kept = if number == 7 { String::new() } else { tests(&["total", "tax"]) };
        repo.write(&file(number), kept);
    }
    repo.add();
    repo.gate(&["check"]).passes();
    repo.write(&file(8), "");
    repo.add();
    assert_eq!(repo.findings(&[]), ["test-removed test_total"]);
}
