//! Lines of a test that compute and compare without asserting anything: what moved there is no longer asked for.

use crate::comparison::FileSide;
use crate::facts::{Definition, DefinitionKind};

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
pub fn is_idle(line: &str, file: &FileSide) -> bool {
    let line = line.trim();
    SHOWS.iter().any(|call| line.starts_with(call)) || is_bare_comparison(line) || calls_idly(line, file)
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

/// Whether the line is a call of a function of the file that asserts nothing, be it by way of another.
fn calls_idly(line: &str, file: &FileSide) -> bool {
    let Some((name, _)) = line.split_once('(') else { return false };
    let functions = || file.facts.definitions.iter().filter(|found| found.kind == DefinitionKind::Function);
    let asserts = |function: &Definition| {
        let calls = |other: &Definition| !other.assertions.is_empty() && function.words.contains(&other.name);
        !function.assertions.is_empty() || functions().any(calls)
    };
    let mut called = functions().filter(|function| function.name == name).peekable();
    called.peek().is_some() && !called.any(asserts)
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
