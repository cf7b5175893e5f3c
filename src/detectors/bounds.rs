//! Checks that stay and refuse less: a bound was moved so far that it hardly refuses anything, one of several reasons to
//! refuse is gone, or something else has to hold as well.
//!
//! Part of the rule about guards. Of bounds only numbers in the condition are looked at: what a name stands for is not
//! known.

use super::conditions::holds_for_less;
use super::exits::is_alive;
use super::functions::{Changed, plain};
use crate::collections::HashSet;
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
    let judged =
        |exit: &&Exit| exit.kind.refuses() && matches!(exit.context, Context::Branch | Context::Otherwise);
    let kept: HashSet<String> = change.new.exits.iter().map(|exit| plain(&exit.condition)).collect();
    let gone: Vec<&Exit> = change.old.exits.iter().filter(judged).collect();
    let gone: Vec<&Exit> = gone.into_iter().filter(|old| !kept.contains(&plain(&old.condition))).collect();
    // One that can never hold counts as gone.
    let exits: Vec<&Exit> = change.new.exits.iter().filter(judged).filter(is_alive).collect();
    if gone.is_empty() || gone.len().saturating_mul(exits.len()) > COMPARED {
        return Vec::new();
    }
    let text = plain(&change.new_text());
    let pairs = gone.into_iter().filter_map(|old| {
        let refuses_less = |new: &&&Exit| {
            new.context == old.context
                && (is_wider(&old.condition, &new.condition) || needs_more(&text, old, new))
        };
        exits.iter().find(refuses_less).map(|new| Widened { old, new })
    });
    pairs.collect()
}

/// Nobody moves more bounds at once by hand.
const COMPARED: usize = 10_000;

/// Whether one of several reasons to refuse is gone, and the function says nothing of it any more, or something else
/// has to hold as well.
fn needs_more(text: &str, old: &Exit, new: &Exit) -> bool {
    let (was, is) = match old.context {
        // What is refused is what the condition does not hold for.
        Context::Otherwise => (&new.condition, &old.condition),
        _ => (&old.condition, &new.condition),
    };
    let Some(less) = holds_for_less(was, is) else { return false };
    match old.context {
        Context::Otherwise => {
            less.lost.iter().any(|reason| is_bypass(reason)) && plain(&old.text) == plain(&new.text)
        }
        _ => less.lost.iter().all(|reason| {
            let rest = plain(&new.condition);
            !text.contains(reason.as_str())
                && !is_met_anyway(reason, &rest)
                && !is_told_with(reason, &rest, text)
        }),
    }
}

/// Whether a reason was that something is not there, and what is left of the condition fails by itself then:
/// `!order.lines` in front of `order.lines.length === 0`.
fn is_met_anyway(reason: &str, rest: &str) -> bool {
    let negated = reason.strip_prefix('!').or_else(|| reason.strip_prefix("not"));
    let compared = || {
        let (name, value) = reason.split_once("==").or_else(|| reason.rsplit_once("is"))?;
        let nothing = ["null", "None", "nil", "undefined"];
        nothing.contains(&value.trim_start_matches('=')).then_some(name)
    };
    let Some(name) = negated.or_else(compared) else { return false };
    let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.');
    let uses = |(at, _): (usize, &str)| {
        let whole = !rest[..at].ends_with(is_path);
        whole && rest[at + name.len()..].starts_with(['.', '['])
    };
    let counts = || ["len", "length", "size"].iter().any(|word| rest.contains(&format!("{word}({name})")));
    !name.is_empty() && name.chars().all(is_path) && (rest.match_indices(name).any(uses) || counts())
}

/// Whether a reason was that something is not there, and what is left asks what was told together with it:
/// `item, ok := items[key]`, and then `!ok || item == nil`.
fn is_told_with(reason: &str, rest: &str, text: &str) -> bool {
    let name =
        ["==nil", "==null", "isNone", "==None"].iter().find_map(|nothing| reason.strip_suffix(nothing));
    let told = rest.trim_matches(['(', ')']).strip_prefix('!');
    let is_name = |name: &str| name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let both = name.zip(told).filter(|(name, told)| is_name(name) && is_name(told));
    both.is_some_and(|(name, told)| text.contains(&format!("{name},{told}:=")))
}

/// Words in the names of switches that let things pass.
const BYPASSES: &[&str] =
    &["skip", "disable", "bypass", "ignore", "force", "allow", "unsafe", "insecure", "relax", "lenient"];

fn is_bypass(reason: &str) -> bool {
    let lower = reason.to_lowercase();
    BYPASSES.iter().any(|word| lower.contains(word))
}

/// Whether two conditions differ in one number alone, and the new one holds for far less.
fn is_wider(old: &str, new: &str) -> bool {
    if is_one_sided(&plain(old), &plain(new)) {
        return true;
    }
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

/// Whether one condition refuses what differs, and the other, otherwise the same, only what is larger or smaller.
fn is_one_sided(old: &str, new: &str) -> bool {
    ["!==", "!="]
        .into_iter()
        .filter(|unlike| old.matches(unlike).count() == 1)
        .any(|unlike| [">", "<"].iter().any(|sign| old.replacen(unlike, sign, 1) == new))
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
    fn nothing_is_met_where_it_is_looked_into() {
        assert!(is_met_anyway("!order.lines", "order.lines.length===0"));
        assert!(is_met_anyway("order==null", "order.isEmpty()"));
        assert!(!is_met_anyway("!order.lines", "order.lines?.length===0"));
        assert!(is_met_anyway("keys==nil", "len(keys)==0"));
        assert!(!is_met_anyway("!lines", "order.lines.length===0"));
        assert!(!is_met_anyway("order.total<0", "order.total.cents>9"));
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
