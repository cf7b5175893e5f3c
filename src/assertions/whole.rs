//! What an assertion looks at, as a place in a whole: `len(rows)`, `rows[0].name` and `rows` start from the same thing.

use super::alike::{key, split};
use super::resolve::unpacked;
use crate::collections::HashMap;
use crate::facts::{Assertion, Strength};

/// Names stand for names at most so often.
const STEPS: usize = 3;

/// Calls around a subject that give a part or another form of it.
const AROUND: &[&str] = &[
    "len(",
    "list(",
    "set(",
    "sorted(",
    "tuple(",
    "dict(",
    "frozenset(",
    "type(",
    "str(",
    "repr(",
    "String(",
    "Array.from(",
    "Object.entries(",
    "Object.keys(",
    "Object.values(",
];

/// Words that lead to a part without being its name.
const LEADING: &[&str] = &[
    "as_deref",
    "as_ref",
    "as_str",
    "clone",
    "get",
    "json",
    "length",
    "size",
    "to_string",
    "toString",
    "unwrap",
    "unwrap_err",
    "value",
];

/// A subject without white space, calls around it, and local names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Subject(String);

impl Subject {
    pub fn of(text: &str, names: &HashMap<String, String>) -> Self {
        let mut text = opened(&key(text));
        for _ in 0..STEPS {
            let end = text.find(|c: char| !is_word(c)).unwrap_or(text.len());
            let Some(value) = names.get(&text[..end]) else { break };
            text = opened(value) + &text[end..];
        }
        Self(text)
    }

    /// The subject of a claim; where that is a tuple, each of its elements.
    pub fn all_of(text: &str, names: &HashMap<String, String>) -> Vec<Self> {
        let bare = text.trim();
        let inside = bare.strip_prefix(['(', '[']).and_then(|rest| rest.strip_suffix([')', ']']));
        match inside.map(super::tokens::items).filter(|items| items.len() > 1) {
            Some(items) => items.into_iter().map(|item| Self::of(unpacked(item), names)).collect(),
            None => vec![Self::of(text, names)],
        }
    }

    /// Whether it is a whole or something of it.
    pub fn is_part_of(&self, whole: &Self) -> bool {
        let rest = self.0.strip_prefix(whole.0.as_str());
        !whole.0.is_empty()
            && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[', '-', '?', '!']))
    }

    /// What the way to it starts from: the first call, or the first name where nothing is called.
    pub fn origin(&self) -> &str {
        let text = self.0.as_str();
        let end = match text.find('(') {
            Some(open) => closing(text, open).map_or(text.len(), |close| close + 1),
            None => text.find(|c: char| !is_word(c)).unwrap_or(text.len()),
        };
        &text[..end]
    }

    /// The name of the member that it ends in.
    pub fn member(&self) -> Option<&str> {
        let start = self.origin().len();
        let is_name = |word: &&str| {
            word.starts_with(|c: char| c.is_alphabetic() || c == '_') && !LEADING.contains(word)
        };
        split(&self.0[start..]).filter(is_name).last()
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

/// The text without the calls around what it starts with.
fn opened(text: &str) -> String {
    let mut text = text.to_owned();
    while let Some(call) = AROUND.iter().find(|call| text.starts_with(**call)) {
        // A call without arguments is nobody's wrapper: `list()` of the project's own.
        let Some(close) = closing(&text, call.len() - 1).filter(|close| *close > call.len()) else { break };
        text = format!("{}{}", &text[call.len()..close], &text[close + 1..]);
    }
    text
}

/// The place of the bracket that closes the one at `open`.
pub fn closing(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut quoted = false;
    for (at, c) in text.char_indices().skip_while(|(at, _)| *at < open) {
        match c {
            '"' => quoted = !quoted,
            '(' | '[' | '{' if !quoted => depth += 1,
            ')' | ']' | '}' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// Whether a subject is the number of elements of something.
pub fn is_size(subject: &str) -> bool {
    let subject = key(subject);
    subject.starts_with("len(") && subject.ends_with(')')
        || [".length", ".length()", ".size", ".size()", ".len()", ".Len()"]
            .iter()
            .any(|call| subject.ends_with(call))
}

/// Both sides of an assertion that compares them as a whole.
pub fn wholes(one: &Assertion) -> Vec<String> {
    let claim = &one.claim;
    let exact = claim.strength >= Strength::Value && !claim.negated && claim.expected.is_some();
    if !exact || !one.reach.counts() {
        return Vec::new();
    }
    [Some(claim.subject.as_str()), claim.expected.as_deref()].into_iter().flatten().map(key).collect()
}

/// What a size is the size of.
pub fn size_of(text: &str) -> Option<String> {
    let text = key(text);
    let called =
        [".length", ".length()", ".size()", ".len()", ".Len()"].iter().find_map(|end| text.strip_suffix(end));
    called.or_else(|| text.strip_prefix("len(")?.strip_suffix(')')).map(str::to_owned)
}

/// Characters that mean more than themselves in a pattern.
const META: &[char] = &['.', '*', '+', '?', '[', ']', '(', ')', '{', '}', '|', '\\', '^', '$'];

/// The one text that a pattern lets through: that of `/^Hi$/`, of `"^Hi$"`.
pub fn bare_text(pattern: &str) -> Option<&str> {
    let bare = pattern.trim().trim_start_matches(['r', 'f']);
    let inside = bare.strip_prefix(['"', '\'', '`', '/'])?.strip_suffix(['"', '\'', '`', '/'])?;
    let text = inside.strip_prefix('^')?.strip_suffix('$')?;
    (!text.is_empty() && !text.contains(META)).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subject(text: &str) -> Subject {
        let names = [("r".to_owned(), "f(1)".to_owned())].into();
        Subject::of(text, &names)
    }

    #[test]
    fn parts_start_from_the_same() {
        for part in ["len(r)", "r[0].name", "Object.keys(r).length", "str(r.value)", "r"] {
            assert!(subject(part).is_part_of(&subject("f(1)")), "{part}");
            assert_eq!(subject(part).origin(), "f(1)", "{part}");
        }
        assert!(!subject("f(12)").is_part_of(&subject("f(1)")));
        assert!(!subject("ra").is_part_of(&subject("r")));
        assert_eq!(subject("list().get(0)").origin(), "list()");
    }

    #[test]
    fn members_have_names() {
        assert_eq!(subject("r.name").member(), Some("name"));
        assert_eq!(subject("r.json()['a']").member(), Some("a"));
        assert_eq!(subject("r[0]").member(), None);
        assert_eq!(subject("r.unwrap()").member(), None);
    }

    #[test]
    fn a_pattern_between_anchors_is_a_text() {
        assert_eq!(bare_text("'^empty text$'"), Some("empty text"));
        assert_eq!(bare_text("/^Hi$/"), Some("Hi"));
        assert_eq!(bare_text("'empty text'"), None);
        assert_eq!(bare_text("'^a.*b$'"), None);
    }
}
