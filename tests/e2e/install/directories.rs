//! `core.hooksPath` of the repository and of the user.

use super::stage::{Stage, script_at};

#[test]
fn a_relative_hooks_path_of_the_repository_is_used_as_it_is() {
    let stage = Stage::new();
    stage.repo.git(&["config", "core.hooksPath", ".githooks"]);
    stage.hook(".githooks/pre-commit", &stage.script("mine", 0));
    stage.comes_back_after_install();
    stage.install().passes().says("part of the working tree");
    stage.commit().passes();
    assert_eq!(stage.log(), "mine <>\ngate <hook> <pre-commit>\ngate <hook> <post-commit>\n");
    assert_eq!(stage.repo.git(&["config", "core.hooksPath"]), ".githooks");
}

#[test]
fn a_hooks_path_that_does_not_exist_is_made_and_goes_again() {
    let stage = Stage::new();
    stage.repo.git(&["config", "core.hooksPath", ".githooks/in/here"]);
    stage.comes_back_after_install();
    stage.install().passes();
    stage.commit().passes();
    assert_eq!(stage.log(), "gate <hook> <pre-commit>\ngate <hook> <post-commit>\n");
}

#[test]
fn an_absolute_hooks_path_of_the_repository_is_used_as_it_is() {
    let stage = Stage::new();
    let hooks = stage.repo.root().join("home/my hooks");
    std::fs::create_dir(&hooks).expect("a directory");
    stage.repo.git(&["config", "core.hooksPath", hooks.to_str().expect("text")]);
    stage.comes_back_after_install();
    stage.install().passes().never_says("part of the working tree");
    stage.commit().passes();
    assert_eq!(stage.log(), "gate <hook> <pre-commit>\ngate <hook> <post-commit>\n");
}

#[test]
fn the_hooks_directory_of_the_user_is_not_written_to_and_still_runs() {
    let stage = Stage::new();
    let theirs = stage.repo.root().join("home/hooks");
    for name in ["pre-commit", "prepare-commit-msg", "post-checkout"] {
        script_at(&theirs.join(name), &stage.script(&format!("global {name}"), 0));
    }
    stage.set_global_hooks("~/hooks");
    stage.comes_back_after_install();
    stage
        .install()
        .passes()
        .says("core.hooksPath")
        .says("post-checkout")
        .says("home/hooks/post-checkout first");
    stage.commit().passes();
    let log = stage.log();
    assert!(
        log.starts_with("global pre-commit <>\ngate <hook> <pre-commit>\nglobal prepare-commit-msg <.git/"),
        "{log}"
    );
    stage.git(&["checkout", "--quiet", "-b", "side"]).passes();
    assert!(stage.log().starts_with("global post-checkout <"));
}

#[test]
fn a_failing_hook_of_the_user_still_fails() {
    let stage = Stage::new();
    script_at(&stage.repo.root().join("home/hooks/pre-commit"), &stage.script("global", 1));
    stage.set_global_hooks("~/hooks");
    stage.install().passes();
    stage.commit().blocks();
    assert_eq!(stage.log(), "global <>\n");
}

#[test]
fn hooks_that_the_users_directory_had_switched_off_stay_off() {
    let stage = Stage::new();
    stage.set_global_hooks("~/hooks");
    for name in ["pre-commit", "prepare-commit-msg"] {
        stage.hook(&format!(".git/hooks/{name}"), &stage.script("asleep", 1));
    }
    stage.comes_back_after_install();
    stage.install().passes().says("off as before");
    stage.commit().passes();
    assert_eq!(stage.log(), "gate <hook> <pre-commit>\ngate <hook> <post-commit>\n");
}

#[test]
fn a_global_hook_that_calls_the_repositorys_own_hook_does_not_run_in_circles() {
    let stage = Stage::new();
    let calls = "exec \"$(git rev-parse --git-common-dir)/hooks/pre-commit\"\n";
    let chain = stage.script("global", 0).replace("exit 0\n", calls);
    script_at(&stage.repo.root().join("home/hooks/pre-commit"), &chain);
    stage.set_global_hooks("~/hooks");
    stage.hook(".git/hooks/pre-commit", &stage.script("own", 0));
    stage.commit().passes();
    assert_eq!(stage.log(), "global <>\nown <>\n");
    stage.install().passes();
    stage.commit().passes();
    assert_eq!(stage.log(), "global <>\nown <>\ngate <hook> <pre-commit>\ngate <hook> <post-commit>\n");
}

#[test]
fn without_the_users_setting_installing_again_wakes_what_it_had_switched_off() {
    let stage = Stage::new();
    stage.hook(".git/hooks/prepare-commit-msg", &stage.script("own", 0));
    let before = stage.picture();
    stage.set_global_hooks("~/hooks");
    stage.install().passes();
    stage.repo.git(&["config", "--global", "--unset", "core.hooksPath"]);
    stage.install().passes().says("no longer set");
    assert!(!stage.repo.read(".git/config").contains("ooks"));
    stage.commit().passes();
    assert!(stage.log().contains("own <"));
    stage.gate(&["uninstall"]).passes();
    std::fs::remove_file(stage.repo.root().join("home/.gitconfig")).expect("a removed file");
    stage.picture().equals(&before);
}

#[test]
fn a_hooks_path_that_someone_changed_since_is_not_taken_away() {
    let stage = Stage::new();
    stage.set_global_hooks("~/hooks");
    stage.install().passes();
    stage.repo.git(&["config", "core.hooksPath", ".githooks"]);
    stage.gate(&["uninstall"]).passes().says("was changed since the install and stays");
    assert_eq!(stage.repo.git(&["config", "--local", "core.hooksPath"]), ".githooks");
    assert!(!stage.repo.path(".git/hooks/pre-commit").exists());
    assert!(!stage.repo.read(".git/config").contains("aiwg-gate"));
}

#[test]
fn the_users_setting_may_name_the_usual_place() {
    let stage = Stage::new();
    stage.set_global_hooks(".git/hooks");
    stage.comes_back_after_install();
    stage.install().passes().never_says("core.hooksPath");
    stage.commit().passes();
    assert_eq!(stage.log(), "gate <hook> <pre-commit>\ngate <hook> <post-commit>\n");
}

#[test]
fn a_hooks_path_that_switches_hooks_off_is_named() {
    let stage = Stage::new();
    stage.repo.git(&["config", "core.hooksPath", "/dev/null"]);
    stage.install().errs("switches hooks off");
    stage.repo.git(&["config", "core.hooksPath", ""]);
    stage.install().errs("set to nothing");
}

#[test]
fn a_hooks_path_of_the_environment_cannot_be_overridden_and_is_named() {
    let stage = Stage::new();
    let mut command = stage.repo.command(crate::repo::GATE);
    command
        .env("GIT_CONFIG_COUNT", "1")
        .env("GIT_CONFIG_KEY_0", "core.hooksPath")
        .env("GIT_CONFIG_VALUE_0", "/x");
    crate::repo::outcome(command.arg("install")).errs("by `git -c` or the environment");
}
