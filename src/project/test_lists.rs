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
            "dir" if is_of(&["test"]) => Self::ScriptRoots,
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

    /// Whether the runner was there before, and without a list looked at everything.
    fn looked_at_all(self, key: &str, before: &ProjectFacts) -> bool {
        let tells = match key.rsplit_once([' ', '.']) {
            Some((command, "paths")) => {
                let without = |check: &Check| {
                    check.signature == command && !check.settings.iter().any(|setting| setting.key == key)
                };
                before.checks.iter().any(without)
            }
            Some((section, _)) => before
                .settings
                .iter()
                .any(|setting| setting.key.strip_prefix(section).is_some_and(|rest| rest.starts_with('.'))),
            None => true,
        };
        tells && matches!(self, Self::Python | Self::PythonNames | Self::ScriptRoots)
    }

    /// Whether a path is one of a file in the language of the runner.
    fn is_of_language(self, path: &str) -> bool {
        let known: &[&str] = match self {
            Self::Python | Self::PythonNames => &["py"],
            Self::Modules => &["java", "kt", "groovy", "scala"],
            _ => &["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts"],
        };
        path.rsplit_once('.').is_some_and(|(_, extension)| known.contains(&extension))
    }

    /// Whether such a path is one of a file of tests, by its folder or its name.
    fn is_of_tests(self, path: &str) -> bool {
        class_by_name(path) == PathClass::Test && !self.serves(path)
    }

    /// Whether a file surely has no tests, by its own name or that of a folder: others that serve may test what serves.
    fn has_no_tests(self, path: &str) -> bool {
        const NAMES: &[&str] = &[
            "conftest",
            "__init__",
            "support",
            "helper",
            "helpers",
            "fixture",
            "fixtures",
            "__fixtures__",
            "__mocks__",
            "setup",
        ];
        !self.is_named(path) && path.split(['/', '.']).any(|word| NAMES.contains(&word))
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
            None if kind.looked_at_all(key, before) => None,
            None => return None,
        };
        let is = List::of(kind, patterns)?;
        let more = new.iter().filter(|(other, _)| *other != key && Kind::of(other) == Some(kind));
        let more = more.map(|(_, patterns)| List::of(kind, patterns)).collect::<Option<Vec<List>>>()?;
        let reached = |path: &String| was.as_ref().is_none_or(|was| was.has(path));
        let is_kept = |path: &String| is.has(path) || more.iter().any(|other| other.has(path));
        let all = paths.iter().filter_map(here).filter(|path| kind.is_of_language(path));
        let (tests, others): (Vec<String>, Vec<String>) =
            all.filter(|path| reached(path)).partition(|path| kind.is_of_tests(path));
        let lost: Vec<&String> = tests.iter().filter(|path| !is_kept(path)).collect();
        // Where a list named them, files may have tests whatever they are called.
        let loses_others =
            was.is_some() && others.iter().any(|path| !kind.has_no_tests(path) && !is_kept(path));
        // What has no name of a test may be none, unless the whole list went.
        let counts = |path: &&&String| kind.is_named(path) || was.is_some() && lost.len() == tests.len();
        let mut counted = lost.iter().filter(counts);
        let first = counted.next().map(|first| path_of(folder, first));
        let files = counted.count() + usize::from(first.is_some());
        let is_sure = !tests.is_empty() && (files > 0 || lost.is_empty() && !loses_others);
        is_sure.then(|| Unreached { key: (**key).to_owned(), files, first })
    };
    new.iter().filter_map(told).collect()
}

fn path_of(folder: &str, below: &str) -> String {
    if folder.is_empty() { below.to_owned() } else { format!("{folder}/{below}") }
}

/// The list of a file that reaches one path of tests and not another, where all lists of its kind can be read.
pub fn reaches_only(config: &str, facts: &ProjectFacts, one: &str, other: &str) -> Option<String> {
    let folder = config.rsplit_once('/').map_or("", |(folder, _)| folder);
    let here = |path: &'_ str| -> Option<String> {
        let below = path.strip_prefix(folder)?;
        Some(if folder.is_empty() { below } else { below.strip_prefix('/')? }.to_owned())
    };
    let (one, other) = (here(one)?, here(other)?);
    let lists = lists(facts);
    let of_kind = |kind: Kind| -> Option<Vec<(&str, List)>> {
        let alike = lists.iter().filter(|(key, _)| Kind::of(key) == Some(kind));
        alike.map(|(key, patterns)| Some((*key, List::of(kind, patterns)?))).collect()
    };
    [Kind::Python, Kind::PythonNames, Kind::ScriptRoots, Kind::Script].into_iter().find_map(|kind| {
        let lists = of_kind(kind)?;
        let reaching = lists.iter().find(|(_, list)| list.has(&one))?;
        let name = reaching.0.rsplit(['.', ' ']).next()?;
        (!lists.iter().any(|(_, list)| list.has(&other))).then(|| name.to_owned())
    })
}

/// Whether a file has patterns of the names of tests.
pub fn selects_tests(facts: &ProjectFacts) -> bool {
    lists(facts).keys().any(|key| matches!(Kind::of(key), Some(Kind::Script | Kind::ScriptParts)))
}

/// The folders whose files mocha is told to run, without what is below them; nothing where it is told of anything else.
pub fn folders_of_mocha(facts: &ProjectFacts) -> Option<Vec<String>> {
    let settings = facts.settings.iter().chain(facts.checks.iter().flat_map(|check| &check.settings));
    let mut folders = Vec::new();
    for setting in settings.filter(|setting| setting.about == About::Tests) {
        let SettingValue::Selects(path) = &setting.value else { continue };
        let plain = as_glob(path);
        let is_folder = plain.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '/'));
        if !setting.key.ends_with("mocha paths") || !is_folder || plain.is_empty() {
            return None;
        }
        folders.push(plain.into_owned());
    }
    Some(folders)
}

/// Whether jest and vitest take a file for one of tests where no list says otherwise.
pub fn is_script_test(path: &str) -> bool {
    Kind::Script.is_named(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Setting;

    #[test]
    fn a_list_may_reach_one_path_and_not_another() {
        let told = |lists: &[(&str, &str)], one: &str, other: &str| {
            reaches_only("a/config", &facts(lists), &format!("a/{one}"), &format!("a/{other}"))
        };
        let paths = [("pytest.testpaths", "tests")];
        assert_eq!(told(&paths, "tests/test_cart.py", "attic/test_cart.py").as_deref(), Some("testpaths"));
        assert_eq!(told(&paths, "tests/test_cart.py", "tests/unit/test_cart.py"), None);
        assert_eq!(told(&paths, "attic/test_cart.py", "old/test_cart.py"), None);
        assert_eq!(
            told(&[paths[0], ("tox pytest paths", ".")], "tests/test_cart.py", "attic/test_cart.py"),
            None
        );
        assert_eq!(
            told(&[("testMatch", "test/*.ts")], "test/a.ts", "old/a.ts").as_deref(),
            Some("testMatch")
        );
        assert_eq!(told(&[("testMatch", "$ALL")], "test/a.ts", "old/a.ts"), None);
        assert_eq!(
            reaches_only("b/config", &facts(&paths), "tests/test_cart.py", "attic/test_cart.py"),
            None
        );
    }

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
        // The runner was not there, or was told elsewhere what to look at.
        assert_eq!(files(&[], &[("tool.pytest.ini_options.testpaths", "tests/unit")]), 0);
        assert_eq!(
            files(
                &[("pytest.addopts", "-q")],
                &[("pytest.addopts", "-q"), ("pytest.testpaths", "tests/unit")]
            ),
            1
        );
        assert_eq!(files(&[], &[("testMatch", "**/smoke/*.ts")]), 0);
    }

    #[test]
    fn a_list_that_loses_files_with_other_names_may_lose_tests() {
        let is_told = |key: &str, was: &str, is: &str| {
            let paths =
                ["test/unit/cart.test.js", "test/utils/cart.js", "checks/check_b.py", "checks/test_c.py"];
            let paths = paths.map(str::to_owned);
            !unreached("config", &facts(&[(key, was)]), &facts(&[(key, is)]), &paths).is_empty()
        };
        assert!(!is_told("spec", "test/**/*.js", "test/unit/*.js"));
        assert!(is_told("spec", "test/**/*.test.js", "test/unit/*.js"));
        assert!(!is_told("python_files", "*_*.py", "test_*.py"));
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
        assert_eq!(files(&["pytest"], &["pytest tests/unit"]), 1);
        assert_eq!(files(&[], &["pytest tests/unit"]), 0);
        assert_eq!(files(&["pytest"], &["pytest", "pytest e2e"]), 0);
        assert_eq!(files(&["pytest tests"], &["pytest tests/unit", "pytest tests/test_cart.py"]), 0);
    }
}
