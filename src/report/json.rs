//! The JSON of `check`, and of each line of `audit`, version 1. Fields may be added, never renamed or dropped.
//!
//! These types are the contract with scripts; the domain types may change without them.

use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;

use super::waivers_json::WaiverJson;
use crate::audit::{Audited, Outcome};
use crate::comparison::Metrics;
use crate::finding::Excerpt;
use crate::git::CommitHead;
use crate::policy::Waiver;
use crate::text::plain_json;
use crate::verdict::{Judged, Proved, Report};

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    verdict: &'a str,
    inconclusive: Vec<Unknown<'a>>,
    change: Change<'a>,
    metrics: Sides,
    findings: Vec<Finding<'a>>,
    waivers: Vec<WaiverJson<'a>>,
    proofs: Vec<Proof<'a>>,
    timings_ms: Timings,
}

#[derive(Serialize)]
struct Unknown<'a> {
    path: &'a str,
    reason: &'a str,
}

#[derive(Serialize)]
struct Change<'a> {
    kind: &'a str,
    base: Option<&'a str>,
    head: Option<&'a str>,
    files: usize,
}

#[derive(Serialize)]
struct Sides {
    before: Counts,
    after: Counts,
    delta: Counts,
}

#[derive(Serialize)]
struct Counts {
    tests: i64,
    skipped: i64,
    assertions: i64,
}

#[derive(Serialize)]
struct Finding<'a> {
    rule: &'a str,
    pattern_id: &'a str,
    r#type: &'a str,
    severity: &'a str,
    confidence: f64,
    action: &'a str,
    file: &'a str,
    line: u32,
    side: &'a str,
    symbol: &'a str,
    message: &'a str,
    help: &'a str,
    before: Option<&'a str>,
    after: Option<&'a str>,
    evidence: &'a [String],
    fingerprint: String,
    /// Only on findings that are waived.
    #[serde(skip_serializing_if = "Option::is_none")]
    waiver: Option<WaivedBy<'a>>,
}

#[derive(Serialize)]
struct WaivedBy<'a> {
    reason: &'a str,
    by: &'a str,
    expires: NaiveDate,
}

#[derive(Serialize)]
struct Proof<'a> {
    suite: &'a str,
    status: &'a str,
    action: &'a str,
    /// Null where nobody asked for it: it is read off the whole tree.
    code_hash: Option<&'a str>,
    session_id: Option<&'a str>,
    attempt: Option<u32>,
    run_at: Option<DateTime<Utc>>,
    tests: Option<u64>,
    explanation: &'a str,
    details: &'a [String],
    next: Option<&'a str>,
}

#[derive(Serialize)]
struct Timings {
    total: u64,
}

/// The report as one JSON document and a line break.
pub fn render(report: &Report, total_ms: u64) -> serde_json::Result<String> {
    pretty(&document(report, total_ms))
}

/// A document as it is printed.
pub fn pretty(document: &impl Serialize) -> serde_json::Result<String> {
    Ok(plain_json(&serde_json::to_string_pretty(document)?).into_owned() + "\n")
}

/// One line of an audit: the same document for a commit of the past.
#[derive(Serialize)]
struct Line<'a> {
    commit: &'a str,
    author: &'a str,
    committed_at: Option<DateTime<Utc>>,
    subject: &'a str,
    #[serde(flatten)]
    document: Document<'a>,
}

/// A commit of which nothing can be said.
#[derive(Serialize)]
struct UnknownLine<'a> {
    version: u32,
    commit: &'a str,
    author: &'a str,
    committed_at: Option<DateTime<Utc>>,
    subject: &'a str,
    verdict: Option<&'a str>,
    error: &'a str,
}

pub fn line(audited: &Audited) -> serde_json::Result<String> {
    let CommitHead { id, author, time, subject } = &audited.commit;
    let (commit, committed_at) = (id.as_str(), DateTime::from_timestamp(*time, 0));
    let json = match &audited.outcome {
        Outcome::Judged(report) => {
            let document = document(report, audited.milliseconds);
            serde_json::to_string(&Line { commit, author, committed_at, subject, document })
        }
        Outcome::Unknown(error) => serde_json::to_string(&UnknownLine {
            version: 1,
            commit,
            author,
            committed_at,
            subject,
            verdict: None,
            error,
        }),
    };
    Ok(plain_json(&json?).into_owned() + "\n")
}

fn document(report: &Report, total_ms: u64) -> Document<'_> {
    Document {
        version: 1,
        verdict: report.verdict.name(),
        inconclusive: report
            .inconclusive
            .iter()
            .map(|unknown| Unknown { path: &unknown.path, reason: &unknown.reason })
            .collect(),
        change: Change {
            kind: report.change.kind.name(),
            base: report.change.base.as_ref().map(|id| id.as_str()),
            head: report.change.head.as_ref().map(|id| id.as_str()),
            files: report.change.files,
        },
        metrics: sides(report.before, report.after),
        findings: report.findings.iter().map(finding).collect(),
        waivers: report.waivers.iter().map(WaiverJson::of).collect(),
        proofs: report.proofs.iter().map(proof).collect(),
        timings_ms: Timings { total: total_ms },
    }
}

fn sides(before: Metrics, after: Metrics) -> Sides {
    let counts = |metrics: Metrics| Counts {
        tests: metrics.tests,
        skipped: metrics.skipped,
        assertions: metrics.assertions,
    };
    let delta = Counts {
        tests: after.tests - before.tests,
        skipped: after.skipped - before.skipped,
        assertions: after.assertions - before.assertions,
    };
    Sides { before: counts(before), after: counts(after), delta }
}

fn finding(judged: &Judged) -> Finding<'_> {
    let finding = &judged.finding;
    Finding {
        rule: &finding.rule.name,
        pattern_id: &finding.rule.pattern_id,
        r#type: finding.rule.kind.name(),
        severity: finding.severity.name(),
        confidence: finding.confidence,
        action: judged.action.name(),
        file: &finding.path,
        line: finding.line,
        side: finding.side.name(),
        symbol: &finding.symbol,
        message: &finding.message,
        help: &finding.help,
        before: finding.before.as_ref().map(Excerpt::main_line),
        after: finding.after.as_ref().map(Excerpt::main_line),
        evidence: &finding.evidence,
        fingerprint: finding.fingerprint(),
        waiver: judged.waiver.as_ref().map(waived_by),
    }
}

fn waived_by(waiver: &Waiver) -> WaivedBy<'_> {
    WaivedBy { reason: &waiver.reason, by: &waiver.by, expires: waiver.expires }
}

fn proof(proved: &Proved) -> Proof<'_> {
    let proof = &proved.proof;
    let run = proof.run.as_ref();
    Proof {
        suite: &proof.suite,
        status: proof.status.name(),
        action: proved.action.name(),
        code_hash: proof.code_hash.as_deref(),
        session_id: run.map(|run| run.session_id.as_str()),
        attempt: run.map(|run| run.attempt),
        run_at: run.map(|run| run.at),
        tests: run.map(|run| run.tests),
        explanation: &proof.explanation,
        details: &proof.details,
        next: proof.next.as_deref(),
    }
}
