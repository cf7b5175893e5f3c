//! Many at once, killed in the middle, no room left.

use std::process::{Child, Stdio};

use super::project::project;
use crate::repo::{GATE, Repo};

const POLICY: &str =
    "version: 1\nsuites:\n  - { name: unit, command: 'true', paths: ['**'], framework: other }\n";

fn prepared() -> Option<Repo> {
    let repo = project()?;
    repo.write("aiwg-gate.yaml", POLICY);
    repo.commit("Name a suite");
    Some(repo)
}

fn start(repo: &Repo) -> Child {
    repo.command(GATE)
        .args(["run", "--quiet"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a run")
}

fn sessions(repo: &Repo) -> Vec<std::path::PathBuf> {
    let folder = repo.path(".aiwg/ralph/debug-memory/sessions");
    let files =
        std::fs::read_dir(folder).map(|files| files.flatten().map(|file| file.path()).collect::<Vec<_>>());
    files
        .unwrap_or_default()
        .into_iter()
        .filter(|path| path.extension().is_some_and(|e| e == "yaml"))
        .collect()
}

#[test]
fn fifty_runs_at_once_lose_no_record() {
    let Some(repo) = prepared() else { return };
    let runs: Vec<Child> = (0..50).map(|_| start(&repo)).collect();
    for run in runs {
        let output = run.wait_with_output().expect("an end");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let stats = repo.gate_json(&["memory", "stats"]);
    assert_eq!(stats["attempts"], 50, "{stats}");
    let refs = repo.git(&["for-each-ref", "refs/aiwg-gate/attempts"]);
    assert_eq!(refs.lines().count(), 50);
}

#[test]
fn a_killed_run_leaves_earlier_records_readable_and_no_half_file() {
    let Some(repo) = prepared() else { return };
    start(&repo).wait().expect("an end");
    let before = sessions(&repo).len();
    assert_eq!(before, 1);
    for delay in 0..30 {
        let mut run = start(&repo);
        // Whatever the moment: each round kills a little later.
        std::thread::sleep(std::time::Duration::from_millis(delay * 4));
        let _ = run.kill();
        let _ = run.wait();
        let unreadable = repo.gate_json(&["status"])["memory"]["unreadable"].clone();
        assert_eq!(unreadable, serde_json::json!([]));
    }
    start(&repo).wait().expect("an end");
    for file in sessions(&repo) {
        let text = std::fs::read_to_string(&file).expect("text");
        assert!(text.starts_with("session_id:"), "{}", file.display());
    }
    assert!(sessions(&repo).len() > before);
    let leftover: Vec<String> = repo
        .git(&["ls-files", "--others", "--", ".aiwg"])
        .lines()
        .filter(|file| !file.ends_with(".yaml") && !file.contains("/runs/"))
        .map(str::to_owned)
        .collect();
    assert!(leftover.is_empty(), "{leftover:?}");
}

#[test]
fn a_full_disk_is_a_clear_error_and_loses_nothing() {
    let Some(repo) = prepared() else { return };
    start(&repo).wait().expect("an end");
    // A small file system in a mount namespace of its own; that takes rights which not everybody has.
    let memory = repo.path(".aiwg/ralph/debug-memory");
    let script = format!(
        "set -e\nmount -t tmpfs -o size=64k none {0}\ndd if=/dev/zero of={0}/fill bs=1k 2>/dev/null || true\n{1} run",
        memory.display(),
        GATE
    );
    let told = repo.run("unshare", &["--mount", "sh", "-c", &script]);
    if told.stderr.contains("unshare") || told.stderr.contains("mount:") {
        println!("skipped: no right to mount: {}", told.stderr);
        return;
    }
    told.errs("No space left on device");
    assert_eq!(sessions(&repo).len(), 1);
    assert_eq!(repo.status_of_memory(), 1);
}

trait Memory {
    fn status_of_memory(&self) -> u64;
}

impl Memory for Repo {
    fn status_of_memory(&self) -> u64 {
        let told = self.gate_proving(&["status", "--format", "json"]).passes();
        let status: serde_json::Value = serde_json::from_str(&told.stdout).expect("JSON");
        status["memory"]["sessions"].as_u64().expect("a number")
    }
}
