//! Attempts in their sessions: continued, settled, learned from, escalated.

use super::*;
use crate::memory::escalation;
use crate::memory::samples::{analysis, failing, failure, fix, minute, passing, repository, solved, tree};
use crate::memory::{FixApplied, ProofEnd, Verification, verify_chain};

const TEST: &str = "tests/test_cart.py::test_total";

struct Stage {
    _folder: tempfile::TempDir,
    repository: Repository,
    store: Store,
    clock: std::cell::Cell<u32>,
}

impl Stage {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let repository = repository(folder.path());
        let store = Store::of(&repository).unwrap();
        Self { _folder: folder, repository, store, clock: std::cell::Cell::new(10) }
    }

    /// Writes the file under repair and gives the tree.
    fn edit(&self, text: &str) -> String {
        tree(&self.repository, &[("src/cart.py", text)]).to_string()
    }

    fn attempt(&self, execution: Execution, tree: &str) -> Attempt {
        let mut execution = execution;
        let failed: Vec<String> = execution.failures.iter().map(|one| one.test_name.clone()).collect();
        execution.proof.as_mut().unwrap().tree = tree.to_owned();
        execution.code_hash = format!("sha256:{tree}");
        let all = [TEST, "tests/test_cart.py::test_tax"];
        let outcome = |test: &str| if failed.iter().any(|one| one == test) { "failed" } else { "passed" };
        Attempt {
            tests: all.iter().map(|test| (outcome(test).to_owned(), (*test).to_owned())).collect(),
            execution,
            file_path: "src/cart.py".into(),
            changed: vec!["src/cart.py".into()],
            log: b"output\n".to_vec(),
            session: None,
            agent: Some("codex".into()),
            counted: true,
            worktree: "/w".into(),
            task_id: None,
            iteration: None,
        }
    }

    fn record_with(&self, attempt: Attempt, settings: &FeedbackSettings) -> Recorded {
        self.clock.set(self.clock.get() + 1);
        record(&self.repository, &self.store, attempt, settings, minute(self.clock.get())).unwrap()
    }

    fn record(&self, attempt: Attempt) -> Recorded {
        self.record_with(attempt, &FeedbackSettings::default())
    }

    /// Records a failure of the one test, or a pass, of a new content.
    fn fail(&self, text: &str) -> Recorded {
        self.record(self.attempt(failing(0, TEST), &self.edit(text)))
    }

    fn pass(&self, text: &str) -> Recorded {
        self.record(self.attempt(passing(0), &self.edit(text)))
    }

    fn change(&self, session: &Session, change: impl FnOnce(&mut Session)) {
        let mut session = session.clone();
        change(&mut session);
        self.store.lock().unwrap().write(&session).unwrap();
    }

    fn read(&self, recorded: &Recorded) -> Session {
        self.store.session(&recorded.session.session_id).unwrap().unwrap()
    }
}

#[test]
fn attempts_of_one_hunt_make_one_session_until_it_passes() {
    let stage = Stage::new();
    let first = stage.fail("total = 1\n");
    assert_eq!((first.attempt, first.continued, first.session.status), (1, false, Status::InProgress));
    let second = stage.pass("total = 2\n");
    assert_eq!((second.attempt, second.continued, second.session.status), (2, true, Status::Passed));
    assert_eq!(second.session.session_id, first.session.session_id);
    let session = stage.read(&second);
    assert_eq!(session, second.session);
    verify_chain(&session).unwrap();
    let third = stage.fail("total = 3\n");
    assert_ne!(third.session.session_id, first.session.session_id);
    let tests = stage.store.beside_file(&third.session.session_id, Beside::Tests(1)).unwrap();
    let expected = "failed\ttests/test_cart.py::test_total\npassed\ttests/test_cart.py::test_tax\n";
    assert_eq!(std::fs::read_to_string(tests).unwrap(), expected);
}

#[test]
fn a_pass_verifies_the_fix_that_was_told() {
    let stage = Stage::new();
    let first = stage.fail("total = 1\n");
    stage.change(&first.session, |session| {
        session.executions[0].analysis = Some(analysis());
        session.executions[0].fix_applied = Some(fix("Added the tax", Verification::Pending));
    });
    let second = stage.pass("total = 2\n");
    assert!(second.fix_verified && !second.analysis_missing);
    let fix = second.session.executions[0].fix_applied.as_ref().unwrap();
    assert_eq!((fix.description.as_str(), fix.verification), ("Added the tax", Some(Verification::Passed)));
    assert_eq!(second.learned, ["AssertionError: assert <number> == <number>"]);
    let learned = stage.store.read_patterns().unwrap();
    assert_eq!(learned.patterns[0].fix_template, "Add the tax of every item to the total");
    assert_eq!((learned.patterns[0].occurrences, learned.patterns[0].success_rate), (1, 1.0));
    let noted = second.session.learnings.unwrap();
    assert_eq!(noted.patterns_identified[0].effectiveness, Some(1.0));
}

#[test]
fn a_fix_that_nobody_told_is_derived_from_the_trees() {
    let stage = Stage::new();
    stage.fail("total = 1\n");
    let second = stage.fail("total = 2\n");
    assert!(!second.fix_verified && second.analysis_missing);
    let third = stage.pass("total = 3\nmore = 1\n");
    assert!(third.fix_verified);
    let fixes: Vec<&FixApplied> =
        third.session.executions.iter().filter_map(|one| one.fix_applied.as_ref()).collect();
    assert_eq!(fixes[0].description, "Derived: changed src/cart.py between attempts 1 and 2");
    assert_eq!(fixes[0].verification, Some(Verification::Failed));
    assert_eq!(fixes[1].diff_summary.as_deref(), Some("+2/-1 lines"));
    assert_eq!(fixes[1].verification, Some(Verification::Passed));
    assert!(fixes[1].diff.as_ref().unwrap().contains("+more = 1"));
    let noted = third.session.learnings.unwrap();
    assert_eq!(noted.recurring_failures[0].occurrences, 2);
}

#[test]
fn a_rerun_of_the_same_content_is_no_fix() {
    let stage = Stage::new();
    stage.fail("total = 1\n");
    let second = stage.pass("total = 1\n");
    assert!(!second.fix_verified);
    assert_eq!(second.session.executions[0].fix_applied, None);
}

#[test]
fn weak_and_interrupted_runs_decide_nothing() {
    let stage = Stage::new();
    stage.fail("total = 1\n");
    let mut weak = passing(0);
    weak.proof.as_mut().unwrap().weak.push("1 of 2 tests ran".into());
    let weak = stage.record(stage.attempt(weak, &stage.edit("total = 2\n")));
    assert_eq!((weak.outcome, weak.session.status), (Outcome::Open, Status::InProgress));
    let told = crate::report::memory_recorded_text::render(&weak);
    assert!(told.contains("(in_progress, this run decides nothing)"), "{told}");
    assert_eq!(weak.session.executions[0].fix_applied, None);
    let mut stopped = failing(0, TEST);
    stopped.proof.as_mut().unwrap().ended = ProofEnd::Interrupted;
    let stopped = stage.record(stage.attempt(stopped, &stage.edit("total = 3\n")));
    assert_eq!((stopped.attempt, stopped.failed_in_a_row), (3, 1));
    let passed = stage.pass("total = 4\n");
    assert_eq!((passed.session.status, passed.fix_verified), (Status::Passed, true));
}

#[test]
fn the_last_allowed_attempt_escalates() {
    let stage = Stage::new();
    stage.fail("total = 1\n");
    assert_eq!(stage.fail("total = 2\n").escalation, None);
    let third = stage.fail("total = 3\n");
    assert_eq!(third.session.status, Status::Escalated);
    let escalation = third.escalation.as_ref().unwrap();
    assert_eq!(escalation.reason, escalation::Reason::MaxAttemptsReached);
    for part in [
        "**File**: src/cart.py",
        "**Attempts**: 3 / 3",
        "### Failures",
        "### Analysis",
        "### Attempted Fixes",
        "### All Test Results",
        "### Debug Memory Summary",
        "### Stack Traces",
        "### Original Code",
        "total = 1\n",
        "**Human review required**",
    ] {
        assert!(escalation.markdown.contains(part), "{part}\n{}", escalation.markdown);
    }
    assert!(!escalation.markdown.contains("\ntotal = 3\n"));
    assert_eq!(std::fs::read_to_string(&escalation.path).unwrap(), escalation.markdown);
    let next = stage.fail("total = 4\n");
    assert_eq!((next.attempt, next.continued), (1, false), "a new session starts");
}

#[test]
fn to_run_the_same_content_again_uses_up_no_attempt() {
    let stage = Stage::new();
    for _ in 0..5 {
        let recorded = stage.fail("total = 1\n");
        assert_eq!((recorded.failed_in_a_row, recorded.escalation), (1, None));
    }
    assert_eq!(stage.fail("total = 2\n").failed_in_a_row, 2);
    let third = stage.fail("total = 3\n");
    assert_eq!((third.attempt, third.session.status), (7, Status::Escalated));
}

#[test]
fn a_failure_that_is_excused_later_was_not_solved() {
    let stage = Stage::new();
    stage.fail("total = 1\n");
    let mut excused = stage.attempt(failing(0, TEST), &stage.edit("total = 2\n"));
    excused.execution.proof.as_mut().unwrap().excused = Some([TEST.to_owned()].into());
    let passed = stage.record(excused);
    assert_eq!((passed.outcome, passed.session.status), (Outcome::Passed, Status::Passed));
    assert!(passed.learned.is_empty() && passed.session.learnings.is_none());
}

#[test]
fn a_person_only_sees_a_count() {
    let stage = Stage::new();
    for number in 1..=5 {
        let text = format!("total = {number}\n");
        let mut attempt = stage.attempt(failing(0, TEST), &stage.edit(&text));
        attempt.counted = false;
        let recorded = stage.record(attempt);
        assert_eq!((recorded.attempt, recorded.failed_in_a_row), (number, number));
        assert!(recorded.escalation.is_none() && !recorded.analysis_missing);
        assert_eq!(recorded.session.status, Status::InProgress);
    }
}

#[test]
fn a_regression_is_named_escalated_and_can_be_undone() {
    let stage = Stage::new();
    let first = stage.fail("total = 1\n");
    let broken = stage.attempt(failing(0, "tests/test_cart.py::test_tax"), &stage.edit("total = 2\n"));
    let settings = FeedbackSettings { abort_on_regression: false, ..FeedbackSettings::default() };
    let tolerated = stage.record_with(broken.clone(), &settings);
    assert_eq!(tolerated.escalation, None);
    assert_eq!(tolerated.regressions.len(), 1);
    let again = stage.record(stage.attempt(broken.execution, &stage.edit("total = 3\n")));
    let tree = first.session.executions[0].proof.as_ref().unwrap().tree.clone();
    let test = "tests/test_cart.py::test_tax".to_owned();
    assert_eq!(again.regressions, [Regression { test, passed_in_attempt: 1, tree: tree.clone() }]);
    let escalation = again.escalation.unwrap();
    assert_eq!(escalation.reason, escalation::Reason::RegressionDetected);
    let marks = again.session.learnings.unwrap().code_quality_issues;
    assert_eq!(marks[1], "Regression in attempt 3: tests/test_cart.py::test_tax passed in attempt 1");
    let command = format!("git restore --source={tree} --worktree -- :/src/cart.py");
    assert_eq!(again.restore.as_deref(), Some(command.as_str()));
    assert!(escalation.markdown.contains(&command), "{}", escalation.markdown);
}

#[test]
fn a_test_that_is_not_stable_is_no_regression() {
    let stage = Stage::new();
    stage.fail("total = 1\n");
    let tree = stage.edit("total = 1\n");
    let recorded = stage.record(stage.attempt(failing(0, "tests/test_cart.py::test_tax"), &tree));
    assert!(recorded.regressions.is_empty() && recorded.escalation.is_none());
}

#[test]
fn a_run_of_the_base_stands_alone_and_names_what_fails_already() {
    let stage = Stage::new();
    let under_way = stage.fail("total = 1\n");
    let mut base = failing(0, TEST);
    base.proof.as_mut().unwrap().mode = Mode::Base;
    for _ in 0..4 {
        let recorded = stage.record(stage.attempt(base.clone(), "t0"));
        assert_eq!((recorded.attempt, recorded.session.status), (1, Status::Failed));
        assert!(recorded.escalation.is_none() && recorded.similar.is_empty());
    }
    assert_eq!(stage.read(&under_way).executions.len(), 1);
    let known = stage.fail("total = 2\n");
    assert_eq!((known.outcome, known.session.status), (Outcome::Passed, Status::Passed));
}

#[test]
fn work_that_moved_elsewhere_closes_the_hunt_it_left() {
    let stage = Stage::new();
    let left = stage.fail("total = 1\n");
    let mut other = stage.attempt(failing(0, "tests/test_tax.py::test_rate"), &stage.edit("total = 2\n"));
    other.execution.proof.as_mut().unwrap().base_commit = Some("c1".into());
    other.changed = vec!["src/tax.py".into()];
    let recorded = stage.record(other);
    assert!(!recorded.continued);
    assert_eq!(stage.read(&left).status, Status::Failed);
}

#[test]
fn one_session_can_hold_several_suites() {
    let stage = Stage::new();
    let id = "22222222-2222-4222-8222-222222222222";
    let run = |execution: Execution, suite: &str, text: &str| {
        let mut attempt = stage.attempt(execution, &stage.edit(text));
        attempt.execution.proof.as_mut().unwrap().suite = suite.into();
        attempt.session = Some(id.into());
        stage.record(attempt)
    };
    run(failing(0, TEST), "unit", "total = 1\n");
    let web = run(passing(0), "web", "total = 1\n");
    assert_eq!((web.attempt, web.session.status), (2, Status::InProgress));
    assert!(!web.fix_verified && web.session.executions[0].fix_applied.is_none());
    let unit = run(passing(0), "unit", "total = 2\n");
    assert_eq!((unit.session.session_id.as_str(), unit.session.status), (id, Status::Passed));
    verify_chain(&stage.read(&unit)).unwrap();
}

#[test]
fn a_failing_attempt_shows_what_solved_the_like_before() {
    let stage = Stage::new();
    stage.store.lock().unwrap().write(&solved("11111111-1111-4111-8111-111111111111")).unwrap();
    let recorded = stage.fail("total = 1\n");
    assert_eq!(recorded.similar[0].resolution().as_deref(), Some("Added the tax of the last item"));
    assert!(stage.pass("total = 2\n").similar.is_empty());
}

#[test]
fn patterns_that_cannot_be_read_cost_no_record_and_stay_as_they_are() {
    let stage = Stage::new();
    stage.fail("total = 1\n");
    let file = stage.store.directory().join("patterns/learned-patterns.yaml");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, "patterns: [\n").unwrap();
    let passed = stage.pass("total = 2\n");
    assert_eq!((passed.session.status, passed.learned.len()), (Status::Passed, 0));
    assert!(passed.warnings[0].starts_with("the learned patterns cannot be read: "), "{:?}", passed.warnings);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "patterns: [\n");
}

#[test]
fn patterns_that_cannot_be_written_cost_no_record() {
    let stage = Stage::new();
    stage.fail("total = 1\n");
    // A file where the folder should be.
    std::fs::write(stage.store.directory().join("patterns"), "").unwrap();
    let passed = stage.pass("total = 2\n");
    assert_eq!((passed.session.status, passed.learned.len()), (Status::Passed, 0));
    assert_eq!(stage.read(&passed).status, Status::Passed);
    let told = crate::report::memory_recorded_text::render(&passed);
    assert!(told.contains("\n  warning: "), "{told}");
}

#[test]
fn a_failure_without_a_message_does_not_spoil_the_pass_after_it() {
    let stage = Stage::new();
    let mut silent = failing(0, TEST);
    silent.failures[0].error_message.clear();
    stage.record(stage.attempt(silent, &stage.edit("total = 1\n")));
    let passed = stage.pass("total = 2\n");
    assert_eq!((passed.session.status, passed.fix_verified), (Status::Passed, true));
    assert!(passed.learned.is_empty() && passed.warnings.is_empty(), "{:?}", passed.warnings);
}

#[test]
fn many_failures_of_one_run_are_recorded_in_bounded_time() {
    let stage = Stage::new();
    let mut flood = failing(0, TEST);
    flood.failures = (0..5000).map(|one| failure(&format!("test_{one}"), "boom in the parser")).collect();
    flood.test_results.failed = 5000;
    let start = std::time::Instant::now();
    stage.record(stage.attempt(flood, &stage.edit("total = 1\n")));
    stage.pass("total = 2\n");
    assert!(start.elapsed() < std::time::Duration::from_secs(30));
    assert_eq!(stage.store.read_patterns().unwrap().patterns.len(), 1);
}

#[test]
fn the_report_after_a_run_tells_what_matters() {
    use crate::report::memory_recorded_text::render;
    let stage = Stage::new();
    stage.store.lock().unwrap().write(&solved("11111111-1111-4111-8111-111111111111")).unwrap();
    let first = render(&stage.fail("total = 1\n"));
    assert!(first.contains("failed 1 of 3 times"), "{first}");
    assert!(
        first.contains("similar on 2026-01-05: tests/test_cart.py::test_total (session 11111111)"),
        "{first}"
    );
    assert!(first.contains("    fixed by: Added the tax of the last item (+1/-1 lines)\n"), "{first}");
    assert!(first.contains("next: aiwg-gate memory analyze --session "), "{first}");
    let broken = stage.attempt(failing(0, "tests/test_cart.py::test_tax"), &stage.edit("total = 2\n"));
    let broken = render(&stage.record(broken));
    assert!(broken.contains("regression: tests/test_cart.py::test_tax passed in attempt 1"), "{broken}");
    assert!(broken.contains("escalated (regression_detected)") && broken.contains("## Execution Feedback"));
    let mut person = stage.attempt(failing(0, TEST), &stage.edit("total = 3\n"));
    (person.counted, person.agent) = (false, None);
    let person = render(&stage.record(person));
    assert!(person.starts_with("attempt 1 of session ") && !person.contains("next:"), "{person}");
    assert!(!person.contains("of 3"), "{person}");
}
