//! What keeps a test from running.

use super::tests_of;
use crate::languages::testing::inventory;

#[test]
fn ignored_tests_are_skipped() {
    let text = r##"
#[test]
#[ignore]
fn plain() {}

#[ignore = "takes an hour"]
#[test]
fn with_a_reason() {}

#[test]
#[ignore = r#"see "slow""#]
fn with_a_raw_reason() {}

#[test]
#[should_panic(expected = "ignore")]
fn panics() {}
"##;
    assert_eq!(
        tests_of(text),
        "plain, Unconditional/Test\n\
         with_a_reason, Unconditional/Test \"takes an hour\"\n\
         with_a_raw_reason, Unconditional/Test \"see \\\"slow\\\"\"\n\
         panics, 1 asserts\n"
    );
}

#[test]
fn cfg_attr_ignores_under_its_condition() {
    let text = r#"
#[test]
#[cfg_attr(miri, ignore)]
fn under_miri() {}

#[test]
#[cfg_attr(all(), ignore = "always")]
fn everywhere() {}

#[test]
#[cfg_attr(any(), ignore)]
fn nowhere() {}

#[test]
#[cfg_attr(windows, cfg_attr(miri, ignore))]
fn nested() {}

#[test]
#[rustversion::attr(not(nightly), ignore = "requires nightly")]
fn by_version() {}
"#;
    assert_eq!(
        tests_of(text),
        "under_miri, Conditional/Test\n\
         everywhere, Unconditional/Test \"always\"\n\
         nowhere\n\
         nested, Conditional/Test\n\
         by_version, Conditional/Test \"requires nightly\"\n"
    );
}

#[test]
fn cfg_other_than_test_is_a_condition() {
    let text = r#"
#[cfg(unix)]
#[test]
fn on_unix() {}

#[test]
#[cfg(any())]
fn never() {}

#[test]
#[cfg(FALSE)]
fn never_by_name() {}

#[test]
#[cfg(not(test))]
fn not_in_tests() {}

#[test]
#[cfg(any(test, feature = "x"))]
fn always() {}

#[cfg(all(test, not(windows)))]
mod tests { #[test] fn a() {} }

#[cfg(test)]
mod plain { #[test] fn b() {} }

#[cfg(any())]
mod off { mod inner { #[test] fn c() {} } }
"#;
    assert_eq!(
        tests_of(text),
        "on_unix, Conditional/Test\n\
         never, NotCollected/Test\n\
         never_by_name, NotCollected/Test\n\
         not_in_tests, NotCollected/Test\n\
         always\n\
         tests::a, Conditional/Suite\n\
         plain::b\n\
         off::inner::c, NotCollected/Suite\n"
    );
}

#[test]
fn inner_cfg_speaks_for_file_or_module() {
    let whole = "#![allow(dead_code)]\n#![cfg(feature = \"net\")]\n#[test] fn a() {}";
    assert_eq!(inventory("tests/net.rs", whole), "a, Conditional/File\n");
    assert_eq!(tests_of("#![cfg(test)]\n#[test] fn a() {}"), "a\n");
    assert_eq!(
        tests_of("mod m { #![cfg(any())] #[test] fn a() {} }\n#[test] fn b() {}"),
        "m::a, NotCollected/Suite\nb\n"
    );
}

#[test]
fn a_conditional_test_attribute_is_a_condition() {
    let text = r#"
#[cfg_attr(not(target_arch = "wasm32"), test)]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn on_both() {}

#[cfg_attr(feature = "slow", test)]
fn on_one() {}

#[cfg_attr(any(), test)]
fn on_none() {}
"#;
    assert_eq!(tests_of(text), "on_both\non_one, Conditional/Test\non_none, NotCollected/Test\n");
}

#[test]
fn a_return_before_everything_else_is_a_skip() {
    let text = r#"
#[test]
fn at_once() {
    // Later.
    return;
    assert!(true);
}

#[test]
fn with_a_value() -> Result<(), E> { use x::y; return Ok(()); check() }

#[test]
fn on_a_condition() { if slow() { return; } assert!(true); }

#[test]
fn alone() { return; }

#[test]
fn last() { run(); return; }
"#;
    assert_eq!(
        tests_of(text),
        "at_once, 1 asserts, Unconditional/Test\n\
         with_a_value, Unconditional/Test\n\
         on_a_condition, 1 asserts, Conditional/Test\n\
         alone\n\
         last\n"
    );
}

#[test]
fn unknown_attributes_that_ask_for_something_are_conditions() {
    let text = "#[test]\n#[requires_docker]\nfn a() {}\n#[test_with::env(TOKEN)]\n#[test]\nfn b() {}\n#[test]\n#[serial]\nfn c() {}";
    assert_eq!(tests_of(text), "a, Conditional/Test\nb, Conditional/Test\nc\n");
}

#[test]
fn test_cases_can_be_ignored_one_by_one() {
    let text = r#"
#[test_case(1 => ignore)]
#[test_case(2 => 3)]
fn one_of_two(a: u32) {}

#[test_case(1 => ignore["slow"] 2)]
fn all(a: u32) {}
"#;
    assert_eq!(tests_of(text), "one_of_two\nall, Unconditional/Test \"slow\"\n");
}
