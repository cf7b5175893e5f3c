//! What linters and type checkers are told to pass over on the command line: rules, error codes, files, packages.

use super::settings::{Row, Shape};
use crate::facts::{About, Setting, SettingValue};

/// Options of tools of any kind whose value is passed over.
const OPTIONS: &[&str] = &[
    "--ignore",
    "--extend-ignore",
    "--disable",
    "--exclude",
    "--extend-exclude",
    "--exclude-features",
    "--disable-error-code",
    "--skip",
    "--except",
    "--ignore-pattern",
    "--ignore-words-list",
    "--exclude-dir",
    "--skip-files",
    "--skip-dirs",
];

/// The same by one letter, which means something else for others.
const LETTERS: &[(&str, &str)] =
    &[("shellcheck", "-e"), ("bandit", "-s"), ("golangci-lint", "-D"), ("codespell", "-S")];

/// Options that take no value with one tool.
const PLAIN: &[(&str, &str)] = &[("eslint", "--ignore")];

/// Switches of one tool after which it looks at less.
const SWITCHES: &[(&str, &str)] = &[
    ("cargo ", "--ignore-private"),
    ("mypy", "--ignore-missing-imports"),
    ("mypy", "--no-strict-optional"),
    ("mypy", "--follow-imports=skip"),
    ("mypy", "--follow-imports=silent"),
    ("eslint", "--quiet"),
    ("golangci-lint", "--new"),
    ("golangci-lint", "--tests=false"),
];

/// Programs that look at code and are told so by options like these.
const LINTERS: &[&str] = &[
    "flake8",
    "pylint",
    "pycodestyle",
    "pydocstyle",
    "ruff",
    "mypy",
    "dmypy",
    "pyright",
    "eslint",
    "oxlint",
    "stylelint",
    "standard",
    "golangci-lint",
    "staticcheck",
    "revive",
    "shellcheck",
    "yamllint",
    "hadolint",
    "bandit",
    "rubocop",
    "codespell",
    "vulture",
    "cargo clippy",
    "cargo check",
    "cargo build",
    "cargo doc",
    "cargo semver-checks",
    "cargo udeps",
    "cargo machete",
];

/// Options that take no value, behind which paths may stand.
const FLAGS: &[&str] =
    &["--strict", "--quiet", "--fix", "--cache", "--check", "--no-cache", "--pretty", "check", "run"];

/// Linters that are told what to look at by paths behind their options.
const SCOPED: &[&str] =
    &["eslint", "flake8", "pylint", "mypy", "ruff", "pycodestyle", "pydocstyle", "stylelint", "bandit"];

/// Folders and files that a linter is told to look at; `.` is everything.
fn scope(signature: &str, words: &[String], line: u32) -> Vec<Setting> {
    let program = |word: &String| word.rsplit('/').next() == Some(signature);
    let Some(start) = words.iter().position(program).filter(|_| SCOPED.contains(&signature)) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut before = "check";
    for word in words[start + 1..].iter().map(String::as_str) {
        let is_value = before.starts_with('-') && !before.contains('=') && !FLAGS.contains(&before);
        let is_path = !word.starts_with('-') && !FLAGS.contains(&word) && !word.contains(['=', '$', ',']);
        if is_path && !is_value {
            let path = if word == "." { "**" } else { word };
            found.push(Setting {
                about: About::Lint,
                key: format!("{signature} paths"),
                line,
                value: SettingValue::Selects(path.trim_matches(['"', '\'']).to_owned()),
            });
        }
        before = word;
    }
    found
}

/// `cargo deny check licenses`: the one kind of problems that is looked for.
fn kinds(signature: &str, words: &[String], line: u32) -> Vec<Setting> {
    let Some(at) = words.iter().position(|word| word == "check").filter(|_| signature == "cargo deny") else {
        return Vec::new();
    };
    let kinds = words[at + 1..].iter().filter(|word| !word.starts_with('-') && *word != "all");
    let setting = |word: &String| Setting {
        about: About::Checkers,
        key: "cargo deny.includes".to_owned(),
        line,
        value: SettingValue::Selects(word.clone()),
    };
    kinds.map(setting).collect()
}

pub fn settings(signature: &str, words: &[String], line: u32) -> Vec<Setting> {
    let kinds = kinds(signature, words, line);
    if !LINTERS.contains(&signature) {
        return kinds;
    }
    let mut found = scope(signature, words, line);
    let left_out = |option: &str, what: &str| Setting {
        about: About::Lint,
        key: format!("{signature} {option}"),
        line,
        value: SettingValue::LeavesOut(what.to_owned()),
    };
    let mut rest = words.iter().map(String::as_str).peekable();
    while let Some(word) = rest.next() {
        let (option, given) = match word.split_once('=') {
            Some((option, value)) => (option, Some(value)),
            None => (word, None),
        };
        let is_option = OPTIONS.contains(&option) && !PLAIN.contains(&(signature, option));
        if is_option || LETTERS.contains(&(signature, option)) {
            let value = given.or_else(|| rest.next_if(|next| !next.starts_with('-'))).unwrap_or_default();
            let parts =
                value.trim_matches(['"', '\'']).split(',').map(str::trim).filter(|part| !part.is_empty());
            found.extend(parts.map(|part| left_out(option, part)));
        } else if signature == "cargo clippy" && matches!(option, "-A" | "--allow") {
            found.extend(given.or_else(|| rest.next()).map(|lint| left_out("-A", lint)));
        } else if SWITCHES.iter().any(|(tool, switch)| signature.starts_with(tool) && *switch == word) {
            found.push(Setting {
                about: About::Lint,
                key: format!("{signature} {word}"),
                line,
                value: SettingValue::Loose(true),
            });
        }
    }
    found
}

/// `.yamllint`: rules that are switched off, and files that a rule passes over.
pub const YAMLLINT: &[Row] = &[
    super::settings::row("rules.*", About::Lint, Shape::Loose(&["disable"])),
    super::settings::row("rules.*.ignore", About::Lint, Shape::LeavesOut),
    super::settings::row("ignore", About::Lint, Shape::LeavesOut),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_linters_pass_over_is_read() {
        for (signature, text, expected) in [
            ("flake8", "flake8 --ignore=E501,F401 src", "flake8 paths --ignore=E501 --ignore=F401"),
            ("cargo check", "cargo check --workspace --exclude a --locked", "--exclude=a"),
            ("shellcheck", "shellcheck -e SC2034 a.sh", "-e=SC2034"),
            ("mypy", "mypy -e x src", "mypy paths"),
            ("cargo clippy", "cargo clippy -- -D warnings -A clippy::all", "-A=clippy::all"),
            ("pytest", "pytest --ignore a", ""),
        ] {
            let words = crate::shell::commands(text).concat();
            let show = |setting: Setting| match setting.value {
                SettingValue::LeavesOut(what) => {
                    format!("{}={what}", setting.key.rsplit(' ').next().unwrap())
                }
                _ => setting.key,
            };
            let shown: Vec<String> = settings(signature, &words, 1).into_iter().map(show).collect();
            assert_eq!(shown.join(" "), expected, "{text}");
        }
    }
}
