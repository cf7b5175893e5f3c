//! jest: its own JSON, beside the output that people see.

use super::javascript::{no_results, text};
use super::packages::{names_tool, reach};
use super::settle::{report_bytes, settle};
use super::table::{Adapter, Plan, Report, Request};
use crate::policy::Framework;
use crate::runner::results::{Results, Skips, jest_json, summary};

pub const ADAPTER: Adapter = Adapter {
    framework: Framework::Jest,
    recognizes: |words| names_tool(words, "jest"),
    plan,
    read,
    ended_in: super::javascript::ended_in,
    show: None,
};

pub fn plan(request: &Request<'_>) -> Plan {
    let Request { command, directory, scratch, .. } = *request;
    let unchanged = |report| Plan { command: command.clone(), environment: Vec::new(), report };
    let Some(reached) = reach(command, directory, "jest") else {
        return unchanged(None);
    };
    match reached.value(&["--outputFile"]) {
        Some(file) if reached.has(&["--json"]) && !file.is_empty() => unchanged(Some(directory.join(file))),
        Some(_) => unchanged(None),
        None => {
            let report = scratch.join("jest.json");
            let file = format!("--outputFile={}", report.display());
            let mut added = vec!["--json", &file, "--testLocationInResults"];
            if request.fail_fast && !reached.has(&["--bail", "-b"]) {
                added.push("--bail");
            }
            let command = reached.append(command, &added);
            Plan { command, environment: Vec::new(), report: Some(report) }
        }
    }
}

fn read(report: &Report<'_>) -> Result<Results, String> {
    let bytes = match &report.plan.report {
        Some(file) => report_bytes(file)?,
        None => None,
    };
    let results = match bytes {
        Some(bytes) => jest_json::read(&bytes).map(|results| settle(results, report))?,
        None => summary::jest(&text(report)).ok_or_else(|| no_results("jest"))?,
    };
    // `-t` reports what it leaves out as pending.
    Ok(Results { skips: Skips::Filtered, ..results })
}
