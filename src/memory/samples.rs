//! Sessions for unit tests.

use std::path::Path;

use chrono::{DateTime, TimeZone, Utc};

use super::chain::{last_digest, seal};
use super::format::*;
use crate::git::{Git, ObjectId, Repository};

/// Noon of a day in January, and so many minutes.
pub fn minute(minute: u32) -> DateTime<Utc> {
    Utc.with_ymd_and_hms(2026, 1, 5, 12, 0, 0).unwrap() + chrono::TimeDelta::minutes(minute.into())
}

/// An attempt that ran nothing.
pub fn attempt(number: u32) -> Execution {
    Execution {
        attempt: number,
        timestamp: minute(number),
        code_hash: format!("sha256:{number}"),
        environment: None,
        test_results: TestResults::default(),
        failures: Vec::new(),
        analysis: None,
        fix_applied: None,
        proof: Some(numbered_proof(number)),
    }
}

/// What a run of all three tests leaves.
pub fn proof(suite: &str) -> Proof {
    Proof {
        suite: suite.to_owned(),
        framework: "pytest".to_owned(),
        command: "pytest -q".to_owned(),
        own_command: true,
        mode: Mode::Worktree,
        ended: ProofEnd::Exited,
        exit_code: Some(0),
        base_commit: Some("1".repeat(40)),
        base_tree: Some("2".repeat(40)),
        tree: "3".repeat(40),
        delta: vec![format!("100644 {} src/cart.py", "4".repeat(40))],
        untracked: Vec::new(),
        created: Vec::new(),
        named: true,
        known: 3,
        unexecuted: Vec::new(),
        excused: None,
        weak: Vec::new(),
        executed_digest: crate::digest::named("executed"),
        output_digest: crate::digest::named("output"),
        chain: Chain::default(),
    }
}

/// The same with names that are easy to tell apart.
fn numbered_proof(number: u32) -> Proof {
    Proof {
        command: "pytest".into(),
        base_commit: Some("c0".into()),
        base_tree: Some("t0".into()),
        tree: format!("tree{number}"),
        delta: vec!["100644 0123 src/cart.py".into()],
        known: 2,
        ..proof("unit")
    }
}

pub fn passing(number: u32) -> Execution {
    let test_results = TestResults { total: 2, passed: 2, ..TestResults::default() };
    Execution { test_results, ..attempt(number) }
}

pub fn failing(number: u32, test: &str) -> Execution {
    let mut execution = attempt(number);
    execution.test_results = TestResults { total: 2, passed: 1, failed: 1, ..TestResults::default() };
    execution.failures.push(failure(test, "assert 3 == 4"));
    if let Some(proof) = &mut execution.proof {
        proof.exit_code = Some(1);
    }
    execution
}

pub fn failure(test: &str, message: &str) -> Failure {
    Failure {
        test_name: test.into(),
        test_file: Some("tests/test_cart.py".into()),
        error_type: ErrorType::AssertionError,
        error_message: message.into(),
        ..Failure::default()
    }
}

pub fn analysis() -> Analysis {
    Analysis {
        root_cause: "The total forgets the tax of the last item".into(),
        fix_strategy: "Add the tax of every item to the total".into(),
        confidence: Some(0.9),
        ..Analysis::default()
    }
}

pub fn fix(description: &str, verification: Verification) -> FixApplied {
    FixApplied {
        description: description.into(),
        diff_summary: Some("+1/-1 lines".into()),
        files_changed: vec!["src/cart.py".into()],
        verification: Some(verification),
        ..FixApplied::default()
    }
}

pub fn session(executions: Vec<Execution>) -> Session {
    Session {
        session_id: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff".into(),
        file_path: "src/cart.py".into(),
        created_at: Some(minute(0)),
        updated_at: executions.last().map(|last| last.timestamp),
        status: Status::InProgress,
        executions,
        learnings: None,
        metadata: Some(Metadata { worktree: Some("/w".into()), ..Metadata::default() }),
        foreign: Vec::new(),
    }
}

pub fn time(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_770_000_000 + seconds, 0).unwrap()
}

pub fn id(number: u32) -> String {
    format!("00000000-0000-4000-8000-{number:012x}")
}

/// A session with one sealed attempt, which passed so many seconds after the first time.
pub fn sealed_session(number: u32, seconds: i64) -> Session {
    let mut session = Session {
        session_id: id(number),
        created_at: Some(time(seconds)),
        status: Status::Passed,
        metadata: None,
        ..session(Vec::new())
    };
    add_sealed(&mut session, "unit", seconds);
    session
}

/// Adds a sealed attempt that passed.
pub fn add_sealed(session: &mut Session, suite: &str, seconds: i64) {
    let number = session.executions.len() as u32 + 1;
    let mut execution = Execution {
        timestamp: time(seconds),
        code_hash: crate::digest::named(format!("{number}")),
        test_results: TestResults { total: 3, passed: 3, ..TestResults::default() },
        proof: Some(proof(suite)),
        ..attempt(number)
    };
    seal(&mut execution, last_digest(session));
    session.executions.push(execution);
    session.updated_at = Some(time(seconds));
}

/// A session that was solved at its second attempt.
pub fn solved(id: &str) -> Session {
    let mut first = failing(1, "tests/test_cart.py::test_total");
    first.analysis = Some(analysis());
    first.fix_applied = Some(fix("Added the tax of the last item", Verification::Passed));
    let executions = vec![first, passing(2)];
    Session { session_id: id.into(), status: Status::Passed, ..session(executions) }
}

/// An empty repository in a folder.
pub fn repository(folder: &Path) -> Repository {
    let git = Git::at(folder);
    git.output(&["init", "--quiet", "--initial-branch=main"]).unwrap();
    git.output(&["config", "user.name", "Gate"]).unwrap();
    git.output(&["config", "user.email", "gate@example.invalid"]).unwrap();
    Repository::open(folder).unwrap()
}

/// Writes files and gives the tree that holds them and everything before.
pub fn tree(repository: &Repository, files: &[(&str, &str)]) -> ObjectId {
    let root = repository.work_dir().unwrap();
    for (path, text) in files {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let git = Git::at(root);
    git.output(&["add", "--all", ":!.aiwg"]).unwrap();
    ObjectId::parse(&git.line(&["write-tree"]).unwrap()).unwrap()
}
