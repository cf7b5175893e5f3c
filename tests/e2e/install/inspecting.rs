//! What the hooks look like from outside, and what would keep them from blocking.

use std::path::Path;

use aiwg_gate::git::Repository;
use aiwg_gate::hooks;

use super::stage::{Stage, path_without_gate, script_at, set_mode};
use crate::repo::{Outcome, outcome};

/// Not a test of its own: the others run it as a process, so that it sees their environment and no other.
#[test]
#[ignore = "run by other tests"]
fn probe() {
    let found = Repository::open(Path::new(".")).and_then(|repository| hooks::inspect(&repository));
    match found {
        Ok(found) => {
            println!("\n{:?} in {}", found.choice, found.directory.display());
            for hook in &found.hooks {
                println!("{} {:?} keeps={}", hook.hook.name, hook.state, hook.keeps_existing);
            }
            found
                .problems
                .iter()
                .for_each(|problem| println!("problem: {} | {}", problem.message, problem.repair));
        }
        Err(error) => println!("{error:#}"),
    }
}

fn inspect(stage: &Stage) -> Outcome {
    let mut command = stage.repo.command(std::env::current_exe().expect("this program"));
    command.env("PATH", path_without_gate());
    outcome(command.args(["--ignored", "--exact", "install::inspecting::probe", "--nocapture"])).passes()
}

#[test]
fn nothing_installed_is_one_problem() {
    let stage = Stage::new();
    let seen = inspect(&stage).says("Default in ").says("pre-commit Absent");
    seen.says("problem: the gate is not installed in this repository | aiwg-gate install\n");
}

#[test]
fn an_installation_in_order_has_no_problem_in_any_place() {
    for place in ["", "local", "global", "husky"] {
        let stage = Stage::new();
        match place {
            "local" => drop(stage.repo.git(&["config", "core.hooksPath", ".githooks"])),
            "global" => stage.set_global_hooks("~/hooks"),
            "husky" => {
                stage.repo.git(&["config", "core.hooksPath", ".husky"]);
                stage.put_program(&stage.repo.root().join("home/.cargo/bin/aiwg-gate"));
            }
            _ => {}
        }
        stage.install().passes();
        inspect(&stage).says("pre-commit Ours { version: 1, binary_found: Some(").never_says("problem:");
    }
}

#[test]
fn a_kept_hook_is_reported() {
    let stage = Stage::new();
    stage.hook(".git/hooks/pre-commit", "#!/bin/sh\n");
    stage.install().passes();
    inspect(&stage).says("keeps=true").never_says("problem:");
}

#[test]
fn a_missing_program_is_a_problem() {
    let stage = Stage::new();
    stage.install().passes();
    std::fs::remove_file(stage.program()).expect("a removed file");
    inspect(&stage).says("binary_found: None").says("problem: the hooks do not find the aiwg-gate program");
}

#[test]
fn hooks_that_are_missing_foreign_edited_or_not_executable_are_problems() {
    let stage = Stage::new();
    stage.install().passes();
    stage.repo.remove(".git/hooks/pre-push");
    stage.hook(".git/hooks/post-commit", "#!/bin/sh\n");
    stage
        .repo
        .write(".git/hooks/pre-merge-commit", stage.repo.read(".git/hooks/pre-merge-commit") + "true\n");
    set_mode(&stage.repo.path(".git/hooks/pre-commit"), 0o644);
    let seen = inspect(&stage);
    let seen = seen.says("problem: the hook pre-push is missing | aiwg-gate install");
    let seen = seen.says("problem: the hook post-commit is not the gate's");
    let seen = seen.says("problem: the hook pre-merge-commit was edited");
    seen.says("problem: the hook pre-commit is not executable").says("| chmod +x ");
}

#[test]
fn a_hooks_path_set_after_the_install_is_a_problem() {
    let stage = Stage::new();
    stage.install().passes();
    stage.repo.git(&["config", "core.hooksPath", ".githooks"]);
    inspect(&stage).says("problem: the hooks were installed in ").says("but core.hooksPath is now ");
    stage.install().passes();
    inspect(&stage).never_says("problem:");
}

#[test]
fn husky_taking_over_after_the_install_is_a_problem() {
    let stage = Stage::new();
    stage.install().passes();
    stage.repo.git(&["config", "core.hooksPath", ".husky/_"]);
    inspect(&stage).says("problem: the hooks were installed in ");
    stage.install().passes();
    inspect(&stage).says("problem: husky is not set up in this clone").says("| npx husky");
}

#[test]
fn a_users_hooks_path_that_takes_git_elsewhere_is_a_problem() {
    let stage = Stage::new();
    stage.install().passes();
    stage.set_global_hooks("~/hooks");
    inspect(&stage).says("Redirected").says("so git does not look in ").says("| aiwg-gate install");
}

#[test]
fn hooks_that_the_user_adds_later_are_a_problem_until_the_next_install() {
    let stage = Stage::new();
    stage.set_global_hooks("~/hooks");
    stage.install().passes();
    script_at(&stage.repo.root().join("home/hooks/post-checkout"), "#!/bin/sh\n");
    inspect(&stage).says("hooks/post-checkout does not run in this repository | aiwg-gate install");
    stage.install().passes();
    inspect(&stage).never_says("problem:");
}

#[test]
fn an_environment_that_overrides_everything_is_a_problem() {
    let stage = Stage::new();
    stage.install().passes();
    let mut command = stage.repo.command(std::env::current_exe().expect("this program"));
    command
        .env("GIT_CONFIG_COUNT", "1")
        .env("GIT_CONFIG_KEY_0", "core.hooksPath")
        .env("GIT_CONFIG_VALUE_0", "/x");
    let seen =
        outcome(command.args(["--ignored", "--exact", "install::inspecting::probe", "--nocapture"])).passes();
    seen.says("problem: core.hooksPath is /x by `git -c` or the environment");
}
