//! Which known tests did not run: names, tails, titles and rows.

use proptest::prelude::*;

use super::*;
use crate::runner::results::{Failure, Location, Outcome, Skips, TestId, TestResult};

/// `path suite::name`, with `*` behind a table.
fn known(text: &'static str) -> (String, Vec<String>, String, bool) {
    let (path, rest) = text.split_once(' ').unwrap();
    let is_single = !rest.ends_with('*');
    let mut suite: Vec<String> = rest.trim_end_matches('*').split("::").map(str::to_owned).collect();
    let name = suite.pop().unwrap();
    (path.to_owned(), suite, name, is_single)
}

fn result(file: Option<&str>, path: &str, case: Option<&str>, line: Option<u32>) -> TestResult {
    let mut suite: Vec<String> = path.split("::").map(str::to_owned).collect();
    let name = suite.pop().unwrap();
    let id = TestId { file: file.map(str::to_owned), suite, name, case: case.map(str::to_owned) };
    TestResult { id, line, outcome: Outcome::Passed, duration_ms: None, failure: None }
}

/// The names of what did not run. Results are `file path`, `- path` without a file, with `[row]` and `@line`.
fn left(tests: &[&'static str], ran: &[&str]) -> Vec<String> {
    let tests: Vec<_> = tests.iter().map(|text| known(text)).collect();
    let span = Span { start: 1, end: 1 };
    let list: Vec<KnownTest<'_>> = tests
        .iter()
        .enumerate()
        .map(|(at, (path, suite, name, is_single))| {
            let line = at as u32 * 10 + 10;
            KnownTest {
                path,
                suite,
                name,
                line,
                span: Span { start: line, ..span },
                is_single: *is_single,
                is_marked: false,
            }
        })
        .collect();
    let results = ran.iter().map(|text| {
        let (file, rest) = text.split_once(' ').unwrap();
        let (rest, line) =
            rest.split_once('@').map_or((rest, None), |(rest, line)| (rest, line.parse().ok()));
        let (path, case) = rest.split_once('[').map_or((rest, None), |(path, row)| (path, Some(row)));
        result((file != "-").then_some(file), path, case, line)
    });
    let results = Results { tests: results.collect(), named: true, ..Results::default() };
    unexecuted(&list, &results).into_iter().map(|at| list[at].name.to_owned()).collect()
}

const NONE: [&str; 0] = [];

#[test]
fn files_tell_tests_apart() {
    let tests = ["a.py T::test_x", "b.py T::test_x", "b.py test_y"];
    assert_eq!(left(&tests, &["a.py T::test_x", "b.py test_y"]), ["test_x"]);
    assert_eq!(left(&tests, &["a.py T::test_x", "b.py T::test_x", "b.py test_y[1]", "b.py test_y[2]"]), NONE);
}

#[test]
fn classes_of_a_file_are_told_apart() {
    let tests = ["a.py A::test_x", "a.py B::test_x"];
    assert_eq!(left(&tests, &["a.py A::test_x"]), ["test_x"]);
    assert_eq!(left(&tests, &["a.py A::test_x", "a.py B::test_x"]), NONE);
}

#[test]
fn an_inherited_test_runs_under_the_name_of_another_class() {
    assert_eq!(left(&["a.py Base::test_x"], &["a.py TestA::test_x", "a.py TestB::test_x"]), NONE);
}

#[test]
fn two_tests_of_one_name_need_two_executions() {
    let tests = ["src/a.rs tests::parses", "src/b.rs tests::parses"];
    assert_eq!(left(&tests, &["- crate::a::tests::parses"]), ["parses"]);
    assert_eq!(left(&tests, &["- crate::a::tests::parses", "- crate::b::tests::parses"]), NONE);
    // The same name in two programs.
    assert_eq!(left(&tests, &["- tests::parses", "- tests::parses"]), NONE);
}

#[test]
fn the_one_that_did_not_run_is_named() {
    let tests = ["src/a.rs tests::parses", "src/b.rs tests::parses"];
    let ran = [result(None, "crate::b::tests::parses", None, None)];
    let results = Results { tests: ran.to_vec(), named: true, ..Results::default() };
    let suite = ["tests".to_owned()];
    let span = Span { start: 1, end: 1 };
    let list: Vec<KnownTest<'_>> = tests
        .iter()
        .map(|text| KnownTest {
            path: text.split_once(' ').unwrap().0,
            suite: &suite,
            name: "parses",
            line: 1,
            span,
            is_single: true,
            is_marked: false,
        })
        .collect();
    assert_eq!(unexecuted(&list, &results), [0]);
}

#[test]
fn packages_of_go_are_folders() {
    let tests = ["cart_test.go TestTotal", "sub/sub_test.go TestTotal", "sub/sub_test.go TestTable*"];
    let ran = [
        "- example.com/cart::TestTotal",
        "- example.com/cart/sub::TestTotal",
        "- example.com/cart/sub::TestTable[a]",
    ];
    assert_eq!(left(&tests, &ran), NONE);
    assert_eq!(left(&tests, &ran[..2]), ["TestTable"]);
}

#[test]
fn files_for_other_systems_are_not_expected() {
    for path in ["path/path_windows_test.go", "a_linux_arm64_test.go"] {
        assert!(is_for_one_system(path), "{path}");
    }
    for path in ["windows_test.go", "path/cart_test.go", "a_windows.rs", "windows/cart_total_test.go"] {
        assert!(!is_for_one_system(path), "{path}");
    }
}

#[test]
fn classes_of_reports_are_packages_with_dots() {
    let tests = [
        "src/test/java/com/acme/CartTest.java CartTest::adds",
        "src/test/java/com/acme/CartTest.java CartTest::Inner::adds",
    ];
    assert_eq!(left(&tests, &["- com.acme.CartTest::adds", "- com.acme.CartTest$Inner::adds"]), NONE);
    assert_eq!(left(&tests, &["- com.acme.CartTest::adds"]).len(), 1);
}

#[test]
fn rows_of_a_table_stand_for_it() {
    assert_eq!(
        left(&["src/lib.rs tests::adds*"], &["- crate::tests::adds::case_1", "- crate::tests::adds::case_2"]),
        NONE
    );
    assert_eq!(
        left(&["a.test.js cart::adds %i*"], &["a.test.js cart::adds 1", "a.test.js cart::adds 2"]),
        NONE
    );
    assert_eq!(left(&["a.test.js cart::adds %i*"], &["a.test.js cart::removes 1"]), ["adds %i"]);
}

#[test]
fn computed_titles_are_what_they_can_become() {
    let tests = ["a.test.js cart::adds ${x} items", "a.test.js cart::name()", "a.test.js cart::plain words"];
    let ran = ["a.test.js cart::adds 3 items", "a.test.js cart::whatever", "a.test.js cart::plain words"];
    assert_eq!(left(&tests, &ran), NONE);
    assert_eq!(left(&tests, &ran[..2]), ["plain words"]);
    // What another test explains is nobody's computed title.
    assert_eq!(left(&tests, &[ran[2]]), ["adds ${x} items", "name()"]);
    assert_eq!(left(&["a.test.js outer %s::inner"], &["a.test.js outer 1::inner"]), NONE);
}

#[test]
fn a_line_tells_a_test_whose_title_is_computed() {
    assert_eq!(
        left(
            &["a.test.js cart::title", "a.test.js cart::other title"],
            &["a.test.js cart::x@10", "a.test.js cart::y@20"]
        ),
        NONE
    );
}

#[test]
fn results_without_names_say_nothing() {
    let suite: [String; 0] = [];
    let test = KnownTest {
        path: "a.py",
        suite: &suite,
        name: "test_a",
        line: 1,
        span: Span { start: 1, end: 1 },
        is_single: true,
        is_marked: false,
    };
    assert!(unexecuted(&[test], &Results::default()).is_empty());
}

#[test]
fn as_many_tests_as_possible_get_an_execution() {
    // The first fits both, the second only one; whichever is looked at first, both have run.
    let tests = ["x.rs tests::a", "y.rs deep::tests::a"];
    assert_eq!(left(&tests, &["- c::deep::tests::a", "- c::tests::a"]), NONE);
}

proptest! {
    #[test]
    fn what_ran_under_its_own_name_is_never_missing(
        names in proptest::collection::vec(("[ab]{1,2}", "[xyz]{1,2}", "[mno]{1,2}"), 1..12),
        with_files in any::<bool>(),
    ) {
        let suites: Vec<[String; 1]> = names.iter().map(|(_, suite, _)| [suite.clone()]).collect();
        let paths: Vec<String> = names.iter().map(|(file, _, _)| format!("src/{file}.rs")).collect();
        let span = Span { start: 1, end: 1 };
        let list: Vec<KnownTest<'_>> = names.iter().enumerate().map(|(at, (_, _, name))| KnownTest {
            path: &paths[at], suite: &suites[at], name, line: 1, span, is_single: true, is_marked: false,
        }).collect();
        let tests = names.iter().enumerate().map(|(at, (file, suite, name))| {
            if with_files {
                result(Some(&paths[at]), &format!("{suite}::{name}"), None, None)
            } else {
                result(None, &format!("crate::{file}::{suite}::{name}"), None, None)
            }
        });
        let results = Results { tests: tests.collect(), named: true, ..Results::default() };
        prop_assert!(unexecuted(&list, &results).is_empty());
        // Without files, one execution less leaves exactly one test.
        if !with_files {
            let mut fewer = results.clone();
            fewer.tests.pop();
            prop_assert_eq!(unexecuted(&list, &fewer).len(), 1);
        }
    }
}

/// What did not run of plain and marked functions and a method, all skipped, `told` at a place for a reason.
fn skipped(skips: Skips, kind: &str, place: Option<(&str, u32)>) -> Vec<String> {
    let class = ["TestA".to_owned()];
    let tests: [(&str, &[String], bool); 3] =
        [("test_plain", &[], false), ("test_marked", &[], true), ("test_method", &class, false)];
    let list = tests.map(|(name, suite, is_marked)| KnownTest {
        path: "a.py",
        suite,
        name,
        line: 10,
        span: Span { start: 10, end: 12 },
        is_single: true,
        is_marked,
    });
    let location =
        place.map(|(file, line)| Location { file: file.to_owned(), line: Some(line), function: None });
    let results = list.iter().map(|test| {
        let path: Vec<&str> = test.suite.iter().map(String::as_str).chain([test.name]).collect();
        let failure = Failure { kind: kind.to_owned(), location: location.clone(), ..Failure::default() };
        TestResult {
            outcome: Outcome::Skipped,
            failure: Some(failure),
            ..result(Some("a.py"), &path.join("::"), None, Some(10))
        }
    });
    let results = Results { tests: results.collect(), named: true, skips, ..Results::default() };
    unexecuted(&list, &results).into_iter().map(|at| list[at].name.to_owned()).collect()
}

#[test]
fn a_skip_that_may_be_a_filter_of_the_command_is_no_execution() {
    let all = ["test_plain", "test_marked", "test_method"];
    assert_eq!(skipped(Skips::Filtered, "", None), all);
    assert_eq!(skipped(Skips::Decided, "", None), NONE);
}

#[test]
fn a_skip_is_the_own_decision_of_a_test_where_it_stands_in_its_file() {
    let all = ["test_plain", "test_marked", "test_method"];
    assert_eq!(skipped(Skips::Placed, "pytest.skip", Some(("a.py", 11))), NONE);
    assert_eq!(skipped(Skips::Placed, "pytest.skip", Some(("conftest.py", 11))), all);
    // A mark is told at the start of the test, whoever gave it.
    assert_eq!(skipped(Skips::Placed, "pytest.skip", Some(("a.py", 10))), ["test_plain"]);
    assert_eq!(skipped(Skips::Placed, "pytest.xfail", None), NONE);
}

#[test]
fn a_row_that_ran_stands_for_a_table_whose_other_rows_were_filtered() {
    let suite: [String; 0] = [];
    let span = Span { start: 1, end: 1 };
    let test = KnownTest {
        path: "a.js",
        suite: &suite,
        name: "adds",
        line: 1,
        span,
        is_single: false,
        is_marked: false,
    };
    let row = |case: &str, outcome| TestResult { outcome, ..result(Some("a.js"), "adds", Some(case), None) };
    let tests = vec![row("1", Outcome::Skipped), row("2", Outcome::Passed)];
    let mut results = Results { tests, named: true, skips: Skips::Filtered, ..Results::default() };
    assert!(unexecuted(std::slice::from_ref(&test), &results).is_empty());
    results.tests.pop();
    assert_eq!(unexecuted(&[test], &results), [0]);
}
