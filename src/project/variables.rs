//! Variables of the environment that runners and compilers take options from, and those that let failures pass.

use super::hooks::class_of_hook;
use super::words::words_of;
use super::{options, strictness};
use crate::facts::{About, CheckClass, Setting, SettingValue};

/// Each with the signature of the command whose options it holds.
const VARIABLES: &[(&str, &str)] = &[
    ("PYTEST_ADDOPTS", "pytest"),
    ("PYTEST_ARGS", "pytest"),
    ("PYTEST_OPTS", "pytest"),
    ("MAVEN_ARGS", "mvn test"),
    ("MAVEN_OPTS", "mvn test"),
    ("GOFLAGS", "go test"),
    ("TESTFLAGS", "go test"),
    ("GOTESTFLAGS", "go test"),
    ("GO_TEST_FLAGS", "go test"),
];

/// Variables that hold the names of what is not run.
const LISTS: &[(&str, About)] = &[("TOX_SKIP_ENV", About::Tests), ("SKIP", About::Lint)];

/// What the value of a variable tells a test runner, each under `<variable> <option>`.
pub fn settings(name: &str, value: &str, line: u32) -> impl Iterator<Item = Setting> + use<> {
    let signature = VARIABLES.iter().find(|(known, _)| *known == name).map(|(_, signature)| *signature);
    let found = signature.map(|signature| {
        // The program comes first where options are read.
        let program = signature.split(' ').next().unwrap_or_default();
        let words = crate::shell::commands(&format!("{program} {value}")).concat();
        let switches = options::bypasses(&words).into_iter().map(|option| Setting {
            about: About::Tests,
            key: option,
            line,
            value: SettingValue::Loose(true),
        });
        let settings = options::settings(signature, &words, line).into_iter().map(|setting| Setting {
            key: setting.key.rsplit(' ').next().unwrap_or_default().to_owned(),
            ..setting
        });
        settings.chain(switches).collect::<Vec<_>>()
    });
    let owner = name.to_owned();
    found
        .into_iter()
        .flatten()
        .map(move |setting| Setting { key: format!("{owner} {}", setting.key), ..setting })
        .chain(left_out(name, value, line))
        .chain(denied(name, value, line))
        .chain(lets_pass(name, value, line))
        .chain(warned(name, value, line))
        .chain(demanded(name, value, line))
}

/// `SKIP=mypy,flake8 pre-commit run`
fn left_out(name: &str, value: &str, line: u32) -> Vec<Setting> {
    let Some((_, about)) = LISTS.iter().find(|(known, _)| *known == name) else { return Vec::new() };
    let names = value.split(',').map(str::trim).filter(|name| name.len() > 2 && !name.contains('$'));
    // Most hooks tidy text, or keep people from branches.
    let names = names.filter(|one| name != "SKIP" || class_of_hook(one) != CheckClass::Format);
    let setting = |what: &str| Setting {
        about: *about,
        key: name.to_owned(),
        line,
        value: SettingValue::LeavesOut(what.to_owned()),
    };
    names.map(setting).collect()
}

/// `MIN_COVERAGE=80`, `COVERAGE_THRESHOLD: 95`
fn demanded(name: &str, value: &str, line: u32) -> Option<Setting> {
    let words = words_of(name);
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    let is_least = has(&["min", "minimum", "threshold", "required", "target", "under", "goal", "least"]);
    if !(has(&["cov", "coverage", "cover"]) && is_least) {
        return None;
    }
    let number = super::settings::number(value)?;
    Some(Setting { about: About::Coverage, key: name.to_owned(), line, value: SettingValue::Demands(number) })
}

/// `RUSTFLAGS: -D warnings`
fn denied(name: &str, value: &str, line: u32) -> Vec<Setting> {
    const FLAGS: &[&str] = &["RUSTFLAGS", "CARGO_BUILD_RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "RUSTDOCFLAGS"];
    // Cargo has a switch for both.
    if name == "CARGO_BUILD_WARNINGS" && value == "deny" {
        let insists = |what: &str| Setting {
            about: About::Lint,
            key: format!("{name} {what}"),
            line,
            value: SettingValue::Insists(what.to_owned()),
        };
        return vec![insists("deny warnings"), insists("deny warnings in docs")];
    }
    if !FLAGS.contains(&name) {
        return Vec::new();
    }
    let words: Vec<String> = value.split_whitespace().map(str::to_owned).collect();
    let lints = strictness::denied(&words).map(|lint| Setting {
        about: About::Lint,
        key: format!("{name} deny {lint}"),
        line,
        // What documentation fails on is another thing than what code does.
        value: SettingValue::Insists(match name {
            "RUSTDOCFLAGS" => format!("deny {lint} in docs"),
            _ => format!("deny {lint}"),
        }),
    });
    lints.collect()
}

/// `PYTHONWARNINGS=error`
fn warned(name: &str, value: &str, line: u32) -> Option<Setting> {
    let fails = name == "PYTHONWARNINGS" && value.split(',').any(|one| one.trim() == "error");
    fails.then(|| Setting {
        about: About::Tests,
        key: name.to_owned(),
        line,
        value: SettingValue::Insists("-W error".to_owned()),
    })
}

/// `ALLOW_FAILURES=true`, `SKIP_TESTS=1`
fn lets_pass(name: &str, value: &str, line: u32) -> Option<Setting> {
    let words = words_of(name);
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    let passes = has(&["allow", "ignore", "tolerate"]) && has(&["failure", "failures", "fail", "failing"])
        || has(&["skip"]) && has(&["test", "tests", "lint", "checks"]);
    let is_on = matches!(value.to_lowercase().as_str(), "true" | "1" | "yes" | "on");
    (passes && words.len() <= 4).then(|| Setting {
        about: About::Tests,
        key: name.to_owned(),
        line,
        value: SettingValue::Loose(is_on),
    })
}

/// The same for `NAME=value` in front of a command.
pub fn of_words(words: &[String], line: u32) -> Vec<Setting> {
    let given =
        words.iter().map_while(|word| word.split_once('=').or_else(|| is_prefix(word).then_some(("", ""))));
    given.flat_map(|(name, value)| settings(name, value, line)).collect()
}

fn is_prefix(word: &str) -> bool {
    matches!(word, "export" | "env" | "cross-env" | "npx")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_in_variables_are_read() {
        let words =
            crate::shell::commands("env PYTEST_ADDOPTS='--ignore=tests/a.py -k smoke' X=1 pytest").concat();
        let keys: Vec<String> = of_words(&words, 1).into_iter().map(|setting| setting.key).collect();
        assert_eq!(keys, ["PYTEST_ADDOPTS --ignore", "PYTEST_ADDOPTS -k"]);
        assert_eq!(settings("MAVEN_ARGS", "-B -DskipTests", 1).next().unwrap().key, "MAVEN_ARGS -DskipTests");
        assert_eq!(settings("PYTEST_ADDOPTS", "--color=yes -ra", 1).count(), 0);
        assert_eq!(
            settings("RUSTFLAGS", "-C debuginfo=0 -D warnings", 1).next().unwrap().key,
            "RUSTFLAGS deny warnings"
        );
        assert_eq!(settings("ALLOW_FAILURES", "true", 1).next().unwrap().value, SettingValue::Loose(true));
        assert_eq!(settings("SKIP_TESTS", "0", 1).next().unwrap().value, SettingValue::Loose(false));
        assert_eq!(settings("MIN_COVERAGE", "45", 1).next().unwrap().value, SettingValue::Demands(45.0));
        assert_eq!(settings("COVERAGE_DIR", "45", 1).count(), 0);
        assert_eq!(
            settings("TEST_SKIP_REASON", "none", 1).next().map(|it| it.value),
            Some(SettingValue::Loose(false))
        );
    }
}
