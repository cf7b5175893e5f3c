//! What assertions of Rust claim, from their text.

mod chains;
mod macros;
mod matchers;
mod predicates;
#[cfg(test)]
mod tests;

use super::super::expression::{chain, tidy, without_comments};
use super::super::predicate::raises;
use super::attributes::{Meta, pieces};
use crate::facts::{Claim, Strength};

pub fn claim(text: &str) -> Claim {
    let text = without_comments(text);
    let text = text.trim();
    if text.starts_with('#') || text.starts_with('[') || text.starts_with("should_panic") {
        return panics(text);
    }
    let links = chain(text);
    let known = chains::claim(text, &links).or_else(|| macros::claim(&links));
    known.unwrap_or_else(|| Claim::helper(tidy(text)))
}

/// `#[should_panic(expected = "...")]`, also inside a `cfg_attr`.
fn panics(text: &str) -> Claim {
    let at = text.find("should_panic").unwrap_or(0);
    let meta = Meta::parse(text[at..].trim_end_matches([']', ' ']));
    let pieces = pieces(meta.arguments);
    let expected = pieces.iter().find_map(|piece| Meta::parse(piece).value).or(meta.value);
    let claim = raises("", None);
    match expected.map(|text| tidy(text.trim_end_matches(')'))) {
        Some(message) => Claim { strength: Strength::Pattern, pattern: Some(message), ..claim },
        None => claim,
    }
}
