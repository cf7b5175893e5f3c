//! Where sessions are kept, found and written.

use super::*;
use crate::memory::samples::{add_sealed, id, sealed_session};

fn store(folder: &tempfile::TempDir) -> Store {
    Store::at(folder.path(), &folder.path().join("state"))
}

#[test]
fn a_session_is_found_by_its_id_or_the_start_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder);
    let locked = store.lock().unwrap();
    let mut other = sealed_session(2, 0);
    other.session_id = "abcdef01-0000-4000-8000-000000000000".to_owned();
    for session in [&sealed_session(0x10, 0), &sealed_session(0x11, 5), &other] {
        locked.write(session).unwrap();
    }
    assert_eq!(store.session(&id(0x10)).unwrap(), Some(sealed_session(0x10, 0)));
    assert_eq!(store.session("abcd").unwrap(), Some(other));
    assert_eq!(store.session("abc").unwrap(), None, "too short to mean one");
    assert_eq!(store.session("ffff").unwrap(), None);
    let error = store.session("00000000-0000").unwrap_err().to_string();
    assert!(error.contains("2 sessions begin with"), "{error}");
    let (sessions, unreadable) = store.sessions().unwrap();
    assert_eq!((sessions[0].session_id.as_str(), unreadable.len()), (id(0x11).as_str(), 0));
}

#[test]
fn an_id_never_makes_a_path() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder);
    std::fs::write(folder.path().join("secret.yaml"), "executions: []").unwrap();
    for bad in ["../../../../secret", "/etc/passwd", "", "a\0b", "{00000000-0000-4000-8000-000000000001}"] {
        assert_eq!(store.session(bad).unwrap(), None, "{bad:?}");
        let mut session = sealed_session(1, 0);
        session.session_id = bad.to_owned();
        let locked = store.lock().unwrap();
        assert!(locked.write(&session).is_err() && locked.write_beside(bad, Beside::Log(1), b"").is_err());
    }
}

#[test]
fn files_of_other_tools_are_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder);
    let locked = store.lock().unwrap();
    locked.write(&sealed_session(1, 0)).unwrap();
    let path = store.session_file(&id(1)).unwrap();
    let theirs = std::fs::read_to_string(&path).unwrap() + "phase: verify_fix\n";
    std::fs::write(&path, &theirs).unwrap();
    let read = store.session(&id(1)).unwrap().unwrap();
    assert_eq!(read.foreign[0].place, "phase");
    assert_eq!(read.executions, sealed_session(1, 0).executions, "the proof is read all the same");
    assert!(locked.write(&sealed_session(1, 0)).unwrap_err().to_string().contains("left alone"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), theirs);

    let patterns = store.directory().join("patterns/learned-patterns.yaml");
    let theirs = "patterns:\n- {error_pattern: x of null, owner: team}\n";
    std::fs::create_dir_all(patterns.parent().unwrap()).unwrap();
    std::fs::write(&patterns, theirs).unwrap();
    let read = store.read_patterns().unwrap();
    locked.write_patterns(&read).unwrap();
    locked.write_patterns(&read).unwrap();
    assert_eq!(store.read_patterns().unwrap(), read);
    let copy = patterns.with_file_name("learned-patterns.before-aiwg-gate.yaml");
    assert_eq!(std::fs::read_to_string(copy).unwrap(), theirs);
}

#[test]
fn fifty_writers_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder);
    std::thread::scope(|scope| {
        for writer in 0..50 {
            let store = &store;
            scope.spawn(move || {
                // Half of them continue one session, the others have one each.
                let number = if writer % 2 == 0 { 1000 } else { writer };
                let locked = store.lock().unwrap();
                let mut session = locked.session(&id(number)).unwrap().unwrap_or_else(|| {
                    let mut new = sealed_session(number, 0);
                    new.executions.clear();
                    new
                });
                add_sealed(&mut session, "unit", i64::from(writer));
                locked.write(&session).unwrap();
                locked
                    .write_beside(&id(number), Beside::Log(session.executions.len() as u32), b"log")
                    .unwrap();
            });
        }
    });
    let index = store.index().unwrap();
    assert_eq!(index.records("unit").filter(|record| record.intact).count(), 50);
    assert_eq!(store.session(&id(1000)).unwrap().unwrap().executions.len(), 25);
    assert_eq!(std::fs::read_dir(store.directory().join("runs")).unwrap().count(), 50);
    assert_eq!(index.unreadable(), []);
}
