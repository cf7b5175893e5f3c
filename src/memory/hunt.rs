//! What an attempt came to, and which attempts of a session make up one hunt.
//!
//! Pure. A session may hold runs of several suites, where its id was given by hand: each suite is hunted on its own.

use std::collections::{BTreeMap, BTreeSet};

use super::format::{Execution, Failure, Mode, Proof, ProofEnd, Session};
use super::index::{Index, Record};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Passed,
    Failed,
    /// Interrupted, never started, or too weak to say that anything passed.
    Open,
}

/// What fails on a base tree already, by suite and tree.
#[derive(Clone, Debug, Default)]
pub struct KnownFailures(BTreeMap<(String, String), BTreeSet<String>>);

impl KnownFailures {
    pub fn of(index: &Index, suite: &str) -> Self {
        Self::told_by(index.records(suite))
    }

    pub fn of_all_suites(index: &Index) -> Self {
        Self::told_by(index.all_records())
    }

    /// The newest run of each base tree tells.
    fn told_by(newest_first: impl Iterator<Item = Record>) -> Self {
        let mut known = BTreeMap::new();
        for record in newest_first {
            let told = record.failed.len() as u64 >= record.test_results.failed + record.test_results.errors;
            if record.proof.mode == Mode::Base && record.proof.ended == ProofEnd::Exited && told {
                let tree = record.proof.base_tree.unwrap_or(record.proof.tree);
                let key = (record.proof.suite, tree);
                known.entry(key).or_insert_with(|| record.failed.into_iter().collect());
            }
        }
        Self(known)
    }

    /// Tests that failed before the work of this attempt began.
    fn before(&self, execution: &Execution) -> Option<&BTreeSet<String>> {
        let proof = execution.proof.as_ref().filter(|proof| proof.mode != Mode::Base)?;
        self.0.get(&(proof.suite.clone(), proof.base_tree.clone()?))
    }

    /// What was found out when the run ended goes before what the runs of its base tell.
    pub fn contains(&self, execution: &Execution, test: &str) -> bool {
        let excused = execution.proof.as_ref().and_then(|proof| proof.excused.as_ref());
        excused.or_else(|| self.before(execution)).is_some_and(|known| known.contains(test))
    }
}

/// The failures of an attempt that are the work's own.
pub fn new_failures<'e>(execution: &'e Execution, known: &KnownFailures) -> Vec<&'e Failure> {
    let own = |failure: &&Failure| !known.contains(execution, &failure.test_name);
    execution.failures.iter().filter(own).collect()
}

pub fn outcome(execution: &Execution, known: &KnownFailures) -> Outcome {
    let results = &execution.test_results;
    let failing = (results.failed + results.errors).max(execution.failures.len() as u64);
    let Some(proof) = &execution.proof else {
        return match (failing, results.total) {
            (0, 0) => Outcome::Open,
            (0, _) => Outcome::Passed,
            _ => Outcome::Failed,
        };
    };
    let only_known = failing > 0
        && execution.failures.len() as u64 == failing
        && new_failures(execution, known).is_empty();
    match proof.ended {
        ProofEnd::Interrupted | ProofEnd::NotStarted => Outcome::Open,
        ProofEnd::Signal | ProofEnd::Timeout => Outcome::Failed,
        ProofEnd::Exited if failing > 0 && !only_known => Outcome::Failed,
        ProofEnd::Exited if failing == 0 && proof.exit_code != Some(0) => Outcome::Failed,
        ProofEnd::Exited if proof.weak.is_empty() && !leaves_out(proof) => Outcome::Passed,
        ProofEnd::Exited => Outcome::Open,
    }
}

/// Whether tests did not run that nothing excuses.
fn leaves_out(proof: &Proof) -> bool {
    let excused = proof.excused.as_ref().filter(|_| proof.mode != Mode::Base);
    excused.is_some_and(|excused| proof.unexecuted.iter().any(|test| !excused.contains(test)))
}

/// The suite of an attempt; empty in what other tools write.
pub fn suite_of(execution: &Execution) -> &str {
    execution.proof.as_ref().map_or("", |proof| &proof.suite)
}

pub fn of_suite<'s>(session: &'s Session, suite: &str) -> Vec<&'s Execution> {
    session.executions.iter().filter(|execution| suite_of(execution) == suite).collect()
}

/// The attempts that lead to the last one of a suite: all since the pass before it.
pub fn hunt<'s>(session: &'s Session, suite: &str, known: &KnownFailures) -> Vec<&'s Execution> {
    let attempts = of_suite(session, suite);
    let earlier = attempts.len().saturating_sub(1);
    let start =
        attempts[..earlier].iter().rposition(|execution| outcome(execution, known) == Outcome::Passed);
    attempts[start.map_or(0, |at| at + 1)..].to_vec()
}

/// How many attempts in a row failed, up to the last one. Open ones are passed over, and to run the same content again
/// is no other attempt.
pub fn failed_in_a_row(session: &Session, suite: &str, known: &KnownFailures) -> u32 {
    let failed = |execution: &&Execution| outcome(execution, known) == Outcome::Failed;
    let mut hashes: Vec<&str> =
        hunt(session, suite, known).into_iter().filter(failed).map(|one| one.code_hash.as_str()).collect();
    hashes.dedup_by(|later, before| later == before && !later.is_empty());
    hashes.len() as u32
}

/// The last attempt of a suite that did not stay open, if it failed.
pub fn last_failed<'s>(session: &'s Session, suite: &str, known: &KnownFailures) -> Option<&'s Execution> {
    let decided =
        of_suite(session, suite).into_iter().rev().find(|one| outcome(one, known) != Outcome::Open)?;
    (outcome(decided, known) == Outcome::Failed).then_some(decided)
}

/// Whether the newest decided attempt of every suite passed.
pub fn all_passed(session: &Session, known: &KnownFailures) -> bool {
    let suites: BTreeSet<&str> = session.executions.iter().map(suite_of).collect();
    suites.iter().all(|suite| last_failed(session, suite, known).is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::samples::{attempt, failing, passing, session};

    fn none() -> KnownFailures {
        KnownFailures::default()
    }

    #[test]
    fn how_a_run_ended_decides() {
        assert_eq!(outcome(&passing(1), &none()), Outcome::Passed);
        assert_eq!(outcome(&failing(1, "a"), &none()), Outcome::Failed);
        for (ended, expected) in [
            (ProofEnd::Interrupted, Outcome::Open),
            (ProofEnd::NotStarted, Outcome::Open),
            (ProofEnd::Timeout, Outcome::Failed),
            (ProofEnd::Signal, Outcome::Failed),
        ] {
            let mut execution = passing(1);
            execution.proof.as_mut().unwrap().ended = ended;
            assert_eq!(outcome(&execution, &none()), expected, "{ended:?}");
        }
        let mut masked = failing(1, "a");
        masked.proof.as_mut().unwrap().exit_code = Some(0);
        assert_eq!(outcome(&masked, &none()), Outcome::Failed);
        let mut unreadable = attempt(1);
        unreadable.proof.as_mut().unwrap().exit_code = Some(2);
        assert_eq!(outcome(&unreadable, &none()), Outcome::Failed);
    }

    #[test]
    fn a_weak_pass_decides_nothing_but_a_weak_failure_does() {
        let mut weak = passing(1);
        weak.proof.as_mut().unwrap().weak.push("1 of 9 tests ran".into());
        assert_eq!(outcome(&weak, &none()), Outcome::Open);
        let mut failed = failing(1, "a");
        failed.proof.as_mut().unwrap().weak.push("1 of 9 tests ran".into());
        assert_eq!(outcome(&failed, &none()), Outcome::Failed);
    }

    #[test]
    fn failures_of_the_base_are_not_the_works_own() {
        let mut known = none();
        known.0.insert(("unit".into(), "basetree".into()), BTreeSet::from(["old".to_owned()]));
        let mut execution = failing(2, "old");
        assert_eq!(outcome(&execution, &known), Outcome::Failed, "of another base");
        execution.proof.as_mut().unwrap().base_tree = Some("basetree".into());
        assert_eq!(outcome(&execution, &known), Outcome::Passed);
        execution.test_results.failed = 2;
        assert_eq!(outcome(&execution, &known), Outcome::Failed, "one of them is not named");
    }

    #[test]
    fn what_was_excused_when_the_run_ended_stays_excused() {
        let mut known = none();
        known.0.insert(("unit".into(), "t0".into()), BTreeSet::from(["old".to_owned()]));
        let excuse = |mut execution: Execution, tests: &[&str]| {
            let excused = tests.iter().map(|test| (*test).to_owned()).collect();
            execution.proof.as_mut().unwrap().excused = Some(excused);
            execution
        };
        assert_eq!(outcome(&excuse(failing(1, "old"), &["old"]), &none()), Outcome::Passed);
        assert_eq!(outcome(&excuse(failing(1, "old"), &[]), &known), Outcome::Failed, "the policy is strict");
        assert_eq!(outcome(&excuse(failing(1, "new"), &["old"]), &none()), Outcome::Failed);
        let mut part = passing(1);
        part.proof.as_mut().unwrap().unexecuted = vec!["left out".into()];
        assert_eq!(outcome(&excuse(part.clone(), &[]), &none()), Outcome::Open);
        assert_eq!(outcome(&excuse(part, &["left out"]), &none()), Outcome::Passed);
    }

    #[test]
    fn the_same_content_again_is_no_other_attempt() {
        let mut again = failing(2, "b");
        again.code_hash = failing(1, "a").code_hash;
        let mut one = session(vec![failing(1, "a"), again.clone(), failing(3, "a")]);
        assert_eq!(failed_in_a_row(&one, "unit", &none()), 2);
        again.attempt = 4;
        one.executions.push(again);
        assert_eq!(failed_in_a_row(&one, "unit", &none()), 3, "something else was tried in between");
    }

    #[test]
    fn a_hunt_begins_after_the_last_pass() {
        let session = session(vec![failing(1, "a"), passing(2), failing(3, "b"), failing(4, "b")]);
        let attempts: Vec<u32> = hunt(&session, "unit", &none()).iter().map(|one| one.attempt).collect();
        assert_eq!(attempts, [3, 4]);
        assert_eq!(failed_in_a_row(&session, "unit", &none()), 2);
        assert_eq!(last_failed(&session, "unit", &none()).map(|one| one.attempt), Some(4));
    }

    #[test]
    fn suites_of_one_session_are_hunted_apart() {
        let mut web = passing(2);
        web.proof.as_mut().unwrap().suite = "web".into();
        let session = session(vec![failing(1, "a"), web]);
        assert!(!all_passed(&session, &none()));
        assert_eq!(last_failed(&session, "web", &none()), None);
        assert_eq!(failed_in_a_row(&session, "unit", &none()), 1);
    }
}
