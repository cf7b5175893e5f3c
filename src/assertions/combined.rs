//! Expectations put together from others: `a.and(b)`, `a.or(b)`, `allOf(a, b)`, `anyOf(a, b)`.

use super::tokens::items;

/// Whether the new expectation lets more through, since it lost one of those that all have to hold or got one more of
/// which any is enough.
pub fn lets_more(was: &str, is: &str) -> bool {
    lost_link(was, ".and(", is)
        || lost_link(is, ".or(", was)
        || lost_part(was, is, ALL)
        || lost_part(is, was, ANY)
}

/// What is put behind an expectation that asks for less then.
const LENIENT: &[&str] = &[
    "unordered",
    "in_any_order",
    "inAnyOrder",
    "ignoringCase",
    "ignoreCase",
    "ignoringWhitespace",
    "lenient",
];

/// Whether an expectation is the same but for a word behind it, by which it asks for less.
pub fn is_more_lenient(was: &str, is: &str) -> bool {
    let is = is.trim_end_matches(|c: char| c == ',' || c.is_whitespace());
    let word = LENIENT.iter().find_map(|word| is.strip_suffix(&format!(".{word}()")));
    word.is_some_and(|rest| plain(rest) == plain(was))
}

/// Matchers that are given all that has to hold, and those of which any is enough.
const ALL: &[&str] = &["allOf", "all_of", "AllOf"];
const ANY: &[&str] = &["anyOf", "any_of", "AnyOf"];

/// Whether a chain without one of its links reads like another one.
fn lost_link(long: &str, link: &str, short: &str) -> bool {
    let short = plain(short);
    let mut links = long.match_indices(link).map(|(at, _)| at);
    links.any(|at| {
        let inside = &long[at + link.len()..];
        // What is put together are calls; a value may have a method of that name.
        let end = closing(inside).filter(|end| inside[..*end].contains('('));
        end.is_some_and(|end| plain(&format!("{}{}", &long[..at], &inside[end + 1..])) == short)
    })
}

/// Where the bracket closes that is open at the start of a text.
fn closing(text: &str) -> Option<usize> {
    let (mut depth, mut quote, mut escaped) = (0_usize, None, false);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), _) => quote = Some(open).filter(|open| *open != c),
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') if depth == 0 => return Some(at),
            (None, ')') => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Without what only groups or separates.
fn plain(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '(' | ')' | ',')).collect()
}

/// Whether a matcher of some names has all parts of another one and more, or is left as the one part.
fn lost_part(long: &str, short: &str, names: &[&str]) -> bool {
    let parts = |text: &str| -> Option<Vec<String>> {
        let (path, inside) = text.trim().strip_suffix(')')?.split_once('(')?;
        let name = path.rsplit(['.', ':']).next().unwrap_or(path);
        names.contains(&name).then(|| items(inside).into_iter().map(plain).collect())
    };
    let Some(many) = parts(long).filter(|many| many.len() > 1) else { return false };
    let few = parts(short).unwrap_or_else(|| vec![plain(short)]);
    few.len() < many.len() && few.iter().all(|part| many.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_part_less_that_must_hold_or_one_more_that_may_lets_more_through() {
        for (was, is) in [
            ("(contains(\"a\").or(contains(\"b\"))).and(contains(c))", "contains(\"a\").or(contains(\"b\"))"),
            ("contains(\"a)\").or(b())", "contains(\"a)\")\n  .or(b())\n  .or(c(d))"),
            ("allOf(startsWith(\"a\"), endsWith(\"b\"))", "startsWith(\"a\")"),
            ("allOf(a, b, c)", "allOf(a, c)"),
            ("Matchers.anyOf(is(1), is(2))", "Matchers.anyOf(is(1), is(2), is(3))"),
            ("is(1)", "anyOf(is(1), is(2))"),
        ] {
            assert!(lets_more(was, is), "{was} -> {is}");
            assert!(!lets_more(is, was), "{is} -> {was}");
        }
    }

    #[test]
    fn a_word_behind_it_may_ask_for_less() {
        assert!(is_more_lenient("str![[\"a\"]].is_json(),", "str![[\"a\"]]\n.is_json()\n.unordered(),"));
        assert!(!is_more_lenient("a.is_json()", "b.is_json().unordered()"));
        assert!(!is_more_lenient("a.unordered()", "a"));
    }

    #[test]
    fn other_parts_tell_nothing() {
        for (was, is) in [
            ("a.and(b)", "a.and(c)"),
            ("a.or(b)", "b.or(a)"),
            ("allOf(a, b)", "allOf(a, c)"),
            ("allOf(a)", "a"),
            ("mask", "mask.or(flag)"),
            ("a.and(b)", "a.and(b)"),
        ] {
            assert!(!lets_more(was, is), "{was} -> {is}");
        }
    }
}
