//! What is kept of a verdict: one line of JSON, version 1, in waiting files and in notes alike.

use chrono::{DateTime, Timelike, Utc};
use serde::{Deserialize, Serialize};

use crate::verdict::{Action, Proved, Report};

/// Whether the verdict came in time to stop the commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Judged {
    BeforeCommit,
    /// Amended, rebased or picked: what was judged before, if anything, was another change.
    AfterCommit,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    pub version: u32,
    pub verdict: String,
    pub judged: Judged,
    pub findings: Findings,
    pub tests: Change,
    pub skipped: Change,
    pub assertions: Change,
    /// The runs that the commit was judged by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub proofs: Vec<Proof>,
    /// When it was judged, to the second, in UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judged_at: Option<DateTime<Utc>>,
    /// The version of the program that judged.
    pub tool: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Findings {
    pub block: usize,
    pub warn: usize,
    pub log: usize,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub waived: usize,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// What a suite had to show, and the digest of the run that showed it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    pub suite: String,
    pub status: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tests: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
}

impl Proof {
    fn of(proved: &Proved) -> Self {
        let run = proved.proof.run.as_ref();
        Self {
            suite: proved.proof.suite.clone(),
            status: proved.proof.status.name().to_owned(),
            tests: run.map(|run| run.tests),
            digest: run.map(|run| run.digest.clone()),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    pub before: i64,
    pub after: i64,
}

impl Entry {
    pub fn of(report: &Report, judged: Judged, judged_at: DateTime<Utc>) -> Self {
        let count = |action| report.findings.iter().filter(|judged| judged.action == action).count();
        let (before, after) = (report.before, report.after);
        Self {
            version: 1,
            verdict: report.verdict.name().to_owned(),
            judged,
            findings: Findings {
                block: count(Action::Block),
                warn: count(Action::Warn),
                log: count(Action::Log),
                waived: count(Action::Waived),
            },
            tests: Change { before: before.tests, after: after.tests },
            skipped: Change { before: before.skipped, after: after.skipped },
            assertions: Change { before: before.assertions, after: after.assertions },
            proofs: report.proofs.iter().map(Proof::of).collect(),
            judged_at: judged_at.with_nanosecond(0),
            tool: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    pub fn to_line(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }

    /// Reads a note; `None` where it is none of ours. git may have added the note of the commit that this one
    /// replaces, below.
    pub fn parse(note: &str) -> Option<Self> {
        let entries = note.lines().filter_map(|line| serde_json::from_str(line).ok());
        entries.into_iter().find(|entry: &Self| entry.version == 1)
    }
}
