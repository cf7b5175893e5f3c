//! No input makes the pack fail.

use super::{facts_of, tests_of};
use crate::facts::Health;

const SAMPLE: &str = r##"
#![cfg(feature = "é")]
//! Docs.
#[cfg(test)]
mod tests {
    macro_rules! rows { ($m:ident; $($(#[$a:meta])* $name:ident => $v:expr),* $(,)?) => {
        mod $m { $( #[test] #[cfg_attr(miri, ignore)] fn [<$name:lower _x>]() { assert_eq!($v, 1) } )* } } }
    rows! { g; #[ignore = "ü"] a => 'ß', b => r#""#, }
    #[rstest]
    #[case("a, \", b", ')')]
    #[should_panic(expected = "…")]
    fn cases(#[case] a: &str, #[values(1, 2)] b: u8) { return; assert!(a, "{}", b); }
    proptest! { #![x] #[test] fn p(a in 0..1) { prop_assert!(a); } mod m { t!(b, |x| { return; }); } }
    #[test_case(1 => ignore["x"])]
    fn t() { x.assert_eq(1); y!({ assert!(z) }); }
}
"##;

#[test]
fn an_empty_file_has_nothing() {
    assert_eq!(tests_of(""), "");
    assert_eq!(facts_of("").health, Health::Clean);
}

#[test]
fn tests_beside_broken_code_are_kept() {
    let text = "#[test]\nfn a() { assert!(x); }\nfn broken( {\n#[test]\nfn b() {}\n";
    assert_eq!(facts_of(text).health, Health::Partial);
    assert!(tests_of(text).contains("a, 1 asserts\n"));
}

#[test]
fn every_prefix_can_be_read() {
    for end in (0..=SAMPLE.len()).filter(|&end| SAMPLE.is_char_boundary(end)) {
        facts_of(&SAMPLE[..end]);
    }
}

#[test]
fn every_mutation_can_be_read() {
    let pieces = [
        "#", "[", "]", "(", ")", "{", "}", "$", "!", ",", ";", "\"", "'", "fn ", "=>", "é", "$(", "test",
        "//",
    ];
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut below = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % bound as u64) as usize
    };
    for _ in 0..600 {
        let mut text: Vec<char> = SAMPLE.chars().collect();
        for _ in 0..=below(4) {
            let at = below(text.len());
            let end = (at + below(6)).min(text.len());
            let piece = pieces[below(pieces.len())];
            text.splice(at..end, piece.chars());
        }
        facts_of(&text.into_iter().collect::<String>());
    }
}

#[test]
fn deep_nesting_costs_no_stack() {
    let deep = |open: &str, close: &str| format!("{}{}", open.repeat(20_000), close.repeat(20_000));
    facts_of(&format!("m! {}", deep("{", "}")));
    facts_of(&format!("m!(a, {})", deep("(", ")")));
    facts_of(&format!("#[cfg({}x{})]\n#[test] fn a() {{}}", "not(".repeat(20_000), ")".repeat(20_000)));
    facts_of(&format!("macro_rules! m {{ () => {{ {} }} }}", deep("{", "}")));
}
