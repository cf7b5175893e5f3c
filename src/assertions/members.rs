//! Objects of which a value has to have all members, whatever else it has: `toMatchObject({ name, paid: true })`.

use hashbrown::HashSet;

use super::alike::key;
use crate::facts::{Claim, ClaimKind, Strength};
use crate::languages::expression::{enclosed, split};

/// Longer objects are no work of hands.
const LONGEST: usize = 20_000;

/// Whether what is expected is an object with members, not a choice of values.
pub fn is_object(expected: &str) -> bool {
    let members = || members(expected);
    expected.starts_with('{') && members().is_some_and(|members| members.iter().any(|one| one.contains(':')))
}

/// Whether of the members that a value had to have only some are left.
pub fn asks_for_fewer(old: &Claim, new: &Claim) -> bool {
    let is_part = |claim: &Claim| {
        claim.kind == ClaimKind::Value && claim.strength == Strength::Pattern && !claim.negated
    };
    let (Some(was), Some(is)) = (&old.expected, &new.expected) else { return false };
    if !is_part(old)
        || !is_part(new)
        || !is_object(was)
        || !is_object(is)
        || key(&old.subject) != key(&new.subject)
    {
        return false;
    }
    let (Some(was), Some(is)) = (members(was), members(is)) else { return false };
    is.len() < was.len() && is.is_subset(&was)
}

fn members(object: &str) -> Option<HashSet<String>> {
    let inside = enclosed(object).filter(|_| object.len() <= LONGEST)?;
    Some(split(inside).into_iter().map(key).filter(|member| !member.is_empty()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_told_from_choices() {
        for (text, expected) in [
            ("{ a: 1 }", true),
            ("{ a, b: [1, 2] }", true),
            ("{1, 2}", false),
            ("(1, 2)", false),
            ("{}", false),
        ] {
            assert_eq!(is_object(text), expected, "{text}");
        }
    }
}
