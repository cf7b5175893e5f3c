//! Questions to memory: by file, module, kind of error, test and free text, ranked by relevance.

use anyhow::Result;
use chrono::{DateTime, Utc};
use globset::GlobMatcher;

use super::advice::Advice;
use super::format::{ErrorType, Session, Status, Verification};
use super::index::Summary;
use super::query_rank::Ranking;
use super::similar::{self, folder};
use super::store::{Store, Unreadable};

/// How many sessions are looked back on where nobody says otherwise.
pub const LOOK_BACK: usize = 10;

#[derive(Clone, Debug)]
pub struct Query {
    /// Free text; any of its words must occur.
    pub text: String,
    /// From the root of the repository; the nearer a session is to it, the better.
    pub file: Option<String>,
    pub module: Option<GlobMatcher>,
    pub error: Option<ErrorType>,
    /// A part of a test's name, in any case.
    pub test: Option<String>,
    pub limit: usize,
}

#[derive(Clone, Debug)]
pub struct Answer {
    pub hits: Vec<Hit>,
    /// How many sessions match, shown or not.
    pub matched: usize,
    /// What to do before the file is touched, where one was asked about.
    pub advice: Option<Advice>,
    pub unreadable: Vec<Unreadable>,
}

/// A session that matches.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    pub session_id: String,
    pub file: String,
    pub status: Status,
    pub updated_at: Option<DateTime<Utc>>,
    pub attempts: u32,
    pub tests: Vec<String>,
    pub error_types: Vec<ErrorType>,
    pub message: Option<String>,
    pub root_cause: Option<String>,
    pub strategy: Option<String>,
    pub fix: Option<String>,
    pub verification: Option<Verification>,
    pub score: f64,
}

pub fn query(store: &Store, query: &Query) -> Result<Answer> {
    let index = store.index()?;
    let summaries: Vec<Summary> = index.summaries().collect();
    let words = Ranking::of(&summaries).scores(&query.text);
    let mut matches: Vec<(f64, &Summary)> = Vec::new();
    for (summary, words) in summaries.iter().zip(words) {
        if let Some(score) = query.score(summary, words) {
            matches.push((score, summary));
        }
    }
    // Stable: among equals the newest comes first, as in the index.
    matches.sort_by(|one, two| two.0.total_cmp(&one.0));
    let matched = matches.len();
    matches.truncate(query.limit);
    let sessions = similar::load(store, matches.iter().map(|(_, summary)| summary.session_id.as_str()))?;
    let hit =
        |(score, summary): &(f64, &Summary)| Hit::of(summary, sessions.get(&summary.session_id), *score);
    let hits = matches.iter().map(hit).collect();
    let advice = match &query.file {
        Some(file) => Some(Advice::of(store, &summaries, file)?),
        None => None,
    };
    Ok(Answer { hits, matched, advice, unreadable: index.unreadable().to_vec() })
}

impl Query {
    /// How well a session fits, `None` where it does not.
    fn score(&self, summary: &Summary, words: f64) -> Option<f64> {
        let near = self.file.as_deref().map_or(0.0, |file| nearness(summary, file));
        let fits = (self.text.trim().is_empty() || words > 0.0)
            && (self.file.is_none() || near > 0.0)
            && self.module.as_ref().is_none_or(|module| files(summary).any(|file| module.is_match(file)))
            && self.error.is_none_or(|kind| summary.failures.iter().any(|one| one.error_type == kind))
            && self.test.as_deref().is_none_or(|test| has_test(summary, test));
        // Three digits, so that the order never hangs on the last bit of a logarithm.
        fits.then(|| ((words + near) * 1000.0).round() / 1000.0)
    }
}

fn has_test(summary: &Summary, part: &str) -> bool {
    let part = part.to_lowercase();
    summary.failures.iter().any(|failure| failure.test.to_lowercase().contains(&part))
}

/// Every file that a session is about.
pub fn files(summary: &Summary) -> impl Iterator<Item = &str> {
    let tests = summary.failures.iter().filter_map(|failure| failure.test_file.as_deref());
    std::iter::once(summary.file_path.as_str())
        .chain(summary.files_changed.iter().map(String::as_str))
        .chain(tests)
}

/// 4 for sessions of the file itself, 3 where it was changed or failed, then by how much of the folders is shared.
pub fn nearness(summary: &Summary, file: &str) -> f64 {
    if summary.file_path == file {
        return 4.0;
    }
    let near = |other: &str| {
        if other == file {
            3.0
        } else if folder(other) == folder(file) {
            2.0
        } else if is_below(other, folder(file)) || is_below(file, folder(other)) {
            1.0
        } else {
            0.0
        }
    };
    files(summary).map(near).fold(0.0, f64::max)
}

fn is_below(path: &str, folder: &str) -> bool {
    !folder.is_empty() && path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

const SHOWN_TESTS: usize = 5;

impl Hit {
    fn of(summary: &Summary, session: Option<&Session>, score: f64) -> Self {
        let executions = session.map(|session| session.executions.as_slice()).unwrap_or_default();
        let analysis = executions.iter().rev().find_map(|execution| execution.analysis.as_ref());
        let fixes = || executions.iter().rev().filter_map(|execution| execution.fix_applied.as_ref());
        let passed = fixes().find(|fix| fix.verification == Some(Verification::Passed));
        let fix = passed.or_else(|| fixes().next());
        let mut tests: Vec<String> = summary.failures.iter().map(|failure| failure.test.clone()).collect();
        tests.dedup();
        tests.truncate(SHOWN_TESTS);
        let mut error_types: Vec<ErrorType> =
            summary.failures.iter().map(|failure| failure.error_type).collect();
        error_types.sort_unstable();
        error_types.dedup();
        Self {
            session_id: summary.session_id.clone(),
            file: summary.file_path.clone(),
            status: summary.status,
            updated_at: summary.updated_at,
            attempts: summary.attempt_numbers.len() as u32,
            tests,
            error_types,
            message: summary.failures.first().map(|failure| failure.message.clone()),
            root_cause: analysis.map(|analysis| analysis.root_cause.clone()),
            strategy: analysis.map(|analysis| analysis.fix_strategy.clone()),
            fix: fix.map(|fix| fix.description.clone()),
            verification: fix.and_then(|fix| fix.verification),
            score,
        }
    }
}

#[cfg(test)]
#[path = "query_tests.rs"]
mod tests;
