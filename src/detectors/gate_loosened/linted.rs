//! How bad it is that a linter or another checker is told to look at less.

use super::judging::hides_code;
use crate::detectors::coverage_loosened::harmless::is_harmless;
use crate::detectors::ground::{GroundSide, Loosened};
use crate::facts::{About, Setting, SettingValue};
use crate::finding::Severity;
use crate::paths;
use crate::text::contains;

/// What linters are told: single rules are a matter of taste, whole kinds of problems are not.
pub fn linted(
    before: &GroundSide<'_>,
    setting: &Setting,
    loosened: Loosened<'_>,
) -> Option<(Severity, &'static str)> {
    let silent = ALL_ERRORS.iter().any(|key| setting.key == *key)
        || (setting.key.starts_with("mypy-") && setting.key.ends_with(".ignore_errors"));
    Some(match (loosened, &setting.value) {
        (Loosened::Switched(_), _) if silent => (Severity::Medium, "it is about types"),
        (Loosened::Switched(_), _) if is_of_build(&setting.key) => (Severity::Medium, "the tests still run"),
        (Loosened::GivenUp(_), SettingValue::Insists(what)) if !is_single_lint(what) => {
            (Severity::Medium, "the linter still runs, and fails on less")
        }
        (Loosened::LeftOut(_), SettingValue::LeavesOut(pattern))
            if hides_code(pattern) && pattern.ends_with(['/', '*']) =>
        {
            (Severity::Medium, "it is about what linters look at")
        }
        (Loosened::Switched(_), _) if SILENT.contains(&setting.key.as_str()) => {
            (Severity::Medium, "it is about what linters look at")
        }
        (Loosened::Lowered { .. } | Loosened::Dropped { .. }, _) => {
            (Severity::Medium, "the linter still runs, and fails on less")
        }
        // A rule that is off for some files is nothing to say about tests and what stands aside.
        (Loosened::LeftOut(_), SettingValue::LeavesOut(pattern)) if setting.key.ends_with(" off") => {
            match is_aside(pattern) {
                true => (Severity::Low, "it is about what linters say"),
                false => (Severity::Medium, "the linter still runs, and says less"),
            }
        }
        (Loosened::LeftOut(_), SettingValue::LeavesOut(pattern))
            if setting.key != "differences" && is_harmless(About::Lint, pattern, "") =>
        {
            (Severity::Low, "it is about what linters say")
        }
        // Features of a package leave out each other, and tests are written more freely.
        (Loosened::LeftOut(_), _)
            if ["cargo check --skip", "cargo check --exclude-features"].contains(&setting.key.as_str()) =>
        {
            (Severity::Low, "it is about features")
        }
        (Loosened::LeftOut(_), SettingValue::LeavesOut(rule))
            if setting.key == "exclude-rules" && is_of_tests(rule) =>
        {
            (Severity::Low, "it is about tests")
        }
        // One rule that passes over files of its kind is another thing than a file that is no code.
        (Loosened::LeftOut(_), _)
            if setting.key.starts_with("rules.") && setting.key.ends_with(".ignore") =>
        {
            (Severity::Medium, "the linter still runs, and says less")
        }
        // A file that holds no code is nothing to lint.
        (Loosened::LeftOut(_), SettingValue::LeavesOut(pattern)) if is_no_code(pattern) => {
            (Severity::Low, "it is about what linters say")
        }
        (Loosened::Switched(_), _) if comes_with_its_plugin(before, setting) => {
            (Severity::Low, "what brings the rule is new, too")
        }
        (Loosened::Switched(_), _) if !is_known(before, setting) => {
            (Severity::Medium, "the rule may never have been on")
        }
        _ => (Severity::Medium, "the linter still runs, and says less"),
    })
}

/// Whether a rule is one of a plugin that the settings did not speak of before: `markdown/no-multiple-h1`.
fn comes_with_its_plugin(before: &GroundSide<'_>, setting: &Setting) -> bool {
    let rule = setting.key.rsplit(['.', ' ']).next().unwrap_or_default().trim_start_matches('@');
    rule.split_once('/').is_some_and(|(plugin, _)| !contains(&before.file.text, plugin.as_bytes()))
}

/// Whether a tool is named with another version beside its settings.
pub fn has_other_version(before: &GroundSide<'_>, after: &GroundSide<'_>, setting: &Setting) -> bool {
    let tool =
        setting.key.split(['.', ' ']).find(|part| !matches!(*part, "tool" | "pom")).unwrap_or_default();
    let versions = |side: &GroundSide<'_>| -> Vec<String> {
        let text = String::from_utf8_lossy(&side.file.text);
        let named =
            text.lines().filter(|line| line.contains(tool) && line.contains(|c: char| c.is_ascii_digit()));
        named.map(str::to_owned).collect()
    };
    tool.len() > 1 && versions(before) != versions(after)
}

/// Whether files are no part of the product by their names: tests, scripts, settings, examples.
fn is_aside(pattern: &str) -> bool {
    const WORDS: &[&str] = &[
        "test",
        "spec",
        "script",
        "config",
        "example",
        "bench",
        "doc",
        "stories",
        "e2e",
        "fixture",
        "mock",
        "demo",
        "generated",
        "rc.",
        "tool",
        ".d.ts",
        "playground",
        "vendor",
        "dist",
        "template",
        "cypress",
        "build",
    ];
    let lower = pattern.to_lowercase();
    WORDS.iter().any(|word| lower.contains(word))
}

/// Whether a rule of exclusions is about the files of tests, or about what is generated.
fn is_of_tests(rule: &str) -> bool {
    let paths = rule.split(", ").filter_map(|part| part.strip_prefix("path "));
    let others = ["test", "mock", "example", "generated", "\\.pb\\.", "zz_", "fixture", "bench"];
    let mut found = paths.peekable();
    found.peek().is_some() && found.all(|path| others.iter().any(|other| path.contains(other)))
}

fn is_no_code(pattern: &str) -> bool {
    let name = pattern.trim_end_matches('/').rsplit('/').next().unwrap_or(pattern);
    let is_file = name
        .rsplit_once('.')
        .is_some_and(|(stem, end)| !stem.is_empty() && end.len() <= 5 && !end.contains('*'));
    name.starts_with('.') || is_file && pattern.contains('/') && !paths::is_source(pattern)
}

/// Whether the plugin that a rule belongs to was there before: `markdown/no-html`.
fn is_known(before: &GroundSide<'_>, setting: &Setting) -> bool {
    let name = setting.key.split_once("rules.").map_or(setting.key.as_str(), |(_, name)| name);
    let plugin = name.rsplit_once('/').map(|(plugin, _)| plugin.trim_start_matches('@'));
    plugin.is_none_or(|plugin| crate::text::contains(&before.file.text, plugin.as_bytes()))
}

/// Switches after which a linter passes over the tests, or over everything.
const SILENT: &[&str] = &["run.tests", "run.issues-exit-code"];

/// A part of a build that checks something, and that is skipped by name.
fn is_of_build(key: &str) -> bool {
    key.starts_with("mvn ") || key.starts_with("gradle ") || key.starts_with("pom ")
}

/// `deny dead_code`; not `deny warnings` or `deny clippy::all`.
fn is_single_lint(what: &str) -> bool {
    let lint = what.strip_prefix("deny ").map(|lint| lint.rsplit("::").next().unwrap_or(lint));
    lint.is_some_and(|lint| !matches!(lint, "warnings" | "all" | "pedantic" | "correctness" | "suspicious"))
}

/// Switches that silence a type checker as a whole.
const ALL_ERRORS: &[&str] =
    &["tool.mypy.ignore_errors", "mypy.ignore_errors", "tool.mypy.overrides.ignore_errors"];
