//! Conditions that a test hands to a function which fails where they do not come to hold: `wait_until(lambda: n == 1)` asks
//! for what `assert n == 1` asked for.

use super::alike::key;
use super::idle::Callees;
use super::unit::View;
use crate::facts::{Claim, ClaimKind, Definition, Strength};

/// How code that is handed over starts.
const CODE: &[&str] = &["lambda", "=>", "->", "func() bool", "|| "];

/// Words of functions that fail by themselves, without an assertion.
const FAILS: &[&str] =
    &["raise", "throw", "panic", "Fatal", "Fatalf", "fail", "reject", "AssertionError", "TimeoutError"];

/// Nobody waits more often in one test; each lost assertion is looked for in all of them.
const MOST: usize = 200;

/// The lines of the after side that hand a condition to such a function, without white space.
pub struct Waits(Vec<String>);

impl Waits {
    pub fn of(after: &View<'_>, callees: &Callees<'_>) -> Self {
        let hands_over = |line: &String| CODE.iter().any(|start| line.contains(start));
        let waits = |line: &String| {
            let code = line.trim().trim_start_matches("await ").trim_start_matches("self.");
            let name = code.split_once('(').map_or("", |(name, _)| name);
            callees.named(name).iter().any(|function| fails(function))
        };
        let lines = after.file.lines(after.span).map(|line| line.into_owned());
        Self(lines.filter(hands_over).filter(waits).take(MOST).map(|line| key(&line)).collect())
    }

    /// Whether one of them waits for what a claim said.
    pub fn ask(&self, lost: &Claim) -> bool {
        if self.0.is_empty() || lost.negated || lost.kind != ClaimKind::Value || lost.subject.is_empty() {
            return false;
        }
        let subject = key(&lost.subject);
        let forms = match lost.expected.as_deref().map(key) {
            Some(expected) => ["==", "===", "is", "<", "<=", ">", ">="]
                .map(|sign| format!("{subject}{sign}{expected}"))
                .to_vec(),
            None if lost.strength <= Strength::NotNull => vec![subject],
            None => return false,
        };
        self.0.iter().any(|line| forms.iter().any(|form| line.contains(form)))
    }
}

fn fails(function: &Definition) -> bool {
    FAILS.iter().any(|word| function.words.contains(word))
}
