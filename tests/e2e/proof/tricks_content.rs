//! Attempts to let the tests run something else than what is on record, and honest work that looks alike.

use super::project::{CART, Proving, project};
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
        repo.proving(&["run"]).passes();
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
    repo.proving(&["run"]).passes();
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
    repo.proving(&["run"]).passes().says("proof: valid");
    repo.git(&["add", "cart.py"]);
    assert_eq!(repo.status(), "valid");
    repo.proving(&["run", "--staged"]).passes().says("proof: valid");
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
    script(&repo, ".git/watch", &format!("#!/bin/sh\ntouch '{}'\nexit 1\n", mark.display()));
    repo.git(&["config", "core.fsmonitor", ".git/watch"]);
    repo.write("new.py", "X = 1\n");
    for args in [&["check"][..], &["check", "--worktree"], &["status"], &["tests"], &["run"]] {
        repo.proving(args);
        assert!(!mark.exists(), "{args:?}");
    }
    repo.git(&["status"]);
    assert!(mark.exists(), "git itself starts it");
}
