//! The reader of unittest's text, on captured output and on any bytes.

use proptest::prelude::*;

use super::*;
use crate::runner::results::testing::{counts, test};

macro_rules! captured {
    ($name:literal) => {
        read(include_bytes!(concat!("../../../tests/captured/unittest/", $name))).unwrap()
    };
}

#[test]
fn named_tests_are_counted_as_unittest_counts_them() {
    // failures=3, errors=4, skipped=4, expected failures=1, unexpected successes=1
    for (name, results, passed) in [
        ("3.8", captured!("verbose-3.8.txt"), 2),
        ("3.11", captured!("verbose-3.11.txt"), 3),
        ("3.13", captured!("verbose-3.13.txt"), 3),
    ] {
        assert!(results.named, "{name}");
        assert_eq!(counts(&results), (passed, 4, 4, 5), "{name}: {:#?}", results.tests);
        assert_eq!(results.problems.len(), 2, "{name}");
    }
}

#[test]
fn dots_are_counted_by_the_summary_and_failures_are_named() {
    for results in [captured!("dots-3.8.txt"), captured!("dots-3.11.txt"), captured!("dots-3.13.txt")] {
        assert!(!results.named);
        let (passed, failed, errors, skipped) = counts(&results);
        assert_eq!((failed, errors, skipped), (4, 4, 5));
        assert_eq!(passed, 2, "one of the skipped is a part of a test that passed");
        assert_eq!(test(&results, "tests::test_cart::TestCart::test_wrong").outcome, Outcome::Failed);
    }
}

#[test]
fn failures_say_where_and_why() {
    let results = captured!("verbose-3.13.txt");
    let wrong = test(&results, "tests::test_cart::TestCart::test_wrong").failure.clone().unwrap();
    assert_eq!((wrong.kind.as_str(), wrong.message.as_str()), ("AssertionError", "3 != 4 : the sum is off"));
    assert_eq!((wrong.actual.as_deref(), wrong.expected.as_deref()), (Some("3"), Some("4")));
    assert_eq!(wrong.location.unwrap().line, Some(16));
    let raises = test(&results, "tests::test_cart::TestCart::test_raises").failure.clone().unwrap();
    assert_eq!((raises.kind.as_str(), raises.message.as_str()), ("ValueError", "no cart\nsecond line"));
    let skipped = test(&results, "tests::test_cart::TestCart::test_skipped").failure.clone().unwrap();
    assert_eq!(skipped.message, "not yet");
    let part = test(&results, "tests::test_cart::TestCart::test_sub[[row] (i=1)]");
    assert_eq!(part.failure.as_ref().unwrap().message, "1 == 1");
    let import = results.problems.iter().find(|problem| problem.kind == "ModuleNotFoundError").unwrap();
    assert_eq!(import.location.as_ref().unwrap().file, "/project/tests/test_broken.py");
    assert!(results.problems.iter().any(|problem| problem.message.contains("set-up broke")));
}

#[test]
fn a_crash_ends_the_test_that_was_open() {
    for results in [captured!("crash-3.8.txt"), captured!("crash-3.11.txt"), captured!("crash-3.13.txt")] {
        assert_eq!(counts(&results), (1, 0, 1, 0));
        let crash = test(&results, "test_crash::TestCrash::test_b").failure.clone().unwrap();
        assert_eq!((crash.kind.as_str(), crash.message.as_str()), ("crash", "Segmentation fault"));
        assert_eq!(crash.location.unwrap().file, "/project/crash/test_crash.py");
    }
    let results = read(b"test_a (m.T.test_a) ... ok\ntest_b (m.T.test_b) ... ").unwrap();
    assert_eq!(counts(&results), (1, 0, 1, 0));
    assert_eq!(counts(&read(b"..F.").unwrap()), (3, 1, 1, 0));
}

#[test]
fn an_empty_suite_has_no_tests() {
    for results in [captured!("empty-3.8.txt"), captured!("empty-3.13.txt")] {
        assert!(results.named);
        assert_eq!(counts(&results), (0, 0, 0, 0));
    }
    assert!(read(b"Success!\n").is_err());
}

#[test]
fn progress_counts_results_alone() {
    assert_eq!(ended_in("test_a (m.T.test_a) ... ok"), 1);
    assert_eq!(ended_in("ok"), 1);
    assert_eq!(ended_in("test_a (m.T.test_a) ... "), 0);
}

#[test]
fn time_grows_with_the_output_alone() {
    let failed = 20_000;
    let text = {
        let rule = "=".repeat(70);
        let list: String = (0..failed).map(|n| format!("test_{n} (m.T.test_{n}) ... FAIL\n")).collect();
        let blocks: String = (0..failed)
            .map(|n| format!("{rule}\nFAIL: test_{n} (m.T.test_{n})\nAssertionError: x\n"))
            .collect();
        format!("{list}{blocks}Ran {failed} tests in 1s\n\nFAILED (failures={failed})\n")
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
                Just("test_a (m.T.test_a) ... ok".to_owned()), Just("test_a (m.T) ... test_b (m.T) ... ".to_owned()),
                Just("=".repeat(70)), Just("-".repeat(70)), Just("FAIL: test_a (m.T.test_a) (i=1)".to_owned()),
                Just("Ran 3 tests in 0.1s".to_owned()), Just("FAILED (failures=99, errors=1)".to_owned()),
                Just("ok".to_owned()), Just("..FE".to_owned()), Just("Fatal Python error: x".to_owned()), ".{0,30}",
            ],
            0..20,
        ),
        bytes in proptest::collection::vec(any::<u8>(), 0..80),
    ) {
        let _ = read(lines.join("\n").as_bytes());
        let _ = read(&bytes);
    }
}

#[test]
fn a_class_that_its_set_up_skips_is_counted() {
    let text = "setUpClass (test_a.Slow) ... skipped 'no network'\ntest_b (test_a.Fast.test_b) ... ok\n\n\
                ----------------------------------------------------------------------\nRan 1 test in 0.000s\n\nOK (skipped=1)\n";
    let results = read(text.as_bytes()).unwrap();
    let counts = results.counts();
    assert_eq!((counts.passed, counts.skipped, counts.total), (1, 1, 2));
    assert_eq!(results.tests[0].failure.as_ref().unwrap().message, "no network");
}
