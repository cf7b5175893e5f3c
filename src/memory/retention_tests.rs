//! What is pruned, and what stays because it proves something.

use super::*;
use crate::memory::samples::{add_sealed, id, sealed_session, time};
use crate::memory::{FixApplied, Store};

const DAY: i64 = 24 * 60 * 60;

struct Memory {
    _folder: tempfile::TempDir,
    store: Store,
}

fn memory(sessions: &[Session]) -> Memory {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path(), &folder.path().join("state"));
    let locked = store.lock().unwrap();
    for session in sessions {
        locked.write(session).unwrap();
        for kind in [Beside::Log(1), Beside::Tests(1), Beside::Escalation] {
            locked.write_beside(&session.session_id, kind, b"x").unwrap();
        }
    }
    drop(locked);
    Memory { _folder: folder, store }
}

fn gone(memory: &Memory, days: i64, keep: impl Fn(&Record) -> Option<String>) -> Vec<String> {
    let locked = memory.store.lock().unwrap();
    let pruned = prune(&locked, time(days * DAY), keep, false).unwrap();
    pruned.sessions.into_iter().map(|session| session.session_id).collect()
}

#[test]
fn sessions_stay_30_days_60_with_lessons_90_when_escalated() {
    let mut fixed = sealed_session(2, 0);
    let fix = FixApplied {
        description: "guard".to_owned(),
        verification: Some(Verification::Passed),
        ..FixApplied::default()
    };
    fixed.executions[0].fix_applied = Some(fix);
    let escalated = Session { status: Status::Escalated, ..sealed_session(3, 0) };
    let memory = memory(&[sealed_session(1, 0), fixed, escalated]);
    assert_eq!(gone(&memory, 30, |_| None), Vec::<String>::new());
    assert_eq!(gone(&memory, 31, |_| None), [id(1)]);
    assert_eq!(gone(&memory, 61, |_| None), [id(2)]);
    assert_eq!(gone(&memory, 91, |_| None), [id(3)]);
    let left = |folder: &str| fs::read_dir(memory.store.directory().join(folder)).unwrap().count();
    assert_eq!((left("sessions"), left("runs")), (0, 0), "what is beside goes too");
}

#[test]
fn the_newest_needed_proof_stays() {
    let mut two = sealed_session(2, 10);
    add_sealed(&mut two, "web", 20);
    let memory = memory(&[sealed_session(1, 0), two, sealed_session(3, 5)]);
    let keep = |record: &Record| (record.proof.suite == "unit").then(|| record.proof.tree.clone());
    let locked = memory.store.lock().unwrap();
    let dry = prune(&locked, time(40 * DAY), keep, true).unwrap();
    assert_eq!(dry.needed, [id(2)]);
    assert_eq!(dry.sessions.iter().map(|session| &session.session_id).collect::<Vec<_>>(), [&id(1), &id(3)]);
    assert_eq!(dry.sessions[0].attempts, [1]);
    assert_eq!(locked.sessions().unwrap().0.len(), 3, "a dry run removes nothing");
    drop(locked);
    assert_eq!(gone(&memory, 40, keep), [id(1), id(3)]);
    assert_eq!(memory.store.index().unwrap().summaries().count(), 1);
}

#[test]
fn a_forged_run_keeps_nothing_and_foreign_files_are_left_alone() {
    let memory = memory(&[sealed_session(1, 0)]);
    let path = memory.store.session_file(&id(1)).unwrap();
    let forged = fs::read_to_string(&path).unwrap().replace("total: 3", "total: 4");
    fs::write(&path, forged).unwrap();
    let foreign = memory.store.directory().join("session-old.yaml");
    fs::write(&foreign, "session_id: old\ncreated_at: 2001-01-01\nexecutions: []\n").unwrap();
    let broken = memory.store.directory().join("sessions/session-broken.yaml");
    fs::write(&broken, "executions: [").unwrap();
    let locked = memory.store.lock().unwrap();
    let pruned = prune(&locked, time(400 * DAY), |_| Some("all".to_owned()), false).unwrap();
    assert_eq!((pruned.sessions.len(), pruned.foreign, pruned.unreadable.len()), (1, 1, 1));
    assert!(foreign.exists() && broken.exists() && !path.exists());
}
