//! Linked worktrees, submodules, sub-directories, and repositories in odd places.

use super::stage::Stage;
use crate::repo::outcome;

#[test]
fn a_commit_in_a_linked_worktree_is_hooked_wherever_install_ran() {
    for from_linked in [false, true] {
        let stage = Stage::new();
        stage.repo.commit("First");
        let linked = stage.repo.root().join("linked");
        stage.repo.git(&["worktree", "add", "--quiet", linked.to_str().expect("text")]);
        let before = stage.picture();
        let from = if from_linked { "../linked" } else { "." };
        stage.gate(&["-C", from, "install"]).passes();
        for directory in [stage.repo.directory(), &linked] {
            let mut commit = stage.git_command(&["commit", "--quiet", "--allow-empty", "-m", "Second"]);
            outcome(commit.current_dir(directory)).passes();
            assert_eq!(stage.log(), "gate <hook> <pre-commit>\ngate <hook> <post-commit>\n");
        }
        stage.gate(&["-C", "../linked", "uninstall"]).passes();
        stage.picture().equals(&before);
    }
}

#[test]
fn a_linked_worktree_is_hooked_where_the_users_setting_is_passed_on_to() {
    let stage = Stage::new();
    stage.set_global_hooks("~/hooks");
    stage.repo.commit("First");
    let linked = stage.repo.root().join("linked");
    stage.repo.git(&["worktree", "add", "--quiet", linked.to_str().expect("text")]);
    stage.gate(&["-C", "../linked", "install"]).passes();
    let mut commit = stage.git_command(&["commit", "--quiet", "--allow-empty", "-m", "Second"]);
    outcome(commit.current_dir(&linked)).passes();
    assert_eq!(stage.log(), "gate <hook> <pre-commit>\ngate <hook> <post-commit>\n");
}

#[test]
fn a_submodule_has_hooks_of_its_own() {
    let stage = Stage::new();
    let library = stage.repo.root().join("library");
    let library = library.to_str().expect("text");
    stage.repo.git(&["init", "--quiet", "--initial-branch=main", library]);
    stage.repo.git(&["-C", library, "commit", "--quiet", "--allow-empty", "-m", "First"]);
    stage.repo.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "sub"]);
    let before = stage.picture();
    stage.gate(&["-C", "sub", "install"]).passes();
    assert!(stage.repo.path(".git/modules/sub/hooks/pre-commit").exists());
    stage.git(&["-C", "sub", "commit", "--quiet", "--allow-empty", "-m", "Second"]).passes();
    assert_eq!(stage.log(), "gate <hook> <pre-commit>\ngate <hook> <post-commit>\n");
    stage.commit().passes();
    assert_eq!(stage.log(), "");
    stage.gate(&["-C", "sub", "uninstall"]).passes();
    let changed_by_commits = ["objects", "logs", "refs", "index", "COMMIT_EDITMSG"];
    stage.picture().without(&changed_by_commits).equals(&before.without(&changed_by_commits));
}

#[test]
fn a_sub_directory_will_do() {
    let stage = Stage::new();
    stage.repo.git(&["config", "core.hooksPath", ".githooks"]);
    stage.repo.write("deep/down/file", "");
    let before = stage.picture();
    stage.gate(&["-C", "deep/down", "install"]).passes();
    let mut commit = stage.git_command(&["commit", "--quiet", "--allow-empty", "-m", "Second"]);
    outcome(commit.current_dir(stage.repo.path("deep"))).passes();
    assert_eq!(stage.log(), "gate <hook> <pre-commit>\ngate <hook> <post-commit>\n");
    let mut uninstall = stage.repo.command(crate::repo::GATE);
    outcome(uninstall.arg("uninstall").current_dir(stage.repo.path("deep"))).passes();
    stage.picture().equals(&before);
}

#[test]
fn a_worktree_with_a_hooks_path_of_its_own_is_hooked_there() {
    let stage = Stage::new();
    stage.repo.commit("First");
    let linked = stage.repo.root().join("linked");
    stage.repo.git(&["worktree", "add", "--quiet", linked.to_str().expect("text")]);
    stage.repo.git(&["config", "extensions.worktreeConfig", "true"]);
    stage.repo.git(&["-C", "../linked", "config", "--worktree", "core.hooksPath", "its-hooks"]);
    let before = stage.picture();
    stage.gate(&["-C", "../linked", "install"]).passes();
    assert!(linked.join("its-hooks/pre-commit").exists());
    assert!(!stage.repo.path(".git/hooks/pre-commit").exists());
    let mut commit = stage.git_command(&["commit", "--quiet", "--allow-empty", "-m", "Second"]);
    outcome(commit.current_dir(&linked)).passes();
    assert_eq!(stage.log(), "gate <hook> <pre-commit>\ngate <hook> <post-commit>\n");
    stage.gate(&["-C", "../linked", "uninstall"]).passes();
    assert!(!linked.join("its-hooks").exists());
    stage.picture().equals(&before);
}

#[test]
fn inside_the_git_directory_relative_settings_still_count_from_the_root() {
    let stage = Stage::new();
    stage.repo.git(&["config", "core.hooksPath", ".githooks"]);
    let before = stage.picture();
    stage.gate(&["-C", ".git", "install"]).passes();
    assert!(stage.repo.path(".githooks/pre-commit").exists());
    stage.gate(&["-C", ".git", "uninstall"]).passes();
    stage.picture().equals(&before);
}

#[test]
fn a_repository_whose_path_has_spaces_and_quotes_is_hooked() {
    let stage = Stage::new();
    let odd = "it's $odd \"here\" `now`";
    stage.repo.git(&["init", "--quiet", "--initial-branch=main", odd]);
    stage.hook(&format!("{odd}/.git/hooks/pre-commit"), &stage.script("mine", 0));
    stage.set_global_hooks("~/ho'o ks");
    super::stage::script_at(&stage.repo.root().join("home/ho'o ks/pre-commit"), &stage.script("global", 0));
    stage.gate(&["-C", odd, "install"]).passes();
    stage.git(&["-C", odd, "commit", "--quiet", "--allow-empty", "-m", "First"]).passes();
    assert_eq!(stage.log(), "global <>\ngate <hook> <pre-commit>\ngate <hook> <post-commit>\n");
}

#[test]
fn a_repository_that_moved_is_hooked_still_or_again() {
    let stage = Stage::new();
    stage.repo.git(&["init", "--quiet", "--initial-branch=main", "old"]);
    stage.hook("old/.git/hooks/pre-commit", &stage.script("mine", 0));
    stage.gate(&["-C", "old", "install"]).passes();
    std::fs::rename(stage.repo.path("old"), stage.repo.path("new")).expect("a rename");
    stage.git(&["-C", "new", "commit", "--quiet", "--allow-empty", "-m", "First"]).passes();
    assert_eq!(stage.log(), "mine <>\ngate <hook> <pre-commit>\ngate <hook> <post-commit>\n");

    stage.set_global_hooks("~/hooks");
    stage.gate(&["-C", "new", "install"]).passes();
    std::fs::rename(stage.repo.path("new"), stage.repo.path("newer")).expect("a rename");
    stage.gate(&["-C", "newer", "install"]).passes();
    stage.git(&["-C", "newer", "commit", "--quiet", "--allow-empty", "-m", "First"]).passes();
    assert_eq!(stage.log(), "gate <hook> <pre-commit>\ngate <hook> <post-commit>\n");
}
