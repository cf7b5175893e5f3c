//! Python's own unittest: it has no report, so its text is read. `-v` makes it name the tests.

use super::command::{self, Simple};
use super::python::{check_asserts, keep_asserts};
use super::settle::settle;
use super::table::{Adapter, Plan, Report, Request};
use crate::policy::Framework;
use crate::runner::results::{Results, unittest_text};
use crate::runner::suite::CommandLine;

pub const ADAPTER: Adapter = Adapter {
    framework: Framework::Unittest,
    recognizes: |words| words.first() == Some(&"unittest"),
    plan,
    read,
    ended_in: unittest_text::ended_in,
    show: None,
};

fn plan(request: &Request<'_>) -> Plan {
    let command = with_names(request).unwrap_or_else(|| request.command.clone());
    // The interpreter then says where it crashed.
    let mut environment = match (request.variable)("PYTHONFAULTHANDLER") {
        Some(_) => Vec::new(),
        None => vec![("PYTHONFAULTHANDLER".to_owned(), "1".to_owned())],
    };
    environment.extend(keep_asserts(request));
    Plan { command, environment, report: None }
}

fn with_names(request: &Request<'_>) -> Option<CommandLine> {
    let simple = Simple::read(request.command)?;
    let words = simple.words();
    let program = command::program(&words).filter(|at| words[*at] == "unittest")?;
    let own = &words[program + 1..];
    let mut added = Vec::new();
    if !own.iter().any(|word| matches!(*word, "-v" | "--verbose")) {
        added.push("-v");
    }
    if request.fail_fast && !own.iter().any(|word| matches!(*word, "-f" | "--failfast")) {
        added.push("-f");
    }
    // `discover` must stay the first word.
    let after = program + 1 + usize::from(own.first() == Some(&"discover"));
    Some(simple.insert(after, &added).into_command())
}

fn read(report: &Report<'_>) -> Result<Results, String> {
    check_asserts(&report.plan.command)?;
    unittest_text::read(report.output).map(|results| settle(results, report))
}

#[cfg(test)]
mod tests {
    use super::super::table::request_for_tests;
    use super::*;

    #[test]
    fn tests_are_named() {
        for (text, expected) in [
            ("python -m unittest", "python -m unittest -v"),
            ("python3 -m unittest discover -s tests", "python3 -m unittest discover -v -s tests"),
            ("coverage run -m unittest tests.a", "coverage run -m unittest -v tests.a"),
            ("python -m unittest --verbose", "python -m unittest --verbose"),
            ("python manage.py test", "python manage.py test"),
            ("python -m unittest && x", "python -m unittest && x"),
        ] {
            let command = CommandLine::Shell(text.to_owned());
            assert_eq!(plan(&request_for_tests(&command)).command, CommandLine::Shell(expected.to_owned()));
        }
    }
}
