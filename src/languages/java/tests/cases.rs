//! How many rows a test has.

use super::{PATH, inventory};

/// The rows of one JUnit 5 test under these annotations; members of the class may follow.
fn rows(annotations: &str, members: &str) -> String {
    let text = format!(
        "import org.junit.jupiter.params.*;
        class CartTest {{ {annotations} void total(int x) {{}} {members} }}"
    );
    let line = inventory(PATH, &text);
    line.trim_end().trim_start_matches("CartTest::total").trim_start_matches(", ").to_owned()
}

fn source(annotation: &str) -> String {
    rows(&format!("@ParameterizedTest {annotation}"), "")
}

#[test]
fn literal_sources_are_counted() {
    assert_eq!(source("@ValueSource(ints = {1, 2, /* 3 */ 4})"), "3 cases");
    assert_eq!(source("@ValueSource(strings = \"a\")"), "");
    assert_eq!(source("@CsvSource({\"a, 1\", \"b, 2\"})"), "2 cases");
    assert_eq!(source("@CsvSource(delimiter = '|', value = {\"a|1\", \"b|2\", \"c|3\"})"), "3 cases");
    assert_eq!(source("@CsvSource(textBlock = \"\"\"\n a, 1\n # no\n\n b, 2\n \"\"\")"), "2 cases");
    assert_eq!(
        source("@CsvSource(useHeadersInDisplayName = true, textBlock = \"\"\"\n x, y\n a, 1\n b, 2\n\"\"\")"),
        "2 cases"
    );
    assert_eq!(
        source("@EnumSource(value = Unit.class, names = {\"DAY\", \"HOUR\"})"),
        "2 cases, Conditional/Test"
    );
}

#[test]
fn sources_add_up() {
    assert_eq!(source("@NullAndEmptySource @ValueSource(strings = {\" \", \"a\"})"), "4 cases");
    assert_eq!(source("@NullSource @MethodSource(\"elsewhere\")"), "? cases");
}

#[test]
fn sources_outside_of_the_text_are_unknown() {
    for annotation in [
        "",
        "@EnumSource(Unit.class)",
        "@CsvFileSource(resources = \"/rows.csv\")",
        "@ArgumentsSource(Rows.class)",
        "@MethodSource(\"com.shop.Rows#all\")",
    ] {
        assert_eq!(source(annotation), "? cases", "{annotation}");
    }
    let without = source("@EnumSource(mode = EXCLUDE, names = {\"DAY\"})");
    assert_eq!(without, "? cases, Conditional/Test");
}

#[test]
fn provider_methods_of_the_file_are_counted() {
    let provided = |returned: &str| {
        let method = format!("static Stream<Arguments> all() {{ return {returned}; }}");
        rows("@ParameterizedTest @MethodSource(\"all\")", &method)
    };
    assert_eq!(provided("Stream.of(arguments(1), arguments(2))"), "2 cases");
    assert_eq!(provided("List.of(1, 2, 3).stream().map(Arguments::of)"), "3 cases");
    assert_eq!(provided("Arrays.stream(new int[] {1, 2})"), "2 cases");
    assert_eq!(provided("new Object[][] {{1}, {2}, {3}}"), "3 cases");
    assert_eq!(provided("Stream.of(array)"), "? cases");
    assert_eq!(provided("Stream.of(1, 2).filter(this::fits)"), "? cases");
    let same_name = "static Stream<Integer> total() { return Stream.of(1, 2); }";
    assert_eq!(rows("@ParameterizedTest @MethodSource", same_name), "2 cases");
}

#[test]
fn repetitions_are_counted() {
    assert_eq!(rows("@RepeatedTest(10)", ""), "10 cases");
    assert_eq!(rows("@RepeatedTest(value = 1_000, name = \"x\")", ""), "1000 cases");
    assert_eq!(rows("@RepeatedTest(COUNT)", ""), "? cases");
}

#[test]
fn junit_4_parameters_stand_for_each_test_of_the_class() {
    let text = "import org.junit.runners.Parameterized;
        @RunWith(Parameterized.class)
        public class CartTest {
            @Parameters(name = \"{0}\") public static Collection<Object[]> data() {
                return Arrays.asList(new Object[][] {{1, 2}, {3, 4}});
            }
            @Test public void a() {}
            @Test public void b() {}
        }
        @RunWith(Parameterized.class) class OtherTest extends Base { @Test public void c() {} }";
    assert_eq!(inventory(PATH, text), "CartTest::a, 2 cases\nCartTest::b, 2 cases\nOtherTest::c, ? cases\n");
}

#[test]
fn testng_rows_multiply() {
    let text = "import org.testng.annotations.*;
        class CartTest {
            @DataProvider(name = \"prices\") Object[][] p() { return new Object[][] {{1}, {2}}; }
            @DataProvider Object[][] taxes() { return new Object[][] {{1}, {2}, {3}}; }
            @Test(dataProvider = \"prices\", invocationCount = 5) public void a(int x) {}
            @Test(dataProvider = \"taxes\") public void b(int x) {}
            @Test(dataProvider = \"unknown\") public void c(int x) {}
            @Test(invocationCount = 4) public void d() {}
        }";
    assert_eq!(
        inventory(PATH, text),
        "CartTest::a, 10 cases\nCartTest::b, 3 cases\nCartTest::c, ? cases\nCartTest::d, 4 cases\n"
    );
}
