//! What counts as a test, its suites and its cases.

use super::{facts_of, tests_of};
use crate::facts::{DefinitionKind, Span};

#[test]
fn functions_with_a_test_attribute_are_tests() {
    let text = r#"
#[test]
fn plain() {}

fn helper() {}

#[tokio::test(flavor = "multi_thread")]
async fn of_tokio() {}

#[wasm_bindgen_test]
fn of_wasm() {}

#[allow(dead_code)]
/// Documented between attributes.
#[test_log::test(tokio::test)]
pub async fn of_test_log() -> Result<(), Error> { Ok(()) }

#[quickcheck]
fn of_quickcheck(xs: Vec<u8>) -> bool { true }

#[bench]
fn of_bench(b: &mut Bencher) {}

#[gpui::test]
fn of_gpui(cx: &mut TestAppContext) {}
"#;
    assert_eq!(tests_of(text), "plain\nof_tokio\nof_wasm\nof_test_log\nof_quickcheck\nof_bench\nof_gpui\n");
}

#[test]
fn modules_are_suites() {
    let text =
        "mod outer { #[cfg(test)] mod tests { #[test] fn a() {} } #[test] fn b() {} }\n#[test] fn c() {}";
    assert_eq!(tests_of(text), "outer::tests::a\nouter::b\nc\n");
}

#[test]
fn words_that_only_look_like_tests_do_not_count() {
    let text = r##"
// #[test] fn in_a_comment() {}
/* #[test] fn in_a_block() {} */
const TEXT: &str = "#[test] fn in_a_string() {}";
const RAW: &str = r#"
#[test]
fn in_a_raw_string() {}
"#;
#[cfg(test)]
fn only_built_for_tests() {}
#[derive(Test)]
struct Latest;
#[attest]
fn attestation() {}
#[divan::bench]
fn of_another_harness() {}
#[traced_test]
fn without_a_test_attribute() {}
fn test_by_name_only() {}
fn maker() -> TokenStream { quote! { #[test] fn generated() {} } }
"##;
    assert_eq!(tests_of(text), "");
}

#[test]
fn a_test_inside_a_function_is_not_reached() {
    assert_eq!(tests_of("fn outer() { #[test] fn inner() {} }"), "");
}

#[test]
fn an_attribute_belongs_to_the_next_item_only() {
    let text = "#[test]\nfn a() {}\nstruct S { #[test] field: u8 }\nfn b() {}";
    assert_eq!(tests_of(text), "a\n");
}

#[test]
fn rstest_cases_and_values_multiply() {
    let text = r#"
#[rstest]
fn fixture_only(db: Db) {}

#[rstest]
#[case(1, ",")]
#[case::named(2, "a")]
#[case(3, ')')]
fn rows(#[case] n: u32, #[case] s: &str) {}

#[rstest]
#[case(1)]
#[case(2)]
fn product(#[case] n: u32, #[values("a", "b, c", f(1, 2))] s: &str, #[values(true, false)] b: bool) {}

#[rstest(n, case(1), case(2))]
fn old_style(n: u32) {}

#[rstest]
fn of_files(#[files("data/*.json")] path: PathBuf) {}

#[template]
#[rstest]
#[case(1)]
fn shared_rows(#[case] n: u32) {}

#[apply(shared_rows)]
fn applied(n: u32) {}

#[fixture]
fn db() -> Db { Db }
"#;
    assert_eq!(
        tests_of(text),
        "fixture_only\nrows, 3 cases\nproduct, 12 cases\nold_style, 2 cases\nof_files, ? cases\napplied, ? cases\n"
    );
}

#[test]
fn test_case_attributes_make_a_test() {
    let text = r#"
#[test_case(1, 2 => 3)]
#[test_case(2, 2 => 4; "two and two")]
fn adds(a: u32, b: u32) -> u32 { a + b }

#[test_case::test_case(1)]
#[tokio::test]
async fn waits(a: u32) {}

#[test_matrix([1, 2, 3], ["a", "b"])]
fn matrix(a: u32, b: &str) {}
"#;
    assert_eq!(tests_of(text), "adds, 2 cases\nwaits\nmatrix, 6 cases\n");
}

#[test]
fn spans_begin_with_the_first_attribute() {
    let facts = facts_of("\n#[test]\n#[should_panic]\nfn a() {\n    b();\n}\n");
    assert_eq!(facts.tests[0].span, Span { start: 2, end: 6 });
    assert_eq!(facts.tests[0].line, 4);
}

#[test]
fn words_hold_attributes_and_name_but_the_body_does_not() {
    let text = "#[rstest]\n#[case(\"1h\", 3600)]\nfn reads(#[case] t: &str, #[case] s: u64) {\n    check(t, s);\n}\n";
    let test = &facts_of(text).tests[0];
    assert!(["rstest", "1h", "3600", "reads", "check"].iter().all(|word| test.words.contains(word)));
    let body = "{ check(t, s); }";
    assert_eq!(test.body, crate::similarity::Body::of(body.as_bytes(), 0..body.len(), &[]));
}

#[test]
fn everything_else_with_a_name_is_a_definition() {
    let text = r#"
pub struct Cart { items: Vec<u8> }
enum Kind { A }
trait Priced { fn price(&self) -> u8; fn twice(&self) -> u8 { 2 } }
type Alias = Cart;
const MAX: u8 = 1;
static MIN: u8 = 0;
impl Cart { pub fn total(&self) -> u8 { const LOCAL: u8 = 1; LOCAL } }
fn test_total_no_longer_collected() { assert_eq!(1, 1); assert!(true); }
macro_rules! sum { ($a:expr) => { $a } }
"#;
    let facts = facts_of(text);
    let names: Vec<&str> = facts.definitions.iter().map(|definition| definition.name.as_str()).collect();
    let expected = "Cart Kind Priced price twice Alias MAX MIN total test_total_no_longer_collected sum";
    assert_eq!(names.join(" "), expected);
    assert_eq!(facts.definitions[0].kind, DefinitionKind::Type);
    assert_eq!(facts.definitions[6].kind, DefinitionKind::Constant);
    assert_eq!(facts.definitions[9].assertions.len(), 2);
    assert!(!facts.definitions[9].body.is_empty());
}

#[test]
fn every_comment_is_reported() {
    let text = "// one\nfn a() {}\n#[test_case(1 /* two */)]\nfn b() { assert!(true /* three */); }\nx!(y, /* four */);";
    assert_eq!(facts_of(text).comments.len(), 4);
}
