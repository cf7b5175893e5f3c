//! An assertion that is written once and made of several values: in a function of the test or of its file that is given
//! them, or in a loop over them. It stands for those that were written out, one for each call or element.

use super::alike::{key, share, split, values, words};
use super::tokens::items;
use super::unit::View;
use crate::collections::HashSet;
use crate::facts::{Assertion, Claim, ClaimKind, Definition};

/// So many lines of code that came are looked through.
const LINES: usize = 2000;

/// So many calls or elements are tried, and so many assertions that went.
const ROWS: usize = 64;

/// A statement goes over so many lines.
const STATEMENT: usize = 12;

/// So much of what an assertion looked at must still be written.
const SAME: f64 = 0.5;

/// The assertions that went and that one which is made of values stands for, by line.
pub struct Given(HashSet<u32>);

impl Given {
    /// `helpers` are the functions with assertions that the after side names and the before side did not.
    pub fn of(
        [before, after]: [&View<'_>; 2],
        lost: &[&Assertion],
        came: &[&Assertion],
        helpers: &[&Definition],
    ) -> Self {
        if lost.is_empty() || lost.len() > ROWS || came.is_empty() && helpers.is_empty() {
            return Self(HashSet::new());
        }
        let known: HashSet<String> = before.file.lines(before.span).map(|line| key(&line)).collect();
        let lines: Vec<String> =
            after.file.lines(after.span).take(LINES).map(|line| line.into_owned()).collect();
        let code = Code { first: after.span.start, lines: &lines, known: &known };
        let mut found = HashSet::new();
        let mut tell = |claims: &[&Claim], rows: Vec<String>| {
            let mut rows: Vec<String> = rows.into_iter().take(ROWS).collect();
            for one in lost.iter().filter(|one| one.reach.counts()) {
                let says = |row: &String| claims.iter().any(|new| is_said(&one.claim, new, row));
                if let Some(at) = rows.iter().position(says) {
                    rows.remove(at);
                    found.insert(one.line);
                }
            }
        };
        for helper in helpers {
            let claims: Vec<&Claim> = counting(helper.assertions.iter()).collect();
            tell(&claims, code.calls(&helper.name));
        }
        for (block, rows) in code.blocks() {
            let inside = came.iter().copied().filter(|one| block.contains(&one.line));
            let claims: Vec<&Claim> = counting(inside).collect();
            if !claims.is_empty() {
                tell(&claims, rows);
            }
        }
        Self(found)
    }

    pub fn covers(&self, lost: &Assertion) -> bool {
        self.0.contains(&lost.line)
    }
}

fn counting<'a>(all: impl Iterator<Item = &'a Assertion>) -> impl Iterator<Item = &'a Claim> {
    all.filter(|one| one.reach.counts()).map(|one| &one.claim)
}

/// The lines of a test as it is now.
struct Code<'a> {
    first: u32,
    lines: &'a [String],
    /// Lines that it had before.
    known: &'a HashSet<String>,
}

impl Code<'_> {
    /// Functions in place and loops that came: the lines that they take, and what they are given.
    fn blocks(&self) -> Vec<(std::ops::RangeInclusive<u32>, Vec<String>)> {
        let came = self.lines.iter().enumerate().filter(|(_, line)| !self.known.contains(&key(line)));
        let block = |(at, line): (usize, &String)| {
            let rows = match (named_function(line), is_loop(line)) {
                (Some(name), _) => self.calls(name),
                (None, true) => elements(&self.statement(at)),
                (None, false) => return None,
            };
            (!rows.is_empty()).then(|| (self.extent(at), rows))
        };
        came.filter_map(block).take(ROWS).collect()
    }

    /// From a line to the last one that stands further in.
    fn extent(&self, at: usize) -> std::ops::RangeInclusive<u32> {
        let depth = |line: &str| line.len() - line.trim_start().len();
        let own = depth(&self.lines[at]);
        let rest = &self.lines[at + 1..];
        let inside = rest.iter().take_while(|line| line.trim().is_empty() || depth(line) > own).count();
        let line = |at: usize| self.first + u32::try_from(at).unwrap_or(u32::MAX - self.first);
        line(at)..=line(at + inside)
    }

    /// The arguments of each call of a function as a statement.
    fn calls(&self, name: &str) -> Vec<String> {
        let given = |at: usize| {
            let line = self.lines[at].trim_start();
            let line = ["await ", "yield ", "return "]
                .iter()
                .find_map(|word| line.strip_prefix(word))
                .unwrap_or(line);
            let call = line.strip_prefix("self.").or_else(|| line.strip_prefix("this.")).unwrap_or(line);
            let rest = call.strip_prefix(name)?;
            rest.starts_with('(').then(|| self.statement(at))
        };
        (0..self.lines.len()).filter_map(given).take(ROWS).collect()
    }

    /// The line and those after it, up to where its brackets are closed.
    fn statement(&self, at: usize) -> String {
        let mut text = String::new();
        for line in self.lines[at..].iter().take(STATEMENT) {
            text.push_str(line);
            text.push('\n');
            let count = |open: [char; 2], close: [char; 2]| {
                text.matches(open).count().cmp(&text.matches(close).count())
            };
            if count(['(', '['], [')', ']']).is_le() {
                break;
            }
        }
        text
    }
}

/// The name that a line gives to a function: `const refuses = (a) => {`, `def refuses(a):`, `refuses := func(`.
fn named_function(line: &str) -> Option<&str> {
    let line = line.trim();
    let line = line.strip_prefix("async ").unwrap_or(line);
    let name = |text: &str| split(text).next().map(str::len).unwrap_or(0);
    for word in ["function ", "def ", "fn "] {
        if let Some(rest) = line.strip_prefix(word) {
            return Some(&rest[..name(rest)]).filter(|name| !name.is_empty());
        }
    }
    let (target, value) = line.split_once('=')?;
    let value = value.trim_start();
    let value = value.strip_prefix("async ").unwrap_or(value);
    let is_function = value.starts_with("func(")
        || value.starts_with("function")
        || value.starts_with('|')
        || value.starts_with("move |")
        || value.starts_with('(') && (value.contains("=>") || !value.contains(')'));
    let target = target.trim_end_matches([':', ' ']).split(':').next()?;
    is_function.then(|| split(target).last()).flatten()
}

fn is_loop(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("for ") || line.starts_with("for(") || line.contains("].forEach(")
}

/// What a loop goes over, where that is written in its head.
fn elements(head: &str) -> Vec<String> {
    let open = head.find(['[', '{']).filter(|_| head.contains('['));
    let Some(list) = open.map(|open| &head[open + 1..]) else { return Vec::new() };
    // Up to the bracket that closes the list.
    let (mut depth, mut end) = (1_usize, list.len());
    for (at, c) in list.char_indices() {
        match c {
            '[' | '(' | '{' => depth += 1,
            ']' | ')' | '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            end = at;
            break;
        }
    }
    items(&list[..end]).into_iter().filter(|item| !item.is_empty()).map(str::to_owned).collect()
}

/// Whether a claim that is made of what stands in a row says what was written out.
fn is_said(lost: &Claim, new: &Claim, row: &str) -> bool {
    if (lost.kind, lost.negated) != (new.kind, new.negated) || lost.kind == ClaimKind::Helper {
        return false;
    }
    let wanted = |claim: &Claim| claim.pattern.clone().or_else(|| claim.expected.clone()).unwrap_or_default();
    let (was, is) = (wanted(lost), wanted(new));
    // What is wanted may be given too, and then it is as strict as what is given.
    let is_given = !is.is_empty() && is.chars().all(|c| c.is_alphanumeric() || c == '_');
    let text = format!("{} {is} {row}", new.subject);
    let written: HashSet<&str> = split(&text).collect();
    let fixed = split(&lost.subject).filter(|word| is_fixed(word));
    let is_there = values(&lost.subject).chain(fixed).all(|value| written.contains(value));
    let is_as_strict = new.strength >= lost.strength;
    let is_wanted = match is_given && !is_name(&was) {
        true => {
            let given: HashSet<&str> = split(row).collect();
            (is_as_strict || lost.kind == ClaimKind::Raises)
                && values(&was).all(|value| given.contains(value))
                && key(row).contains(&key(&was))
        }
        false => is_as_strict && is_filled(&was, &is, row),
    };
    is_there && is_wanted && share(&words(&uncast(&lost.subject)), &words(&text)) >= SAME
}

/// The words of an expression without the types that it is taken for: `{} as unknown as Action`.
fn uncast(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut is_type = false;
    for word in split(text) {
        if word != "as" && !is_type {
            plain.push_str(word);
            plain.push(' ');
        }
        is_type = word == "as";
    }
    plain
}

/// Words that are values without quotes.
fn is_fixed(word: &str) -> bool {
    matches!(word, "null" | "undefined" | "true" | "false" | "True" | "False" | "None" | "nil")
}

fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || c == '_') && !text.starts_with(|c: char| c.is_ascii_digit())
}

/// Whether a text with places to be filled reads like another one where those of it are filled from a row.
fn is_filled(was: &str, is: &str, row: &str) -> bool {
    let bare = |text: &str| {
        let text = key(text);
        let text = text.strip_prefix("newRegExp(").and_then(|text| text.strip_suffix(')')).unwrap_or(&text);
        let text = text.trim_start_matches(|c: char| {
            c.is_ascii_alphabetic() && text.len() > 1 && text[1..].starts_with('"')
        });
        text.trim_matches('/').to_owned()
    };
    let unquoted = |text: &str| match text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
        Some(inside) => inside.to_owned(),
        None => text.to_owned(),
    };
    let (was, is) = (unquoted(&bare(was)), unquoted(&bare(is)));
    if was == is {
        return true;
    }
    let row = unquoted(&key(row));
    let Some((start, rest)) = is.split_once("${").or_else(|| is.split_once('{')) else { return false };
    let Some((_, end)) = rest.split_once('}') else { return false };
    format!("{start}{row}{end}") == was
}
