//! When two expressions speak of the same thing, however they are laid out.

use crate::facts::{Assertion, Claim};
use crate::similarity::{count_common, hash};

/// An expression without what does not change its meaning: white space, the kind of quotes, `await`, a borrow.
pub fn key(text: &str) -> String {
    let text =
        text.trim().trim_start_matches("await ").trim_start_matches(['&', '*']).trim_end_matches([';', ',']);
    let plain = |c: char| if matches!(c, '\'' | '`') { '"' } else { c };
    text.chars().filter(|c| !c.is_whitespace()).map(plain).collect()
}

/// What a claim is about and held against, whichever comes first.
pub fn sides(claim: &Claim) -> (String, String) {
    let (subject, expected) = (key(&claim.subject), claim.expected.as_deref().map(key).unwrap_or_default());
    if subject <= expected { (subject, expected) } else { (expected, subject) }
}

/// Whether two assertions ask for the same of the same thing.
pub fn same_claim(one: &Assertion, other: &Assertion) -> bool {
    let (one, other) = (&one.claim, &other.claim);
    (one.kind, one.negated) == (other.kind, other.negated) && sides(one) == sides(other)
}

/// The words of an expression, hashed and sorted, with repetitions.
pub fn words(text: &str) -> Vec<u64> {
    let mut words: Vec<u64> = split(text).map(|word| hash(word.as_bytes())).collect();
    words.sort_unstable();
    words
}

pub fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).filter(|word| !word.is_empty())
}

/// The words of an expression that are written-down values: numbers, and what stands in quotes.
pub fn values(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(['"', '\'', '`']).enumerate();
    parts.flat_map(|(at, part)| {
        let in_quotes = at % 2 == 1;
        split(part).filter(move |word| in_quotes || word.starts_with(|c: char| c.is_ascii_digit()))
    })
}

/// What stands in quotes, without them.
pub fn texts_in(text: &str) -> impl Iterator<Item = &str> {
    text.split(['"', '\'', '`']).skip(1).step_by(2)
}

/// Whether two expectations are the same value in another dress: `'a'` and `b'a'`, `1.0` and `1`, `1_000` and `1000L`.
pub fn same_value(one: &str, other: &str) -> bool {
    // That something is empty is said by a name, too.
    let are_empty = |name: &str, value: &str| name == "empty" && matches!(value, "\"\"" | "''" | "[]" | "{}");
    if are_empty(one, other) || are_empty(other, one) {
        return true;
    }
    match (quoted(one), quoted(other)) {
        (Some(one), Some(other)) => one == other,
        _ => match (number(one), number(other)) {
            (Some(one), Some(other)) => one == other,
            _ => key(one) == key(other) || words(one) == words(other),
        },
    }
}

/// What stands in the quotes of a plain string, without escapes.
fn quoted(text: &str) -> Option<String> {
    let marks = ['"', '\'', '`'];
    let text = text.trim_start_matches(|c: char| c.is_ascii_alphabetic()).trim_matches('#');
    let inside = text.strip_prefix(marks)?.strip_suffix(marks)?;
    Some(inside.replace('\\', ""))
}

fn number(text: &str) -> Option<f64> {
    let plain: String = text.chars().filter(|c| *c != '_').collect();
    let digits = plain.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    plain.parse().or_else(|_| digits.parse()).ok()
}

/// The words of what an assertion looks at and what it holds it against; of the whole where that is not known.
pub fn content(assertion: &Assertion) -> Vec<u64> {
    let claim = &assertion.claim;
    let parts = [Some(&claim.subject), claim.expected.as_ref(), claim.pattern.as_ref()];
    let mut all: Vec<u64> = parts.into_iter().flatten().flat_map(|part| words(part)).collect();
    if all.is_empty() {
        return words(&assertion.text);
    }
    all.sort_unstable();
    all
}

/// From 0 (no word in common) to 1 (the same words).
pub fn overlap(a: &[u64], b: &[u64]) -> f64 {
    if a.is_empty() || b.is_empty() {
        return 0.0;
    }
    2.0 * count_common(a, b) as f64 / (a.len() + b.len()) as f64
}

/// The share of the words of `a` that `b` has too.
pub fn share(a: &[u64], b: &[u64]) -> f64 {
    if a.is_empty() { 0.0 } else { count_common(a, b) as f64 / a.len() as f64 }
}

/// What a line sets and what to; `None` where its first sign of equality compares.
pub fn assignment(line: &str) -> Option<(&str, &str)> {
    let (target, value) = line.split_once('=')?;
    let compares = value.starts_with(['=', '>']) || target.ends_with(['!', '<', '>', '=']);
    (!compares).then_some((target, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_and_quotes_do_not_count() {
        assert_eq!(key("await f( 'a' )"), key("f(\"a\")"));
        assert_ne!(key("f(a)"), key("f(b)"));
    }

    #[test]
    fn a_value_may_be_written_in_several_ways() {
        assert!(same_value("b'a'", "\"a\""));
        assert!(same_value("1_000L", "1000"));
        assert!(same_value("\"a \\\"b\\\"\"", "r#\"a \"b\"\"#"));
        assert!(!same_value("\"a/#\"", "\"a/##\""));
        assert!(!same_value("1.5", "15"));
    }

    #[test]
    fn numbers_and_strings_are_values() {
        assert_eq!(values("f(a, 'b c', 3)").collect::<Vec<_>>(), ["b", "c", "3"]);
    }

    #[test]
    fn words_in_common_make_expressions_alike() {
        assert_eq!(overlap(&words("cart.total"), &words("total(cart)")), 1.0);
        assert_eq!(overlap(&words("cart.total"), &words("user.name")), 0.0);
        assert_eq!(share(&words("a"), &words("a b c d")), 1.0);
    }
}
