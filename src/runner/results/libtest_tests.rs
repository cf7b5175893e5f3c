//! The reader of libtest's text, on captured output and on any bytes.

use proptest::prelude::*;

use super::*;
use crate::runner::results::testing::counts;

macro_rules! captured {
    ($name:literal) => {
        read(include_bytes!(concat!("../../../tests/captured/libtest/", $name))).unwrap()
    };
}

fn test<'r>(results: &'r Results, id: &str) -> &'r TestResult {
    let found = results.tests.iter().find(|test| test.id.to_string() == id);
    found.unwrap_or_else(|| panic!("{id} is not in {:?}", ids(results)))
}

fn ids(results: &Results) -> Vec<String> {
    results.tests.iter().map(|test| test.id.to_string()).collect()
}

#[test]
fn several_programs_and_documentation_are_read_as_one() {
    let results = captured!("mixed.txt");
    assert!(results.named);
    assert_eq!(counts(&results), (3 + 1 + 2, 6 + 1 + 1, 0, 2 + 1));
    assert_eq!(test(&results, "cart::tests::inner::adds").outcome, Outcome::Passed);
    assert_eq!(test(&results, "whole::adds").outcome, Outcome::Passed);
    let documentation = test(&results, "cart (doc)::src/lib.rs::total[line 17]");
    assert_eq!(documentation.outcome, Outcome::Failed);
    assert_eq!(documentation.failure.as_ref().unwrap().expected.as_deref(), Some("4"));
}

#[test]
fn failures_and_skips_say_why() {
    let results = captured!("mixed.txt");
    let ignored = test(&results, "cart::tests::ignored");
    assert_eq!(ignored.outcome, Outcome::Skipped);
    assert_eq!(ignored.failure.as_ref().unwrap().message, "slow, very");
    let wrong = test(&results, "cart::tests::adds_wrong").failure.clone().unwrap();
    assert_eq!((wrong.actual.as_deref(), wrong.expected.as_deref()), (Some("3"), Some("4")));
    assert_eq!(wrong.location.unwrap().line, Some(37));
    let threaded = test(&results, "whole::threaded").failure.clone().unwrap();
    assert!(threaded.message.starts_with("called `Result::unwrap()`"), "{}", threaded.message);
    let panics = test(&results, "cart::tests::panics_otherwise").failure.clone().unwrap();
    assert_eq!(panics.expected.as_deref(), Some("\"sum\""));
}

#[test]
fn a_backtrace_gives_the_function_too() {
    let results = captured!("backtrace.txt");
    let place = test(&results, "cart::tests::unwraps").failure.clone().unwrap().location.unwrap();
    assert_eq!(place.function.as_deref(), Some("cart::tests::unwraps"));
    assert_eq!((place.file.as_str(), place.line), ("src/lib.rs", Some(71)));
}

#[test]
fn a_quiet_run_is_counted_and_names_its_failures() {
    let results = captured!("quiet.txt");
    assert!(!results.named);
    assert_eq!(counts(&results), (6, 8, 0, 3));
    assert!(ids(&results).contains(&"tests::adds_wrong".to_owned()), "{:?}", ids(&results));
    assert_eq!(results.tests.len(), 8);
}

#[test]
fn output_that_looks_like_a_result_is_none() {
    let results = captured!("uncaptured-one-thread.txt");
    assert!(results.named);
    assert_eq!(counts(&results), (3, 6, 0, 2));
    assert!(!ids(&results).contains(&"cart::tests::fake".to_owned()));
    let results = captured!("uncaptured.txt");
    assert!(!results.named, "one of twelve names is none of the eleven tests");
    assert_eq!(counts(&results), (3, 6, 0, 2));
}

#[test]
fn a_crash_is_a_problem_or_the_end_of_the_test_that_was_open() {
    let results = captured!("crash.txt");
    assert_eq!(counts(&results), (1, 0, 1, 0));
    assert_eq!(results.problems[0].kind, "SIGABRT");
    let results = captured!("crash-one-thread.txt");
    assert_eq!(counts(&results), (2, 0, 1, 0));
    assert_eq!(test(&results, "crashy::b_crash").outcome, Outcome::Errored);
    assert_eq!(test(&results, "crashy::b_crash").failure.as_ref().unwrap().kind, "SIGABRT");
}

#[test]
fn a_program_that_exits_early_is_a_problem_and_what_follows_is_not_its_own() {
    let results = captured!("exit.txt");
    assert!(results.named);
    assert_eq!(counts(&results), (1, 0, 1, 0));
    assert_eq!(results.problems[0].message, "the test program k ended before its tests did: 0 of 2 reported");
    assert_eq!(ids(&results), ["k (doc)::src/lib.rs::one[line 1]"]);
    let results = captured!("exit-one-thread.txt");
    assert_eq!(counts(&results), (1, 0, 1, 0));
    assert_eq!(test(&results, "k::tests::a_quits").outcome, Outcome::Errored);
    assert!(ids(&results).contains(&"k (doc)::src/lib.rs::one[line 1]".to_owned()), "{:?}", ids(&results));
}

#[test]
fn output_that_looks_like_another_program_is_none() {
    let fake = "running 5 tests\ntest result: ok. 5 passed; 0 failed; 0 ignored\n";
    let end = "test result: ok. 2 passed; 0 failed; 0 ignored\n";
    let text = format!(
        "     Running unittests src/lib.rs (target/k-1)\nrunning 2 tests\n{fake}test a ... ok\ntest b ... ok\n{end}"
    );
    let results = read(text.as_bytes()).unwrap();
    assert_eq!((results.named, counts(&results)), (true, (2, 0, 0, 0)));
}

#[test]
fn a_summary_of_less_than_was_begun_is_no_end() {
    let text = "running 2 tests\ntest a ... ok\ntest result: ok. 1 passed; 0 failed; 0 ignored\n";
    let results = read(text.as_bytes()).unwrap();
    assert_eq!((results.named, counts(&results)), (true, (1, 0, 1, 0)));
    let cut = "running 2 tests\ntest a ... ok\n[aiwg-gate: 9 bytes of output were left out here]\nrunning 1 test\ntest b ... ok\ntest result: ok. 1 passed; 0 failed; 0 ignored\n";
    let results = read(cut.as_bytes()).unwrap();
    assert_eq!((results.named, counts(&results)), (false, (2, 0, 0, 0)));
}

#[test]
fn a_build_that_breaks_is_a_problem_with_a_place() {
    let results = captured!("broken.txt");
    assert_eq!(counts(&results), (0, 0, 1, 0));
    let problem = &results.problems[0];
    assert_eq!(
        (problem.kind.as_str(), problem.message.as_str()),
        ("E0425", "cannot find value `b` in this scope")
    );
    assert_eq!(problem.location.as_ref().unwrap().file, "src/lib.rs");
}

#[test]
fn an_empty_project_has_no_tests() {
    assert_eq!(counts(&captured!("empty.txt")), (0, 0, 0, 0));
    assert!(read(b"make: nothing to be done\n").is_err());
}

#[test]
fn a_result_behind_words_without_a_line_break_is_seen() {
    let text = "running 2 tests\ntest a ... hellook\ntest b ... ok\n\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
    let results = read(text.as_bytes()).unwrap();
    assert!(results.named);
    assert_eq!(counts(&results), (2, 0, 0, 0));
}

#[test]
fn a_failed_test_may_print_results_of_its_own() {
    let text = "running 1 test\ntest a ... FAILED\n\nfailures:\n\n---- a stdout ----\nrunning 3 tests\ntest x ... ok\n\ntest result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n\nfailures:\n    a\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
    let results = read(text.as_bytes()).unwrap();
    assert!(results.named);
    assert_eq!(counts(&results), (0, 1, 0, 0));
}

#[test]
fn progress_counts_results_alone() {
    assert_eq!(ended_in("test a::b ... ok"), 1);
    assert_eq!(ended_in("test a::b ... ignored, slow"), 1);
    assert_eq!(ended_in("test a::b ... "), 0);
    assert_eq!(ended_in("test result: ok. 1 passed"), 0);
}

#[test]
fn time_grows_with_the_output_alone() {
    let failed = 20_000;
    let text = {
        let list: String = (0..failed).map(|n| format!("test t{n} ... FAILED\n")).collect();
        let blocks: String = (0..failed).map(|n| format!("---- t{n} stdout ----\nError: x\n\n")).collect();
        format!(
            "running {failed} tests\n{list}\nfailures:\n\n{blocks}\ntest result: FAILED. 0 passed; {failed} failed; 0 ignored\n"
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
                Just("running 2 tests".to_owned()), Just("failures:".to_owned()), Just("test a ... ok".to_owned()),
                Just("test b ... ".to_owned()), Just("---- b stdout ----".to_owned()), Just("FAILED".to_owned()),
                Just("test result: FAILED. 1 passed; 1 failed; 0 ignored".to_owned()),
                Just("error: test failed, to rerun pass `--lib`".to_owned()),
                Just("process didn't exit successfully: `x` (signal: 11, SIGSEGV)".to_owned()),
                Just("thread 'b' panicked at 'x', ".to_owned()), Just("error[E0425]: x".to_owned()), ".{0,30}",
            ],
            0..20,
        ),
        bytes in proptest::collection::vec(any::<u8>(), 0..80),
    ) {
        let _ = read(lines.join("\n").as_bytes());
        let _ = read(&bytes);
    }
}
