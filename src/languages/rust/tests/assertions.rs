//! What counts as a check.

use super::{facts_of, tests_of};

#[test]
fn macros_that_assert_count() {
    let text = r#"
#[test]
fn a() {
    assert!(x);
    assert_eq!(a, b, "why");
    debug_assert_ne!(a, b);
    assert_matches!(x, Some(_));
    insta::assert_snapshot!(y);
    prop_assert_eq!(a, b);
    x.unwrap();
    println!("assert!(x)");
    panic!("assert");
    unreachable!();
}
"#;
    assert_eq!(tests_of(text), "a, 6 asserts\n");
}

#[test]
fn functions_and_methods_that_assert_count() {
    let text = "#[test] fn a() { assert_same(1, 2); cmd.assert().success().assert(); expect![[\"1\"]].assert_eq(&x); asserted(1); }";
    assert_eq!(tests_of(text), "a, 3 asserts\n");
}

#[test]
fn what_stands_inside_an_assertion_is_part_of_it() {
    assert_eq!(tests_of("#[test] fn a() { assert!({ assert!(x); assert_that(y) }); }"), "a, 1 asserts\n");
}

#[test]
fn assertions_in_macro_tokens_count() {
    let text = r#"
#[test]
fn in_a_call() {
    with_retries!(3, { assert!(x); assert_eq!(f(1), vec![1]); assert_same(a, b); });
    if_std! { fn assert_local(x: u8) {} assert != 3; assertion!(x); }
}
"#;
    assert_eq!(tests_of(text), "in_a_call, 4 asserts\n");
}

#[test]
fn an_assertion_in_tokens_keeps_its_line_and_text() {
    let facts = facts_of(
        "#[test]\nfn a() {\n    retry! {\n        assert_eq!(\n            x,\n            1\n        );\n    }\n}",
    );
    assert_eq!(facts.tests[0].assertions[0].line, 4);
    assert_eq!(facts.tests[0].assertions[0].text, "assert_eq!( x, 1 )");
}

#[test]
fn should_panic_is_a_check() {
    let facts = facts_of("#[test]\n#[should_panic(expected = \"empty\")]\nfn a() { total(&[]); }");
    assert_eq!(facts.tests[0].assertions.len(), 1);
    assert_eq!(facts.tests[0].assertions[0].line, 2);
    assert_eq!(facts.tests[0].assertions[0].text, "#[should_panic(expected = \"empty\")]");
}

#[test]
fn assertions_of_helpers_are_the_helpers() {
    let facts = facts_of("fn check(x: u8) { assert!(x > 1); }\n#[test] fn a() { check(2); }");
    assert_eq!(facts.definitions[0].assertions.len(), 1);
    assert!(facts.tests[0].assertions.is_empty());
}
