//! What the keys of a checker say by their words, where no table knows them.
//!
//! Nobody lists the keys of all linters. Most of them say what they are: a list of what is left out or looked at, a
//! ceiling or a floor, a switch that makes a check or leaves one undone, the level at which something counts. Read so
//! are only files and sections of tools that do nothing but check. Sizes, names and styles are left to taste.

use super::document::{Document, Entry};
use super::settings::{AS_ERROR, Row, number};
use super::words::words_of;
use super::{braces, toml, yaml};
use crate::facts::{About, Ground, ProjectFacts, Setting, SettingValue};

/// Words for lists of what is passed over.
const LEFT_OUT: &[&str] = &[
    "ignore",
    "ignored",
    "ignores",
    "exclude",
    "excludes",
    "excluded",
    "exclusion",
    "exclusions",
    "skip",
    "skips",
    "skipped",
    "omit",
    "disable",
    "disabled",
    "suppress",
    "suppressed",
    "suppressions",
    "whitelist",
    "allowlist",
    "exceptions",
    "exempt",
];

/// Words for lists of what is looked at, or not allowed.
const LOOKED_AT: &[&str] = &[
    "enable",
    "enabled",
    "select",
    "include",
    "includes",
    "included",
    "checks",
    "extends",
    "plugins",
    "files",
    "paths",
    "opt",
    "signatures",
    "disallowed",
    "banned",
    "forbidden",
    "deny",
];

/// First words of switches that make a check, and of those that leave one undone.
const MAKES: &[&str] = &[
    "strict", "fail", "fails", "forbid", "disallow", "check", "checks", "deny", "require", "requires",
    "enforce", "break", "error", "errors", "validate", "verify", "enabled", "active", "include",
];
const LEAVES_UNDONE: &[&str] = &["ignore", "allow", "skip", "disable", "exclude", "silent", "quiet"];

/// Words in the names of numbers that may not grow, and of those that may not fall.
const CEILINGS: &[&str] = &["max", "maximum", "threshold", "complexity", "retries", "limit"];
const FLOORS: &[&str] = &["min", "minimum", "under", "level"];

/// Least sizes from which on something is a problem: the larger they are, the less is found.
const FROM: &[&str] = &["complexity", "confidence", "occurrences", "similarity", "len", "length", "lines"];

/// What has nothing to do with how much is found: time, room, taste.
const TASTE: &[&str] = &[
    "line",
    "len",
    "length",
    "width",
    "timeout",
    "time",
    "workers",
    "parallel",
    "jobs",
    "depth",
    "indent",
    "words",
    "word",
    "names",
    "name",
    "version",
    "concurrency",
    "size",
    "licenses",
    "comments",
];

/// Levels at which a rule counts, the mildest first.
const LEVELS: &[&[&str]] = &[
    &["off", "none", "ignore", "allow", "disable", "disabled", "never"],
    &["info", "information", "hint", "refactor", "convention", "warn", "warning"],
    &["error", "deny", "forbid", "fatal", "critical"],
];

/// The least level that fails a run: the higher it is, the less does.
const FROM_LEVEL: &[&str] = &["failure-threshold", "violationSeverity", "fail-on", "fail-level", "failOn"];

/// From how sure on a problem counts.
const CONFIDENCE: &[&str] = &["low", "medium", "default", "high"];

/// What a file of a checker says; `known` are the keys that have a table of their own.
pub fn settings(document: &Document, known: &[Row]) -> Vec<Setting> {
    let open = document.entries.iter().filter(|entry| !known.iter().any(|row| entry.is(row.pattern)));
    open.flat_map(of_entry).collect()
}

pub fn yaml_file(text: &str) -> ProjectFacts {
    of(&yaml::read(text))
}

pub fn toml_file(text: &str) -> ProjectFacts {
    of(&toml::read(text))
}

/// JSON, code, or YAML in a file without an ending.
pub fn any_file(text: &str) -> ProjectFacts {
    of(&any(text))
}

/// A file of one of several forms: YAML begins with a key or a list, and may have braces in its values.
pub fn any(text: &str) -> Document {
    let is_idle = |line: &&str| line.is_empty() || line.starts_with('#') || *line == "---";
    let first = text.lines().map(str::trim).find(|line| !is_idle(line)).unwrap_or_default();
    let name = first.split_once(':').filter(|(_, value)| value.is_empty() || value.starts_with(' '));
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '@' | '"' | '\'');
    let is_key = name.is_some_and(|(name, _)| !name.is_empty() && name.chars().all(is_part));
    let is_yaml = is_key || first.starts_with('-') || !text.contains('{');
    if is_yaml { yaml::read(text) } else { braces::read(text) }
}

fn of(document: &Document) -> ProjectFacts {
    ProjectFacts { ground: Ground::Runner, settings: settings(document, &[]), ..ProjectFacts::default() }
}

/// What one value says.
pub fn of_entry(entry: &Entry) -> Vec<Setting> {
    let text = entry.value.trim();
    if text.is_empty() || text.starts_with("...") || text.contains(['$', '\n']) {
        return Vec::new();
    }
    let key = entry.keys().collect::<Vec<_>>().join(".");
    let setting = |end: &str, value| Setting {
        about: About::Checkers,
        key: format!("{key}{end}"),
        line: entry.line,
        value,
    };
    let words = words_of(entry.name());
    if let Some(value) = numbered(entry, &words, text) {
        return vec![setting("", SettingValue::Demands(value))];
    }
    if let Some(is_on) = switch(text) {
        return switched(entry, &words, is_on).map(|value| setting("", value)).into_iter().collect();
    }
    let is_item = entry.path.last().is_some_and(|key| key.starts_with('#'));
    if let Some(level) = level(text).filter(|_| !is_item) {
        let of_rule = setting("", SettingValue::Loose(level == 0));
        let as_error = setting(AS_ERROR, SettingValue::Loose(level < 2));
        return if level == 0 { vec![of_rule] } else { vec![of_rule, as_error] };
    }
    listed(entry, &words, text).into_iter().map(|value| setting("", value)).collect()
}

fn has(words: &[String], known: &[&str]) -> bool {
    words.iter().any(|word| known.contains(&word.as_str()))
}

fn level(text: &str) -> Option<usize> {
    LEVELS.iter().position(|names| names.iter().any(|name| name.eq_ignore_ascii_case(text)))
}

/// What is demanded at least, with ceilings below nothing.
fn numbered(entry: &Entry, words: &[String], text: &str) -> Option<f64> {
    if FROM_LEVEL.contains(&entry.name()) {
        return level(text).map(|level| -(level as f64) - 1.0);
    }
    if entry.name() == "threshold"
        && let Some(rank) = CONFIDENCE.iter().position(|name| name.eq_ignore_ascii_case(text))
    {
        return Some(-(rank as f64));
    }
    let number = number(text)?;
    if has(words, &["min", "minimum"]) && has(words, FROM) {
        return Some(-number);
    }
    let all: Vec<String> = entry.keys().flat_map(words_of).collect();
    let bare = |known: &[&str]| has(words, known) && !has(&all, TASTE);
    match () {
        () if bare(CEILINGS) || entry.name() == "Max" => Some(-number),
        () if bare(FLOORS) => Some(number),
        () => None,
    }
}

fn switch(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "yes" | "enable" => Some(true),
        "false" | "no" => Some(false),
        _ => None,
    }
}

/// A switch that makes a check counts by being on, one that leaves something undone by being turned.
fn switched(entry: &Entry, words: &[String], is_on: bool) -> Option<SettingValue> {
    let first = words.first()?.as_str();
    if has(words, TASTE) {
        return None;
    }
    let says_strict = has(words, &["strict", "fail"]);
    if MAKES.contains(&first) || says_strict && !LEAVES_UNDONE.contains(&first) {
        // Every rule has an `Enabled` of its own.
        let what: Vec<&str> = entry.keys().rev().take(2).collect();
        let what = what.into_iter().rev().collect::<Vec<_>>().join(".");
        return is_on.then_some(SettingValue::Insists(what));
    }
    LEAVES_UNDONE.contains(&first).then_some(SettingValue::Loose(is_on))
}

/// Entries of a list, which may be written in one value.
fn listed(entry: &Entry, words: &[String], text: &str) -> Vec<SettingValue> {
    let above: Vec<String> = entry.keys().rev().nth(1).map(words_of).unwrap_or_default();
    let lets_in = has(words, &["allow"]) && has(words, &["git", "registry"]);
    let left_out = lets_in || has(words, LEFT_OUT) || has(&above, LEFT_OUT);
    let looked_at = has(words, LOOKED_AT) || has(&above, &["disallowed", "banned", "deny"]);
    let is_reason =
        matches!(entry.name(), "reason" | "justification" | "description" | "comment" | "message");
    if has(words, TASTE) || is_reason || !(left_out || looked_at) {
        return Vec::new();
    }
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned);
    let value = |part| match left_out {
        true => SettingValue::LeavesOut(part),
        false => SettingValue::Selects(part),
    };
    parts.map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_say_what_they_mean() {
        for (text, expected) in [
            ("ignored:\n  - DL3008\n", "ignored -DL3008"),
            ("opt_in_rules:\n  - force_unwrapping\n", "opt_in_rules +force_unwrapping"),
            ("maxIssues: 3\n", "maxIssues >-3"),
            ("level: 8\n", "level >8"),
            ("gocyclo:\n  min-complexity: 15\n", "gocyclo.min-complexity >-15"),
            ("errcheck:\n  check-blank: true\n", "errcheck.check-blank !errcheck.check-blank"),
            ("errcheck:\n  check-blank: false\n", ""),
            ("ignoreFailures: true\n", "ignoreFailures ~true"),
            ("max-line-length: 88\nline-length: 3\nignore-words-list: a\ntimeout: 5m\n", ""),
            ("unused: warn\n", "unused ~false, unused as an error ~true"),
        ] {
            let show = |setting: Setting| match setting.value {
                SettingValue::LeavesOut(what) => format!("{} -{what}", setting.key),
                SettingValue::Selects(what) => format!("{} +{what}", setting.key),
                SettingValue::Demands(number) => format!("{} >{number}", setting.key),
                SettingValue::Loose(loose) => format!("{} ~{loose}", setting.key),
                SettingValue::Insists(what) => format!("{} !{what}", setting.key),
            };
            let shown: Vec<String> = yaml_file(text).settings.into_iter().map(show).collect();
            assert_eq!(shown.join(", "), expected, "{text}");
        }
    }
}
