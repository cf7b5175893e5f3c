//! Assertions that became rows of a table: one that a loop makes of each row stands for those that were written out.

use super::alike::{key, split, texts_in, values};
use super::unit::View;
use crate::collections::{HashMap, HashSet};
use crate::facts::{Claim, ClaimKind, Strength};

/// Rows of tables that a unit did not go through before.
pub struct Rows(Vec<String>);

/// How often each word stands in a unit, on each side.
type Counts = [HashMap<String, usize>; 2];

impl Rows {
    pub fn new(before: &View<'_>, after: &View<'_>) -> Self {
        let rows = |view: &View<'_>| view.test.map(|test| test.rows.clone()).unwrap_or_default();
        let known: HashSet<String> = rows(before).into_iter().collect();
        Self(rows(after).into_iter().filter(|row| !known.contains(row)).collect())
    }

    /// Whether a new assertion asks of each row what a lost one asked of one.
    pub fn ask(&self, new: &Claim, lost: &Claim, counts: &Counts) -> bool {
        !self.0.is_empty() && (self.ask_the_same(new, lost, counts) || self.answer(new, lost))
    }

    /// `total([n]) == n` for `total([1]) == 1`.
    fn ask_the_same(&self, new: &Claim, lost: &Claim, counts: &Counts) -> bool {
        let parts =
            |claim: &Claim| format!("{} {}", claim.subject, claim.expected.as_deref().unwrap_or_default());
        let (lost_text, new_text) = (parts(lost), parts(new));
        let (was, is): (Vec<&str>, Vec<&str>) = (split(&lost_text).collect(), split(&new_text).collect());
        if was.len() != is.len()
            || (new.kind, new.negated) != (lost.kind, lost.negated)
            || new.strength < lost.strength
        {
            return false;
        }
        let values: HashSet<&str> = values(&lost_text).collect();
        let given: Vec<&str> =
            was.iter().zip(&is).filter(|(was, is)| was != is).map(|(was, _)| *was).collect();
        // Words may be found in the row of another text; texts are not.
        let texts: Vec<String> =
            texts_in(&lost_text).filter(|text| !new_text.contains(*text)).map(key).collect();
        let in_row = |row: &String| {
            given.iter().all(|value| split(row).any(|word| word == *value))
                && texts.iter().all(|text| key(row).contains(text.as_str()))
        };
        // A constant of another package is a value as well: `http.StatusOK`.
        let constant = lost.expected.as_deref().filter(|text| is_constant(text));
        let of_constant = |value: &str| constant.is_some_and(|text| split(text).any(|word| word == value));
        let is_literal = |value: &&str| values.contains(*value);
        match constant {
            _ if given.iter().all(is_literal) => self.0.iter().any(in_row),
            Some(constant) if given.iter().all(|value| is_literal(value) || of_constant(value)) => {
                self.0.iter().any(|row| in_row(row) && key(row).contains(&key(constant)))
                    || self.is_in_cut_row(constant, counts)
            }
            _ => false,
        }
    }

    /// `valid(row.text) == row.valid` for `valid("a")` and `!valid("")`: each row has what is given and the answer.
    fn answer(&self, new: &Claim, lost: &Claim) -> bool {
        let Some((call, answer)) = answered(lost) else { return false };
        let same_call = callee(&new.subject).is_some_and(|callee_now| callee(call) == Some(callee_now));
        let compares = new.kind != ClaimKind::Helper && new.strength >= Strength::Value;
        // What the loop itself gives need not stand in the row.
        let given: Vec<&str> =
            split(call).filter(|word| !split(&new.subject).any(|same| same == *word)).collect();
        let texts: Vec<String> = texts_in(call).map(key).collect();
        let in_row = |row: &String| {
            let words: HashSet<String> = split(row).map(str::to_lowercase).collect();
            words.contains(answer)
                && given.iter().all(|word| words.contains(&word.to_lowercase()))
                && texts.iter().all(|text| key(row).contains(text.as_str()))
        };
        same_call && compares && self.0.iter().any(in_row)
    }

    /// Whether a constant stands in the code as often as it did, and so may stand in the part of a row that is not kept.
    fn is_in_cut_row(&self, constant: &str, counts: &Counts) -> bool {
        let Some(name) = split(constant).last() else { return false };
        let [before, after] = counts.each_ref().map(|counts| counts.get(name).copied().unwrap_or(0));
        self.0.iter().any(|row| row.ends_with('…')) && after >= before.max(1)
    }
}

/// The call that a claim wants a plain yes or no of, and which.
fn answered(claim: &Claim) -> Option<(&str, &'static str)> {
    let is_yes = match claim.kind {
        ClaimKind::Value if claim.strength == Strength::Truthy => !claim.negated,
        // What is asked around a failure must not hold.
        ClaimKind::Failure => false,
        _ => return None,
    };
    let (call, is_yes) = match claim.subject.trim().strip_prefix('!') {
        Some(call) => (call.trim(), !is_yes),
        None => (claim.subject.trim(), is_yes),
    };
    callee(call).map(|_| (call, if is_yes { "true" } else { "false" }))
}

/// What a call calls, where there is nothing else to it.
fn callee(text: &str) -> Option<&str> {
    let (name, rest) = text.split_once('(')?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
    (is_name && rest.ends_with(')')).then_some(name)
}

/// Whether an expression is the name of something that another place exports: `http.StatusOK`.
fn is_constant(text: &str) -> bool {
    let is_name = text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
    let last = text.rsplit_once('.').map(|(_, last)| last);
    is_name && last.is_some_and(|last| last.starts_with(char::is_uppercase))
}
