//! What is noted about an attempt, and where it goes.

use super::*;
use crate::memory::samples::{failing, minute, passing, repository, session, solved, tree};

const TEST: &str = "tests/test_cart.py::test_total";

struct Stage {
    folder: tempfile::TempDir,
    repository: Repository,
    store: Store,
}

fn stage(sessions: &[Session]) -> Stage {
    let folder = tempfile::tempdir().unwrap();
    let repository = repository(folder.path());
    let store = Store::of(&repository).unwrap();
    let locked = store.lock().unwrap();
    sessions.iter().for_each(|session| locked.write(session).unwrap());
    drop(locked);
    Stage { folder, repository, store }
}

fn said() -> Said {
    Said {
        root_cause: "The total forgets the tax".into(),
        strategy: "Add the tax of every item".into(),
        category: Some(RootCauseCategory::LogicError),
        confidence: Some(0.8),
        related: Vec::new(),
    }
}

#[test]
fn a_cause_is_noted_at_the_last_failed_attempt_with_what_is_known() {
    let mut weak = passing(3);
    weak.proof.as_mut().unwrap().weak.push("1 of 2 ran".into());
    let open = session(vec![failing(1, TEST), failing(2, TEST), weak]);
    let stage = stage(&[open, solved("11111111-1111-4111-8111-111111111111")]);
    let said = Said { related: vec!["test_total".into()], ..said() };
    let noted = analyze(&stage.store, &Which::default(), &said, minute(9)).unwrap();
    assert_eq!((noted.execution().attempt, noted.replaced), (2, false));
    let written = stage.store.session(&noted.session.session_id).unwrap().unwrap();
    let analysis = written.executions[1].analysis.as_ref().unwrap();
    assert_eq!(analysis.related_failures, [TEST]);
    assert_eq!(analysis.similar_past_issues[0].resolution.as_deref(), Some("Added the tax of the last item"));
    assert!(analyze(&stage.store, &Which::default(), &said, minute(9)).unwrap().replaced);
}

#[test]
fn what_explains_nothing_is_refused() {
    let stage = stage(&[session(vec![failing(1, TEST)])]);
    let error =
        |said: Said| analyze(&stage.store, &Which::default(), &said, minute(9)).unwrap_err().to_string();
    let short = error(Said { root_cause: "  broken  ".into(), ..said() });
    assert!(short.contains("--root-cause needs at least 20 characters, this has 6"), "{short}");
    assert!(error(Said { strategy: "fix it".into(), ..said() }).contains("--strategy"));
    for confidence in [1.5, -0.1, f64::NAN] {
        assert!(error(Said { confidence: Some(confidence), ..said() }).contains("from 0 to 1"));
    }
    let related = error(Said { related: vec!["test_rate".into()], ..said() });
    assert!(related.contains("no such test failed in attempt 1; these did: tests/test_cart.py"), "{related}");
}

#[test]
fn the_session_of_this_working_tree_comes_first() {
    let here = session(vec![failing(1, TEST)]);
    let mut other = session(vec![failing(5, TEST)]);
    other.session_id = "33333333-3333-4333-8333-333333333333".into();
    other.metadata.as_mut().unwrap().worktree = Some("/other".into());
    let stage = stage(&[here.clone(), other.clone()]);
    let noted = |which: Which| analyze(&stage.store, &which, &said(), minute(9)).unwrap().session.session_id;
    assert_eq!(noted(Which { worktree: Some("/w".into()), session: None }), here.session_id);
    assert_eq!(noted(Which { session: Some("3333".into()), worktree: Some("/w".into()) }), other.session_id);
}

#[test]
fn without_a_session_the_message_says_what_to_do() {
    let error = |stage: &Stage, which: &Which| {
        analyze(&stage.store, which, &said(), minute(9)).unwrap_err().to_string()
    };
    let none = Which::default();
    assert!(error(&stage(&[]), &none).contains("no session is under way"));
    let escalated = Session { status: Status::Escalated, ..session(vec![failing(1, TEST)]) };
    assert!(error(&stage(&[escalated]), &none).contains("--session 6f9619ff"));
    assert!(error(&stage(&[session(vec![passing(1)])]), &none).contains("nothing to explain"));
    let unknown = Which { session: Some("99999999".into()), worktree: None };
    assert!(error(&stage(&[]), &unknown).contains("there is no session `99999999`"));
}

#[test]
fn a_fix_is_measured_against_what_failed() {
    let stage = stage(&[]);
    let tested = tree(&stage.repository, &[("src/cart.py", "a\nb\n")]);
    let mut open = session(vec![failing(1, TEST)]);
    open.executions[0].proof.as_mut().unwrap().tree = tested.to_string();
    stage.store.lock().unwrap().write(&open).unwrap();
    let fix =
        |text: &str| super::fix(&stage.repository, &stage.store, &Which::default(), text, minute(9)).unwrap();
    let early = fix("Installed the missing locale");
    assert_eq!(early.no_diff, Some("no file differs from what was tested"));
    std::fs::write(stage.folder.path().join("src/cart.py"), "a\nc\nd\n").unwrap();
    let noted = fix("Added the tax");
    assert!(noted.replaced);
    let fix = noted.execution().fix_applied.as_ref().unwrap();
    assert_eq!(fix.diff_summary.as_deref(), Some("+2/-1 lines"));
    assert_eq!(fix.files_changed, ["src/cart.py"]);
    assert_eq!(fix.verification, Some(Verification::Pending));
    assert!(fix.diff.as_ref().unwrap().contains("-b\n+c\n+d\n"));
}

#[test]
fn a_tree_that_is_gone_leaves_the_description() {
    let mut open = session(vec![failing(1, TEST)]);
    open.executions[0].proof.as_mut().unwrap().tree = "0123456789".repeat(4);
    let stage = stage(&[open]);
    let noted = fix(&stage.repository, &stage.store, &Which::default(), "Added the tax", minute(9)).unwrap();
    assert!(noted.no_diff.unwrap().contains("not in this repository"));
    assert_eq!(noted.execution().fix_applied.as_ref().unwrap().diff_summary, None);
}

/// A session that failed and then passed, each with a tree of its own.
fn green(stage: &Stage, derived: Option<&str>) -> Session {
    let trees = ["a\n", "b\n"].map(|text| tree(&stage.repository, &[("src/cart.py", text)]).to_string());
    let mut green = session(vec![failing(1, TEST), passing(2)]);
    for (execution, tree) in green.executions.iter_mut().zip(&trees) {
        execution.proof.as_mut().unwrap().tree = tree.clone();
    }
    green.executions[0].fix_applied =
        derived.map(|text| crate::memory::samples::fix(text, Verification::Passed));
    green.status = Status::Passed;
    stage.store.lock().unwrap().write(&green).unwrap();
    green
}

#[test]
fn a_fix_can_be_described_after_the_pass() {
    for derived in [None, Some("Derived: changed src/cart.py between attempts 1 and 2")] {
        let stage = stage(&[]);
        let green = green(&stage, derived);
        let here = Which { worktree: Some("/w".into()), session: None };
        let noted = fix(&stage.repository, &stage.store, &here, "Added the tax", minute(9)).unwrap();
        assert_eq!((noted.at, noted.replaced, noted.session.status), (0, derived.is_some(), Status::Passed));
        let fixed = noted.execution().fix_applied.as_ref().unwrap();
        assert_eq!(
            (fixed.description.as_str(), fixed.verification),
            ("Added the tax", Some(Verification::Passed))
        );
        assert_eq!(fixed.diff_summary.as_deref(), Some("+1/-1 lines"));
        let learned = stage.store.read_patterns().unwrap();
        assert_eq!(learned.patterns[0].fix_template, "Added the tax");
        assert_eq!(noted.session.updated_at, green.updated_at);
        let again =
            fix(&stage.repository, &stage.store, &here, "Added more", minute(9)).unwrap_err().to_string();
        assert!(again.contains("has a described fix already: --session 6f96"), "{again}");
        let named = Which { session: Some("6f96".into()), ..here };
        let noted = fix(&stage.repository, &stage.store, &named, "Added more", minute(9)).unwrap();
        assert_eq!(noted.execution().fix_applied.as_ref().unwrap().verification, Some(Verification::Passed));
        assert_eq!(stage.store.read_patterns().unwrap().patterns[0].occurrences, 1);
    }
}

#[test]
fn a_solved_session_of_another_working_tree_is_not_meant() {
    let stage = stage(&[]);
    green(&stage, None);
    let elsewhere = Which { worktree: Some("/other".into()), session: None };
    let error = fix(&stage.repository, &stage.store, &elsewhere, "Added the tax", minute(9)).unwrap_err();
    assert!(error.to_string().contains("no session is under way"), "{error}");
}
