//! Checks that stay and refuse less: a bound was moved so far that it hardly refuses anything, one of several reasons to
//! refuse is gone, or something else has to hold as well.
//!
//! Part of the rule about guards. Of bounds only numbers in the condition are looked at: what a name stands for is not
//! known.

use std::collections::HashSet;

use super::functions::{Changed, plain};
use crate::facts::{Context, Exit};

/// A bound that is moved by less may follow from what the code is for.
const FAR: f64 = 10.0;

/// A check that stays, with a bound that was moved.
pub struct Widened<'c> {
    pub old: &'c Exit,
    pub new: &'c Exit,
}

/// The checks that refuse far less than before, by a number in their condition.
pub fn widened<'c>(change: &Changed<'c>) -> Vec<Widened<'c>> {
    let judged = |exit: &&Exit| exit.kind.refuses() && exit.context == Context::Branch;
    let kept: HashSet<String> = change.new.exits.iter().map(|exit| plain(&exit.condition)).collect();
    let gone: Vec<&Exit> = change.old.exits.iter().filter(judged).collect();
    let gone: Vec<&Exit> = gone.into_iter().filter(|old| !kept.contains(&plain(&old.condition))).collect();
    let exits: Vec<&Exit> = change.new.exits.iter().filter(judged).collect();
    if gone.is_empty() || gone.len().saturating_mul(exits.len()) > COMPARED {
        return Vec::new();
    }
    let text = plain(&change.new_text());
    let pairs = gone.into_iter().filter_map(|old| {
        let refuses_less = |new: &&&Exit| {
            is_wider(&old.condition, &new.condition)
                || loses_a_reason(&text, old, new)
                || needs_more(&old.condition, &new.condition)
        };
        exits.iter().find(refuses_less).map(|new| Widened { old, new })
    });
    pairs.collect()
}

/// Nobody moves more bounds at once by hand.
const COMPARED: usize = 10_000;

/// Whether `a or b` was refused and only `a` is now, while the function says nothing of `b` any more.
fn loses_a_reason(text: &str, old: &Exit, new: &Exit) -> bool {
    let (was, is) = (reasons(&old.condition), reasons(&new.condition));
    let mut lost = was.iter().filter(|reason| !is.contains(reason));
    is.len() < was.len()
        && is.iter().all(|reason| was.contains(reason))
        && lost.all(|reason| !text.contains(reason.as_str()))
}

/// Whether `a` was refused and now only `a and b` is.
fn needs_more(old: &str, new: &str) -> bool {
    let joined = new.replace(" and ", "&&");
    if joined.contains("||") || joined.contains(" or ") || !joined.contains("&&") {
        return false;
    }
    let outer = joined.trim();
    let outer = outer.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).unwrap_or(outer);
    let old = plain(old);
    outer.split("&&").any(|part| plain(part.trim()) == old)
}

/// The parts of a condition of which one is enough; the whole where it is put together in another way.
fn reasons(condition: &str) -> Vec<String> {
    let joined = condition.replace(" or ", "||");
    if joined.contains("&&") || joined.contains(" and ") {
        return vec![plain(condition)];
    }
    let outer = joined.trim();
    let outer = outer.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).unwrap_or(outer);
    outer.split("||").map(|reason| plain(reason.trim())).collect()
}

/// Whether two conditions differ in one number alone, and the new one holds for far less.
fn is_wider(old: &str, new: &str) -> bool {
    let (old, new) = (parts(old), parts(new));
    if old.len() != new.len() {
        return false;
    }
    let mut differing = (0..old.len()).filter(|&at| old[at] != new[at]);
    let (Some(at), None) = (differing.next(), differing.next()) else { return false };
    let number = |parts: &[String]| parts[at].parse::<f64>().ok();
    let (Some(was), Some(is)) = (number(&old), number(&new)) else { return false };
    let operator = at.checked_sub(1).map_or("", |at| old[at].trim_end());
    if operator.ends_with('>') || operator.ends_with(">=") {
        was > 0.0 && is >= was * FAR
    } else if operator.ends_with('<') || operator.ends_with("<=") {
        was > 1.0 && is <= was / FAR
    } else {
        false
    }
}

/// A condition in pieces, each number by itself; what is part of a name is no number.
fn parts(condition: &str) -> Vec<String> {
    let condition = plain(condition);
    let mut parts = vec![String::new()];
    let mut in_number = false;
    let mut last = ' ';
    for letter in condition.chars() {
        let continues = in_number && (letter.is_ascii_digit() || matches!(letter, '.' | '_'));
        let starts = letter.is_ascii_digit() && !last.is_alphanumeric() && last != '_' && last != '.';
        if !continues && (starts || in_number) {
            parts.push(String::new());
        }
        in_number = continues || starts;
        last = letter;
        if let Some(part) = parts.last_mut()
            && !(in_number && letter == '_')
        {
            part.push(letter);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_joined_by_or_are_reasons() {
        assert_eq!(reasons("a < 1 or a > 9"), reasons("(a < 1 || a > 9)"));
        assert_eq!(reasons("a && b || c").len(), 1);
        assert_eq!(reasons("(a < 1)"), reasons("a < 1"));
    }

    #[test]
    fn what_is_joined_by_and_is_asked_for_in_addition() {
        assert!(needs_more("price < 0", "price < 0 and strict"));
        assert!(needs_more("(!job.id)", "(process.env.STRICT && !job.id)"));
        assert!(!needs_more("price < 0", "price < 0 or strict"));
        assert!(!needs_more("price < 0", "price <= 0 and strict"));
    }

    #[test]
    fn only_a_number_that_refuses_far_less_is_wider() {
        assert!(is_wider("len(data) > 10", "len(data) > 1_000_000"));
        assert!(is_wider("(size >= 64)", "(size >= 6400)"));
        assert!(is_wider("password.length < 12", "password.length < 1"));
        assert!(!is_wider("len(data) > 10", "len(data) > 20"));
        assert!(!is_wider("len(data) > 1000", "len(data) > 10"));
        assert!(!is_wider("port < 1", "port < 0"));
        assert!(!is_wider("len(data) > 10", "len(rows) > 1000"));
        assert!(!is_wider("size2 > 10", "size2000 > 10"));
        assert!(!is_wider("code == 10", "code == 1000"));
    }
}
