//! Objects of which a value has to have all members, whatever else it has: `toMatchObject({ name, paid: true })`.

use super::alike::key;
use crate::collections::HashSet;
use crate::facts::{Claim, Room};
use crate::languages::expression::{enclosed, split};

/// Longer objects are no work of hands.
const LONGEST: usize = 20_000;

/// Whether of the members that a value had to have only some are left.
pub fn asks_for_fewer(old: &Claim, new: &Claim) -> bool {
    let is_part = |claim: &Claim| claim.room == Some(Room::Members) && !claim.negated;
    if !is_part(old) || !is_part(new) || key(&old.subject) != key(&new.subject) {
        return false;
    }
    let of = |claim: &Claim| claim.expected.as_deref().and_then(members);
    of(old).zip(of(new)).is_some_and(|(was, is)| is.len() < was.len() && is.is_subset(&was))
}

fn members(object: &str) -> Option<HashSet<String>> {
    let inside = enclosed(object).filter(|_| object.len() <= LONGEST)?;
    Some(split(inside).into_iter().map(key).filter(|member| !member.is_empty()).collect())
}
