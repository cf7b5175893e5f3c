//! `audit`: past commits, judged as `check` would have judged them.

use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;

use crate::repo::{GATE, Outcome, Repo, outcome};
use crate::suite::{FILE, skipped, tests};

/// A history of five: tests come, one goes, one is skipped, a merge, and documentation.
fn history() -> Repo {
    let repo = Repo::with_tests(&["total", "tax", "ship"]);
    repo.commit_tests(&["total", "tax"]);
    repo.write(FILE, skipped(&["total", "tax"]));
    repo.commit("Skip");
    repo.branch("side", "main~1");
    repo.write("tests/test_side.py", tests(&["side"]));
    repo.commit("Side");
    repo.checkout("main");
    repo.git(&["-c", "core.hooksPath=/dev/null", "merge", "--quiet", "--no-ff", "-m", "Merge", "side"]);
    repo.write("README.md", "# Cart\n");
    repo.commit("Document");
    repo
}

fn lines(outcome: &Outcome) -> Vec<Value> {
    let line = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    outcome.stdout.lines().map(line).collect()
}

fn jsonl(repo: &Repo, args: &[&str]) -> Vec<Value> {
    lines(&repo.gate(&[&["audit", "--format", "jsonl"], args].concat()).passes())
}

#[test]
fn the_summary_counts_commits_rules_and_types_and_names_what_would_have_been_blocked() {
    let repo = history();
    let told = repo.gate(&["audit"]).passes();
    let short = repo.git(&["rev-parse", "--short=10", "main~3"]);
    let text = &told.stdout;
    assert!(text.contains("6 commits judged, 2026-01-02 to 2026-01-02\n"), "{text}");
    assert!(text.contains("been blocked\n") && text.contains("test_deletion"), "{text}");
    assert!(text.contains(&format!("  {short}  2026-01-02  Test total, tax\n")), "{text}");
    assert!(text.contains("test-removed: the test test_ship was removed"), "{text}");
    let rows = text.lines().skip_while(|line| !line.starts_with("rule "));
    assert!(rows.take(2).all(|line| line.split_whitespace().count() >= 7), "{text}");
    assert!(text.contains("  findings          commits\n"), "{text}");
    told.never_says("could not be judged");
    repo.gate(&["audit", "-q"]).passes().says("6 commits judged").never_says("test-removed");
}

#[test]
fn each_line_is_what_check_says_about_the_commit() {
    let repo = history();
    let commits = repo.git(&["rev-list", "HEAD"]);
    let found = jsonl(&repo, &[]);
    assert_eq!(
        found.iter().map(|line| line["commit"].as_str().unwrap()).collect::<Vec<_>>(),
        commits.lines().collect::<Vec<_>>()
    );
    for mut line in found {
        let commit = line["commit"].as_str().expect("an id").to_owned();
        let mut checked = repo.gate_json(&["check", "--commit", &commit]);
        for name in ["commit", "author", "subject", "committed_at", "timings_ms"] {
            assert!(line.as_object_mut().unwrap().remove(name).is_some(), "{name}");
        }
        checked.as_object_mut().unwrap().remove("timings_ms");
        assert_eq!(line, checked);
    }
}

#[test]
fn ranges_numbers_and_kinds_of_commits_are_chosen_as_git_does() {
    let repo = history();
    let count = |args: &[&str]| jsonl(&repo, args).len();
    assert_eq!(count(&["-n", "2"]), 2);
    assert_eq!(count(&["HEAD~2..HEAD"]), 3);
    assert_eq!(count(&["side"]), 3);
    assert_eq!(count(&["--no-merges"]), 5);
    assert_eq!(count(&["--first-parent"]), 5);
    assert_eq!(count(&["--since", "2026-02-01"]), 0);
    assert_eq!(count(&["--until", "2026-02-01"]), 6);
    assert_eq!(count(&["--since", "2 weeks ago", "--until", "yesterday"]), 0);
    for option in ["--since", "--until"] {
        repo.gate(&["audit", option, "yesterdayy"])
            .errs(&format!("{option} yesterdayy: git reads no date there"));
    }
    repo.gate(&["audit", "nothing..here"]).errs("names no commits here");
    repo.gate(&["audit", "--all"]).errs("");
}

#[test]
fn each_commit_is_judged_by_the_policy_of_its_own_base() {
    let repo = Repo::with_tests(&["total", "tax", "ship"]);
    repo.commit_tests(&["total", "tax"]);
    repo.write("aiwg-gate.yaml", "version: 1\nsuites: []\nrules: { test-removed: warn }\n");
    repo.commit("Loosen");
    repo.commit_tests(&["total"]);
    let verdicts: Vec<String> =
        jsonl(&repo, &["-n", "3"]).iter().map(|line| line["verdict"].as_str().unwrap().to_owned()).collect();
    assert_eq!((verdicts[0].as_str(), verdicts[2].as_str()), ("warn", "block"));
}

#[test]
fn a_bare_repository_a_linked_worktree_and_sha_256_have_histories_too() {
    let repo = history();
    let here = repo.gate(&["audit"]).passes().stdout;
    repo.git(&["clone", "--quiet", "--bare", ".", "../bare.git"]);
    assert_eq!(repo.gate(&["-C", "../bare.git", "audit"]).passes().stdout, here);
    repo.git(&["worktree", "add", "--quiet", "--detach", "../linked"]);
    assert_eq!(repo.gate(&["-C", "../linked", "audit"]).passes().stdout, here);
    let other = Repo::init(&["--object-format=sha256"]);
    other.write(FILE, tests(&["total", "tax"]));
    other.commit("First");
    other.commit_tests(&["total"]);
    other.gate(&["audit"]).passes().says("2 commits judged").says("test_tax was removed");
}

#[test]
fn what_is_known_is_kept_and_may_be_lost_or_broken() {
    let repo = history();
    let first = repo.gate(&["audit", "-v"]).passes().stdout;
    let folder = repo.path(".git/aiwg-gate");
    let kept = || {
        let files = std::fs::read_dir(&folder).expect("the folder").flatten().map(|file| file.path());
        files.filter(|file| file.extension().is_some_and(|ending| ending == "audit")).collect::<Vec<_>>()
    };
    let file = kept().pop().expect("a file");
    let text = std::fs::read_to_string(&file).expect("text");
    assert_eq!(text.lines().count(), 6);
    assert_eq!(repo.gate(&["audit", "-v"]).passes().stdout, first);
    // What is kept need not be read again.
    let blob = repo.git(&["rev-parse", &format!("main~3:{FILE}")]);
    let object = repo.path(&format!(".git/objects/{}/{}", &blob[..2], &blob[2..]));
    std::fs::rename(&object, object.with_extension("away")).expect("a moved file");
    assert_eq!(repo.gate(&["audit", "-v"]).passes().stdout, first);
    repo.gate(&["audit", "--no-cache"]).passes().says("could not be judged");
    std::fs::rename(object.with_extension("away"), &object).expect("a moved file");
    // What was damaged since is no longer known.
    std::fs::write(&file, text.replace("test_ship", "test_kept")).expect("a written file");
    assert_eq!(repo.gate(&["audit", "-v"]).passes().stdout, first);
    std::fs::write(&file, &text.as_bytes()[..text.len() / 2]).expect("a written file");
    assert_eq!(repo.gate(&["audit", "-v"]).passes().stdout, first);
    std::fs::remove_dir_all(&folder).expect("no folder");
    repo.gate(&["audit", "--no-cache"]).passes();
    assert!(!folder.exists(), "nothing is written");
    std::fs::write(&folder, "in the way").expect("a file");
    assert_eq!(repo.gate(&["audit", "-v"]).passes().stdout, first);
}

#[test]
fn a_commit_that_cannot_be_judged_is_listed_and_the_rest_is_judged() {
    let repo = history();
    repo.git(&["clone", "--quiet", "--depth=2", &format!("file://{}", repo.directory().display()), "../cut"]);
    let told = repo.gate(&["-C", "../cut", "audit"]).passes();
    told.says("could not be judged: ").says("shallow clone ends at");
    let lost = repo.git(&["rev-parse", &format!("main~3:{FILE}")]);
    let (folder, file) = lost.split_at(2);
    repo.remove(&format!(".git/objects/{folder}/{file}"));
    let told = repo.gate(&["audit"]).passes().says("could not be judged");
    assert!(told.stdout.starts_with("4 commits judged"), "{}", told.both());
    let unknown = jsonl(&repo, &[]).into_iter().filter(|line| line["verdict"].is_null());
    assert!(unknown.clone().count() == 2 && unknown.clone().all(|line| line["error"].is_string()));
}

#[test]
fn a_repository_without_commits_has_nothing_to_judge() {
    Repo::new().gate(&["audit"]).passes().says("0 commits judged: there are none").never_says("%");
}

#[test]
fn a_file_appears_when_it_is_whole() {
    let repo = history();
    repo.gate(&["audit", "--output", "audit.txt"])
        .passes()
        .says("Written to audit.txt: 6 commits.")
        .never_says("judged");
    repo.gate(&["-q", "audit", "--output", "audit.txt"]).passes().never_says("Written");
    assert!(repo.read("audit.txt").starts_with("6 commits judged"));
    repo.gate(&["audit", "--format", "html", "-o", "audit.html"]).passes();
    assert!(repo.read("audit.html").ends_with("</html>\n"));
    repo.gate(&["audit", "--output", "no/such/folder/audit.txt"]).errs("cannot write");
    assert!(!repo.path("no").exists());
}

#[test]
fn other_formats_are_refused_in_the_words_of_the_command() {
    let repo = history();
    repo.gate(&["audit", "--format", "json"]).errs("choose text or jsonl or html");
    repo.gate(&["check", "--format", "html"]).errs("choose text or json");
}

#[test]
fn names_are_data_and_never_commands_to_the_terminal() {
    let repo = Repo::with_tests(&["total", "tax"]);
    repo.write(FILE, tests(&["total"]));
    repo.commit("\u{1b}[31mred\u{202e} ::error::x");
    let told = repo.gate(&["audit", "-v"]).passes();
    assert!(!told.stdout.contains(['\u{1b}', '\u{202e}']), "{}", told.stdout);
}

#[cfg(unix)]
#[test]
fn an_interrupted_audit_ends_with_130_and_leaves_no_file() {
    use crate::install::stage::script_at;
    let repo = history();
    let (bin, marker) = (repo.root().join("bin"), repo.root().join("listing"));
    let usual = std::env::var_os("PATH").unwrap_or_default();
    let git = std::env::split_paths(&usual).map(|folder| folder.join("git")).find(|git| git.is_file());
    let git = git.expect("git");
    let slow = format!("#!/bin/sh\ntouch '{}'\nsleep 1\nexec '{}' \"$@\"\n", marker.display(), git.display());
    script_at(&bin.join("git"), &slow);
    let path = std::env::join_paths([bin].into_iter().chain(std::env::split_paths(&usual))).expect("a path");
    let mut audit = repo.command(GATE);
    let audit = audit
        .args(["audit", "--output", "audit.txt"])
        .env("PATH", path)
        .stderr(Stdio::piped())
        .spawn()
        .expect("a process");
    for _ in 0..600 {
        if marker.exists() {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    outcome(repo.command("kill").args(["-INT", &audit.id().to_string()])).passes();
    let ended = audit.wait_with_output().expect("an end");
    assert_eq!(ended.status.code(), Some(130));
    let told = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(told.contains("interrupted: 0 of 6 commits judged and kept"), "{told}");
    let left = std::fs::read_dir(repo.directory()).expect("a folder").flatten();
    let left: Vec<String> = left.map(|file| file.file_name().to_string_lossy().into_owned()).collect();
    assert!(!left.iter().any(|name| name == "audit.txt" || name.contains(".tmp")), "{left:?}");
}
