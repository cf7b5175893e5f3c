//! The reader of JUnit reports, on those of every tool and on any bytes.

use proptest::prelude::*;

use super::*;
use crate::runner::results::Counts;

fn results(text: &str) -> Results {
    read(text.as_bytes()).unwrap()
}

/// `outcome id` of each test.
fn lines(results: &Results) -> Vec<String> {
    results.tests.iter().map(|test| format!("{:?} {}", test.outcome, test.id)).collect()
}

#[test]
fn a_case_with_a_failure_and_an_error_counts_once() {
    let read = results(
        "<testsuite name='s'><testcase classname='a.B' name='x'><error message='e'/><failure message='f'/></testcase>\
         </testsuite>",
    );
    assert_eq!(read.counts(), Counts { total: 1, failed: 1, ..Counts::default() });
    assert_eq!(read.tests[0].failure.as_ref().unwrap().message, "f");
}

#[test]
fn totals_are_not_believed() {
    let read = results(
        "<testsuite name='s' tests='9' failures='9'><testcase classname='a.B' name='x'/></testsuite>",
    );
    assert_eq!(read.counts(), Counts { total: 1, passed: 1, ..Counts::default() });
}

#[test]
fn surefire_reruns_do_not_add_tests() {
    let read = results(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuite xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" name="com.acme.CartTest" time="1,234.5" tests="3">
  <properties><property name="java.version" value="17"/></properties>
  <testcase name="flaky" classname="com.acme.CartTest" time="1,234.5">
    <flakyFailure message="expected: &lt;1&gt; but was: &lt;2&gt;" type="X"><stackTrace><![CDATA[at x]]></stackTrace></flakyFailure>
    <system-out><![CDATA[<testcase name="printed"/>]]></system-out>
  </testcase>
  <testcase name="broken" classname="com.acme.CartTest" time="0.01">
    <failure message="expected: &lt;1&gt; but was: &lt;2&gt;" type="org.opentest4j.AssertionFailedError"><![CDATA[org.opentest4j.AssertionFailedError: expected: <1> but was: <2>
	at org.junit.jupiter.api.Assertions.assertEquals(Assertions.java:1)
	at com.acme.CartTest.broken(CartTest.java:17)]]></failure>
    <rerunFailure message="again" type="X"><stackTrace>at x</stackTrace></rerunFailure>
  </testcase>
  <testcase name="off" classname="com.acme.CartTest"><skipped message="later"/></testcase>
</testsuite>"#,
    );
    assert_eq!(lines(&read), ["Passed CartTest::flaky", "Failed CartTest::broken", "Skipped CartTest::off"]);
    assert_eq!(read.tests[0].duration_ms, Some(1_234_500));
    let failure = read.tests[1].failure.as_ref().unwrap();
    assert_eq!((failure.expected.as_deref(), failure.actual.as_deref()), (Some("1"), Some("2")));
    let location = failure.location.as_ref().unwrap();
    assert_eq!((location.file.as_str(), location.line), ("com/acme/CartTest.java", Some(17)));
    assert_eq!(read.tests[2].failure.as_ref().unwrap().message, "later");
}

#[test]
fn a_module_that_pytest_cannot_collect_is_a_problem() {
    let read = results(
        r#"<testsuites><testsuite name="pytest" errors="1"><testcase classname="" name="tests.test_bad" time="0.000">
<error message="collection failure">tests/test_bad.py:1: in &lt;module&gt;
    import nothing
E   ModuleNotFoundError: No module named 'nothing'</error></testcase>
<testcase classname="" name="tests.test_off" time="0"><skipped type="pytest.skip" message="no"/></testcase>
<testcase classname="tests.test_a" name="test_x" time="0.5"><skipped type="pytest.xfail" message="known"/></testcase>
</testsuite></testsuites>"#,
    );
    assert_eq!(
        lines(&read),
        ["Skipped tests/test_off.py::tests.test_off", "Skipped tests/test_a.py::test_x"]
    );
    assert_eq!(read.counts(), Counts { total: 3, errors: 1, skipped: 2, ..Counts::default() });
    assert_eq!(read.problems[0].location.as_ref().unwrap().file, "tests/test_bad.py");
    assert_eq!(read.problems[0].message, "tests.test_bad: ModuleNotFoundError: No module named 'nothing'");
    assert_eq!(read.tests[1].failure.as_ref().unwrap().kind, "pytest.xfail");
}

#[test]
fn a_test_whose_teardown_fails_too_counts_once() {
    let read = results(
        r#"<testsuites><testsuite name="pytest"><testcase classname="test_a" name="test_x" file="test_a.py" line="3">
<failure message="AssertionError: assert 1 == 2">test_a.py:5: AssertionError</failure></testcase>
<testcase classname="test_a" name="test_x" file="test_a.py" line="3"><error message="failed on teardown"/></testcase>
</testsuite></testsuites>"#,
    );
    assert_eq!(lines(&read), ["Failed test_a.py::test_x"]);
    let failure = read.tests[0].failure.as_ref().unwrap();
    assert_eq!(failure.kind, "AssertionError");
    assert_eq!((failure.expected.as_deref(), failure.actual.as_deref()), (Some("2"), Some("1")));
}

#[test]
fn modules_that_pytest_cannot_import_say_why() {
    let read = read(include_bytes!("../../../../tests/captured/pytest/import.xml")).unwrap();
    let told: Vec<&str> = read.problems.iter().map(|problem| problem.message.as_str()).collect();
    assert_eq!(
        told,
        [
            "tests.test_imp: ModuleNotFoundError: No module named 'nosuch'",
            "tests.test_syn: SyntaxError: invalid syntax"
        ]
    );
    let place = read.problems[1].location.as_ref().unwrap();
    assert_eq!((place.file.as_str(), place.line), ("/project/tests/test_syn.py", Some(1)));
}

#[test]
fn the_test_in_which_pytest_was_interrupted_has_not_passed() {
    let read = read(include_bytes!("../../../../tests/captured/pytest/interrupted.xml")).unwrap();
    assert_eq!(lines(&read), ["Passed test_i.py::test_a"]);
    assert_eq!(read.problems[0].message, "a test did not end: the run was interrupted");
}

proptest! {
    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = read(&bytes);
    }

    #[test]
    fn no_arrangement_of_pieces_makes_it_panic(pieces in prop::collection::vec(prop::sample::select(vec![
        "<testsuites>", "</testsuites>", "<testsuite name='pytest'>", "</testsuite>", "<testcase name='a[1]' ", "/>", ">",
        "classname='a.B$C'", " file='x.py' line='3'", "</testcase>", "<failure message='E: x'>", "</failure>", "<skipped/>",
        "&#xD800;", "&amp;", "<![CDATA[x]]>", "at a.b.C(D.java:1)", "<error/>", "é", "'", "<!-- -->", "[", "\u{1b}[",
    ]), 0..40)) {
        let _ = read(pieces.concat().as_bytes());
    }
}

#[test]
fn a_skip_of_pytest_tells_its_place() {
    let told = |text: &str| {
        let report = format!(
            "<testsuite><testcase classname='tests.test_a' name='test_x' file='tests/test_a.py' line='4'>\
             <skipped type='pytest.skip' message='later'>{text}</skipped></testcase></testsuite>"
        );
        let test = read(report.as_bytes()).unwrap().tests.remove(0);
        test.failure.unwrap().location.map(|place| (place.file, place.line))
    };
    assert_eq!(told("/p/tests/test_a.py:12: not: here"), Some(("/p/tests/test_a.py".to_owned(), Some(12))));
    assert_eq!(told("C:\\p\\test_a.py:12: x"), Some(("C:\\p\\test_a.py".to_owned(), Some(12))));
    assert_eq!(told("later: 1"), None);
    assert_eq!(told(""), None);
}
