//! `node:test`: a reporter of ours beside node's own `spec`.
//!
//! The reporter goes behind `--test` where node itself is the program, and into `NODE_OPTIONS` where something else
//! starts it. A command that names reporters keeps them; then the numbers at the end are read.

use std::path::{Path, PathBuf};

use super::command::{Simple, base_name};
use super::javascript::{no_results, read_events, text, write_reporter};
use super::packages::{last_words, node_options, script};
use super::settle::{report_bytes, settle};
use super::table::{Adapter, Plan, Report, Request};
use crate::policy::Framework;
use crate::runner::results::{Results, summary};
use crate::runner::suite::CommandLine;

pub const ADAPTER: Adapter = Adapter {
    framework: Framework::NodeTest,
    recognizes: |words| tests_flag(words).is_some(),
    plan,
    read,
    ended_in: super::javascript::ended_in,
    show: None,
};

const REPORTER: &str = include_str!("reporters/node_test.mjs");
/// Processes of one run that report, each in a file of its own.
const MOST_FILES: usize = 1000;

/// Where `--test` stands among the options of node.
fn tests_flag(words: &[&str]) -> Option<usize> {
    let name = words.first().map(|word| base_name(word))?;
    let options = &words[1..1 + node_options(&words[1..]).min(words.len() - 1)];
    let at = options.iter().position(|word| *word == "--test")?;
    matches!(name, "node" | "nodejs" | "tsx").then_some(at + 1)
}

pub fn plan(request: &Request<'_>) -> Plan {
    let Request { command, directory, scratch, .. } = *request;
    let unchanged = || Plan { command: command.clone(), environment: Vec::new(), report: None };
    if names_reporter(command, directory) {
        return unchanged();
    }
    let Some(reporter) = write_reporter(scratch, "aiwg-gate-node-test.mjs", REPORTER) else {
        return unchanged();
    };
    let report = scratch.join("node-test.jsonl");
    let options = [
        "--test-reporter=spec".to_owned(),
        "--test-reporter-destination=stdout".to_owned(),
        format!("--test-reporter={}", reporter.display()),
        "--test-reporter-destination=stderr".to_owned(),
    ];
    let mut environment = vec![("AIWG_GATE_REPORT".to_owned(), report.display().to_string())];
    let direct = Simple::read(command).and_then(|simple| {
        let at = tests_flag(&simple.words()).filter(|_| base_name(simple.words()[0]) != "tsx")?;
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        Some(simple.insert(at + 1, &options).into_command())
    });
    let command = direct.unwrap_or_else(|| {
        let own = (request.variable)("NODE_OPTIONS").unwrap_or_default();
        let quoted: Vec<String> = options.iter().map(|option| quoted(option)).collect();
        environment
            .push(("NODE_OPTIONS".to_owned(), format!("{own} {}", quoted.join(" ")).trim().to_owned()));
        environment.push(("AIWG_GATE_NODE_OPTIONS".to_owned(), own));
        command.clone()
    });
    Plan { command, environment, report: Some(report) }
}

/// As node reads it in `NODE_OPTIONS`.
fn quoted(option: &str) -> String {
    if option.contains([' ', '"', '\\']) {
        return format!("\"{}\"", option.replace('\\', r"\\").replace('"', "\\\""));
    }
    option.to_owned()
}

/// Node wants a destination for each reporter, so those of a command and ours do not mix.
fn names_reporter(command: &CommandLine, directory: &Path) -> bool {
    let named = |text: &str| text.contains("--test-reporter");
    let direct = match command {
        CommandLine::Shell(text) => named(text),
        CommandLine::Words(words) => words.iter().any(|word| named(word)),
    };
    let scripts = last_words(command).unwrap_or_default();
    direct || scripts.iter().filter_map(|word| script(directory, word)).any(|text| named(&text))
}

fn read(report: &Report<'_>) -> Result<Results, String> {
    let files = report.plan.report.as_deref().map(written).unwrap_or_default();
    let mut reports = Vec::new();
    for file in files {
        reports.extend(report_bytes(&file)?);
    }
    if !reports.is_empty() {
        return read_events(&reports, "node").map(|results| settle(results, report));
    }
    let output = text(report);
    if output.contains("bad option: --test-reporter") || output.contains("--test-reporter= is not allowed") {
        return Err("this node knows no reporters; 18.15 is the first that does".to_owned());
    }
    summary::node_test(&output).ok_or_else(|| no_results("node"))
}

/// The files of all processes that reported, in a fixed order.
fn written(report: &Path) -> Vec<PathBuf> {
    let (Some(folder), Some(name)) = (report.parent(), report.file_name()) else {
        return Vec::new();
    };
    let name = format!("{}.", name.to_string_lossy());
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().take(MOST_FILES);
    let mut files: Vec<PathBuf> = entries
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(&name))
        .map(|entry| entry.path())
        .collect();
    files.sort();
    files
}
