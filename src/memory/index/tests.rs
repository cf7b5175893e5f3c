//! The index gives what the files say, however it was lost or spoilt.

use std::fs;

use super::*;
use crate::memory::samples::{add_sealed, id, sealed_session, time};

fn store(folder: &tempfile::TempDir) -> Store {
    Store::at(folder.path(), &folder.path().join("state"))
}

fn runs(index: &Index, suite: &str) -> Vec<(String, u32)> {
    index.records(suite).map(|record| (record.session_id, record.attempt)).collect()
}

/// Two sessions whose attempts lie between each other in time.
fn two_sessions(store: &Store) {
    let (mut one, mut two) = (sealed_session(1, 0), sealed_session(2, 10));
    add_sealed(&mut one, "unit", 20);
    add_sealed(&mut one, "web", 30);
    add_sealed(&mut two, "unit", 5);
    let locked = store.lock().unwrap();
    locked.write(&one).unwrap();
    locked.write(&two).unwrap();
}

#[test]
fn runs_come_newest_first_across_sessions() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder);
    two_sessions(&store);
    for _ in 0..2 {
        let index = store.index().unwrap();
        assert_eq!(runs(&index, "unit"), [(id(1), 2), (id(2), 1), (id(2), 2), (id(1), 1)]);
        assert_eq!(runs(&index, "web"), [(id(1), 3)]);
        assert_eq!(runs(&index, "we"), []);
        assert!(index.all_records().all(|record| record.intact));
        assert_eq!(index.summaries().map(|summary| summary.session_id).collect::<Vec<_>>(), [id(1), id(2)]);
    }
}

#[test]
fn an_index_that_is_missing_broken_or_of_another_time_is_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder);
    two_sessions(&store);
    let file = store.index_file();
    let good = fs::read_to_string(&file).unwrap();
    let head = good.find(" s ").unwrap();
    let broken = [
        String::new(),
        "another format\n".to_owned(),
        good[..good.len() / 2].to_owned(),
        good.replace("\"attempt\"", "\"xxxxxxx\""),
        good.replace("\"session_id\"", &"\0".repeat(12)),
        good.replacen("index 2", "index 1", 1),
        format!("{} x {}", &good[..head], &good[head + 3..]),
    ];
    for text in broken {
        fs::write(&file, &text).unwrap();
        let index = store.index().unwrap();
        assert_eq!(runs(&index, "unit").len(), 4, "{text}");
        assert_eq!(index.summaries().count(), 2, "{text}");
    }
    fs::write(&file, [0xff; 100]).unwrap();
    assert_eq!(runs(&store.index().unwrap(), "web").len(), 1);
    assert_eq!(fs::read_to_string(&file).unwrap(), good);
    let old = store.index().unwrap();
    fs::write(folder.path().join("new"), "x").unwrap();
    fs::rename(folder.path().join("new"), &file).unwrap();
    assert_eq!(runs(&old, "unit").len(), 4, "what was opened stays as it was");
    fs::remove_dir_all(folder.path().join("state")).unwrap();
    fs::write(folder.path().join("state"), "in the way").unwrap();
    assert_eq!(runs(&store.index().unwrap(), "web").len(), 1, "it works without an index");
}

#[test]
fn what_changed_is_read_again_and_what_is_gone_is_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder);
    two_sessions(&store);
    let path = store.session_file(&id(1)).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen("failed: 0", "failed: 7", 1)).unwrap();
    let index = store.index().unwrap();
    let changed: Vec<Record> =
        index.records("unit").filter(|record| record.test_results.failed == 7).collect();
    assert_eq!((changed.len(), changed[0].intact), (1, false));
    assert_eq!(index.records("unit").filter(|record| record.intact).count(), 2, "those of the other session");
    fs::remove_file(&path).unwrap();
    assert_eq!(runs(&store.index().unwrap(), "unit"), [(id(2), 1), (id(2), 2)]);
    assert!(!fs::read_to_string(store.index_file()).unwrap().contains(&id(1)));
}

#[test]
fn foreign_and_broken_files_are_known_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder);
    let write = |name: &str, text: &str| {
        let path = folder.path().join(".aiwg/ralph").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("debug-memory/session-a.json", r#"{"session_id": "aaaa1", "executions": []}"#);
    write("debug-memory/notes.yaml", "by: nobody");
    write("debug-memory/patterns/learned-patterns.yaml", "patterns: []");
    write("loops/ralph-x-1/debug-memory/session-b.yml", "executions: [{test_results: {passed: 1}}]");
    write("debug-memory/sessions/session-c.yaml", "executions: {");
    write("debug-memory/sessions/.aiwg-gate-x.tmp", "half a file");
    for _ in 0..2 {
        let index = store.index().unwrap();
        let mut ids: Vec<_> = index.summaries().map(|summary| (summary.session_id, summary.own)).collect();
        ids.sort();
        assert_eq!(ids, [("aaaa1".to_owned(), false), ("b".to_owned(), false)]);
        assert_eq!(index.unreadable().len(), 1);
        assert!(index.unreadable()[0].path.ends_with("session-c.yaml"));
        assert!(index.unreadable()[0].reason.contains("not valid YAML"));
    }
}

#[test]
fn a_summary_has_what_queries_ask_for() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder);
    let mut session = sealed_session(7, 0);
    session.executions[0].failures = vec![crate::memory::Failure {
        test_name: "tests/test_cart.py::test_total".to_owned(),
        error_message: "x".repeat(1000),
        ..Default::default()
    }];
    session.executions[0].fix_applied = Some(crate::memory::FixApplied {
        description: "guard".to_owned(),
        files_changed: vec!["src/cart.py".to_owned()],
        ..Default::default()
    });
    store.lock().unwrap().write(&session).unwrap();
    let summary = store.index().unwrap().summaries().next().unwrap();
    assert_eq!(summary.path, store.session_file(&id(7)).unwrap());
    assert_eq!((summary.own, summary.updated_at, summary.attempt_numbers), (true, Some(time(0)), vec![1]));
    assert_eq!(summary.failures[0].message.len(), 300);
    assert_eq!(
        (summary.notes, summary.files_changed),
        (vec!["guard".to_owned()], vec!["src/cart.py".to_owned()])
    );
}

/// Prints how long the way to the newest run takes: `cargo test --lib -- --ignored --nocapture a_thousand`.
#[test]
#[ignore = "measures, and proves nothing"]
fn a_thousand_sessions_take_a_few_milliseconds() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder);
    fs::create_dir_all(store.directory().join("sessions")).unwrap();
    for number in 0..1000 {
        let mut session = sealed_session(number, i64::from(number) * 100);
        add_sealed(&mut session, "unit", i64::from(number) * 100 + 10);
        add_sealed(&mut session, "unit", i64::from(number) * 100 + 20);
        let text = crate::memory::writer::to_yaml(&session).unwrap();
        fs::write(store.session_file(&id(number)).unwrap(), text).unwrap();
    }
    let time = |what: &str, work: &dyn Fn()| {
        let start = std::time::Instant::now();
        work();
        println!("{what}: {:?}", start.elapsed());
    };
    time("built", &|| drop(store.index().unwrap()));
    println!("{} bytes", fs::metadata(store.index_file()).unwrap().len());
    for _ in 0..5 {
        time("newest run", &|| assert!(store.index().unwrap().records("unit").next().is_some()));
    }
    time("all runs", &|| assert_eq!(store.index().unwrap().records("unit").count(), 3000));
    time("all summaries", &|| assert_eq!(store.index().unwrap().summaries().count(), 1000));
    time("one write", &|| store.lock().unwrap().write(&sealed_session(5000, 0)).unwrap());
    time("list", &|| drop(session_files::list(&store)));
    time("heads", &|| drop(Stored::open(&store.index_file())));
}

fn git(folder: &Path, args: &[&str]) {
    let done = crate::git::Git::at(folder).command(args).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn what_came_with_a_checkout_is_remembered_and_proves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    git(folder.path(), &["init", "--quiet"]);
    let store = Store::of(&crate::git::Repository::open(folder.path()).unwrap()).unwrap();
    two_sessions(&store);
    assert_eq!(runs(&store.index().unwrap(), "unit").len(), 4);
    let file = store.session_file(&id(1)).unwrap();
    git(folder.path(), &["add", "--force", file.to_str().unwrap()]);
    let name = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
    git(folder.path(), &[&name[..], &["commit", "--quiet", "--message", "Add a session"]].concat());
    let index = store.index().unwrap();
    assert_eq!(runs(&index, "unit"), [(id(2), 1), (id(2), 2)]);
    assert_eq!(index.summaries().count(), 2);
    // Taken out of the index it is still one of the last commit.
    git(folder.path(), &["rm", "--quiet", "--cached", file.to_str().unwrap()]);
    assert_eq!(runs(&store.index().unwrap(), "unit"), [(id(2), 1), (id(2), 2)]);
}

#[cfg(unix)]
#[test]
fn a_folder_that_is_a_link_proves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    git(folder.path(), &["init", "--quiet"]);
    let elsewhere = folder.path().join("elsewhere");
    two_sessions(&Store::at(&elsewhere, &folder.path().join("state")));
    std::os::unix::fs::symlink("elsewhere/.aiwg", folder.path().join(".aiwg")).unwrap();
    let store = Store::of(&crate::git::Repository::open(folder.path()).unwrap()).unwrap();
    assert_eq!(runs(&store.index().unwrap(), "unit"), []);
}

#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_the_index_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder);
    two_sessions(&store);
    let file = store.index_file();
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let _ = fs::remove_file(&file);
    assert!(std::process::Command::new("mkfifo").arg(&file).status().unwrap().success());
    assert_eq!(runs(&store.index().unwrap(), "web"), [(id(1), 3)]);
}
