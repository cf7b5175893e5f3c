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
