//! Readers over what real tools printed: the counts are those of the tools' own summaries.

use proptest::prelude::*;

use super::{Outcome, Results, event_lines, jest_json, junit, mocha_json, summary};

macro_rules! captured {
    ($name:literal) => {
        include_str!(concat!("../../../tests/captured/", $name))
    };
}

/// Passed, failed, errored, skipped, and problems outside of tests.
fn tally(results: &Results) -> [usize; 5] {
    let count = |outcome| results.tests.iter().filter(|test| test.outcome == outcome).count();
    let outcomes = [Outcome::Passed, Outcome::Failed, Outcome::Errored, Outcome::Skipped].map(count);
    [outcomes[0], outcomes[1], outcomes[2], outcomes[3], results.problems.len()]
}

fn counted(results: Option<Results>) -> [u64; 4] {
    let counts = results.unwrap().counts();
    [counts.passed, counts.failed, counts.errors, counts.skipped]
}

fn names(results: &Results) -> Vec<String> {
    results.tests.iter().map(|test| test.id.to_string()).collect()
}

#[test]
fn jest_says_4_failed_2_skipped_4_passed_and_three_files_that_did_not_run() {
    let read = jest_json::read(captured!("jest/mixed.json").as_bytes()).unwrap();
    assert_eq!(tally(&read), [4, 4, 0, 2, 3]);
    assert_eq!(names(&read)[1], "/project/cart.test.js::cart::with discount::subtracts it");
    assert_eq!(counted(summary::jest(captured!("jest/mixed.txt"))), [4, 4, 3, 2]);
    let stacks = read.tests.iter().filter_map(|test| test.failure.as_ref()?.stack.as_deref());
    assert!(
        stacks
            .chain(read.problems.iter().filter_map(|problem| problem.stack.as_deref()))
            .all(|text| !text.contains('\u{1b}'))
    );
}

#[test]
fn jest_junit_loses_files_and_nesting_and_keeps_outcomes() {
    let read = junit::read(captured!("jest/jest-junit.xml").as_bytes()).unwrap();
    let [passed, failed, _, skipped, _] = tally(&read);
    // It writes a `todo` as a pass, and a hook that failed as one more test.
    assert_eq!((passed, failed, skipped), (5, 5, 1));
    assert!(names(&read).contains(&"cart::cart with discount subtracts it".to_owned()));
}

#[test]
fn vitest_says_4_failed_6_passed_2_skipped() {
    let read = jest_json::read(captured!("vitest/mixed.json").as_bytes()).unwrap();
    assert_eq!(tally(&read), [6, 4, 0, 2, 2]);
    assert_eq!(counted(summary::vitest(captured!("vitest/mixed.txt"))), [6, 4, 1, 2]);
}

#[test]
fn tests_of_a_worker_of_vitest_that_was_killed_did_not_end() {
    let read = jest_json::read(captured!("vitest/killed.json").as_bytes()).unwrap();
    assert_eq!(tally(&read), [0, 0, 3, 1, 0]);
    let failure = read.tests[0].failure.as_ref().unwrap();
    assert_eq!(failure.message, "the test did not end: its worker died before");
}

#[test]
fn mocha_says_4_passing_3_pending_4_failing_of_which_two_are_hooks() {
    let (read, ended) = event_lines::read(captured!("mocha/mixed.jsonl").as_bytes()).unwrap();
    assert!(ended);
    assert_eq!(tally(&read), [4, 2, 0, 3, 2]);
    assert_eq!(tally(&mocha_json::find(captured!("mocha/mixed.json")).unwrap()), [4, 2, 0, 3, 2]);
    assert_eq!(counted(summary::mocha(captured!("mocha/mixed.txt"))), [4, 4, 0, 3]);
}

#[test]
fn node_says_5_passed_7_failed_4_skipped() {
    // Of the passed ones one is an empty file; of the failed ones two are files.
    let (read, ended) = event_lines::read(captured!("node_test/mixed.jsonl").as_bytes()).unwrap();
    assert!(ended);
    assert_eq!(tally(&read), [4, 4, 1, 4, 3]);
    assert_eq!(counted(summary::node_test(captured!("node_test/spec.txt"))), [5, 7, 0, 4]);
    assert_eq!(counted(summary::node_test(captured!("node_test/mixed.tap"))), [5, 7, 0, 4]);
}

#[test]
fn the_reporter_of_node_for_junit_nests_suites() {
    let read = junit::read(captured!("node_test/junit.xml").as_bytes()).unwrap();
    assert!(names(&read).contains(&"cart::with discount::subtracts it".to_owned()), "{:?}", names(&read));
    assert!(names(&read).contains(&"parent::bad child".to_owned()));
}

#[test]
fn surefire_says_9_run_2_failures_2_errors_2_skipped() {
    let read = |text: &str| junit::read(text.as_bytes()).unwrap();
    let cart = read(captured!("junit/surefire-TEST-com.acme.CartTest.xml"));
    let set_up = read(captured!("junit/surefire-TEST-com.acme.SetUpTest.xml"));
    assert_eq!(tally(&junit::merge([cart.clone(), set_up])), [3, 2, 2, 2, 0]);
    assert!(names(&cart).contains(&"CartTest::rows[2]".to_owned()), "{:?}", names(&cart));
    assert_eq!(counted(summary::junit(captured!("junit/maven.txt"))), [3, 2, 2, 2]);
}

#[test]
fn the_console_launcher_says_3_successful_3_failed_and_one_container() {
    let read = junit::read(captured!("junit/launcher.xml").as_bytes()).unwrap();
    assert_eq!(tally(&read), [3, 2, 2, 2, 0]);
    assert_eq!(counted(summary::junit(captured!("junit/launcher.txt"))), [3, 3, 1, 2]);
}

proptest! {
    #[test]
    fn no_cut_or_changed_report_makes_a_reader_panic(at in 0usize..14_000, byte in any::<u8>(), cut in any::<bool>()) {
        let reports = [
            captured!("jest/mixed.json"), captured!("mocha/mixed.json"), captured!("node_test/mixed.jsonl"),
            captured!("junit/launcher.xml"),
        ];
        for report in reports {
            let mut bytes = report.as_bytes().to_vec();
            let at = at % bytes.len();
            bytes[at] = byte;
            if cut {
                bytes.truncate(at);
            }
            let _ = (jest_json::read(&bytes), event_lines::read(&bytes), junit::read(&bytes));
            mocha_json::find(&String::from_utf8_lossy(&bytes));
        }
    }
}
