//! `waive`, and what waivers do to a verdict: only a person at a terminal can accept a finding.

use std::io::Write;
use std::process::Stdio;

use serde_json::Value;

use crate::repo::{GATE, Outcome, Repo, outcome};
use crate::suite::{FILE, NO_SUITES};

const WAIVERS: &str = "aiwg-gate.waivers.yaml";
const LOG: &str = ".aiwg/gates/decisions.log";
const REASON: &str = "The tax moved to the \"ledger\" # for good";

/// A repository in which a test was removed, staged.
fn with_removed_test() -> Repo {
    let repo = Repo::with_tests(&["total", "tax"]);
    repo.stage(&["total"]);
    repo
}

fn finding(repo: &Repo, args: &[&str]) -> Value {
    repo.gate_json(&[&["check"], args].concat())["findings"][0].clone()
}

/// The first digits of the one finding's fingerprint.
fn print(repo: &Repo) -> String {
    finding(repo, &[])["fingerprint"].as_str().expect("a fingerprint")[7..19].to_owned()
}

/// Runs the gate on a terminal, with what a person types there.
fn on_terminal(repo: &Repo, args: &[&str], typed: &str, variables: &[(&str, &str)]) -> Outcome {
    let quote = |word: &&str| format!("'{}'", word.replace('\'', "'\\''"));
    let words: Vec<String> = [&[GATE], args].concat().iter().map(quote).collect();
    let mut command = repo.command("script");
    command.args(["-qec", &words.join(" "), "/dev/null"]).envs(variables.iter().copied());
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("script of util-linux");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(typed.as_bytes()).expect("a reader");
    let output = child.wait_with_output().expect("an end");
    drop(stdin);
    Outcome {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&output.stdout).replace('\r', ""),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

fn waive(repo: &Repo) -> Outcome {
    on_terminal(repo, &["waive", &print(repo), "--reason", REASON, "--yes"], "", &[])
}

#[test]
fn a_block_shows_the_command_that_accepts_it() {
    let repo = with_removed_test();
    let command = format!("waive: aiwg-gate waive {} --reason \"...\"", print(&repo));
    repo.gate(&["check"]).blocks().says(&command).says("a person runs the `waive:` command");
    repo.gate(&["check", "--worktree"]).blocks().says(&format!("waive {} --worktree", print(&repo)));
    let head = repo.commit("Less");
    let of_commit = format!("waive {} --commit {} ", &finding_of(&repo, &head)[7..19], &head[..10]);
    repo.gate(&["check", "--commit", "HEAD"]).blocks().says(&of_commit).says("amends the commit");
}

#[test]
fn a_commit_that_others_stand_on_cannot_be_waived_any_more() {
    let repo = with_removed_test();
    let head = repo.commit("Less");
    repo.commit("More");
    repo.gate(&["check", "--commit", &head])
        .blocks()
        .says("do what the `do:` lines say in a new one")
        .never_says("waive")
        .never_says("check again")
        .never_says("before this change");
}

#[test]
fn a_commit_at_the_end_is_waived_by_amending_it() {
    let repo = with_removed_test();
    let print = print(&repo);
    repo.commit("Less");
    let args = ["waive", &print, "--commit", "HEAD", "--reason", REASON, "--yes"];
    on_terminal(&repo, &args, "", &[]).passes();
    repo.add();
    repo.git(&["-c", "core.hooksPath=/dev/null", "commit", "--quiet", "--amend", "--no-edit"]);
    repo.gate(&["check", "--commit", "HEAD"]).passes().says("1 waived");
}

fn finding_of(repo: &Repo, commit: &str) -> String {
    finding(repo, &["--commit", commit])["fingerprint"].as_str().expect("a fingerprint").to_owned()
}

#[test]
fn a_person_waives_a_finding_and_the_commit_passes() {
    let repo = with_removed_test();
    let typed = on_terminal(&repo, &["waive", &print(&repo), "--reason", REASON], "y\n", &[]);
    typed.passes().says("test_tax was removed").says("Waive this finding until").says("git add :/");
    let text = repo.read(WAIVERS);
    assert!(
        text.contains("rule: test-removed\n") && text.contains("by: \"Gate Tests <tests@example.invalid>\"")
    );
    let decision: Value = serde_json::from_str(repo.read(LOG).lines().next().expect("a line")).expect("JSON");
    for (key, value) in [("gate_id", "aiwg-gate.waive"), ("decision", "approved")] {
        assert_eq!(decision[key], value, "{decision}");
    }
    assert_eq!(decision["user"], "Gate Tests <tests@example.invalid>");
    assert_eq!(decision["context"]["waiver"]["reason"], REASON);
    // Nothing is waived by a file that is not staged.
    repo.gate(&["check"])
        .blocks()
        .says("does not count: it is not staged yet: `git add :/aiwg-gate.waivers.yaml`");
    repo.gate(&["waive", "--list"]).passes().says("refused").says(", not staged yet\n");
    assert_eq!(repo.gate_json(&["waive", "--list"])["waivers"][0]["added"], false);
    repo.add();
    repo.gate(&["waive", "--list"]).passes().says("active").never_says("not staged");
    let outcome = repo.gate(&["check"]).passes();
    outcome.says("waived[test-removed]").says("waiver added:").says("it waives a finding").says("1 waived");
    let report = repo.gate_json(&["check"]);
    assert_eq!(report["findings"][0]["action"], "waived");
    assert_eq!(report["findings"][0]["waiver"]["reason"], REASON);
    assert_eq!(
        (&report["waivers"][0]["state"], &report["waivers"][0]["added"]),
        (&"used".into(), &true.into())
    );
    assert!(!repo.git(&["status", "--porcelain"]).contains(".aiwg"), "records stay out of commits");
}

#[test]
fn the_commit_keeps_in_its_note_what_was_waived() {
    let repo = Repo::new();
    repo.write("aiwg-gate.yaml", NO_SUITES);
    repo.stage(&["total", "tax"]);
    repo.commit("Start");
    repo.install();
    repo.stage(&["total"]);
    repo.try_commit(&[]).blocks();
    waive(&repo).passes();
    repo.add();
    repo.try_commit(&[]).passes().says("waived[test-removed]");
    assert_eq!(repo.note("HEAD")["findings"]["waived"], 1);
    repo.gate(&["status"]).passes().says("1 waived");
    let audited = repo.gate(&["audit"]).passes().stdout;
    let row = audited.lines().find(|line| line.starts_with("test-removed ")).expect("a row");
    // One finding, which is waived, in one commit, which is neither blocked nor warned about.
    assert!(row.split_whitespace().skip(1).take(5).eq(["1", "1", "1", "0", "0"]), "{audited}");
    // The decision is on record here, so looking back says the same.
    repo.gate(&["check", "--commit", "HEAD"]).passes().says("waived[test-removed]");
}

#[test]
fn saying_no_writes_nothing() {
    let repo = with_removed_test();
    for answer in ["n\n", "\n", "what?\n"] {
        let outcome = on_terminal(&repo, &["waive", &print(&repo), "--reason", REASON], answer, &[]);
        outcome.blocks().says("nothing was written");
    }
    assert!(!repo.path(WAIVERS).exists() && !repo.path(LOG).exists());
}

#[test]
fn neither_scripts_nor_agents_can_waive() {
    let repo = with_removed_test();
    let print = print(&repo);
    let args = ["waive", &print, "--reason", REASON, "--yes"];
    repo.gate(&args).errs("by a person at a terminal");
    for (variable, agent) in [("CLAUDECODE", "claude-code"), ("CODEX_SANDBOX", "codex"), ("AGENT", "goose")] {
        let outcome =
            on_terminal(&repo, &args, "", &[(variable, if agent == "goose" { "goose" } else { "1" })]);
        assert_eq!(outcome.code, 2, "{}", outcome.both());
        outcome.says("under a coding agent").says(agent);
    }
    assert!(!repo.path(WAIVERS).exists() && !repo.path(LOG).exists());
}

#[test]
fn a_waiver_that_was_not_decided_here_is_listed_and_does_not_count() {
    let repo = with_removed_test();
    waive(&repo).passes();
    repo.add();
    let by_hand = repo.read(WAIVERS);
    // Another reason, another end: not what was decided.
    for (from, to) in [("The tax moved", "The taxes moved"), ("expires: 20", "expires: 30")] {
        repo.write(WAIVERS, by_hand.replace(from, to));
        repo.add();
        repo.gate(&["check"]).blocks().says("waiver added:").says("no decision of a person at a terminal");
    }
    repo.write(WAIVERS, &by_hand);
    repo.add();
    repo.gate(&["check"]).passes();
    let log = repo.read(LOG);
    repo.write(LOG, log.replace("approved", "Approved"));
    repo.gate(&["check"]).blocks();
    repo.remove(LOG);
    repo.gate(&["check"]).blocks();
    assert_eq!(repo.gate_json(&["check"])["waivers"][0]["state"], "refused");
    // CI cannot see the log; a policy of the base side may trust the file.
    repo.write(LOG, log);
    repo.gate(&["check"]).passes();
}

#[test]
fn the_policy_decides_which_waivers_of_the_change_count() {
    for (setting, counts_unrecorded, counts_recorded) in [
        ("profile: strict", false, false),
        ("waivers: {accept: base}", false, false),
        ("waivers: {accept: recorded}", false, true),
        ("waivers: {accept: any}", true, true),
    ] {
        let repo = Repo::new();
        repo.write("aiwg-gate.yaml", format!("version: 1\n{setting}\n"));
        repo.stage(&["total", "tax"]);
        repo.commit("Start");
        repo.stage(&["total"]);
        waive(&repo).passes();
        repo.add();
        let code = |counts: bool| i32::from(!counts);
        assert_eq!(repo.gate(&["check"]).code, code(counts_recorded), "{setting}");
        repo.remove(LOG);
        assert_eq!(repo.gate(&["check"]).code, code(counts_unrecorded), "{setting}");
    }
}

/// The waivers of `repo`, committed by themselves before the change they are about.
fn on_the_base_side(expires: &str) -> Repo {
    let repo = with_removed_test();
    waive(&repo).passes();
    let waivers = repo.read(WAIVERS);
    let line = waivers.lines().find(|line| line.contains("expires:")).expect("a line").to_owned();
    repo.git(&["reset", "--quiet", "--hard"]);
    repo.write(WAIVERS, waivers.replace(&line, &format!("    expires: {expires}")));
    repo.commit("Decide");
    repo.remove(LOG);
    repo.stage(&["total"]);
    repo
}

#[test]
fn a_waiver_of_the_base_side_counts_until_it_expires() {
    let repo = on_the_base_side("2999-12-31");
    repo.gate(&["check"]).passes().says("waived[test-removed]").never_says("waiver added");
    repo.gate(&["waive", "--list"]).passes().says("active").says("2999-12-31");
    let listed = repo.gate_json(&["waive", "--list"]);
    assert_eq!(listed["waivers"][0]["state"], "used");
    repo.stage(&["total", "tax", "more"]);
    repo.gate(&["check"]).passes().never_says("waive");
    repo.gate(&["waive", "--list"]).passes().says("unused");
    repo.stage(&["total"]);
    repo.git(&["commit", "--quiet", "--no-verify", "-m", "Drop the tax"]);
    repo.gate(&["waive", "--list"]).passes().says("active").never_says("unused");
    repo.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
    // Taking a waiver away is no finding, and it counts for the change that does so.
    repo.stage(&["total"]);
    repo.git(&["rm", "--quiet", WAIVERS]);
    repo.gate(&["check"]).passes().says("waived[test-removed]");
    let past = on_the_base_side("2026-01-01");
    past.gate(&["check"]).blocks().says("waiver expired on 2026-01-01");
    past.gate(&["waive", "--list"]).passes().says("expired");
    // A new decision renews it.
    waive(&past).passes();
    past.add();
    past.gate(&["check"]).passes();
}

#[test]
fn a_commit_is_judged_by_the_day_it_was_made() {
    let repo = on_the_base_side("2026-01-02");
    repo.gate(&["check"]).blocks();
    repo.commit("On the last day");
    repo.gate(&["check", "--commit", "HEAD"]).passes().says("waived[test-removed]");
}

#[test]
fn broken_waivers_are_told_and_nothing_is_lost() {
    let repo = with_removed_test();
    let broken = "version: 1\nwaivers:\n  - fingerprint: nope\n";
    repo.write(WAIVERS, broken);
    let print = print(&repo);
    let outcome = on_terminal(&repo, &["waive", &print, "--reason", REASON, "--yes"], "", &[]);
    assert_eq!(outcome.code, 2, "{}", outcome.both());
    outcome.says("aiwg-gate.waivers.yaml:3:").says("64 hexadecimal digits");
    assert_eq!(repo.read(WAIVERS), broken);
    assert!(!repo.path(LOG).exists());
    repo.add();
    repo.gate(&["check"]).errs("the waivers in this change are not valid");
    repo.commit("Broken");
    repo.gate(&["check", "--commit", "HEAD"]).blocks().says("so none of them counts");
    repo.write("other.py", "x = 1\n");
    repo.add();
    repo.gate(&["check"]).passes().says("the waivers of the base side are not valid");
}

#[test]
fn bad_input_says_what_to_type() {
    let repo = with_removed_test();
    let print = print(&repo);
    let cases: &[(&[&str], &str)] = &[
        (&["ab", "--reason", "x"], "at least 4 of its hexadecimal digits"),
        (&["what", "--reason", "x"], "is no fingerprint"),
        (&["0000000", "--reason", "x"], "it has:"),
        (&[&print, "--reason", "  "], "--reason is empty"),
        (&[&print, "--reason", "..."], "--reason ... says nothing"),
        (&[&print, "--reason", "1. - ?"], "says nothing"),
        (&[&print, "--reason", "a\nb"], "one line"),
        (&[&print, "--reason", "x", "--expires", "tomorrow"], "a day is written as in 2026-12-31"),
        (&[&print, "--reason", "x", "--expires", "2020-01-01"], "in the past"),
        (&[&print, "--reason", "x", "--commit", "HEAD"], "nothing blocks or warns"),
        (&[&print], "--reason"),
        (&[&print, "--reason", "x", "--days", "0"], "--days"),
    ];
    for (args, words) in cases {
        let outcome = on_terminal(&repo, &[&["waive"], *args, &["--yes"]].concat(), "", &[]);
        assert_eq!(outcome.code, 2, "{args:?}: {}", outcome.both());
        outcome.says(words);
    }
    assert!(!repo.path(WAIVERS).exists());
    waive(&repo).passes();
    waive(&repo).says("has a waiver for this finding already");
    repo.add();
    waive(&repo).says("is waived already");
}

#[test]
fn sub_directories_and_linked_worktrees_work_like_the_root() {
    let repo = with_removed_test();
    let print = print(&repo);
    let args = ["-C", "tests", "waive", &print, "--reason", REASON, "--yes"];
    on_terminal(&repo, &args, "", &[]).passes();
    assert!(repo.path(WAIVERS).is_file() && !repo.path("tests").join(WAIVERS).exists());
    repo.git(&["reset", "--quiet", "--hard"]);
    repo.remove(WAIVERS);
    let linked = repo.root().join("linked");
    repo.git(&["worktree", "add", "--quiet", linked.to_str().expect("a path")]);
    std::fs::write(linked.join(FILE), crate::suite::tests(&["total"])).expect("a written file");
    let there = linked.to_str().expect("a path");
    outcome(repo.command("git").args(["-C", there, "add", "--all"])).passes();
    on_terminal(&repo, &["-C", there, "waive", &print, "--reason", "Other", "--yes"], "", &[]).passes();
    assert!(linked.join(WAIVERS).is_file() && !linked.join(LOG).exists());
    assert_eq!(repo.read(LOG).lines().count(), 2);
    outcome(repo.command("git").args(["-C", there, "add", "--all"])).passes();
    outcome(repo.command(GATE).args(["-C", there, "check", "--no-proof"])).passes().says("1 waived");
}

#[test]
fn a_waiver_of_a_rule_that_does_not_exist_is_told() {
    let repo = with_removed_test();
    waive(&repo).passes();
    repo.write(WAIVERS, repo.read(WAIVERS).replace("rule: test-removed", "rule: test-removd"));
    repo.add();
    let words = "there is no rule `test-removd`: did you mean `test-removed`?";
    repo.gate(&["check"]).blocks().says(words);
    repo.gate(&["waive", "--list"]).passes().says(words);
}
