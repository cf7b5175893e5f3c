//! Past failures that resemble the ones of an attempt, were solved, and tell by what.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use chrono::{DateTime, Utc};

use super::format::{ErrorType, Execution, Failure, Session, Status, Verification};
use super::hunt::{self, KnownFailures, Outcome};
use super::index::{Index, Summary, SummaryFailure};
use super::patterns::is_derived;
use super::patterns_normal::error_pattern;
use super::store::Store;

/// A solved failure of the past.
#[derive(Clone, Debug, PartialEq)]
pub struct Similar {
    pub session_id: String,
    pub file: String,
    pub test: String,
    pub error_type: ErrorType,
    pub message: String,
    pub root_cause: Option<String>,
    pub strategy: Option<String>,
    pub fix: Option<String>,
    pub diff_summary: Option<String>,
    pub files_changed: Vec<String>,
    pub when: Option<DateTime<Utc>>,
    /// From 0 to 1.
    pub score: f64,
}

impl Similar {
    /// What solved it, in one sentence: as it was described, else as it was planned, else what changed.
    pub fn resolution(&self) -> Option<String> {
        let described = self.fix.as_deref().filter(|fix| !is_derived(fix));
        described.or(self.strategy.as_deref()).map(str::to_owned).or_else(|| self.changed())
    }

    fn changed(&self) -> Option<String> {
        let first: Vec<&str> = self.files_changed.iter().take(SHOWN).map(String::as_str).collect();
        let rest = match self.files_changed.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let summary = self.diff_summary.as_ref().map(|summary| format!(" ({summary})"));
        let text = format!("changed {}{rest}{}", first.join(", "), summary.unwrap_or_default());
        (!first.is_empty()).then_some(text)
    }
}

const SHOWN: usize = 3;
/// How many of the best candidates are read whole.
const READ: usize = 10;
/// How many failures of an attempt are looked up: thousands mostly have one cause.
const LOOKED_UP: usize = 20;
const THRESHOLD: f64 = 0.4;

/// The best matches, at most one of each session.
pub fn find(store: &Store, index: &Index, execution: &Execution) -> Result<Vec<Similar>> {
    let failures: Vec<Probe> = execution.failures.iter().take(LOOKED_UP).map(Probe::new).collect();
    if failures.is_empty() {
        return Ok(Vec::new());
    }
    let mut candidates: Vec<(f64, Summary, SummaryFailure)> = Vec::new();
    // Nothing else can have been solved.
    for summary in index.summaries().filter(|one| one.learned || one.status == Status::Passed) {
        if let Some((score, failure)) = best_of(&failures, &summary) {
            candidates.push((score, summary, failure));
        }
    }
    // Stable: among equals the newest comes first, as in the index.
    candidates.sort_by(|one, two| two.0.total_cmp(&one.0));
    candidates.truncate(READ);
    let sessions = load(store, candidates.iter().map(|(_, summary, _)| summary.session_id.as_str()))?;
    let solved = candidates.iter().filter_map(|(score, summary, failure)| {
        // That it was solved helps nobody who is not told how.
        resolved(sessions.get(&summary.session_id)?, failure, *score).filter(|one| one.resolution().is_some())
    });
    Ok(solved.take(SHOWN).collect())
}

/// Sessions by id; one pass over the files where an id is not of our own making.
pub fn load<'i>(store: &Store, ids: impl Iterator<Item = &'i str>) -> Result<BTreeMap<String, Session>> {
    let (own, foreign): (BTreeSet<&str>, BTreeSet<&str>) =
        ids.partition(|id| store.session_file(id).is_ok_and(|path| path.is_file()));
    let mut sessions = BTreeMap::new();
    for id in own {
        if let Some(session) = store.session(id)? {
            sessions.insert(id.to_owned(), session);
        }
    }
    if !foreign.is_empty() {
        let all = store.sessions()?.0.into_iter();
        sessions.extend(
            all.filter(|session| foreign.contains(session.session_id.as_str()))
                .map(|session| (session.session_id.clone(), session)),
        );
    }
    Ok(sessions)
}

/// A failure of now, prepared for many comparisons.
struct Probe<'f> {
    failure: &'f Failure,
    words: BTreeSet<String>,
}

impl<'f> Probe<'f> {
    fn new(failure: &'f Failure) -> Self {
        Self { failure, words: words(&failure.error_message) }
    }

    fn score(&self, past: &SummaryFailure, words: &BTreeSet<String>, summary: &Summary) -> f64 {
        if past.error_type != self.failure.error_type {
            return 0.0;
        }
        let test = if past.test == self.failure.test_name { 1.0 } else { 0.0 };
        0.5 * alike(&self.words, words) + 0.3 * test + 0.2 * self.same_place(past, summary)
    }

    /// 1 for the same file, a half for the same folder.
    fn same_place(&self, past: &SummaryFailure, summary: &Summary) -> f64 {
        let source = self.failure.source_location.as_ref().map(|place| place.file.as_str());
        let now: Vec<&str> = self.failure.test_file.as_deref().into_iter().chain(source).collect();
        let changed = summary.files_changed.iter().map(String::as_str);
        let then = past.test_file.as_deref().into_iter().chain([summary.file_path.as_str()]).chain(changed);
        let place = |then: &str| {
            if now.contains(&then) {
                1.0
            } else if now.iter().any(|now| folder(now) == folder(then) && !folder(now).is_empty()) {
                0.5
            } else {
                0.0
            }
        };
        then.map(place).fold(0.0, f64::max)
    }
}

fn best_of(probes: &[Probe<'_>], summary: &Summary) -> Option<(f64, SummaryFailure)> {
    let mut best: Option<(f64, &SummaryFailure)> = None;
    for past in summary.failures.iter().take(LOOKED_UP) {
        let words = words(&past.message);
        let score = probes.iter().map(|probe| probe.score(past, &words, summary)).fold(0.0, f64::max);
        if score >= THRESHOLD && best.is_none_or(|(before, _)| score > before) {
            best = Some((score, past));
        }
    }
    best.map(|(score, failure)| (score, failure.clone()))
}

pub fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// How alike two generalised messages are. Where almost nothing but values is left, equality says little.
fn alike(a: &BTreeSet<String>, b: &BTreeSet<String>) -> f64 {
    let common = a.intersection(b).count() as f64;
    let all = (a.len() + b.len()) as f64;
    if all == 0.0 {
        return 0.0;
    }
    let telling = a.len().min(b.len()) as f64;
    (2.0 * common / all) * (telling / 3.0).min(1.0)
}

/// Words of a message that are no values.
fn words(message: &str) -> BTreeSet<String> {
    let pattern = error_pattern(message);
    let parts = pattern.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '<' && c != '>');
    parts.filter(|word| word.len() > 1 && !word.starts_with('<')).map(str::to_lowercase).collect()
}

/// The failure with what solved it, if anything did.
fn resolved(session: &Session, failure: &SummaryFailure, score: f64) -> Option<Similar> {
    let same = |other: &Failure| other.test_name == failure.test && other.error_type == failure.error_type;
    let at = session.executions.iter().rposition(|execution| execution.failures.iter().any(same))?;
    let last = &session.executions[at];
    let known = KnownFailures::default();
    let passed = |later: &Execution| {
        hunt::suite_of(later) == hunt::suite_of(last) && hunt::outcome(later, &known) == Outcome::Passed
    };
    let foreign = last.proof.is_none() && session.status == Status::Passed;
    if !foreign && !session.executions[at + 1..].iter().any(passed) {
        return None;
    }
    let fix = last.fix_applied.as_ref().filter(|fix| fix.verification != Some(Verification::Failed));
    let whole = last.failures.iter().find(|other| same(other))?;
    Some(Similar {
        session_id: session.session_id.clone(),
        file: session.file_path.clone(),
        test: failure.test.clone(),
        error_type: failure.error_type,
        message: whole.error_message.clone(),
        root_cause: last.analysis.as_ref().map(|analysis| analysis.root_cause.clone()),
        strategy: last.analysis.as_ref().map(|analysis| analysis.fix_strategy.clone()),
        fix: fix.map(|fix| fix.description.clone()),
        diff_summary: fix.and_then(|fix| fix.diff_summary.clone()),
        files_changed: fix.map(|fix| fix.files_changed.clone()).unwrap_or_default(),
        when: Some(last.timestamp),
        score,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::samples::{failing, failure, session, solved};

    const ID: &str = "11111111-1111-4111-8111-111111111111";

    fn found(past: &[Session], now: &Execution) -> Vec<Similar> {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(folder.path(), &folder.path().join("state"));
        let locked = store.lock().unwrap();
        past.iter().for_each(|session| locked.write(session).unwrap());
        drop(locked);
        find(&store, &store.index().unwrap(), now).unwrap()
    }

    #[test]
    fn a_solved_failure_of_the_same_test_is_found_with_its_fix() {
        let found = found(&[solved(ID)], &failing(1, "tests/test_cart.py::test_total"));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].resolution().as_deref(), Some("Added the tax of the last item"));
        assert_eq!(found[0].root_cause.as_deref(), Some("The total forgets the tax of the last item"));
        assert_eq!(found[0].files_changed, ["src/cart.py"]);
    }

    #[test]
    fn a_plan_says_more_than_what_changed() {
        let now = failing(1, "tests/test_cart.py::test_total");
        let mut past = solved(ID);
        let derived = "Derived: changed src/cart.py between attempts 1 and 2".to_owned();
        past.executions[0].fix_applied.as_mut().unwrap().description = derived;
        let planned = found(&[past.clone()], &now)[0].resolution();
        assert_eq!(planned.as_deref(), Some("Add the tax of every item to the total"));
        past.executions[0].analysis = None;
        let changed = found(&[past.clone()], &now)[0].resolution();
        assert_eq!(changed.as_deref(), Some("changed src/cart.py (+1/-1 lines)"));
        past.executions[0].fix_applied = None;
        assert_eq!(found(&[past], &now), [], "nobody knows how");
    }

    #[test]
    fn a_telling_message_is_enough() {
        let mut past = solved(ID);
        past.executions[0].failures = vec![failure("old", "Cannot read property 'length' of null")];
        let mut now = failing(1, "elsewhere");
        now.failures = vec![Failure {
            test_file: Some("web/form.test.ts".into()),
            ..failure("elsewhere", "Cannot read property 'name' of null")
        }];
        assert_eq!(found(&[past], &now).len(), 1);
    }

    #[test]
    fn quiet_where_nothing_but_numbers_is_alike() {
        let mut now = failing(1, "web/form.test.ts::adds");
        now.failures[0].test_file = Some("web/form.test.ts".into());
        assert_eq!(found(&[solved(ID)], &now), []);
    }

    #[test]
    fn quiet_where_the_kind_of_error_differs() {
        let mut now = failing(1, "tests/test_cart.py::test_total");
        now.failures[0].error_type = ErrorType::TypeError;
        assert_eq!(found(&[solved(ID)], &now), []);
    }

    #[test]
    fn what_nobody_solved_is_not_shown() {
        let test = "tests/test_cart.py::test_total";
        let open = session(vec![failing(1, test), failing(2, test)]);
        assert_eq!(found(&[open], &failing(1, test)), []);
    }
}
