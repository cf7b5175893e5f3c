//! What the test programs of Rust print, one after the other, between what cargo says about them.
//!
//! Output of tests can look like results. What is listed is compared with the program's own `running` and `test
//! result` lines; where they do not agree, tests are counted by those and no longer named.

use super::panics;
use super::words::{self, leading_number, milliseconds};
use super::{Counts, Failure, Location, Outcome, Results, TestId, TestResult};
use crate::collections::HashMap;

/// Reads everything that `cargo test`, or a test program by itself, printed.
pub fn read(output: &[u8]) -> Result<Results, String> {
    let text = words::output(output);
    let mut reader = Reader::default();
    text.lines().for_each(|line| reader.line(line));
    reader.finish()
}

/// How many tests a line tells to have ended.
pub fn ended_in(line: &str) -> u64 {
    let status = line.strip_prefix("test ").and_then(|rest| rest.split_once(" ... "));
    u64::from(status.is_some_and(|(_, status)| outcome(status).is_some()))
}

#[derive(Default)]
struct Reader {
    program: String,
    sections: Vec<Section>,
    state: State,
    /// Whether cargo named a program since the last one began.
    announced: bool,
    /// What cargo and the compiler said outside of test programs.
    outside: Vec<String>,
}

#[derive(Default, PartialEq)]
enum State {
    /// Between test programs.
    #[default]
    Outside,
    Listing,
    /// Behind `failures:`, where the output of failed tests stands.
    Failures,
}

/// One test program.
#[derive(Default)]
struct Section {
    program: String,
    running: u64,
    tests: Vec<TestResult>,
    blocks: Vec<(String, String)>,
    summary: Option<Counts>,
    /// Whether a part of its output was too long to be kept.
    is_cut: bool,
    /// A test whose end is not yet printed, and the line before the current one.
    open: Option<String>,
    last_line: String,
}

impl Reader {
    fn line(&mut self, line: &str) {
        if let Some(running) = running(line).filter(|_| self.may_begin()) {
            self.sections.push(Section { program: self.program.clone(), running, ..Section::default() });
            (self.state, self.announced) = (State::Listing, false);
            return;
        }
        if let Some(section) = self.sections.last_mut().filter(|_| self.state != State::Outside) {
            section.is_cut |= line.starts_with("[aiwg-gate: ") && line.ends_with(LEFT_OUT);
        }
        match (&self.state, self.sections.last_mut()) {
            (State::Listing, Some(section)) => {
                if let Some(summary) = summary(line).filter(|summary| section.is_whole(*summary)) {
                    section.close_open();
                    section.summary = Some(summary);
                    self.state = State::Outside;
                } else if line == "failures:" && section.open.is_none() {
                    self.state = State::Failures;
                } else if let Some(at) = line.find(PROGRAM_ENDED) {
                    section.listed(&line[..at]);
                    self.state = State::Outside;
                    self.outside.push(line[at..].to_owned());
                } else {
                    section.listed(line);
                    if let Some(program) = announced(line) {
                        (self.program, self.announced) = (program, true);
                    }
                }
            }
            (State::Failures, Some(section)) => {
                if summary(line).is_some_and(|summary| section.agrees(summary)) {
                    section.summary = summary(line);
                    self.state = State::Outside;
                } else {
                    section.failure_line(line);
                }
            }
            _ => self.outside_line(line),
        }
    }

    /// Whether a program may begin here. One that ended early leaves no summary, but cargo names the next one; without
    /// that, the line is the output of a test.
    fn may_begin(&self) -> bool {
        let is_cut = self.sections.last().is_some_and(|section| section.is_cut);
        match self.state {
            State::Outside => true,
            State::Listing => self.announced || is_cut || self.program.is_empty(),
            State::Failures => is_cut,
        }
    }

    fn outside_line(&mut self, line: &str) {
        match program(line) {
            Some(program) => self.program = program,
            None => self.outside.push(line.to_owned()),
        }
    }

    fn finish(mut self) -> Result<Results, String> {
        let mut results = Results { named: true, ..Results::default() };
        let mut counted = Counts::default();
        let crashes = crashes(&self.outside);
        let mut unended = crashes.iter();
        let last = self.sections.len().saturating_sub(1);
        for (at, section) in self.sections.iter_mut().enumerate() {
            let crash = if section.summary.is_none() { unended.next() } else { None };
            // Where another program follows and the output was cut, the end of this one may only not be there.
            let is_lost = at != last && section.is_cut && crash.is_none();
            results.named &= section.summary.is_some() || !is_lost;
            if !is_lost {
                section.crashed(crash.cloned(), &mut results.problems);
            }
            section.explain();
            results.named &= section.is_named();
            counted = add(counted, section.counts());
            results.tests.append(&mut section.tests);
        }
        results.problems.extend(unended.cloned());
        let nothing_ran = self.sections.is_empty();
        results.problems.extend(problems(&self.outside, nothing_ran));
        if nothing_ran && results.problems.is_empty() {
            return Err("the output names no test program of Rust".to_owned());
        }
        let problems = results.problems.len() as u64;
        counted.errors += problems;
        counted.total += problems;
        results.counted = (!results.named).then_some(counted);
        Ok(results)
    }
}

impl Section {
    /// A line among the results.
    fn listed(&mut self, line: &str) {
        let named = line.strip_prefix("test ").and_then(|rest| rest.split_once(" ... "));
        if let Some((name, status)) = named
            && self.may_begin()
        {
            self.close_open();
            match outcome(status) {
                Some(outcome) => self.push(name, outcome, status),
                None => self.open = Some(name.trim_end().to_owned()),
            }
        } else if let Some(outcome) = self.open.as_ref().and_then(|_| outcome(line)) {
            let name = self.open.take().unwrap_or_default();
            self.push(&name, outcome, line);
        }
        self.last_line.clear();
        self.last_line.push_str(line);
    }

    /// Whether a test may be listed here: the one before it has ended, so a line that looks like one is no output.
    fn may_begin(&self) -> bool {
        self.open.is_none() || ended_by(&self.last_line).is_some()
    }

    /// A test that prints no line break leaves its result behind its own words.
    fn close_open(&mut self) {
        if let (Some(name), Some(outcome)) = (self.open.clone(), ended_by(&self.last_line)) {
            self.open = None;
            self.push(&name, outcome, "");
        }
    }

    fn push(&mut self, name: &str, outcome: Outcome, status: &str) {
        let reason = status
            .strip_prefix("ignored, ")
            .map(|reason| Failure { message: reason.trim().to_owned(), ..Failure::default() });
        let id = test_id(&self.program, name.trim_end());
        let took = status.split_once('<').and_then(|(_, took)| milliseconds(took.trim_end_matches('>')));
        self.tests.push(TestResult { id, outcome, line: None, duration_ms: took, failure: reason });
    }

    fn failure_line(&mut self, line: &str) {
        let title = line.strip_prefix("---- ").and_then(|rest| rest.strip_suffix(" ----"));
        let name = title.and_then(|title| title.strip_suffix(" stdout").or(title.strip_suffix(" stderr")));
        match (name, self.blocks.last_mut()) {
            (Some(name), _) => self.blocks.push((name.to_owned(), String::new())),
            (None, Some((_, block))) => {
                block.push_str(line);
                block.push('\n');
            }
            (None, None) => {}
        }
    }

    /// Gives failed tests what their output says. Where nothing is listed, failed tests are known by their output.
    fn explain(&mut self) {
        let is_quiet = self.tests.is_empty();
        let failed = self.tests.iter().enumerate().filter(|(_, test)| test.outcome == Outcome::Failed);
        let failed: HashMap<TestId, usize> = failed.map(|(at, test)| (test.id.clone(), at)).collect();
        for (name, block) in std::mem::take(&mut self.blocks) {
            let id = test_id(&self.program, &name);
            let failure = Some(panics::read(&block, &name));
            match failed.get(&id) {
                Some(&at) => self.tests[at].failure = failure,
                None if is_quiet => {
                    self.tests.push(TestResult {
                        id,
                        outcome: Outcome::Failed,
                        line: None,
                        duration_ms: None,
                        failure,
                    });
                }
                None => {}
            }
        }
    }

    /// What became of a program that did not end by itself.
    fn crashed(&mut self, crash: Option<Failure>, problems: &mut Vec<Failure>) {
        if self.summary.is_some() {
            return;
        }
        let failure = crash.unwrap_or_else(|| Failure {
            kind: "unfinished".to_owned(),
            message: self.ended_early(),
            ..Failure::default()
        });
        match self.open.take() {
            Some(name) => {
                let id = test_id(&self.program, &name);
                let failure = Some(failure);
                self.tests.push(TestResult {
                    id,
                    outcome: Outcome::Errored,
                    line: None,
                    duration_ms: None,
                    failure,
                });
            }
            None => problems.push(failure),
        }
    }

    fn ended_early(&self) -> String {
        let name = if self.program.is_empty() { String::new() } else { format!(" {}", self.program) };
        let told = self.tests.len();
        format!("the test program{name} ended before its tests did: {told} of {} reported", self.running)
    }

    /// Whether a summary counts what the program began. Another one is the output of a test.
    fn is_whole(&self, summary: Counts) -> bool {
        self.is_cut || summary.total == self.running
    }

    fn is_named(&self) -> bool {
        match self.summary {
            Some(_) => self.listed_counts() == self.counts() && self.tests.len() as u64 == self.running,
            None => self.tests.len() as u64 <= self.running,
        }
    }

    fn agrees(&self, summary: Counts) -> bool {
        self.is_whole(summary) && (self.tests.is_empty() || self.listed_counts().failed == summary.failed)
    }

    fn counts(&self) -> Counts {
        self.summary.unwrap_or_else(|| self.listed_counts())
    }

    fn listed_counts(&self) -> Counts {
        let count = |outcome| self.tests.iter().filter(|test| test.outcome == outcome).count() as u64;
        Counts {
            total: self.tests.len() as u64,
            passed: count(Outcome::Passed),
            failed: count(Outcome::Failed),
            errors: count(Outcome::Errored),
            skipped: count(Outcome::Skipped),
        }
    }
}

const PROGRAM_ENDED: &str = "error: test failed, to rerun pass";

/// The end of the line that stands for output that was not kept.
const LEFT_OUT: &str = "bytes of output were left out here]";

/// `running 3 tests`
fn running(line: &str) -> Option<u64> {
    let (count, rest) = leading_number(line.strip_prefix("running ")?)?;
    matches!(rest, " tests" | " test").then_some(count)
}

/// `test result: ok. 3 passed; 6 failed; 2 ignored; 0 measured; 0 filtered out; finished in 0.16s`
fn summary(line: &str) -> Option<Counts> {
    let rest = line.strip_prefix("test result: ")?;
    let (_, rest) = rest.split_once(". ")?;
    let mut counts = Counts::default();
    for part in rest.split("; ") {
        let Some((count, what)) = leading_number(part) else { continue };
        match what.trim() {
            "passed" | "measured" => counts.passed += count,
            "failed" => counts.failed += count,
            "ignored" => counts.skipped += count,
            _ => continue,
        }
        counts.total += count;
    }
    Some(counts)
}

/// How the words behind `...` say that a test ended.
fn outcome(status: &str) -> Option<Outcome> {
    let status = status.trim_end();
    let word = status.split([',', ' ', '<', '(']).next().unwrap_or(status);
    let is_time = |rest: &str| rest.trim_start().starts_with(['<', '(']);
    let rest = &status[word.len()..];
    match word {
        "ok" if rest.is_empty() || is_time(rest) => Some(Outcome::Passed),
        "FAILED" if rest.is_empty() || is_time(rest) => Some(Outcome::Failed),
        "ignored" if rest.is_empty() || rest.starts_with(", ") => Some(Outcome::Skipped),
        "bench:" => Some(Outcome::Passed),
        _ => None,
    }
}

fn ended_by(line: &str) -> Option<Outcome> {
    let ends = [("ok", Outcome::Passed), ("FAILED", Outcome::Failed), ("ignored", Outcome::Skipped)];
    ends.into_iter().find(|(end, _)| line.ends_with(end)).map(|(_, outcome)| outcome)
}

/// The name of the program that a line of cargo announces.
fn program(line: &str) -> Option<String> {
    let line = line.trim_start();
    if let Some(package) = line.strip_prefix("Doc-tests ") {
        return Some(format!("{package} (doc)"));
    }
    let (target, path) = line.strip_prefix("Running ")?.split_once(" (")?;
    let file = path.trim_end_matches(')').rsplit(['/', '\\']).next()?.trim_end_matches(".exe");
    let name = file.rsplit_once('-').map_or(file, |(name, _)| name);
    let is_program = target.strip_prefix("unittests ").is_some_and(|root| !root.ends_with("lib.rs"));
    Some(if is_program { format!("bin/{name}") } else { name.to_owned() })
}

/// The program that cargo names while another one is listed; a test that ended it left its own line open.
fn announced(line: &str) -> Option<String> {
    let at = line.find("     Running ").or_else(|| line.find("   Doc-tests "))?;
    program(&line[at..])
}

/// `a::b::name`, or of documentation `src/lib.rs - a::b (line 5)`.
fn test_id(program: &str, name: &str) -> TestId {
    let name = name.strip_suffix(" - should panic").unwrap_or(name);
    let owner = (!program.is_empty()).then(|| program.to_owned());
    if let Some((file, item)) = name.split_once(" - ").filter(|_| program.ends_with(" (doc)")) {
        let (item, line) = item.rsplit_once("(line ").unwrap_or((item, ""));
        let line = line.split(')').next().unwrap_or_default();
        let item = if item.trim().is_empty() { "documentation" } else { item.trim() };
        return TestId {
            file: None,
            suite: owner.into_iter().chain([file.to_owned()]).collect(),
            name: item.to_owned(),
            case: (!line.is_empty()).then(|| format!("line {line}")),
        };
    }
    let mut suite: Vec<String> = owner.into_iter().chain(name.split("::").map(str::to_owned)).collect();
    let name = suite.pop().unwrap_or_default();
    TestId { file: None, suite, name, case: None }
}

/// Test programs that did not exit by themselves, in their order.
fn crashes(lines: &[String]) -> Vec<Failure> {
    let ended =
        lines.iter().filter_map(|line| line.trim_start().strip_prefix("process didn't exit successfully: "));
    ended
        .map(|line| {
            let how = line.rsplit_once(" (").map_or(line, |(_, how)| how.trim_end_matches(')'));
            Failure {
                kind: signal(how).unwrap_or("exit").to_owned(),
                message: format!("the test program ended early ({how})"),
                stack: Some(line.to_owned()),
                ..Failure::default()
            }
        })
        .collect()
}

/// `signal: 11, SIGSEGV: invalid memory reference`
fn signal(how: &str) -> Option<&str> {
    let name = how.split(", ").nth(1)?.split(':').next()?;
    name.starts_with("SIG").then_some(name)
}

fn add(a: Counts, b: Counts) -> Counts {
    Counts {
        total: a.total + b.total,
        passed: a.passed + b.passed,
        failed: a.failed + b.failed,
        errors: a.errors + b.errors,
        skipped: a.skipped + b.skipped,
    }
}

/// The most problems of a build that are told one by one.
const MOST_PROBLEMS: usize = 50;

/// What kept cargo from building anything, in an output without any test.
pub fn build_problems(output: &str) -> Vec<Failure> {
    problems(&output.lines().map(str::to_owned).collect::<Vec<_>>(), true)
}

/// What kept cargo from building or running anything. Lines that only look like it do not count where all ran.
fn problems(lines: &[String], nothing_ran: bool) -> Vec<Failure> {
    let refused = lines.iter().find(|line| line.starts_with("error: could not compile "));
    let mut problems = Vec::new();
    if refused.is_none() && !nothing_ran {
        return problems;
    }
    for (at, line) in lines.iter().enumerate() {
        let Some((kind, message)) = diagnostic(line) else { continue };
        if problems.len() == MOST_PROBLEMS {
            break;
        }
        let place = lines[at + 1..].iter().take(8).find_map(|line| line.trim_start().strip_prefix("--> "));
        let location = place.and_then(words::place).map(|(file, line)| Location {
            file: file.to_owned(),
            line: Some(line),
            function: None,
        });
        problems.push(Failure { kind, message, location, ..Failure::default() });
    }
    if let (true, Some(refused)) = (problems.is_empty(), refused) {
        problems.push(Failure { kind: "build".into(), message: refused.clone(), ..Failure::default() });
    }
    problems
}

/// `error[E0425]: cannot find value` or `error: expected expression`; not cargo's own account of it.
fn diagnostic(line: &str) -> Option<(String, String)> {
    const ACCOUNTS: [&str; 5] =
        ["could not compile", "test failed", "doctest failed", "aborting due to", "command `"];
    let rest = line.strip_prefix("error")?;
    let (kind, message) = match rest.strip_prefix('[') {
        Some(rest) => rest.split_once("]: ")?,
        None => ("error", rest.strip_prefix(": ")?),
    };
    let is_account = ACCOUNTS.iter().any(|start| message.starts_with(start)) || message.contains(" failed:");
    (!is_account).then(|| (kind.to_owned(), message.to_owned()))
}

#[cfg(test)]
#[path = "libtest_tests.rs"]
mod tests;
