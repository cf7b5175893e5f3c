//! Which methods count as tests, and under which suites.

use super::{PATH, in_class, inventory};

#[test]
fn annotated_methods_are_tests_and_others_are_not() {
    let members = "@Test void total() {}  @Test public void empty() {}  void helper() {}  void testNot() {}";
    assert_eq!(in_class(members), "CartTest::total\nCartTest::empty\n");
}

#[test]
fn annotations_may_be_qualified_and_stand_among_others() {
    let members = "@DisplayName(\"sum\") @org.junit.jupiter.api.Test @Tag(\"slow\") void total() {}";
    assert_eq!(in_class(members), "CartTest::total\n");
}

#[test]
fn each_annotation_of_jupiter_makes_a_test() {
    let members = "
        @ParameterizedTest @ValueSource(ints = {1, 2}) void a(int x) {}
        @RepeatedTest(3) void b() {}
        @TestFactory Stream<DynamicTest> c() { return null; }
        @TestTemplate void d() {}";
    assert_eq!(
        in_class(members),
        "CartTest::a, 2 cases\nCartTest::b, 3 cases\nCartTest::c, ? cases\nCartTest::d, ? cases\n"
    );
}

#[test]
fn nested_classes_are_nested_suites() {
    let members = "@Nested class Empty { @Test void a() {} @Nested class Deep { @Test void b() {} } }
        @Test void c() {}";
    assert_eq!(in_class(members), "CartTest::Empty::a\nCartTest::Empty::Deep::b\nCartTest::c\n");
}

#[test]
fn interfaces_and_abstract_classes_hold_tests_of_their_own_file() {
    let text = "interface Contract { @Test default void a() {} }
        abstract class Base { @Test void b() {} @Test abstract void c(); }";
    assert_eq!(inventory(PATH, text), "Contract::a\nBase::b\nBase::c\n");
}

#[test]
fn junit_3_finds_public_void_methods_by_name() {
    let text = "import junit.framework.TestCase;
        public class CartTest extends TestCase {
            public void testTotal() {}
            public void test() {}
            void testNotPublic() {}
            public int testReturns() { return 1; }
            public void testTakes(int x) {}
            public void checkTotal() {}
            protected void setUp() {}
        }";
    assert_eq!(inventory(PATH, text), "CartTest::testTotal\nCartTest::test\n");
}

#[test]
fn junit_3_bases_are_known_by_suffix_or_in_the_file() {
    let text = "class A extends com.shop.ShopTestCase<Cart> { public void testA() {} }
        class B extends Middle { public void testB() {} }
        class Middle extends Base {}
        class Base extends junit.framework.TestCase {}
        class C extends Loop { public void testC() {} }
        class Loop extends Loop {}";
    assert_eq!(inventory("src/Shop.java", text), "A::testA\nB::testB\n");
}

#[test]
fn junit_3_by_a_base_test_of_another_file() {
    let text = "public class CartTest extends BaseCartTest {
            public void testTotal() {}
            @Override public void testInherited() {}
        }";
    // What is written over an inherited test is none of its own; with nothing in it, it switches that one off.
    let kept = text.replace("testInherited() {}", "testInherited() { super.testInherited(); }");
    assert_eq!(inventory(PATH, &kept), "CartTest::testTotal\n");
    assert_eq!(inventory(PATH, text), "CartTest::testTotal\nCartTest::testInherited, Unconditional/Test\n");
    assert_eq!(inventory("src/main/java/shop/Cart.java", &text.replace("CartTest", "Cart")), "");
}

#[test]
fn a_file_that_imports_the_annotation_does_not_find_tests_by_name() {
    let text = "import org.junit.Test;
        public class CartTest extends ShopTestCase { @Test public void testA() {} public void testB() {} }";
    assert_eq!(inventory(PATH, text), "CartTest::testA\n");
}

#[test]
fn testng_takes_all_public_methods_of_a_test_class() {
    let text = "import org.testng.annotations.*;
        @Test(groups = \"unit\")
        public class CartTest {
            public void total() {}
            void hidden() {}
            public int helper() { return 1; }
            public static void util() {}
            @BeforeMethod public void prepare() {}
            @AfterClass public void clean() {}
            @DataProvider public Object[][] rows() { return null; }
            @Test(groups = \"slow\") void own() {}
            static class Inner { public void helper() {} }
        }
        class More extends CartTest { public void more() {} }";
    assert_eq!(inventory(PATH, text), "CartTest::total\nCartTest::own\nMore::more\n");
}

#[test]
fn composed_annotations_count_by_name_in_test_folders_only() {
    let text = "class CartSpec {
            @IntegrationTest void a() {}
            @BeforeTest void b() {}
            @VisibleForTest void c() {}
            @Latest void d() {}
            @IntegrationTest private void e() {}
        }";
    assert_eq!(inventory("src/test/java/CartSpec.java", text), "CartSpec::a\n");
    assert_eq!(inventory("src/latest/attestation/CartSpec.java", text), "");
}

#[test]
fn composed_annotations_of_the_file_count_by_what_they_are_composed_of() {
    let text = "class CartTest {
            @Test @Retention(RUNTIME) @interface Quick {}
            @interface SpeedTest {}
            @Quick void a() {}
            @SpeedTest void b() {}
        }";
    assert_eq!(inventory(PATH, text), "CartTest::a\n");
}

#[test]
fn properties_and_theories_are_tests_where_their_framework_is_imported() {
    let text = "import net.jqwik.api.*;\nclass CartTest { @Property void a() {} @Example void b() {} }";
    assert_eq!(inventory(PATH, text), "CartTest::a, ? cases\nCartTest::b\n");
    assert_eq!(inventory(PATH, "class CartTest { @Property void a() {} }"), "");
}

#[test]
fn classes_inside_functions_hold_no_tests() {
    let members = "@Test void a() { class Local { @Test void b() {} } new Object() { @Test void c() {} }; }
        Object field = new Object() { @Test void d() {} };";
    assert_eq!(in_class(members), "CartTest::a\n");
}

#[test]
fn strings_and_comments_hold_no_tests() {
    let members = "// @Test void a() {}
        /* @Test void b() {} */
        String text = \"@Test void c() {}\";
        String block = \"\"\"
            @Test void d() {}
            \"\"\";";
    assert_eq!(in_class(members), "");
}

#[test]
fn nothing_is_found_in_an_empty_file() {
    assert_eq!(inventory(PATH, ""), "");
}

#[test]
fn broken_source_keeps_the_tests_around_it() {
    let members = "@Test void a() {}\n @Test void b() { int x = ; }\n @Test void c() {}";
    assert_eq!(in_class(members), "CartTest::a\nCartTest::b\nCartTest::c\n");
}
