//! Rows that are gone from tables which a file turns into tests: objects with an input and what is expected of it.

use super::places::{Pages, Place};
use super::reading::Told;
use crate::text::{clipped, one_line, plural};

/// Words of what a row gives or expects, as they begin.
const KEYS: &[&str] =
    &["expect", "want", "result", "output", "argument", "args", "input", "code", "valid", "error", "should"];

/// Calls and heads by which tables become tests.
const WALKS: &[&str] = &[
    ".forEach(",
    ".each(",
    "of",
    "range",
    "for(",
    "RuleTester",
    "Object.keys(",
    "Object.entries(",
    "runTests(",
    "parametrize",
];

pub fn read(pages: &Pages<'_>, place: &Place) -> Option<Told> {
    if !place.new.is_empty() || place.old.is_empty() {
        return None;
    }
    let place = &aligned(pages, place)?;
    let gone = &pages.old[place.old.clone()];
    let text: String = gone.iter().map(|line| line.code.as_str()).collect();
    let rows = rows_of(&text)?;
    let line = gone.first()?.number;
    let in_test =
        pages.before.facts.tests.iter().any(|test| test.span.start <= line && line <= test.span.end);
    let stays = pages
        .new
        .iter()
        .any(|one| WALKS.iter().any(|walk| one.code.contains(walk)) && one.code.contains("for"))
        || pages.new.iter().any(|one| {
            one.code.contains(".forEach(") || one.code.contains("RuleTester") || one.code.contains(".each(")
        });
    // What moved is still there, be it on one line.
    let after: String = pages.new.iter().map(|one| one.code.as_str()).collect();
    let lives_on = |row: &str| after.contains(row.trim_end_matches(','));
    if in_test
        || !stays
        || pages.after.facts.tests.is_empty()
        || !is_in_list(pages, place)
        || rows.iter().any(|row| lives_on(row))
    {
        return None;
    }
    Some(Told {
        message: format!(
            "a table of cases lost {}: `{}`",
            plural(rows.len(), "row"),
            clipped(&one_line(&text), 80)
        ),
        help: "put them back, each was a test".to_owned(),
        old: Some(line),
        new: None,
        name: None,
    })
}

/// The same lines, seen from where they are whole rows: of two brackets that open a row, either may be the one that went.
fn aligned(pages: &Pages<'_>, place: &Place) -> Option<Place> {
    let mut old = place.old.clone();
    for _ in 0..SLIDES {
        let text: String = pages.old[old.clone()].iter().map(|line| line.code.as_str()).collect();
        if rows_of(&text).is_some() {
            return Some(Place { old, new: place.new.clone() });
        }
        let above = old.start.checked_sub(1)?;
        if pages.old[above].code != pages.old[old.end - 1].code {
            return None;
        }
        old = above..old.end - 1;
    }
    None
}

/// So many lines a stretch is moved up at most.
const SLIDES: usize = 6;

/// The objects that a stretch of code consists of, where each says what it gives and expects.
fn rows_of(text: &str) -> Option<Vec<&str>> {
    let mut rows = Vec::new();
    let mut rest = text.trim_start_matches(',');
    while !rest.is_empty() {
        if !rest.starts_with('{') {
            return None;
        }
        let end = closing(rest)?;
        rows.push(&rest[..=end]);
        rest = rest[end + 1..].trim_start_matches(',');
    }
    let says = |row: &&str| {
        let keys = row.split(['{', ',']).filter_map(|part| part.split_once(':')).map(|(key, _)| key);
        let keys = keys.map(|key| key.trim_matches(['"', '\'']).to_lowercase());
        let known = keys.filter(|key| KEYS.iter().any(|known| key.starts_with(known)));
        known.count() > 0
    };
    (!rows.is_empty() && rows.iter().all(says)).then_some(rows)
}

/// Where the bracket closes that a text starts with; texts in quotes are passed over.
fn closing(text: &str) -> Option<usize> {
    let (mut depth, mut quote, mut escaped) = (0_i64, None, false);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (_, '\\') => escaped = true,
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '{' | '[' | '(') => depth += 1,
            (None, '}' | ']' | ')') => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// Whether what stands above and below is a list with other rows.
fn is_in_list(pages: &Pages<'_>, place: &Place) -> bool {
    let above = place.old.start.checked_sub(1).map_or("", |at| pages.old[at].code.as_str());
    let below = pages.old.get(place.old.end).map_or("", |line| line.code.as_str());
    let opens = above.ends_with('[') || above.ends_with("},") || above.ends_with('}');
    let goes_on = below.starts_with(['{', ']']);
    opens && goes_on && !(above.ends_with('[') && below.starts_with(']'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_whole_objects() {
        assert_eq!(rows_of("{args:['a'],expectation:'}'},").map(|rows| rows.len()), Some(1));
        assert_eq!(rows_of("{code:'a',errors:[]},{code:'b',errors:[]}").map(|rows| rows.len()), Some(2));
        assert!(rows_of("},{code:'a'").is_none());
        assert!(rows_of("{colour:'red'},").is_none());
        assert!(rows_of("foo(),").is_none());
    }
}
