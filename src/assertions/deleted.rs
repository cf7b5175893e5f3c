//! Tests from which code was only taken away: what went is lost, whatever else the test still says.
//!
//! Elsewhere an assertion may live on in other words, and so its words are looked for. Where nothing was written there are no
//! other words: `count == 0` before a step does not say what `count == 0` after it said.

use std::collections::HashSet;

use super::alike::key;
use super::unit::View;
use crate::facts::Assertion;

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

    /// Whether an assertion went, and none that says the same stands right beside it.
    pub fn takes(&self, lost: &Assertion, all: &[&Assertion]) -> bool {
        let is_beside = |other: &&&Assertion| {
            other.text == lost.text && other.line.abs_diff(lost.line) == 1 && !self.0.contains(&other.line)
        };
        self.0.contains(&lost.line) && !all.iter().any(|other| is_beside(&other))
    }
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
