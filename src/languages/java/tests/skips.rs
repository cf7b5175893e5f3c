//! Every way to keep a test from running, and what only looks like one.

use super::{PATH, in_class, in_test, inventory};

/// The skip that the annotations put on a test.
fn annotated(annotations: &str) -> String {
    let line = in_class(&format!("{annotations} @Test void a() {{}}"));
    line.trim_end().trim_start_matches("CartTest::a").trim_start_matches(", ").to_owned()
}

#[test]
fn disabling_annotations_are_unconditional() {
    assert_eq!(annotated("@Disabled"), "Unconditional/Test");
    assert_eq!(annotated("@Disabled(\"flaky, see #12\")"), "Unconditional/Test \"flaky, see #12\"");
    assert_eq!(annotated("@org.junit.Ignore(\"too \" + \"slow\")"), "Unconditional/Test \"too slow\"");
    assert_eq!(annotated("@Disabled(REASON)"), "Unconditional/Test");
}

#[test]
fn annotations_on_a_class_skip_the_suite() {
    let text = "@Disabled(\"later\") class CartTest {
            @Test void a() {}
            @Nested class Inner { @Test void b() {} }
        }
        class OtherTest { @Test void c() {} }";
    assert_eq!(
        inventory(PATH, text),
        "CartTest::a, Unconditional/Suite \"later\"
CartTest::Inner::b, Unconditional/Suite \"later\"
OtherTest::c
"
    );
}

#[test]
fn environment_annotations_are_conditional() {
    for annotation in [
        "@DisabledOnOs(OS.WINDOWS)",
        "@EnabledOnOs({OS.LINUX, OS.MAC})",
        "@DisabledOnJre(JRE.JAVA_17)",
        "@EnabledForJreRange(min = JRE.JAVA_17)",
        "@EnabledIfSystemProperty(named = \"ci\", matches = \"true\")",
        "@EnabledIfEnvironmentVariable(named = \"KEY\", matches = \".+\")",
        "@DisabledIf(\"isWindows\")",
        "@EnabledInNativeImage",
        "@DisabledUntil(date = \"2030-01-01\")",
        "@RequiresDocker",
        "@SkipOnWindows",
        "@NeedsNetwork",
    ] {
        assert_eq!(annotated(annotation), "Conditional/Test", "{annotation}");
    }
    assert_eq!(
        annotated("@DisabledOnOs(value = OS.MAC, disabledReason = \"no fork\")"),
        "Conditional/Test \"no fork\""
    );
}

#[test]
fn constant_conditions_are_no_conditions() {
    assert_eq!(annotated("@DisabledIf(\"true\")"), "Unconditional/Test");
    assert_eq!(annotated("@EnabledIf(expression = \"#{false}\")"), "Unconditional/Test");
    assert_eq!(annotated("@DisabledIf(\"false\")"), "");
    assert_eq!(annotated("@EnabledIf(\"true\")"), "");
}

#[test]
fn annotations_that_merely_sound_alike_skip_nothing() {
    for annotation in [
        "@IgnoreJRERequirement",
        "@JsonIgnore",
        "@Skipper",
        "@RequiresApi(26)",
        "@SuppressWarnings(\"Ignore\")",
        "@Tag(\"disabled\")",
        "@DisplayName(\"@Disabled\")",
    ] {
        assert_eq!(annotated(annotation), "", "{annotation}");
    }
}

#[test]
fn the_strongest_annotation_counts() {
    assert_eq!(annotated("@DisabledOnOs(OS.MAC) @Disabled(\"all\")"), "Unconditional/Test \"all\"");
}

#[test]
fn expected_failures_are_their_own_kind() {
    assert_eq!(annotated("@ExpectedToFail(\"bug 3\")"), "ExpectedFailure/Test \"bug 3\"");
}

#[test]
fn annotations_of_the_file_skip_by_what_they_are_composed_of() {
    let text = "@Disabled(\"broken\") @interface Later {}
        @DisabledOnOs(OS.WINDOWS) @interface Posix {}
        @interface RequiresNothing {}
        class CartTest {
            @Later @Test void a() {}
            @Posix @Test void b() {}
            @RequiresNothing @Test void c() {}
        }";
    assert_eq!(
        inventory(PATH, text),
        "CartTest::a, Unconditional/Test\nCartTest::b, Conditional/Test\nCartTest::c\n"
    );
}

#[test]
fn testng_tests_can_be_switched_off() {
    let text = "import org.testng.annotations.Test;
        class CartTest {
            static final boolean RUN = false;
            @Test(enabled = false, description = \"flaky\") public void a() {}
            @Test(enabled = true) public void b() {}
            @Test(enabled = RUN) public void c() {}
            @Test(enabled = Config.RUN) public void d() {}
            @Test public void e() { throw new SkipException(\"not here\"); }
        }
        @Test(enabled = false) class OtherTest { public void f() {} }";
    assert_eq!(
        inventory(PATH, text),
        "CartTest::a, Unconditional/Test \"flaky\"
CartTest::b
CartTest::c, Unconditional/Test
CartTest::d, Conditional/Test
CartTest::e, Unconditional/Test \"not here\"
OtherTest::f, Unconditional/Suite
"
    );
}

#[test]
fn assumptions_are_conditional() {
    for statement in [
        "assumeTrue(isLinux());",
        "Assumptions.assumeFalse(isWindows());",
        "Assume.assumeThat(os(), is(\"linux\"));",
        "assumeThat(version).isGreaterThan(3);",
        "assumeNotNull(key);",
        "assumeDockerRuns();",
    ] {
        assert_eq!(in_test(statement), "Conditional/Test", "{statement}");
    }
    assert_eq!(in_test("assumeTrue(\"needs a key\", key != null);"), "Conditional/Test \"needs a key\"");
    assert_eq!(in_test("assumingThat(isLinux(), () -> run());"), "");
    assert_eq!(in_test("assume(x);"), "");
}

#[test]
fn assumptions_on_constants_are_decided() {
    assert_eq!(in_test("assumeTrue(false);"), "Unconditional/Test");
    assert_eq!(in_test("assumeTrue(\"off\", !(true));"), "Unconditional/Test \"off\"");
    assert_eq!(in_test("assumeTrue(false && isLinux(), \"off\");"), "Unconditional/Test \"off\"");
    assert_eq!(in_test("Assume.assumeFalse(Boolean.TRUE);"), "Unconditional/Test");
    assert_eq!(in_test("assumeTrue(true);"), "");
    assert_eq!(in_test("assumeFalse(1 == 2);"), "");
}

#[test]
fn aborting_is_unconditional_outside_of_branches() {
    assert_eq!(in_test("Assumptions.abort(\"later\");"), "Unconditional/Test \"later\"");
    assert_eq!(in_test("throw new TestAbortedException();"), "Unconditional/Test");
    assert_eq!(in_test("if (isMac()) throw new SkipException(\"mac\");"), "Conditional/Test \"mac\"");
    assert_eq!(in_test("if (true) { throw new SkipException(\"mac\"); }"), "Unconditional/Test \"mac\"");
    assert_eq!(in_test("for (int i : all) { abort(); }"), "Conditional/Test");
    assert_eq!(in_test("try { run(); } catch (IOException e) { abort(); }"), "Conditional/Test");
    assert_eq!(in_test("try { abort(); } finally { clean(); }"), "Unconditional/Test");
    assert_eq!(in_test("run(() -> { abort(); });"), "Conditional/Test");
    assert_eq!(in_test("transaction.abort();"), "");
    assert_eq!(in_test("throw new IllegalStateException(\"SkipException\");"), "");
}

#[test]
fn a_skip_in_set_up_stands_for_the_class() {
    let members = "@BeforeEach void prepare() { assumeTrue(docker(), \"no docker\"); }
        @Test void a() {}";
    assert_eq!(in_class(members), "CartTest::a, Conditional/Suite \"no docker\"\n");
    let members = "@BeforeAll static void prepare() { assumeTrue(false); }  @Test void a() {}";
    assert_eq!(in_class(members), "CartTest::a, Unconditional/Suite\n");
    let members = "@BeforeAll static void prepare() { if (mac()) { abort(); } }  @Test void a() {}";
    assert_eq!(in_class(members), "CartTest::a, Conditional/Suite\n");
    let members = "void helper() { assumeTrue(false); }  @Test void a() {}";
    assert_eq!(in_class(members), "CartTest::a\n");
}

#[test]
fn an_early_return_is_a_skip() {
    assert_eq!(in_test("return; assertEquals(1, x);"), "1 asserts, Unconditional/Test");
    assert_eq!(in_test("// off\n if (true) return;\n run();"), "Unconditional/Test");
    assert_eq!(in_test("if (true) { return; }\n run();"), "Unconditional/Test");
    assert_eq!(in_test("if (isMac()) return;\n run();"), "Conditional/Test");
    assert_eq!(in_test("run();\n return;"), "");
    assert_eq!(in_test("return;"), "");
}

#[test]
fn methods_of_a_shape_that_runners_refuse_are_not_collected() {
    assert_eq!(in_class("@Test private void a() {}"), "CartTest::a, NotCollected/Test\n");
    assert_eq!(in_class("@Test static void a() {}"), "CartTest::a, NotCollected/Test\n");
    assert_eq!(
        in_class("@DisabledOnOs(OS.MAC) @Test private void a() {}"),
        "CartTest::a, NotCollected/Test\n"
    );
    assert_eq!(in_class("@Test int a() { return 1; }"), "CartTest::a, NotCollected/Test\n");
    assert_eq!(in_class("@TestFactory List<DynamicTest> a() { return x; }"), "CartTest::a, ? cases\n");
    assert_eq!(in_class("@ArchTest static void a(JavaClasses all) {}"), "CartTest::a\n");
}

#[test]
fn inner_classes_of_jupiter_need_to_be_nested() {
    assert_eq!(in_class("class Inner { @Test void a() {} }"), "CartTest::Inner::a, NotCollected/Suite\n");
    assert_eq!(in_class("static class Inner { @Test void a() {} }"), "CartTest::Inner::a\n");
    assert_eq!(in_class("abstract class Inner { @Test void a() {} }"), "CartTest::Inner::a\n");
    let members = "class Base { @Test void a() {} }  @Nested class Inner extends Base {}";
    assert_eq!(in_class(members), "CartTest::Base::a\n");
    let junit4 = "import org.junit.Test; class CartTest { class Inner { @Test public void a() {} } }";
    assert_eq!(inventory(PATH, junit4), "CartTest::Inner::a\n");
}
