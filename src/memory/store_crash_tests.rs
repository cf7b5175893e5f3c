//! What is left when a writer is killed or the disk is full. The writers are this test program, started again.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use super::*;
use crate::memory::samples::{add_sealed, id, sealed_session};

const FOLDER: &str = "AIWG_GATE_TEST_MEMORY";
const ROUNDS: u32 = 12;

fn store(folder: &Path) -> Store {
    Store::at(folder, &folder.join("state"))
}

/// This program, to run one test that is not run otherwise.
fn again(test: &str, folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", &format!("memory::store::crash_tests::{test}"), "--ignored", "--nocapture"]);
    command.env(FOLDER, folder);
    command
}

fn write_next(store: &Store, number: u32) -> Result<()> {
    let locked = store.lock()?;
    let mut session = locked.session(&id(1))?.unwrap_or_else(|| sealed_session(1, 0));
    add_sealed(&mut session, "unit", i64::from(number));
    let count = session.executions.len() as u32;
    locked.write(&session)?;
    locked.write(&sealed_session(1000 + count, i64::from(count)))?;
    locked.write_beside(&id(1), Beside::Log(count), &vec![b'x'; 64 << 10])?;
    println!("\nwritten {count}");
    Ok(())
}

#[test]
#[ignore = "another test starts it"]
fn writes_until_it_is_killed() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let store = store(Path::new(&folder));
    for number in 0..100_000 {
        write_next(&store, number).unwrap();
    }
}

#[test]
fn a_killed_writer_leaves_every_earlier_record() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path());
    for round in 0..ROUNDS {
        let mut writer =
            again("writes_until_it_is_killed", folder.path()).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(writer.stdout.take().unwrap()).lines();
        let mut told =
            || lines.find_map(|line| line.unwrap().strip_prefix("written ")?.parse::<usize>().ok());
        let mut known = vec![told().unwrap()];
        let nanoseconds = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().subsec_nanos();
        std::thread::sleep(Duration::from_micros(u64::from(nanoseconds % 20_000)));
        writer.kill().unwrap();
        writer.wait().unwrap();
        known.extend(std::iter::from_fn(told));
        let (sessions, unreadable) = store.sessions().unwrap();
        assert_eq!(unreadable, [], "no half-written file in round {round}");
        let hunt = sessions.iter().find(|session| session.session_id == id(1)).unwrap();
        assert!(known.iter().all(|count| hunt.executions.len() >= *count), "{known:?}");
        assert_eq!(crate::memory::verify_chain(hunt), Ok(()));
        let index = store.index().unwrap();
        let runs: Vec<String> = index.records("unit").map(|record| record.session_id).collect();
        let written = |count: &usize| runs.contains(&id(1000 + *count as u32));
        assert!(known.iter().all(written), "{known:?}");
    }
    drop(store.lock().unwrap());
    let left = |folder: &str| fs::read_dir(store.directory().join(folder)).unwrap().flatten();
    let temporary = |file: &fs::DirEntry| file.file_name().to_str().is_some_and(files::is_temporary);
    assert_eq!(left("sessions").chain(left("runs")).filter(temporary).count(), 0, "the next writer sweeps");
}

#[test]
#[ignore = "another test starts it"]
fn writes_until_the_disk_is_full() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let store = store(Path::new(&folder));
    let error = (0..1000).find_map(|number| write_next(&store, number).err()).expect("the disk is small");
    let words = format!("{error:#}");
    assert!(
        words.contains("cannot write /") && words.contains("the disk is full; nothing was lost"),
        "{words}"
    );
    let (sessions, unreadable) = store.sessions().unwrap();
    assert_eq!(unreadable, []);
    assert!(sessions.len() > 1);
    assert!(sessions.iter().all(|session| crate::memory::verify_chain(session).is_ok()));
    assert!(store.index().unwrap().records("unit").count() > sessions.len());
    println!("\nfull and intact");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_gives_a_clear_error_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let command = again("writes_until_the_disk_is_full", folder.path());
    let script = "mount -t tmpfs -o size=1m tmpfs \"$1\" && shift && exec \"$@\"";
    let mut small = Command::new("unshare");
    small.args(["--mount", "sh", "-c", script, "sh"]).arg(folder.path());
    small.arg(command.get_program()).args(command.get_args()).env(FOLDER, folder.path());
    let Ok(output) = small.output() else { return eprintln!("skipped: there is no unshare") };
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    if !said.contains("running 1 test") {
        return eprintln!("skipped: a small disk cannot be mounted here: {said}");
    }
    assert!(output.status.success() && said.contains("full and intact"), "{said}");
}
