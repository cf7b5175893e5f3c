//! Several assertions that became one: a new one that has what a lost one expected, and looks at the same thing.

use std::collections::HashMap;

use super::alike::{key, split, texts_in};
use crate::facts::{Assertion, Claim, ClaimKind, Strength};

/// Checks that are content with a part of the whole, but exact about each part they name.
const PARTLY_EXACT: &[&str] =
    &["toMatchObject", "extracting", "hasValue", "andExpect", "expect", "hasMessage"];

/// Whether a new assertion, with what it looks at as written, has the values that a lost one expected of the same thing;
/// `names` are what names stood for.
pub fn takes_in(
    (new, written): (&Assertion, &str),
    lost: &Assertion,
    names: &HashMap<String, String>,
) -> bool {
    let claim = &new.claim;
    // The one that continues another by itself is no more than that one.
    let continues = key(&claim.subject) == key(&lost.claim.subject);
    if claim.negated || lost.claim.negated || continues || !new.reach.counts() {
        return false;
    }
    let named = || split(&new.text).any(|word| PARTLY_EXACT.contains(&word));
    let exact = claim.strength >= Strength::Value.min(lost.claim.strength);
    let raises = claim.kind == ClaimKind::Raises && asks_for_message(&lost.claim);
    (exact || named() || raises)
        && (raises || is_related(new, lost, names))
        && (has_values(&new.text.replacen(written, "", 1), lost) || counts_whole(claim, &lost.claim))
}

/// Whether a claim looks at what an error says.
fn asks_for_message(claim: &Claim) -> bool {
    const MESSAGES: &[&str] = &[
        "message",
        "getMessage",
        "Error",
        "value",
        "exception",
        "unwrap_err",
        "err",
        "error",
        "str",
        "to_string",
    ];
    split(&claim.subject).any(|word| MESSAGES.contains(&word))
}

/// Whether both look at the same variable, or at what it was made by.
fn is_related(new: &Assertion, lost: &Assertion, names: &HashMap<String, String>) -> bool {
    const AROUND: &[&str] = &[
        "len(",
        "str(",
        "list(",
        "set(",
        "sorted(",
        "Object.keys(",
        "strings.Contains(",
        "await ",
        "self.",
        "this.",
    ];
    let mut subject = lost.claim.subject.as_str();
    while let Some(inside) = AROUND.iter().find_map(|around| subject.strip_prefix(around)) {
        subject = inside;
    }
    let Some(root) = split(subject).next() else { return false };
    let text = key(&new.text);
    let callee = |whole: &str| {
        let head = whole.split_once('(').map_or("", |(head, _)| head).to_owned();
        split(&head).last().map(str::to_owned)
    };
    let made_by = names.get(root).and_then(|whole| callee(whole)).or_else(|| callee(&lost.claim.subject));
    split(&new.text).any(|word| word == root)
        || names.get(root).is_some_and(|whole| text.contains(whole.as_str()))
        || made_by.is_some_and(|callee| split(&new.text).any(|word| word == callee))
}

/// Whether all values that a lost assertion expected stand in what a new one says, texts as a whole.
fn has_values(new: &str, lost: &Assertion) -> bool {
    let parts = [lost.claim.expected.as_deref(), lost.claim.pattern.as_deref()];
    let expected: String = parts.into_iter().flatten().collect::<Vec<_>>().join(" ");
    let texts: Vec<&str> = texts_in(&expected).filter(|text| !text.is_empty()).collect();
    let outside: String = expected.split(['"', '\'', '`']).step_by(2).collect::<Vec<_>>().join(" ");
    let numbers: Vec<&str> =
        split(&outside).filter(|word| word.starts_with(|c: char| c.is_ascii_digit())).collect();
    let there: Vec<&str> = texts_in(new).collect();
    let has_text = |text: &&str| there.iter().any(|other| other.trim_matches(['^', '$']) == *text);
    let has_number = |number: &&str| split(new).any(|word| word == *number);
    !(texts.is_empty() && numbers.is_empty()) && texts.iter().all(has_text) && numbers.iter().all(has_number)
}

/// Whether a lost claim only counted what a new one gives in full.
fn counts_whole(new: &Claim, lost: &Claim) -> bool {
    const COUNTS: &[&str] = &["len", "length", "size", "count", "Len"];
    let counted = split(&lost.subject).any(|word| COUNTS.contains(&word));
    let expected = new.expected.as_deref().unwrap_or_default().trim();
    let lists = expected.ends_with([']', '}', ')']) && expected.contains(['[', '{', '(']);
    let number = lost.expected.as_deref().is_some_and(|text| text.trim().parse::<f64>().is_ok());
    counted && number && lists && new.strength >= Strength::Value
}
