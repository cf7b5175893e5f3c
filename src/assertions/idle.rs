//! Lines of a test that compute and compare without asserting anything: what moved there is no longer asked for.

use std::cell::RefCell;

use crate::collections::HashMap;
use crate::comparison::FileSide;
use crate::facts::{Assertion, Definition, DefinitionKind, Strength};

/// Calls that only show what they are given.
const SHOWS: &[&str] = &[
    "print(",
    "pprint(",
    "console.log(",
    "console.info(",
    "console.debug(",
    "console.assert(",
    "t.Log(",
    "t.Logf(",
    "fmt.Print",
    "log.Print",
    "println!(",
    "eprintln!(",
    "dbg!(",
    "System.out.print",
    "logger.",
    "logging.",
    "log.",
];

/// Words with which a line does more than compare.
const DOES: &[&str] = &[
    "assert", "if", "elif", "else", "while", "for", "return", "expect", "with", "await", "yield", "raise",
    "throw", "match", "switch", "case", "require", "should", "when", "until", "t", "verify", "wait",
];

/// Whether nothing that the line says can make the test fail.
pub fn is_idle(line: &str, callees: &Callees<'_>) -> bool {
    let line = line.trim();
    shows(line) || is_bare_comparison(line) || callees.are_idle(line)
}

/// Whether a line only shows what it is given.
pub fn shows(line: &str) -> bool {
    SHOWS.iter().any(|call| line.trim().starts_with(call))
}

/// `total(cart) == 12`, alone or given to a name.
fn is_bare_comparison(line: &str) -> bool {
    let first = line.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default();
    !DOES.contains(&first) && !line.ends_with(['{', ',', ':', '(', '[', '&', '|', '>']) && compares(line)
}

/// Whether the line compares outside of all brackets and quotes.
fn compares(line: &str) -> bool {
    let (mut depth, mut quote, mut last) = (0_i32, None, ' ');
    for c in line.chars() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, '=') if depth == 0 && matches!(last, '=' | '!') => return true,
            _ => {}
        }
        last = c;
    }
    false
}

/// Functions whose code is at hand, by name: a line that only calls one of them asks for what it asks for.
#[derive(Default)]
pub struct Callees<'a> {
    functions: HashMap<&'a str, Vec<&'a Definition>>,
    /// Those that assert, through which others may.
    asserting: Vec<&'a Definition>,
    known: RefCell<HashMap<String, bool>>,
}

impl<'a> Callees<'a> {
    pub fn of(sides: impl Iterator<Item = &'a FileSide>) -> Self {
        let mut callees = Self::default();
        let definitions = sides.flat_map(|side| &side.facts.definitions);
        for function in definitions.filter(|found| found.kind == DefinitionKind::Function) {
            callees.functions.entry(&function.name).or_default().push(function);
            callees.asserting.extend((!function.assertions.is_empty()).then_some(function));
        }
        callees
    }

    /// The functions of a name.
    pub fn named(&self, name: &str) -> &[&'a Definition] {
        self.functions.get(name).map_or(&[], Vec::as_slice)
    }

    /// Whether the line calls a function that asks for nothing exact, be it by way of another.
    fn are_idle(&self, line: &str) -> bool {
        let line = line.trim_start_matches("await ").trim_start_matches("self.").trim_start_matches("this.");
        let Some((name, _)) = line.split_once('(') else { return false };
        let Some(called) = self.functions.get(name) else { return false };
        let mut known = self.known.borrow_mut();
        *known.entry(name.to_owned()).or_insert_with(|| !called.iter().any(|function| self.asks(function)))
    }

    fn asks(&self, function: &Definition) -> bool {
        let calls = |other: &&Definition| is_exact(other) && function.words.contains(&other.name);
        is_exact(function) || self.asserting.iter().copied().any(|other| calls(&other))
    }
}

/// Whether one of its assertions is content with nothing but the right value.
fn is_exact(function: &Definition) -> bool {
    let exact = |one: &Assertion| one.reach.counts() && one.claim.strength >= Strength::Approximate;
    function.assertions.iter().any(exact)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_that_nobody_asks_for_are_idle() {
        for line in ["total([10]) == 12", "ok = total(cart) == 12", "f(x) != 'a'", "got === want;"] {
            assert!(is_bare_comparison(line), "{line}");
        }
    }

    #[test]
    fn what_asks_is_not() {
        for line in [
            "assert total([10]) == 12",
            "if got != want {",
            "wait_for(lambda: total() == 12)",
            "expect(total() === 12).toBe(true)",
            "name = 'a == b'",
            "for x in y:",
            "total = 12",
            "x == 1,",
        ] {
            assert!(!is_bare_comparison(line), "{line}");
        }
    }
}
