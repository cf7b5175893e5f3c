//! The installed hooks with real git: what blocks, what is written down, what is told.

use crate::repo::{GATE, Repo, outcome};
use crate::suite::{FILE, NO_SUITES, tests};

const JUDGED_NEVER: &str = "this commit was never judged";

#[test]
fn a_removed_test_stops_the_commit_and_leaves_everything_as_it_was() {
    let repo = Repo::hooked(&["total", "tax"]);
    repo.stage(&["total"]);
    repo.write(FILE, tests(&["total", "unstaged"]));
    repo.write("untracked.py", "x = 1\n");
    let state = || {
        (
            repo.head(),
            repo.git(&["ls-files", "--stage"]),
            repo.git(&["status", "--porcelain"]),
            repo.read(FILE),
        )
    };
    let before = state();
    repo.try_commit(&[]).blocks().says("test_tax was removed").says("Nothing was committed");
    // Nobody tried to commit.
    repo.gate(&["check"]).blocks().says("and check again").never_says("Nothing was committed");
    assert_eq!(state(), before);
    assert!(!repo.has_note("HEAD"));
}

#[test]
fn a_test_that_moves_to_another_file_passes() {
    let repo = Repo::hooked(&["total", "tax"]);
    repo.stage(&["total"]);
    repo.write("tests/test_tax.py", tests(&["tax"]));
    repo.add();
    repo.try_commit(&[]).passes();
    assert_eq!(repo.note("HEAD")["verdict"], "pass");
}

#[test]
fn the_note_says_what_was_judged() {
    let repo = Repo::hooked(&["total", "tax"]);
    repo.stage(&["total", "tax", "more"]);
    repo.try_commit(&[]).passes();
    let note = repo.note("HEAD");
    assert_eq!((&note["version"], &note["judged"]), (&1.into(), &"before_commit".into()));
    assert_eq!(note["tests"], serde_json::json!({"before": 2, "after": 3}));
    assert_eq!(note["findings"], serde_json::json!({"block": 0, "warn": 0, "log": 0}));
    assert_eq!(repo.git(&["notes", "--ref=aiwg-gate", "list"]).split(' ').nth(1), Some(repo.head().as_str()));
    let waiting = std::fs::read_dir(repo.path(".git/aiwg-gate/verdicts")).expect("a folder");
    assert_eq!(waiting.count(), 0);
}

#[test]
fn a_bypassed_commit_is_told_and_shown() {
    let repo = Repo::hooked(&["total", "tax"]);
    repo.stage(&["total"]);
    repo.try_commit(&["--no-verify"]).passes().says(JUDGED_NEVER);
    assert!(!repo.has_note("HEAD"));
    let status = repo.gate_json(&["status"]);
    assert_eq!(status["commits"][0]["verdict"], serde_json::Value::Null);
    repo.gate(&["check", "--commit", "HEAD"]).blocks();
}

#[test]
fn an_amended_commit_is_judged_again_against_its_parent() {
    let repo = Repo::hooked(&["total", "tax"]);
    repo.stage(&["total", "tax", "more"]);
    repo.try_commit(&[]).passes();
    repo.stage(&["total", "tax", "more", "again"]);
    repo.try_commit(&["--amend"]).passes().never_says(JUDGED_NEVER);
    let note = repo.note("HEAD");
    assert_eq!((&note["judged"], &note["tests"]["after"]), (&"after_commit".into(), &4.into()));
    repo.try_commit(&["--amend", "-m", "Another message"]).passes().never_says(JUDGED_NEVER);
    assert_eq!(repo.note("HEAD")["judged"], "after_commit");
    repo.stage(&["total", "tax"]);
    repo.try_commit(&["--amend"]).blocks();
    repo.try_commit(&["--amend", "--no-verify", "--allow-empty"]).passes().says(JUDGED_NEVER);
}

#[test]
fn notes_that_git_carries_along_do_not_hide_the_verdict() {
    let repo = Repo::hooked(&["total", "tax"]);
    repo.git(&["config", "notes.rewriteRef", "refs/notes/*"]);
    repo.stage(&["total", "tax", "more"]);
    repo.try_commit(&[]).passes();
    repo.try_commit(&["--amend", "-m", "Again"]).passes();
    assert!(repo.git(&["notes", "--ref=aiwg-gate", "show"]).contains("before_commit"));
    assert_eq!(repo.gate_json(&["status"])["commits"][0]["verdict"]["judged"], "after_commit");
}

#[test]
fn the_very_first_commit_can_be_amended() {
    let repo = Repo::new();
    repo.install();
    repo.write("aiwg-gate.yaml", NO_SUITES);
    repo.git(&["add", "aiwg-gate.yaml"]);
    repo.stage(&["total", "tax"]);
    repo.try_commit(&[]).passes();
    repo.stage(&["total", "tax", "more"]);
    repo.try_commit(&["--amend"]).passes().never_says(JUDGED_NEVER);
    assert_eq!(repo.note("HEAD")["verdict"], "pass");
}

#[test]
fn a_removal_in_several_amends_is_told_in_the_end() {
    let repo = Repo::hooked(&["total", "tax"]);
    repo.write("cart.py", "x = 1\n");
    repo.add();
    repo.try_commit(&[]).passes();
    repo.stage(&["total"]);
    repo.try_commit(&["--amend", "--no-verify"]).passes();
    repo.write("cart.py", "x = 2\n");
    repo.add();
    repo.try_commit(&["--amend"]).passes().says("test_tax was removed").says("The commit exists already");
    assert_eq!(repo.note("HEAD")["verdict"], "block");
}

#[test]
fn an_amended_merge_is_judged_as_a_merge() {
    let repo = Repo::hooked(&["total", "tax"]);
    repo.branch("other", "main");
    repo.write("tests/test_other.py", tests(&["other"]));
    repo.commit("Other");
    repo.checkout("main");
    repo.commit_tests(&["total", "tax", "more"]);
    repo.git(&["merge", "--quiet", "--no-edit", "other"]);
    repo.try_commit(&["--amend"]).passes().never_says(JUDGED_NEVER);
    assert_eq!(repo.note("HEAD")["verdict"], "pass");
    repo.git(&["rm", "--quiet", "tests/test_other.py"]);
    repo.try_commit(&["--amend", "--no-verify"]).passes();
    repo.try_commit(&["--amend"]).passes().says("tests/test_other.py was deleted");
}

#[test]
fn rebased_picked_and_reverted_commits_are_judged_when_they_are_there() {
    let repo = Repo::hooked(&["total", "tax"]);
    repo.branch("feature", "main");
    repo.write("tests/test_one.py", tests(&["one"]));
    repo.commit("One");
    repo.write("tests/test_two.py", tests(&["two"]));
    repo.commit("Two");
    repo.checkout("main");
    repo.write("cart.py", "x = 1\n");
    repo.commit("Cart");
    repo.try_git(&["cherry-pick", "feature~1"]).passes().never_says(JUDGED_NEVER);
    assert_eq!(repo.note("HEAD")["judged"], "after_commit");
    repo.try_git(&["revert", "--no-edit", "HEAD"]).passes().says("tests/test_one.py was deleted");
    assert_eq!(repo.note("HEAD")["verdict"], "block");
    repo.checkout("feature");
    repo.try_git(&["rebase", "--quiet", "main~2"]).passes().never_says(JUDGED_NEVER);
    for commit in ["HEAD", "HEAD~1"] {
        assert_eq!(repo.note(commit)["judged"], "after_commit");
    }
}

#[test]
fn a_rebase_that_stops_and_goes_on_is_judged() {
    let repo = Repo::hooked(&["total", "tax"]);
    repo.branch("feature", "main");
    repo.commit_tests(&["total", "tax", "feature"]);
    repo.checkout("main");
    repo.commit_tests(&["total", "tax", "main"]);
    repo.checkout("feature");
    repo.try_git(&["rebase", "--quiet", "main"]).blocks();
    repo.stage(&["total", "tax", "feature"]);
    outcome(repo.command("git").args(["rebase", "--continue"]).env("GIT_EDITOR", "true"))
        .passes()
        .says("test_main was removed");
    assert_eq!(repo.note("HEAD")["verdict"], "block");
}

#[test]
fn without_a_log_of_references_everything_is_still_judged() {
    let repo = Repo::hooked(&["total", "tax"]);
    repo.git(&["config", "core.logAllRefUpdates", "false"]);
    std::fs::remove_dir_all(repo.path(".git/logs")).expect("no logs");
    repo.stage(&["total", "tax", "more"]);
    repo.try_commit(&[]).passes().never_says(JUDGED_NEVER);
    assert_eq!(repo.note("HEAD")["judged"], "before_commit");
    repo.try_commit(&["--amend"]).passes().never_says(JUDGED_NEVER);
    assert_eq!(repo.note("HEAD")["judged"], "after_commit");
    repo.stage(&["total"]);
    repo.try_commit(&["--no-verify"]).passes().says("would have been blocked");
    repo.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
    repo.write("cart.py", "x = 1\n");
    let picked = repo.commit("Cart");
    repo.git(&["reset", "--quiet", "--hard", "HEAD~2"]);
    repo.try_git(&["cherry-pick", &picked]).passes();
    assert_eq!(repo.note("HEAD")["judged"], "after_commit");
}

#[test]
fn what_only_the_message_says_is_told_once_the_commit_is_made() {
    let repo = Repo::hooked(&["total", "tax"]);
    let marks = |needed: &str| format!("{}\n\nNEEDED = [{needed}]\n", tests(&["total", "tax"]));
    repo.write(FILE, marks("'svn'"));
    repo.add();
    repo.try_commit(&[]).passes();
    assert_eq!(repo.note("HEAD")["verdict"], "pass");

    repo.write(FILE, marks("'svn', 'svnadmin'"));
    repo.add();
    let commit = |message: &str, options: &[&str]| {
        repo.try_git(&[&["commit", "--quiet", "-m", message], options].concat())
    };
    commit("Skip the svn tests without svnadmin", &[])
        .passes()
        .says("the message says so: `Skip the svn tests without svnadmin`")
        .says("The commit stands");
    let note = repo.note("HEAD");
    assert_eq!((&note["verdict"], &note["judged"]), (&"warn".into(), &"before_commit".into()));
    repo.gate(&["check", "--commit", "HEAD"]).passes().says("tests are left out, as the message says");

    commit("Name both programs of svn", &["--amend"]).passes().never_says("message says");
    assert_eq!(repo.note("HEAD")["verdict"], "pass");
}

#[test]
fn a_note_needs_no_configured_name() {
    for options in [&[][..], &["--object-format=sha256"]] {
        let repo = Repo::init(options);
        repo.git(&["config", "user.useConfigOnly", "true"]);
        repo.commit_no_suites();
        repo.stage(&["total"]);
        repo.gate(&["hook", "pre-commit"]).passes();
        repo.commit("First");
        let mut bind = repo.command(GATE);
        for variable in ["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"] {
            bind.env_remove(variable);
        }
        outcome(bind.args(["hook", "post-commit"])).passes();
        assert_eq!(repo.note("HEAD")["judged"], "before_commit");
    }
}

mod push {
    use super::*;

    /// A repository with a bare one to push to.
    fn with_remote() -> Repo {
        let repo = Repo::hooked(&["total", "tax"]);
        repo.git(&["init", "--quiet", "--bare", "--initial-branch=main", "../remote.git"]);
        repo.git(&["remote", "add", "origin", "../remote.git"]);
        repo.git(&["-c", "core.hooksPath=/dev/null", "push", "--quiet", "origin", "main"]);
        repo
    }

    #[test]
    fn a_push_lists_what_nobody_judged_and_goes_on() {
        let repo = with_remote();
        repo.stage(&["total", "tax", "more"]);
        repo.try_commit(&[]).passes();
        repo.try_git(&["push", "--quiet", "origin", "main"]).passes().never_says("never judged");
        repo.stage(&["total", "tax"]);
        repo.git(&["commit", "--quiet", "--no-verify", "-m", "Behind \x1b[31myour back"]);
        let told = repo.try_git(&["push", "--quiet", "origin", "main"]).passes();
        let told =
            told.says("1 commit of this push was never judged").says(&repo.head()[..10]).says("your back");
        assert!(!told.both().contains('\x1b'));
        assert_eq!(repo.git(&["-C", "../remote.git", "rev-parse", "main"]), repo.head());
        repo.try_git(&["push", "--quiet", "origin", "main"]).passes().never_says("never judged");
    }

    #[test]
    fn a_note_that_is_no_verdict_does_not_count() {
        let repo = with_remote();
        repo.stage(&["total"]);
        repo.git(&["commit", "--quiet", "--no-verify", "-m", "Less"]);
        repo.git(&["notes", "--ref=aiwg-gate", "add", "-m", "looks fine"]);
        repo.try_git(&["push", "--quiet", "origin", "main"]).passes().says("was never judged");
    }

    #[test]
    fn new_branches_tags_and_deletions_are_understood() {
        let repo = with_remote();
        repo.branch("feature", "main");
        let one = repo.commit_tests(&["total", "tax", "one"]);
        let push = |args: &[&str]| repo.try_git(&[&["push", "--quiet", "origin"], args].concat()).passes();
        push(&["feature"]).says("1 commit of this push").says(&one[..10]);
        push(&["feature:again"]).never_says("never judged");
        let two = repo.commit_tests(&["total", "tax", "one", "two"]);
        repo.git(&["tag", "--annotate", "-m", "x", "v1"]);
        push(&["v1", "feature"]).says("1 commit of this push").says(&two[..10]);
        push(&[":again"]).never_says("never judged");
        repo.git(&["tag", "blob", &format!("HEAD:{FILE}")]);
        push(&["blob"]).never_says("error");
        repo.commit_tests(&["total", "tax", "one", "three"]);
        push(&["--force", "HEAD~1:main", "HEAD:feature"]).says("1 commit of this push");
    }

    #[test]
    fn a_merge_that_was_judged_is_not_listed() {
        let repo = with_remote();
        repo.branch("feature", "main");
        repo.write("tests/test_one.py", tests(&["one"]));
        repo.add();
        repo.try_commit(&[]).passes();
        repo.checkout("main");
        repo.stage(&["total", "tax", "two"]);
        repo.try_commit(&[]).passes();
        repo.try_git(&["merge", "--quiet", "--no-edit", "feature"]).passes();
        repo.try_git(&["push", "--quiet", "origin", "main"]).passes().never_says("never judged");
        assert!(repo.has_note("HEAD"));
    }

    #[test]
    fn an_address_will_do_for_a_remote_and_many_commits_are_counted() {
        let repo = with_remote();
        for number in 0..12 {
            repo.commit(&format!("Number {number}"));
        }
        repo.try_git(&["push", "--quiet", "../remote.git", "main"])
            .passes()
            .says("12 commits of this push")
            .says("... and 2 more");
    }
}

#[test]
fn commits_in_many_worktrees_at_once_each_get_their_note() {
    for options in [&[][..], &["--object-format=sha256"]] {
        let repo = Repo::init(options);
        repo.write(FILE, tests(&["total"]));
        repo.commit_no_suites();
        repo.install();
        let commits: Vec<_> = (0..10)
            .map(|number| {
                let (name, place) = (format!("w{number}"), format!("../w{number}"));
                repo.git(&["worktree", "add", "--quiet", "-b", &name, &place]);
                let path = repo.root().join(&name).join("tests/test_new.py");
                std::fs::write(path, tests(&[&name])).expect("a file");
                repo.git(&["-C", &place, "add", "."]);
                let mut commit = repo.command("git");
                commit.args(["-C", &place, "commit", "--quiet", "-m", &name]);
                commit.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
                commit
            })
            .collect();
        let running: Vec<_> = commits.into_iter().map(|mut commit| commit.spawn().expect("git")).collect();
        for child in running {
            let output = child.wait_with_output().expect("an end");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        for number in 0..10 {
            assert_eq!(repo.note(&format!("w{number}"))["judged"], "before_commit");
        }
    }
}

#[test]
fn a_failure_of_the_tool_blocks_and_says_that_it_is_the_tool() {
    let repo = Repo::hooked(&["total"]);
    repo.stage(&["total", "more"]);
    std::fs::create_dir_all(repo.path(".git/aiwg-gate")).expect("a folder");
    std::fs::write(repo.path(".git/aiwg-gate/verdicts"), "in the way").expect("a file");
    let head = repo.head();
    repo.try_commit(&[]).blocks().says("failure of the tool, not a judgement of your change");
    assert_eq!(repo.head(), head);
}

mod policy {
    use super::*;

    const OFF: &str = "version: 1\nsuites: []\nrules: { test-removed: off }\n";

    #[test]
    fn a_broken_policy_is_not_let_in() {
        let repo = Repo::hooked(&["total", "tax"]);
        repo.write("aiwg-gate.yaml", "version: 1\nrules:\n  test-removed: sometimes\n");
        repo.add();
        repo.try_commit(&[]).blocks().says("aiwg-gate.yaml:3:17:").never_says("failure of the tool");
        repo.gate(&["check"]).errs("aiwg-gate.yaml:3:17:");
        repo.gate(&["check", "--worktree"]).errs("aiwg-gate.yaml:3:17:");
        repo.remove("aiwg-gate.yaml");
        std::os::unix::fs::symlink("elsewhere.yaml", repo.path("aiwg-gate.yaml")).expect("a link");
        repo.add();
        repo.try_commit(&[]).blocks().says("no ordinary file");
    }

    #[test]
    fn a_broken_policy_that_is_in_already_counts_as_none_until_it_is_mended() {
        let repo = Repo::with_tests(&["total", "tax"]);
        repo.write("aiwg-gate.yaml", "version: 1\nrules: { test-removed: off\n");
        repo.commit("Broken");
        repo.install();
        repo.gate(&["check"]).passes().says("could not tell: aiwg-gate.yaml");
        repo.gate(&["status"]).passes().says("the policy is not valid");
        repo.stage(&["total"]);
        repo.try_commit(&[]).blocks().says("test_tax was removed");
        repo.git(&["reset", "--quiet", "--hard"]);
        // Without a policy the tests are a suite; a policy by itself changes no code of it.
        repo.write("aiwg-gate.yaml", OFF);
        repo.add();
        repo.try_commit(&[]).passes();
        repo.stage(&["total"]);
        repo.try_commit(&[]).passes();
    }

    #[test]
    fn a_change_cannot_excuse_itself() {
        let repo = Repo::hooked(&["total", "tax"]);
        repo.write("aiwg-gate.yaml", OFF);
        repo.stage(&["total"]);
        repo.add();
        repo.try_commit(&[]).blocks().says("test_tax was removed");
        repo.commit("Anyway");
        repo.gate(&["check", "--commit", "HEAD"]).blocks();
        repo.gate(&["check", "--range", "HEAD~1.."]).blocks();
        repo.write(FILE, tests(&["other"]));
        repo.add();
        repo.try_commit(&[]).passes();
    }
}
