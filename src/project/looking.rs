//! Commands of tools that do many things, and only look at the code where an option tells them to.

use crate::facts::CheckClass::{self, Audit};

/// Programs whose `--check` is about downloads and signatures.
const OTHERS: &[&str] = &[
    "sha256sum",
    "sha512sum",
    "sha1sum",
    "md5sum",
    "shasum",
    "b2sum",
    "gpg",
    "cosign",
    "git",
    "apt",
    "systemctl",
    "docker",
    "kubectl",
    "ansible-playbook",
];

/// What a command looks at because of its options: that lock files and generated code are up to date, and the like.
pub fn of_options(program: &str, rest: &[String]) -> Option<(CheckClass, String)> {
    let has = |wanted: &[&str]| rest.iter().any(|word| wanted.contains(&word.as_str()));
    let verb = rest.iter().map(String::as_str).find(|word| !word.starts_with('-')).unwrap_or_default();
    let checks = match (program, verb) {
        ("git", "diff") => has(&["--exit-code"]),
        ("git", _) => false,
        ("uv", "lock") => has(&["--check", "--locked"]),
        ("poetry" | "pip" | "pip3", "check") => true,
        _ => has(&["--check"]) && !OTHERS.contains(&program) && !program.contains('$'),
    };
    let option = if program == "git" { "--exit-code" } else { "--check" };
    let name = [program, verb.rsplit('/').next().unwrap_or_default(), option];
    let name: Vec<&str> = name.into_iter().filter(|part| !part.is_empty()).collect();
    checks.then(|| (Audit, name.join(" ")))
}

/// Commands that only measure speed.
pub fn is_benchmark(words: &[String]) -> bool {
    if words.windows(2).any(|pair| pair[0].ends_with("vitest") && pair[1] == "bench") {
        return true;
    }
    let runs_none = words.windows(2).any(|pair| pair[0] == "-run" && is_nothing(&pair[1]))
        || words.iter().filter_map(|word| word.strip_prefix("-run=")).any(is_nothing);
    runs_none && words.iter().any(|word| word == "-bench" || word.starts_with("-bench="))
}

/// Names that no test has.
fn is_nothing(pattern: &str) -> bool {
    matches!(pattern.trim_matches(['"', '\'']), "^$" | "NONE" | "XXX" | "^#" | "none" | "^NONE$" | "nothing")
}

#[cfg(test)]
mod tests {
    use super::super::tools::of_command;

    #[test]
    fn options_tell_what_looks_at_the_code() {
        for (text, expected) in [
            ("uv lock --check", Some("uv lock --check")),
            ("uv lock --upgrade", None),
            ("git diff --exit-code", Some("git diff --exit-code")),
            ("git diff --stat", None),
            ("python tools/gen_docs.py --check", Some("gen_docs --check")),
            ("sha256sum --check sums.txt", None),
            ("vitest bench", None),
            ("go test -run=^$ -bench=. ./...", None),
            ("go test -bench . ./...", Some("go test")),
        ] {
            let words = crate::shell::commands(text).concat();
            assert_eq!(of_command(&words).map(|(_, signature)| signature).as_deref(), expected, "{text}");
        }
    }
}
