//! One attempt out of a tree.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};

use super::failures::{self, Causes};
use super::fields::{Fields, flat, keep};
use super::node::Node;
use super::{proof, words};
use crate::memory::format::{Environment, Execution, FixApplied, Foreign, TestResults};

/// What an attempt has where it does not say so itself.
pub struct Defaults {
    pub time: DateTime<Utc>,
    pub hash: String,
    pub framework: Option<String>,
}

pub fn read(mut fields: Fields, attempt: u32, defaults: &Defaults, foreign: &mut Vec<Foreign>) -> Execution {
    let mut causes = Causes::default();
    let mut failures = failures::read(&mut fields, &["failures"], &mut causes, foreign);
    for more in failures::read(&mut fields, &["failure_analysis"], &mut causes, foreign) {
        failures::join(&mut failures, more);
    }
    let analysis = failures::read_analysis(&mut fields, causes, foreign);
    let results = fields.map(&["test_results", "results"]);
    let execution = Execution {
        attempt: fields
            .whole(&["attempt", "attempt_number"])
            .filter(|attempt| *attempt > 0)
            .unwrap_or(attempt),
        timestamp: fields.parsed(&["timestamp", "time"], words::time).unwrap_or(defaults.time),
        code_hash: fields.text(&["code_hash", "content_hash"]).unwrap_or_else(|| defaults.hash.clone()),
        environment: read_environment(&mut fields, defaults.framework.as_deref(), foreign),
        test_results: read_results(results, failures.len() as u64, foreign),
        failures,
        analysis,
        fix_applied: read_fix(&mut fields, foreign),
        proof: proof::read(&mut fields),
    };
    fields.finish(foreign);
    execution
}

/// Every total that is missing follows from the others.
fn read_results(fields: Option<Fields>, failures: u64, foreign: &mut Vec<Foreign>) -> TestResults {
    let Some(mut fields) = fields else {
        return TestResults { total: failures, failed: failures, ..TestResults::default() };
    };
    let errors = fields.whole(&["errors", "errored"]).unwrap_or(0);
    let skipped = fields.whole(&["skipped"]).unwrap_or(0);
    let (total, passed) = (fields.whole::<u64>(&["total"]), fields.whole::<u64>(&["passed"]));
    let failed = fields.whole(&["failed"]).unwrap_or_else(|| match (total, passed) {
        (Some(total), Some(passed)) => total.saturating_sub(passed + errors + skipped),
        _ => failures.saturating_sub(errors),
    });
    let others = failed + errors + skipped;
    let passed = passed.unwrap_or_else(|| total.unwrap_or(0).saturating_sub(others));
    let results = TestResults {
        total: total.unwrap_or(passed + others),
        passed,
        failed,
        errors,
        skipped,
        duration_ms: fields.whole(&["duration_ms", "duration"]),
        coverage_percent: fields.within(&["coverage_percent", "coverage"], 0.0, 100.0),
    };
    fields.finish(foreign);
    results
}

const RUNTIMES: [&str; 10] = ["node", "python", "go", "rust", "java", "ruby", "php", "deno", "bun", "dotnet"];

fn read_environment(
    fields: &mut Fields,
    framework: Option<&str>,
    foreign: &mut Vec<Foreign>,
) -> Option<Environment> {
    let framework = framework.map(str::to_owned);
    let Some(mut from) = fields.map(&["environment"]) else {
        let known = Environment { test_framework: framework, ..Environment::default() };
        return known.test_framework.is_some().then_some(known);
    };
    let mut environment = Environment {
        runtime: from.text(&["runtime"]),
        runtime_version: from.text(&["runtime_version"]),
        test_framework: from.text(&["test_framework", "framework"]).or(framework),
        os: from.text(&["os", "platform"]),
        additional: BTreeMap::new(),
    };
    for runtime in RUNTIMES {
        if environment.runtime_version.is_some() {
            break;
        }
        if let Some(version) = from.text(&[&format!("{runtime}_version")]) {
            environment.runtime.get_or_insert_with(|| runtime.to_owned());
            environment.runtime_version = Some(version);
        }
    }
    if let Some(additional) = from.map(&["additional"]) {
        add(&mut environment.additional, additional, foreign);
    }
    add(&mut environment.additional, from, foreign);
    Some(environment)
}

/// What is left of an environment has a place there.
fn add(additional: &mut BTreeMap<String, String>, from: Fields, foreign: &mut Vec<Foreign>) {
    let place = from.place("");
    for (key, node) in from.rest() {
        match node {
            Node::Null => {}
            Node::Text(text) if !additional.contains_key(&key) => drop(additional.insert(key, text)),
            node => keep(format!("{place}{key}"), &node, foreign),
        }
    }
}

/// A mapping, or a sentence.
fn read_fix(fields: &mut Fields, foreign: &mut Vec<Foreign>) -> Option<FixApplied> {
    let Some(mut fix) = fields.map(&["fix_applied", "fix"]) else {
        let node = fields.take(&["fix_applied", "fix"])?;
        return Some(FixApplied { description: flat(&node), ..FixApplied::default() });
    };
    let mut applied = FixApplied {
        description: fix.text(&["description", "summary"]).unwrap_or_default(),
        diff_summary: fix.text(&["diff_summary"]),
        files_changed: fix.texts(&["files_changed", "files_modified", "files"]),
        diff: fix.text(&["diff"]),
        verification: fix.parsed(&["verification"], words::verification),
    };
    if let Some(mut verification) = fix.map(&["verification"]) {
        let result = verification.text(&["result", "status"]);
        applied.verification = result.as_deref().and_then(words::verification);
        if let Some(value) = result {
            foreign.push(Foreign { place: verification.place("result"), value });
        }
        verification.finish(foreign);
    }
    fix.finish(foreign);
    Some(applied)
}
