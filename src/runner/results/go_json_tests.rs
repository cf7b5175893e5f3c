//! The reader of Go's events and text, on captured output and on any bytes.

use proptest::prelude::*;

use super::*;
use crate::runner::results::testing::{counts, test};

macro_rules! captured {
    ($name:literal) => {
        read(include_bytes!(concat!("../../../tests/captured/go/", $name))).unwrap()
    };
}

#[test]
fn events_and_verbose_text_of_old_and_new_versions_agree() {
    for (name, results) in [
        ("json-1.19", captured!("json-1.19.txt")),
        ("json-1.27", captured!("json-1.27.txt")),
        ("verbose-1.19", captured!("verbose-1.19.txt")),
        ("verbose-1.27", captured!("verbose-1.27.txt")),
    ] {
        assert!(results.named, "{name}");
        assert!(!results.tests.iter().any(|test| test.id.name == "TestFake"), "{name}");
        // Cart: 10 passed with 6 subtests, 4 failed with one, 1 skipped. Crash: 1 passed, 1 did not end. Sub: 1 and 1.
        assert_eq!(counts(&results), (13, 5, 2, 1), "{name}: {:#?}", results.tests);
        assert_eq!(results.problems[0].kind, "build failed", "{name}");
        let crash = test(&results, "example.com/cart/crash::TestCrash");
        assert_eq!(crash.outcome, Outcome::Errored, "{name}");
    }
}

#[test]
fn a_package_that_passes_without_a_test_ran_none() {
    for results in [captured!("json-main-1.19.txt"), captured!("verbose-main-1.19.txt")] {
        assert!(results.named, "the tests that TestMain left out are missing by name");
        assert_eq!(counts(&results), (1, 0, 0, 0));
        assert_eq!(test(&results, "x/r::TestC").outcome, Outcome::Passed);
    }
}

#[test]
fn an_import_that_is_not_there_is_a_problem_with_a_place() {
    let results = captured!("json-setup-1.19.txt");
    assert_eq!(counts(&results), (0, 0, 1, 0));
    let problem = &results.problems[0];
    assert!(problem.message.starts_with("no required module provides package github.com/no/such"));
    let place = problem.location.as_ref().unwrap();
    assert_eq!((place.file.as_str(), place.line), ("s/s.go", Some(3)));
    let results = read(b"go: downloading a/b v1\ngo: cannot find main module\n").unwrap();
    assert_eq!(results.problems[0].message, "cannot find main module");
    assert!(read(b"go: downloading a/b v1\n").is_err());
}

#[test]
fn failures_say_where_and_why() {
    let results = captured!("json-1.27.txt");
    let wrong = test(&results, "example.com/cart::TestWrong").failure.clone().unwrap();
    assert_eq!((wrong.actual.as_deref(), wrong.expected.as_deref()), (Some("3"), Some("4")));
    assert_eq!(wrong.location.unwrap().line, Some(15));
    let row = test(&results, "example.com/cart::TestTable[d]").failure.clone().unwrap();
    assert_eq!((row.actual.as_deref(), row.expected.as_deref()), (Some("1"), Some("2")));
    let skipped = test(&results, "example.com/cart::TestSkipped").failure.clone().unwrap();
    assert_eq!(skipped.message, "not yet");
    let panics = test(&results, "example.com/cart/sub::TestPanics").failure.clone().unwrap();
    assert_eq!(panics.message, "assignment to entry in nil map");
    assert_eq!(panics.location.unwrap().file, "/project/sub/sub_test.go");
    assert_eq!(test(&results, "example.com/cart::TestTable[one_two/inner]").outcome, Outcome::Passed);
    let build = &results.problems[0];
    assert_eq!(build.message, "example.com/cart/broken: undefined: missing");
    assert_eq!(build.location.as_ref().unwrap().file, "broken/broken_test.go");
}

#[test]
fn a_time_limit_ends_the_tests_that_were_running() {
    for results in [captured!("json-timeout-1.19.txt"), captured!("json-timeout-1.27.txt")] {
        assert_eq!(test(&results, "example.com/cart/slow::TestQuick").outcome, Outcome::Passed);
        let slow = test(&results, "example.com/cart/slow::TestSlow[part]");
        assert!(matches!(slow.outcome, Outcome::Failed | Outcome::Errored));
        assert_eq!(counts(&results).0, 1);
        assert!(
            results
                .tests
                .iter()
                .any(|test| test.failure.as_ref().is_some_and(|failure| failure.kind == "timeout"))
        );
    }
    let text = captured!("text-timeout-1.27.txt");
    assert_eq!(counts(&text), (0, 0, 1, 0), "{text:#?}");
    assert_eq!(text.problems[0].kind, "timeout");
}

#[test]
fn cached_results_count() {
    for results in [captured!("json-cached-1.19.txt"), captured!("json-cached-1.27.txt")] {
        assert_eq!(counts(&results), (1, 0, 0, 0));
    }
}

#[test]
fn text_without_names_is_counted_by_packages() {
    let results = captured!("text-1.27.txt");
    assert!(!results.named);
    let failed: Vec<String> = results.tests.iter().map(|test| test.id.to_string()).collect();
    assert!(failed.contains(&"example.com/cart::TestWrong".to_owned()), "{failed:?}");
    assert!(failed.contains(&"example.com/cart::TestTable[d]".to_owned()), "{failed:?}");
    let results = read(b"ok  \texample.com/a\t0.01s\nok  \texample.com/b\t(cached)\n").unwrap();
    assert!(!results.named);
    assert_eq!(counts(&results), (2, 0, 0, 0));
}

#[test]
fn nothing_to_test_is_no_test() {
    let results = read(b"?   \texample.com/a\t[no test files]\n").unwrap();
    assert!(results.named);
    assert_eq!(counts(&results), (0, 0, 0, 0));
    assert!(read(b"make: nothing to be done\n").is_err());
}

#[test]
fn a_package_that_fails_by_itself_is_a_problem() {
    let text = "{\"Action\":\"start\",\"Package\":\"p\"}\n{\"Action\":\"output\",\"Package\":\"p\",\"Output\":\"exit status 3\\n\"}\n{\"Action\":\"fail\",\"Package\":\"p\"}\n";
    let results = read(text.as_bytes()).unwrap();
    assert_eq!(counts(&results), (0, 0, 1, 0));
    assert_eq!(results.problems[0].message, "p: exit status 3");
}

#[test]
fn events_are_shown_as_text() {
    let output = |text: &str| {
        format!(
            "{{\"Action\":\"output\",\"Package\":\"p\",\"Output\":{}}}",
            serde_json::to_string(text).unwrap()
        )
    };
    assert_eq!(show(&output("--- FAIL: TestX (0.00s)\n")).as_deref(), Some("--- FAIL: TestX (0.00s)"));
    assert_eq!(show(&output("ok  \tp\t0.01s\n")).as_deref(), Some("ok  \tp\t0.01s"));
    assert_eq!(show(&output("=== RUN   TestX\n")), None);
    assert_eq!(show(&output("PASS\n")), None);
    assert_eq!(show("{\"Action\":\"pass\",\"Package\":\"p\",\"Test\":\"TestX\"}"), None);
    assert_eq!(show("# p\n").as_deref(), Some("# p\n"));
    assert_eq!(ended_in("{\"Action\":\"pass\",\"Package\":\"p\",\"Test\":\"TestX\"}"), 1);
    assert_eq!(ended_in("{\"Action\":\"pass\",\"Package\":\"p\"}"), 0);
    assert_eq!(ended_in("    --- PASS: TestX/a (0.00s)"), 1);
}

#[test]
fn time_grows_with_the_output_alone() {
    let failed = 20_000;
    let text = {
        let tests = (0..failed)
            .map(|n| format!("=== RUN   TestA{n}\n    a_test.go:1: x\n--- FAIL: TestA{n} (0.00s)\n"));
        format!("{}FAIL\tp\t1.0s\n", tests.collect::<String>())
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
                Just("=== RUN   TestA".to_owned()), Just("--- FAIL: TestA (0.00s)".to_owned()),
                Just("FAIL\tp [build failed]".to_owned()), Just("ok  \tp\t0.1s".to_owned()), Just("# p".to_owned()),
                Just("{\"Action\":\"run\",\"Package\":\"p\",\"Test\":\"TestA\"}".to_owned()),
                Just("{\"Action\":\"fail\",\"Package\":\"p\",\"Elapsed\":-1e300}".to_owned()),
                Just("panic: x".to_owned()), Just("a.go:1: got , want ".to_owned()), ".{0,30}",
            ],
            0..20,
        ),
        bytes in proptest::collection::vec(any::<u8>(), 0..80),
    ) {
        let _ = read(lines.join("\n").as_bytes());
        let _ = read(&bytes);
        for line in &lines {
            show(line);
            ended_in(line);
        }
    }
}
