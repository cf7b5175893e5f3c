//! Claims that ask for the same values, but no longer in their order, by a name of the check or by what is made of both sides.

use super::alike::{key, split, words};
use crate::facts::{Claim, Strength};

/// Names of checks, and of what is done to both sides, after which the order no longer counts.
const UNORDERED: &[&str] = &[
    "assertCountEqual",
    "assertItemsEqual",
    "ElementsMatch",
    "ConsistOf",
    "containsInAnyOrder",
    "containsExactlyInAnyOrder",
    "containsExactlyInAnyOrderElementsOf",
    "hasSameElementsAs",
    "sameMembers",
    "members",
    "sorted",
    "set",
    "frozenset",
    "Counter",
    "HashSet",
    "ImmutableSet",
    "Set",
];

/// Words of how lists and sets are made, which say nothing of what is in them.
const MAKING: &[&str] = &[
    "new",
    "string",
    "int",
    "List",
    "of",
    "asList",
    "Arrays",
    "vec",
    "into_iter",
    "iter",
    "collect",
    "from",
    "cloned",
    "copied",
    "_",
];

/// How lists begin.
const LISTS: &[&str] = &["[", "(", "vec![", "List.of(", "Arrays.asList("];

/// So many of them are checks.
const BY_NAME: usize = 9;

/// Whether the same values are asked for, but no longer in their order.
pub fn loses_order(old: (&Claim, &str), new: (&Claim, &str)) -> bool {
    let unordered = |text: &str| split(text).any(|word| UNORDERED.contains(&word));
    let bare = |claim: &Claim| {
        let texts = [Some(&claim.subject), claim.expected.as_ref()];
        let mut all: Vec<u64> = texts.into_iter().flatten().flat_map(|text| words(text)).collect();
        all.retain(|word| !UNORDERED.iter().chain(MAKING).any(|name| words(name) == [*word]));
        all.sort_unstable();
        all
    };
    // What is asked for by a name of its own is a sequence; what is sorted or made a set must show that it was one.
    let by_name = split(new.1).any(|word| UNORDERED[..BY_NAME].contains(&word));
    let lists = |claim: &Claim| {
        let listed = |text: &str| {
            let text = key(text);
            LISTS.iter().any(|start| text.starts_with(start)) && text.contains(',')
        };
        by_name || claim.expected.as_deref().is_some_and(listed) || listed(&claim.subject)
    };
    let exact = |claim: &Claim| claim.strength >= Strength::Value && !claim.negated;
    let ((old, old_text), (new, new_text)) = (old, new);
    exact(old)
        && exact(new)
        && lists(old)
        && !unordered(old_text)
        && unordered(new_text)
        && bare(old) == bare(new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::ClaimKind;

    fn claim(strength: Strength, expected: &str) -> Claim {
        Claim { kind: ClaimKind::Value, strength, expected: Some(expected.to_owned()), ..Claim::helper("x") }
    }

    #[test]
    fn the_order_may_stop_to_count() {
        let (old, new) = (claim(Strength::Value, "[1, 2]"), claim(Strength::Value, "[1, 2]"));
        assert!(loses_order((&old, "assertEqual(x, [1, 2])"), (&new, "assertCountEqual(x, [1, 2])")));
        assert!(!loses_order((&new, "assertCountEqual(x, [1, 2])"), (&old, "assertEqual(x, [1, 2])")));
    }
}
