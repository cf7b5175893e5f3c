//! Hooks whose program moved or vanished.

use std::path::Path;

use super::stage::{Stage, path_without_gate};
use crate::repo::{GATE, Outcome, outcome};

/// Commits with another PATH and other variables.
fn commit_with(stage: &Stage, directories: &[&Path], variables: &[(&str, &Path)]) -> Outcome {
    let usual = path_without_gate();
    let path = directories.iter().map(|path| path.to_path_buf()).chain(std::env::split_paths(&usual));
    let mut command = stage.git_command(&["commit", "--quiet", "--allow-empty", "-m", "A change"]);
    command.env("PATH", std::env::join_paths(path).expect("a path")).envs(variables.iter().copied());
    outcome(&mut command)
}

/// A repository whose hooks name a program that has gone.
fn without_program() -> Stage {
    let stage = Stage::new();
    stage.install().passes();
    std::fs::remove_file(stage.program()).expect("a removed file");
    stage
}

const BOTH: &str = "gate <hook> <pre-commit>\ngate <hook> <post-commit>\n";

#[test]
fn a_program_that_moved_is_found_on_path() {
    let stage = without_program();
    let elsewhere = stage.repo.root().join("else where");
    std::fs::create_dir(&elsewhere).expect("a directory");
    stage.put_program(&elsewhere.join("aiwg-gate"));
    commit_with(&stage, &[&elsewhere], &[]).passes();
    assert_eq!(stage.log(), BOTH);
}

#[test]
fn a_program_that_moved_is_found_where_cargo_installs() {
    for (variable, directory) in [("HOME", "home/.cargo/bin"), ("CARGO_HOME", "cargo home/bin")] {
        let stage = without_program();
        let bin = stage.repo.root().join(directory);
        std::fs::create_dir_all(&bin).expect("a directory");
        stage.put_program(&bin.join("aiwg-gate"));
        let value = match variable {
            "HOME" => stage.repo.root().join("home"),
            _ => stage.repo.root().join("cargo home"),
        };
        commit_with(&stage, &[], &[(variable, &value)]).passes();
        assert_eq!(stage.log(), BOTH);
    }
}

#[test]
fn the_program_that_installed_is_preferred_to_another_on_path() {
    let stage = Stage::new();
    stage.install().passes();
    let elsewhere = stage.repo.root().join("elsewhere");
    super::stage::script_at(&elsewhere.join("aiwg-gate"), "#!/bin/sh\nexit 1\n");
    commit_with(&stage, &[&elsewhere], &[]).passes();
    assert_eq!(stage.log(), BOTH);
}

#[test]
fn without_the_program_a_commit_is_blocked_with_ways_out() {
    let stage = without_program();
    let blocked = stage.commit().blocks();
    let blocked = blocked.says("the aiwg-gate program is missing, not because of your change");
    let hook = stage.repo.directory().canonicalize().expect("a path").join(".git/hooks/pre-commit");
    let remove = format!("rm '{}'", hook.display());
    blocked.says("aiwg-gate install").says("git commit --no-verify").says(&remove);
    stage
        .git(&["commit", "--quiet", "--allow-empty", "--no-verify", "-m", "Once"])
        .passes()
        .says("post-commit did nothing");
    stage.repo.run("sh", &["-c", &remove]).passes();
    stage.commit().passes();
}

#[test]
fn the_way_out_puts_an_existing_hook_back() {
    let stage = Stage::new();
    stage.hook(".git/hooks/pre-commit", &stage.script("mine", 0));
    stage.install().passes();
    std::fs::remove_file(stage.program()).expect("a removed file");
    let said = stage.commit().blocks().stderr;
    assert_eq!(stage.log(), "mine <>\n");
    let remove =
        said.lines().find_map(|line| line.trim().strip_prefix("to remove this hook: ")).expect("a command");
    stage.repo.run("sh", &["-c", remove]).passes();
    stage.commit().passes();
    assert_eq!(stage.log(), "mine <>\n");
}

#[test]
fn the_way_out_gives_the_users_own_hooks_directory_back() {
    let stage = Stage::new();
    stage.set_global_hooks("~/hooks");
    stage.install().passes();
    std::fs::remove_file(stage.program()).expect("a removed file");
    stage.commit().blocks().says("git config --local --unset core.hooksPath");
    stage.repo.git(&["config", "--local", "--unset", "core.hooksPath"]);
    stage.commit().passes();
    stage.gate(&["uninstall"]).passes();
    assert!(!stage.repo.read(".git/config").contains("aiwg-gate"));
}

#[test]
fn without_the_program_a_merge_is_blocked_and_a_push_is_not() {
    let stage = without_program();
    stage.repo.commit("First");
    stage.repo.git(&["switch", "--quiet", "-c", "side"]);
    stage.repo.commit("Side");
    stage.repo.git(&["switch", "--quiet", "main"]);
    stage.repo.commit("Main");
    let merge = stage.git(&["merge", "--quiet", "--no-edit", "side"]);
    assert_ne!(merge.code, 0);
    merge.says("the aiwg-gate program is missing");
    let remote = stage.repo.root().join("remote.git");
    let remote = remote.to_str().expect("text");
    stage.repo.git(&["init", "--quiet", "--bare", remote]);
    let push = stage.git(&["push", "--quiet", remote, "main"]).passes();
    assert_eq!(push.stderr.lines().count(), 1, "{}", push.stderr);
    push.says("aiwg-gate: pre-push did nothing");
}

#[test]
fn hooks_call_the_program_that_installed_them() {
    let stage = Stage::new();
    let copy = stage.repo.root().join("copied gate");
    // By a process of its own: a file that this one still writes to in another thread's child cannot be run.
    outcome(stage.repo.command("cp").arg(GATE).arg(&copy)).passes();
    outcome(stage.repo.command(&copy).arg("install")).passes();
    let copy = copy.canonicalize().expect("a path");
    assert!(stage.repo.read(".git/hooks/pre-commit").contains(&format!("gate='{}'", copy.display())));
    std::fs::remove_file(&copy).expect("a removed file");
    stage.commit().blocks().says("copied gate");
}

#[test]
fn a_program_that_is_not_there_cannot_be_installed() {
    let stage = Stage::new();
    stage.repo.gate(&["install", "--binary", "nowhere"]).errs("there is no such program");
    stage.repo.write("plain", "");
    stage.repo.gate(&["install", "--binary", "plain"]).errs("there is no such program");
}
