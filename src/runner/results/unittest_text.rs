//! What Python's unittest prints, with `-v` or without, of all versions.
//!
//! With `-v` tests are named; output of tests may stand between a name and its result. Without, only failures are.

use super::words::{self, leading_number};
use super::{Counts, Failure, Outcome, Results, TestId, TestResult, traceback};
use crate::collections::{HashMap, HashSet};

/// Reads everything that a run printed.
pub fn read(output: &[u8]) -> Result<Results, String> {
    let text = words::output(output);
    let mut reader = Reader::default();
    text.lines().for_each(|line| reader.line(line));
    reader.finish(&text)
}

/// How many tests a line tells to have ended.
pub fn ended_in(line: &str) -> u64 {
    let status = line.rsplit_once(" ... ").map_or(line, |(_, status)| status);
    u64::from(outcome(status).is_some())
}

#[derive(Default)]
struct Reader {
    tests: Vec<TestResult>,
    index: HashMap<TestId, usize>,
    problems: Vec<Failure>,
    imports: u64,
    /// A test whose result is not yet printed.
    open: Option<TestId>,
    /// The name of a test whose first line of documentation follows.
    described: Option<TestId>,
    block: Option<Block>,
    /// `=====`, which begins a block if a title follows.
    ruled: bool,
    ran: Option<u64>,
    verdict: Option<Tally>,
    dots: Tally,
}

/// `FAIL: test_a (module.Class.test_a)`, then a rule, then a traceback.
struct Block {
    outcome: Outcome,
    id: TestId,
    is_fixture: bool,
    is_surprise: bool,
    text: String,
}

#[derive(Clone, Copy, Default)]
struct Tally {
    passed: u64,
    failures: u64,
    errors: u64,
    skipped: u64,
    expected: u64,
    unexpected: u64,
}

impl Reader {
    fn line(&mut self, line: &str) {
        let after_rule = std::mem::replace(&mut self.ruled, is_rule(line, '='));
        if let Some(ran) = ran(line) {
            self.end_block();
            self.close_open();
            self.ran = Some(ran);
        } else if let Some(verdict) = verdict(line).filter(|_| self.ran.is_some()) {
            self.verdict = Some(verdict);
        } else if let Some(block) = title(line).filter(|_| after_rule) {
            self.end_block();
            self.close_open();
            self.block = Some(block);
        } else if self.ruled {
            self.close_open();
        } else if let Some(block) = &mut self.block {
            if !is_rule(line, '-') {
                block.text.push_str(line);
                block.text.push('\n');
            }
        } else {
            self.listed(line);
        }
    }

    /// A line among the results.
    fn listed(&mut self, line: &str) {
        if let Some((name, status)) =
            line.split_once(" ... ").or_else(|| Some((line.strip_suffix(" ...")?, "")))
        {
            let described = self.described.take();
            if let Some(id) = test_id(name.trim_start()).or(described) {
                self.close_open();
                // What fails outside of a test has a block of its own; a subtest is a part of the open test.
                let is_part = name.starts_with("  ");
                if is_part {
                    if let Some(outcome) = outcome(status) {
                        self.push(id, outcome, status);
                    }
                    return;
                }
                match outcome(status) {
                    Some(outcome) => self.push(id, outcome, status),
                    None => self.begin(id, status),
                }
                return;
            }
        }
        if let Some(found) = outcome(line).filter(|_| self.open.is_some()) {
            let id = self.open.take().unwrap_or_default();
            self.push(id, found, line);
        } else if let Some(id) = test_id(line).filter(|_| self.open.is_none()) {
            self.described = Some(id);
        } else if self.tests.is_empty() && self.open.is_none() {
            self.dotted(line);
        }
    }

    /// Older versions print nothing behind a test with failed subtests, so that the next name follows at once.
    fn begin(&mut self, id: TestId, status: &str) {
        let next = status.split_once(" ... ").and_then(|(name, rest)| Some((test_id(name)?, rest)));
        match next {
            Some((next, rest)) => {
                self.open = Some(id);
                self.close_open();
                match outcome(rest) {
                    Some(outcome) => self.push(next, outcome, rest),
                    None => self.open = Some(next),
                }
            }
            None => self.open = Some(id),
        }
    }

    /// A test that ends without a word has parts that failed or were skipped; blocks tell the failed ones.
    fn close_open(&mut self) {
        if let Some(id) = self.open.take() {
            self.push(id, Outcome::Passed, "");
        }
    }

    fn push(&mut self, id: TestId, outcome: Outcome, status: &str) {
        // A class that its set-up skips is one of those that unittest counts.
        if (is_fixture(&id) && outcome != Outcome::Skipped) || is_import(&id) {
            return;
        }
        let reason = status.strip_prefix("skipped ").map(|reason| Failure {
            message: reason.trim().trim_matches(['\'', '"']).to_owned(),
            ..Failure::default()
        });
        self.index.entry(id.clone()).or_insert(self.tests.len());
        self.tests.push(TestResult { id, line: None, outcome, duration_ms: None, failure: reason });
    }

    /// `.F.sxuE`, one sign for each test.
    fn dotted(&mut self, line: &str) {
        let mut dots = self.dots;
        for sign in line.trim_end().chars() {
            match sign {
                '.' => dots.passed += 1,
                'F' => dots.failures += 1,
                'E' => dots.errors += 1,
                's' => dots.skipped += 1,
                'x' => dots.expected += 1,
                'u' => dots.unexpected += 1,
                _ => return,
            }
        }
        self.dots = dots;
    }

    /// What failed is explained, and added where it is not listed: a subtest, a fixture, an import.
    fn end_block(&mut self) {
        let Some(Block { outcome, id, is_fixture, is_surprise, text }) = self.block.take() else { return };
        let mut failure = traceback::read(&text);
        if is_surprise {
            failure = Failure { kind: SURPRISE.into(), message: SURPRISE.into(), ..Failure::default() };
        }
        if is_fixture {
            self.imports += u64::from(is_import(&id));
            let message = format!("{id}: {}", failure.message);
            self.problems.push(Failure { message, ..failure });
            return;
        }
        let listed = self.index.get(&id).map(|&at| &mut self.tests[at]);
        match listed.filter(|test| test.outcome == outcome && test.failure.is_none()) {
            Some(test) => test.failure = Some(failure),
            None => {
                let failure = Some(failure);
                self.index.insert(id.clone(), self.tests.len());
                self.tests.push(TestResult { id, line: None, outcome, duration_ms: None, failure });
            }
        }
    }

    fn finish(mut self, text: &str) -> Result<Results, String> {
        self.end_block();
        let is_listed =
            self.tests.iter().any(|test| matches!(test.outcome, Outcome::Passed | Outcome::Skipped));
        let Some(ran) = self.ran else {
            return self.unfinished(text);
        };
        let tally = self.verdict.unwrap_or_default();
        let bad = tally.failures + tally.errors + tally.unexpected;
        let skipped = tally.skipped + tally.expected;
        let mut results = Results { tests: self.tests, problems: self.problems, ..Results::default() };
        // Parents of failed subtests ended without a word; they did not pass.
        let failed: HashSet<TestId> = results
            .tests
            .iter()
            .filter(|test| is_bad(test) && test.id.case.is_some())
            .map(|test| parent(&test.id))
            .collect();
        results.tests.retain(|test| !(test.outcome == Outcome::Passed && failed.contains(&test.id)));
        results.named = is_listed || ran == 0 || results.tests.len() as u64 >= ran;
        if !results.named {
            let passed = ran.saturating_sub(bad_tests(&results, self.imports) + tally.unexpected + skipped);
            let failed = tally.failures + tally.unexpected;
            let total = passed + bad + skipped;
            results.counted = Some(Counts { total, passed, failed, errors: tally.errors, skipped });
        }
        Ok(results)
    }

    /// A run that crashed: the test that was open did not end.
    fn unfinished(self, text: &str) -> Result<Results, String> {
        let crash = super::python_crash::read(text);
        let mut results =
            Results { tests: self.tests, problems: self.problems, named: true, ..Results::default() };
        let failure = crash.clone().unwrap_or_else(|| Failure {
            kind: "unfinished".into(),
            message: "the run did not end".into(),
            ..Failure::default()
        });
        let dots = self.dots;
        let dotted =
            dots.passed + dots.failures + dots.errors + dots.skipped + dots.expected + dots.unexpected;
        match self.open {
            Some(id) => {
                let failure = Some(failure);
                results.tests.push(TestResult {
                    id,
                    line: None,
                    outcome: Outcome::Errored,
                    duration_ms: None,
                    failure,
                });
            }
            None if results.tests.is_empty() && dotted == 0 && crash.is_none() => {
                return Err("the output has no result of unittest".to_owned());
            }
            None => results.problems.push(failure),
        }
        if results.tests.is_empty() && dotted > 0 {
            let (failed, skipped) = (dots.failures + dots.unexpected, dots.skipped + dots.expected);
            let errors = dots.errors + results.problems.len() as u64;
            let total = dots.passed + failed + errors + skipped;
            results.named = false;
            results.counted = Some(Counts { total, passed: dots.passed, failed, errors, skipped });
        }
        Ok(results)
    }
}

/// What unittest calls a test that passes though it is marked to fail.
const SURPRISE: &str = "unexpected success";

fn is_bad(test: &TestResult) -> bool {
    matches!(test.outcome, Outcome::Failed | Outcome::Errored)
}

/// Tests that failed, with their parts as one, and modules that could not be imported: all that counts as run.
fn bad_tests(results: &Results, imports: u64) -> u64 {
    let surprises =
        |test: &&TestResult| test.failure.as_ref().is_some_and(|failure| failure.kind == SURPRISE);
    let bad = results.tests.iter().filter(|test| is_bad(test) && !surprises(test));
    bad.map(|test| parent(&test.id)).collect::<HashSet<_>>().len() as u64 + imports
}

fn parent(id: &TestId) -> TestId {
    TestId { case: None, ..id.clone() }
}

fn is_rule(line: &str, sign: char) -> bool {
    line.len() >= 70 && line.chars().all(|c| c == sign)
}

/// `Ran 14 tests in 0.003s`
fn ran(line: &str) -> Option<u64> {
    let (count, rest) = leading_number(line.strip_prefix("Ran ")?)?;
    (rest.starts_with(" tests in ") || rest.starts_with(" test in ")).then_some(count)
}

/// `OK (skipped=1)`, `FAILED (failures=3, errors=4)`, `NO TESTS RAN`
fn verdict(line: &str) -> Option<Tally> {
    let rest = ["OK", "FAILED", "NO TESTS RAN"].iter().find_map(|word| line.strip_prefix(word))?;
    let mut tally = Tally::default();
    if rest.is_empty() {
        return Some(tally);
    }
    for part in rest.trim_start().strip_prefix('(')?.strip_suffix(')')?.split(", ") {
        let (name, count) = part.split_once('=')?;
        let count: u64 = count.parse().ok()?;
        match name {
            "failures" => tally.failures = count,
            "errors" => tally.errors = count,
            "skipped" => tally.skipped = count,
            "expected failures" => tally.expected = count,
            "unexpected successes" => tally.unexpected = count,
            _ => return None,
        }
    }
    Some(tally)
}

fn outcome(status: &str) -> Option<Outcome> {
    match status.trim_end() {
        "ok" => Some(Outcome::Passed),
        "FAIL" | "unexpected success" => Some(Outcome::Failed),
        "ERROR" => Some(Outcome::Errored),
        "expected failure" => Some(Outcome::Skipped),
        status if status.starts_with("skipped ") => Some(Outcome::Skipped),
        _ => None,
    }
}

/// `FAIL: test_a (module.Class.test_a)`
fn title(line: &str) -> Option<Block> {
    let (word, name) = line.split_once(": ")?;
    let outcome = match word {
        "FAIL" => Outcome::Failed,
        "ERROR" => Outcome::Errored,
        "UNEXPECTED SUCCESS" => Outcome::Failed,
        _ => return None,
    };
    let is_surprise = word == "UNEXPECTED SUCCESS";
    let id = test_id(name).unwrap_or_else(|| TestId { name: name.to_owned(), ..TestId::default() });
    let is_fixture = is_fixture(&id) || is_import(&id);
    Some(Block { outcome, id, is_fixture, is_surprise, text: String::new() })
}

fn is_fixture(id: &TestId) -> bool {
    is_fixture_name(&id.name)
}

fn is_fixture_name(name: &str) -> bool {
    matches!(name, "setUpClass" | "tearDownClass" | "setUpModule" | "tearDownModule")
}

/// A module that could not be imported is reported as a test of a class of unittest's own.
fn is_import(id: &TestId) -> bool {
    id.suite.iter().any(|part| part == "_FailedTest")
}

/// `test_a (module.Class.test_a) [message] (i=1)`; older versions leave the name out of the brackets.
fn test_id(text: &str) -> Option<TestId> {
    let (name, rest) = text.split_once(" (")?;
    let (path, rest) = rest.split_once(')')?;
    let is_name = |text: &str| !text.is_empty() && !text.contains(char::is_whitespace);
    if !is_name(name) || !is_name(path) || !path.contains('.') && !is_fixture_name(name) {
        return None;
    }
    let suite = path.strip_suffix(name).and_then(|path| path.strip_suffix('.')).unwrap_or(path);
    let case = rest.trim();
    let case = (!case.is_empty())
        .then(|| case.strip_prefix('(').and_then(|case| case.strip_suffix(')')).unwrap_or(case).to_owned());
    Some(TestId {
        file: None,
        suite: suite.split('.').map(str::to_owned).collect(),
        name: name.to_owned(),
        case,
    })
}

#[cfg(test)]
#[path = "unittest_text_tests.rs"]
mod tests;
