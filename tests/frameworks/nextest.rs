//! Real runs of cargo-nextest.

use aiwg_gate::policy::Framework::Nextest;

use crate::cargo_test::{CART, CRASH, MANIFEST, WHOLE};
use crate::project::{Project, compared, place};

fn project(files: &[(&str, &str)]) -> Option<Project> {
    Project::with_program("cargo-nextest", files)
}

#[test]
fn each_outcome_is_recorded_as_nextest_counts_it() {
    let Some(project) = project(&[MANIFEST, ("src/lib.rs", CART), ("tests/whole.rs", WHOLE)]) else { return };
    let ran = project.run(Nextest, "cargo nextest run --offline");
    ran.says("7 tests run: 4 passed, 3 failed, 1 skipped");
    assert_eq!(ran.tally(), [4, 3, 0, 1, 0]);
    let failure = ran.failure("cart::tests::adds_wrong");
    assert_eq!((compared(failure), place(failure)), (("4", "3"), "src/lib.rs:22".to_owned()));
    assert_eq!(project.unexecuted(&ran), Vec::<String>::new());
    let text = project.run(Nextest, "cargo nextest run --offline --no-fail-fast || true");
    assert_eq!(text.tally(), [4, 3, 0, 1, 0]);
    assert_eq!(project.unexecuted(&text), Vec::<String>::new());
}

#[test]
fn the_report_is_asked_for_in_the_profile_that_runs() {
    let config = "[profile.ci]\nretries = 1\n";
    let files = [MANIFEST, ("src/lib.rs", "#[test]\nfn fine() {}\n"), (".config/nextest.toml", config)];
    let Some(project) = project(&files) else { return };
    let ran = project.run(Nextest, "cargo nextest run --offline --profile ci");
    assert!(ran.succeeded, "{}", ran.output);
    assert_eq!(ran.tally(), [1, 0, 0, 0, 0]);
}

#[test]
fn a_crash_is_a_failure_as_nextest_counts_it() {
    let files = [MANIFEST, ("src/lib.rs", "#[test]\nfn fine() {}\n"), ("tests/crash.rs", CRASH)];
    let Some(project) = project(&files) else { return };
    let ran = project.run(Nextest, "cargo nextest run --offline");
    ran.says("2 tests run: 1 passed, 1 failed, 0 skipped");
    assert_eq!(ran.tally(), [1, 1, 0, 0, 0]);
    assert!(ran.failure("cart::crash::dies").message.contains("SIGABRT"));
}

#[test]
fn a_build_that_breaks_is_a_problem() {
    let Some(project) = project(&[MANIFEST, ("src/lib.rs", "pub fn a() -> i32 { b }\n")]) else { return };
    let ran = project.run(Nextest, "cargo nextest run --offline");
    assert!(!ran.succeeded);
    assert_eq!(ran.tally(), [0, 0, 0, 0, 1]);
}

#[test]
fn no_tests_are_no_tests() {
    let Some(project) = project(&[MANIFEST, ("src/lib.rs", "")]) else { return };
    let ran = project.run(Nextest, "cargo nextest run --offline");
    ran.says("0 tests run");
    assert_eq!(ran.tally(), [0; 5]);
}
