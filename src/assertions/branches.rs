//! Conditions that came to a test: what moved from an assertion into one of them is no longer asked for, unless the other
//! branch fails; then it is asked for as before.

use super::alike::{key, share, words};
use super::unit::View;
use crate::collections::HashSet;
use crate::facts::Assertion;

/// How a branch starts.
const HEADS: &[&str] = &["if ", "if(", "elif ", "else if", "} else if"];

/// Code that fails a test wherever it is reached.
const FAILS: &[&str] = &["fail(", ".Fatal", ".Error(", ".Errorf(", ".Fail", "panic", "raise ", "throw "];

/// So many lines of another branch are looked at for the way it ends.
const BRANCH: usize = 4;

/// Nobody adds more comparisons to one test; each lost assertion is looked for in all of them.
const MOST: usize = 200;

pub struct Branches {
    /// The comparisons in conditions of the after side that did not stand there before.
    new: Vec<Comparison>,
    /// Whether an `else` of the test fails.
    fail_otherwise: bool,
}

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
        let lines_after = lines(after);
        if !lines_after.iter().any(|line| is_head(&line)) {
            return Self { new: Vec::new(), fail_otherwise: false };
        }
        let known: HashSet<String> = lines(before).into_iter().collect();
        let came = lines_after.iter().filter(is_head).filter(|line| !known.contains(*line));
        let new = came.flat_map(|line| comparisons(line)).take(MOST).collect();
        Self { new, fail_otherwise: fails_otherwise(&lines_after) }
    }

    /// Whether an assertion became a condition, and the test passes where it does not hold: `if err == nil && size < 3` for
    /// `assert.Nil(err)`.
    pub fn hush(&self, lost: &Assertion) -> bool {
        !self.fail_otherwise && self.ask(lost)
    }

    /// Whether an assertion became a condition, and the test fails where it does not hold.
    pub fn decide(&self, lost: &Assertion) -> bool {
        self.fail_otherwise && self.ask(lost)
    }

    fn ask(&self, lost: &Assertion) -> bool {
        let Some(expected) = lost.claim.expected.as_deref().filter(|_| !lost.claim.negated) else {
            return false;
        };
        if self.new.is_empty() {
            return false;
        }
        let (text, expected) = (words(&lost.text), key(expected));
        self.new.iter().any(|one| one.right == expected && share(&one.left, &text) >= 1.0)
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
