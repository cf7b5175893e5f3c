//! The reader of pytest's text, on captured output and on any bytes.

use proptest::prelude::*;

use super::*;
use crate::runner::results::junit;
use crate::runner::results::testing::{counts, test};

macro_rules! captured {
    ($name:literal) => {
        read(include_bytes!(concat!("../../../tests/captured/pytest/", $name))).unwrap()
    };
}

// 10 failed, 5 passed, 2 skipped, 1 xfailed, 1 xpassed, 4 errors
const MIXED: (u64, u64, u64, u64) = (6, 10, 4, 3);

#[test]
fn every_way_of_printing_gives_the_counts_of_the_summary() {
    for (name, results) in [
        ("dots", captured!("dots.txt")),
        ("verbose", captured!("verbose.txt")),
        ("all", captured!("all.txt")),
        ("quiet", captured!("quiet.txt")),
    ] {
        assert_eq!(counts(&results), MIXED, "{name}: {:#?}", results.tests);
        assert_eq!(results.named, name == "verbose", "{name}");
        assert_eq!(test(&results, "tests/test_cart.py::test_wrong_total").outcome, Outcome::Failed, "{name}");
        assert!(!results.tests.iter().any(|test| test.id.name == "test_fake"), "{name}");
    }
    for results in [captured!("xdist.txt"), captured!("shown.txt")] {
        assert!(results.named);
        let (passed, failed, errors, skipped) = MIXED;
        assert_eq!(counts(&results), (passed, failed, errors - 2, skipped), "{:#?}", results.tests);
    }
}

#[test]
fn the_report_counts_a_test_with_failed_parts_once() {
    let report = junit::read(include_bytes!("../../../tests/captured/pytest/mixed.xml")).unwrap();
    let (passed, failed, errors, skipped) = MIXED;
    assert_eq!(counts(&report), (passed - 1, failed, errors, skipped));
    assert_eq!(test(&report, "tests/test_cart.py::test_tear_down").outcome, Outcome::Passed);
    assert_eq!(report.problems.len(), 3);
}

#[test]
fn failures_say_where_and_why() {
    let results = captured!("verbose.txt");
    let wrong = test(&results, "tests/test_cart.py::test_wrong_total").failure.clone().unwrap();
    assert_eq!((wrong.kind.as_str(), wrong.message.as_str()), ("AssertionError", "assert 3 == 4"));
    assert_eq!((wrong.actual.as_deref(), wrong.expected.as_deref()), (Some("3"), Some("4")));
    let place = wrong.location.unwrap();
    assert_eq!((place.file.as_str(), place.line), ("tests/test_cart.py", Some(17)));
    let raises = test(&results, "tests/test_cart.py::test_raises").failure.clone().unwrap();
    assert_eq!(
        (raises.kind.as_str(), raises.message.as_str()),
        ("ValueError", "ValueError: no cart\nsecond line")
    );
    let row = test(&results, "tests/test_cart.py::test_equal[x y-x::y]");
    assert_eq!(row.id.name, "test_equal");
    assert_eq!(row.id.case.as_deref(), Some("x y-x::y"));
    let deep = test(&results, "tests/test_cart.py::TestNested::TestInner::test_deep");
    assert_eq!(deep.failure.as_ref().unwrap().kind, "AssertionError");
    let set_up = test(&results, "tests/test_cart.py::test_set_up");
    assert_eq!(set_up.outcome, Outcome::Errored);
    assert_eq!(set_up.failure.as_ref().unwrap().kind, "RuntimeError");
    let import = results.problems.iter().find(|problem| problem.message.contains("does_not_exist")).unwrap();
    assert_eq!(import.kind, "ModuleNotFoundError");
    assert_eq!(import.location.as_ref().unwrap().file, "tests/test_broken_import.py");
}

#[test]
fn files_that_cannot_be_collected_are_problems() {
    let results = captured!("collection.txt");
    assert_eq!(counts(&results), (0, 0, 2, 0));
    assert_eq!(results.problems.len(), 2);
}

#[test]
fn a_crash_tells_how_far_it_came() {
    let results = captured!("crash-verbose.txt");
    assert!(results.named);
    assert_eq!(counts(&results), (1, 0, 1, 0));
    let crash = test(&results, "crash/test_crash.py::test_crash").failure.clone().unwrap();
    assert_eq!((crash.kind.as_str(), crash.message.as_str()), ("crash", "Segmentation fault"));
    assert_eq!(crash.location.unwrap().line, Some(3));
    let results = captured!("crash.txt");
    assert!(!results.named);
    assert_eq!(counts(&results), (1, 0, 1, 0));
}

#[test]
fn an_empty_suite_has_no_tests() {
    assert_eq!(counts(&captured!("empty.txt")), (0, 0, 0, 0));
    assert!(read(b"make: nothing to be done\n").is_err());
}

#[test]
fn progress_counts_results_and_dots() {
    assert_eq!(ended_in("tests/test_a.py::test_b PASSED      [ 10%]"), 1);
    assert_eq!(ended_in("tests/test_a.py::test_b SKIPPED (no network) [ 10%]"), 1);
    assert_eq!(ended_in("tests/test_a.py .F.s            [ 40%]"), 4);
    assert_eq!(ended_in("tests/test_a.py::test_b "), 0);
    assert_eq!(ended_in("Some words."), 0);
}

#[test]
fn time_grows_with_the_output_alone() {
    let failed = 20_000;
    let text = {
        let list: String = (0..failed).map(|n| format!("a.py::test_{n} FAILED [ 1%]\n")).collect();
        let blocks: String =
            (0..failed).map(|n| format!("____ test_{n} ____\nE   assert 1 == 2\n")).collect();
        let sums: String = (0..failed).map(|n| format!("FAILED a.py::test_{n} - assert 1 == 2\n")).collect();
        format!(
            "== test session starts ==\n{list}== FAILURES ==\n{blocks}== short test summary info ==\n{sums}== {failed} failed in 1.0s ==\n"
        )
    };
    let started = std::time::Instant::now();
    let results = read(text.as_bytes()).unwrap();
    assert_eq!(results.counts().failed, failed);
    assert!(started.elapsed() < std::time::Duration::from_secs(20), "{:?}", started.elapsed());
}

proptest! {
    #[test]
    fn no_output_makes_it_panic(
        lines in proptest::collection::vec(
            prop_oneof![
                Just("== test session starts ==".to_owned()), Just("== FAILURES ==".to_owned()),
                Just("____ test_a ____".to_owned()), Just("E   assert 1 == 2".to_owned()), Just("E é".to_owned()),
                Just("== short test summary info ==".to_owned()), Just("FAILED a.py::b[x - y] - z".to_owned()),
                Just("ERROR a.py".to_owned()), Just("a.py::b[é] PASSED (x) [1%]".to_owned()),
                Just("SUBFAILED(i) a.py::b - x".to_owned()), Just("== 1 failed, 2 passed in 0.1s ==".to_owned()),
                Just("__".to_owned()), Just("____".to_owned()), Just("===".to_owned()), ".{0,30}",
            ],
            0..20,
        ),
        bytes in proptest::collection::vec(any::<u8>(), 0..80),
    ) {
        let _ = read(lines.join("\n").as_bytes());
        let _ = read(&bytes);
        for line in &lines {
            ended_in(line);
        }
    }
}

#[test]
fn a_conftest_that_breaks_says_why() {
    let results = captured!("conftest.txt");
    let problem = &results.problems[0];
    assert_eq!((results.tests.len(), results.problems.len()), (0, 1));
    assert_eq!(problem.message, "ModuleNotFoundError: No module named 'nosuch'");
    assert_eq!(problem.location.as_ref().unwrap().file, "conftest.py");
    let results = read(b"\nERROR: file or directory not found: no.py\n\n").unwrap();
    assert_eq!(results.problems[0].message, "file or directory not found: no.py");
}
