//! What a test asks for as before, though no assertion of it says so in the words of the lost one: a size that is not
//! nothing, an error that ends an awaited step by itself, a constant that the code under test is given as well.

use super::alike::{key, same_value, split};
use super::unit::View;
use super::whole::size_of;
use crate::collections::HashSet;
use crate::facts::{Assertion, Claim, Limit, Room, Span, Strength};
use crate::text::name_words;

/// Whether a size had to be more than nothing, and the thing itself has to be there now: `len(x) > 0` and `NotEmpty(x)`.
pub fn is_filled(old: &Claim, new: &Claim) -> bool {
    let more_than_nothing = match (&old.room, old.expected.as_deref(), old.limit) {
        (Some(Room::Above { or_equal: false }), Some("0"), _) => true,
        (Some(Room::Above { or_equal: true }), Some("1"), _) => true,
        (None, Some("0"), None) => old.negated,
        (None, Some("0"), Some(Limit::AtLeast(_))) => true,
        _ => false,
    };
    let is_there = matches!(new.strength, Strength::NotNull | Strength::Truthy)
        && (new.strength == Strength::Truthy) != new.negated;
    more_than_nothing
        && (is_there || new.strength == Strength::NotNull)
        && size_of(&old.subject).is_some_and(|whole| whole == key(&new.subject))
}

/// How many steps of the after side are awaited that were not before: each fails the test with its error by itself.
pub fn more_awaited(before: &View<'_>, after: &View<'_>) -> usize {
    let [was, is] = [before, after].map(|view| {
        let lines = view.file.lines(view.span);
        lines.map(|line| split(&line).filter(|word| *word == "await").count()).sum::<usize>()
    });
    is.saturating_sub(was)
}

/// Whether a claim is that a callback was given no error, by a name that the test does not know any more.
pub fn is_callback_error(claim: &Claim, after: &View<'_>) -> bool {
    let mut words = split(&claim.subject);
    let (Some(name), None) = (words.next(), words.next()) else { return false };
    let is_error = ["err", "error", "er", "e"].contains(&name) || name.to_lowercase().ends_with("err");
    let nothing = match claim.expected.as_deref() {
        Some("null" | "undefined" | "nil" | "None") => !claim.negated,
        Some(_) => false,
        None => claim.negated || claim.is_no_error(),
    };
    let lines = || after.file.lines(after.span);
    let asked_before = || {
        lines().any(|line| {
            let code = key(&line);
            ["(", ","]
                .iter()
                .any(|open| [",", ")"].iter().any(|end| code.contains(&format!("{open}{name}{end}"))))
        })
    };
    is_error && nothing && !asked_before()
}

/// Whether a name that a bound is made of is given to the code under test as well: then the bound follows an input.
pub fn is_input(name: &str, view: &View<'_>, asserted: &[Assertion]) -> bool {
    let whole = Span { start: 1, end: u32::MAX };
    let lines = (1..).zip(view.file.lines(whole)).take(LINES).filter(|(_, line)| line.contains(name));
    let is_asserted = |number: u32| asserted.iter().any(|one| one.line == number);
    let sets = |line: &str| {
        let target = line.split_once('=').map_or("", |(target, _)| target);
        split(target).last() == Some(name)
    };
    let mut uses = lines.filter(|(number, line)| {
        let code = line.trim_start();
        let is_comment = code.starts_with("//") || code.starts_with('#') || code.starts_with('*');
        !is_comment && !is_asserted(*number) && !sets(line) && split(line).any(|word| word == name)
    });
    uses.any(|(_, line)| is_given(&line, name) && !asks(&line))
}

/// So many lines are looked through for what is done with a name.
const LINES: usize = 5000;

/// Whether a line hands a name to something: `period(CYCLE)`, `interval: CYCLE`.
fn is_given(line: &str, name: &str) -> bool {
    let code = key(line);
    let at = code.find(name).unwrap_or(0);
    code[..at].ends_with(['(', ',', ':', '=']) || code[..at].contains('(')
}

/// Whether a line checks, waits or compares: what it is given there bounds something.
fn asks(line: &str) -> bool {
    let lower = line.to_lowercase();
    let words =
        ["assert", "expect", "should", "require", "verify", "then(", "wait", "sleep", "timeout", "check"];
    words.iter().any(|word| lower.contains(word))
        || [" < ", " > ", " <= ", " >= "].iter().any(|sign| line.contains(sign))
}

/// Whether a condition was a part of one that the before side asked already, together with what is asserted under it now:
/// `case err != nil && err.Error() != "x": fail` and `if err != nil { equal(err, "x") }`.
pub fn was_part(condition: &str, before: &View<'_>) -> bool {
    let asked = key(condition);
    let joined = [format!("{asked}&&"), format!("{asked}and")];
    let mut lines = before.file.lines(before.span).map(|line| key(&line));
    !asked.is_empty() && lines.any(|line| joined.iter().any(|part| line.contains(part.as_str())))
}

/// Whether the same value is asked for as strictly of something that is called much the same: `res.status` for
/// `response.statusCode`.
pub fn is_renamed(lost: &Claim, new: &Claim) -> bool {
    let (Some(was), Some(is)) = (&lost.expected, &new.expected) else { return false };
    let named = |claim: &Claim| {
        // What a text names is a name as well: `headers.get("location")`.
        let words = split(&claim.subject).map(name_words);
        let all: Vec<HashSet<String>> =
            words.filter(|words| words.iter().any(|word| word.len() > 3)).collect();
        all.last().cloned().unwrap_or_default()
    };
    let is_plain = matches!(was.as_str(), "true" | "false" | "True" | "False" | "0" | "1");
    // Above is not below.
    let side = |claim: &Claim| claim.room.as_ref().map(std::mem::discriminant);
    let is_same_side = side(lost).zip(side(new)).is_none_or(|(was, is)| was == is);
    !is_plain
        && is_same_side
        && (lost.kind, lost.negated) == (new.kind, new.negated)
        && new.strength >= lost.strength
        && same_value(was, is)
        && !named(lost).is_disjoint(&named(new))
}
