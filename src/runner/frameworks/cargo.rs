//! `cargo test`: libtest has no stable report, so its text is read.
//!
//! Cargo stops at the first test program that fails. `--no-fail-fast` lets the others run too, which only adds results.

use super::command::{self, Simple};
use super::settle::settle;
use super::table::{Adapter, Plan, Report, Request};
use crate::policy::Framework;
use crate::runner::results::{Results, libtest};
use crate::runner::suite::CommandLine;

pub const ADAPTER: Adapter = Adapter {
    framework: Framework::CargoTest,
    recognizes: |words| subcommand(words).is_some(),
    plan,
    read,
    ended_in: libtest::ended_in,
    show: None,
};

fn plan(request: &Request<'_>) -> Plan {
    let command = with_all_programs(request).unwrap_or_else(|| request.command.clone());
    Plan { command, environment: Vec::new(), report: None }
}

fn with_all_programs(request: &Request<'_>) -> Option<CommandLine> {
    let simple = Simple::read(request.command)?;
    let words = simple.words();
    let program = command::program(&words)?;
    let test = program + subcommand(&words[program..])?;
    let own = words[test..].iter().take_while(|word| **word != "--");
    let is_there =
        own.into_iter().any(|word| matches!(*word, "--no-fail-fast" | "--no-run" | "--help" | "-h"));
    (!request.fail_fast && !is_there).then(|| simple.insert(test + 1, &["--no-fail-fast"]).into_command())
}

fn read(report: &Report<'_>) -> Result<Results, String> {
    libtest::read(report.output).map(|results| settle(results, report))
}

/// Where `test` stands among the words of cargo.
fn subcommand(words: &[&str]) -> Option<usize> {
    let at = super::cargo_words::subcommand(words)?;
    matches!(words[at], "test" | "t").then_some(at)
}

#[cfg(test)]
mod tests {
    use super::super::table::request_for_tests;
    use super::*;

    fn planned(text: &str, fail_fast: bool) -> String {
        let command = CommandLine::Shell(text.to_owned());
        let request = Request { fail_fast, ..request_for_tests(&command) };
        match plan(&request).command {
            CommandLine::Shell(text) => text,
            CommandLine::Words(words) => words.join(" "),
        }
    }

    #[test]
    fn all_test_programs_run() {
        assert_eq!(planned("cargo test --locked", false), "cargo test --no-fail-fast --locked");
        assert_eq!(
            planned("cargo +nightly --offline t -- --nocapture", false),
            "cargo +nightly --offline t --no-fail-fast -- --nocapture"
        );
        assert_eq!(
            planned("cargo test -- --no-fail-fast", false),
            "cargo test --no-fail-fast -- --no-fail-fast"
        );
    }

    #[test]
    fn a_command_that_says_otherwise_stays() {
        for text in [
            "cargo test --no-fail-fast",
            "cargo test --no-run",
            "cargo test && x",
            "cargo build",
            "make test",
        ] {
            assert_eq!(planned(text, false), text);
        }
        assert_eq!(planned("cargo test", true), "cargo test");
    }

    #[test]
    fn it_is_told_from_other_uses_of_cargo() {
        assert!((ADAPTER.recognizes)(&["cargo", "test"]));
        assert!((ADAPTER.recognizes)(&["/usr/bin/cargo", "--locked", "test"]));
        assert!(!(ADAPTER.recognizes)(&["cargo", "nextest", "run"]));
        assert!(!(ADAPTER.recognizes)(&["cargo", "run", "test"]));
        assert!(!(ADAPTER.recognizes)(&["echo", "test"]));
    }
}
