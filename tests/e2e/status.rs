//! `status`: what is installed, what was judged, what would keep the gate from blocking.

use crate::repo::Repo;

#[test]
fn an_empty_repository_has_a_status() {
    let repo = Repo::new();
    repo.gate(&["status"]).passes().says("commits    none yet").says("not installed");
    let status = repo.gate_json(&["status"]);
    assert_eq!((&status["version"], &status["commits"]), (&1.into(), &serde_json::json!([])));
    assert_eq!(
        status["policy"],
        serde_json::json!({"profile": "standard", "from_file": false, "error": null})
    );
    repo.install();
    repo.gate(&["status"]).passes().says("problems   none: the gate will block");
}

#[test]
fn the_newest_commits_are_listed_with_their_verdicts() {
    let repo = Repo::hooked(&["total", "tax"]);
    repo.stage(&["total", "tax", "more"]);
    repo.try_commit(&[]).passes();
    repo.try_commit(&["--amend", "-m", "Colours: \x1b[31m"]).passes();
    repo.stage(&["total"]);
    repo.try_commit(&["--no-verify"]).passes();
    let text = repo.gate(&["status"]).passes().stdout;
    let verdicts: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("commits")).skip(1).collect();
    assert!(verdicts[0].contains("never judged"), "{text}");
    assert!(verdicts[1].contains("pass (judged after)"), "{text}");
    assert!(!text.contains('\x1b'), "{text:?}");
    let status = repo.gate_json(&["status"]);
    assert_eq!(status["commits"][1]["verdict"]["judged"], "after_commit");
    assert_eq!(status["commits"][0]["commit"], repo.head().as_str());
    for _ in 0..12 {
        repo.commit("More");
    }
    assert_eq!(repo.gate_json(&["status"])["commits"].as_array().map(Vec::len), Some(10));
}

#[test]
fn what_keeps_the_gate_from_blocking_is_told_with_the_repair() {
    let repo = Repo::hooked(&["total"]);
    repo.write("aiwg-gate.yaml", "version: 1\nprofile: advisory\nrules: { test-skipped: warn }\n");
    repo.commit("Policy");
    repo.gate(&["status"])
        .passes()
        .says("nothing blocks")
        .says("aiwg-gate config set profile standard")
        .says("aiwg-gate config unset rules.test-skipped");
}

#[test]
fn notes_of_others_are_not_taken_for_verdicts() {
    let repo = Repo::hooked(&["total"]);
    repo.git(&["notes", "--ref=aiwg-gate", "add", "-m", "hello"]);
    repo.gate(&["status"]).passes().says("never judged");
}

#[test]
fn a_status_is_shown_from_anywhere() {
    let repo = Repo::hooked(&["total"]);
    repo.gate(&["-C", "tests", "status"]).passes().says("First");
    repo.git(&["worktree", "add", "--quiet", "../linked"]);
    repo.gate(&["-C", "../linked", "status"]).passes().says("First");
    repo.git(&["clone", "--quiet", "--bare", ".", "../bare.git"]);
    repo.gate(&["-C", "../bare.git", "status"]).errs("install aiwg-gate in the clones instead");
}
