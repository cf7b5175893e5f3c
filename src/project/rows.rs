//! On what a pipeline checks: the systems, languages, suites and packages in the matrix of a job.
//!
//! Versions come and go and are left out, but for the newest of each list, which only goes up; a system of which
//! another version stays counts as the same.

use std::collections::BTreeMap;

use super::document::Entry;
use super::pipeline::Tree;
use super::words::words_of;
use crate::facts::{About, Setting, SettingValue};

/// Axes of versions, whatever their values look like.
const VERSIONS: &[&str] = &[
    "version",
    "versions",
    "python",
    "node",
    "java",
    "jdk",
    "go",
    "ruby",
    "rust",
    "toolchain",
    "php",
    "dotnet",
    "channel",
    "msrv",
    "shard",
    "shards",
    "index",
    "partition",
    "group",
    "pypy",
];

/// Those of them that count upwards, by whole versions or by what stands behind the first dot.
const WHOLE: &[&str] = &["node", "java", "jdk", "dotnet"];
const DOTTED: &[&str] = &["python", "go", "ruby", "php"];

/// Words that name no kind of their own.
const EMPTY: &[&str] =
    &["latest", "lts", "current", "stable", "true", "false", "default", "v", "x", "xlarge", "core"];

/// Rows that fail for reasons of their own.
const UNRELEASED: &[&str] =
    &["nightly", "beta", "dev", "canary", "next", "rc", "alpha", "tip", "head", "experimental"];

/// What the jobs of a file are run on, each under `<job>/<axis>`.
pub fn settings(tree: &Tree<'_>) -> Vec<Setting> {
    let entries = || tree.document.entries.iter().filter(|entry| !entry.value.is_empty());
    entries().flat_map(of_entry).chain(newest(entries())).collect()
}

/// The newest version in each list of versions, where all of them are numbers.
fn newest<'d>(entries: impl Iterator<Item = &'d Entry>) -> Vec<Setting> {
    let mut lists: BTreeMap<String, Option<(f64, u32)>> = BTreeMap::new();
    for entry in entries {
        let keys: Vec<&str> = entry.keys().collect();
        let (job, axis, is_more) = match keys[..] {
            ["jobs", job, "strategy", "matrix", axis] => (job, axis, false),
            ["jobs", job, "strategy", "matrix", "include", axis] => (job, axis, true),
            _ => continue,
        };
        let words = words_of(axis);
        let is = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
        let dotted = is(DOTTED);
        let is_listed = is_more || entry.path.last().is_some_and(|key| key.starts_with('#'));
        let version = version(&entry.value, dotted).map(|version| (version, entry.line));
        // What is only tried out beside the list is called otherwise.
        if !(dotted || is(WHOLE)) || !is_listed || is_more && version.is_none() {
            continue;
        }
        let known = lists.entry(format!("{job}/{axis}")).or_insert(version);
        *known = known.zip(version).map(|(one, other)| if other.0 > one.0 { other } else { one });
    }
    let setting = |(key, newest): (String, Option<(f64, u32)>)| {
        let (version, line) = newest?;
        Some(Setting { about: About::Rows, key, line, value: SettingValue::Demands(version) })
    };
    lists.into_iter().filter_map(setting).collect()
}

/// `22.x`, or `3.13` where what is behind the dot counts, as one number that grows with them.
fn version(value: &str, dotted: bool) -> Option<f64> {
    let mut parts = value.trim_start_matches('v').split('.');
    let first = f64::from(parts.next()?.parse::<u16>().ok()?);
    if !dotted {
        return Some(first).filter(|_| parts.all(|part| part == "x" || part.parse::<u16>().is_ok()));
    }
    Some(first + f64::from(parts.next()?.parse::<u16>().ok()?) / 1000.0)
}

fn of_entry(entry: &Entry) -> Option<Setting> {
    let keys: Vec<&str> = entry.keys().collect();
    let (job, axis) = match keys[..] {
        ["jobs", job, "strategy", "matrix", "include", axis] | ["jobs", job, "strategy", "matrix", axis] => {
            (job, axis)
        }
        ["jobs", job, "runs-on"] => (job, "runs-on"),
        // Travis.
        ["os"] => ("", "os"),
        ["matrix" | "jobs", "include", "os"] => ("", "os"),
        _ => return None,
    };
    let is_listed = entry.path.last().is_some_and(|key| key.starts_with('#')) || keys.contains(&"include");
    let is_version = words_of(axis).iter().any(|word| VERSIONS.contains(&word.as_str()));
    if axis == "exclude" || is_version || !(is_listed || matches!(axis, "runs-on" | "os")) {
        return None;
    }
    let what = kind_of(&entry.value)?;
    let key = if job.is_empty() { axis.to_owned() } else { format!("{job}/{axis}") };
    Some(Setting { about: About::Rows, key, line: entry.line, value: SettingValue::Selects(what) })
}

/// `ubuntu` for `ubuntu-22.04`, `py` for `py312`; nothing for a plain version, and for what is only tried out.
fn kind_of(value: &str) -> Option<String> {
    if value.contains(['$', '{', ' ', ':', '=']) {
        return None;
    }
    let lower = value.to_lowercase();
    let words = lower.split(|c: char| !c.is_ascii_alphanumeric());
    let words = words.filter(|word| !word.starts_with(|c: char| c.is_ascii_digit()));
    let words = words.map(|word| word.trim_end_matches(|c: char| c.is_ascii_digit()));
    let words: Vec<&str> = words.filter(|word| word.len() > 1 && !EMPTY.contains(word)).collect();
    if words.iter().any(|word| UNRELEASED.contains(word)) {
        return None;
    }
    // Runners come in sizes and flavours.
    let system =
        ["ubuntu", "macos", "windows", "linux", "osx"].iter().find(|name| words.first() == Some(name));
    system.map(|name| (*name).to_owned()).or_else(|| Some(words.join("-")).filter(|kind| !kind.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::super::yaml;
    use super::*;

    #[test]
    fn systems_and_suites_are_rows_and_versions_are_not() {
        let text = "jobs:\n  test:\n    runs-on: ${{ matrix.os }}\n    strategy:\n      matrix:\n        os: [ubuntu-latest, macOS-13]\n        python-version: ['3.9', 'pypy']\n        suite: [unit, e2e]\n        shard: [1, 2]\n        include:\n          - os: windows-2022\n            suite: nightly\n";
        let document = yaml::read(text);
        let found = settings(&Tree::new(&document));
        let shown: Vec<String> = found
            .iter()
            .map(|setting| match &setting.value {
                SettingValue::Selects(what) => format!("{}={what}", setting.key),
                _ => String::new(),
            })
            .collect();
        assert_eq!(
            shown,
            ["test/os=ubuntu", "test/os=macos", "test/suite=unit", "test/suite=e2e", "test/os=windows"]
        );
    }
}
