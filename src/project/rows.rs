//! On what a pipeline checks: the systems, versions, suites and packages in the matrix of a job, and which of their
//! combinations it leaves out.
//!
//! A system of which another version stays counts as the same.

use std::collections::BTreeMap;

use super::cells::{Cell, cells};
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
    "rvm",
    "rust",
    "toolchain",
    "php",
    "dotnet",
    "channel",
    "msrv",
    "pypy",
];

/// Axes by which the same tests are spread over machines, and what only tells the rows apart.
const SPREAD: &[&str] = &[
    "shard",
    "shards",
    "index",
    "partition",
    "group",
    "chunk",
    "name",
    "title",
    "label",
    "id",
    "flags",
    "cache",
    "key",
    "timeout",
    "artifact",
    "desc",
    "description",
];

/// Those of versions that count upwards, by whole versions or by what stands behind the first dot.
const WHOLE: &[&str] = &["node", "java", "jdk", "dotnet"];
const DOTTED: &[&str] = &["python", "go", "ruby", "rvm", "php"];

/// Words that name no kind of their own.
const EMPTY: &[&str] =
    &["latest", "lts", "current", "stable", "true", "false", "default", "v", "x", "xlarge", "core"];

/// Rows of other axes that fail for reasons of their own.
const UNRELEASED: &[&str] =
    &["nightly", "beta", "dev", "canary", "next", "rc", "alpha", "tip", "head", "experimental"];

/// What the jobs of a file are run on, each under `<job>/<axis>`.
pub fn settings(tree: &Tree<'_>) -> Vec<Setting> {
    let cells = cells(tree);
    let mut found: Vec<Setting> = cells.iter().filter_map(of_cell).collect();
    found.extend(newest(&cells));
    found.extend(excluded(tree));
    found
}

fn key_of(job: &str, axis: &str) -> String {
    if job.is_empty() { axis.to_owned() } else { format!("{job}/{axis}") }
}

/// The newest version in each list of versions, where all of them are numbers.
fn newest(cells: &[Cell<'_>]) -> Vec<Setting> {
    let mut lists: BTreeMap<String, Option<(f64, u32)>> = BTreeMap::new();
    for cell in cells {
        let words = words_of(cell.axis);
        let is = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
        let dotted = is(DOTTED);
        let version = version(cell.value, dotted).map(|version| (version, cell.line));
        // What is only tried out beside the list is called otherwise.
        if !(dotted || is(WHOLE)) || cell.is_row && version.is_none() {
            continue;
        }
        let known = lists.entry(key_of(&cell.job, cell.axis)).or_insert(version);
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

/// Combinations that a matrix leaves out, each as `<axis> <value>, <axis> <value>`.
fn excluded(tree: &Tree<'_>) -> Vec<Setting> {
    let mut rows: BTreeMap<&[String], (Vec<String>, u32, &str)> = BTreeMap::new();
    for entry in tree.document.entries.iter().filter(|entry| !entry.value.is_empty()) {
        let keys: Vec<&str> = entry.keys().collect();
        let job = match keys[..] {
            ["jobs", job, "strategy", "matrix", "exclude", _] => job,
            ["matrix" | "jobs", "exclude", _] => "",
            _ => continue,
        };
        let Some((axis, row)) = entry.path.split_last() else { continue };
        let cell = format!("{axis} {}", entry.value);
        rows.entry(row).or_insert_with(|| (Vec::new(), entry.line, job)).0.push(cell);
    }
    let setting = |(cells, line, job): (Vec<String>, u32, &str)| Setting {
        about: About::Rows,
        key: key_of(job, "exclude"),
        line,
        value: SettingValue::LeavesOut(cells.join(", ")),
    };
    rows.into_values().map(setting).collect()
}

/// A row whose failure is let pass, told at the first of its cells: `<axis> <value>, <axis> <value>`.
pub fn allowed(tree: &Tree<'_>, entry: &Entry) -> Option<Setting> {
    let (_, row) = entry.path.split_last()?;
    let is_row = row.last().is_some_and(|key| key.starts_with('#'));
    let mut cells: Vec<&Entry> = match is_row {
        true => tree.children(row).filter(|cell| !cell.value.is_empty()).collect(),
        false => vec![entry],
    };
    cells.sort_by_key(|cell| cell.line);
    let is_first = cells.first().is_some_and(|first| first.line == entry.line && first.path == entry.path);
    let shown: Vec<String> = cells.iter().map(|cell| format!("{} {}", cell.name(), cell.value)).collect();
    is_first.then(|| Setting {
        about: About::Rows,
        key: "allow_failures".to_owned(),
        line: entry.line,
        value: SettingValue::LeavesOut(shown.join(", ")),
    })
}

fn of_cell(cell: &Cell<'_>) -> Option<Setting> {
    let words = words_of(cell.axis);
    let is = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
    if cell.value.contains(['$', '{', '<']) {
        return None;
    }
    let is_number = cell.value.starts_with(|c: char| c.is_ascii_digit()) && cell.value.len() <= 12;
    let (axis, what) = match system_of(cell) {
        Some(system) => ("os", system.to_owned()),
        // In a list of its own, even a name says what is run.
        None if is(SPREAD) && (cell.is_row || !is(&["name"])) => return None,
        None if is_number || is(VERSIONS) => (cell.axis, cell.value.to_lowercase()),
        None => (cell.axis, kind_of(cell.value)?),
    };
    let key = key_of(&cell.job, axis);
    Some(Setting { about: About::Rows, key, line: cell.line, value: SettingValue::Selects(what) })
}

/// The system that a value names, whatever its axis is called: `vs2017-win2016`, `macOS-13`.
fn system_of(cell: &Cell<'_>) -> Option<&'static str> {
    const AXES: &[&str] = &["os", "runs", "runner", "platform", "image", "system", "vm", "pool", "machine"];
    let lower = cell.value.to_lowercase();
    let named = words_of(cell.axis).iter().any(|word| AXES.contains(&word.as_str()));
    let starts = |name: &str| lower.split(|c: char| !c.is_ascii_alphabetic()).any(|word| word == name);
    const SYSTEMS: &[(&str, &[&str])] = &[
        ("windows", &["windows", "win", "vs"]),
        ("macos", &["macos", "osx", "mac", "darwin"]),
        ("linux", &["ubuntu", "linux"]),
    ];
    let found = SYSTEMS.iter().find(|(_, names)| names.iter().any(|name| starts(name)));
    found.map(|(system, _)| *system).filter(|_| named && !lower.contains([' ', '=']))
}

/// `py` for `py312`; nothing for a plain version, and for what is only tried out.
fn kind_of(value: &str) -> Option<String> {
    if value.contains([' ', ':', '=']) {
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
    Some(words.join("-")).filter(|kind| !kind.is_empty())
}

/// The number of a version as far as it counts, wherever it stands in a value: `3.10`, `py310`, `openjdk11`, `16-ea`.
pub fn version_in(value: &str) -> Option<f64> {
    let start = value.find(|c: char| c.is_ascii_digit())?;
    let name = value[..start].to_lowercase();
    let digits: Vec<&str> = value[start..].split(|c: char| !c.is_ascii_digit()).collect();
    let (first, second) = (digits.first()?, digits.get(1).copied().unwrap_or_default());
    let is_dotted = value[start + first.len()..].starts_with('.') && !second.is_empty();
    // `py310`, `Python38`
    let (major, minor) = match name.ends_with("py") || name.ends_with("python") {
        true if !is_dotted && first.len() > 1 => first.split_at(1),
        _ => (*first, if is_dotted { second } else { "0" }),
    };
    let number = |text: &str| text.get(..text.len().min(6)).and_then(|text| text.parse::<f64>().ok());
    Some(number(major)? + number(minor)? / 10_000.0)
}

#[cfg(test)]
mod tests {
    use super::super::yaml;
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let document = yaml::read(text);
        let show = |setting: Setting| match &setting.value {
            SettingValue::Selects(what) => Some(format!("{}={what}", setting.key)),
            SettingValue::LeavesOut(what) => Some(format!("{}-{what}", setting.key)),
            _ => None,
        };
        settings(&Tree::new(&document)).into_iter().filter_map(show).collect()
    }

    #[test]
    fn rows_of_all_servers_are_read() {
        for (text, expected) in [
            (
                "jobs:\n  test:\n    runs-on: ${{ matrix.os }}\n    strategy:\n      matrix:\n        os: [ubuntu-latest, macOS-13]\n        python-version: ['3.9', 'pypy']\n        suite: [unit, e2e]\n        shard: [1, 2]\n        include:\n          - os: windows-2022\n            suite: nightly\n        exclude:\n          - os: ubuntu-latest\n            suite: e2e\n",
                "test/os=linux test/os=macos test/python-version=3.9 test/python-version=pypy test/suite=unit test/suite=e2e test/os=windows test/exclude-os ubuntu-latest, suite e2e",
            ),
            (
                "strategy:\n  matrix:\n    a:\n      imageName: 'vs2017-win2016'\n    b:\n      python.version: '3.8'\n",
                "os=windows python.version=3.8",
            ),
            (
                "jobs:\n- job: t\n  strategy:\n    matrix:\n      mac:\n        vmImage: macos-12\n",
                "t/os=macos",
            ),
            ("t:\n  parallel:\n    matrix:\n      - DB: [mysql, sqlite]\n", "t/DB=mysql t/DB=sqlite"),
            (
                "workflows:\n  w:\n    jobs:\n      - t:\n          matrix:\n            parameters:\n              version: ['16', '18']\n",
                "t/version=16 t/version=18",
            ),
            ("env:\n  - SUITE=unit\n  - SUITE=e2e TOKEN=$X\nos:\n  - osx\n", "SUITE=unit SUITE=e2e os=macos"),
            ("environment:\n  matrix:\n    - PYTHON: C:\\Python38\n", "PYTHON=c:\\python38"),
        ] {
            assert_eq!(shown(text).join(" "), expected, "{text}");
        }
    }

    #[test]
    fn versions_are_found_wherever_they_stand() {
        for (value, expected) in [
            ("3.10", Some(3.001)),
            ("py310", Some(3.001)),
            ("c:\\python38-x64", Some(3.0008)),
            ("openjdk11", Some(11.0)),
            ("16-ea", Some(16.0)),
            ("v18.x", Some(18.0)),
            ("nightly", None),
        ] {
            assert_eq!(version_in(value), expected, "{value}");
        }
    }
}
