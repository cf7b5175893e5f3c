//! How well the loop of run, analysis and fix works: counts over all sessions, beside their targets. Pure.

use std::collections::BTreeMap;

use super::format::{ErrorType, Execution, Mode, Session, Status};
use super::hunt::{self, KnownFailures, Outcome};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stats {
    /// Runs of the base apart: they are no work.
    pub sessions: usize,
    pub base_runs: usize,
    pub in_progress: usize,
    pub passed: usize,
    pub failed: usize,
    pub escalated: usize,
    pub attempts: usize,
    pub first_attempt_passed: Share,
    /// Of sessions that passed.
    pub average_attempts: Option<f64>,
    pub escalation: Share,
    /// Sessions with failures in which the past was of use.
    pub memory_reuse: Share,
    /// Failures by kind, most first.
    pub error_types: Vec<(ErrorType, usize)>,
    pub files: Vec<FileStats>,
}

/// So many of so many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    pub part: usize,
    pub of: usize,
}

impl Share {
    /// From 0 to 1, `None` where there is nothing to count.
    pub fn ratio(self) -> Option<f64> {
        (self.of > 0).then(|| self.part as f64 / self.of as f64)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileStats {
    pub file: String,
    pub sessions: usize,
    pub failed_attempts: usize,
}

/// The targets, as shares and as a number of attempts.
pub const FIRST_ATTEMPT_ABOVE: f64 = 0.70;
pub const AVERAGE_ATTEMPTS_BELOW: f64 = 2.0;
pub const ESCALATION_BELOW: f64 = 0.10;
pub const MEMORY_REUSE_ABOVE: f64 = 0.30;

const SHOWN_FILES: usize = 10;

impl Stats {
    /// `known` tells what failed before any work began.
    pub fn of(sessions: &[Session], known: &KnownFailures) -> Self {
        let (base, work): (Vec<&Session>, Vec<&Session>) = sessions.iter().partition(|one| is_base(one));
        let mut stats = Self { sessions: work.len(), base_runs: base.len(), ..Self::default() };
        let outcome = |execution: &Execution| hunt::outcome(execution, known);
        let mut to_pass = Vec::new();
        let mut kinds: BTreeMap<ErrorType, usize> = BTreeMap::new();
        let mut files: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for session in &work {
            stats.count(session);
            let decided: Vec<Outcome> =
                session.executions.iter().map(outcome).filter(|outcome| *outcome != Outcome::Open).collect();
            let failed = decided.iter().filter(|outcome| **outcome == Outcome::Failed).count();
            if let Some(first) = decided.first() {
                stats.first_attempt_passed.of += 1;
                stats.first_attempt_passed.part += usize::from(*first == Outcome::Passed);
            }
            if session.status == Status::Passed {
                to_pass.push(decided.len());
            }
            if failed > 0 {
                stats.memory_reuse.of += 1;
                stats.memory_reuse.part += usize::from(reuses(session));
            }
            for failure in session.executions.iter().flat_map(|execution| &execution.failures) {
                *kinds.entry(failure.error_type).or_default() += 1;
            }
            let file = files.entry(&session.file_path).or_default();
            *file = (file.0 + 1, file.1 + failed);
        }
        stats.escalation = Share { part: stats.escalated, of: stats.sessions };
        let mean = |counts: &[usize]| counts.iter().sum::<usize>() as f64 / counts.len() as f64;
        stats.average_attempts = (!to_pass.is_empty()).then(|| mean(&to_pass));
        stats.error_types = kinds.into_iter().collect();
        stats.error_types.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        stats.files = most_failed(&files);
        stats
    }

    fn count(&mut self, session: &Session) {
        self.attempts += session.executions.len();
        match session.status {
            Status::InProgress => self.in_progress += 1,
            Status::Passed => self.passed += 1,
            Status::Failed => self.failed += 1,
            Status::Escalated => self.escalated += 1,
        }
    }
}

fn most_failed(files: &BTreeMap<&str, (usize, usize)>) -> Vec<FileStats> {
    let stats = |(file, (sessions, failed_attempts)): (&&str, &(usize, usize))| FileStats {
        file: (*file).to_owned(),
        sessions: *sessions,
        failed_attempts: *failed_attempts,
    };
    let mut found: Vec<FileStats> = files.iter().map(stats).collect();
    found.sort_by_key(|file| std::cmp::Reverse((file.failed_attempts, file.sessions)));
    found.truncate(SHOWN_FILES);
    found
}

fn is_base(session: &Session) -> bool {
    let mode = |execution: &Execution| execution.proof.as_ref().is_some_and(|one| one.mode == Mode::Base);
    !session.executions.is_empty() && session.executions.iter().all(mode)
}

/// Whether an analysis had something of the past to go by.
fn reuses(session: &Session) -> bool {
    let analyses = session.executions.iter().filter_map(|execution| execution.analysis.as_ref());
    analyses.into_iter().any(|one| !one.similar_past_issues.is_empty() || !one.patterns_matched.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::samples::{failing, passing, session, solved};

    #[test]
    fn metrics_follow_their_definitions() {
        let first = Session { status: Status::Passed, ..session(vec![passing(1)]) };
        let mut second = solved("2");
        second.executions[0].analysis.as_mut().unwrap().patterns_matched.push("pattern-1".into());
        let third = Session { status: Status::Escalated, ..session(vec![failing(1, "a"), failing(2, "a")]) };
        let mut base = Session { status: Status::Failed, ..session(vec![failing(1, "old")]) };
        base.executions[0].proof.as_mut().unwrap().mode = Mode::Base;
        let stats = Stats::of(&[first, second, third, base], &KnownFailures::default());
        assert_eq!((stats.sessions, stats.base_runs, stats.attempts), (3, 1, 5));
        assert_eq!((stats.passed, stats.escalated, stats.failed), (2, 1, 0));
        assert_eq!(stats.first_attempt_passed, Share { part: 1, of: 3 });
        assert_eq!(stats.average_attempts, Some(1.5));
        assert_eq!(stats.escalation, Share { part: 1, of: 3 });
        assert_eq!(stats.memory_reuse, Share { part: 1, of: 2 });
        assert_eq!(stats.error_types, [(ErrorType::AssertionError, 3)]);
        assert_eq!((stats.files[0].sessions, stats.files[0].failed_attempts), (3, 3));
    }

    #[test]
    fn nothing_counts_as_nothing() {
        let stats = Stats::of(&[], &KnownFailures::default());
        assert_eq!((stats.first_attempt_passed.ratio(), stats.average_attempts), (None, None));
    }
}
