//! Lists of inputs that a kept test goes through, and that lose some: each was a check of its own.

use super::ID;
use crate::assertions::{expression_key as key, split};
use crate::collections::HashSet;
use crate::comparison::{At, Comparison};
use crate::detectors::relation::{self, About};
use crate::detectors::report::{Draft, excerpt};
use crate::finding::{Finding, Severity, Side};
use crate::pairing::Fate;
use crate::text::plural;

/// As many bytes of a test are read.
const LONGEST: usize = 64 * 1024;

/// As many inputs must be lost to be told of while the code changes, too.
const MANY: usize = 3;

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let kept = comparison.pairing.fates.iter().filter_map(|(at, fate)| match fate {
        Fate::Same { after, .. } => Some((*at, *after)),
        _ => None,
    });
    kept.filter_map(|(before, after)| finding(comparison, before, after)).collect()
}

fn finding(comparison: &Comparison, before: At, after: At) -> Option<Finding> {
    let ((side, old), (new_side, new)) = (comparison.before(before), comparison.after(after));
    // Rows that a test is known to have are told of by another rule.
    if old.body == new.body || !old.rows.is_empty() || old.assertions.is_empty() || new.is_skipped() {
        return None;
    }
    let text = |lines: Vec<_>| -> String { lines.join("\n") };
    let was = text(side.lines(old.span).collect());
    let is = text(new_side.lines(new.span).collect());
    if was.len().max(is.len()) > LONGEST || is.len() >= was.len() {
        return None;
    }
    let has = lists(&is, 1);
    let (list, lost) = lists(&was, 2).into_iter().find_map(|list| {
        let heir = has.iter().find(|one| one.head == list.head && one.is_walked(&is))?;
        let lost = heir.lost_from(&list)?;
        // What went to another list is expected to come out differently, not left out.
        let stays =
            lost.iter().any(|item| is.matches(item.as_str()).count() >= was.matches(item.as_str()).count());
        (!stays).then_some((list, lost))
    })?;
    let name = old.qualified_name();
    let draft = Draft {
        rule: ID,
        severity: Severity::Medium,
        confidence: 0.8,
        message: format!(
            "the test {name} goes through {} less of {}",
            plural(lost.len(), "input"),
            list.items.len()
        ),
        help: format!("put it back: {}", lost.first().map_or("", String::as_str)),
    };
    let line = old.span.start + list.line;
    let mut finding = draft.on_test(Side::Before, side, old);
    finding.before = excerpt(side, old.span, line, "more inputs were tried here");
    if comparison.production.changed && lost.len() < MANY {
        let about = About { side, test: Some(old), text: &lost.join(" ") };
        relation::lower(comparison, &mut finding, Severity::Low, about);
    }
    Some(finding)
}

/// A list of plain values.
pub struct List {
    /// What stands before it on its line, without white space.
    pub head: String,
    /// How many lines of the text are above it.
    pub line: u32,
    pub items: Vec<String>,
    /// What follows it on its line.
    tail: String,
}

impl List {
    /// The items of another list that this one lacks, where that is all that differs.
    pub fn lost_from(&self, other: &Self) -> Option<Vec<String>> {
        let known: HashSet<&String> = other.items.iter().collect();
        let left: HashSet<&String> = self.items.iter().collect();
        let lost: Vec<String> = other.items.iter().filter(|item| !left.contains(item)).cloned().collect();
        let only_less = self.items.iter().all(|item| known.contains(item)) && !self.items.is_empty();
        (only_less && !lost.is_empty() && lost.len() < other.items.len()).then_some(lost)
    }

    /// Whether a test goes through the list, item by item.
    pub fn is_walked(&self, text: &str) -> bool {
        let walks = |code: &str| WALKS.iter().any(|walk| code.contains(walk));
        let is_loop =
            |head: &str| head.starts_with("for") || head.contains("range[]") || head.starts_with("}for");
        if is_loop(&self.head) || self.tail.starts_with('.') && walks(&self.tail) {
            return true;
        }
        let Some(name) = self.name() else { return false };
        let is_named = |line: &str| split(line).any(|word| word == name);
        let goes = |line: &str| {
            let code = line.trim_start();
            let called = walks(&key(line)) && key(line).contains(&format!("{name}."));
            code.starts_with("for ") || code.starts_with("for(") || code.contains(" for ") || called
        };
        name.len() > 1 && text.lines().any(|line| is_named(line) && goes(line))
    }

    /// What the list is given as a value to.
    pub fn name(&self) -> Option<String> {
        let names = self.head.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '_' && c != '=');
        let (target, _) = names.split_once('=').or_else(|| names.split_once(':'))?;
        let words: Vec<&str> = split(target.split(':').next().unwrap_or(target)).collect();
        words.last().copied().map(|name| bare(name).to_owned())
    }
}

/// Words of declarations that stand before a name without a space between them in a head.
fn bare(word: &str) -> &str {
    ["exportconst", "exportlet", "const", "letmut", "let", "var", "String", "final"]
        .iter()
        .find_map(|head| word.strip_prefix(head))
        .unwrap_or(word)
}

/// Calls that go through a list.
const WALKS: &[&str] = &[
    ".forEach(",
    ".every(",
    ".some(",
    ".map(",
    ".iter()",
    ".into_iter()",
    ".each(",
    ".stream()",
    ".filter(",
];

/// The lists of at least so many plain values in a text.
pub fn lists(text: &str, least: usize) -> Vec<List> {
    let mut found = Vec::new();
    let (mut from, mut counted, mut line) = (0, 0, 0);
    while let Some(open) = text[from..].find(['[', '{', '(']).map(|at| from + at) {
        from = open + 1;
        let Some((items, end)) = items(&text[open..]) else { continue };
        if items.len() < least {
            continue;
        }
        line += text[counted..open].matches('\n').count() as u32;
        counted = open;
        let (Some(head), Some(tail)) = (last_line(&text[..open]), first_line(&text[open + end..])) else {
            continue;
        };
        let (head, tail) = (key(head), key(tail));
        // What a call is given in brackets is a list only where the call makes one.
        let makes = ["of", "asList", "listOf", "Set", "Stream.of", "frozenset", "tuple"];
        let is_call = text[open..].starts_with('(') && !head.is_empty() && !head.ends_with(['=', '(']);
        if !is_call || head.starts_with("for") || makes.iter().any(|call| head.ends_with(call)) {
            found.push(List { head, line, items, tail });
        }
        from = open + end;
    }
    found
}

/// Nobody writes more on one line. Where thousands of lists stand on one, each would go through all of it.
const LONGEST_LINE: usize = 4096;

/// What stands on the last line of a text.
fn last_line(text: &str) -> Option<&str> {
    let from = text.floor_char_boundary(text.len().saturating_sub(LONGEST_LINE));
    match text[from..].rfind('\n') {
        Some(at) => Some(&text[from + at + 1..]),
        None => (from == 0).then_some(text),
    }
}

/// What stands on the first line of a text.
fn first_line(text: &str) -> Option<&str> {
    let near = &text[..text.floor_char_boundary(LONGEST_LINE.min(text.len()))];
    match near.find('\n') {
        Some(at) => Some(&near[..at]),
        None => (near.len() == text.len()).then_some(text),
    }
}

/// The items of the list that a text starts with, where all of them are plain texts or numbers, and where it ends.
fn items(text: &str) -> Option<(Vec<String>, usize)> {
    let close = match text.chars().next()? {
        '[' => ']',
        '{' => '}',
        _ => ')',
    };
    let mut items = Vec::new();
    let mut at = 1;
    loop {
        let rest = &text[at..];
        at += rest.len() - rest.trim_start().len();
        let rest = &text[at..];
        match rest.chars().next()? {
            c if c == close => return Some((items, at + 1)),
            ',' => at += 1,
            '/' if rest.starts_with("//") => at += rest.find('\n')?,
            '/' if rest.starts_with("/*") => at += rest.find("*/")? + 2,
            '#' => at += rest.find('\n')?,
            _ => {
                let length = literal(rest)?;
                items.push(rest[..length].to_owned());
                at += length;
            }
        }
    }
}

/// How long the text or number is that code starts with.
fn literal(code: &str) -> Option<usize> {
    let prefix = code.find(|c: char| !matches!(c, 'r' | 'b' | 'u' | '-'))?;
    let rest = &code[prefix..];
    let mark = rest.chars().next()?;
    if mark.is_ascii_digit() {
        let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | '_'))).unwrap_or(rest.len());
        return Some(prefix + end);
    }
    if !matches!(mark, '"' | '\'' | '`') {
        return None;
    }
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' if mark != '`' => return None,
            c if c == mark => return Some(prefix + at + 1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(String, usize, bool)> {
        lists(text, 2)
            .iter()
            .map(|list| (list.head.clone(), list.items.len(), list.is_walked(text)))
            .collect()
    }

    #[test]
    fn lists_are_told_by_their_heads() {
        for (text, head, walked) in [
            ("for bad in ['a', 'b']:\n    check(bad)", "forbadin", true),
            ("bads = ['a', 'b']\nfor bad in bads:\n    x", "bads=", true),
            ("const bads = ['a', 'b'];\nfor (const x of bads) {", "constbads=", true),
            ("const bads = ['a', 'b'];\nexpect(bads.every(f)).toBe(true)", "constbads=", true),
            ("['a', 'b'].forEach((x) => {", "", true),
            ("for _, bad := range []string{\"a\", \"b\"} {", "for_,bad:=range[]string", true),
            ("let bads = vec![\"a\", \"b\"];\nfor bad in &bads {", "letbads=vec!", true),
            ("String[] bads = {\"a\", \"b\"};\nfor (String bad : bads) {", "String[]bads=", true),
            ("for (String bad : List.of(\"a\", \"b\")) {", "for(Stringbad:List.of", true),
            ("const want = ['a', 'b'];\nexpect(f()).toEqual(want)", "constwant=", false),
        ] {
            assert_eq!(found(text), [(head.to_owned(), 2, walked)], "{text}");
        }
        assert!(found("f('a', 'b')").is_empty());
        assert!(found("[x, 'b']").is_empty());
    }
}
