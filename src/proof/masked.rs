//! Commands whose exit code is not that of the tests.

use crate::shell::operators;

/// What in a shell command hides a failure before it, if anything does.
pub fn hides_exit_code(command: &str) -> Option<&'static str> {
    let (settings, command) = split_settings(command);
    let operators = operators(command.trim().trim_end_matches(';'));
    let has = |wanted: &str| operators.contains(&wanted);
    let sets = |option: &str, letter: char| {
        let words = settings.split_whitespace();
        settings.contains(option)
            || words.filter(|word| word.starts_with('-')).any(|word| word.contains(letter))
    };
    if has("||") {
        Some("||")
    } else if (has("|") || has("|&")) && !settings.contains("pipefail") {
        Some("|")
    } else if has("&") {
        Some("&")
    } else if has(";") && !sets("errexit", 'e') {
        Some(";")
    } else {
        None
    }
}

/// The `set ...` commands that a command starts with, and the rest.
fn split_settings(command: &str) -> (&str, &str) {
    let mut rest = command.trim();
    while rest.starts_with("set ") {
        let Some((_, after)) = rest.split_once([';', '\n']) else { break };
        rest = after.trim_start();
    }
    command.trim().split_at(command.trim().len() - rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hides_a_failure_is_named() {
        for (command, hidden) in [
            ("pytest", None),
            ("cd web && npm test", None),
            ("pytest -k 'a || b; c'", None),
            ("pytest 2>&1", None),
            ("pytest &> log", None),
            ("cd web &&\n  npm test", None),
            ("pytest # or: pytest -x; true", None),
            ("pytest |& tee log", Some("|")),
            ("pytest;", None),
            ("set -e; make; pytest", None),
            ("set -o pipefail; pytest | tee log", None),
            ("set -o pipefail; pytest | tee log; rm log", Some(";")),
            ("set -x; pytest | tee pipefail", Some("|")),
            ("set -eo pipefail; pytest | tee log", None),
            ("pytest || true", Some("||")),
            ("pytest | tee log", Some("|")),
            ("pytest; echo done", Some(";")),
            ("pytest\necho done", Some(";")),
            ("pytest & wait", Some("&")),
            ("echo \"it's\" || true", Some("||")),
        ] {
            assert_eq!(hides_exit_code(command), hidden, "{command}");
        }
    }
}
