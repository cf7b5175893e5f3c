//! Claims that something is true, or that it is false, in whatever words.

use super::alike::split;
use crate::facts::{Assertion, Claim, Strength};

/// Whether a comparison with true by `==` became the thing itself, as linters want it.
pub fn is_plain_truth(before: &Assertion, after: &Assertion) -> bool {
    let by_name = before.claim.expected.as_deref() == Some("True")
        && split(&before.text)
            .any(|word| matches!(word, "assertEqual" | "assertEquals" | "eq_" | "assert_equal"));
    let compared = before.text.contains("== True") && !after.text.contains("== True") || by_name;
    compared && truth(&before.claim) == Some(true) && truth(&after.claim) == Some(true)
}

/// Whether a claim is that something is true, or that it is false.
pub fn truth(claim: &Claim) -> Option<bool> {
    match claim.expected.as_deref() {
        Some("true" | "True") => Some(true),
        Some("false" | "False") => Some(false),
        None if claim.strength == Strength::Truthy => Some(!claim.negated),
        _ => None,
    }
}

/// Whether what had to be there has to be true now: what is nothing is not true.
pub fn is_true_and_so_there(old: &Claim, new: &Claim) -> bool {
    let nothing = matches!(old.expected.as_deref(), Some("undefined" | "null" | "None"));
    let is_there = old.strength == Strength::NotNull && old.negated && nothing;
    let is_true = new.strength == Strength::Truthy && truth(new) == Some(true);
    is_there && is_true
}
