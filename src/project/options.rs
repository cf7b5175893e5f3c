//! What the options of a checking command let pass, leave out or demand.

use super::{linted, selection, strictness};
use crate::facts::{About, Setting, SettingValue};

/// Options that make a check pass whatever it finds.
const BYPASSES: &[&str] = &[
    "--passWithNoTests",
    "--pass-with-no-tests",
    "--exit-zero",
    "--no-verify",
    "--fail-never",
    "--no-run",
    "--collect-only",
    "--co",
    "--suppress-no-test-exit-code",
    "--soft-fail",
    "--no-fail",
    "--skip-tests",
    "-DskipTests",
    "-DskipITs",
    "-DskipUTs",
    "-Dmaven.test.skip",
    "-Dmaven.test.failure.ignore",
    "-Dmaven.test.skip.exec",
    "-DtestFailureIgnore",
    "-fn",
    "--issues-exit-code=0",
    "--updateSnapshot",
    "--update-snapshots",
];

/// Options that leave out what did not change, or what takes long.
const NOT_ALL: &[&str] = &["--onlyChanged", "--lastCommit", "--changed", "--findRelatedTests", "-short"];

/// Options whose value is left out, and what that is about.
const LEAVE_OUT: &[(&str, About)] = &[
    ("--ignore", About::Tests),
    ("--ignore-glob", About::Tests),
    ("--deselect", About::Tests),
    ("--skip", About::Tests),
    ("-skip", About::Tests),
    ("--exclude", About::Tests),
    ("--testPathIgnorePatterns", About::Tests),
    ("--ignore-filename-regex", About::Coverage),
    ("--exclude-files", About::Coverage),
    ("--omit", About::Coverage),
    ("--coveragePathIgnorePatterns", About::Coverage),
    ("--ignore-vuln", About::Audit),
];

/// Options whose value is the least coverage that is enough.
const DEMANDS: &[&str] = &[
    "--cov-fail-under",
    "--fail-under",
    "--fail-under-lines",
    "--fail-under-functions",
    "--fail-under-regions",
    "--min-coverage",
    "--cover-min-percentage",
    "--check-coverage-lines",
];

/// Thresholds of nyc and c8, which are only meant where they check.
const CHECKED: &[&str] = &[
    "--lines",
    "--branches",
    "--functions",
    "--statements",
    "--line",
    "--branch",
    "--function",
    "--statement",
];

/// Options that let a test runner measure coverage.
const MEASURE: &[&str] = &["--cov", "--coverage", "-cover", "-coverprofile", "--collectCoverage"];

/// Programs by which tests are run that others measure.
const TESTED_WITH: &[&str] = &[
    "mocha", "_mocha", "jest", "vitest", "ava", "tap", "tape", "jasmine", "node", "npm", "yarn", "pnpm",
    "npx",
];

pub fn bypasses(words: &[String]) -> Vec<String> {
    let is_off = |word: &str| word.ends_with("=false");
    let mut found: Vec<String> = words
        .iter()
        .filter(|word| !is_off(word))
        .filter(|word| {
            BYPASSES.contains(&word.split('=').next().unwrap_or_default())
                || BYPASSES.contains(&word.as_str())
        })
        .cloned()
        .collect();
    let excluded = words.windows(2).filter(|pair| pair[0] == "-x" && is_gradle(words));
    found.extend(excluded.filter(|pair| pair[1].to_lowercase().contains("test")).map(|pair| pair.join(" ")));
    found
}

fn is_gradle(words: &[String]) -> bool {
    words.first().is_some_and(|program| program.contains("gradle"))
}

/// What the options say, each under `<signature> <option>`.
pub fn settings(signature: &str, words: &[String], line: u32) -> Vec<Setting> {
    let checks = words.iter().any(|word| word == "--check-coverage" || word == "check-coverage");
    let mut found = Vec::new();
    let mut rest = words.iter().map(String::as_str).peekable();
    let mut is_outer = matches!(signature, "nyc" | "c8");
    while let Some(word) = rest.next() {
        let (option, given) = match word.split_once('=') {
            Some((option, value)) => (option, Some(value)),
            None => (word, None),
        };
        is_outer &= !TESTED_WITH.contains(&word);
        let kind = match option {
            // What measures has the option before what it measures.
            "--exclude" if is_outer => Some((About::Coverage, leaves_out as Read)),
            _ => kind_of(option, signature, checks),
        };
        let Some((about, read)) = kind else { continue };
        let Some(value) = given.or_else(|| rest.peek().copied()) else { continue };
        let key = format!("{signature} {option}");
        if let Some(value) = read(value.trim_matches(['"', '\''])) {
            found.push(Setting { about, key, line, value });
        }
    }
    found.extend(selection::settings(signature, words, line));
    found.extend(strictness::settings(signature, words, line));
    found.extend(strictness::skipped(signature, words, line));
    found.extend(linted::settings(signature, words, line));
    found.extend(measures(signature, words).then(|| Setting {
        about: About::Coverage,
        key: format!("{signature} coverage"),
        line,
        value: SettingValue::Insists("coverage".to_owned()),
    }));
    let partly = words.iter().filter(|word| NOT_ALL.contains(&word.as_str()) && is_runner(signature));
    found.extend(partly.map(|option| Setting {
        about: About::Tests,
        key: format!("{signature} {option}"),
        line,
        value: SettingValue::Loose(true),
    }));
    found
}

/// Whether a command measures how much of the code its tests run.
fn measures(signature: &str, words: &[String]) -> bool {
    let name = signature.strip_prefix("run ").unwrap_or_default();
    let by_name = super::words::words_of(name).iter().any(|word| matches!(word.as_str(), "coverage" | "cov"));
    let by_option = || {
        let option = |word: &String| MEASURE.contains(&word.split('=').next().unwrap_or_default());
        (is_runner(signature) || signature == "gotestsum") && words.iter().any(option)
    };
    let by_tool = || words.iter().any(|word| matches!(word.as_str(), "llvm-cov" | "tarpaulin"));
    matches!(signature, "nyc" | "c8" | "coverage run") || by_name || by_option() || by_tool()
}

type Read = fn(&str) -> Option<SettingValue>;

fn kind_of(option: &str, signature: &str, checks: bool) -> Option<(About, Read)> {
    if let Some((_, about)) = LEAVE_OUT.iter().find(|(known, _)| *known == option) {
        // Linters and builds leave things out for reasons of their own.
        let audits = matches!(signature, "cargo audit" | "cargo-audit" | "safety" | "run audit");
        let about = if audits && option == "--ignore" { About::Audit } else { *about };
        let counts = is_runner(signature) || about != About::Tests;
        return counts.then_some((about, leaves_out as Read));
    }
    if DEMANDS.contains(&option) || (checks && CHECKED.contains(&option)) {
        return Some((About::Coverage, demands));
    }
    (matches!(option, "-k" | "-m") && signature == "pytest").then_some((About::Tests, deselects as Read))
}

/// Whether a command runs tests and understands what runners do.
pub fn is_runner(signature: &str) -> bool {
    const RUNNERS: &[&str] = &[
        "pytest",
        "jest",
        "vitest",
        "cargo test",
        "cargo miri",
        "go test",
        "mocha",
        "node --test",
        "tox",
        "nox",
        "coverage run",
        "gotestsum",
        "mvn test",
        "playwright test",
    ];
    RUNNERS.contains(&signature) || signature.starts_with("run test")
}

fn leaves_out(value: &str) -> Option<SettingValue> {
    (!value.is_empty()).then(|| SettingValue::LeavesOut(value.to_owned()))
}

fn demands(value: &str) -> Option<SettingValue> {
    value
        .trim_end_matches('%')
        .parse()
        .ok()
        .filter(|number: &f64| number.is_finite())
        .map(SettingValue::Demands)
}

/// `not slow` leaves something out; what is selected by name is another question.
fn deselects(value: &str) -> Option<SettingValue> {
    value.contains("not ").then(|| SettingValue::LeavesOut(value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        crate::shell::commands(text).concat()
    }

    #[test]
    fn options_that_let_pass_are_told_from_others() {
        for (text, expected) in [
            ("mvn verify -DskipTests", "-DskipTests"),
            ("mvn verify -DskipTests=false", ""),
            ("jest --passWithNoTests --ci", "--passWithNoTests"),
            ("gradle build -x test", "-x test"),
            ("pytest -x test", ""),
        ] {
            assert_eq!(bypasses(&words(text)).join(" "), expected, "{text}");
        }
    }

    #[test]
    fn what_is_left_out_and_demanded_is_read() {
        let text = "pytest --ignore=a --deselect b -k 'not c' -m smoke --cov-fail-under 90";
        let found = settings("pytest", &words(text), 1);
        let keys: Vec<&str> = found.iter().map(|setting| setting.key.as_str()).collect();
        let left_out = ["pytest --ignore", "pytest --deselect", "pytest -k", "pytest --cov-fail-under"];
        assert_eq!(keys[..4], left_out);
        assert_eq!(keys[4..], ["pytest -m"]);
        assert_eq!(found[3].value, SettingValue::Demands(90.0));
        assert!(settings("eslint", &words("eslint --ignore a"), 1).is_empty());
    }
}
