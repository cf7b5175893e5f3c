//! Reads shell text: which of its commands check something, and whether their failure is let pass.

use std::borrow::Cow;
use std::cell::LazyCell;

use super::branches;
use super::circumstances;
use super::filters;
use super::masking::{self, Asks, Shell};
use super::options;
use super::tools;
use super::variables;
use crate::facts::{About, Check, CheckClass, Force, Mark, Setting, SettingValue};
use crate::shell;
use crate::text::{clipped, one_line};

/// Longer commands are data that was put in line.
const MAX_COMMAND: usize = 8 * 1024;

/// So many lines behind a command can say what becomes of its failure.
const MAX_FOLLOWING: usize = 200;

/// So many patterns of what a list leaves out are looked at.
const MAX_FILTERS: usize = 20;

/// How much of a command is told.
const SHOWN: usize = 120;

/// Programs that run what follows them.
const WRAPPERS: &[&str] = &[
    "sudo",
    "time",
    "env",
    "xvfb-run",
    "npx",
    "pnpx",
    "bunx",
    "uvx",
    "cross-env",
    "cross-env-shell",
    "dotenv",
    "nice",
    "exec",
    "command",
    "retry",
    "timeout",
    "stdbuf",
    "dbus-run-session",
    "unbuffer",
    "travis_retry",
    "travis_wait",
    "then",
    "do",
    "else",
    "!",
    "if",
    "while",
    "catchsegv",
    "eatmydata",
    "winpty",
    "call",
    "pipx",
    "rtk",
    "envdir",
    "{",
    "time:",
];

/// Package managers of Python and others whose `run` runs what follows.
const RUNNERS: &[&str] = &[
    "uv",
    "poetry",
    "pipenv",
    "pdm",
    "hatch",
    "rye",
    "conda",
    "mamba",
    "micromamba",
    "bundle",
    "pixi",
    "rustup",
    "pipx",
    "dotenvx",
    "flox",
    "nix",
];

/// What shell text has to say.
#[derive(Default)]
pub struct Found {
    pub checks: Vec<Check>,
    pub settings: Vec<Setting>,
    /// Checks behind which the shell stops where they fail.
    pub guarded: bool,
    /// The line of the first check behind which it goes on, and nothing asks how it ended.
    pub unguarded: Option<u32>,
}

/// Reads a script whose first line is `line`, and which stops where it should.
pub fn read(script: &str, line: u32, place: &str) -> Found {
    read_in(Shell::STRICT, script, line, place)
}

/// The same for a script that is run by a certain shell.
pub fn read_in(mut shell: Shell, script: &str, line: u32, place: &str) -> Found {
    let mut found = Found::default();
    let mut lenient: Option<Mark> = None;
    let (lines, expressions) = logical_lines(script, line);
    let asks = Asks::of(script);
    let conditional = branches::conditional(&lines);
    for (index, (text, line)) in lines.iter().enumerate() {
        let trimmed = text.trim();
        if trimmed.starts_with('#') || trimmed.len() > MAX_COMMAND {
            continue;
        }
        let told = shell::list(trimmed).iter().fold(shell, |shell, (words, _)| shell.told(words));
        if shell.stops && !told.stops {
            lenient = Some(Mark { text: one_line(trimmed), line: *line });
        } else if told.stops {
            lenient = None;
        }
        shell = told;
        let following = &lines[index + 1..lines.len().min(index + 1 + MAX_FOLLOWING)];
        let only_where = |part| conditional.get(&(index, part)).cloned();
        let around = Around {
            asks,
            following,
            lenient: lenient.as_ref(),
            shell,
            only_where: &only_where,
            expressions: &expressions[index],
        };
        let known = found.checks.len();
        read_line(trimmed, *line, place, &around, &mut found);
        if found.checks.len() > known {
            found.guarded |= shell.stops;
            let goes_on = !shell.stops && masking::goes_on(trimmed, around.following);
            found.unguarded = found.unguarded.or_else(|| goes_on.then_some(*line));
        }
    }
    found
}

/// What decides whether the failure of a command is heard of.
struct Around<'s> {
    asks: Asks,
    following: &'s [(String, u32)],
    lenient: Option<&'s Mark>,
    shell: Shell,
    /// The condition on which a command of the line runs.
    only_where: &'s dyn Fn(usize) -> Option<Mark>,
    /// The expressions of the build server in the line, as they are written.
    expressions: &'s [String],
}

/// Lines with those joined that end in a backslash; expressions of the build server are one word, and given beside them.
fn logical_lines(script: &str, first: u32) -> (Vec<(String, u32)>, Vec<Vec<String>>) {
    let mut lines: Vec<(String, u32)> = Vec::new();
    let mut open = false;
    for (index, line) in script.lines().enumerate() {
        let content = line.trim_end();
        if open && content.trim().is_empty() {
            continue;
        }
        let goes_on = content.ends_with('\\');
        let text = content.trim_end_matches('\\');
        match lines.last_mut().filter(|_| open) {
            Some((last, _)) => {
                last.push(' ');
                last.push_str(text.trim_start());
            }
            None => lines.push((text.to_owned(), first + index as u32)),
        }
        open = goes_on;
    }
    let plain = |(text, line): (String, u32)| {
        let (plain, expressions) = without_expressions(&text);
        ((plain, line), expressions)
    };
    lines.into_iter().map(plain).unzip()
}

/// The word that stands for an expression.
const EXPRESSION: &str = "$EXPRESSION";

/// Replaces `${{ ... }}` by a word, because what is inside is no shell.
fn without_expressions(text: &str) -> (String, Vec<String>) {
    let (mut plain, mut expressions) = (String::with_capacity(text.len()), Vec::new());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${{") {
        plain.push_str(before);
        plain.push_str(EXPRESSION);
        let (inside, behind) = after.split_once("}}").unwrap_or((after, ""));
        expressions.push(format!("${{{{{inside}}}}}"));
        rest = behind;
    }
    plain.push_str(rest);
    (plain, expressions)
}

/// A command with its expressions as they are written; `first` is the place of its first one in the line.
fn with_expressions(text: &str, expressions: &[String], first: usize) -> Option<String> {
    let mut parts = text.split(EXPRESSION);
    let mut shown = parts.next()?.to_owned();
    let mut written = expressions.get(first..)?.iter();
    for part in parts.by_ref() {
        shown.push_str(written.next()?);
        shown.push_str(part);
    }
    (shown != text).then_some(shown)
}

fn read_line(text: &str, line: u32, place: &str, around: &Around<'_>, found: &mut Found) {
    let list = shell::list(text);
    let left_out_of_list = filters::patterns(text);
    let count = |words: &[String]| words.iter().map(|word| word.matches(EXPRESSION).count()).sum::<usize>();
    let mut passed = 0;
    for (index, (raw, _)) in list.iter().enumerate() {
        let words = unwrapped(raw);
        let first = passed + count(&raw[..raw.len() - words.len()]);
        passed += count(raw);
        let given = variables::of_words(raw, line);
        // `export` holds for what comes behind it.
        if words.is_empty() || words[0] == "export" {
            found.settings.extend(given);
            found.settings.extend(filters::of_variable(text, line));
            continue;
        }
        found.settings.extend(hook_bypass(words, line, place));
        let inner = quoted_command(words);
        let checked = match &inner {
            None if is_many(words) => {
                let names = words[1..].iter().filter(|word| !word.starts_with('-'));
                let run = |name: &String| {
                    ["npm", "run", name.trim_start_matches("npm:")].map(str::to_owned).to_vec()
                };
                names.map(run).collect()
            }
            Some(inner) => shell::commands(inner).iter().map(|words| unwrapped(words).to_vec()).collect(),
            None => vec![words.to_vec()],
        };
        let lenient = || around.lenient.filter(|_| !masking::is_asked(text, around.following)).cloned();
        let mask = LazyCell::new(|| {
            masking::behind(&list, index, line, around.shell, around.asks)
                .or_else(|| masking::around(raw, text, line, around.following))
                .or_else(lenient)
        });
        // No program is called like an option: that is an entry of a list that goes over several lines.
        let is_program = |words: &&Vec<String>| words.first().is_some_and(|word| !word.starts_with('-'));
        for words in checked.iter().filter(is_program) {
            let Some((class, signature)) = tools::of_command(&without_prefix(words)) else { continue };
            let mask = LazyCell::force(&mask).clone().map(Force::Ignored);
            let somewhere = || (around.only_where)(index).map(Force::Somewhere);
            let never = || masking::in_front(&list, index, line).map(Force::Off);
            let force = never().or(mask).or_else(somewhere).unwrap_or(Force::Blocks);
            let key = format!("{signature} grep -v");
            let filtered = left_out_of_list.iter().filter(|_| class == CheckClass::Test).take(MAX_FILTERS);
            let filtered = filtered.map(|pattern| filters::left_out(&key, pattern, line)).collect();
            let whole = one_line(&words.join(" "));
            let shown = with_expressions(&whole, around.expressions, first);
            found.checks.push(Check {
                class,
                shown: shown.map(|shown| clipped(&shown, SHOWN)),
                settings: [options::settings(&signature, words, line), given.clone(), filtered].concat(),
                bypasses: options::bypasses(words),
                around: circumstances::in_front(raw, unwrapped(raw)),
                signature,
                place: place.to_owned(),
                text: clipped(&whole, SHOWN),
                line,
                force,
            });
        }
    }
}

/// `${PREFIX}coverage` is the program behind the variable.
fn without_prefix(words: &[String]) -> Cow<'_, [String]> {
    let program = words.first().and_then(|first| first.strip_prefix("${")?.split_once('}'));
    match program.filter(|(_, program)| !program.is_empty()) {
        Some((_, program)) => {
            let program = std::iter::once(program.to_owned());
            Cow::Owned(program.chain(words[1..].iter().cloned()).collect())
        }
        None => Cow::Borrowed(words),
    }
}

/// `run-s lint test`: scripts of the package one after the other, or all at once.
fn is_many(words: &[String]) -> bool {
    let program = words[0].rsplit('/').next().unwrap_or_default();
    matches!(program, "run-s" | "run-p" | "npm-run-all" | "npm-run-all2")
        || program == "concurrently" && words[1..].iter().any(|word| word.starts_with("npm:"))
}

/// `bash -c "..."` runs what is in the quotes.
fn quoted_command(words: &[String]) -> Option<String> {
    let is_shell = matches!(words[0].rsplit('/').next()?, "bash" | "sh" | "zsh");
    let at = words.iter().position(|word| matches!(word.as_str(), "-c" | "-ec" | "-lc" | "-exc"))?;
    words.get(at + 1).filter(|_| is_shell).cloned()
}

/// The words of the command itself, behind variables and programs that only run it.
fn unwrapped(words: &[String]) -> &[String] {
    let mut rest = words;
    loop {
        let Some(first) = rest.first() else { return rest };
        let is_variable = first.split_once('=').is_some_and(|(name, _)| is_name(name));
        let program = first.rsplit('/').next().unwrap_or_default();
        let runs = RUNNERS.contains(&program)
            && rest.get(1).is_some_and(|verb| matches!(verb.as_str(), "run" | "exec" | "develop"));
        if is_variable || WRAPPERS.contains(&program) {
            rest = skip_options(&rest[1..]);
        } else if runs {
            rest = skip_options(&rest[2..]);
        } else {
            return rest;
        }
    }
}

/// Options of a wrapper; a number behind one is its value.
fn skip_options(words: &[String]) -> &[String] {
    const TAKE_A_VALUE: [&str; 12] = [
        "--group",
        "--extra",
        "--with",
        "--python",
        "-p",
        "-n",
        "-e",
        "-f",
        "--package",
        "--directory",
        "-u",
        "--only-group",
    ];
    let mut rest = words;
    while let Some(first) = rest.first() {
        let is_number = first.chars().next().is_some_and(|c| c.is_ascii_digit());
        if TAKE_A_VALUE.contains(&first.as_str()) && rest.len() > 2 {
            rest = &rest[2..];
        } else if first.starts_with('-') || is_number {
            rest = &rest[1..];
        } else {
            break;
        }
    }
    rest
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// `git push --no-verify` and the like: hooks that do not run.
fn hook_bypass(words: &[String], line: u32, place: &str) -> Option<Setting> {
    let verb = words.get(1).filter(|_| words[0] == "git")?;
    let is_short = |word: &String| word == "-n" && verb == "commit";
    let bypass = words.iter().find(|word| *word == "--no-verify" || is_short(word))?;
    matches!(verb.as_str(), "commit" | "push" | "merge").then(|| Setting {
        about: About::Hooks,
        key: format!("{place}/git {verb} {bypass}"),
        line,
        value: SettingValue::Loose(true),
    })
}

/// Variables that switch a hook manager off.
pub fn switches_hooks_off(name: &str, value: &str) -> bool {
    let off = matches!(value, "0" | "false" | "off");
    match name {
        "HUSKY" | "LEFTHOOK" => off,
        "HUSKY_SKIP_HOOKS" | "SKIP_SIMPLE_GIT_HOOKS" => !off && !value.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(script: &str) -> String {
        let show = |check: &Check| {
            let sign = if check.blocks() { "" } else { "~" };
            format!("{sign}{}", check.signature)
        };
        read(script, 1, "").checks.iter().map(show).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn commands_that_check_are_found_behind_what_runs_them() {
        for (script, expected) in [
            ("cargo test --workspace", "cargo test"),
            ("RUST_LOG=x cargo +nightly miri test", "cargo miri"),
            ("uv run --frozen pytest -q", "pytest"),
            ("poetry run mypy src", "mypy"),
            ("python -m pytest", "pytest"),
            ("npx eslint . && npm run type-check", "eslint, run type-check"),
            ("yarn test --ci\npnpm -r run lint", "run test, run lint"),
            ("./mvnw -B verify", "mvn test"),
            ("./gradlew check", "gradle test"),
            ("make -C docs html", ""),
            ("make test", "make test"),
            ("tox -e py311", "tox"),
            ("tox -e lint", "tox lint"),
            ("bash -c 'pytest || true'", "pytest"),
            ("echo pytest", ""),
            ("pip install pytest", ""),
            ("./scripts/run_tests.sh", "script run_tests"),
            ("cargo hack test --each-feature", "cargo test"),
            ("go test ./... ; go vet ./...", "go test, go vet"),
            ("npm ci", ""),
            ("cargo fmt", ""),
            ("cargo fmt --all -- --check", "cargo fmt"),
            ("npm run build", ""),
        ] {
            assert_eq!(shown(script), expected, "{script}");
        }
    }

    #[test]
    fn masks_are_told_from_other_ways_to_go_on() {
        for (script, expected) in [
            ("pytest || true", "~pytest"),
            ("pytest || echo failed", "~pytest"),
            ("pytest || (echo failed; exit 1)", "pytest"),
            ("pytest || exit 1", "pytest"),
            ("pytest; exit 0", "~pytest"),
            ("pytest; echo done", "pytest"),
            ("mypy . && pytest || true", "~mypy, ~pytest"),
            ("set +e\npytest\nset -e\nmypy .", "~pytest, mypy"),
            ("pytest ${{ a && b || 'true' }}", "pytest"),
            ("pytest \\\n  -q || true", "~pytest"),
            ("(pytest) || true", "~pytest"),
            ("pytest | tee log", "pytest"),
            ("pytest &", "~pytest"),
            ("pytest &\nwait $!", "pytest"),
            ("! pytest", "~pytest"),
            ("if pytest; then echo fine; fi", "~pytest"),
            ("if pytest; then\n  echo fine\nelse\n  echo bad\nfi", "~pytest"),
            ("if ! pytest; then\n  echo bad\n  exit 1\nfi", "pytest"),
            ("if ! pytest; then\n  failed=1\nfi", "pytest"),
            ("if pytest; then\n  upload\nfi", "pytest"),
            ("set +e\npytest\ncode=$?\nset -e\nexit $code", "pytest"),
            ("set +e -o pipefail\npytest", "~pytest"),
            ("true || pytest", "~pytest"),
            ("echo fine || pytest", "~pytest"),
            ("exit 0; pytest", "~pytest"),
            ("true && pytest", "pytest"),
            ("check-env || pytest", "pytest"),
        ] {
            assert_eq!(shown(script), expected, "{script}");
        }
    }

    #[test]
    fn it_depends_on_the_shell_whether_a_pipe_fails() {
        let blocks = |shell: Shell, script: &str| read_in(shell, script, 1, "").checks[0].blocks();
        let stops = Shell { stops: true, pipes_fail: false };
        for (script, expected) in [
            ("pytest | tee log", false),
            ("pytest 2>&1 | grep -v warning | tee log", false),
            ("set -o pipefail\npytest | tee log", true),
            ("set -euo pipefail; pytest | tee log", true),
            ("pytest | tee log\nexit ${PIPESTATUS[0]}", true),
            ("pytest | tap-report", true),
            ("pytest | tee log || exit 1", true),
            ("pytest; echo done", true),
        ] {
            assert_eq!(blocks(stops, script), expected, "{script}");
        }
        assert!(!blocks(Shell::PLAIN, "pytest; echo done"));
        assert!(blocks(Shell::PLAIN, "pytest; code=$?; echo done; exit $code"));
        assert!(blocks(Shell::PLAIN, "pytest && echo done"));
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in r#"[a $'"\\`#;&|<>(){}\n\t=!-]{0,60}"#) {
            read(&text, 1, "");
        }
    }
}
