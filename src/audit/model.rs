//! What an audit says of one commit.

use crate::finding::Finding;
use crate::git::CommitHead;
use crate::verdict::{Action, Judged, Report};

/// One commit of the past and what became of it.
#[derive(Clone, Debug)]
pub struct Audited {
    pub commit: CommitHead,
    pub outcome: Outcome,
    /// How long judging it took.
    pub milliseconds: u64,
}

#[derive(Clone, Debug)]
pub enum Outcome {
    Judged(Box<Report>),
    /// Why nothing can be said: what it needs is not here, or it is too much.
    Unknown(String),
}

impl Audited {
    pub fn report(&self) -> Option<&Report> {
        match &self.outcome {
            Outcome::Judged(report) => Some(report),
            Outcome::Unknown(_) => None,
        }
    }

    /// What would have been shown to a person, the worst first.
    pub fn alerts(&self) -> Vec<&Judged> {
        let findings = self.report().map(|report| report.findings.as_slice()).unwrap_or_default();
        let mut alerts: Vec<&Judged> = findings.iter().filter(|judged| judged.action > Action::Log).collect();
        alerts.sort_by_key(|judged| std::cmp::Reverse(judged.action));
        alerts
    }

    /// The names of the rules that spoke up, each once.
    pub fn rules(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for Finding { rule, .. } in self.alerts().into_iter().map(|judged| &judged.finding) {
            if !names.iter().any(|name| name == rule.name) {
                names.push(rule.name.to_owned());
            }
        }
        names
    }
}
