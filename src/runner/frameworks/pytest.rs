//! pytest: its JUnit report, asked for by a variable, so that it also reaches a pytest that make or tox starts.
//!
//! A run that crashes leaves no report; then the text tells how far it came.

use std::path::{Path, PathBuf};

use super::command::{self, Simple, base_name};
use super::python::{check_asserts, keep_asserts};
use super::settle::{report_bytes, settle};
use super::table::{Adapter, Plan, Report, Request};
use crate::policy::Framework;
use crate::runner::results::{Results, Skips, junit, pytest_text};
use crate::text::shell_quote;

pub const ADAPTER: Adapter = Adapter {
    framework: Framework::Pytest,
    recognizes: |words| words.first().is_some_and(|word| is_pytest(word)),
    plan,
    read,
    ended_in: pytest_text::ended_in,
    show: None,
};

const OPTIONS: &str = "PYTEST_ADDOPTS";

fn is_pytest(word: &str) -> bool {
    matches!(base_name(word), "pytest" | "py.test")
}

fn plan(request: &Request<'_>) -> Plan {
    let own = own_report(request);
    let report = own.clone().unwrap_or_else(|| request.scratch.join("pytest.xml"));
    let mut options = (request.variable)(OPTIONS).unwrap_or_default();
    if options.contains("no:junitxml") {
        let environment = keep_asserts(request).into_iter().collect();
        return Plan { command: request.command.clone(), environment, report: None };
    }
    let mut add = |option: &str| options = format!("{options} {option}").trim_start().to_owned();
    if own.is_none() {
        add(&format!("--junitxml={}", shell_quote(&report.to_string_lossy())));
    }
    // The older form names files and lines.
    add("-o junit_family=xunit1");
    if request.fail_fast {
        add("-x");
    }
    let mut environment = vec![(OPTIONS.to_owned(), options)];
    environment.extend(let_through(request));
    environment.extend(keep_asserts(request));
    Plan { command: request.command.clone(), environment, report: Some(report) }
}

/// The report that the command asks for itself; a command wins over the variable.
fn own_report(request: &Request<'_>) -> Option<PathBuf> {
    let simple = Simple::read(request.command)?;
    let words = simple.words();
    let program = command::program(&words).filter(|at| is_pytest(words[*at]))?;
    let words = &words[program..];
    let is_name = |word: &str| matches!(word, "--junitxml" | "--junit-xml");
    let file = words.iter().enumerate().rev().find_map(|(at, word)| match word.split_once('=') {
        Some((name, file)) if is_name(name) => Some(file),
        None if is_name(word) => words.get(at + 1).copied(),
        _ => None,
    });
    file.map(|file| request.directory.join(file))
}

/// tox keeps variables from what it starts unless they are named.
fn let_through(request: &Request<'_>) -> Option<(String, String)> {
    const OVERRIDE: &str = "TOX_OVERRIDE";
    let parts = command::parts(request.command);
    let is_tox = parts.iter().any(|part| {
        let words: Vec<&str> = part.iter().map(String::as_str).collect();
        command::program(&words).is_some_and(|at| base_name(words[at]) == "tox")
    });
    let pass = format!("testenv.pass_env+={OPTIONS}");
    let value = match (request.variable)(OVERRIDE) {
        Some(value) => format!("{value};{pass}"),
        None => pass,
    };
    is_tox.then(|| (OVERRIDE.to_owned(), value))
}

fn read(report: &Report<'_>) -> Result<Results, String> {
    check_asserts(&report.plan.command)?;
    if let Some(option) = runs_nothing(report.plan) {
        return Err(format!("pytest was told to run no tests ({option})"));
    }
    let file = report.plan.report.as_deref().filter(|file| is_fresh(file, report));
    let results = match file.map(report_bytes).transpose()?.flatten() {
        Some(bytes) => {
            let results = junit::read(&bytes)?;
            if results.counts().passed > 0 && counts_nothing(&bytes) {
                return Err(
                    "pytest was told to run no tests (as --setup-plan does): it lists tests and counts none"
                        .to_owned(),
                );
            }
            Results { skips: Skips::Placed, ..results }
        }
        None => pytest_text::read(report.output)?,
    };
    Ok(settle(below_root(results, report), report))
}

/// Options with which pytest runs the body of no test.
const IDLE: [&str; 10] = [
    "--setup-plan",
    "--setupplan",
    "--setup-only",
    "--setuponly",
    "--collect-only",
    "--collectonly",
    "--co",
    "--fixtures",
    "--funcargs",
    "--fixtures-per-test",
];

/// The option of the command or the variable that keeps every test from running.
fn runs_nothing(plan: &Plan) -> Option<&'static str> {
    let idle = |word: &str| IDLE.into_iter().find(|option| *option == word);
    let told = command::parts(&plan.command).into_iter().find_map(|part| {
        let words: Vec<&str> = part.iter().map(String::as_str).collect();
        let program = command::program(&words).filter(|at| is_pytest(words[*at]))?;
        words[program..].iter().find_map(|word| idle(word))
    });
    let variable = plan.environment.iter().find(|(name, _)| name == OPTIONS);
    told.or_else(|| variable?.1.split_whitespace().find_map(idle))
}

/// Whether the report counts no test as passed, whatever it lists: a test whose body did not run is listed as if it had
/// passed. This tells it also where a file with settings or a plugin is the cause.
fn counts_nothing(report: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&report[..report.len().min(4096)]);
    let suite = head.split_once("<testsuite ").and_then(|(_, rest)| rest.split_once('>'));
    let number = |name: &str| -> Option<u64> {
        let (_, rest) = suite?.0.split_once(&format!(" {name}=\""))?;
        rest.split_once('"')?.0.parse().ok()
    };
    // Where tests failed, the numbers may overlap.
    number("failures") == Some(0)
        && number("errors") == Some(0)
        && number("tests").is_some_and(|tests| number("skipped") == Some(tests))
}

fn is_fresh(file: &Path, report: &Report<'_>) -> bool {
    let modified = std::fs::metadata(file).and_then(|data| data.modified());
    // File systems keep times coarsely.
    modified.is_ok_and(|time| time + std::time::Duration::from_secs(2) >= report.started)
}

/// Files are named from the folder that pytest took for its root, which its first lines name.
fn below_root(mut results: Results, report: &Report<'_>) -> Results {
    let head = String::from_utf8_lossy(&report.output[..report.output.len().min(4096)]);
    let named = head.lines().find_map(|line| line.strip_prefix("rootdir: "));
    let root = named.map(|line| line.split(", ").next().unwrap_or(line).trim());
    let Some(root) = root.map(Path::new).filter(|root| root.is_absolute() && *root != report.directory)
    else {
        return results;
    };
    for file in results.tests.iter_mut().filter_map(|test| test.id.file.as_mut()) {
        let whole = root.join(&*file);
        if whole.is_file() {
            *file = whole.to_string_lossy().into_owned();
        }
    }
    results
}

#[cfg(test)]
mod tests {
    use super::super::table::request_for_tests;
    use super::*;
    use crate::runner::suite::CommandLine;

    fn planned(text: &str, variable: &dyn Fn(&str) -> Option<String>) -> Plan {
        let command = CommandLine::Shell(text.to_owned());
        let plan = plan(&Request { variable, ..request_for_tests(&command) });
        assert_eq!(plan.command, command, "the command stays");
        plan
    }

    fn options(plan: &Plan) -> &str {
        plan.environment.iter().find(|(name, _)| name == OPTIONS).map_or("", |(_, value)| value)
    }

    #[test]
    fn the_report_is_asked_for_by_a_variable() {
        let plan = planned("make test", &|_| None);
        assert_eq!(options(&plan), "--junitxml=/scratch/pytest.xml -o junit_family=xunit1");
        assert_eq!(plan.report.as_deref(), Some(Path::new("/scratch/pytest.xml")));
        let plan = planned("pytest", &|name| (name == OPTIONS).then(|| "-k 'a b'".to_owned()));
        assert_eq!(options(&plan), "-k 'a b' --junitxml=/scratch/pytest.xml -o junit_family=xunit1");
    }

    #[test]
    fn a_report_that_the_command_asks_for_is_read() {
        for text in ["pytest --junitxml=out.xml", "python -m pytest --junit-xml out.xml -q"] {
            let plan = planned(text, &|_| None);
            assert_eq!(plan.report.as_deref(), Some(Path::new("/project/out.xml")), "{text}");
            assert_eq!(options(&plan), "-o junit_family=xunit1");
        }
    }

    #[test]
    fn tox_lets_the_variable_through() {
        let plan = planned("tox -e py311", &|_| None);
        assert!(
            plan.environment.contains(&("TOX_OVERRIDE".into(), "testenv.pass_env+=PYTEST_ADDOPTS".into()))
        );
        assert_eq!(planned("pytest", &|_| None).environment.len(), 1);
    }

    #[test]
    fn options_that_run_nothing_are_told() {
        let told = |text: &str, options: &str| {
            let command = CommandLine::Shell(text.to_owned());
            let environment = vec![(OPTIONS.to_owned(), options.to_owned())];
            runs_nothing(&Plan { command, environment, report: None })
        };
        assert_eq!(told("pytest -q --setup-plan", ""), Some("--setup-plan"));
        assert_eq!(told("cd a && python -m pytest --co", ""), Some("--co"));
        assert_eq!(told("pytest", "-q --setup-only --junitxml=x"), Some("--setup-only"));
        assert_eq!(told("pytest --setup-show -k 'a --co'", "-x"), None);
        assert_eq!(told("tool --collect-only && pytest", ""), None);
    }

    #[test]
    fn a_list_that_is_not_counted_did_not_run() {
        let told = |errors: u32, skipped: u32, tests: u32| {
            let numbers =
                format!("errors=\"{errors}\" failures=\"0\" skipped=\"{skipped}\" tests=\"{tests}\"");
            let report = format!("<testsuites><testsuite name=\"pytest\" {numbers} time=\"0\"><testcase");
            counts_nothing(report.as_bytes())
        };
        assert!(told(0, 0, 0) && told(0, 2, 2));
        assert!(!told(0, 0, 10) && !told(0, 2, 3) && !told(1, 1, 1));
        assert!(!counts_nothing(b"<testsuite>"));
    }

    #[test]
    fn it_is_told_by_its_name() {
        assert!((ADAPTER.recognizes)(&["pytest", "-q"]));
        assert!((ADAPTER.recognizes)(&["/venv/bin/py.test"]));
        assert!(!(ADAPTER.recognizes)(&["echo", "pytest"]));
    }
}
