//! What is written down of a run.

use chrono::{DateTime, Utc};

use super::place::After;
use super::suite::Finished;
use crate::digest::{self, Hasher};
use crate::git::Snapshot;
use crate::memory::{
    Chain, Environment, ErrorType, Execution, Failure, Mode, Proof, ProofEnd, SourceLocation, TestResults,
};
use crate::policy::Framework;
use crate::proof::{Delta, delta_to_lines, hides_exit_code, words_hide_exit_code};
use crate::runner::results::executed::{KnownTest, unexecuted};
use crate::runner::{self, CommandLine, End, Outcome, Results, TestId};
use crate::text::{one_line, plural};

/// Tests that did not run and are named in a record; the rest is counted.
const NAMED: usize = 2_000;

/// Everything that a record is made of.
pub struct Evidence<'a> {
    pub suite: &'a str,
    pub mode: Mode,
    pub finished: &'a Finished,
    pub content: &'a Snapshot,
    /// The part of the content's delta that can decide what tests do.
    pub delta: Delta,
    pub code_hash: String,
    pub known: Vec<KnownTest<'a>>,
    pub after: &'a After,
    pub doubts: &'a [String],
    pub now: DateTime<Utc>,
}

impl Evidence<'_> {
    /// The attempt, its number and its place in the chain still open.
    pub fn execution(&self) -> Execution {
        let empty = Results::default();
        let results = self.finished.results.as_ref().unwrap_or(&empty);
        let counts = results.counts();
        Execution {
            attempt: 1,
            timestamp: self.now,
            code_hash: self.code_hash.clone(),
            environment: Some(self.environment()),
            test_results: TestResults {
                total: counts.total,
                passed: counts.passed,
                failed: counts.failed,
                errors: counts.errors,
                skipped: counts.skipped,
                duration_ms: u64::try_from(self.finished.ended.duration.as_millis()).ok(),
                coverage_percent: None,
            },
            failures: failures(results),
            analysis: None,
            fix_applied: None,
            proof: Some(self.proof(results)),
        }
    }

    fn environment(&self) -> Environment {
        Environment {
            runtime: None,
            runtime_version: None,
            test_framework: Some(self.finished.framework.name().to_owned()),
            os: Some(std::env::consts::OS.to_owned()),
            additional: Default::default(),
        }
    }

    fn proof(&self, results: &Results) -> Proof {
        let finished = self.finished;
        let (ended, exit_code) = match &finished.ended.end {
            End::Exited(code) => (ProofEnd::Exited, Some(*code)),
            End::Signal(_) => (ProofEnd::Signal, None),
            End::Timeout => (ProofEnd::Timeout, None),
            End::Interrupted => (ProofEnd::Interrupted, None),
            End::NotStarted(_) => (ProofEnd::NotStarted, None),
        };
        let base = self.content.base.as_ref();
        let unexecuted = self.unexecuted(results);
        Proof {
            suite: self.suite.to_owned(),
            framework: finished.framework.name().to_owned(),
            command: finished.command.to_string(),
            own_command: finished.own_command,
            mode: self.mode,
            ended,
            exit_code,
            base_commit: base.map(|base| base.commit.to_string()),
            base_tree: base.map(|base| base.tree.to_string()),
            tree: self.content.tree.to_string(),
            delta: delta_to_lines(&self.delta),
            untracked: self.untracked(),
            created: delta_to_lines(&self.after.created),
            named: results.named,
            known: self.known.len() as u64,
            weak: self.weak(results, !unexecuted.is_empty()),
            unexecuted,
            excused: None,
            executed_digest: executed_digest(results),
            output_digest: finished.ended.output_digest.clone(),
            chain: Chain::default(),
        }
    }

    fn untracked(&self) -> Vec<String> {
        let there = self.content.untracked.iter().filter(|path| self.delta.contains_key(*path));
        there.map(|path| path.text().into_owned()).collect()
    }

    /// Tests that exist by their text and did not run.
    fn unexecuted(&self, results: &Results) -> Vec<String> {
        if self.finished.framework == Framework::Other || self.finished.results.is_err() {
            return Vec::new();
        }
        if !results.named {
            let missing = (self.known.len() as u64).saturating_sub(results.accounted());
            return if missing > 0 { vec![unnamed(missing)] } else { Vec::new() };
        }
        let mut ids: Vec<String> =
            unexecuted(&self.known, results).into_iter().map(|index| id(&self.known[index])).collect();
        ids.sort();
        if ids.len() > NAMED {
            let rest = digest::hex(ids.split_off(NAMED).join("\n"));
            ids.push(format!("and others ({})", &rest[..16]));
        }
        ids
    }

    /// Why the run cannot be a proof whatever it says.
    fn weak(&self, results: &Results, left_out: bool) -> Vec<String> {
        let finished = self.finished;
        let mut reasons = Vec::new();
        let hidden = match &finished.command {
            CommandLine::Shell(command) => hides_exit_code(command),
            CommandLine::Words(words) => words_hide_exit_code(words),
        };
        if let Some(operator) = hidden {
            reasons.push(format!("`{operator}` in the command hides the exit code of the tests"));
        }
        match &finished.results {
            Err(reason) => reasons.push(format!("the results cannot be read: {reason}")),
            Ok(_) if finished.framework == Framework::Other => {
                if !finished.own_command {
                    reasons.push("the command was not the suite's own, and names no tests".to_owned());
                }
            }
            Ok(_) if results.executed() == 0 => reasons.push("no test ran".to_owned()),
            Ok(_) if !finished.told_by_runner => {
                reasons.push("the command is none that is known to run tests, and left no report".to_owned());
            }
            Ok(_) if !results.named && !finished.own_command => {
                reasons.push("the command was not the suite's own, and names no tests".to_owned());
            }
            Ok(_) => {}
        }
        if left_out && !finished.selecting.is_empty() {
            reasons.push(format!("tests were left out, and {} was set", finished.selecting.join(", ")));
        }
        if finished.results_cut {
            reasons.push("the tests printed too much to read all their results".to_owned());
        }
        reasons.extend(while_running(&self.after.changed, ["changed", "changed"]));
        reasons.extend(while_running(&self.after.written, ["was written", "were written"]));
        reasons.extend(self.doubts.iter().cloned());
        reasons
    }
}

/// What happened to files in the run: the word for one, and for several.
fn while_running(files: &[String], what: [&str; 2]) -> Option<String> {
    let first = one_line(files.first()?);
    Some(match files.len() - 1 {
        0 => format!("{first} {} while the tests ran", what[0]),
        more => format!("{first} and {} {} while the tests ran", plural(more, "more file"), what[1]),
    })
}

/// As the inventory names it.
fn id(test: &KnownTest<'_>) -> String {
    let parts = std::iter::once(test.path).chain(test.suite.iter().map(String::as_str)).chain([test.name]);
    parts.collect::<Vec<_>>().join("::")
}

/// Each test with how it ended, for the file beside the session.
pub fn outcomes(results: &Results) -> Vec<(String, String)> {
    let outcome = |outcome| match outcome {
        Outcome::Passed => "passed",
        Outcome::Failed => "failed",
        Outcome::Errored => "errored",
        Outcome::Skipped => "skipped",
    };
    results.tests.iter().map(|test| (outcome(test.outcome).to_owned(), test.id.to_string())).collect()
}

fn unnamed(count: u64) -> String {
    format!("{} that the results do not name", plural(usize::try_from(count).unwrap_or(usize::MAX), "test"))
}

fn executed_digest(results: &Results) -> String {
    let executed = results.tests.iter().filter(|test| test.outcome != Outcome::Skipped);
    let mut ids: Vec<String> = executed.map(|test| test.id.to_string()).collect();
    ids.sort();
    let mut hasher = Hasher::default();
    for id in ids {
        hasher.part(id);
    }
    hasher.named()
}

/// One entry for each test that did not pass, and for each problem outside of tests.
fn failures(results: &Results) -> Vec<Failure> {
    let bad = results.tests.iter().filter(|test| matches!(test.outcome, Outcome::Failed | Outcome::Errored));
    let of_tests = bad.map(|test| failure(&test.id.to_string(), Some(&test.id), test.failure.as_ref()));
    let of_problems = results.problems.iter().map(|problem| {
        let place = problem.location.as_ref().map_or("outside of any test", |place| place.file.as_str());
        failure(place, None, Some(problem))
    });
    of_tests.chain(of_problems).collect()
}

fn failure(name: &str, id: Option<&TestId>, failure: Option<&runner::Failure>) -> Failure {
    let missing = runner::Failure::default();
    let failure = failure.unwrap_or(&missing);
    let error_type = ErrorType::of(&failure.kind, &failure.message);
    let message = if error_type == ErrorType::Other
        && !failure.kind.is_empty()
        && !failure.message.starts_with(&failure.kind)
    {
        format!("{}: {}", failure.kind, failure.message)
    } else {
        failure.message.clone()
    };
    Failure {
        test_name: name.to_owned(),
        test_file: id.and_then(|id| id.file.clone()),
        test_line: None,
        error_type,
        error_message: message,
        stack_trace: failure.stack.clone(),
        expected: failure.expected.clone(),
        actual: failure.actual.clone(),
        source_location: failure.location.as_ref().map(|place| SourceLocation {
            file: place.file.clone(),
            line: place.line,
            function: place.function.clone(),
        }),
    }
}
