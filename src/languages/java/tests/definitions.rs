//! Named things that are no tests.

use crate::languages::{Source, analyze};

/// One line a definition: kind, name, how many checks it holds, whether it has a body.
fn definitions(text: &str) -> String {
    let facts = analyze(Source { path: "src/main/java/shop/Cart.java", text: text.as_bytes() });
    let line = |found: &crate::facts::Definition| {
        let body = if found.body.is_empty() { "" } else { " with body" };
        format!("{:?} {} {}{body}\n", found.kind, found.name, found.assertions.len())
    };
    facts.definitions.iter().map(line).collect()
}

#[test]
fn types_methods_and_constants_are_definitions() {
    let text = "public class Cart {
            static final int LIMIT = 10;
            private int total;
            Cart() { super(); }
            int total() { int local = 1; return total; }
            enum Unit { DAY, HOUR; Unit next() { return DAY; } }
            record Line(int price) {}
            interface Rule { int MAX = 3; void apply(); }
            @interface Mark {}
        }";
    assert_eq!(
        definitions(text),
        "Type Cart 0
Constant LIMIT 0 with body
Function total 0 with body
Type Unit 0
Constant DAY 0
Constant HOUR 0
Function next 0 with body
Type Line 0
Type Rule 0
Constant MAX 0 with body
Function apply 0
Type Mark 0
"
    );
}

#[test]
fn a_test_without_its_annotation_is_a_definition_with_its_checks() {
    let text = "class CartTest { @Test void a() {} void total() { assertEquals(1, x); assertTrue(y); } }";
    assert_eq!(definitions(text), "Function total 2 with body\n");
}

#[test]
fn test_classes_are_suites_and_their_helpers_are_definitions() {
    let text = "class CartTest {
            @Nested class Inner { @Test void a() { Runnable r = () -> {}; } }
            static class Helper { void help() { new Thread() { public void run() {} }; } }
        }";
    assert_eq!(definitions(text), "Type Helper 0\nFunction help 0 with body\n");
}

#[test]
fn comments_are_blocks() {
    let text = "// one\n// two\nclass A {\n  /* three */ void a() { /** four */ }\n}\n";
    let facts = analyze(Source { path: "A.java", text: text.as_bytes() });
    assert_eq!(facts.comments.len(), 3);
}
