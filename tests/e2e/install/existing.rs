//! Plain repositories, and hooks that were there before.

use super::stage::{Stage, set_mode};
use crate::repo::{Repo, outcome};

#[test]
fn a_plain_repository_gets_five_hooks_that_call_the_program() {
    let stage = Stage::new();
    stage.install().passes().says("pre-commit        installed\n").says("Next: ");
    stage.commit().passes();
    assert_eq!(stage.log(), "gate <hook> <pre-commit>\ngate <hook> <post-commit>\n");
    stage.repo.git(&["switch", "--quiet", "-c", "side"]);
    stage.repo.commit("Side");
    stage.repo.git(&["switch", "--quiet", "main"]);
    stage.repo.commit("Main");
    stage.git(&["merge", "--quiet", "--no-edit", "side"]).passes();
    assert_eq!(stage.log(), "gate <hook> <pre-merge-commit>\n");
}

#[test]
fn a_gate_that_blocks_stops_the_commit() {
    let stage = Stage::new();
    stage.install().passes();
    std::fs::write(stage.log_file().with_extension("fail"), "").expect("a file");
    stage.commit().blocks();
    assert_eq!(stage.log(), "gate <hook> <pre-commit>\n");
}

#[test]
fn everything_comes_back_in_a_plain_repository() {
    Stage::new().comes_back_after_install();
}

#[test]
fn everything_comes_back_where_there_were_no_directories_at_all() {
    let stage = Stage::with(Repo::init(&["--template="]));
    assert!(!stage.repo.path(".git/hooks").exists() && !stage.repo.path(".git/info").exists());
    stage.comes_back_after_install();
}

#[test]
fn repositories_of_every_format_are_hooked() {
    for format in ["--object-format=sha256", "--ref-format=reftable", "--shared=group"] {
        let stage = Stage::with(Repo::init(&[format]));
        stage.comes_back_after_install();
        stage.install().passes();
        stage.commit().passes();
        assert_eq!(stage.log(), "gate <hook> <pre-commit>\ngate <hook> <post-commit>\n");
    }
}

#[test]
fn everything_comes_back_with_odd_modes_and_an_exclude_file_without_a_last_line_break() {
    let stage = Stage::new();
    stage.repo.write(".git/info/exclude", "*.orig");
    set_mode(&stage.repo.path(".git/info/exclude"), 0o640);
    set_mode(&stage.repo.path(".git/config"), 0o600);
    stage.hook(".git/hooks/pre-commit", "#!/bin/sh\n");
    set_mode(&stage.repo.path(".git/hooks/pre-commit"), 0o701);
    stage.comes_back_after_install();
}

#[test]
fn records_of_the_gate_do_not_show_up_as_untracked() {
    let stage = Stage::new();
    stage.install().passes();
    for file in [".aiwg/ralph/a", ".aiwg/logs/b", ".aiwg/gates/c"] {
        stage.repo.write(file, "");
    }
    assert_eq!(stage.repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn an_existing_hook_runs_first_with_its_arguments() {
    let stage = Stage::new();
    stage.hook(".git/hooks/pre-commit", &stage.script("mine", 0));
    stage.hook(".git/hooks/commit-msg", &stage.script("message", 0));
    stage.install().passes().says("keeps the existing hook as pre-commit.before-aiwg-gate and runs it first");
    stage.commit().passes();
    let expected =
        "mine <>\ngate <hook> <pre-commit>\nmessage <.git/COMMIT_EDITMSG>\ngate <hook> <post-commit>\n";
    assert_eq!(stage.log(), expected);
}

#[test]
fn an_existing_hook_that_fails_ends_the_hook_with_its_own_code() {
    let stage = Stage::new();
    stage.hook(".git/hooks/pre-commit", &stage.script("mine", 7));
    stage.install().passes();
    stage.commit().blocks();
    assert_eq!(stage.log(), "mine <>\n");
    let hook = stage.repo.path(".git/hooks/pre-commit");
    assert_eq!(stage.repo.run(hook, &[]).code, 7);
}

#[test]
fn pre_push_and_the_existing_hook_both_get_arguments_and_input() {
    let stage = Stage::new();
    let log = stage.log_file();
    let reads = format!("sed 's/^/mine reads /' >>'{}'\n", log.display());
    stage.hook(".git/hooks/pre-push", &stage.script("mine", 0).replace("exit 0\n", &reads));
    stage.install().passes();
    let head = stage.repo.commit("First");
    let remote = stage.repo.root().join("remote.git");
    let remote = remote.to_str().expect("text");
    stage.repo.git(&["init", "--quiet", "--bare", remote]);
    stage.git(&["push", "--quiet", remote, "main:one", "main:two"]).passes();
    let lines = |who: &str| {
        let line =
            |name: &str| format!("{who} reads refs/heads/main {head} refs/heads/{name} {}\n", "0".repeat(40));
        line("one") + &line("two")
    };
    let mine = format!("mine <{remote}> <{remote}>\n{}", lines("mine"));
    let gate = format!("gate <hook> <pre-push> <{remote}> <{remote}>\n{}", lines("gate"));
    assert_eq!(stage.log(), mine + &gate);
}

#[test]
fn an_existing_pre_push_hook_may_refuse_and_may_leave_its_input_unread() {
    let stage = Stage::new();
    stage.hook(".git/hooks/pre-push", &stage.script("mine", 3));
    stage.install().passes();
    stage.repo.commit("First");
    let remote = stage.repo.root().join("remote.git");
    let remote = remote.to_str().expect("text");
    stage.repo.git(&["init", "--quiet", "--bare", remote]);
    assert_ne!(stage.git(&["push", "--quiet", remote, "main"]).code, 0);
    assert_eq!(stage.log(), format!("mine <{remote}> <{remote}>\n"));
}

#[test]
fn a_hook_that_is_not_executable_is_kept_and_not_run() {
    let stage = Stage::new();
    stage.hook(".git/hooks/pre-commit", &stage.script("mine", 1));
    set_mode(&stage.repo.path(".git/hooks/pre-commit"), 0o644);
    stage.install().passes().says("does not run it, as it is not executable");
    stage.commit().passes();
    assert_eq!(stage.log(), "gate <hook> <pre-commit>\ngate <hook> <post-commit>\n");
    stage.gate(&["uninstall"]).passes();
    stage.comes_back_after_install();
}

#[test]
fn a_linked_hook_comes_back_as_a_link() {
    let stage = Stage::new();
    stage.hook("scripts/check", &stage.script("mine", 0));
    std::os::unix::fs::symlink("../../scripts/check", stage.repo.path(".git/hooks/pre-commit"))
        .expect("a link");
    stage.comes_back_after_install();
    stage.install().passes();
    stage.commit().passes();
    assert!(stage.log().starts_with("mine <>\ngate <hook> <pre-commit>\n"));
}

#[test]
fn installing_again_brings_hooks_up_to_date_and_keeps_nothing_of_its_own() {
    let stage = Stage::new();
    stage.hook(".git/hooks/pre-commit", &stage.script("mine", 0));
    stage.install().passes();
    let once = stage.picture();
    stage.install().passes().says("up to date").never_says("rewritten");
    stage.picture().equals(&once);
    stage.repo.gate(&["install"]).passes().says("rewritten");
    stage.install().passes();
    stage.picture().equals(&once);
}

#[test]
fn a_dry_run_changes_nothing_and_says_what_it_would_do() {
    let stage = Stage::new();
    stage.hook(".git/hooks/pre-commit", "#!/bin/sh\n");
    let before = stage.picture();
    stage.gate(&["install", "--dry-run"]).passes().says("Nothing is changed").says("pre-commit ");
    stage.picture().equals(&before);
    stage.install().passes();
    let installed = stage.picture();
    stage.gate(&["uninstall", "--dry-run"]).passes().says("the hook from before is back");
    stage.picture().equals(&installed);
}

#[test]
fn quiet_prints_nothing() {
    let stage = Stage::new();
    for command in [&["install", "-q"][..], &["uninstall", "-q"]] {
        assert_eq!(stage.gate(command).passes().both(), "");
    }
}

#[test]
fn two_hooks_for_one_place_are_refused_before_anything_changes() {
    let stage = Stage::new();
    stage.hook(".git/hooks/pre-push", "#!/bin/sh\n# new\n");
    stage.hook(".git/hooks/pre-push.before-aiwg-gate", "#!/bin/sh\n# old\n");
    let before = stage.picture();
    stage.install().errs("nothing was changed").says("only one can be kept");
    stage.picture().equals(&before);
}

#[test]
fn a_hook_edited_after_the_install_is_left_alone() {
    let stage = Stage::new();
    stage.install().passes();
    let edited = stage.repo.read(".git/hooks/pre-commit") + "# my line\n";
    stage.repo.write(".git/hooks/pre-commit", &edited);
    stage.install().errs("was edited since");
    stage.gate(&["uninstall"]).passes().says("pre-commit was edited").says("left alone");
    assert_eq!(stage.repo.read(".git/hooks/pre-commit"), edited);
    assert!(!stage.repo.path(".git/hooks/pre-push").exists());
}

#[test]
fn a_hook_replaced_after_the_install_is_left_alone_and_so_is_the_kept_one() {
    let stage = Stage::new();
    stage.hook(".git/hooks/pre-commit", "#!/bin/sh\n# old\n");
    stage.install().passes();
    stage.repo.write(".git/hooks/pre-commit", "#!/bin/sh\n# new\n");
    stage.gate(&["uninstall"]).passes().says("was replaced").says("mv -f");
    assert_eq!(stage.repo.read(".git/hooks/pre-commit"), "#!/bin/sh\n# new\n");
    assert_eq!(stage.repo.read(".git/hooks/pre-commit.before-aiwg-gate"), "#!/bin/sh\n# old\n");
}

#[test]
fn an_install_that_stopped_half_way_is_repaired_by_either_command() {
    for command in ["install", "uninstall"] {
        let stage = Stage::new();
        stage.hook(".git/hooks/pre-commit", &stage.script("mine", 0));
        let before = stage.picture();
        let hooks = stage.repo.path(".git/hooks");
        std::fs::rename(hooks.join("pre-commit"), hooks.join("pre-commit.before-aiwg-gate"))
            .expect("a rename");
        stage.gate(&[command]).passes();
        stage.gate(&["uninstall"]).passes();
        stage.picture().equals(&before);
    }
}

#[test]
fn a_bare_repository_is_refused() {
    let stage = Stage::with(Repo::init(&["--bare"]));
    stage.install().errs("bare repository");
    stage.gate(&["uninstall"]).errs("bare repository");
}

#[test]
fn outside_a_repository_git_says_so() {
    let stage = Stage::new();
    let mut command = stage.repo.command(crate::repo::GATE);
    outcome(command.arg("install").current_dir(stage.repo.root())).errs("not a git repository");
}
