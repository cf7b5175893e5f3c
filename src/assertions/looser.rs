//! Whether what is expected now lets through all that was expected before, and more: wildcards in a text, matchers that
//! take anything, less of a pattern.

use super::alike::{key, split};
use super::atoms::takes_all;
use super::combined;
use super::offered::offers;
use super::tokens::items;
use crate::facts::{Claim, ClaimKind, Strength};

/// How what is expected lets more through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looser {
    /// Something that takes anything stands in the place of what was there.
    Wider,
    /// Less of a text is looked for.
    Shorter,
}

/// How a claim is content with more than the one it replaces, since what it expects is more general.
pub fn looser(old: &Claim, new: &Claim) -> Option<Looser> {
    if old.negated || new.negated {
        return None;
    }
    let is_part = |claim: &Claim| claim.kind == ClaimKind::Raises;
    let expected = old.expected.as_deref().zip(new.expected.as_deref());
    if is_part(old) && is_part(new) && expected.is_some_and(|(was, is)| has_fewer_members(was, is)) {
        return Some(Looser::Shorter);
    }
    let patterns = old.pattern.as_deref().zip(new.pattern.as_deref());
    if let Some((old, new)) = patterns.filter(|(old, new)| old != new) {
        return part_of_pattern(old, new);
    }
    let (was, is) = old.expected.as_deref().zip(new.expected.as_deref()).filter(|(was, is)| was != is)?;
    if takes_anything(was, is) || combined::lets_more(was, is) {
        return Some(Looser::Wider);
    }
    if combined::is_more_lenient(was, is) {
        return Some(Looser::Shorter);
    }
    let (was, is, matcher) = unwrapped(was, is);
    let patterns = is_pattern(old) && is_pattern(new)
        || PATTERNS.contains(&matcher)
        || was.starts_with('/') && is.starts_with('/');
    let wider = match (literal(was), literal(is)) {
        (Some(was), Some(is)) if patterns => return part_of_pattern(was, is),
        (Some(was), Some(is)) => has_wildcard_for(was, is),
        _ => lines_with_wildcards(old, was, is),
    };
    wider.then_some(Looser::Wider)
}

/// Whether an object of which only a part is asked for has some members less: `{ name: "A", message: "b" }`, `{ name: "A" }`.
fn has_fewer_members(was: &str, is: &str) -> bool {
    let members = |text: &str| -> Option<Vec<String>> {
        let inside = text.trim().strip_prefix('{')?.strip_suffix('}')?;
        Some(items(inside).into_iter().map(key).collect())
    };
    let (Some(was), Some(is)) = (members(was), members(is)) else { return false };
    !is.is_empty() && is.len() < was.len() && is.iter().all(|member| was.contains(member))
}

/// Matchers that are given a pattern, or a part.
const PATTERNS: &[&str] = &[
    "stringMatching",
    "stringContaining",
    "matching",
    "compile",
    "Compile",
    "MustCompile",
    "Regex",
    "Pattern",
    "RegExp",
    "new",
];

/// Two expectations without the calls that are the same around both, and the name of the innermost of these.
fn unwrapped<'a>(was: &'a str, is: &'a str) -> (&'a str, &'a str, &'a str) {
    let (mut was, mut is, mut matcher) = (was.trim(), is.trim(), "");
    while let (Some((head, inner)), Some((other, other_inner))) = (call(was), call(is))
        && head == other
    {
        (was, is) = (inner, other_inner);
        matcher = split(head).last().unwrap_or("");
    }
    (was, is, matcher)
}

/// What is called, and what it is given, of a text that is one call.
fn call(text: &str) -> Option<(&str, &str)> {
    let (head, rest) = text.strip_suffix(')')?.split_once('(')?;
    let is_name = head.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '$' | ' '));
    is_name.then_some((head, rest.trim().trim_end_matches(',')))
}

/// Claims that are content with a part, or with what matches.
fn is_pattern(claim: &Claim) -> bool {
    claim.kind == ClaimKind::Value && claim.strength == Strength::Pattern
}

/// Names of matchers that are content with any value of a kind, or with a part of one.
const MATCHERS: &[&str] = &[
    "ANY",
    "Any",
    "Anything",
    "any",
    "anyBoolean",
    "anyByte",
    "anyCollection",
    "anyDouble",
    "anyFloat",
    "anyInt",
    "anyList",
    "anyLong",
    "anyMap",
    "anyObject",
    "anySet",
    "anyString",
    "anything",
    "arrayContaining",
    "objectContaining",
    "stringContaining",
    "stringMatching",
];

/// Words around matchers that expect nothing themselves.
const AROUND: &[&str] = &[
    "Mockito",
    "ArgumentMatchers",
    "Matchers",
    "expect",
    "gomock",
    "jasmine",
    "sinon",
    "match",
    "mock",
    "unittest",
    "vi",
    "jest",
    "eq",
    "Eq",
    "new",
    "as",
];

/// Whether a matcher stands in the place of a value, and nothing else came: `{ id: expect.any(String) }` for `{ id: "a" }`.
fn takes_anything(was: &str, is: &str) -> bool {
    let count = |text: &str| split(text).filter(|word| MATCHERS.contains(word)).count();
    if count(is) == 0 || count(is) < count(was) {
        return false;
    }
    let rest = without_matched_types(is);
    let known: Vec<&str> = split(was).collect();
    let is_known = |word: &str| known.contains(&word) || MATCHERS.contains(&word) || AROUND.contains(&word);
    let kept = split(&rest).filter(|word| !MATCHERS.contains(word) && !AROUND.contains(word)).count();
    let had = known.iter().filter(|word| !MATCHERS.contains(word) && !AROUND.contains(word)).count();
    // A matcher for the whole leaves nothing of what was expected.
    kept < had && split(&rest).all(is_known)
}

/// The text without what matchers of types are given: `any(String)`, `isA(Foo.class)`.
fn without_matched_types(text: &str) -> String {
    let mut rest = String::with_capacity(text.len());
    let mut tail = text;
    while let Some(at) = ["any(", "any<"].iter().filter_map(|call| tail.find(call)).min() {
        let (head, call) = tail.split_at(at + 4);
        rest.push_str(head);
        tail = call.find([')', '>']).map_or("", |end| &call[end..]);
    }
    rest + tail
}

/// What stands between the quotes or slashes of a text that is nothing but a literal.
fn literal(text: &str) -> Option<&str> {
    let text = text.trim().trim_end_matches(';');
    let bare = text.trim_start_matches(['r', 'b', 'f', 'u', '@']).trim_matches('#');
    let bare = bare.trim_end_matches(|c: char| "gimsuy".contains(c));
    let mark = bare.chars().next().filter(|mark| matches!(mark, '"' | '\'' | '`' | '/'))?;
    let inside = bare.strip_prefix(mark)?.strip_suffix(mark)?;
    let triple = inside.strip_prefix("\"\"").and_then(|inside| inside.strip_suffix("\"\""));
    let inside = triple.unwrap_or(inside);
    let is_one = mark == '/' || !inside.replace(['\\'], "").contains(mark) || inside.contains('\\');
    is_one.then_some(inside)
}

/// What frameworks let stand for any text.
const WILDCARDS: &[&str] = &["[..]", "[ANY]", "<ANY>", "{{.*}}", "[\\s\\S]*", ".*?", ".*", ".+", "...", "…"];

/// Pieces of patterns that stand for more than themselves.
const OPEN_PIECES: &[&str] =
    &["[\\s\\S]*", "\\d+", "\\d*", "\\w+", "\\w*", "\\s+", "\\s*", "\\S+", "[^", ".*", ".+"];

/// Whether a text is another one with wildcards in some places, and the rest word for word.
fn has_wildcard_for(was: &str, is: &str) -> bool {
    let count = |text: &str| WILDCARDS.iter().map(|card| text.matches(card).count()).sum::<usize>();
    let kept = pieces(is, WILDCARDS);
    // What stands for nothing is text of its own: `usage` became `usage...`.
    let replaces = kept.iter().map(|piece| piece.len()).sum::<usize>() < was.len();
    count(is) > count(was) && replaces && matches_in_order(was, &kept, true)
}

/// The same for texts of several lines that are not one literal: those that changed are compared in order.
fn lines_with_wildcards(old: &Claim, was: &str, is: &str) -> bool {
    let whole = old.strength >= Strength::Value;
    whole && is.contains('"') && !was.contains("[..]") && is.contains("[..]") && has_wildcard_for(was, is)
}

/// Whether a pattern is what is left of another one: shorter, without anchors, or with open pieces in some places.
fn part_of_pattern(was: &str, is: &str) -> Option<Looser> {
    let (was, is) = (literal(was).unwrap_or(was), literal(is).unwrap_or(is));
    if was.len() >= MIN_PART && offers(is, was) {
        return Some(Looser::Wider);
    }
    // Less is taken where less is left to choose from.
    if offers(was, is) || takes_all(was, is) {
        return None;
    }
    if is.len() >= MIN_PART && is_open(is) && takes_all(is, was) {
        return Some(Looser::Wider);
    }
    let (was_core, is_core) = (was.trim_matches(['^', '$']), is.trim_matches(['^', '$']));
    let parts = pieces(is_core, OPEN_PIECES);
    let said: usize = parts.iter().map(|part| part.len()).sum();
    let anchors = |text: &str| usize::from(text.starts_with('^')) + usize::from(text.ends_with('$'));
    let shorter = said < was_core.len() || said == was_core.len() && anchors(is) < anchors(was);
    // A choice of more is told apart from a part elsewhere.
    let is_part = shorter
        && anchors(is) <= anchors(was)
        && !is.contains('|')
        && said >= MIN_PART
        && matches_in_order(was_core, &parts, false);
    let plain = parts.len() == 1 && anchors(is) == anchors(was);
    is_part.then_some(if plain { Looser::Shorter } else { Looser::Wider })
}

/// Whether a text is a pattern by its looks: what has none of these may be plain text.
fn is_open(text: &str) -> bool {
    text.contains(['^', '$', '*', '+', '[']) || text.contains("\\d") || text.contains("\\w")
}

/// Less text than this is found anywhere.
const MIN_PART: usize = 3;

/// A text cut at wildcards.
fn pieces<'a>(text: &'a str, cards: &[&str]) -> Vec<&'a str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    loop {
        let next = cards.iter().filter_map(|card| Some((rest.find(card)?, card.len()))).min();
        let Some((at, length)) = next else { break };
        pieces.push(&rest[..at]);
        rest = &rest[at + length..];
    }
    pieces.push(rest);
    pieces
}

/// Whether the pieces stand in a text one after the other, where asked with nothing before the first and after the last.
fn matches_in_order(text: &str, pieces: &[&str], whole: bool) -> bool {
    let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else { return false };
    if whole && !(text.starts_with(first) && text.ends_with(last)) {
        return false;
    }
    let mut rest = text;
    pieces.iter().all(|piece| {
        let found = rest.find(piece);
        rest = found.map_or("", |at| &rest[at + piece.len()..]);
        found.is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(strength: Strength, expected: &str) -> Claim {
        Claim { kind: ClaimKind::Value, strength, expected: Some(expected.to_owned()), ..Claim::helper("x") }
    }

    fn general(strength: Strength, was: &str, is: &str) -> bool {
        looser(&claim(strength, was), &claim(strength, is)).is_some()
    }

    #[test]
    fn matchers_in_the_place_of_values_take_more() {
        for (was, is) in [
            ("{ id: 'a', on: true }", "{ id: 'a', on: expect.any(Boolean) }"),
            ("{'id': 7, 'name': 'x'}", "{'id': mock.ANY, 'name': 'x'}"),
            ("{ a: 1, b: 2 }", "expect.objectContaining({ a: 1 })"),
            ("\"a\", 3", "anyString(), 3"),
            ("ctx, \"a\"", "mock.Anything, \"a\""),
        ] {
            assert!(general(Strength::Value, was, is), "{was} -> {is}");
            assert!(!general(Strength::Value, is, was), "{is} -> {was}");
        }
    }

    #[test]
    fn other_values_beside_a_matcher_are_another_expectation() {
        assert!(!general(Strength::Value, "{ id: 'a' }", "{ id: expect.any(String), name: 'b' }"));
        assert!(!general(Strength::Value, "'a'", "'any b'"));
    }

    #[test]
    fn wildcards_stand_for_what_was_there() {
        let (was, is) = ("\" * [new ref] HEAD -> origin/HEAD\"", "\" * [new ref] [..] -> origin/HEAD[..]\"");
        assert!(general(Strength::Value, was, is));
        assert!(!general(Strength::Value, is, was));
        assert!(!general(Strength::Value, "\"a b\"", "\"c [..]\""));
        assert!(!general(Strength::Value, "\"loading\"", "\"waiting...\""));
        assert!(!general(Strength::Value, "\"loading\"", "\"loading...\""));
    }

    #[test]
    fn a_part_of_a_pattern_takes_more() {
        for (was, is) in [
            ("/^ {4}\\[webpack\\]n$/", "/\\[webpack\\]n$/"),
            ("/^parsing .* token \\} in JSON at \\d+$/", "/^parsing .* token.*\\}.*/"),
            ("'path=/;'", "'path=/'"),
            ("expect.stringMatching(/^ {4}a b$/)", "expect.stringMatching(/a b$/)"),
            ("/Error: torn down/", "/Error(WithStack)?: torn down/"),
            ("regexp.MustCompile(\"^[A-Z]+_MAGIC$\")", "regexp.MustCompile(\"^([A-Z]+_MAGIC|[0-9a-f]+)$\")"),
        ] {
            assert!(general(Strength::Pattern, was, is), "{was} -> {is}");
            assert!(!general(Strength::Pattern, is, was), "{is} -> {was}");
        }
        assert!(!general(Strength::Value, "'path=/;'", "'path=/'"), "another value is not less of one");
    }

    #[test]
    fn a_shorter_text_is_told_from_a_wider_pattern() {
        let kind =
            |was: &str, is: &str| looser(&claim(Strength::Pattern, was), &claim(Strength::Pattern, is));
        assert_eq!(kind("'item tea is sold out'", "'sold out'"), Some(Looser::Shorter));
        assert_eq!(kind("/^item tea$/", "/item tea/"), Some(Looser::Wider));
        assert_eq!(kind("/item (tea) is/", "/item .* is/"), Some(Looser::Wider));
    }
}
