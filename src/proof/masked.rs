//! Commands whose exit code is not that of the tests.

/// What in a shell command hides a failure before it, if anything does.
pub fn hides_exit_code(command: &str) -> Option<&'static str> {
    let (settings, command) = split_settings(command);
    let operators = operators(command);
    let has = |wanted: &str| operators.contains(&wanted);
    let sets = |option: &str, letter: char| {
        let words = settings.split_whitespace();
        settings.contains(option)
            || words.filter(|word| word.starts_with('-')).any(|word| word.contains(letter))
    };
    if has("||") {
        Some("||")
    } else if has("|") && !settings.contains("pipefail") {
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

/// The operators between commands, quotes and redirections left out; `;` also for a line break.
fn operators(command: &str) -> Vec<&'static str> {
    let mut found = Vec::new();
    let mut chars = command.trim().trim_end_matches(';').chars().peekable();
    let (mut quote, mut before) = (None, ' ');
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some('"') | None, '\\') => drop(chars.next()),
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"' | '`') => quote = Some(c),
            (None, '|' | '&') if chars.peek() == Some(&c) => {
                chars.next();
                found.push(if c == '|' { "||" } else { "&&" });
            }
            (None, '|') if before != '>' => {
                chars.next_if_eq(&'&');
                found.push("|");
            }
            // `2>&1` and `&>file` are no operators.
            (None, '&') if !matches!(before, '>' | '<') && chars.peek() != Some(&'>') => found.push("&"),
            (None, ';' | '\n') => found.push(";"),
            _ => {}
        }
        before = c;
    }
    found
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
