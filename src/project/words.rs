//! What the names of scripts, targets, sessions and jobs say about what they check.

use crate::facts::CheckClass;

/// Words that say what is checked, the more telling class first.
const WORDS: &[(CheckClass, &[&str])] = &[
    (
        CheckClass::Test,
        &[
            "test",
            "tests",
            "spec",
            "specs",
            "e2e",
            "unit",
            "integration",
            "jest",
            "vitest",
            "mocha",
            "karma",
            "pytest",
            "cypress",
            "playwright",
            "smoke",
            "regression",
            "doctest",
            "doctests",
            "unittest",
            "unittests",
            "runtests",
            "testsuite",
            "miri",
            "fuzz",
            "fuzzing",
            "conformance",
            "ctest",
            "coverage",
            "cov",
        ],
    ),
    (CheckClass::Types, &["types", "type", "typecheck", "typing", "tsc", "mypy", "pyright", "flow", "tsd"]),
    (
        CheckClass::Format,
        &[
            "format",
            "formatting",
            "fmt",
            "prettier",
            "black",
            "isort",
            "spell",
            "spelling",
            "typos",
            "cspell",
            "rustfmt",
        ],
    ),
    (
        CheckClass::Audit,
        &[
            "audit",
            "deny",
            "semver",
            "license",
            "licenses",
            "licence",
            "security",
            "codeql",
            "vulnerabilities",
        ],
    ),
    (
        CheckClass::Lint,
        &[
            "lint",
            "linter",
            "linting",
            "lints",
            "eslint",
            "check",
            "checks",
            "clippy",
            "flake8",
            "ruff",
            "pylint",
            "vet",
            "verify",
            "validate",
            "ci",
            "style",
            "checkstyle",
            "analyze",
            "analyse",
            "quality",
            "precommit",
            "biome",
            "golangci",
            "stylelint",
            "oxlint",
            "standard",
        ],
    ),
];

/// Words that turn a name into something else: what prepares, repairs, reports or waits for changes.
const OTHERS: &[&str] = &[
    "watch",
    "fix",
    "update",
    "install",
    "setup",
    "deps",
    "prepare",
    "report",
    "reports",
    "clean",
    "publish",
    "deploy",
    "upload",
    "download",
    "docs",
    "doc",
    "write",
    "debug",
    "dev",
    "serve",
    "server",
    "start",
    "stop",
    "init",
    "image",
    "open",
    "ui",
    "generate",
    "gen",
    "build",
    "compile",
    "data",
    "bench",
    "benchmark",
    "out",
    "env",
    "version",
    "cache",
    "logs",
    "merge",
    "results",
    "changelog",
    "release",
];

/// What something of this name checks, if anything.
pub fn class_of_name(name: &str) -> Option<CheckClass> {
    let words = words_of(name);
    let uploads = |word: &String| matches!(word.as_str(), "codecov" | "coveralls");
    if words.iter().any(uploads) || words.iter().any(|word| word == "coverage") && is_other(&words) {
        return Some(CheckClass::Coverage);
    }
    if is_other(&words) {
        return None;
    }
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    if words.iter().any(|word| is_kind_of_test(word)) {
        return Some(CheckClass::Test);
    }
    WORDS.iter().find(|(_, known)| has(known)).map(|(class, _)| *class)
}

/// Whether a word of a command or a name has to do with checks: `test-cmd`, `lint:fix`, `./verify.sh`.
pub fn says_check(word: &str) -> bool {
    let words = words_of(word);
    let is_check = |word: &String| {
        is_kind_of_test(word) || WORDS.iter().any(|(_, known)| known.contains(&word.as_str()))
    };
    words
        .iter()
        .any(|word| is_check(word) && word != "flow" && word != "type" && word != "ci" && word != "standard")
}

/// Whether a name speaks of what prepares, repairs, reports or waits for changes.
pub fn is_other(words: &[String]) -> bool {
    words.iter().any(|word| OTHERS.contains(&word.as_str()))
}

/// `richtest`, `blackboxtests`; not `latest`.
fn is_kind_of_test(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "latest", "attest", "contest", "fastest", "greatest", "protest", "closest", "newest", "oldest",
        "nearest",
    ];
    let stem = word.strip_suffix('s').unwrap_or(word);
    stem.len() > 4 && stem.ends_with("test") && !WORDS.contains(&stem)
}

/// Lower-case words of a name, also of `camelCase`.
pub fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before_lower = false;
    for c in name.chars() {
        if !c.is_ascii_alphanumeric() || (c.is_ascii_uppercase() && before_lower) {
            words.push(String::new());
        }
        if c.is_ascii_alphanumeric() {
            words.last_mut().into_iter().for_each(|word| word.push(c.to_ascii_lowercase()));
        }
        before_lower = c.is_ascii_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_is_checked() {
        for (name, class) in [
            ("test", Some(CheckClass::Test)),
            ("test:unit", Some(CheckClass::Test)),
            ("runTests", Some(CheckClass::Test)),
            ("type-check", Some(CheckClass::Types)),
            ("format:check", Some(CheckClass::Format)),
            ("lint", Some(CheckClass::Lint)),
            ("lint:fix", None),
            ("test:watch", None),
            ("install-test-deps", None),
            ("latest", None),
            ("start", None),
        ] {
            assert_eq!(class_of_name(name), class, "{name}");
        }
    }
}
