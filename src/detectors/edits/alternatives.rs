//! Patterns of tests and of what serves them that take one more answer: `(a|b)` became `(a|b|c)`.

use super::places::{Pages, Place};
use super::reading::Told;
use crate::text::{clipped, one_line};

/// Words of lines that hold something against a pattern.
const MATCHING: &[&str] = &["regex", "match", "pattern", "expect", "assert", "re.", "search"];

/// So far from a pattern stands what it is for.
const NEAR: usize = 2;

/// Longer places were written anew, and longer texts are data.
const MOST_LINES: usize = 24;
const LONGEST: usize = 1000;

pub fn read(pages: &Pages<'_>, place: &Place) -> Option<Told> {
    if place.old.len().max(place.new.len()) > MOST_LINES {
        return None;
    }
    let texts = |lines: Vec<String>| lines.iter().flat_map(|line| texts_of(line)).collect::<Vec<_>>();
    let old = texts(place.old.clone().map(|at| pages.old_text(at)).collect());
    let new = texts(place.new.clone().map(|at| pages.new_text(at)).collect());
    let (was, is) = (only_there(&old, &new)?, only_there(&new, &old)?);
    if was.len().max(is.len()) > LONGEST || !takes_more(was, is) || !is_matched(pages, place) {
        return None;
    }
    let holds = |text: String, what: &str| text.contains(what);
    let was_at = place.old.clone().find(|at| holds(pages.old_text(*at), was))?;
    let is_at = place.new.clone().find(|at| holds(pages.new_text(*at), is))?;
    let line = pages.new[is_at].number;
    Some(Told {
        message: format!("a pattern takes more answers than before: `{}`", clipped(&one_line(is), 80)),
        help: format!("ask for the one that is right, as `{}` did", clipped(&one_line(was), 80)),
        old: Some(pages.old[was_at].number),
        new: Some(line),
        name: pages.asserting_at(line).map(|(name, _)| name),
    })
}

/// The one text that the others do not have.
fn only_there<'t>(these: &'t [String], others: &[String]) -> Option<&'t str> {
    let mut fresh = these.iter().filter(|text| !others.contains(text));
    fresh.next().filter(|_| fresh.next().is_none()).map(String::as_str)
}

/// Whether lines at a place, or right above it, hold something against a pattern.
fn is_matched(pages: &Pages<'_>, place: &Place) -> bool {
    let from = place.new.start.saturating_sub(NEAR);
    (from..place.new.end).any(|at| {
        let line = pages.new_text(at).to_lowercase();
        MATCHING.iter().any(|word| line.contains(word))
    })
}

/// Whether a pattern is another one with a further alternative.
fn takes_more(was: &str, is: &str) -> bool {
    let head =
        was.chars().zip(is.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum::<usize>();
    // The alternative may begin like what follows it.
    (0..=head).rev().filter(|at| was.is_char_boundary(*at)).any(|at| {
        let rest = &was[at..];
        let Some(added) = is[at..].strip_suffix(rest).filter(|added| added.len() > 1) else { return false };
        let name = added.trim_matches('|');
        let in_front = is[..at].ends_with('(') || at == 0 || is[..at].ends_with('^');
        let behind = rest.starts_with([')', '|', '$']) || rest.is_empty();
        let is_choice = added.starts_with('|') && behind || added.ends_with('|') && in_front;
        is_choice && !name.is_empty() && !name.contains('|') && !name.starts_with(' ') && !name.ends_with(' ')
    })
}

/// What stands in quotes, or between the slashes of a pattern.
fn texts_of(line: &str) -> Vec<String> {
    let (mut texts, mut open): (Vec<String>, Option<(char, String)>) = (Vec::new(), None);
    let mut escaped = false;
    for c in line.chars() {
        match &mut open {
            Some((quote, text)) if *quote == c && !escaped => {
                texts.push(std::mem::take(text));
                open = None;
            }
            Some((_, text)) => text.push(c),
            None if matches!(c, '"' | '\'' | '`' | '/') => open = Some((c, String::new())),
            None => {}
        }
        escaped = c == '\\' && !escaped;
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_takes_one_more_answer() {
        for (was, is) in [
            (r"(ABORT|SIGSEGV) \[.*\]", r"(ABORT|SIGSEGV|SIGABRT) \[.*\]"),
            ("timed out", "timed out|deadline exceeded"),
            ("(closed|reset)", "(aborted|closed|reset)"),
            ("^(a)$", "^(a|ab)$"),
        ] {
            assert!(takes_more(was, is), "{was} -> {is}");
            assert!(!takes_more(is, was), "{is} -> {was}");
        }
        assert!(!takes_more("ls", "ls | wc"));
        assert!(!takes_more("(a|b)", "(a|c)"));
        assert!(!takes_more("a", "ab"));
    }

    #[test]
    fn texts_are_found_in_a_line() {
        assert_eq!(texts_of(r#"Regex::new(r"a\"b").is_match('x')"#), [r#"a\"b"#, "x"]);
        assert_eq!(texts_of("expect(x).toMatch(/a|b/)"), ["a|b"]);
    }
}
