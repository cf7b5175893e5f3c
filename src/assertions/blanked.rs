//! Comparisons of a whole of which the test itself now sets a part, just before: `resp.Term = 0` above
//! `assert.Equal(want, resp)`, `del row["id"]` above `assert row == expected`.

use super::alike::{key, split};
use super::unit::View;
use crate::collections::HashSet;
use crate::facts::{Assertion, ClaimKind, Span, Strength};

/// Nobody sets more parts in one test.
const MOST: usize = 50;

/// The comparisons that stand as they did, but of something of which a part is now set by the test, with the line that
/// sets it.
pub fn blanked(
    before: &View<'_>,
    after: &View<'_>,
    old: &[&Assertion],
    new: &[Assertion],
) -> Vec<(Assertion, Assertion)> {
    let known: HashSet<String> = old.iter().map(|one| key(&one.text)).collect();
    let whole = |one: &&Assertion| {
        let claim = &one.claim;
        let compares = matches!(claim.kind, ClaimKind::Value | ClaimKind::Failure | ClaimKind::Snapshot);
        compares && claim.strength >= Strength::Value && !claim.negated && known.contains(&key(&one.text))
    };
    let mut wholes = new.iter().filter(whole).peekable();
    if wholes.peek().is_none() {
        return Vec::new();
    }
    let lines = Lines::of(before, after);
    let mut found = Vec::new();
    for assertion in wholes {
        let Some((line, text)) = lines.setting(assertion) else { continue };
        let was = old.iter().find(|one| key(&one.text) == key(&assertion.text));
        let Some(was) = was.filter(|_| found.len() < MOST) else { continue };
        found.push(((*was).clone(), Assertion { line, text, ..assertion.clone() }));
    }
    found
}

/// The lines of the after side, and which of them are new.
struct Lines {
    start: u32,
    lines: Vec<String>,
    known: HashSet<String>,
}

impl Lines {
    fn of(before: &View<'_>, after: &View<'_>) -> Self {
        let all = |view: &View<'_>| -> Vec<String> {
            let span = Span { start: view.span.start, end: view.span.end };
            view.file.lines(span).map(|line| line.trim().to_owned()).collect()
        };
        let known = all(before).iter().map(|line| key(line)).collect();
        Self { start: after.span.start, lines: all(after), known }
    }

    /// The new line above an assertion that sets a part of what it looks at, with nothing between that uses it otherwise.
    fn setting(&self, assertion: &Assertion) -> Option<(u32, String)> {
        let claim = &assertion.claim;
        let subject = plain_name(&claim.subject)?;
        let expected = claim.expected.as_deref().and_then(plain_name);
        self.above(assertion.line, subject, is_fixed).or_else(|| {
            // `want.id = got.id` lets any value through.
            let copies = |value: &str| {
                let rest = value.strip_prefix(subject);
                rest.is_some_and(|rest| rest.starts_with(['.', '[']) && !rest.contains([' ', '(']))
            };
            self.above(assertion.line, expected?, copies)
        })
    }

    fn above(&self, line: u32, root: &str, counts: impl Fn(&str) -> bool) -> Option<(u32, String)> {
        let at = line.checked_sub(self.start)? as usize;
        for (index, line) in self.lines.get(..at)?.iter().enumerate().rev() {
            if !split(line).any(|word| word == root) || line.starts_with("//") || line.starts_with('#') {
                continue;
            }
            // What is used before it is compared may need the part.
            let value = set_part(line, root)?;
            if !self.known.contains(&key(line)) && counts(value) && self.is_given(root, index) {
                return Some((self.start + index as u32, line.clone()));
            }
        }
        None
    }

    /// Whether a name was last given what a call returned, as seen from a line: what the test builds is its own to fill in.
    fn is_given(&self, root: &str, at: usize) -> bool {
        let given = |line: &String| -> Option<String> {
            let (names, value) = line.split_once('=')?;
            let is_name = split(names).any(|word| word == root) && !names.contains(['(', '.', '[', '"']);
            (is_name && !value.starts_with('=')).then(|| value.trim().to_owned())
        };
        let made = ["new ", "&", "{", "[", "dict(", "dataclasses.replace(", "Object.assign("];
        let is_call = |value: String| value.contains('(') && !made.iter().any(|head| value.starts_with(head));
        self.lines[..at].iter().rev().find_map(given).is_some_and(is_call)
    }
}

/// The name that an expression is, without marks of addresses.
fn plain_name(text: &str) -> Option<&str> {
    let name = text.trim().trim_start_matches(['&', '*']);
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    (is_name && name.starts_with(|c: char| c.is_lowercase() || c == '_')).then_some(name)
}

/// What a part of `root` is set to by a line that does nothing else; an empty text where it is taken out.
fn set_part<'a>(line: &'a str, root: &str) -> Option<&'a str> {
    let code = line.trim_end_matches(';').trim();
    for word in ["del ", "delete "] {
        let rest = code.strip_prefix(word).and_then(|rest| rest.trim_start().strip_prefix(root));
        if rest.is_some_and(|rest| rest.starts_with(['.', '['])) {
            return Some("");
        }
    }
    if code.starts_with("delete(") && code[7..].starts_with(root) {
        return Some("");
    }
    let rest = code.strip_prefix(root).filter(|rest| rest.starts_with(['.', '[']))?;
    if rest.starts_with(".pop(\"") || rest.starts_with(".pop('") {
        return Some("");
    }
    let setter = rest
        .strip_prefix(".set")
        .and_then(|rest| rest.strip_suffix(')'))
        .and_then(|rest| rest.split_once('('));
    if let Some((name, value)) = setter.filter(|(name, _)| name.starts_with(|c: char| c.is_uppercase())) {
        return (!name.contains('.')).then_some(value.trim());
    }
    let (target, value) = rest.split_once('=')?;
    let plain =
        !target.contains(['(', '!', '<', '>', '+', '-', '*', '/', ':', '?']) && !value.starts_with('=');
    plain.then_some(value.trim())
}

/// Whether a value is nothing, or written down.
fn is_fixed(value: &str) -> bool {
    let words =
        ["", "nil", "null", "None", "undefined", "true", "false", "True", "False", "\"\"", "''", "[]", "{}"];
    let is_number = value.parse::<f64>().is_ok();
    let quoted = value.starts_with(['"', '\'']) && value.ends_with(['"', '\'']) && value.len() <= 40;
    words.contains(&value) || is_number || quoted || value == "time.Time{}" || value == "Default::default()"
}
