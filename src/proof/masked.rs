//! Commands whose exit code is not that of the tests.

use crate::shell::operators;

/// What in a shell command hides a failure before it, if anything does; also in what it gives another shell.
pub fn hides_exit_code(command: &str) -> Option<&'static str> {
    hidden(command).or_else(|| script(&words(command)).and_then(|script| hidden(&script)))
}

/// The same of a command that is a list of words.
pub fn words_hide_exit_code(words: &[String]) -> Option<&'static str> {
    script(words).and_then(|script| hides_exit_code(&script))
}

const SHELLS: [&str; 6] = ["sh", "bash", "dash", "zsh", "ksh", "ash"];

/// The argument of `sh -c`, behind the settings that the shell is started with.
fn script(words: &[String]) -> Option<String> {
    let is_shell = |word: &String| SHELLS.contains(&word.rsplit('/').next().unwrap_or(word));
    let mut rest = &words[words.iter().position(is_shell)? + 1..];
    let (mut settings, mut is_given) = (String::from("set"), false);
    while let [word, behind @ ..] = rest
        && word.starts_with(['-', '+'])
    {
        rest = behind;
        if word.starts_with("--") {
            continue;
        }
        is_given |= word.starts_with('-') && word.contains('c');
        settings = format!("{settings} {word}");
        // `-o pipefail`
        if let [value, behind @ ..] = rest
            && word.ends_with('o')
        {
            settings = format!("{settings} {value}");
            rest = behind;
        }
    }
    rest.first().filter(|_| is_given).map(|script| format!("{settings}\n{script}"))
}

/// The words of a command without their quotes. Operators separate words, too.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some('"') | None, '\\') => word.get_or_insert_default().extend(chars.next()),
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() || ";&|()".contains(c) => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

fn hidden(command: &str) -> Option<&'static str> {
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
            ("sh -c 'pytest || true'", Some("||")),
            ("cd a && exec /bin/bash -lc \"pytest | tee log\"", Some("|")),
            ("bash --noprofile -c 'pytest; echo done'", Some(";")),
            ("bash -ec 'pytest; echo done'", None),
            ("bash -eo pipefail -c 'make | cat; pytest'", None),
            ("bash -o pipefail -c 'pytest | tee log'", None),
            ("sh -c 'pytest -k \"a || b\"'", None),
            ("sh run.sh 'a || b'", None),
            ("zsh -c", None),
        ] {
            assert_eq!(hides_exit_code(command), hidden, "{command}");
        }
    }

    #[test]
    fn words_are_looked_into_as_well() {
        let told = |words: &[&str]| {
            words_hide_exit_code(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(told(&["sh", "-c", "pytest || true"]), Some("||"));
        assert_eq!(told(&["env", "A=1", "bash", "-c", "sh -c 'pytest; true'"]), Some(";"));
        assert_eq!(told(&["pytest", "-k", "a || b"]), None);
        assert_eq!(told(&["pytest", "sh"]), None);
    }
}
