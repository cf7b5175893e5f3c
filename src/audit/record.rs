//! One judged commit as it is kept on disk, and back. These types are the format of the file.

use serde::{Deserialize, Serialize};

use crate::comparison::Metrics;
use crate::detectors;
use crate::finding::{Excerpt, Finding, Severity, Side};
use crate::git::{ChangeKind, ObjectId};
use crate::verdict::{Action, ChangeSummary, Inconclusive, Judged, Report, Verdict};

#[derive(Serialize, Deserialize)]
struct Record {
    verdict: u8,
    base: Option<String>,
    files: usize,
    before: [i64; 3],
    after: [i64; 3],
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    findings: Vec<KeptFinding>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    inconclusive: Vec<(String, String)>,
}

#[derive(Serialize, Deserialize)]
struct KeptFinding {
    rule: String,
    severity: u8,
    confidence: f64,
    lowered: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    admitted: bool,
    side: u8,
    path: String,
    line: u32,
    symbol: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    detail: String,
    message: String,
    help: String,
    before: Option<KeptExcerpt>,
    after: Option<KeptExcerpt>,
    evidence: Vec<String>,
    action: u8,
}

#[derive(Serialize, Deserialize)]
struct KeptExcerpt {
    path: String,
    start: u32,
    lines: Vec<String>,
    line: u32,
    label: String,
}

const VERDICTS: [Verdict; 3] = [Verdict::Pass, Verdict::Warn, Verdict::Block];
const ACTIONS: [Action; 3] = [Action::Log, Action::Warn, Action::Block];
const SEVERITIES: [Severity; 4] = [Severity::Low, Severity::Medium, Severity::High, Severity::Critical];
const SIDES: [Side; 2] = [Side::Before, Side::After];

/// A report of a commit as one line; `None` where it cannot be kept.
pub fn write(report: &Report) -> Option<String> {
    // Waivers run out: what they excuse today they may not excuse tomorrow.
    if !report.waivers.is_empty() {
        return None;
    }
    let record = Record {
        verdict: place(&VERDICTS, report.verdict)?,
        base: report.change.base.as_ref().map(|base| base.as_str().to_owned()),
        files: report.change.files,
        before: numbers(report.before),
        after: numbers(report.after),
        findings: report.findings.iter().map(keep).collect::<Option<_>>()?,
        inconclusive: report
            .inconclusive
            .iter()
            .map(|unknown| (unknown.path.clone(), unknown.reason.clone()))
            .collect(),
    };
    serde_json::to_string(&record).ok()
}

/// The report of `commit` from its line; `None` where it is not whole, or from a program with other rules.
pub fn read(commit: &ObjectId, line: &str) -> Option<Report> {
    let record: Record = serde_json::from_str(line).ok()?;
    let base = match &record.base {
        Some(base) => Some(ObjectId::parse(base)?),
        None => None,
    };
    Some(Report {
        verdict: *VERDICTS.get(usize::from(record.verdict))?,
        change: ChangeSummary {
            kind: ChangeKind::Commit,
            base,
            head: Some(commit.clone()),
            files: record.files,
        },
        before: metrics(record.before),
        after: metrics(record.after),
        findings: record.findings.into_iter().map(judged).collect::<Option<_>>()?,
        inconclusive: record
            .inconclusive
            .into_iter()
            .map(|(path, reason)| Inconclusive { path, reason })
            .collect(),
        proofs: Vec::new(),
        no_suite: false,
        to_run: Vec::new(),
        waivers: Vec::new(),
    })
}

fn place<T: PartialEq>(all: &[T], one: T) -> Option<u8> {
    all.iter().position(|other| *other == one).and_then(|place| u8::try_from(place).ok())
}

fn numbers(metrics: Metrics) -> [i64; 3] {
    [metrics.tests, metrics.skipped, metrics.assertions]
}

fn metrics([tests, skipped, assertions]: [i64; 3]) -> Metrics {
    Metrics { tests, skipped, assertions }
}

fn keep(judged: &Judged) -> Option<KeptFinding> {
    let finding = &judged.finding;
    let excerpt = |excerpt: &Option<Excerpt>| {
        excerpt.clone().map(|Excerpt { path, start, lines, line, label }| KeptExcerpt {
            path,
            start,
            lines,
            line,
            label,
        })
    };
    Some(KeptFinding {
        rule: finding.rule.name.to_string(),
        severity: place(&SEVERITIES, finding.severity)?,
        confidence: finding.confidence,
        lowered: finding.lowered,
        admitted: finding.admitted,
        side: place(&SIDES, finding.side)?,
        path: finding.path.clone(),
        line: finding.line,
        symbol: finding.symbol.clone(),
        detail: finding.detail.clone(),
        message: finding.message.clone(),
        help: finding.help.clone(),
        before: excerpt(&finding.before),
        after: excerpt(&finding.after),
        evidence: finding.evidence.clone(),
        action: place(&ACTIONS, judged.action)?,
    })
}

fn judged(kept: KeptFinding) -> Option<Judged> {
    let excerpt = |excerpt: Option<KeptExcerpt>| {
        excerpt.map(|KeptExcerpt { path, start, lines, line, label }| Excerpt {
            path,
            start,
            lines,
            line,
            label,
        })
    };
    let finding = Finding {
        rule: detectors::find(&kept.rule)?.id.clone(),
        severity: *SEVERITIES.get(usize::from(kept.severity))?,
        confidence: kept.confidence,
        lowered: kept.lowered,
        admitted: kept.admitted,
        side: *SIDES.get(usize::from(kept.side))?,
        path: kept.path,
        line: kept.line,
        symbol: kept.symbol,
        detail: kept.detail,
        message: kept.message,
        help: kept.help,
        before: excerpt(kept.before),
        after: excerpt(kept.after),
        evidence: kept.evidence,
    };
    Some(Judged { finding, action: *ACTIONS.get(usize::from(kept.action))?, waiver: None })
}
