//! `memory`: sessions as files in a repository, questions about them, and what is noted by hand.

use aiwg_gate::git::Repository;
use aiwg_gate::memory;

use crate::repo::{GATE, Repo, outcome};

const SESSIONS: &str = ".aiwg/ralph/debug-memory/sessions";
const PATTERNS: &str = ".aiwg/ralph/debug-memory/patterns/learned-patterns.yaml";

const SOLVED: &str = "11111111-1111-4111-8111-111111111111";
const OPEN: &str = "22222222-2222-4222-8222-222222222222";

/// Solved at the second attempt, with cause and fix.
fn solved() -> String {
    format!(
        r#"session_id: {SOLVED}
file_path: src/cart.py
created_at: 2026-01-05T12:00:00Z
updated_at: 2026-01-05T12:02:00Z
status: passed
executions:
- attempt: 1
  timestamp: 2026-01-05T12:01:00Z
  code_hash: sha256:01
  test_results: {{total: 2, passed: 1, failed: 1, errors: 0, skipped: 0}}
  failures:
  - test_name: tests/test_cart.py::test_total
    test_file: tests/test_cart.py
    error_type: AssertionError
    error_message: "total of 3 items is 30, expected 36"
  analysis:
    root_cause: The total forgets the tax of the last item
    root_cause_category: off_by_one
    fix_strategy: Loop over all items when the tax is added
    confidence: 0.9
  fix_applied:
    description: The loop takes the last item too
    diff_summary: +1/-1 lines
    files_changed: [src/cart.py]
    verification: passed
- attempt: 2
  timestamp: 2026-01-05T12:02:00Z
  code_hash: sha256:02
  test_results: {{total: 2, passed: 2, failed: 0, errors: 0, skipped: 0}}
"#
    )
}

/// Under way: the last attempt failed on the content of `tree`.
fn open(tree: &str) -> String {
    format!(
        r#"session_id: {OPEN}
file_path: src/cart.py
created_at: 2026-01-06T12:00:00Z
updated_at: 2026-01-06T12:01:00Z
status: in_progress
executions:
- attempt: 1
  timestamp: 2026-01-06T12:01:00Z
  code_hash: sha256:03
  test_results: {{total: 2, passed: 1, failed: 1, errors: 0, skipped: 0}}
  failures:
  - test_name: tests/test_cart.py::test_total
    test_file: tests/test_cart.py
    error_type: AssertionError
    error_message: "total of 5 items is 50, expected 60"
  proof:
    suite: unit
    framework: pytest
    command: pytest
    own_command: true
    mode: worktree
    ended: exited
    exit_code: 1
    tree: {tree}
    named: true
    known: 2
    executed_digest: sha256:00
    output_digest: sha256:00
    chain: {{digest: sha256:00}}
"#
    )
}

const LEARNED: &str = "patterns:
- pattern_id: pattern-1
  error_type: AssertionError
  error_pattern: total of <number> items is <number>, expected <number>
  fix_template: Loop over all items when the tax is added
  occurrences: 2
  success_rate: 1.0
  last_seen: 2026-01-05T12:02:00Z
";

/// A commit, a solved session and one under way.
fn repo() -> Repo {
    let repo = Repo::new();
    repo.write("src/cart.py", "total = 1\n");
    repo.write(".gitignore", ".aiwg/\n");
    repo.commit("First");
    let tree = repo.git(&["rev-parse", "HEAD^{tree}"]);
    repo.write(&format!("{SESSIONS}/session-{SOLVED}.yaml"), solved());
    repo.write(&format!("{SESSIONS}/session-{OPEN}.yaml"), open(&tree));
    repo.write(PATTERNS, LEARNED);
    repo
}

fn ids(answer: &serde_json::Value) -> Vec<&str> {
    let sessions = answer["sessions"].as_array().expect("a list").iter();
    sessions.map(|session| session["session_id"].as_str().expect("text")).collect()
}

#[test]
fn an_empty_memory_answers() {
    let repo = Repo::new();
    repo.gate(&["memory", "query"]).passes().says("No session matches.");
    repo.gate(&["memory", "query", "--file", "src/a.py"]).passes().says("Nothing is known to go wrong here.");
    repo.gate(&["memory", "patterns"]).passes().says("Nothing has been learned yet");
    repo.gate(&["memory", "stats"]).passes().says("none yet");
    repo.gate(&["memory", "prune"]).passes().says("No session is old enough to go.");
    repo.gate(&["memory", "show", "last"]).errs("debug memory is empty");
    repo.gate(&["memory", "fix", "--description", "x"]).errs("no session is under way");
    assert_eq!(repo.gate_json(&["memory", "query"])["sessions"], serde_json::json!([]));
}

#[test]
fn words_files_errors_and_tests_find_sessions() {
    let repo = repo();
    assert_eq!(ids(&repo.gate_json(&["memory", "query"])), [OPEN, SOLVED]);
    assert_eq!(ids(&repo.gate_json(&["memory", "query", "forgets", "tax"])), [SOLVED]);
    assert_eq!(ids(&repo.gate_json(&["memory", "query", "--limit", "1"])), [OPEN]);
    assert_eq!(ids(&repo.gate_json(&["memory", "query", "--module", "src/*", "--test", "TOTAL"])).len(), 2);
    assert_eq!(ids(&repo.gate_json(&["memory", "query", "--error", "typeerror"])).len(), 0);
    assert_eq!(ids(&repo.gate_json(&["-C", "src", "memory", "query", "--file", "cart.py"])).len(), 2);
    repo.gate(&["memory", "query", "tax"])
        .passes()
        .says("1 session, the best match first")
        .says("11111111  passed")
        .says("cause    The total forgets the tax of the last item")
        .says("fix      The loop takes the last item too (passed)");
}

#[test]
fn a_file_gets_advice_before_it_is_touched() {
    let repo = repo();
    let advice = &repo.gate_json(&["memory", "query", "--file", "src/cart.py"])["advice"];
    assert_eq!((&advice["past_sessions"], &advice["module"]), (&2.into(), &"src/*".into()));
    assert_eq!(advice["common_patterns"][0]["frequency"], 2);
    repo.gate(&["memory", "query", "--file", "src/cart.py"])
        .passes()
        .says("src/cart.py: 2 past sessions of this file, 2 of src/*")
        .says("2 x  AssertionError: total of <number> items is <number>, expected <number>");
}

#[test]
fn mistakes_on_the_command_line_are_explained() {
    let repo = repo();
    let analyze = |more: &[&str]| {
        let cause = "The total forgets the tax of an item";
        let args = ["memory", "analyze", "--root-cause", cause, "--strategy", cause];
        repo.gate(&[&args, more].concat())
    };
    analyze(&["--category", "logik_error"]).errs("a similar value exists: 'logic_error'");
    analyze(&["--confidence", "1.2"]).errs("from 0 to 1");
    analyze(&["--confidence", "NaN"]).errs("from 0 to 1");
    analyze(&["--session", "deadbeef"]).errs("there is no session `deadbeef`");
    analyze(&["--related", "nothing"]).errs("these did: tests/test_cart.py::test_total");
    repo.gate(&["memory", "analyze", "--root-cause", "short", "--strategy", "short"])
        .errs("--root-cause needs at least 20 characters, this has 5");
    repo.gate(&["memory", "query", "--error", "TypoError"]).errs("a similar value exists: 'TypeError'");
    repo.gate(&["memory", "query", "--module", "a["]).errs("`a[` is not a glob");
    repo.gate(&["memory", "query", "--file", "../../x"]).errs("outside the repository");
    assert!(!repo.read(&format!("{SESSIONS}/session-{OPEN}.yaml")).contains("analysis"));
}

#[test]
fn a_cause_is_noted_with_what_solved_the_like_before() {
    let repo = repo();
    repo.gate(&[
        "memory",
        "analyze",
        "--root-cause",
        "The total forgets the tax again",
        "--strategy",
        "Loop over all items this time",
        "--category",
        "off_by_one",
        "--confidence",
        "0.8",
        "--related",
        "test_total",
    ])
    .passes()
    .says("The analysis of attempt 1 is noted in session 22222222 (src/cart.py).")
    .says("similar before, session 11111111: The loop takes the last item too");
    let shown = repo.gate_json(&["memory", "show", OPEN]);
    let analysis = &shown["session"]["executions"][0]["analysis"];
    assert_eq!(analysis["root_cause_category"], "off_by_one");
    assert_eq!(analysis["related_failures"][0], "tests/test_cart.py::test_total");
    assert_eq!(analysis["similar_past_issues"][0]["session_id"], SOLVED);
}

#[test]
fn a_fix_is_measured_by_git() {
    let repo = repo();
    repo.write("src/cart.py", "total = 2\nmore = 3\n");
    repo.write("src/new.py", "new = 1\n");
    repo.gate(&["memory", "fix", "--description", "Count the tax"])
        .passes()
        .says("+3/-1 lines in src/cart.py, src/new.py")
        .says("`aiwg-gate run` tells whether it worked");
    let fix = &repo.gate_json(&["memory", "show", "2222"])["session"]["executions"][0]["fix_applied"];
    assert_eq!((&fix["verification"], &fix["diff_summary"]), (&"pending".into(), &"+3/-1 lines".into()));
    assert!(fix["diff"].as_str().unwrap().contains("+more = 3"));
    assert_eq!(repo.git(&["status", "--porcelain"]), " M src/cart.py\n?? src/new.py");
}

#[test]
fn a_session_can_be_named_by_the_environment() {
    let repo = repo();
    let mut command = repo.command(GATE);
    command.args(["memory", "fix", "--description", "Again"]).env("AIWG_SESSION_ID", SOLVED);
    outcome(&mut command).passes().says("session 11111111");
    let mut command = repo.command(GATE);
    command.args(["memory", "fix", "--description", "Again"]).env("AIWG_SESSION_ID", "");
    outcome(&mut command).passes().says("session 22222222");
}

#[test]
fn a_session_is_shown_attempt_by_attempt() {
    let repo = repo();
    repo.gate(&["memory", "show", "1111"])
        .passes()
        .says("attempt 1  2026-01-05 12:01:00 UTC  2 tests, 1 passed, 1 failed")
        .says("failed    tests/test_cart.py::test_total")
        .says("cause     [off_by_one] The total forgets the tax of the last item (confidence 0.90)")
        .says("fix       The loop takes the last item too (+1/-1 lines, passed)")
        .says("attempt 2  ");
    repo.gate(&["memory", "show", "last"])
        .passes()
        .says(OPEN)
        .says("chain      broken: attempt 1 was changed");
    repo.gate(&["memory", "show", "7777"]).errs("there is no session `7777`");
}

#[test]
fn metrics_stand_beside_their_targets() {
    let repo = repo();
    repo.gate(&["memory", "stats"])
        .passes()
        .says("sessions   2: 1 passed, 0 failed, 0 escalated, 1 in progress")
        .says("first-attempt pass rate")
        .says("target > 70 %   not met")
        .says("src/cart.py                2 sessions, 2 failed attempts");
    let stats = repo.gate_json(&["memory", "stats"]);
    let first = &stats["metrics"]["first_attempt_pass_rate"];
    assert_eq!(*first, serde_json::json!({"value": 0.0, "target": {"above": 0.7}, "met": false}));
    assert_eq!(stats["metrics"]["average_attempts"]["value"], 2.0);
    assert_eq!(stats["error_types"][0]["error_type"], "AssertionError");
    let patterns = repo.gate_json(&["memory", "patterns"]);
    assert_eq!(patterns["patterns"][0]["success_rate"], 1.0);
    repo.gate(&["memory", "patterns"]).passes().says("2 x, solved in 100 %, last seen 2026-01-05");
}

#[test]
fn files_that_cannot_be_read_are_named_and_left_alone() {
    let repo = repo();
    let broken = format!("{SESSIONS}/session-33333333-3333-4333-8333-333333333333.yaml");
    repo.write(&broken, "executions: [\n");
    repo.gate(&["memory", "query"]).passes().says("1 file could not be read and was left alone").says("3333");
    repo.gate(&["memory", "stats"]).passes().says("could not be read");
    repo.gate(&["memory", "prune"]).passes();
    assert_eq!(repo.read(&broken), "executions: [\n");
}

#[test]
fn foreign_sessions_are_read_but_never_written() {
    let repo = repo();
    let foreign = "session_id: abc123\nfile_path: src/utils/validate.ts\nstatus: in_progress\nexecutions:\n- attempt: 1\n  \
                   timestamp: 2026-02-01T10:00:00Z\n  code_hash: x\n  test_results: {passed: 6, failed: 2}\n  failures:\n  \
                   - {test: test_null_input, error_type: TypeError, error: \"Cannot read property 'x' of null\"}\n";
    repo.write(".aiwg/ralph/debug-memory/session-abc123.yaml", foreign);
    repo.gate(&["memory", "show", "abc123"]).passes().says("test_null_input");
    let args = ["memory", "fix", "--session", "abc123", "--description", "Guard"];
    repo.gate(&args).errs("was written by another tool: it is left as it is");
    assert_eq!(repo.read(".aiwg/ralph/debug-memory/session-abc123.yaml"), foreign);
}

/// Makes of the session under way a passing run of exactly what is committed.
fn prove(repo: &Repo) {
    let repository = Repository::open(repo.directory()).unwrap();
    let store = memory::Store::of(&repository).unwrap();
    let mut session = store.session(OPEN).unwrap().unwrap();
    let execution = &mut session.executions[0];
    execution.failures.clear();
    execution.test_results = memory::TestResults { total: 2, passed: 2, ..Default::default() };
    execution.proof.as_mut().unwrap().exit_code = Some(0);
    memory::seal(execution, None);
    store.lock().unwrap().write(&session).unwrap();
}

#[test]
fn old_sessions_go_unless_a_commit_needs_their_proof() {
    let repo = repo();
    let tree = repo.git(&["rev-parse", "HEAD^{tree}"]);
    let reference = format!("refs/aiwg-gate/attempts/{SOLVED}/1");
    repo.git(&["update-ref", &reference, &tree]);
    repo.git(&["update-ref", &format!("refs/aiwg-gate/attempts/{OPEN}/1"), &tree]);
    prove(&repo);
    repo.gate(&["memory", "prune", "--dry-run"]).passes().says("would be removed").says(SOLVED);
    assert!(repo.path(&format!("{SESSIONS}/session-{SOLVED}.yaml")).exists());
    let pruned = repo.gate_json(&["memory", "prune"]);
    assert_eq!((ids(&pruned), &pruned["kept"]), (vec![SOLVED], &serde_json::json!([OPEN])));
    assert!(!repo.path(&format!("{SESSIONS}/session-{SOLVED}.yaml")).exists());
    let left = repo.git(&["for-each-ref", "--format=%(refname)", "refs/aiwg-gate"]);
    assert_eq!(left, format!("refs/aiwg-gate/attempts/{OPEN}/1"));
    repo.gate(&["memory", "prune"]).passes().says("1 old session kept: a proof of a commit is in there");
    repo.write("src/cart.py", "total = 2\n");
    repo.git(&["commit", "--quiet", "--amend", "--all", "-m", "Other"]);
    assert_eq!(ids(&repo.gate_json(&["memory", "prune"])), [OPEN]);
}

#[test]
fn names_are_data() {
    let repo = repo();
    let path = format!("{SESSIONS}/session-{SOLVED}.yaml");
    let hostile = solved().replace("src/cart.py\ncreated", "\"a\\e[31m\\n::error::b\"\ncreated");
    let hostile = hostile.replace("The loop takes", "\\e]0;x\\a ##[error] The loop takes");
    repo.write(&path, hostile.replace("description: ", "description: \"").replace("too\n", "too\"\n"));
    for args in [&["memory", "query"][..], &["memory", "show", SOLVED], &["memory", "stats"]] {
        let out = repo.gate(args).passes().both();
        assert!(!out.contains('\x1b') && !out.contains("##[error]"), "{out:?}");
        assert!(!out.lines().any(|line| line.trim_start().starts_with("::")), "{out}");
    }
}
