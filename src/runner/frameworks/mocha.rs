//! mocha: it has room for one reporter, so ours shows what its own `spec` shows and keeps the results beside it.
//!
//! A command that names a reporter keeps it; then the JSON it prints is read, or the numbers at the end.

use super::javascript::{no_results, read_events, text, write_reporter};
use super::packages::{names_tool, reach};
use super::settle::{report_bytes, settle};
use super::table::{Adapter, Plan, Report, Request};
use crate::policy::Framework;
use crate::runner::results::{Results, mocha_json, summary};

pub const ADAPTER: Adapter = Adapter {
    framework: Framework::Mocha,
    recognizes: |words| names_tool(words, "mocha"),
    plan,
    read,
    ended_in: super::javascript::ended_in,
    show: None,
};

const REPORTER: &str = include_str!("reporters/mocha.cjs");

pub fn plan(request: &Request<'_>) -> Plan {
    let Request { command, directory, scratch, .. } = *request;
    let unchanged = Plan { command: command.clone(), environment: Vec::new(), report: None };
    let reached = reach(command, directory, "mocha");
    let Some(reached) = reached.filter(|reached| !reached.has(&["--reporter", "-R", "--watch", "-w"])) else {
        return unchanged;
    };
    let Some(reporter) = write_reporter(scratch, "aiwg-gate-mocha.cjs", REPORTER) else {
        return unchanged;
    };
    let report = scratch.join("mocha.jsonl");
    let reporter = reporter.display().to_string();
    let mut added = vec!["--reporter", &reporter];
    if request.fail_fast && !reached.has(&["--bail", "-b"]) {
        added.push("--bail");
    }
    let command = reached.append(command, &added);
    let environment = vec![("AIWG_GATE_REPORT".to_owned(), report.display().to_string())];
    Plan { command, environment, report: Some(report) }
}

fn read(report: &Report<'_>) -> Result<Results, String> {
    let bytes = match &report.plan.report {
        Some(file) => report_bytes(file)?,
        None => None,
    };
    let results = match bytes {
        Some(bytes) => read_events(&[bytes], "mocha")?,
        None => {
            let output = text(report);
            let told = mocha_json::find(&output)
                .or_else(|| summary::mocha(&output))
                .or_else(|| mocha_json::uncaught(&output));
            told.ok_or_else(|| no_results("mocha"))?
        }
    };
    Ok(settle(results, report))
}
