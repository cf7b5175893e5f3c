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

/// The words of an expression, hashed and sorted, with repetitions.
pub fn words(text: &str) -> Vec<u64> {
    let mut words: Vec<u64> = split(text).map(|word| hash(word.as_bytes())).collect();
    words.sort_unstable();
    words
}

pub fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).filter(|word| !word.is_empty())
}

/// The words of what an assertion looks at and what it holds it against; of the whole where that is not known.
pub fn content(assertion: &Assertion) -> Vec<u64> {
    let claim = &assertion.claim;
    if claim.subject.is_empty() && claim.expected.is_none() {
        return words(&assertion.text);
    }
    let mut all = words(&claim.subject);
    all.extend(words(claim.expected.as_deref().unwrap_or_default()));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_and_quotes_do_not_count() {
        assert_eq!(key("await f( 'a' )"), key("f(\"a\")"));
        assert_ne!(key("f(a)"), key("f(b)"));
    }

    #[test]
    fn words_in_common_make_expressions_alike() {
        assert_eq!(overlap(&words("cart.total"), &words("total(cart)")), 1.0);
        assert_eq!(overlap(&words("cart.total"), &words("user.name")), 0.0);
        assert_eq!(share(&words("a"), &words("a b c d")), 1.0);
    }
}
