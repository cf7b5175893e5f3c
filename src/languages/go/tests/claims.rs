//! Checks as facts: what they claim and whether they can fail; bindings, rows, doubles, constants.

use super::super::super::testing::details;

fn in_test(statements: &str) -> String {
    details("a_test.go", &format!("package a\nfunc TestA(t *testing.T) {{\n{statements}\n}}\n"))
}

#[test]
fn a_failing_call_claims_the_condition_around_it() {
    for (statements, expected) in [
        ("if got != want { t.Errorf(\"x\") }", "Branch: Failure Value got = want\n"),
        ("if !reflect.DeepEqual(got, want) { t.Error() }", "Branch: Failure Value got = want\n"),
        ("if err != nil { t.Fatal(err) }", "Branch: Failure Shape err = nil\n"),
        ("if err == nil { t.Fatal() }", "Branch: Failure Shape err = -\n"),
        ("if a == 1 { f() } else { t.Fatal() }", "Branch: Failure Value a = 1\n"),
        ("if a { for { t.Fatal() } }", "Branch: Failure Value  = -\n"),
        (
            "if a != 1 { if b != 2 { t.Fatal() }; t.Error() }",
            "Branch: Failure Value b = 2\nBranch: Failure Value a = 1\n",
        ),
        ("t.Fatal()", "Always: Failure Value  = -\n"),
    ] {
        assert_eq!(in_test(statements), expected, "{statements}");
    }
}

#[test]
fn a_difference_claims_that_its_sides_are_equal() {
    let same = "Branch: Failure Value got = want\ndiff := cmp.Diff(want, got)\n";
    assert_eq!(in_test("if diff := cmp.Diff(want, got); diff != \"\" { t.Error(diff) }"), same);
    assert_eq!(in_test("diff := cmp.Diff(want, got)\nif diff != \"\" { t.Error(diff) }"), same);
}

#[test]
fn names_given_to_values_are_kept() {
    assert_eq!(
        in_test("got, err := f(\n1,\n)\nx := 3\nx = g()"),
        "got := f(1)\nerr := f(1)\nx := 3\nx := g()\n"
    );
}

#[test]
fn checks_after_the_end_are_dead() {
    assert_eq!(in_test("f()\nreturn\nassert.True(t, ok)"), "Dead: Truthy ok = true\n");
    assert_eq!(in_test("if a { return }\nassert.True(t, ok)"), "Always: Truthy ok = true\n");
    assert_eq!(
        in_test("if a { return; assert.True(t, ok) }\nassert.True(t, ok)"),
        "Dead: Truthy ok = true\nAlways: Truthy ok = true\n"
    );
    assert_eq!(in_test("for _, x := range []int{} { assert.True(t, x) }"), "Dead: Truthy x = true\n");
}

#[test]
fn checks_in_branches_and_functions_that_never_run_are_no_checks() {
    assert_eq!(in_test("if false { assert.True(t, ok) }"), "Dead: Truthy ok = true\n");
    assert_eq!(in_test("if false { if a != 1 { t.Error() } }"), "Dead: Failure Value a = 1\n");
    assert_eq!(in_test("f := func() { assert.True(t, ok) }\n_ = f"), "NeverCalled: Truthy ok = true\n");
    assert!(in_test("f := func() { assert.True(t, ok) }\nf()").starts_with("Always: "));
}

#[test]
fn rows_of_tables_are_kept() {
    let text = "for _, tc := range []struct{a, b int}{{1, 2}, {\n3,\n4,\n}} { t.Run(tc.name, func(t *testing.T) {}) }";
    assert_eq!(in_test(text), "row {1, 2}\nrow {3, 4}\n");
    let text = "tests := []int{1, 2}\nfor _, x := range tests { f(x) }";
    assert_eq!(in_test(text), "tests := []int{1, 2}\nrow 1\nrow 2\n");
}

#[test]
fn doubles_and_constants_are_kept() {
    assert_eq!(in_test("m := NewMockStore(ctrl)"), "m := NewMockStore(ctrl)\ndouble Store\n");
    assert_eq!(
        details("a.go", "package a\nconst limit = 3\nvar x, y = 1, f()\n"),
        "limit = 3\nx = 1\ny = f()\n"
    );
}
