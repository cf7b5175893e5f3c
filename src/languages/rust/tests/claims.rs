//! Checks as facts: what they claim and whether they can fail; bindings, rows, doubles, constants.

use super::super::super::testing::details;

fn in_test(statements: &str) -> String {
    details("src/a.rs", &format!("#[test]\nfn a() {{\n{statements}\n}}\n"))
}

#[test]
fn checks_after_the_end_are_dead() {
    for (statements, expected) in [
        ("return; assert!(x);", "Dead: Truthy x = true\n"),
        ("f(); panic!(\"a\"); assert!(x);", "Dead: Truthy x = true\n"),
        ("if y { return; } assert!(x);", "Always: Truthy x = true\n"),
        ("if false { assert!(x); }", "Dead: Truthy x = true\n"),
        ("if y { assert!(x); }", "Branch: Truthy x = true\n"),
        ("for y in [] { assert!(x); }", "Dead: Truthy x = true\n"),
        ("for y in z { assert!(x); }", "Branch: Truthy x = true\n"),
    ] {
        assert_eq!(in_test(statements), expected, "{statements}");
    }
}

#[test]
fn what_is_caught_and_forgotten_cannot_fail() {
    assert_eq!(
        in_test("let _ = std::panic::catch_unwind(|| { assert!(x); });"),
        "Swallowed: Truthy x = true\n"
    );
    assert!(in_test("let r = std::panic::catch_unwind(|| { assert!(x); });").starts_with("Always: "));
}

#[test]
fn a_closure_that_nobody_calls_checks_nothing() {
    assert_eq!(in_test("let f = || assert!(x); g();"), "NeverCalled: Truthy x = true\n");
    assert_eq!(in_test("let f = || assert!(x); f();"), "Always: Truthy x = true\n");
}

#[test]
fn a_chain_is_read_as_a_whole() {
    assert_eq!(in_test("cmd.assert().success().stdout(\"x\");"), "Always: Value cmd = \"x\"\n");
    assert_eq!(
        in_test("p.cargo(\"b\").with_stderr_data(str![\"a\"]).with_stdout_does_not_contain(\"b\").run();"),
        "Always: not Pattern p.cargo(\"b\").stdout = \"b\"\nAlways: Snapshot Value p.cargo(\"b\").stderr = str![\"a\"]\n"
    );
}

#[test]
fn bindings_rows_doubles_and_constants_are_kept() {
    assert_eq!(in_test("let x = f(\n1,\n); let mut y = 2;"), "x := f(1)\ny := 2\n");
    assert_eq!(in_test("let m = MockStore::new();"), "m := MockStore::new()\ndouble Store\n");
    assert_eq!(
        details("a.rs", "#[rstest]\n#[case(1, 2)]\n#[case::b(3, 4)]\nfn a() {}"),
        "row 1, 2\nrow 3, 4\n"
    );
    assert_eq!(details("a.rs", "#[test_case(1 => 2)]\nfn a() {}"), "row 1 => 2\n");
    assert_eq!(details("a.rs", "const LIMIT: u8 = 3;\nstatic X: &str = \"a\";"), "LIMIT = 3\nX = \"a\"\n");
}
