//! pre-commit, prek and lefthook call the gate.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::document::{self, ADDRESS, configuration, run_commands};
use crate::repo::outcome;
use crate::stage::Stage;

const PRE_COMMIT: &str = "## pre-commit and prek";
const LOCAL: &str = "### Without fetching a repository";
const COMPILED: &str = "### Without installing the program";
const LEFTHOOK: &str = "## lefthook";

/// A repository with the hooks that this one offers, under the tag of this version.
fn offering(stage: &Stage) -> String {
    let path = stage.repo.root().join("offering");
    let path = path.to_str().expect("text");
    let hooks = include_str!("../../.pre-commit-hooks.yaml");
    stage.repo.git(&["init", "--quiet", path]);
    std::fs::write(Path::new(path).join(".pre-commit-hooks.yaml"), hooks).expect("a file");
    stage.repo.git(&["-C", path, "add", "--all"]);
    stage.repo.git(&["-C", path, "commit", "--quiet", "-m", "Offer"]);
    stage.repo.git(&["-C", path, "tag", concat!("v", env!("CARGO_PKG_VERSION"))]);
    path.to_owned()
}

fn keeps_all_promises(stage: &Stage) {
    stage.blocks_a_lost_test();
    stage.lets_honest_work_pass();
    stage.judges_a_merge();
    stage.names_pushed_commits_past_the_gate();
}

fn by_repository(manager: &str) {
    let Some(stage) = Stage::with(manager) else { return };
    let text = configuration(PRE_COMMIT);
    assert!(text.contains(ADDRESS));
    stage.configure(&[(".pre-commit-config.yaml", &text.replace(ADDRESS, &offering(&stage)))]);
    run_commands(&stage, PRE_COMMIT, manager);
    keeps_all_promises(&stage);
}

fn by_local_hooks(manager: &str) {
    let Some(stage) = Stage::with(manager) else { return };
    stage.configure(&[(".pre-commit-config.yaml", &configuration(LOCAL))]);
    run_commands(&stage, PRE_COMMIT, manager);
    keeps_all_promises(&stage);
}

#[test]
fn pre_commit_with_the_offered_hooks() {
    by_repository("pre-commit");
}

#[test]
fn pre_commit_with_local_hooks() {
    by_local_hooks("pre-commit");
}

#[test]
fn prek_with_the_offered_hooks() {
    by_repository("prek");
}

#[test]
fn prek_with_local_hooks() {
    by_local_hooks("prek");
}

#[test]
fn lefthook() {
    let Some(stage) = Stage::with("lefthook") else { return };
    stage.configure(&[("lefthook.yml", &configuration(LEFTHOOK))]);
    run_commands(&stage, LEFTHOOK, "lefthook");
    keeps_all_promises(&stage);
}

/// From the commit that is checked out.
#[test]
#[ignore = "it takes minutes; `AIWG_GATE_TEST_COMPILED=1 tests/run` does it"]
fn pre_commit_compiles_the_gate() {
    let Some(mut stage) = Stage::with("pre-commit") else { return };
    stage.environment = toolchain();
    let clone = stage.repo.root().join("clone");
    let clone = clone.to_str().expect("text");
    stage.repo.git(&["clone", "--quiet", env!("CARGO_MANIFEST_DIR"), clone]);
    stage.repo.git(&["-C", clone, "tag", "--force", concat!("v", env!("CARGO_PKG_VERSION"))]);
    let text = document::configuration(COMPILED).replace(ADDRESS, clone);
    stage.configure(&[(".pre-commit-config.yaml", &text)]);
    run_commands(&stage, PRE_COMMIT, "pre-commit");
    // The way to the registry may be set by any variable.
    let mut command = stage.command("pre-commit");
    command
        .arg("install-hooks")
        .envs(std::env::vars_os().filter(|(name, _)| name != "PATH" && name != "HOME"));
    outcome(&mut command).passes();
    std::fs::remove_file(stage.repo.root().join("bin/aiwg-gate")).expect("a removed link");
    keeps_all_promises(&stage);
}

/// Where rustup and cargo are, which tests with a home of their own do not see.
fn toolchain() -> Vec<(&'static str, OsString)> {
    let home = PathBuf::from(std::env::var_os("HOME").unwrap_or_default());
    let place = |name, usual| (name, std::env::var_os(name).unwrap_or_else(|| home.join(usual).into()));
    vec![place("CARGO_HOME", ".cargo"), place("RUSTUP_HOME", ".rustup")]
}
