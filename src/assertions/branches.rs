//! Conditions that came to a test: what moved from an assertion into one of them is no longer asked for, unless the other
//! branch fails.

use std::collections::HashSet;

use super::alike::{key, share, words};
use super::unit::View;
use crate::facts::Assertion;

/// How a branch starts.
const HEADS: &[&str] = &["if ", "if(", "elif ", "else if", "} else if"];

/// Code that fails a test wherever it is reached.
const FAILS: &[&str] = &["fail(", ".Fatal", ".Error(", ".Errorf(", ".Fail", "panic", "raise ", "throw "];

/// So many lines of another branch are looked at for the way it ends.
const BRANCH: usize = 4;

/// The comparisons in conditions of the after side that did not stand there before.
pub struct Branches(Vec<Comparison>);

struct Comparison {
    left: Vec<u64>,
    right: String,
}

impl Branches {
    pub fn of(before: &View<'_>, after: &View<'_>) -> Self {
        let lines = |view: &View<'_>| -> Vec<String> {
            view.file.lines(view.span).map(|line| line.trim().to_owned()).collect()
        };
        let is_head = |line: &&String| HEADS.iter().any(|head| line.starts_with(head)) && line.contains("==");
        let new = lines(after);
        if !new.iter().any(|line| is_head(&line)) || fails_otherwise(&new) {
            return Self(Vec::new());
        }
        let known: HashSet<String> = lines(before).into_iter().collect();
        let came = new.iter().filter(is_head).filter(|line| !known.contains(*line));
        Self(came.flat_map(|line| comparisons(line)).collect())
    }

    /// Whether one of them asks what an assertion asked: `if err == nil && size < 3` for `assert.Nil(err)`.
    pub fn ask(&self, lost: &Assertion) -> bool {
        let Some(expected) = lost.claim.expected.as_deref().filter(|_| !lost.claim.negated) else {
            return false;
        };
        if self.0.is_empty() {
            return false;
        }
        let (text, expected) = (words(&lost.text), key(expected));
        self.0.iter().any(|one| one.right == expected && share(&one.left, &text) >= 1.0)
    }
}

/// The equalities of a condition that must all hold.
fn comparisons(head: &str) -> Vec<Comparison> {
    let start = HEADS.iter().find_map(|start| head.strip_prefix(start)).unwrap_or(head);
    let condition = start.trim_end_matches(['{', ':', ' ']);
    let atoms = condition.split("&&").flat_map(|part| part.split(" and "));
    let sides = |atom: &str| -> Option<Comparison> {
        let (left, right) = atom.split_once("==")?;
        let right = key(right.trim_start_matches('=')).trim_matches(['(', ')']).to_owned();
        Some(Comparison { left: words(left), right })
    };
    atoms.filter_map(sides).collect()
}

/// Whether an `else` of the test fails.
fn fails_otherwise(lines: &[String]) -> bool {
    let is_else = |line: &str| line.starts_with("else") || line.starts_with("} else");
    let fails = |line: &String| FAILS.iter().any(|word| line.contains(word));
    let ends = |at: usize| lines.iter().skip(at).take(BRANCH).any(fails);
    lines.iter().enumerate().any(|(at, line)| is_else(line) && !line.contains("else if") && ends(at))
}
