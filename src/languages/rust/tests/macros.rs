//! Tests that macros make.

use super::{facts_of, tests_of};

#[test]
fn an_invocation_of_a_test_macro_is_a_test() {
    let text = r#"
mod tests {
    macro_rules! check {
        ($name:ident, $input:expr, $expected:expr) => {
            #[test]
            fn $name() { assert_eq!(run($input), $expected); }
        };
    }

    check!(empty, "", 0);
    #[cfg(windows)]
    check!(on_windows, "\r\n", 1);
    check! { braces, "a", 1 }
    mod inner { check!(nested, "a", 1); }
}
"#;
    assert_eq!(
        tests_of(text),
        "tests::empty, 1 asserts\ntests::on_windows, 1 asserts, Conditional/Test\ntests::braces, 1 asserts\ntests::inner::nested, 1 asserts\n"
    );
}

#[test]
fn an_invocation_of_a_macro_from_elsewhere_waits() {
    let mut facts = facts_of(
        "rgtest!(f1, |dir: Dir, mut cmd: Cmd| {\n    assert_eq!(1, 1);\n    if x { assert!(y); }\n});\nlazy_static! { static ref A: u8 = 1; }",
    );
    assert!(facts.tests.is_empty());
    let names: Vec<&str> = facts.macro_tests.iter().map(|pending| pending.macro_name.as_str()).collect();
    assert_eq!(names, ["rgtest"]);
    facts.resolve_macro_tests(|name| name == "rgtest");
    assert_eq!(facts.tests[0].name, "f1");
    assert_eq!(facts.tests[0].assertions.len(), 2);
    assert!(facts.tests[0].words.contains("assert_eq"));
    assert!(!facts.tests[0].words.contains("f1"));
}

#[test]
fn a_return_first_in_the_body_of_a_macro_test_is_a_skip() {
    let text = "macro_rules! t { ($n:ident, $f:expr) => { #[test] fn $n() { ($f)() } } }\nt!(a, |x| { return; assert!(x); });\nt!(b, |x| { if x { return; } assert!(x); });";
    assert_eq!(tests_of(text), "a, 1 asserts, Unconditional/Test\nb, 1 asserts\n");
}

#[test]
fn macros_without_a_test_attribute_make_no_tests() {
    let text = "macro_rules! point { ($n:ident, $x:expr) => { const $n: u8 = $x; } }\npoint!(ORIGIN, 0);\nvec_of!(a, b);\nfn f() { check!(a, 1); }";
    assert_eq!(tests_of(text), "");
    assert!(facts_of(text).test_macros.is_empty());
}

#[test]
fn a_macro_that_calls_a_test_macro_is_one() {
    let text = r#"
macro_rules! extract {
    ($which:ident, $name:ident, $pat:expr) => { extract!($which, $name, $pat, 1); };
    ($which:ident, $name:ident, $pat:expr, $n:expr) => { #[test] fn $name() { run($pat, $n) } };
}
macro_rules! literal { ($($tt:tt)*) => { extract!(literal, $($tt)*); } }
macro_rules! prefix { ($name:ident, $pat:expr) => { extract!(prefix, $name, $pat); } }
literal!(literal1, "a");
literal!(literal2, "a", 2);
prefix!(prefix1, "a");
extract!(suffix, suffix1, "a");
"#;
    assert_eq!(tests_of(text), "literal1\nliteral2\nprefix1\nsuffix1\n");
    assert_eq!(facts_of(text).test_macros, ["extract", "literal", "prefix"]);
}

#[test]
fn a_local_macro_around_a_foreign_one_waits_for_it() {
    let mut facts = facts_of("macro_rules! mine { ($n:ident) => { rgtest!($n, run); } }\nmine!(a);");
    facts.resolve_macro_tests(|name| name == "rgtest");
    assert_eq!(facts.tests.len(), 1);
}

#[test]
fn a_repetition_makes_a_test_of_each_element() {
    let text = r#"
macro_rules! colons { ($($name:ident: $value:expr,)*) => { $( #[test] fn $name() { f($value) } )* } }
colons! {
    a: (1, 2),
    // the next one
    #[ignore] b: "x",
    c: { assert!(true); 3 },
}
macro_rules! arrows { ($($(#[$m:meta])* $name:ident => $v:expr),* $(,)?) => { $( $(#[$m])* #[test] fn $name() { f($v) } )* } }
arrows!(d => 1, e => vec![1, 2]);
macro_rules! rows { ($m:ident; $($name:ident, $a:expr, $b:expr;)*) => { mod $m { $( #[test] fn $name() {} )* } } }
rows! { group; f, 1, 2; g, 3, 4; }
macro_rules! names { ($($name:ident),+) => { $( #[tokio::test] async fn $name() {} )+ } }
names!(h, i, default);
macro_rules! pairs { ($($name:ident, $v:expr),+) => { $( #[test] fn $name() {} )+ } }
pairs!(j, x, k, y);
macro_rules! calls { ($($name:ident($v:expr))*) => { $( #[test] fn $name() {} )* } }
calls! { l(1) m(2) }
"#;
    assert_eq!(
        tests_of(text),
        "a\nb, Unconditional/Test\nc, 1 asserts\nd\ne\ngroup::f\ngroup::g\nh\ni\ndefault\nj\nk\nl\nm\n"
    );
}

#[test]
fn internal_rules_are_not_taken_for_the_outer_ones() {
    let text = r#"
macro_rules! each {
    (@one $name:ident, $v:expr) => { #[test] fn $name() { f($v) } };
    ($($name:ident => $v:expr),* $(,)?) => { $( each!(@one $name, $v); )* };
}
each! { a => 1, b => 2, }
"#;
    assert_eq!(tests_of(text), "a\nb\n");
}

#[test]
fn a_list_for_a_foreign_macro_is_read_by_its_look() {
    let mut facts = facts_of("cases! { a: 1, b: f(x), c: 2 }\narrows!(d => 1, e => 2);\nsingle!(f, g, h);");
    facts.resolve_macro_tests(|_| true);
    let names: Vec<&str> = facts.tests.iter().map(|test| test.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "c", "d", "e", "f"]);
}

#[test]
fn fixed_and_pasted_names_are_put_together() {
    let text = r#"
macro_rules! suite {
    ($name:ident, $ty:ty) => {
        mod $name {
            #[test] fn insert() {}
            #[test] #[ignore] fn remove() {}
        }
    };
}
suite!(of_bytes, Vec<u8>);
macro_rules! pasted { ($ty:ident) => { paste! { #[test] fn [<parse_ $ty:lower _works>]() {} } } }
pasted!(u8x);
"#;
    assert_eq!(tests_of(text), "of_bytes::insert\nof_bytes::remove, Unconditional/Test\nparse_u8x_works\n");
}

#[test]
fn functions_inside_macro_tokens_are_seen() {
    let text = r#"
proptest! {
    #![proptest_config(Config::with_cases(9))]
    /// Documented.
    #[test]
    fn sums(a in 0..9u8, (b, c) in pair()) {
        prop_assert_eq!(a + b, c);
        prop_assert!(a < 9);
    }

    #[test]
    #[ignore]
    fn slow(a: u8) { return; prop_assert!(true); }

    fn no_test(a: u8) {}
}
cfg_if! {
    if #[cfg(unix)] {
        mod on_unix { #[test] fn nested() { assert!(x) } }
    } else {
        #[tokio::test] pub async fn elsewhere() {}
    }
}
quickcheck! { fn prop(xs: Vec<u8>) -> bool { xs.len() < 9 } }
"#;
    assert_eq!(
        tests_of(text),
        "sums, 2 asserts\n\
         slow, 1 asserts, Unconditional/Test\n\
         on_unix::nested, 1 asserts\n\
         elsewhere\n\
         prop\n"
    );
}

#[test]
fn a_macro_that_adds_the_attribute_makes_tests_of_functions() {
    let text = "macro_rules! all { ($(fn $name:ident() $body:block)*) => { $( #[test] fn $name() $body )* } }\nall! { fn a() { assert!(x); } fn b() {} }";
    assert_eq!(tests_of(text), "a, 1 asserts\nb\n");
}

#[test]
fn functions_in_the_tokens_of_other_macros_are_definitions() {
    let facts = facts_of("cfg_net! { pub fn connect() -> u8 { 1 } impl X { fn y() {} } }");
    let names: Vec<&str> = facts.definitions.iter().map(|definition| definition.name.as_str()).collect();
    assert_eq!(names, ["connect"]);
}

#[test]
fn assertions_of_a_macro_are_counted_for_its_definition() {
    let facts = facts_of(
        "macro_rules! t { ($n:ident) => { #[test] fn $n() { assert!(a); assert_eq!(b, c); } } }\nt!(a);",
    );
    assert_eq!(facts.definitions[0].assertions.len(), 2);
}
