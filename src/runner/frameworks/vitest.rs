//! vitest: its JSON reporter beside the one that people see, and never its watch mode.

use super::javascript::{no_results, text};
use super::packages::{Reached, installed_major, names_tool, reach};
use super::settle::{report_bytes, settle};
use super::table::{Adapter, Plan, Report, Request};
use crate::policy::Framework;
use crate::runner::results::frames::innermost_javascript;
use crate::runner::results::{Failure, Results, Skips, jest_json, summary};
use crate::text::plain;

pub const ADAPTER: Adapter = Adapter {
    framework: Framework::Vitest,
    recognizes: |words| names_tool(words, "vitest"),
    plan,
    read,
    ended_in: super::javascript::ended_in,
    show: None,
};

/// The first version with an option for the lines of tests; earlier ones refuse what they do not know.
const TELLS_LINES: u32 = 2;

pub fn plan(request: &Request<'_>) -> Plan {
    let Request { command, directory, scratch, .. } = *request;
    let unchanged = || Plan { command: command.clone(), environment: Vec::new(), report: None };
    let Some(reached) = reach(command, directory, "vitest") else {
        return unchanged();
    };
    if reached.arguments.iter().any(|word| word.starts_with("--outputFile")) {
        return unchanged();
    }
    let report = scratch.join("vitest.json");
    let file = format!("--outputFile.json={}", report.display());
    let mut added = Vec::new();
    if watches(&reached) {
        added.push("--run");
    }
    if !reached.has(&["--reporter"]) {
        added.push("--reporter=default");
    }
    added.extend(["--reporter=json", &file]);
    if installed_major(directory, "vitest").is_some_and(|major| major >= TELLS_LINES) {
        added.push("--includeTaskLocation");
    }
    if request.fail_fast && !reached.has(&["--bail"]) {
        added.push("--bail=1");
    }
    Plan { command: reached.append(command, &added), environment: Vec::new(), report: Some(report) }
}

/// Whether it would wait for changes on a terminal.
fn watches(reached: &Reached) -> bool {
    let told = reached.has(&["--run", "--watch", "-w", "--no-watch", "--watch=false"]);
    let command = reached.arguments.first().map_or("", String::as_str);
    !told && !matches!(command, "run" | "related" | "watch" | "dev" | "bench" | "list")
}

fn read(report: &Report<'_>) -> Result<Results, String> {
    let bytes = match &report.plan.report {
        Some(file) => report_bytes(file)?,
        None => None,
    };
    let output = plain(&text(report));
    let Some(bytes) = bytes else {
        let results = summary::vitest(&output).ok_or_else(|| no_results("vitest"))?;
        return Ok(Results { skips: Skips::Filtered, ..results });
    };
    let mut results = jest_json::read(&bytes)?;
    results.problems.extend(unhandled(&output));
    // `-t` reports what it leaves out as skipped.
    results.skips = Skips::Filtered;
    Ok(settle(results, report))
}

/// Errors that no test waited for, and workers that died: the output alone tells them.
fn unhandled(output: &str) -> Option<Failure> {
    let (_, told) = output.split_once(" Unhandled Errors ")?;
    let is_frame = |line: &&str| {
        !line.is_empty() && !line.starts_with("Vitest caught") && !line.starts_with("This might")
    };
    let mut lines = told.lines().map(str::trim).filter(is_frame).filter(|line| !line.starts_with('⎯'));
    let message = lines.next().unwrap_or("an error that no test waited for");
    let stack: Vec<&str> =
        lines.take_while(|line| !line.starts_with("This error originated")).take(40).collect();
    let location = innermost_javascript(&stack.join("\n"));
    Some(Failure {
        kind: "unhandled".to_owned(),
        message: message.to_owned(),
        location,
        ..Failure::default()
    })
}
