//! Which files of tests the lists of a runner reach, told by the paths of the repository: whoever replaces one list by
//! another may leave out what still stands there.

use std::borrow::Cow;
use std::collections::BTreeMap;

use globset::{GlobBuilder, GlobMatcher};

use crate::facts::{About, Ground, ProjectFacts, SettingValue, Unreached};
use crate::paths::{PathClass, class_by_name};

/// Longer lists are no work of hands, and compiling them takes long.
const MAX_LIST: usize = 100;

/// How the patterns of a list are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Folders and files of Python.
    Python,
    /// Patterns of the names of its files.
    PythonNames,
    Script,
    /// The same, where a part of a path is enough.
    ScriptParts,
}

impl Kind {
    fn of(key: &str) -> Option<Self> {
        let (command, name) = key.rsplit_once([' ', '.']).unwrap_or(("", key));
        Some(match name {
            "testpaths" => Self::Python,
            "python_files" => Self::PythonNames,
            "testMatch" | "roots" | "include" | "spec" | "specs" => Self::Script,
            "paths" if ["pytest", "coverage run"].iter().any(|it| command.ends_with(it)) => Self::Python,
            "paths" if ["jest", "vitest"].iter().any(|it| command.ends_with(it)) => Self::ScriptParts,
            "paths" if ["mocha", "nyc", "c8", "node --test"].iter().any(|it| command.ends_with(it)) => {
                Self::Script
            }
            _ => return None,
        })
    }

    fn is_python(self) -> bool {
        matches!(self, Self::Python | Self::PythonNames)
    }

    /// Whether a path is a file of tests, by its folder or its name.
    fn is_of_tests(self, path: &str) -> bool {
        let known: &[&str] = match self.is_python() {
            true => &["py"],
            false => &["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts"],
        };
        let is_known = path.rsplit_once('.').is_some_and(|(_, extension)| known.contains(&extension));
        is_known && class_by_name(path) == PathClass::Test
    }

    /// Whether it has a name by which the runner finds it.
    fn is_named(self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        match self.is_python() {
            true => stem.starts_with("test_") || stem.ends_with("_test"),
            false => stem.ends_with(".test") || stem.ends_with(".spec"),
        }
    }
}

/// The patterns of one list, ready to be asked.
struct List {
    kind: Kind,
    patterns: Vec<(String, Option<GlobMatcher>)>,
}

impl List {
    /// Nothing for patterns of which only a run can tell what they match.
    fn of(kind: Kind, patterns: &[&str]) -> Option<Self> {
        if patterns.len() > MAX_LIST {
            return None;
        }
        let read = |pattern: &&str| {
            // A word alone may be the name of a variable.
            let is_told = kind.is_python()
                || pattern.contains(['/', '.', '*'])
                || matches!(*pattern, "test" | "tests" | "spec" | "specs");
            let plain = plain(pattern);
            if !is_told || plain.contains(['$', '(', '|', '\\', '^', '!', '<']) {
                return None;
            }
            let glob = || {
                let glob = GlobBuilder::new(&plain).literal_separator(true).empty_alternates(true).build();
                glob.ok().map(|glob| glob.compile_matcher())
            };
            let matcher = plain.contains(['*', '?', '[', '{']).then(glob);
            match matcher {
                Some(None) => None,
                matcher => Some((plain.into_owned(), matcher.flatten())),
            }
        };
        let patterns = patterns.iter().map(read).collect::<Option<_>>()?;
        Some(Self { kind, patterns })
    }

    fn has(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        self.patterns.iter().any(|(pattern, matcher)| match (self.kind, matcher) {
            (Kind::PythonNames, Some(matcher)) => matcher.is_match(name) || matcher.is_match(path),
            (_, Some(matcher)) => {
                // A folder that is matched has all below it.
                path.match_indices('/').any(|(at, _)| matcher.is_match(&path[..at])) || matcher.is_match(path)
            }
            (Kind::PythonNames, None) => name == pattern,
            (Kind::ScriptParts, None) if path.contains(pattern.as_str()) => true,
            _ => {
                let file = pattern.split("::").next().unwrap_or(pattern);
                matches!(file, "" | ".")
                    || path.strip_prefix(file).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            }
        })
    }
}

/// A pattern as one of paths below the folder of its file.
fn plain(pattern: &str) -> Cow<'_, str> {
    let text = pattern.trim().trim_matches(['"', '\'']).trim_start_matches("<rootDir>");
    let text = text.trim_start_matches("./").trim_start_matches('/').trim_end_matches('/');
    // `?(x)` and `@(js|ts)` of micromatch are alternatives.
    if !text.contains('(') {
        return Cow::Borrowed(text);
    }
    let (mut plain, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(['?', '@', '+']).filter(|at| rest[at + 1..].starts_with('(')) {
        let Some((parts, after)) = rest[at + 2..].split_once(')') else { break };
        let none = if rest[at..].starts_with('?') { "," } else { "" };
        plain.push_str(&format!("{}{{{none}{}}}", &rest[..at], parts.replace('|', ",")));
        rest = after;
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

/// The lists of a file by their keys, each with its patterns; the options of commands count too.
fn lists(facts: &ProjectFacts) -> BTreeMap<&str, Vec<&str>> {
    let settings = facts.settings.iter().chain(facts.checks.iter().flat_map(|check| &check.settings));
    let mut lists: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for setting in settings.filter(|setting| setting.about == About::Tests) {
        if let SettingValue::Selects(pattern) = &setting.value {
            lists.entry(&setting.key).or_default().push(pattern);
        }
    }
    lists
}

/// Whether a list of paths says something else than before, so that [`unreached`] may have something to tell.
pub fn has_other_lists(before: &ProjectFacts, after: &ProjectFacts) -> bool {
    let old = lists(before);
    lists(after).iter().any(|(key, patterns)| Kind::of(key).is_some() && old.get(key) != Some(patterns))
}

/// For lists that say something else, the test files that they reached before the change and do not reach after it. `paths` has those that are
/// there on both sides.
pub fn unreached(
    path: &str,
    before: &ProjectFacts,
    after: &ProjectFacts,
    paths: &[String],
) -> Vec<Unreached> {
    let (old, new) = (lists(before), lists(after));
    // What was said in one way may be said in another now.
    if old.keys().any(|key| !new.contains_key(key)) {
        return Vec::new();
    }
    let folder = match after.ground {
        Ground::Pipeline | Ground::Hooks => "",
        _ => path.rsplit_once('/').map_or("", |(folder, _)| folder),
    };
    let here = |path: &'_ String| -> Option<String> {
        let below = path.strip_prefix(folder)?;
        let below = if folder.is_empty() { below } else { below.strip_prefix('/')? };
        Some(below.to_owned())
    };
    let read = |key: &str, patterns: &[&str]| Kind::of(key).and_then(|kind| List::of(kind, patterns));
    let mut found = Vec::new();
    for (key, patterns) in &new {
        let was = old.get(key).map_or(&[][..], Vec::as_slice);
        let (Some(kind), Some(is)) = (Kind::of(key), read(key, patterns)) else { continue };
        if was == patterns {
            continue;
        }
        let was = match was {
            [] => None,
            patterns => match List::of(kind, patterns) {
                None => continue,
                list => list,
            },
        };
        let others: Vec<List> = new
            .iter()
            .filter(|(other, _)| *other != key && Kind::of(other) == Some(kind))
            .filter_map(|(other, patterns)| read(other, patterns))
            .collect();
        let reached = |path: &String| was.as_ref().is_none_or(|was| was.has(path));
        let is_kept = |path: &String| is.has(path) || others.iter().any(|other| other.has(path));
        let mut tests: Vec<String> =
            paths.iter().filter_map(here).filter(|path| kind.is_of_tests(path) && reached(path)).collect();
        if tests.is_empty() {
            continue;
        }
        // A folder of tests also has files that only serve them, unless nothing in it has the name of a test.
        if was.is_none() || tests.iter().any(|path| kind.is_named(path)) {
            tests.retain(|path| kind.is_named(path));
        } else if tests.iter().any(is_kept) {
            continue;
        }
        tests.retain(|path| !is_kept(path));
        let files = tests.len();
        found.push(Unreached { key: (*key).to_owned(), files, first: tests.into_iter().next() });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Setting;

    const PATHS: &[&str] = &[
        "spec/models/cart.js",
        "spec/support.js",
        "src/cart.test.ts",
        "src/deep/total.spec.ts",
        "test/smoke.test.js",
        "src/cart.ts",
        "tests/test_cart.py",
        "tests/unit/test_total.py",
        "tests/helpers.py",
    ];

    fn facts(lists: &[(&str, &str)]) -> ProjectFacts {
        let setting = |(key, pattern): &(&str, &str)| Setting {
            about: About::Tests,
            key: (*key).to_owned(),
            line: 1,
            value: SettingValue::Selects((*pattern).to_owned()),
        };
        ProjectFacts { settings: lists.iter().map(setting).collect(), ..ProjectFacts::default() }
    }

    fn files(before: &[(&str, &str)], after: &[(&str, &str)]) -> usize {
        let paths: Vec<String> = PATHS.iter().map(|&path| path.to_owned()).collect();
        unreached("config", &facts(before), &facts(after), &paths).iter().map(|it| it.files).sum()
    }

    #[test]
    fn files_that_another_list_does_not_reach_are_counted() {
        for (key, was, is, expected) in [
            ("testMatch", "**/*.test.ts", "**/smoke/*.ts", 1),
            ("testMatch", "**/?(*.)+(spec|test).[jt]s?(x)", "<rootDir>/test/**/*.js", 2),
            ("testMatch", "**/*.test.ts", "**/*.{test,spec}.ts", 0),
            ("tool.pytest.ini_options.testpaths", "tests", "checks", 2),
            ("tool.pytest.ini_options.testpaths", "tests", ".", 0),
            ("pytest.python_files", "test_*.py", "smoke_*.py", 2),
            ("pytest paths", "tests", "tests/unit", 1),
            ("mocha paths", "test/*.js", "smoke/*.js", 1),
            ("mocha paths", "spec", "smoke/*.js", 2),
            ("mocha paths", "spec", "spec/models", 0),
            ("jest paths", "src", "cart", 0),
            ("go test paths", "./...", "./cmd", 0),
            ("testMatch", "$ALL", "test", 0),
        ] {
            assert_eq!(files(&[(key, was)], &[(key, is)]), expected, "{key}: {was} -> {is}");
        }
    }

    #[test]
    fn a_first_list_is_compared_with_what_is_found_without_one() {
        assert_eq!(files(&[], &[("roots", "<rootDir>/test")]), 2);
        assert_eq!(files(&[], &[("testpaths", "tests")]), 0);
        assert_eq!(files(&[], &[("testpaths", "tests/unit")]), 1);
    }

    #[test]
    fn what_another_list_reaches_is_reached() {
        assert_eq!(files(&[], &[("roots", "test"), ("mocha paths", "src/**/*.ts")]), 0);
        assert_eq!(files(&[("spec", "src")], &[("test.include", "test")]), 0);
    }
}
