//! Tests from which code was only taken away: what went is lost, whatever else the test still says.
//!
//! Elsewhere an assertion may live on in other words, and so its words are looked for. Where nothing was written there are no
//! other words: `count == 0` before a step does not say what `count == 0` after it said.

use super::alike::key;
use super::unit::View;
use crate::collections::HashSet;
use crate::facts::{Assertion, Claim, Reach, Span};
use crate::text::contains;

/// Tests of more lines than this are not compared line by line.
const LINES: usize = 4000;

/// The lines of the before side that went, where no line came; nothing where some did.
pub struct Deleted(HashSet<u32>);

impl Deleted {
    pub fn of(before: &View<'_>, after: &View<'_>) -> Option<Self> {
        let (old, new) = (code(before), code(after));
        if new.len() >= old.len() || old.len() > LINES {
            return None;
        }
        let mut kept = new.iter().map(|(_, line)| line).peekable();
        let mut gone = HashSet::new();
        for (number, line) in &old {
            if kept.next_if(|next| *next == line).is_none() {
                gone.insert(*number);
            }
        }
        kept.next().is_none().then_some(Self(gone))
    }

    /// Whether a line went.
    fn has(&self, line: u32) -> bool {
        self.0.contains(&line)
    }

    /// Whether an assertion went, and none that says the same stands beside it with nothing but assertions between.
    pub fn takes(&self, lost: &Assertion, all: &[&Assertion], before: &View<'_>) -> bool {
        if !self.has(lost.line) {
            return false;
        }
        let asserts: HashSet<u32> = before.assertions.iter().map(|one| one.line).collect();
        let acts = |from: u32, to: u32| {
            let between = Span { start: from.min(to) + 1, end: from.max(to) - 1 };
            let lines = (between.start..).zip(before.file.lines(between));
            lines.into_iter().any(|(number, line)| line.contains('(') && !asserts.contains(&number))
        };
        let repeats = |other: &&&Assertion| {
            other.text == lost.text
                && other.line != lost.line
                && !self.has(other.line)
                && !acts(other.line, lost.line)
        };
        !all.iter().any(|other| repeats(&other))
    }
}

/// Names of calls that check something, by one of their words.
const CHECKS: &[&str] = &["assert", "check", "compare", "ensure", "expect", "should", "validate", "verify"];

/// Statements that fail a test where they are reached.
const FAILS: &[&str] = &[
    "panic!(",
    "unreachable!(",
    "thrownewAssertionError",
    "thrownewError(",
    "thrownewIllegalStateException",
    "raiseAssertionError",
    "panic(",
];

/// The first step of a test that could fail it without being an assertion by its form, and is gone: a call that checks by
/// its name where code was only taken away, or a failing branch.
pub fn lost_step(deleted: Option<&Deleted>, before: &View<'_>, after: &View<'_>) -> Option<Assertion> {
    before.test?;
    let text = before.file.text.get(before.file.bytes(before.span)).unwrap_or_default();
    let fails_anywhere = ["panic", "throw ", "raise "].iter().any(|word| contains(text, word.as_bytes()));
    if deleted.is_none() && !fails_anywhere {
        return None;
    }
    let lines = code(before);
    let known: HashSet<u32> = before.assertions.iter().map(|one| one.line).collect();
    let is_known = |number: u32| known.contains(&number);
    let step = |number: u32, line: &str| Assertion {
        line: number,
        text: line.to_owned(),
        claim: Claim::helper(""),
        reach: Reach::Always,
        under: None,
    };
    if let Some(deleted) = deleted {
        let mut gone = lines.iter().filter(|(number, _)| deleted.has(*number) && !is_known(*number));
        return gone
            .find(|(_, line)| calls_check(line) || fails(line))
            .map(|(number, line)| step(*number, line));
    }
    let now = code(after);
    let count = |lines: &[(u32, String)]| lines.iter().filter(|(_, line)| fails(line)).count();
    let fewer = count(&lines) > count(&now) && after.assertions.len() <= before.assertions.len();
    let kept: HashSet<&str> = now.iter().map(|(_, line)| line.as_str()).collect();
    let mut gone = lines
        .iter()
        .filter(|(number, line)| fails(line) && !kept.contains(line.as_str()) && !is_known(*number));
    fewer.then(|| gone.next().map(|(number, line)| step(*number, line)))?
}

fn fails(line: &str) -> bool {
    FAILS.iter().any(|fails| line.contains(fails))
}

/// Whether a line is nothing but a call that checks by its name.
fn calls_check(line: &str) -> bool {
    let code = line.trim_start_matches("await").trim_end_matches([';', '?']);
    let Some((callee, _)) = code.split_once('(').filter(|_| code.ends_with(')')) else { return false };
    let is_path = callee.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '$'));
    let name = callee.rsplit(['.', ':']).next().unwrap_or(callee).to_lowercase();
    is_path && CHECKS.iter().any(|word| name.contains(word))
}

/// The lines of a unit that are code, by number.
fn code(view: &View<'_>) -> Vec<(u32, String)> {
    let comments = &view.file.facts.comments;
    let is_comment = |number: u32| {
        let at = comments.partition_point(|comment| comment.span.end < number);
        comments.get(at).is_some_and(|comment| comment.span.start <= number)
    };
    let starts_comment = |line: &str| ["//", "#", "/*", "*"].iter().any(|mark| line.starts_with(mark));
    (view.span.start..)
        .zip(view.file.lines(view.span))
        .filter(|(number, line)| !(is_comment(*number) && starts_comment(line.trim_start())))
        .map(|(number, line)| (number, key(&line)))
        .filter(|(_, line)| !line.is_empty())
        .collect()
}
