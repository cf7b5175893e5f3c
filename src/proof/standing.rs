//! What a recorded run of the right content is worth. Pure.

use crate::memory::{Mode, ProofEnd, Record};
use crate::policy::Framework;
use crate::runner::Suite;

/// What the policy allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Whether failures that the base has too are excused.
    pub excuse_known_failures: bool,
}

/// What the base is known to do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BaseRun {
    /// Tests that fail there already.
    pub failed: Vec<String>,
    /// Tests that do not run there either.
    pub unexecuted: Vec<String>,
}

impl BaseRun {
    /// What both runs have.
    pub fn common(mut self, other: &Self) -> Self {
        self.failed.retain(|test| other.failed.contains(test));
        self.unexecuted.retain(|test| other.unexecuted.contains(test));
        self
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It proves the content. Failures that the base has too are listed.
    Passed {
        known: Vec<String>,
    },
    Failed {
        tests: Vec<String>,
    },
    /// It passed, but does not tell enough.
    Weak {
        reasons: Vec<String>,
    },
    /// It was broken off: neither for nor against.
    None,
}

/// What was run, for a suite as the policy has it now: a record may be of another one with the same name.
fn doubts(record: &Record, suite: &Suite) -> Vec<String> {
    let proof = &record.proof;
    let mut doubts = proof.weak.clone();
    if !record.intact {
        doubts.push("its record was changed after it was written".to_owned());
    }
    if !proof.named && !is_own(record, suite) {
        doubts.push(format!("it ran `{}`, which is not the suite's own command", proof.command));
    }
    let tells = proof.framework != Framework::Other.name();
    if suite.framework != Framework::Other && !proof.named && !tells {
        doubts.push(format!("it tells nothing of single tests, as {} would", suite.framework.name()));
    }
    doubts.dedup();
    doubts
}

/// Whether the suite's own command ran.
pub fn is_own(record: &Record, suite: &Suite) -> bool {
    record.proof.own_command && record.proof.command == suite.command.to_string()
}

/// `base` is asked only where it matters.
pub fn standing(record: &Record, suite: &Suite, rules: Rules, base: impl Fn() -> BaseRun) -> Standing {
    let proof = &record.proof;
    match proof.ended {
        ProofEnd::Interrupted | ProofEnd::NotStarted => return Standing::None,
        ProofEnd::Signal | ProofEnd::Timeout => return Standing::Failed { tests: record.failed.clone() },
        ProofEnd::Exited => {}
    }
    let bad = record.test_results.failed + record.test_results.errors;
    if proof.own_command && !is_own(record, suite) && (bad > 0 || proof.exit_code != Some(0)) {
        // The suite was something else then.
        return Standing::None;
    }
    let mut known = Vec::new();
    if bad > 0 || proof.exit_code != Some(0) {
        let failed = Standing::Failed { tests: record.failed.clone() };
        let all_named = bad > 0 && record.failed.len() as u64 >= bad;
        if !rules.excuse_known_failures || !all_named {
            return failed;
        }
        let base = base();
        if !record.failed.iter().all(|test| base.failed.contains(test)) {
            return failed;
        }
        known.clone_from(&record.failed);
    }
    let mut reasons = doubts(record, suite);
    if !proof.unexecuted.is_empty() && proof.mode != Mode::Base {
        let excused = base().unexecuted;
        let missing: Vec<&String> = proof.unexecuted.iter().filter(|test| !excused.contains(test)).collect();
        if let Some(first) = missing.first() {
            let expected = proof.known.saturating_sub((proof.unexecuted.len() - missing.len()) as u64);
            let ran = expected.saturating_sub(missing.len() as u64);
            reasons.push(match proof.named {
                true => format!("{ran} of {expected} tests ran; {first} did not"),
                // One line stands for all of them.
                false => format!("{first} did not run"),
            });
        }
    }
    if reasons.is_empty() { Standing::Passed { known } } else { Standing::Weak { reasons } }
}
