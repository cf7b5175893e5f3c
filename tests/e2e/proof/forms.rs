//! What a run leaves behind, and what it prints.

use super::project::{CART, Proving, project};

#[test]
fn the_records_of_a_run_stay_out_of_commits_without_an_install() {
    let Some(repo) = project() else { return };
    repo.gate_proving(&["run"]).passes();
    repo.add();
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn a_staged_run_leaves_nothing_behind_and_touches_nothing() {
    let Some(repo) = project() else { return };
    repo.edit();
    repo.add();
    repo.write("cart.py", "half written");
    let before = repo.git(&["status", "--porcelain"]);
    let index = std::fs::read(repo.path(".git/index")).unwrap();
    repo.gate_proving(&["run", "--staged"]).passes();
    assert_eq!(repo.git(&["status", "--porcelain"]), before);
    assert_eq!(std::fs::read(repo.path(".git/index")).unwrap(), index);
    assert_eq!(repo.read("cart.py"), "half written");
    assert_eq!(repo.git(&["worktree", "list"]).lines().count(), 1);
    assert_eq!(repo.git(&["stash", "list"]), "");
}

#[test]
fn a_run_tells_its_results_as_json() {
    let Some(repo) = project() else { return };
    repo.write("cart.py", CART.replace("sum(prices)", "sum(prices) + 1"));
    let told = repo.gate_proving(&["run", "--format", "json"]);
    assert_eq!(told.code, 1);
    let report: serde_json::Value =
        serde_json::from_str(&told.stdout).expect("JSON alone on standard output");
    let run = &report["runs"][0];
    assert_eq!(run["suite"], "python");
    assert_eq!(run["passed"], false);
    assert_eq!(run["tests"]["passed"], 1);
    assert_eq!(run["tests"]["failed"], 2);
    assert_eq!(run["failures"].as_array().map(Vec::len), Some(2));
    assert_eq!(run["proof"]["status"], "failed");
}

#[test]
fn a_child_sees_nothing_of_gits_own_variables() {
    let Some(repo) = project() else { return };
    let policy = "version: 1\nsuites:\n  - { name: unit, command: 'env > ../seen.txt', paths: ['**'], framework: other }\n";
    repo.write("aiwg-gate.yaml", policy);
    repo.commit("Name a suite");
    let mut command = repo.command(crate::repo::GATE);
    command.arg("run").env("GIT_DIR", repo.path(".git")).env("GIT_WORK_TREE", repo.directory());
    crate::repo::outcome(&mut command).passes();
    let seen = std::fs::read_to_string(repo.root().join("seen.txt")).unwrap();
    assert!(!seen.contains("GIT_DIR=") && !seen.contains("GIT_WORK_TREE="), "{seen}");
    let record = repo.git(&["ls-files", "--others"]);
    for file in record.lines().filter(|file| file.starts_with(".aiwg") && file.ends_with(".yaml")) {
        assert!(!repo.read(file).contains("HOME="), "{file} has variables in it");
    }
}

#[test]
fn an_edited_record_is_no_proof_any_more() {
    let Some(repo) = project() else { return };
    repo.write("cart.py", CART.replace("sum(prices)", "sum(prices) + 1"));
    repo.gate_proving(&["run"]).blocks();
    let folder = repo.path(".aiwg/ralph/debug-memory/sessions");
    let file =
        std::fs::read_dir(&folder).unwrap().flatten().map(|file| file.path()).next().expect("a session");
    let text = std::fs::read_to_string(&file).unwrap();
    let forged = text.replace("exit_code: 1", "exit_code: 0").replace("failed: 2", "failed: 0");
    assert_ne!(text, forged);
    std::fs::write(&file, forged).unwrap();
    repo.add();
    assert_ne!(repo.status(), "valid");
    repo.gate_proving(&["check"]).blocks();
}

#[test]
fn a_missing_program_is_named_and_nothing_is_recorded() {
    let Some(repo) = project() else { return };
    let policy =
        "version: 1\nsuites:\n  - { name: unit, command: 'true', paths: ['**'], framework: other }\n";
    repo.write("aiwg-gate.yaml", policy);
    repo.commit("Name a suite");
    repo.gate_proving(&["run", "--", "no-such-program"]).errs("`no-such-program` was not found on PATH");
    assert!(!repo.path(".aiwg/ralph/debug-memory/sessions").exists());
}
