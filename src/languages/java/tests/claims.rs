//! Checks as facts: what they claim and whether they can fail; bindings, rows, doubles, constants.

use super::super::super::testing::details;
use super::PATH;

fn in_class(members: &str) -> String {
    details(
        PATH,
        &format!(
            "import org.junit.jupiter.api.*;\nimport org.junit.jupiter.params.*;\nclass CartTest {{\n{members}\n}}\n"
        ),
    )
}

fn in_test(statements: &str) -> String {
    in_class(&format!("@Test void total() {{\n{statements}\n}}"))
}

#[test]
fn what_is_caught_and_forgotten_cannot_fail() {
    for (handler, expected) in [
        ("catch (AssertionError e) {}", "Swallowed"),
        ("catch (Throwable t) { t.printStackTrace(); }", "Swallowed"),
        ("catch (IOException | Error e) { /* no */ }", "Swallowed"),
        ("catch (Exception e) {}", "Branch"),
        ("catch (Throwable t) { error = t; }", "Branch"),
        ("catch (Throwable t) { fail(); }", "Branch"),
        ("catch (Throwable t) { throw t; }", "Branch"),
    ] {
        let found = in_test(&format!("try {{ assertTrue(x); }} {handler}"));
        assert!(found.starts_with(&format!("{expected}: Truthy x = true\n")), "{handler}: {found}");
    }
}

#[test]
fn a_failure_that_must_not_be_reached_claims_an_error() {
    assert_eq!(
        in_test("try { run(1); fail(\"no\"); } catch (IOException expected) {}"),
        "Branch: Raises Shape run(1) = IOException\n"
    );
    assert_eq!(in_test("if (x) { fail(); }"), "Branch: Failure Value  = -\n");
}

#[test]
fn code_that_never_runs_checks_nothing() {
    for (statements, expected) in [
        ("f(); if (true) return; assertTrue(x);", "Dead: Truthy x = true\n"),
        ("if (false) { assertTrue(x); }", "Dead: Truthy x = true\n"),
        ("for (int y : List.of()) { assertTrue(x); }", "Dead: Truthy x = true\n"),
        ("Runnable r = () -> assertTrue(x); f();", "NeverCalled: Truthy x = true\n"),
        ("Runnable r = () -> assertTrue(x); r.run();", "Always: Truthy x = true\n"),
    ] {
        assert_eq!(in_test(statements), expected, "{statements}");
    }
}

#[test]
fn bindings_doubles_and_constants_are_kept() {
    assert_eq!(in_test("int x = f(\n1);"), "x := f(1)\n");
    assert_eq!(in_test("Mailer m = mock(Mailer.class);"), "m := mock(Mailer.class)\ndouble Mailer.class\n");
    assert_eq!(in_test("when(m.send(1)).thenReturn(2);"), "double m.send(1)\n");
    assert_eq!(in_class("static final int LIMIT = 3;\n@Test void a() {}"), "LIMIT = 3\n");
}

#[test]
fn rows_are_kept() {
    assert_eq!(
        in_class("@ParameterizedTest @CsvSource({\"1, 2\", \"3, 4\"}) void a(int x) {}"),
        "row \"1, 2\"\nrow \"3, 4\"\n"
    );
    assert_eq!(in_class("@ParameterizedTest @ValueSource(ints = {1, 2}) void a(int x) {}"), "row 1\nrow 2\n");
    assert_eq!(
        in_class(
            "@ParameterizedTest @MethodSource(\"rows\") void a(int x) {}
             static Stream<Arguments> rows() { return Stream.of(arguments(1, 2), arguments(3, 4)); }"
        ),
        "row arguments(1, 2)\nrow arguments(3, 4)\n"
    );
}
