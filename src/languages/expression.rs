//! Reads the text of an expression without a grammar: calls, chains, arguments, comparisons.
//!
//! Assertions are read from their text, because macros have no tree and because six grammars spell the same call in
//! six ways. Knows brackets and quotes, and nothing of any framework.

mod chains;
mod operators;
mod pieces;
mod spacing;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use pieces::{Pieces, hashes_before, raw_length, string_length};

pub use chains::{Link, before, chain, head_of, split, whole_chain};
pub use operators::{Operator, bare, comparison, enclosed, minus, negation};
pub use spacing::canonical;

/// A number as written in any of the languages: `1_000`, `1e-6`, `0.5f`, `10L`, `-3`, `5u32`.
pub fn number(text: &str) -> Option<f64> {
    let text = bare(text).replace('_', "");
    let digits = text.trim_start_matches(['-', '+']);
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let text = text.trim_end_matches(['f', 'F', 'L', 'l', 'd', 'D', 'n']);
    text.parse().ok().or_else(|| {
        let suffix = ["u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "isize", "f32", "f64"];
        let plain = suffix.iter().find_map(|suffix| text.strip_suffix(suffix));
        // The letter that was taken off above may have been the start of none of these.
        plain.and_then(|plain| plain.parse().ok())
    })
}

/// Whether the expression is a plain value: a number, a string, a word for true, false or nothing.
pub fn is_literal(text: &str) -> bool {
    let text = bare(text);
    let words = ["true", "false", "True", "False", "None", "null", "nil", "undefined", "NaN"];
    words.contains(&text) || number(text).is_some() || is_string(text) && !is_filled_in(text)
}

/// Whether the string is put together when it is read: `${a}` in backquotes, Python's f"{a}".
fn is_filled_in(text: &str) -> bool {
    let prefix = text.split(['"', '\'']).next().unwrap_or("");
    text.starts_with('`') && text.contains("${") || prefix.contains(['f', 'F']) && text.contains('{')
}

/// Whether the expression is one string, whatever its prefix.
pub fn is_string(text: &str) -> bool {
    let rest = text.trim().trim_start_matches(|c: char| c.is_ascii_alphabetic() || c == '#');
    rest.starts_with(['"', '\'', '`']) && string_length(rest.as_bytes()) == rest.len() && rest.len() > 1
}

/// The text without white space that only lines need: beside brackets, before a dot; nor the comma that closes a
/// list over several lines. So the same expression reads the same however it is broken into lines.
pub fn tidy(text: &str) -> String {
    let mut tidied = String::with_capacity(text.len());
    let mut rest = text.trim();
    let mut new_line = false;
    while !rest.is_empty() {
        let (word, tail) = rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len()));
        let closes = word.starts_with([')', ']', '}']);
        if closes && tidied.ends_with(',') {
            tidied.pop();
        }
        let opened = tidied.is_empty() || tidied.ends_with(['(', '[', '{']);
        if !(opened || closes || new_line && word.starts_with('.')) {
            tidied.push(' ');
        }
        tidied.push_str(word);
        rest = tail.trim_start();
        new_line = tail[..tail.len() - rest.len()].contains('\n');
    }
    tidied
}

/// The text without comments of the `//` and `/* */` kinds.
pub fn without_comments(text: &str) -> Cow<'_, str> {
    if !text.contains("//") && !text.contains("/*") {
        return Cow::Borrowed(text);
    }
    let bytes = text.as_bytes();
    let (mut kept, mut from, mut at) = (String::with_capacity(text.len()), 0, 0);
    while at < bytes.len() {
        let rest = &text[at..];
        let comment = match bytes[at] {
            b'"' | b'\'' | b'`' => {
                at += match hashes_before(&bytes[..at]) {
                    0 => string_length(&bytes[at..]),
                    hashes => raw_length(&bytes[at..], hashes),
                };
                at = at.min(bytes.len());
                continue;
            }
            b'/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            b'/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            _ => 0,
        };
        if comment > 0 {
            kept.push_str(&text[from..at]);
            from = at + comment;
            at = from;
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    kept.push_str(text.get(from..).unwrap_or(""));
    Cow::Owned(kept)
}
