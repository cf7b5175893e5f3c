//! What the pack reads out of Java sources, by topic.

mod assertions;
mod cases;
mod claims;
mod collection;
mod definitions;
mod robustness;
mod skips;

use crate::languages::testing::inventory;

const PATH: &str = "src/test/java/shop/CartTest.java";

/// The inventory of members inside one test class.
fn in_class(members: &str) -> String {
    inventory(PATH, &format!("import org.junit.jupiter.api.*;\nclass CartTest {{\n{members}\n}}\n"))
}

/// The inventory of statements inside one test, without its name.
fn in_test(statements: &str) -> String {
    let line = in_class(&format!("@Test void total() {{\n{statements}\n}}"));
    line.trim_end().strip_prefix("CartTest::total").unwrap_or(&line).trim_start_matches(", ").to_owned()
}
