//! Which tests a command is told to run: folders and files, packages, targets, names.
//!
//! A command that is told nothing runs all there are, and gives nothing. Words that only a shell can tell are kept
//! as they are written, so that they compare as equal or not at all.

use super::sessions;
use crate::facts::{About, Setting, SettingValue};

/// How one test runner is told what to run.
struct Runner {
    /// The word of the command behind which its arguments stand.
    programs: &'static [&'static str],
    /// Words behind it that are no path.
    verbs: &'static [&'static str],
    /// Options whose value selects tests by name or mark.
    names: &'static [&'static str],
    /// Other options with a value in the next word.
    values: &'static [&'static str],
    is_path: fn(&str) -> bool,
}

const PYTEST: Runner = Runner {
    programs: &["pytest", "py.test"],
    verbs: &[],
    names: &["-k", "-m"],
    values: &[
        "-p",
        "-c",
        "-o",
        "-n",
        "-W",
        "-r",
        "--rootdir",
        "--cov",
        "--cov-report",
        "--cov-config",
        "--cov-fail-under",
        "--junitxml",
        "--junit-xml",
        "--ignore",
        "--ignore-glob",
        "--deselect",
        "--confcutdir",
        "--basetemp",
        "--dist",
        "--numprocesses",
        "--tb",
        "--html",
        "--log-file",
    ],
    is_path: is_python,
};

const JAVASCRIPT: Runner = Runner {
    programs: &["jest", "vitest", "mocha", "_mocha", "--"],
    verbs: &["run", "watch", "dev", "related", "bench"],
    names: &["-t", "--testNamePattern", "-g", "--grep"],
    values: &[
        "-c",
        "--config",
        "-r",
        "--require",
        "--reporter",
        "--reporters",
        "--root",
        "--dir",
        "--project",
        "--coverageDirectory",
        "--outputFile",
        "--import",
        "--loader",
        "--ignore",
        "--exclude",
        "--testPathIgnorePatterns",
    ],
    is_path: is_script,
};

const UNITTEST: Runner = Runner {
    programs: &["unittest"],
    verbs: &["discover"],
    names: &["-k"],
    values: &["-s", "--start-directory", "-t", "--top-level-directory", "-p", "--pattern", "--durations"],
    is_path: is_module,
};

const NODE: Runner = Runner {
    programs: &["--test"],
    verbs: &[],
    names: &["--test-name-pattern"],
    values: &["--test-reporter", "--test-reporter-destination", "--import", "--require", "-r", "--loader"],
    is_path: is_script,
};

const GO: Runner = Runner {
    programs: &["test"],
    verbs: &[],
    names: &["-run"],
    values: &[
        "-timeout",
        "-count",
        "-coverprofile",
        "-covermode",
        "-coverpkg",
        "-tags",
        "-p",
        "-parallel",
        "-bench",
        "-benchtime",
        "-skip",
        "-o",
        "-exec",
        "-ldflags",
        "-gcflags",
        "-shuffle",
    ],
    is_path: is_package,
};

/// What the words of a command select, under `<signature> paths` or the option.
pub fn settings(signature: &str, words: &[String], line: u32) -> Vec<Setting> {
    let setting = |key: &str, value: String| Setting {
        about: About::Tests,
        key: format!("{signature} {key}"),
        line,
        value: SettingValue::Selects(value),
    };
    let found = match signature {
        "cargo test" => cargo(words),
        "mvn test" | "gradle test" => {
            of_options(words, &["-Dtest", "-Dit.test", "--tests", "-pl", "--projects"])
        }
        "go test" => arguments(&GO, words),
        "pytest" | "coverage run" => arguments(&PYTEST, words),
        "node --test" => arguments(&NODE, words),
        "unittest" => arguments(&UNITTEST, words),
        "mocha" if words.iter().any(|word| word == "--recursive") => below(arguments(&JAVASCRIPT, words)),
        "jest" | "vitest" | "mocha" | "nyc" | "c8" | "run test" => arguments(&JAVASCRIPT, words),
        "tox" | "nox" => sessions::listed(words),
        _ => Vec::new(),
    };
    let measured = of_options(words, &["--cov"]).into_iter().filter(|(_, value)| !value.starts_with('-'));
    let measured = measured
        .filter(|_| matches!(signature, "pytest" | "tox"))
        .map(|(key, value)| Setting { about: About::Coverage, ..setting(key, value) });
    found.into_iter().map(|(key, value)| setting(key, value)).chain(measured).collect()
}

pub type Found<'w> = Vec<(&'w str, String)>;

/// Folders with all that is below them; mocha looks no further than into the folder itself.
fn below(mut found: Found<'_>) -> Found<'_> {
    let is_folder = |path: &str| !path.contains('*') && extension(path).is_none();
    for (_, path) in found.iter_mut().filter(|(key, path)| *key == "paths" && is_folder(path)) {
        *path = format!("{}/**", path.trim_end_matches('/'));
    }
    found
}

fn arguments<'w>(runner: &Runner, words: &'w [String]) -> Found<'w> {
    let is_program = |word: &&String| runner.programs.contains(&word.rsplit('/').next().unwrap_or_default());
    let Some(start) = words.iter().position(|word| is_program(&word)) else { return Vec::new() };
    let mut rest = words[start + 1..].iter().map(String::as_str).peekable();
    rest.next_if(|word| runner.verbs.contains(word));
    let mut found = Vec::new();
    while let Some(word) = rest.next() {
        let (option, given) = match word.split_once('=') {
            Some((option, value)) => (option, Some(value)),
            None => (word, None),
        };
        if runner.names.contains(&option) {
            let value = given.or_else(|| rest.next());
            found.extend(value.into_iter().flat_map(alternatives).map(|name| (option, name)));
        } else if runner.values.contains(&word) {
            rest.next();
        } else if word.starts_with('-') {
            // Of an option that is not known, the next word may be the value.
            let is_path = |next: &str| (runner.is_path)(next) && is_telling(next);
            let is_value = |next: &str| !next.starts_with('-') && !is_path(next);
            rest.next_if(|next| given.is_none() && word.len() > 2 && is_value(next));
        } else {
            let path = word.strip_prefix("{posargs:").map_or(word, |path| path.trim_end_matches('}'));
            if (runner.is_path)(path) {
                found.push(("paths", path.trim_end_matches("/...").to_owned()));
            }
        }
    }
    for (_, path) in found.iter_mut().filter(|(key, path)| *key == "paths" && path == ".") {
        *path = "**".to_owned();
    }
    found
}

/// `a or b` selects two; what excludes is no selection.
fn alternatives(value: &str) -> Vec<String> {
    let value = value.trim_matches(['"', '\'']);
    if value.is_empty() || value.contains("not ") {
        return Vec::new();
    }
    if value.contains('(') {
        return vec![value.to_owned()];
    }
    value.split(" or ").flat_map(|part| part.split('|')).map(|part| part.trim().to_owned()).collect()
}

fn extension(path: &str) -> Option<&str> {
    let name = path.split("::").next()?.rsplit('/').next()?;
    name.trim_start_matches('.').rsplit_once('.').map(|(_, extension)| extension)
}

fn is_number(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_digit())
}

/// A word that can hardly be anything but a path.
fn is_telling(word: &str) -> bool {
    word.contains(['/', '.']) || matches!(word, "test" | "tests" | "testing" | "spec" | "src")
}

fn is_python(word: &str) -> bool {
    !is_number(word) && (word.contains('$') || extension(word).is_none_or(|end| end == "py" || end == "*"))
}

/// A module with its package, or a file: `tests.test_cart`, `tests/test_cart.py`.
fn is_module(word: &str) -> bool {
    is_python(&word.replace('.', "/")) && word.contains(['.', '/', '$'])
}

fn is_script(word: &str) -> bool {
    const KNOWN: &[&str] = &["js", "ts", "jsx", "tsx", "mjs", "cjs", "mts", "cts"];
    let is_folder = word.contains('/') || matches!(word, "test" | "tests" | "spec" | "src");
    // `{ts,tsx}` has more than one.
    let is_known = |end: &str| end.split(|c: char| !c.is_alphanumeric()).any(|part| KNOWN.contains(&part));
    word.contains('$') || extension(word).map_or(is_folder, |end| end.contains('*') || is_known(end))
}

fn is_package(word: &str) -> bool {
    word.starts_with('.') || word.contains("...") || word.contains('/') || word.contains('$')
}

/// `--tests Foo`, `-Dtest=Foo`; a leading `!` leaves out.
fn of_options<'w>(words: &'w [String], options: &[&str]) -> Found<'w> {
    let mut found = Vec::new();
    let mut rest = words.iter().map(String::as_str);
    while let Some(word) = rest.next() {
        let (option, given) = match word.split_once('=') {
            Some((option, value)) => (option, Some(value)),
            None => (word, None),
        };
        if let Some(value) = options.contains(&option).then(|| given.or_else(|| rest.next())).flatten() {
            let parts = value.split(',').filter(|part| !part.is_empty() && !part.starts_with('!'));
            found.extend(parts.map(|part| (option, part.to_owned())));
        }
    }
    found
}

/// Targets, packages and names of `cargo test` and `cargo nextest run`.
fn cargo(words: &[String]) -> Found<'_> {
    const TARGETS: &[&str] = &["--lib", "--doc", "--bins", "--examples", "--benches"];
    const ONE: &[&str] = &["--test", "--bin", "--example", "--bench"];
    const FLAGS: &[&str] = &[
        "--release",
        "--locked",
        "--frozen",
        "--offline",
        "--all-features",
        "--no-default-features",
        "--workspace",
        "--all",
        "--all-targets",
        "--tests",
        "--no-fail-fast",
        "--verbose",
        "--quiet",
        "--no-run",
        "--nocapture",
        "--ignored",
        "--include-ignored",
        "--exact",
        "-v",
        "-vv",
        "-q",
        "-r",
    ];
    let verb = words.iter().position(|word| matches!(word.as_str(), "test" | "t" | "nextest"));
    let Some(start) = verb else { return Vec::new() };
    let mut rest = words[start + 1..].iter().map(String::as_str).peekable();
    rest.next_if(|word| words[start] == "nextest" && *word == "run");
    let mut found = Vec::new();
    while let Some(word) = rest.next() {
        let (option, given) = match word.split_once('=') {
            Some((option, value)) => (option, Some(value)),
            None => (word, None),
        };
        match option {
            "--workspace" | "--all" => found.push(("packages", "**".to_owned())),
            "-p" | "--package" => {
                found.extend(given.or_else(|| rest.next()).map(|name| ("packages", name.to_owned())));
            }
            "-E" | "--filter-expr" | "--filterset" => {
                let value = given.or_else(|| rest.next());
                found
                    .extend(value.filter(|value| !value.contains("not ")).map(|it| ("names", it.to_owned())));
            }
            _ if TARGETS.contains(&option) => found.push(("targets", option.to_owned())),
            _ if ONE.contains(&option) => {
                found.extend(given.or_else(|| rest.next()).map(|it| ("targets", format!("{option} {it}"))));
            }
            _ if option.starts_with('-') => {
                if given.is_none() && option != "--" && !FLAGS.contains(&option) {
                    rest.next_if(|next| !next.starts_with('-'));
                }
            }
            _ if is_number(word) || word.contains('$') => {}
            name => found.push(("names", name.to_owned())),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let words = crate::shell::commands(text).concat();
        let (_, signature) = super::super::tools::of_command(&words).unwrap();
        let show = |setting: Setting| match setting.value {
            SettingValue::Selects(pattern) => {
                format!("{}={pattern}", setting.key.rsplit(' ').next().unwrap())
            }
            _ => String::new(),
        };
        settings(&signature, &words, 1).into_iter().map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_a_command_is_told_to_run_is_read() {
        for (text, expected) in [
            ("pytest", ""),
            (
                "pytest -q --cov pkg -n 4 tests/unit tests/test_a.py::test_b",
                "paths=tests/unit paths=tests/test_a.py::test_b --cov=pkg",
            ),
            ("pytest --junitxml out/r.xml --unknown value tests", "paths=tests"),
            ("python -m pytest -k 'a or b' tests 2>&1", "-k=a -k=b paths=tests"),
            ("pytest -m 'not slow' $ARGS", "paths=$ARGS"),
            ("coverage run -m pytest {posargs:tests}", "paths=tests"),
            ("python -m unittest", ""),
            ("python3 -m unittest discover -s tests -v", ""),
            ("python -m unittest -v tests.test_cart", "paths=tests.test_cart"),
            ("nyc mocha 'src/**/*.spec.ts' --reporter spec", "paths=src/**/*.spec.ts"),
            ("mocha --recursive test/ test/a.js", "paths=test/** paths=test/a.js"),
            ("c8 --check-coverage mocha test/a.js", "paths=test/a.js"),
            ("go test -race -count 1 ./...", "paths=**"),
            ("go test -race -run TestA ./...", "-run=TestA paths=**"),
            ("go test -run TestA ./pkg/... ./cmd", "-run=TestA paths=./pkg paths=./cmd"),
            ("vitest run --reporter dot src/a.test.ts -t name", "paths=src/a.test.ts -t=name"),
            ("jest x.json fixtures/a.jsonl 'src/*.{ts,tsx}'", "paths=src/*.{ts,tsx}"),
            ("npm test -- --ci test/a.js", "paths=test/a.js"),
            ("cargo test --workspace --features a", "packages=**"),
            ("cargo test -p core --lib name -- --nocapture", "packages=core targets=--lib names=name"),
            ("cargo nextest run --profile ci", ""),
            ("mvn test -Dtest=FooTest", "-Dtest=FooTest"),
            ("mvn -pl core,!docs verify", "-pl=core"),
            ("./gradlew test --tests Foo", "--tests=Foo"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }
}
