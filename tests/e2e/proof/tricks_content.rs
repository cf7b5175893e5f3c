//! Attempts to let the tests run something else than what is on record, and honest work that looks alike.

use super::project::{CART, Proving, TESTS, project};
use crate::repo::{GATE, Repo, outcome};

/// Code that fails where the one on disk passes.
const BROKEN: &str = "def total(prices):\n    return 0\n\n\ndef count(prices):\n    return 0\n";

#[cfg(unix)]
fn script(repo: &Repo, path: &str, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    repo.write(path, text);
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(repo.path(path), mode).expect("an executable file");
}

#[test]
fn bits_and_settings_that_hide_a_file_from_git_hide_nothing() {
    for (bit, setting) in [
        ("--assume-unchanged", "core.bare=false"),
        ("--skip-worktree", "core.bare=false"),
        ("--no-assume-unchanged", "core.ignoreStat=true"),
    ] {
        let Some(repo) = project() else { return };
        let (name, value) = setting.split_once('=').expect("a setting");
        repo.git(&["config", name, value]);
        repo.write("cart.py", BROKEN);
        repo.add();
        repo.git(&["update-index", bit, "cart.py"]);
        repo.write("cart.py", CART);
        repo.gate_proving(&["run"]).passes();
        assert_eq!(repo.status(), "stale", "{bit} {setting}");
        // The bits of the real index are the user's own.
        let tag = repo.git(&["ls-files", "-v", "cart.py"]);
        let kept = match bit {
            "--skip-worktree" => tag.starts_with('S'),
            "--assume-unchanged" => tag.starts_with('h'),
            _ => true,
        };
        assert!(kept, "{tag}");
    }
}

#[test]
fn a_change_that_only_the_change_time_tells_is_seen() {
    let Some(repo) = project() else { return };
    for setting in ["core.trustctime=false", "core.checkStat=minimal"] {
        let (name, value) = setting.split_once('=').expect("a setting");
        repo.git(&["config", name, value]);
    }
    let broken = CART.replace("sum(prices)", "sum([    ])");
    assert_eq!(broken.len(), CART.len());
    repo.write("cart.py", &broken);
    let time = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    let set = |repo: &Repo| {
        let file = std::fs::File::options().write(true).open(repo.path("cart.py")).expect("a file");
        file.set_modified(time).expect("a time");
    };
    set(&repo);
    repo.add();
    // git compares whole seconds.
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    repo.write("cart.py", CART);
    set(&repo);
    repo.gate_proving(&["run"]).passes();
    assert_eq!(repo.status(), "stale");
}

#[test]
fn a_sparse_checkout_stays_as_it_is() {
    let Some(repo) = project() else { return };
    repo.write("other/big.py", "X = 1\n");
    repo.commit("Add something else");
    repo.git(&["sparse-checkout", "set", "--no-cone", "/*", "!/other/"]);
    assert!(!repo.path("other/big.py").exists());
    repo.edit();
    repo.gate_proving(&["run"]).passes().says("proof: valid");
    repo.git(&["add", "cart.py"]);
    assert_eq!(repo.status(), "valid");
    repo.gate_proving(&["run", "--staged"]).passes().says("proof: valid");
}

#[cfg(unix)]
#[test]
fn an_index_that_changes_while_it_is_read_is_read_once() {
    let Some(repo) = project() else { return };
    repo.write("cart.py", BROKEN);
    repo.add();
    let id = {
        repo.write("good.txt", CART.replace("sum(prices)", "sum(prices, 0)"));
        let id = repo.git(&["hash-object", "-w", "good.txt"]);
        repo.remove("good.txt");
        id
    };
    let real = repo.run("sh", &["-c", "command -v git"]).passes().stdout.trim().to_owned();
    let swap = format!("{real} update-index --cacheinfo 100644,{id},cart.py");
    let text = format!(
        "#!/bin/sh\n\"{real}\" \"$@\"\ncode=$?\ncase \" $* \" in *' write-tree '*) unset GIT_INDEX_FILE; {swap};; esac\nexit $code\n"
    );
    script(&repo, ".git/tricks/git", &text);
    let path = format!("{}:{}", repo.path(".git/tricks").display(), std::env::var("PATH").expect("a path"));
    let told = outcome(repo.command(GATE).args(["run", "--staged"]).env("PATH", path));
    told.blocks().says("2 failed");
    // The swap happened.
    assert!(repo.git(&["ls-files", "--stage", "cart.py"]).contains(&id));
}

#[cfg(unix)]
#[test]
fn looking_starts_no_program_of_the_repository() {
    let Some(repo) = project() else { return };
    let mark = repo.root().join("started");
    let watch = format!("#!/bin/sh\ntouch '{}'\nexit 1\n", mark.display());
    script(&repo, ".git/watch", &watch);
    repo.git(&["config", "core.fsmonitor", ".git/watch"]);
    // Hooks that are told of a written index may stand in the tree.
    script(&repo, ".githooks/post-index-change", &watch);
    repo.git(&["config", "core.hooksPath", ".githooks"]);
    repo.write("new.py", "X = 1\n");
    repo.edit();
    for args in [&["check"][..], &["check", "--worktree"], &["status"], &["tests"], &["run"]] {
        repo.gate_proving(args);
        assert!(!mark.exists(), "{args:?}");
    }
    repo.git(&["status"]);
    assert!(mark.exists(), "git itself starts it");
}

/// Another state of the code, which no earlier run has proved.
fn edit_again(repo: &Repo) {
    repo.write("cart.py", CART.replace("len(prices)", "len(list(prices))"));
}

/// Tests, the last of which does something else first.
fn meddling(python: &str) -> String {
    TESTS.replace("    def test_count(self):\n", &format!("    def test_count(self):\n        {python}\n"))
}

#[test]
fn a_file_that_was_written_in_the_run_and_set_back_is_seen() {
    let Some(repo) = project() else { return };
    repo.edit();
    let back = "import os; a = os.stat('cart.py'); b = open('cart.py').read(); open('cart.py', 'w').write(''); \
                open('cart.py', 'w').write(b); os.utime('cart.py', ns=(a.st_atime_ns, a.st_mtime_ns))";
    repo.write("tests/test_cart.py", meddling(back));
    repo.gate_proving(&["run"]).passes().says("proof: weak").says("cart.py was written while the tests ran");
}

#[test]
fn files_saved_right_before_the_run_are_no_doubt() {
    let Some(repo) = project() else { return };
    for round in 0..3 {
        repo.write("cart.py", format!("{CART}\n\nROUND = {round}\n"));
        repo.gate_proving(&["run"]).passes().says("proof: valid");
    }
}

#[test]
fn new_data_of_a_run_is_not_committed_unseen() {
    let Some(repo) = project() else { return };
    repo.edit();
    repo.write("tests/test_cart.py", meddling("open('settings.json', 'w').write('{}')"));
    repo.gate_proving(&["run"]).passes().says("proof: valid");
    repo.git(&["add", "cart.py", "tests"]);
    assert_eq!(repo.status(), "valid");
    repo.add();
    assert_eq!(repo.status(), "stale");
    // From then on the tests start with it.
    repo.gate_proving(&["run"]).passes();
    assert_eq!(repo.status(), "valid");
}

#[test]
fn locks_and_snapshots_of_a_run_are_committed_with_it() {
    let Some(repo) = project() else { return };
    repo.edit();
    let products = "import os; os.makedirs('tests/__snapshots__', exist_ok=True); \
                    open('tests/__snapshots__/a.snap', 'w').write('1'); open('uv.lock', 'w').write('1')";
    repo.write("tests/test_cart.py", meddling(products));
    repo.gate_proving(&["run"]).passes().says("proof: valid");
    repo.add();
    assert_eq!(repo.status(), "valid");
}

#[test]
fn code_counts_in_folders_of_build_tools() {
    let Some(repo) = project() else { return };
    repo.write("build/helper.py", "LIMIT = 3\n");
    repo.write("build/report.json", "{}\n");
    repo.write("cart.py", format!("from build.helper import LIMIT\n\n\n{CART}"));
    repo.gate_proving(&["run"]).passes();
    repo.git(&["add", "cart.py"]);
    repo.gate_proving(&["check"])
        .blocks()
        .says("build/helper.py was there, untracked")
        .never_says("report.json");
    repo.git(&["add", "build/helper.py"]);
    assert_eq!(repo.status(), "valid");
}

#[test]
fn code_in_a_repository_of_its_own_is_a_doubt() {
    let Some(repo) = project() else { return };
    repo.edit();
    repo.git(&["init", "--quiet", "inner"]);
    repo.write("inner/notes.md", "nothing\n");
    repo.gate_proving(&["run"]).passes().says("proof: valid");
    edit_again(&repo);
    repo.write("inner/helper.py", "LIMIT = 3\n");
    repo.gate_proving(&["run"]).passes().says("inner is an untracked repository of its own");
}

#[cfg(unix)]
#[test]
fn code_behind_an_untracked_link_is_a_doubt() {
    let Some(repo) = project() else { return };
    repo.edit();
    let outside = repo.root().join("outside");
    std::fs::create_dir(&outside).expect("a folder");
    std::fs::write(outside.join("helper.py"), "LIMIT = 3\n").expect("a file");
    std::os::unix::fs::symlink(&outside, repo.path("node_modules")).expect("a link");
    std::os::unix::fs::symlink("tests", repo.path("checks")).expect("a link");
    repo.gate_proving(&["run"]).passes().says("proof: valid");
    edit_again(&repo);
    std::os::unix::fs::symlink(&outside, repo.path("helpers")).expect("a link");
    repo.gate_proving(&["run"]).passes().says("helpers is an untracked link to another folder");
}

#[test]
fn a_large_file_that_would_count_is_a_doubt() {
    let Some(repo) = project() else { return };
    for (name, doubted) in [("dump.bin", false), ("data.csv", true)] {
        repo.write("cart.py", format!("{CART}\n\nNAME = '{name}'\n"));
        let file = std::fs::File::create(repo.path(name)).expect("a file");
        file.set_len(33 * 1024 * 1024).expect("a size");
        let told = repo.gate_proving(&["run"]).passes();
        assert_eq!(told.both().contains("data.csv is untracked and too large"), doubted, "{}", told.both());
    }
}

#[test]
fn changes_inside_of_a_submodule_are_a_doubt() {
    let Some(repo) = project() else { return };
    let library = repo.root().join("library");
    let place = library.to_str().expect("a path");
    repo.git(&["init", "--quiet", place]);
    std::fs::write(library.join("helper.py"), "LIMIT = 3\n").expect("a file");
    repo.git(&["-C", place, "add", "."]);
    repo.git(&["-C", place, "commit", "--quiet", "-m", "Add a helper"]);
    repo.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", place, "lib"]);
    repo.commit("Use the library");
    repo.edit();
    repo.write("lib/out.log", "noise\n");
    repo.gate_proving(&["run"]).passes().says("proof: valid");
    edit_again(&repo);
    repo.write("lib/helper.py", "LIMIT = 4\n");
    repo.gate_proving(&["run"]).passes().says("the submodule lib has changes that are not committed in it");
}

#[cfg(unix)]
#[test]
fn the_memory_is_not_written_through_a_link() {
    for linked in [".aiwg", ".aiwg/ralph", ".aiwg/ralph/debug-memory", ".aiwg/ralph/debug-memory/sessions"] {
        let Some(repo) = project() else { return };
        let outside = repo.root().join("outside");
        std::fs::create_dir(&outside).expect("a folder");
        let place = repo.path(linked);
        std::fs::create_dir_all(place.parent().expect("a parent")).expect("folders");
        std::os::unix::fs::symlink(&outside, &place).expect("a link");
        repo.edit();
        repo.gate_proving(&["run"]).errs("is a symbolic link, and nothing is written through it");
        assert_eq!(std::fs::read_dir(&outside).expect("a folder").count(), 0, "{linked}");
        repo.git(&["add", "cart.py"]);
        assert_eq!(repo.status(), "missing", "{linked}");
    }
}

#[test]
fn code_beside_the_settings_of_servers_counts() {
    let Some(repo) = project() else { return };
    repo.write(".github/scripts/release.py", "X = 1\n");
    repo.write(".github/workflows/ci.yml", "on: push\n");
    repo.commit("Add a script");
    repo.gate_proving(&["run"]).passes();
    repo.write(".github/workflows/ci.yml", "on: [push]\n");
    repo.add();
    assert_eq!(repo.status(), "not_required");
    repo.write(".github/scripts/release.py", "X = 2\n");
    repo.add();
    assert_eq!(repo.status(), "stale");
}
