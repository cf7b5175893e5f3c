//! Names that frameworks gave their attributes and macros.

/// Attributes that make a function a test, by the last part of their path.
pub fn is_test_attribute(name: &str) -> bool {
    const TESTS: &[&str] = &[
        "test",
        "rstest",
        "gtest",
        "quickcheck",
        "proptest",
        "bench",
        "test_case",
        "test_matrix",
        "test_cases",
        "test_all",
        "apply",
        "parameterized",
    ];
    // `#[wasm_bindgen_test]`, `#[cargo_test]`, `#[async_test]`; `#[traced_test]` only stands beside `#[test]`.
    TESTS.contains(&name) || name.ends_with("_test") && name != "traced_test"
}

/// Attributes that decide at run or build time whether a test runs.
pub fn is_conditional_attribute(path: &str, name: &str) -> bool {
    const PREFIXES: &[&str] = &["skip", "requires", "require_", "needs", "only_", "unless_", "ignore_"];
    path.starts_with("test_with::")
        || path.starts_with("rustversion::")
        || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// Macros from elsewhere that turn each function inside them into a test.
pub fn is_known_test_macro(name: &str) -> bool {
    name == "quickcheck"
}

pub fn is_assertion_macro(name: &[u8]) -> bool {
    const PREFIXES: &[&[u8]] = &[b"assert", b"debug_assert", b"prop_assert", b"expect_", b"let_assert"];
    const NAMES: &[&[u8]] = &[b"check", b"verify_that"];
    PREFIXES.iter().any(|prefix| name.starts_with(prefix)) || NAMES.contains(&name)
}

/// Functions and methods that check: `assert_same(a, b)`, `command.assert()`.
pub fn is_assertion_function(name: &[u8]) -> bool {
    name == b"assert" || name.starts_with(b"assert_")
}

/// Methods that say what a program must print: `with_stderr_data(...)`.
pub fn is_output_check(name: &[u8]) -> bool {
    [&b"with_stdout"[..], b"with_stderr", b"with_json"].iter().any(|start| name.starts_with(start))
}

/// The identifier that ends at `end`.
pub fn name_before(text: &[u8], end: usize) -> &[u8] {
    let head = text.get(..end).unwrap_or_default();
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
    let length = head.iter().rev().take_while(|byte| is_part(byte)).count();
    &head[head.len() - length..]
}
