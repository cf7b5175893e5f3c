//! What the Python interpreter itself is told: with optimization, `assert` checks nothing.

use super::command::{self, base_name, is_python};
use super::table::Request;
use crate::runner::suite::CommandLine;

const VARIABLE: &str = "PYTHONOPTIMIZE";

/// Takes the variable away that leaves out every `assert`.
pub fn keep_asserts(request: &Request<'_>) -> Option<(String, String)> {
    let is_set = (request.variable)(VARIABLE).is_some_and(|value| !value.is_empty());
    is_set.then(|| (VARIABLE.to_owned(), String::new()))
}

/// Refuses a command that leaves out every `assert`.
pub fn check_asserts(command: &CommandLine) -> Result<(), String> {
    let parts = command::parts(command);
    match parts.iter().find_map(|part| optimizes(part)) {
        Some(word) => Err(format!("`{word}` in the command makes Python leave out every assert")),
        None => Ok(()),
    }
}

fn optimizes(part: &[String]) -> Option<&str> {
    let words: Vec<&str> = part.iter().map(String::as_str).collect();
    let program = command::program(&words)?;
    let before = &words[..program];
    let sets = |word: &&&str| {
        word.strip_prefix(VARIABLE).is_some_and(|rest| rest.len() > 1 && rest.starts_with('='))
    };
    let flags = before.iter().skip_while(|word| !is_python(base_name(word))).skip(1);
    before.iter().find(sets).or_else(|| flags.into_iter().find(|word| is_flag(word))).copied()
}

/// `-O`, `-OO`, `-bO`; letters behind one that takes a value are the value.
fn is_flag(word: &str) -> bool {
    let letters = word.strip_prefix('-').filter(|rest| !rest.starts_with('-')).unwrap_or_default();
    letters.chars().take_while(|c| !matches!(c, 'W' | 'X' | 'c' | 'm')).any(|c| c == 'O')
}

#[cfg(test)]
mod tests {
    use super::super::table::request_for_tests;
    use super::*;

    fn check(text: &str) -> Result<(), String> {
        check_asserts(&CommandLine::Shell(text.to_owned()))
    }

    #[test]
    fn a_command_without_asserts_is_refused() {
        for text in [
            "python -O -m pytest",
            "python3 -OO -m unittest",
            "uv run python -bO -m pytest -q",
            "cd a && PYTHONOPTIMIZE=1 pytest",
            "env PYTHONOPTIMIZE=2 python -m unittest",
        ] {
            assert!(check(text).unwrap_err().contains("leave out every assert"), "{text}");
        }
    }

    #[test]
    fn other_options_are_none_of_it() {
        for text in [
            "pytest -O",
            "python -m pytest -O",
            "python -W ONCE -m pytest",
            "python -WOnce -XO -m unittest",
            "PYTHONOPTIMIZE= pytest",
            "uv run -O python -m pytest",
        ] {
            assert_eq!(check(text), Ok(()), "{text}");
        }
    }

    #[test]
    fn the_variable_is_taken_away() {
        let command = CommandLine::Shell("pytest".to_owned());
        let set = |value: &'static str| {
            let variable = move |name: &str| (name == VARIABLE).then(|| value.to_owned());
            keep_asserts(&Request { variable: &variable, ..request_for_tests(&command) })
        };
        assert_eq!(set("1"), Some((VARIABLE.to_owned(), String::new())));
        assert_eq!(set(""), None);
    }
}
