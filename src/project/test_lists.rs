//! Which files of tests the lists of a runner reach, told by the paths of the repository: whoever replaces one list by
//! another may leave out what still stands there.
//!
//! Only what can be told for sure is told: where a pattern, a second list or a command leaves it open, nothing is.

use std::borrow::Cow;
use std::collections::BTreeMap;

use globset::{GlobBuilder, GlobMatcher};

use crate::facts::{About, Check, Force, Ground, ProjectFacts, SettingValue, Unreached};
use crate::paths::{PathClass, class_by_name};

/// Longer lists are no work of hands.
const MAX_LIST: usize = 50;

/// More paths are not held against a list.
const MAX_PATHS: usize = 100_000;

/// How the patterns of a list are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Folders and files of Python.
    Python,
    /// Patterns of the names of its files.
    PythonNames,
    /// Folders of scripts.
    ScriptRoots,
    Script,
    /// The same, where a part of a path is enough.
    ScriptParts,
    /// Folders that are built as parts of a whole.
    Modules,
}

impl Kind {
    fn of(key: &str) -> Option<Self> {
        let (command, name) = key.rsplit_once([' ', '.']).unwrap_or(("", key));
        let is_of = |tools: &[&str]| tools.iter().any(|tool| command.ends_with(tool));
        Some(match name {
            "module" => Self::Modules,
            "testpaths" => Self::Python,
            "python_files" => Self::PythonNames,
            "roots" => Self::ScriptRoots,
            "testMatch" | "include" | "spec" | "specs" => Self::Script,
            "paths" if is_of(&["pytest", "coverage run"]) => Self::Python,
            "paths" if is_of(&["jest", "vitest"]) => Self::ScriptParts,
            "paths" if is_of(&["mocha", "nyc", "c8", "node --test"]) => Self::Script,
            _ => return None,
        })
    }

    fn is_python(self) -> bool {
        matches!(self, Self::Python | Self::PythonNames)
    }

    /// Whether everything is looked at where there is no list.
    fn starts_with_all(self) -> bool {
        matches!(self, Self::Python | Self::PythonNames | Self::ScriptRoots)
    }

    /// Whether a path is a file of tests, by its folder or its name.
    fn is_of_tests(self, path: &str) -> bool {
        let known: &[&str] = match self {
            Self::Python | Self::PythonNames => &["py"],
            Self::Modules => &["java", "kt", "groovy", "scala"],
            _ => &["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts"],
        };
        let is_known = path.rsplit_once('.').is_some_and(|(_, extension)| known.contains(&extension));
        is_known && class_by_name(path) == PathClass::Test && !self.serves(path)
    }

    /// Whether a path is one that only serves tests: `tests/conftest.py`, `test/support/server.js`.
    fn serves(self, path: &str) -> bool {
        const SERVING: &[&str] = &[
            "support", "helper", "fixture", "util", "mock", "setup", "common", "conftest", "__init__",
            "index",
        ];
        let words = path.split(['/', '.']).map(str::to_lowercase);
        !self.is_named(path)
            && words.into_iter().any(|word| SERVING.iter().any(|name| word.starts_with(name)))
    }

    /// Whether it has a name by which the runner finds it.
    fn is_named(self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        match self {
            Self::Python | Self::PythonNames => stem.starts_with("test_") || stem.ends_with("_test"),
            Self::Modules => ["Test", "Tests", "IT", "TestCase"].iter().any(|end| stem.ends_with(end)),
            _ => {
                stem.ends_with(".test")
                    || stem.ends_with(".spec")
                    || path.split('/').any(|part| part == "__tests__")
            }
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
        let patterns = patterns.iter().map(|pattern| Self::pattern(kind, pattern)).collect::<Option<_>>()?;
        Some(Self { kind, patterns })
    }

    fn pattern(kind: Kind, pattern: &str) -> Option<(String, Option<GlobMatcher>)> {
        // A word alone may be the name of a variable.
        let is_told = kind.is_python()
            || kind == Kind::Modules
            || pattern.contains(['/', '.', '*'])
            || matches!(pattern, "test" | "tests" | "spec");
        let plain = as_glob(pattern);
        // `{posargs}` stands for something else, and `a.py::test_b` for a part of a file.
        let is_open = plain.contains(['$', '(', '|', '\\', '^', '!', '<', '%']) || plain.contains("::");
        let is_variable = plain.contains('{') && !plain.contains(',');
        let is_glob = plain.contains(['*', '?', '[', '{']);
        // Runners differ in whether a folder has what is below its folders.
        let is_folder = !is_glob && !plain.rsplit('/').next().is_some_and(|name| name.contains('.'));
        if !is_told || is_open || is_variable || is_folder && kind == Kind::Script {
            return None;
        }
        let matcher = match is_glob {
            true => {
                let glob = GlobBuilder::new(&plain).literal_separator(true).empty_alternates(true).build();
                Some(glob.ok()?.compile_matcher())
            }
            false => None,
        };
        Some((plain.into_owned(), matcher))
    }

    fn has(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        self.patterns.iter().any(|(pattern, matcher)| match (self.kind, matcher) {
            (Kind::PythonNames, Some(matcher)) => matcher.is_match(name) || matcher.is_match(path),
            (Kind::PythonNames, None) => name == pattern,
            (Kind::Script | Kind::ScriptParts, Some(matcher)) => matcher.is_match(path),
            // A folder that is matched has all below it.
            (_, Some(matcher)) => {
                path.match_indices('/').any(|(at, _)| matcher.is_match(&path[..at])) || matcher.is_match(path)
            }
            (Kind::ScriptParts, None) if path.contains(pattern.as_str()) => true,
            _ => {
                let rest = path.strip_prefix(pattern.as_str());
                matches!(pattern.as_str(), "" | ".")
                    || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            }
        })
    }
}

/// A pattern as one of paths below the folder of its file.
fn as_glob(pattern: &str) -> Cow<'_, str> {
    let text = pattern.trim().trim_matches(['"', '\'']).trim_start_matches("<rootDir>");
    let text = text.trim_start_matches("./").trim_start_matches('/').trim_end_matches('/');
    // `?(x)` and `@(js|ts)` of micromatch are alternatives.
    if !text.contains('(') {
        return Cow::Borrowed(text);
    }
    let (mut plain, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(['?', '@', '+']).filter(|at| rest[at + 1..].starts_with('(')) {
        let Some((parts, after)) = rest[at + 2..].split_once(')') else { break };
        let all = parts.replace('|', ",");
        plain.push_str(&rest[..at]);
        plain.push_str(&match rest[at..].starts_with('?') {
            true => format!("{{,{all}}}"),
            false if all.contains(',') => format!("{{{all}}}"),
            false => all,
        });
        rest = after;
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

/// The lists of a file by their keys, each with its patterns. A command counts where it is the only one of its kind, and
/// can stop something.
fn lists(facts: &ProjectFacts) -> BTreeMap<&str, Vec<&str>> {
    let is_only = |check: &&Check| {
        let alike = facts.checks.iter().filter(|other| other.signature == check.signature).count();
        // Of a pipeline nobody knows in which folder it runs.
        alike == 1 && check.force == Force::Blocks && facts.ground != Ground::Pipeline
    };
    let of_commands = facts.checks.iter().filter(is_only).flat_map(|check| &check.settings);
    let mut lists: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for setting in facts.settings.iter().chain(of_commands).filter(|setting| setting.about == About::Tests) {
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

/// For lists that say something else, the test files that they reached before the change and do not reach after it. `paths`
/// has those that are there on both sides.
pub fn unreached(
    path: &str,
    before: &ProjectFacts,
    after: &ProjectFacts,
    paths: &[String],
) -> Vec<Unreached> {
    let (old, new) = (lists(before), lists(after));
    // What was said in one way may be said in another now.
    if old.keys().any(|key| !new.contains_key(key)) || paths.len() > MAX_PATHS {
        return Vec::new();
    }
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let here = |path: &'_ String| -> Option<String> {
        let below = path.strip_prefix(folder)?;
        let below = if folder.is_empty() { below } else { below.strip_prefix('/')? };
        Some(below.to_owned())
    };
    let told = |(key, patterns): (&&str, &Vec<&str>)| -> Option<Unreached> {
        let kind = Kind::of(key)?;
        let was = match old.get(key) {
            Some(was) if was == patterns => return None,
            Some(was) => Some(List::of(kind, was)?),
            None if kind.starts_with_all() => None,
            None => return None,
        };
        let is = List::of(kind, patterns)?;
        let others = new.iter().filter(|(other, _)| *other != key && Kind::of(other) == Some(kind));
        let others = others.map(|(_, patterns)| List::of(kind, patterns)).collect::<Option<Vec<List>>>()?;
        let reached = |path: &String| was.as_ref().is_none_or(|was| was.has(path));
        let is_kept = |path: &String| is.has(path) || others.iter().any(|other| other.has(path));
        let tests = paths.iter().filter_map(here).filter(|path| kind.is_of_tests(path));
        let tests: Vec<String> = tests.filter(|path| reached(path)).collect();
        let lost: Vec<&String> = tests.iter().filter(|path| !is_kept(path)).collect();
        // What has no name of a test may be none, unless the whole list went.
        let counts = |path: &&&String| kind.is_named(path) || was.is_some() && lost.len() == tests.len();
        let mut counted = lost.iter().filter(counts);
        let first = counted.next().map(|first| (**first).clone());
        let files = counted.count() + usize::from(first.is_some());
        let is_sure = !tests.is_empty() && (files > 0 || lost.is_empty());
        is_sure.then(|| Unreached { key: (**key).to_owned(), files, first })
    };
    new.iter().filter_map(told).collect()
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
            ("mocha paths", "spec/**/*.js", "smoke/*.js", 1),
            ("mocha paths", "spec/**/*.js", "spec/models/*.js", 0),
            ("mocha paths", "spec", "smoke/*.js", 0),
            ("pytest paths", "tests", "{posargs}", 0),
            ("pytest paths", "tests/test_cart.py", "tests/test_cart.py::test_a", 0),
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
        assert_eq!(files(&[], &[("testMatch", "**/smoke/*.ts")]), 0);
    }

    #[test]
    fn what_another_list_reaches_is_reached() {
        assert_eq!(
            files(&[("spec", "src/**/*.ts")], &[("spec", "test/*.js"), ("mocha.spec", "src/**/*.ts")]),
            0
        );
        assert_eq!(files(&[("spec", "src/*.ts")], &[("test.include", "test/*.ts")]), 0);
        // Roots and patterns both have to have it.
        let both = [("roots", "<rootDir>/src"), ("testMatch", "**/*.js")];
        assert_eq!(files(&[("roots", "<rootDir>/src"), ("testMatch", "**/*.ts")], &both), 2);
    }

    fn commands(commands: &[&str]) -> ProjectFacts {
        let steps: String = commands.iter().map(|command| format!("\t{command}\n")).collect();
        crate::project::read("Makefile", format!("test:\n{steps}").as_bytes()).unwrap()
    }

    #[test]
    fn a_command_counts_where_it_is_the_only_one() {
        let paths: Vec<String> = PATHS.iter().map(|&path| path.to_owned()).collect();
        let files = |before: &[&str], after: &[&str]| -> usize {
            let found = unreached("Makefile", &commands(before), &commands(after), &paths);
            found.iter().map(|it| it.files).sum()
        };
        assert_eq!(files(&["pytest tests"], &["pytest tests/unit"]), 1);
        assert_eq!(files(&["pytest"], &["pytest", "pytest e2e"]), 0);
        assert_eq!(files(&["pytest tests"], &["pytest tests/unit", "pytest tests/test_cart.py"]), 0);
    }
}
