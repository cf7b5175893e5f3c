//! Repositories that husky manages; its files are made by hand here.

use super::stage::{Stage, path_without_gate, set_mode};
use crate::repo::{Outcome, outcome};

/// What version 9 generates for each hook, in short.
const CALLS: &str = "#!/usr/bin/env sh\ns=$(dirname \"$(dirname \"$0\")\")/$(basename \"$0\")\n\
    [ -f \"$s\" ] || exit 0\nsh -e \"$s\" \"$@\"\n";

fn version_9() -> Stage {
    let stage = Stage::new();
    stage.repo.git(&["config", "core.hooksPath", ".husky/_"]);
    for hook in ["pre-commit", "pre-merge-commit", "commit-msg", "post-commit", "pre-push"] {
        stage.hook(&format!(".husky/_/{hook}"), CALLS);
    }
    stage
}

fn version_8() -> Stage {
    let stage = Stage::new();
    stage.repo.git(&["config", "core.hooksPath", ".husky"]);
    stage
}

/// The stand-in is on PATH: a tracked block names no path.
fn commit(stage: &Stage) -> Outcome {
    let bin = stage.program().parent().expect("a parent").to_owned();
    let usual = path_without_gate();
    let path = std::env::join_paths([bin].into_iter().chain(std::env::split_paths(&usual))).expect("a path");
    outcome(stage.git_command(&["commit", "--quiet", "--allow-empty", "-m", "A change"]).env("PATH", path))
}

const BOTH: &str = "gate <hook> <pre-commit>\ngate <hook> <post-commit>\n";

#[test]
fn version_9_gets_blocks_in_tracked_files_and_none_in_its_own() {
    let stage = version_9();
    stage.comes_back_after_install();
    stage.install().passes().says(".husky/pre-commit");
    assert_eq!(stage.repo.read(".husky/_/pre-commit"), CALLS);
    let root = stage.repo.root().to_str().expect("text");
    assert!(!stage.repo.read(".husky/pre-commit").contains(root));
    assert!(!stage.repo.path(".git/hooks/pre-commit").exists());
    commit(&stage).passes();
    assert_eq!(stage.log(), BOTH);
}

#[test]
fn lines_that_were_there_run_first_and_come_back_without_their_last_line_break() {
    let stage = version_9();
    stage.repo.write(".husky/pre-commit", format!("echo lint >>'{}'", stage.log_file().display()));
    stage.comes_back_after_install();
    stage.install().passes().says("added to");
    commit(&stage).passes();
    assert_eq!(stage.log(), format!("lint\n{BOTH}"));
}

#[test]
fn lines_that_fail_end_the_hook_in_every_version() {
    for stage in [version_9(), version_8()] {
        stage.hook(".husky/pre-commit", "true\n(exit 3)\n");
        stage.install().passes();
        commit(&stage).blocks();
        assert_eq!(stage.log(), "");
    }
}

#[test]
fn a_gate_that_blocks_stops_the_commit_in_every_version() {
    for stage in [version_9(), version_8()] {
        stage.install().passes();
        std::fs::write(stage.log_file().with_extension("fail"), "").expect("a file");
        commit(&stage).blocks();
        assert_eq!(stage.log(), "gate <hook> <pre-commit>\n");
    }
}

#[test]
fn versions_before_9_get_blocks_in_executable_files() {
    let stage = version_8();
    stage.hook(".husky/pre-commit", &stage.script("mine", 0).replace("exit 0\n", ""));
    set_mode(&stage.repo.path(".husky/pre-commit"), 0o750);
    stage.comes_back_after_install();
    stage.install().passes();
    commit(&stage).passes();
    assert_eq!(stage.log(), format!("mine <>\n{BOTH}"));
}

#[test]
fn a_script_in_another_language_is_refused_before_anything_changes() {
    let stage = version_8();
    stage.hook(".husky/pre-push", "#!/usr/bin/env node\n");
    let before = stage.picture();
    stage.install().errs("not a shell script");
    stage.picture().equals(&before);
}

#[test]
fn lines_that_someone_adds_later_stay() {
    let stage = version_9();
    stage.install().passes();
    let text = stage.repo.read(".husky/pre-commit") + "npm test\n";
    stage.repo.write(".husky/pre-commit", text);
    stage.gate(&["uninstall"]).passes();
    assert_eq!(stage.repo.read(".husky/pre-commit"), "#!/bin/sh\nnpm test\n");
    assert!(!stage.repo.path(".husky/pre-push").exists());
}

#[test]
fn without_the_program_the_commit_is_blocked_with_ways_out() {
    for stage in [version_9(), version_8()] {
        stage.install().passes();
        stage.commit().blocks().says("the aiwg-gate program is missing").says("--no-verify");
    }
}

#[test]
fn a_script_that_ends_early_is_named() {
    let stage = version_9();
    stage.repo.write(".husky/pre-commit", "exec npm test\n");
    stage.install().passes().says("may end at `exec npm test`");
}

#[test]
fn a_clone_where_husky_is_not_set_up_yet_gets_ordinary_hooks_and_a_word() {
    let stage = Stage::new();
    stage.repo.write(".husky/pre-commit", "npm test\n");
    stage.install().passes().says("husky is not set up in this clone");
    assert!(stage.repo.path(".git/hooks/pre-commit").exists());
}
