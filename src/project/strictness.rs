//! What the options of a command insist on beyond what it checks anyway: warnings that are errors, strict modes, races
//! that are looked for. Where such an option goes, the command still runs, and fails on less.

use super::options::is_runner;
use super::words::class_of_name;
use crate::facts::{About, CheckClass, Setting, SettingValue};

/// Options of any tool that turn warnings into errors.
const WARNINGS: &[&str] = &[
    "-Werror",
    "--Werror",
    "-warnaserror",
    "--warnings-as-errors",
    "--fail-on-warnings",
    "--fail-on-warning",
    "--error-on-warnings",
    "--error-on-warning",
    "--deny-warnings",
    "--fatal-warnings",
];

/// Options by the command they belong to.
const OPTIONS: &[(&str, About, &[&str])] = &[
    (
        "mypy",
        About::Types,
        &[
            "--strict",
            "--disallow-untyped-defs",
            "--disallow-incomplete-defs",
            "--disallow-any-generics",
            "--check-untyped-defs",
            "--warn-unreachable",
        ],
    ),
    ("tsc", About::Types, &["--strict"]),
    ("go test", About::Tests, &["-race"]),
    ("gotestsum", About::Tests, &["-race"]),
    ("cargo test", About::Tests, &["--all-features", "--workspace"]),
    ("cargo nextest run", About::Tests, &["--all-features", "--workspace"]),
    ("cargo clippy", About::Lint, &["--all-features", "--all-targets", "--workspace"]),
    ("mocha", About::Tests, &["--check-leaks", "--forbid-only", "--forbid-pending", "--fail-zero"]),
    ("jest", About::Tests, &["--detectLeaks", "--errorOnDeprecated"]),
    ("pytest", About::Tests, &["--strict-markers", "--strict-config", "--rerun-except", "--only-rerun"]),
    ("playwright test", About::Tests, &["--forbid-only", "--fail-on-flaky-tests"]),
];

/// Options of any test runner after which one pass out of many is enough.
const AGAIN: &[&str] = &[
    "--reruns",
    "--retries",
    "--retry",
    "--rerun-fails",
    "-Dsurefire.rerunFailingTestsCount",
    "-Dfailsafe.rerunFailingTestsCount",
];

/// What the options of a command insist on.
pub fn settings(signature: &str, words: &[String], line: u32) -> Vec<Setting> {
    let setting =
        |about, option: &str, value| Setting { about, key: format!("{signature} {option}"), line, value };
    let insists = |about, what: &str| setting(about, what, SettingValue::Insists(what.to_owned()));
    let mut found = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let (option, given) = match word.split_once('=') {
            Some((option, value)) => (option, Some(value)),
            None => (word.as_str(), None),
        };
        let next = given.or_else(|| words.get(index + 1).map(String::as_str));
        let option = if option == "--all" && signature.starts_with("cargo") { "--workspace" } else { option };
        if WARNINGS.contains(&option) {
            found.push(insists(About::Lint, option));
        } else if let Some(known) = OPTIONS.iter().find(|(tool, ..)| *tool == signature)
            && known.2.contains(&option)
        {
            found.push(insists(known.1, option));
        } else if option == "--max-warnings" {
            found.push(insists(About::Lint, option));
            let most = next.and_then(|value| value.parse::<f64>().ok()).filter(|number| number.is_finite());
            found.extend(most.map(|most| setting(About::Lint, option, SettingValue::Demands(-most))));
        } else if option == "-W" && next.is_some_and(|value| value.split(':').next() == Some("error")) {
            found.push(insists(About::Tests, "-W error"));
        } else if AGAIN.contains(&option) && next != Some("0") && is_runner(signature) {
            found.push(setting(About::Tests, option, SettingValue::Loose(true)));
        } else if signature == "pytest" && given_up(word, next).is_some() {
            let plugin = given_up(word, next).unwrap_or_default();
            found.push(setting(About::Tests, &format!("-p no:{plugin}"), SettingValue::Loose(true)));
        } else if signature == "pytest" && option == "--no-cov" {
            found.push(setting(About::Coverage, option, SettingValue::Loose(true)));
        } else if signature == "pytest" && option == "-W" && next.is_some_and(|it| it.starts_with("ignore")) {
            let value = next.unwrap_or_default().to_owned();
            found.push(setting(About::Tests, "-W filterwarnings", SettingValue::LeavesOut(value)));
        } else if signature == "pytest" {
            found.extend(overridden(option, word, next).map(|name| {
                let key = format!("{option} {name}");
                setting(About::Tests, &key, SettingValue::Loose(true))
            }));
        } else if signature == "go test" && word == "-vet=off" {
            found.push(setting(About::Lint, word, SettingValue::Loose(true)));
        }
    }
    found.extend(built_with(signature, words).into_iter().map(|(about, part)| insists(about, &part)));
    if matches!(signature, "cargo clippy" | "cargo check" | "cargo build") {
        found.extend(denied(words).map(|lint| insists(About::Lint, &format!("deny {lint}"))));
    }
    found
}

/// What a command is told to build and look at beside the usual: features of cargo's, tags of Go's, profiles of Maven's,
/// and further tasks and targets that check.
fn built_with(signature: &str, words: &[String]) -> Vec<(About, String)> {
    let (options, kind, about): (&[&str], _, _) = match signature {
        "cargo test" | "cargo nextest run" => (&["--features", "-F"], "feature", About::Tests),
        "cargo clippy" => (&["--features", "-F"], "feature", About::Lint),
        "go test" | "gotestsum" => (&["-tags", "--tags"], "tag", About::Tests),
        "mvn test" => (&["-P", "--activate-profiles"], "profile", About::Tests),
        _ => return further_tasks(signature, words),
    };
    let values = words.iter().enumerate().filter_map(|(index, word)| {
        let joined = || word.strip_prefix("-P").filter(|_| options[0] == "-P" && word.len() > 2);
        match word.split_once('=') {
            Some((option, value)) => options.contains(&option).then_some(value),
            None if options.contains(&word.as_str()) => words.get(index + 1).map(String::as_str),
            None => joined(),
        }
    });
    let names = values.flat_map(|value| value.split([',', ' ', '"', '\'']));
    // A profile may be about anything; one that checks says so.
    let says = |name: &&str| kind != "profile" || class_of_name(name).is_some() || name.ends_with("its");
    let is_told = |name: &&str| !name.is_empty() && !name.contains('$') && !name.starts_with('!');
    names.filter(is_told).filter(says).map(|name| (about, format!("{kind} {name}"))).collect()
}

/// The tasks behind the first one that a build tool is told to run, where their names say that they check.
fn further_tasks(signature: &str, words: &[String]) -> Vec<(About, String)> {
    let tool = signature.split(' ').next().unwrap_or_default();
    if !matches!(tool, "gradle" | "make" | "just") {
        return Vec::new();
    }
    const USUAL: &[&str] = &["test", "check", "build"];
    let tasks = words[1..].iter().filter(|word| !word.starts_with('-') && !word.contains(['=', '$']));
    let tasks = tasks.map(|task| task.rsplit(':').next().unwrap_or_default());
    let own = |task: &&str| !USUAL.contains(task) && signature != format!("{tool} {task}");
    let checks =
        tasks.filter(own).filter(|task| class_of_name(task).is_some_and(|it| it != CheckClass::Build));
    checks.map(|task| (About::Tests, format!("task {task}"))).collect()
}

/// Plugins of pytest that find what tests do beside their assertions.
const FINDING: &[&str] = &["unraisableexception", "threadexception", "warnings", "recwarn", "asyncio"];

/// `-p no:threadexception`: a plugin that finds something, and is switched off.
fn given_up<'w>(word: &'w str, next: Option<&'w str>) -> Option<&'w str> {
    let value = if word == "-p" { next? } else { word.strip_prefix("-p")? };
    value.trim().strip_prefix("no:").filter(|plugin| FINDING.contains(plugin))
}

/// `-o xfail_strict=false`: a setting of the project that one run does without.
fn overridden<'w>(option: &str, word: &'w str, next: Option<&'w str>) -> Option<&'w str> {
    let given = match option {
        "-o" => next,
        "--override-ini" => word.strip_prefix("--override-ini=").or(next),
        _ => None,
    };
    let (name, value) = given?.trim_matches(['"', '\'']).split_once('=')?;
    let value = value.trim_matches(['"', '\'']).to_lowercase();
    let is_off = matches!(value.as_str(), "false" | "0" | "no" | "");
    (is_off && matches!(name, "xfail_strict" | "addopts" | "filterwarnings")).then_some(name)
}

/// Lints that the compiler of Rust is told to deny: `-D warnings`, `-Dwarnings`, `--deny warnings`.
pub fn denied(words: &[String]) -> impl Iterator<Item = &str> {
    words.iter().enumerate().filter_map(|(index, word)| match word.as_str() {
        "-D" | "-F" | "--deny" | "--forbid" => words.get(index + 1).map(String::as_str),
        word => {
            let lint = word.strip_prefix("--deny=").or_else(|| word.strip_prefix("-D"))?;
            (!lint.is_empty() && lint.chars().all(|c| c.is_ascii_lowercase() || "_:-".contains(c)))
                .then_some(lint)
        }
    })
}

/// `-DskipMilvusITs`, `-Dcheckstyle.skip`, `-x spotbugsMain`: parts of a build that are passed over by name.
pub fn skipped(signature: &str, words: &[String], line: u32) -> Vec<Setting> {
    let setting = |option: &str, about| Setting {
        about,
        key: format!("{signature} {option}"),
        line,
        value: SettingValue::Loose(true),
    };
    if signature.starts_with("mvn") {
        let given = words.iter().filter(|word| !word.ends_with("=false"));
        let names = given.filter_map(|word| word.strip_prefix("-D")?.split('=').next());
        let skips = names.filter_map(|name| Some((name, skip_of(name)?)));
        let skips = skips.map(|(name, about)| setting(&format!("-D{name}"), about));
        return skips.chain(modules_left_out(signature, words, line)).collect();
    }
    if signature.starts_with("gradle") {
        let tasks = words.windows(2).filter(|pair| matches!(pair[0].as_str(), "-x" | "--exclude-task"));
        let checks = tasks.filter(|pair| {
            let task = pair[1].rsplit(':').next().unwrap_or_default();
            is_checker(task) || class_of_name(task).is_some_and(|class| class != CheckClass::Test)
        });
        return checks.map(|pair| setting(&format!("-x {}", pair[1]), About::Lint)).collect();
    }
    Vec::new()
}

/// `-pl '!docs'`
fn modules_left_out(signature: &str, words: &[String], line: u32) -> impl Iterator<Item = Setting> {
    let lists = words.windows(2).filter(|pair| matches!(pair[0].as_str(), "-pl" | "--projects"));
    let names = lists.flat_map(|pair| pair[1].split(',')).filter_map(|name| name.strip_prefix(['!', '-']));
    names.map(move |name| Setting {
        about: About::Tests,
        key: format!("{signature} -pl"),
        line,
        value: SettingValue::LeavesOut(name.to_owned()),
    })
}

/// What a property such as `skipITs`, `skipCompliance` or `checkstyle.skip` passes over, if that checks anything.
pub fn skip_of(name: &str) -> Option<About> {
    let is_skip = name.starts_with("skip") || name.ends_with(".skip") || name.ends_with("Skip");
    let lower = name.to_lowercase();
    if !is_skip || ["maven.test", "skiptests", "skipits", "skiputs"].iter().any(|own| lower.starts_with(own))
    {
        return None;
    }
    let ends_in = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
    let words = super::words::words_of(name);
    let of_tests = || words.iter().any(|word| word.starts_with("test") && word != "testing");
    if ends_in(&["ITs", "IT"]) || of_tests() || lower.contains("failsafe") || lower.contains("surefire") {
        return Some(About::Tests);
    }
    if ["jacoco", "coverage", "cobertura"].iter().any(|word| lower.contains(word)) {
        return Some(About::Coverage);
    }
    is_checker(name).then_some(About::Lint)
}

/// Whether a plugin, a task or a property of a Java build is about something that checks the code.
pub fn is_checker(name: &str) -> bool {
    let lower = name.to_lowercase();
    CHECKERS.iter().any(|checker| lower.contains(checker))
}

const CHECKERS: &[&str] = &[
    "checkstyle",
    "spotbugs",
    "findbugs",
    "pmd",
    "enforcer",
    "compliance",
    "animal",
    "revapi",
    "japicmp",
    "clirr",
    "forbidden",
    "errorprone",
    "detekt",
    "ktlint",
    "archunit",
    "sonar",
    "dependency-check",
    "dependencycheck",
    "pitest",
    "lint",
    "validat",
    "verif",
    "audit",
];

/// The tool that a plugin of a build runs to check the code, whatever the plugin is called.
pub fn checker_in(name: &str) -> Option<&'static str> {
    const VAGUE: &[&str] =
        &["sonar", "lint", "validat", "verif", "audit", "compliance", "animal", "forbidden", "archunit"];
    let lower = name.to_lowercase();
    CHECKERS
        .iter()
        .copied()
        .find(|checker| lower.contains(checker))
        .filter(|checker| !VAGUE.contains(checker))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(signature: &str, text: &str) -> Vec<String> {
        let words = crate::shell::commands(text).concat();
        let found = settings(signature, &words, 1).into_iter().chain(skipped(signature, &words, 1));
        found.map(|setting| setting.key).collect()
    }

    #[test]
    fn what_is_insisted_on_is_read() {
        for (signature, text, expected) in [
            ("cargo clippy", "cargo clippy --all -- -D warnings -A dead_code", "--workspace deny warnings"),
            ("cargo test", "cargo test --features 'yaml json'", "feature yaml feature json"),
            ("go test", "go test -tags=integration ./...", "tag integration"),
            ("mvn test", "mvn verify -Pintegration-tests -Prelease", "profile integration-tests"),
            ("cargo clippy", "cargo clippy -- -Dwarnings", "deny warnings"),
            ("cargo clippy", "cargo clippy", ""),
            ("mypy", "mypy --strict src", "--strict"),
            ("go test", "go test -race -short ./...", "-race"),
            ("pytest", "pytest -W error -q", "-W error"),
            ("pytest", "pytest -o xfail_strict=False", "-o xfail_strict"),
            ("pytest", "pytest --override-ini=xfail_strict=false", "--override-ini xfail_strict"),
            ("pytest", "pytest -o cache_dir=x -o xfail_strict=true", ""),
            ("pytest", "pytest --reruns 5 --rerun-except AssertionError", "--reruns --rerun-except"),
            ("mocha", "mocha --check-leaks -t 100", "--check-leaks"),
            ("cargo test", "cargo nextest run --retries 0", ""),
            ("eslint", "eslint . --max-warnings=0", "--max-warnings --max-warnings"),
        ] {
            let shown: Vec<String> = keys(signature, text)
                .iter()
                .map(|key| key.replacen(&format!("{signature} "), "", 1))
                .collect();
            assert_eq!(shown.join(" "), expected, "{text}");
        }
    }

    #[test]
    fn parts_of_a_build_that_check_are_told_from_others() {
        for (signature, text, expected) in [
            ("mvn test", "mvn verify -DskipMilvusITs -Dgpg.skip", "mvn test -DskipMilvusITs"),
            ("mvn test", "mvn verify -Dcheckstyle.skip=true", "mvn test -Dcheckstyle.skip"),
            ("mvn test", "mvn verify -Dcheckstyle.skip=false -Dmaven.javadoc.skip -DskipTests", ""),
            ("gradle test", "gradle build -x spotbugsMain -x javadoc", "gradle test -x spotbugsMain"),
            ("pytest", "pytest -x lint", ""),
        ] {
            assert_eq!(keys(signature, text).join(" "), expected, "{text}");
        }
    }
}
