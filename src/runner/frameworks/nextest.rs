//! `cargo nextest run`: its JUnit report, asked for by a configuration of ours beside the repository's own.
//!
//! Where the repository asks for a report itself, that one wins and ours is not there; then the text tells. Skipped
//! tests stand in no report, so their names come from the text in any case.

use std::path::{Path, PathBuf};

use super::cargo_words::subcommand;
use super::command::{self, Simple, base_name};
use super::settle::{report_bytes, settle};
use super::table::{Adapter, Plan, Report, Request};
use crate::policy::Framework;
use crate::runner::results::{Results, junit, nextest_text};
use crate::runner::suite::CommandLine;

pub const ADAPTER: Adapter = Adapter {
    framework: Framework::Nextest,
    recognizes: |words| run_at(words).is_some(),
    plan,
    read,
    ended_in: nextest_text::ended_in,
    show: None,
};

/// Where `run` stands in `cargo nextest run`.
fn run_at(words: &[&str]) -> Option<usize> {
    let nextest = match base_name(words.first()?) {
        "cargo-nextest" => 1,
        _ => subcommand(words)?,
    };
    let is_nextest = *words.get(nextest)? == "nextest";
    let run = nextest + 1 + words[nextest + 1..].iter().take_while(|word| word.starts_with('-')).count();
    (is_nextest && matches!(*words.get(run)?, "run" | "r")).then_some(run)
}

fn plan(request: &Request<'_>) -> Plan {
    let environment = match (request.variable)("NEXTEST_STATUS_LEVEL") {
        Some(_) => Vec::new(),
        None => vec![("NEXTEST_STATUS_LEVEL".to_owned(), "skip".to_owned())],
    };
    let (command, report) = with_report(request)
        .map_or((request.command.clone(), None), |(command, report)| (command, Some(report)));
    Plan { command, environment, report }
}

fn with_report(request: &Request<'_>) -> Option<(CommandLine, PathBuf)> {
    let simple = Simple::read(request.command)?;
    let words = simple.words();
    let program = command::program(&words)?;
    let run = program + run_at(&words[program..])?;
    let own: Vec<&str> = words[run + 1..].iter().copied().take_while(|word| *word != "--").collect();
    let profile =
        profile(&own).or_else(|| (request.variable)("NEXTEST_PROFILE")).unwrap_or_else(|| "default".into());
    let report = request.scratch.join("nextest.xml");
    let config = request.scratch.join("nextest.toml");
    let text =
        format!("[profile.{}.junit]\npath = {}\n", toml_string(&profile), toml_string(report.to_str()?));
    std::fs::write(&config, text).ok()?;
    let named = format!("aiwg-gate:{}", config.to_str()?);
    let mut added = vec!["--tool-config-file", named.as_str()];
    let says = |word: &str| {
        ["--fail-fast", "--no-fail-fast", "--max-fail", "--ff", "--nff", "--no-run"]
            .iter()
            .any(|flag| word.starts_with(flag))
    };
    if !request.fail_fast && !own.iter().any(|word| says(word)) {
        added.push("--no-fail-fast");
    }
    Some((simple.insert(run + 1, &added).into_command(), report))
}

/// `--profile ci`, `--profile=ci`, `-P ci`, `-Pci`
fn profile(words: &[&str]) -> Option<String> {
    let at = words.iter().position(|word| word.starts_with("--profile") || word.starts_with("-P"))?;
    let value = match words[at] {
        "--profile" | "-P" => words.get(at + 1)?,
        word => word
            .strip_prefix("--profile=")
            .or_else(|| word.strip_prefix("-P").map(|rest| rest.trim_start_matches('=')))?,
    };
    Some(value.to_owned())
}

/// A basic string of TOML.
fn toml_string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04x}", c as u32)),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

fn read(report: &Report<'_>) -> Result<Results, String> {
    let told = nextest_text::read(report.output);
    let bytes = report.plan.report.as_deref().map(|file: &Path| report_bytes(file)).transpose()?.flatten();
    let results = match bytes {
        Some(bytes) => nextest_text::complete(junit::read(&bytes)?, told.ok()),
        None => told?,
    };
    Ok(settle(results, report))
}

#[cfg(test)]
mod tests {
    use super::super::table::request_for_tests;
    use super::*;

    fn planned(text: &str) -> (String, String) {
        let scratch = tempfile::tempdir().unwrap();
        let command = CommandLine::Shell(text.to_owned());
        let plan = plan(&Request { scratch: scratch.path(), ..request_for_tests(&command) });
        let config = std::fs::read_to_string(scratch.path().join("nextest.toml")).unwrap_or_default();
        let CommandLine::Shell(text) = plan.command else { panic!("a shell command stays one") };
        let clean = |text: &str| text.replace(scratch.path().to_str().unwrap(), "/scratch");
        (clean(&text), clean(&config))
    }

    #[test]
    fn the_report_is_asked_for_in_the_profile_that_runs() {
        let (command, config) = planned("cargo nextest run --workspace");
        assert_eq!(
            command,
            "cargo nextest run --tool-config-file aiwg-gate:/scratch/nextest.toml --no-fail-fast --workspace"
        );
        assert_eq!(config, "[profile.\"default\".junit]\npath = \"/scratch/nextest.xml\"\n");
        for text in
            ["cargo nextest run -P ci", "cargo nextest run --profile=ci", "cargo nextest run --profile ci"]
        {
            assert!(planned(text).1.starts_with("[profile.\"ci\".junit]"), "{text}");
        }
        assert!(!planned("cargo nextest run --max-fail=3").0.contains("--no-fail-fast"));
    }

    #[test]
    fn other_commands_stay() {
        for text in ["cargo nextest list", "cargo test", "make test", "cargo nextest run | tee log"] {
            assert_eq!(planned(text), (text.to_owned(), String::new()));
        }
        assert!((ADAPTER.recognizes)(&["cargo", "+stable", "nextest", "run"]));
        assert!(!(ADAPTER.recognizes)(&["cargo", "test"]));
    }
}
