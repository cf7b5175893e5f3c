//! Rules that a policy adds: `patterns` in aiwg-gate.yaml.

use crate::repo::Repo;

const POLICY: &str = "\
version: 1
suites: []
patterns:
  - name: no-raw-sql
    type: validation_bypass
    severity: high
    message: Raw SQL bypasses the query guard
    paths: [\"src/**\"]
    call: execute_raw
  - name: keep-guards
    type: feature_removal
    severity: medium
    message: Guards stay
    when: removed
    symbol: check_*
";

const BEFORE: &str =
    "def check_owner(user):\n    return user.id\n\n\ndef save(db, row):\n    db.execute(row)\n";
const AFTER: &str = "def save(db, row):\n    db.execute_raw(row)\n";

fn repo(policy: &str) -> Repo {
    let repo = Repo::new();
    repo.write("aiwg-gate.yaml", policy);
    repo.write("src/store.py", BEFORE);
    repo.commit("Start");
    repo.write("src/store.py", AFTER);
    repo.add();
    repo
}

#[test]
fn calls_and_definitions_of_the_project_are_findings() {
    let repo = repo(POLICY);
    let outcome = repo.gate(&["check"]).blocks();
    outcome
        .says("blocked[no-raw-sql]: Raw SQL bypasses the query guard: `db.execute_raw` is called")
        .says("why: A rule of this repository asks for it.")
        .says("warning[keep-guards]: Guards stay: `check_owner` is gone")
        .says("waive: aiwg-gate waive");
    let report = repo.gate_json(&["check"]);
    let finding = &report["findings"][0];
    assert_eq!(finding["rule"], "no-raw-sql");
    assert_eq!(finding["pattern_id"], "PX-no-raw-sql");
    assert_eq!(finding["type"], "validation_bypass");
    assert_eq!((&finding["symbol"], &finding["line"]), (&"src/store.py::save".into(), &2.into()));
    assert_eq!(finding["after"], "db.execute_raw(row)");
}

#[test]
fn rules_and_config_know_the_names_of_patterns() {
    let repo = repo(&POLICY.replace("patterns:", "rules:\n  no-raw-sql: warn # for now\npatterns:"));
    repo.gate(&["check"]).passes().says("warning[no-raw-sql]");
    repo.gate(&["config", "get", "rules.no-raw-sql"]).passes().says("warn");
    repo.gate(&["config", "get", "rules.keep-guards"]).passes().says("warn");
    repo.gate(&["config", "set", "rules.no-raw-sql", "off"]).passes().says("warn -> off");
    assert!(repo.read("aiwg-gate.yaml").contains("  no-raw-sql: off # for now\npatterns:\n"));
    let list = repo.gate(&["config", "list"]).passes();
    list.says("rules.keep-guards").says("patterns.no-raw-sql").says("call of execute_raw, added");
    let json = repo.gate_json(&["config", "list"]);
    assert_eq!(
        (&json["patterns"][0]["call"], &json["patterns"][0]["symbol"]),
        (&"execute_raw".into(), &serde_json::Value::Null)
    );
    repo.gate(&["config", "set", "patterns.no-raw-sql", "x"])
        .errs("patterns are edited in aiwg-gate.yaml itself");
}

#[test]
fn explain_knows_them_too() {
    let repo = repo(POLICY);
    for name in ["no-raw-sql", "PX-no-raw-sql"] {
        let told = repo.gate(&["explain", name]).passes();
        told.says("# no-raw-sql (PX-no-raw-sql)")
            .says("Raw SQL bypasses the query guard")
            .says("under `patterns`");
    }
    repo.gate(&["explain"]).passes().says("keep-guards");
    repo.gate(&["explain", "no-raw-sq"]).errs("did you mean `no-raw-sql`?");
}

#[test]
fn a_pattern_of_the_change_counts_from_the_next_commit_on_and_a_wrong_one_is_refused() {
    let repo = Repo::new();
    repo.write("src/store.py", BEFORE);
    repo.commit("Start");
    repo.write("src/store.py", AFTER);
    repo.write("aiwg-gate.yaml", POLICY);
    repo.add();
    repo.gate(&["check"]).passes().never_says("no-raw-sql");
    repo.write("aiwg-gate.yaml", POLICY.replace("severity: high", "severity: huge"));
    repo.add();
    repo.gate(&["check"]).errs("aiwg-gate.yaml:6:").says("is no severity");
}

#[test]
fn a_merge_answers_only_for_what_no_parent_has() {
    let repo = Repo::new();
    repo.write("aiwg-gate.yaml", POLICY);
    repo.write("src/store.py", BEFORE);
    repo.commit("Start");
    repo.branch("side", "main");
    repo.write("src/store.py", BEFORE.replace("db.execute(", "db.execute_raw("));
    repo.commit("Raw");
    repo.checkout("main");
    repo.write("other.py", "x = 1\n");
    repo.commit("Other");
    repo.git(&["-c", "core.hooksPath=/dev/null", "merge", "--quiet", "--no-edit", "side"]);
    repo.gate(&["check", "--commit", "HEAD"]).passes().never_says("no-raw-sql");
    repo.git(&["reset", "--quiet", "--hard", "HEAD~"]);
    repo.try_git(&["-c", "core.hooksPath=/dev/null", "merge", "--quiet", "--no-commit", "side"]);
    let raw = BEFORE.replace("db.execute(", "db.execute_raw(");
    repo.write("src/store.py", format!("{raw}\n\ndef load(db):\n    db.execute_raw(1)\n"));
    repo.commit("Merge");
    repo.gate(&["check", "--commit", "HEAD"]).blocks().says("1 blocking").says("db.execute_raw(1)");
}
