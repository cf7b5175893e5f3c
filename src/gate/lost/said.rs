//! What a test says that only the code under test gives a meaning: options, messages, members.

use crate::comparison::FileSide;
use crate::detectors::with_context;
use crate::facts::Test;
use crate::text::name_words;

/// So many words of a longer message are looked for at once: code may break it anywhere.
pub const ROW: usize = 4;
/// So many letters a message has.
const LETTERS: usize = 10;
/// Shorter names stand for many things.
const MIN_NAME: usize = 8;
const MIN_OPTION: usize = 6;

/// Something that a test quotes or uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    pub kind: Kind,
    /// As a person would name it.
    pub text: String,
    /// What is looked for: each few words of a message, or the text itself.
    pub parts: Vec<String>,
    /// Whether the body of the test itself says it, not its title or its set-up.
    pub own: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Message,
    Option,
    Name,
}

impl Said {
    /// Whether the name of a test says that this is what it is about.
    pub fn is_in_name(&self, test: &Test) -> bool {
        let words = name_words(&self.text);
        !words.is_empty() && words.is_subset(&name_words(&test.qualified_name()))
    }
}

/// What a test and its set-up say.
pub fn said(side: &FileSide, test: &Test) -> Vec<Said> {
    let lines = with_context(side, test);
    let own = (test.span.end - test.span.start) as usize + 1;
    let title = (test.line - test.span.start.min(test.line)) as usize;
    let mut kept: Vec<Said> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let quoted = quoted(line).flat_map(|text| options(text).chain(message(text)));
        for one in quoted.chain(names(line, side)) {
            let one = Said { own: title < at && at < own, ..one };
            if !kept.contains(&one) {
                kept.push(one);
            }
        }
    }
    kept
}

/// What stands between quotes on a line, or between the slashes of a pattern.
pub fn quoted(line: &str) -> impl Iterator<Item = &str> {
    ['"', '\'', '`', '/'].into_iter().flat_map(move |quote| line.split(quote).skip(1).step_by(2))
}

/// Command line options: `--dry-run`, without what they are set to.
fn options(text: &str) -> impl Iterator<Item = Said> {
    let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let words = text.split(move |c: char| !is_part(c));
    let is_option = |word: &&str| word.starts_with("--") && word.len() >= MIN_OPTION && !word.ends_with('-');
    words.filter(is_option).map(|word| Said {
        kind: Kind::Option,
        text: word.to_owned(),
        parts: vec![word.to_owned()],
        own: false,
    })
}

/// A text of several words.
fn message(text: &str) -> Option<Said> {
    // What a pattern leaves open ends a stretch of words.
    let stretches =
        text.split(['*', '\\', '(', ')', '[', ']', '{', '}', '|', '^', '$', '%', '+', '"', '<', '>']);
    let mut parts: Vec<String> = Vec::new();
    for stretch in stretches.chain([text]) {
        let words: Vec<&str> = stretch.split(' ').filter(|word| !word.is_empty()).collect();
        let rows: Vec<String> = match words.len() {
            0 | 1 => Vec::new(),
            2..ROW => vec![words.join(" ")],
            _ => words.windows(ROW).map(|row| row.join(" ")).collect(),
        };
        let says_much = |row: &String| row.chars().filter(|c| c.is_alphabetic()).count() >= LETTERS;
        parts.extend(rows.into_iter().filter(says_much));
    }
    parts.sort();
    parts.dedup();
    (!parts.is_empty()).then(|| Said { kind: Kind::Message, text: text.to_owned(), parts, own: false })
}

/// Names of several words that are used as members, called or quoted, and that the file does not define.
fn names<'l>(line: &'l str, side: &'l FileSide) -> impl Iterator<Item = Said> + 'l {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let words = line.split(move |c: char| !is_part(c)).filter(|word| word.len() >= MIN_NAME);
    let is_used = move |word: &&str| {
        let at = word.as_ptr() as usize - line.as_ptr() as usize;
        let (head, tail) = (&line[..at], &line[at + word.len()..]);
        let is_defined =
            ["def ", "class ", "function ", "fn ", "func ", "void "].iter().any(|key| head.ends_with(key));
        let is_quoted = head.ends_with(['"', '\'', '`']) && tail.starts_with(['"', '\'', '`']);
        !is_defined && (head.ends_with(['.', ':']) || tail.starts_with('(') || is_quoted)
    };
    let is_own = |word: &str| side.facts.definitions.iter().any(|definition| definition.name == word);
    let is_test = |word: &str| side.facts.tests.iter().any(|test| test.name == word);
    let is_compound = |word: &&str| name_words(word).len() > 1;
    words.filter(is_used).filter(is_compound).filter(move |word| !is_own(word) && !is_test(word)).map(
        |word| Said { kind: Kind::Name, text: word.to_owned(), parts: vec![word.to_owned()], own: false },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_and_messages_are_told_apart() {
        let found: Vec<String> =
            options("install --no-use-pep517 --global-option=--version -q --x").map(|one| one.text).collect();
        assert_eq!(found, ["--no-use-pep517", "--global-option", "--version"]);
        let parts = message("ERROR: can not execute (.*) since it failed to load").map(|one| one.parts);
        assert_eq!(
            parts.unwrap_or_default(),
            [
                "(.*) since it failed",
                "ERROR: can not execute",
                "can not execute (.*)",
                "execute (.*) since it",
                "it failed to load",
                "not execute (.*) since",
                "since it failed to",
            ]
        );
        assert_eq!(message("a b"), None);
    }

    #[test]
    fn patterns_are_quoted_by_slashes() {
        let line = "expect(x).toThrow(/'app.opts' is DEPRECATED/i)";
        assert!(quoted(line).any(|text| text == "'app.opts' is DEPRECATED"));
    }
}
