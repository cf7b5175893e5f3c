//! Subtests, tables and their rows.

use super::{facts, found};

#[test]
fn named_subtests_are_listed_inside_their_test() {
    let text = "
func TestCart(t *testing.T) {
	t.Run(\"empty\", func(t *testing.T) {
		t.Run(`nested deep`, func(t *testing.T) { t.Error() })
	})
	t.Run(\"full\", testFull)
	cmd.Run(\"ls\", nil)
	exec.Run()
}
func helper(t *testing.T) { t.Run(\"shared\", func(t *testing.T) {}) }
";
    assert_eq!(
        found(text),
        "TestCart, 2 cases, 1 asserts\n  TestCart::empty, 1 asserts\n  TestCart::empty::nested deep, 1 asserts\n  TestCart::full\n"
    );
}

#[test]
fn tables_give_cases_wherever_the_literal_stands() {
    let text = "
var shared = []struct{ n int }{{1}, {2}, {3}}
func TestLocal(t *testing.T) {
	cases := map[string]int{\"a\": 1, /* b */ \"b\": 2}
	for name, n := range cases {
		t.Run(name, func(t *testing.T) { check(t, n) })
	}
}
func TestVar(t *testing.T) {
	var cases = [...]int{1, 2, 3, 4}
	for _, n := range cases {
		n := n
		t.Run(fmt.Sprint(n), func(t *testing.T) {})
	}
}
func TestShared(t *testing.T) {
	for _, tc := range shared {
		t.Run(tc.name, func(t *testing.T) {})
	}
	t.Run(\"and one\", func(t *testing.T) {})
}
func TestInline(t *testing.T) {
	for _, tc := range []string{\"a\", \"b\"} {
		for i := range 3 {
			t.Run(tc, func(t *testing.T) {})
		}
	}
}
func TestInSubtest(t *testing.T) {
	cases := []int{1, 2}
	t.Run(\"table\", func(t *testing.T) {
		for _, n := range cases {
			t.Run(fmt.Sprint(n), func(t *testing.T) {})
		}
	})
}
";
    assert_eq!(
        found(text),
        "TestLocal, 2 cases, 1 asserts
TestVar, 4 cases
TestShared, 4 cases
  TestShared::and one
TestInline, 6 cases
TestInSubtest
  TestInSubtest::table, 2 cases
"
    );
}

#[test]
fn cases_made_at_run_time_are_not_guessed() {
    let text = "
func TestLoaded(t *testing.T) {
	for _, tc := range load() {
		t.Run(tc.name, func(t *testing.T) {})
	}
}
func TestGrown(t *testing.T) {
	cases := []int{1}
	cases = append(cases, 2)
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {})
	}
}
func TestCounted(t *testing.T) {
	for i := 0; i < 3; i++ {
		t.Run(name(i), func(t *testing.T) {})
	}
}
func TestPlainLoop(t *testing.T) {
	for _, n := range []int{1, 2, 3} {
		if n == 0 {
			t.Error(n)
		}
	}
}
";
    assert_eq!(
        found(text),
        "TestLoaded, ? cases\nTestGrown, ? cases\nTestCounted, ? cases\nTestPlainLoop, 1 asserts\n"
    );
}

#[test]
fn a_row_that_says_skip_makes_the_test_conditional() {
    let text = "
var shared = map[string]tc{\"a\": {n: 1}, \"b\": {n: 2, Skip: true}}
func TestReason(t *testing.T) {
	for _, tc := range []tc{{name: \"a\"}, {name: \"b\", skip: \"flaky\"}} {
		t.Run(tc.name, func(t *testing.T) {})
	}
}
func TestShared(t *testing.T) {
	for name := range shared {
		t.Run(name, func(t *testing.T) {})
	}
}
func TestNone(t *testing.T) {
	for _, tc := range []*tc{&tc{name: \"skip\", skip: false}, {skip: \"\"}} {
		t.Run(tc.name, func(t *testing.T) {})
	}
}
";
    assert_eq!(
        found(text),
        "TestReason, 2 cases, Conditional/Test \"flaky\"\nTestShared, 2 cases, Conditional/Test\nTestNone, 2 cases\n"
    );
    let facts = facts("a_test.go", &format!("package a\n{text}"));
    let mark = facts.tests[0].skip.as_ref().map(|skip| skip.mark.as_str());
    assert_eq!(mark, Some("{name: \"b\", skip: \"flaky\"}"));
}
