//! A value that somebody asked for, or that did something, in whose place a constant stands that switches it off:
//! `request.use_cache` that became `false`, `cache: new Cache()` that became `cache: undefined`.
//!
//! Part of the rule about disabled features. Lines are compared that are the same but for the value.

use super::{draft, one, symbol};
use crate::comparison::{Comparison, FileSide};
use crate::detectors::code_lines::{TestCode, existing, is_scratch};
use crate::detectors::functions::{Changed, changed};
use crate::detectors::hunks::hunks;
use crate::detectors::report::excerpt;
use crate::detectors::switch_names::{Meaning, meaning, words};
use crate::facts::Function;
use crate::finding::{Finding, Severity, Side};
use crate::paths::PathClass;
use crate::text::occurrences;

/// Where more lines change in a file, it was worked over.
const MAX_LINES: usize = 40;

/// Names of values that are no features, whatever they are given.
const PLAIN: &str =
    "err error ctx context result data value default args options opts i n x y index count key name";

/// Constants that switch something off, or leave it out.
const OFF: &[&str] = &["false", "False", "undefined", "null", "nil", "None", "true", "True"];

pub fn findings(comparison: &Comparison) -> Vec<Finding> {
    let judged = comparison.files.iter().filter(|file| file.class == PathClass::Production);
    let files = judged.filter_map(existing).filter(|(_, after)| !after.facts.language.is_empty());
    let of_files = files
        .filter(|(before, after)| !is_scratch(&after.path) && before.text != after.text)
        .filter_map(|(before, after)| in_file(before, after));
    let mut found: Vec<Finding> = of_files.collect();
    for change in changed(comparison) {
        if found.iter().all(|known| known.path != change.side.path) {
            found.extend(in_function(&change));
        }
    }
    found
}

/// A line of a function that stands in the place of another, however often either stands elsewhere.
fn in_function(change: &Changed<'_>) -> Option<Finding> {
    fn bytes<'s>(side: &'s FileSide, function: &Function) -> &'s [u8] {
        side.text.get(function.whole.clone()).unwrap_or_default()
    }
    let (old, new) = (bytes(change.old_side, change.old), bytes(change.side, change.new));
    if change.new.name.is_empty() || !OFF.iter().any(|off| count(new, off) > count(old, off)) {
        return None;
    }
    hunks(change).into_iter().find_map(|hunk| {
        let line = |side: &FileSide, lines: std::ops::Range<u32>| {
            (lines.end - lines.start == 1)
                .then(|| side.lines(one(lines.start)).next().unwrap_or_default().into_owned())
        };
        let (was, is) = (line(change.old_side, hunk.old.clone())?, line(change.side, hunk.new.clone())?);
        let spaced = |line: &str| line.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        let off = switched_off(&spaced(&was), &spaced(&is))?;
        Some(finding((change.old_side, hunk.old.start), (change.side, hunk.new.start), &off))
    })
}

fn count(text: &[u8], word: &str) -> usize {
    occurrences(text, word.as_bytes()).count()
}

fn in_file(before: &FileSide, after: &FileSide) -> Option<Finding> {
    let (was, is) = (before.lines_unlike(after), after.lines_unlike(before));
    if !OFF.iter().any(|constant| count(is, constant) > count(was, constant)) {
        return None;
    }
    let (old, new) = (before.code(), after.code());
    let (gone, fresh) = (unlike(old, new), unlike(new, old));
    if gone.len() > MAX_LINES || fresh.len() > MAX_LINES {
        return None;
    }
    let tests = TestCode::of(after);
    fresh.iter().filter(|line| !tests.contains(line.0)).find_map(|(number, line)| {
        let (at, off) = gone.iter().find_map(|(at, old)| Some((*at, switched_off(old, line)?)))?;
        Some(finding((before, at), (after, *number), &off))
    })
}

fn finding(old: (&FileSide, u32), new: (&FileSide, u32), (was, is): &(String, String)) -> Finding {
    let message = format!("`{}` is replaced with `{is}`", crate::text::printable(was));
    let name = symbol(new.0, "", &crate::text::clipped(was, 60));
    let mut finding = draft(message, 0.75).on(Side::After, new.0, new.1, name);
    finding.before = excerpt(old.0, one(old.1), old.1, "it was asked for");
    finding.after = excerpt(new.0, one(new.1), new.1, "now it is off for all");
    finding.lower(Severity::Medium, "who set it may know why");
    finding
}

/// The lines of one side that the other has not, with their numbers.
fn unlike<'s>(
    of: &'s [crate::comparison::CodeLine],
    other: &[crate::comparison::CodeLine],
) -> Vec<(u32, &'s str)> {
    let known: crate::collections::HashSet<&str> = other.iter().map(|line| line.code.as_str()).collect();
    of.iter()
        .filter(|line| !line.code.is_empty() && !known.contains(line.code.as_str()))
        .map(|line| (line.number, line.code.as_str()))
        .collect()
}

/// What a line had in the place of a constant that switches off, and that constant.
fn switched_off(old: &str, new: &str) -> Option<(String, String)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let same = old.chars().zip(new.chars()).take_while(|(one, other)| one == other);
    let head: usize = same.map(|(letter, _)| letter.len_utf8()).sum();
    // Back to where the value begins.
    let head = old[..head].trim_end_matches(|c: char| is_part(c) || c == '.').len();
    let (was, is) = (&old[head..], &new[head..]);
    let tail = was.chars().rev().zip(is.chars().rev()).take_while(|(one, other)| one == other);
    let tail: usize = tail.map(|(letter, _)| letter.len_utf8()).sum();
    let tail = tail.min(is.len()).min(was.len());
    let rest = &is[is.len() - tail..];
    let rest = rest.trim_start_matches(|c: char| is_part(c) || c == '.');
    let (was, is) = (was[..was.len() - rest.len()].trim(), is[..is.len() - rest.len()].trim());
    let ends = rest.is_empty() || rest.trim_start().starts_with([',', ')', ';', '}']);
    let key = key_of(&old[..head]);
    let off = match is {
        "false" | "False" => {
            ends && is_asked(was) && meaning(last(was)) != Meaning::Disables && is_given(&old[..head])
        }
        "true" | "True" => {
            ends && is_asked(was) && meaning(last(was)) == Meaning::Disables && is_given(&old[..head])
        }
        "undefined" | "null" | "nil" | "None" => {
            ends && is_made(was) && key.is_some_and(|key| !is_plain(key))
        }
        _ => false,
    };
    off.then(|| (was.to_owned(), is.to_owned()))
}

/// Whether a value is a path by which something was asked for: `request.use_cache`.
fn is_asked(value: &str) -> bool {
    let value = value.trim_start_matches('*').trim_start_matches('&');
    let is_path = value.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '?'));
    let named = value.starts_with(|c: char| c.is_alphabetic() || c == '_') && last(value).len() > 3;
    is_path
        && named
        && !matches!(value, "true" | "false" | "True" | "False")
        && !is_plain(last(value))
        && (meaning(last(value)) != Meaning::Neutral || asks_by_name(last(value)))
}

/// `use_private_key`, `withDefaults`
fn asks_by_name(name: &str) -> bool {
    let asks = ["use", "enable", "with", "allow", "support", "should", "want"];
    words(name).first().is_some_and(|word| asks.contains(&word.as_str()))
}

/// Whether a value is made on the spot: `new Cache()`, `Cache(size)`.
fn is_made(value: &str) -> bool {
    let made = value.strip_prefix("new").map_or(value, str::trim_start);
    made.ends_with(')')
        && made.starts_with(char::is_uppercase)
        && made
            .split('(')
            .next()
            .is_some_and(|name| name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.'))
}

/// Whether what comes before a value gives it to something: an argument, a field, an option.
fn is_given(head: &str) -> bool {
    let head = head.trim_end();
    let sets = head.ends_with(['=', ':']) && !head.ends_with("==") && !head.ends_with("!=");
    head.is_empty() || head.ends_with([',', '(']) || sets
}

/// The name of the option before a value: `cache` of `cache: `.
fn key_of(head: &str) -> Option<&str> {
    let head = head.trim_end().strip_suffix(':')?.trim_end();
    let key = head.trim_matches(['"', '\'']);
    let is_name = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_name.then_some(key)
}

fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

fn is_plain(name: &str) -> bool {
    PLAIN.split_whitespace().any(|plain| plain == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_in_the_place_of_what_was_asked_for() {
        let off = |old, new| switched_off(old, new).map(|(was, is)| format!("{was} {is}"));
        assert_eq!(off("request.use_cache,", "false,").as_deref(), Some("request.use_cache false"));
        assert_eq!(
            off("cache: new Cache(9),", "cache: undefined,").as_deref(),
            Some("new Cache(9) undefined")
        );
        assert_eq!(
            off("open(path, opts.skipIndex)", "open(path, true)").as_deref(),
            Some("opts.skipIndex true")
        );
        assert_eq!(off("open(path, opts.follow)", "open(path, false)").as_deref(), Some("opts.follow false"));
        assert_eq!(off("open(path, true)", "open(path, false)"), None);
        assert_eq!(off("self.cache = Cache()", "self.cache = None"), None);
        assert_eq!(off("if opts.follow {", "if false {"), None);
        assert_eq!(off("return opts.follow", "return false"), None);
        assert_eq!(off("load(path, err)", "load(path, nil)"), None);
    }
}
