//! What pytest prints, for runs that leave no report: with `-v`, with `-rA`, or only dots and a summary.

use super::words::{self, leading_number};
use super::{Counts, Failure, Outcome, Results, TestId, TestResult, python_crash, traceback};
use crate::collections::HashMap;

/// Reads everything that a run printed.
pub fn read(output: &[u8]) -> Result<Results, String> {
    let text = words::output(output);
    let mut reader = Reader::default();
    text.lines().for_each(|line| reader.line(line));
    reader.finish(&text)
}

/// How many tests a line tells to have ended; for dots, how many there are.
pub fn ended_in(line: &str) -> u64 {
    if progress(line).is_some_and(|(_, outcome)| outcome.is_some()) {
        return 1;
    }
    dots(line).map_or(0, |dots| dots.total)
}

#[derive(Default)]
struct Reader {
    section: Section,
    listed: Listed,
    /// What the summary at the end names; of these only what is not listed is taken.
    summed: Listed,
    open: Option<TestId>,
    dots: Counts,
    blocks: Vec<(String, String)>,
    total: Option<Counts>,
    has_begun: bool,
}

#[derive(Default, PartialEq)]
enum Section {
    #[default]
    Progress,
    Blocks,
    Summary,
    Other,
}

#[derive(Default)]
struct Listed {
    tests: Vec<TestResult>,
    index: HashMap<TestId, usize>,
    problems: Vec<Failure>,
}

impl Listed {
    /// An error of a test that has its result already came when it was torn down.
    fn push(&mut self, id: TestId, outcome: Outcome, message: &str) {
        let is_known = self.index.contains_key(&id);
        if (is_known && outcome == Outcome::Errored) || id.name.is_empty() {
            let owner = if id.name.is_empty() { id.file.unwrap_or_default() } else { id.to_string() };
            let message = if message.is_empty() { owner } else { format!("{owner}: {message}") };
            self.problems.push(Failure { kind: "ERROR".into(), message, ..Failure::default() });
            return;
        }
        let failure =
            (!message.is_empty()).then(|| Failure { message: message.to_owned(), ..Failure::default() });
        if !is_known {
            self.index.insert(id.clone(), self.tests.len());
            self.tests.push(TestResult { id, line: None, outcome, duration_ms: None, failure });
        }
    }

    fn len(&self) -> u64 {
        (self.tests.len() + self.problems.len()) as u64
    }
}

impl Reader {
    fn line(&mut self, line: &str) {
        if let Some(total) = total(line) {
            self.total = Some(total);
            return;
        }
        match heading(line) {
            Some("test session starts") => (self.section, self.has_begun) = (Section::Progress, true),
            Some("ERRORS" | "FAILURES") => self.section = Section::Blocks,
            Some("short test summary info") => self.section = Section::Summary,
            Some("warnings summary" | "PASSES" | "XFAILURES" | "XPASSES") => self.section = Section::Other,
            _ => match self.section {
                Section::Progress => self.progress_line(line),
                Section::Blocks => self.block_line(line),
                Section::Summary => self.summary_line(line),
                Section::Other => {}
            },
        }
    }

    fn progress_line(&mut self, line: &str) {
        // The interpreter writes behind what is there.
        let line = line.split_once("Fatal Python error: ").map_or(line, |(before, _)| before);
        match progress(line) {
            Some((id, Some(outcome))) => {
                self.open = None;
                self.listed.push(id, outcome, "");
            }
            Some((id, None)) => self.open = Some(id),
            None => {
                // With `-s`, the result stands behind what the test printed, and below it what broke afterwards.
                let last = self.listed.tests.last().map(|test| &test.id);
                let found = status(line).filter(|(_, before)| self.open.is_some() || before.is_empty());
                let late = found.filter(|(outcome, _)| *outcome == Outcome::Errored).and(last);
                if let (Some(id), Some((outcome, _))) = (self.open.as_ref().or(late).cloned(), found) {
                    self.listed.push(id, outcome, "");
                    self.open = None;
                } else if let Some(dots) = dots(line) {
                    self.dots = add(self.dots, dots);
                }
            }
        }
    }

    /// `____ test_a ____`, then a traceback.
    fn block_line(&mut self, line: &str) {
        let title = line.strip_prefix("__").and_then(|rest| rest.strip_suffix("__"));
        let title = title
            .map(|rest| rest.trim_matches('_'))
            .and_then(|rest| rest.strip_prefix(' ')?.strip_suffix(' '));
        match (title, self.blocks.last_mut()) {
            (Some(title), _) => self.blocks.push((title.to_owned(), String::new())),
            (None, Some((_, block))) => {
                block.push_str(line);
                block.push('\n');
            }
            (None, None) => {}
        }
    }

    /// `FAILED tests/test_a.py::test_b - assert 1 == 2`
    fn summary_line(&mut self, line: &str) {
        let Some((word, rest)) = line.split_once(' ') else { return };
        let (word, part) = match word.split_once('(') {
            Some((word, part)) => (word, part.strip_suffix(')')),
            None => (word, None),
        };
        let Some(outcome) = word_outcome(word).filter(|_| !rest.starts_with('[')) else { return };
        let (node, message) = split_message(rest);
        let mut id = node_id(node);
        if part.is_some() {
            id.case = part.map(str::to_owned);
        }
        self.summed.push(id, outcome, message);
    }

    fn finish(self, text: &str) -> Result<Results, String> {
        if self.total.is_none() {
            return self.unfinished(text);
        }
        let total = self.total.unwrap_or_default();
        let mut listed = self.listed;
        if listed.tests.is_empty() {
            listed = self.summed;
        } else {
            merge(&mut listed, self.summed);
        }
        explain(&mut listed, &self.blocks);
        let named = listed.len() == total.total;
        let Listed { tests, problems, .. } = listed;
        Ok(Results { tests, problems, named, counted: (!named).then_some(total), ..Results::default() })
    }

    /// A run that crashed: as far as it came.
    fn unfinished(self, text: &str) -> Result<Results, String> {
        let crash = python_crash::read(text);
        if crash.is_none() && !self.has_begun {
            if let Some(problem) = refused(text) {
                return Ok(Results { named: true, problems: vec![problem], ..Results::default() });
            }
            return Err("the output has no result of pytest".to_owned());
        }
        let failure = crash.unwrap_or_else(|| Failure {
            kind: "unfinished".into(),
            message: "the run did not end".into(),
            ..Failure::default()
        });
        let mut results = Results {
            tests: self.listed.tests,
            problems: self.listed.problems,
            named: true,
            ..Results::default()
        };
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
            None => results.problems.push(failure),
        }
        if results.tests.is_empty() && self.dots.total > 0 {
            let problems = results.problems.len() as u64;
            let dots = self.dots;
            results.named = false;
            results.counted =
                Some(Counts { total: dots.total + problems, errors: dots.errors + problems, ..dots });
        }
        Ok(results)
    }
}

/// Why pytest began nothing: a `conftest.py` that breaks, or `ERROR: file or directory not found: x`.
fn refused(text: &str) -> Option<Failure> {
    let at = text.lines().position(|line| line.contains("while loading conftest '"));
    if let Some(at) = at {
        let rest: Vec<&str> = text.lines().skip(at).collect();
        return traceback::marked(&rest.join("\n"));
    }
    let said = text.lines().find_map(|line| line.strip_prefix("ERROR: "))?;
    Some(Failure { kind: "ERROR".into(), message: said.trim().to_owned(), ..Failure::default() })
}

/// Takes messages, and what is not listed by name: failed parts of tests and files that could not be collected.
fn merge(listed: &mut Listed, summed: Listed) {
    for test in summed.tests {
        match listed.index.get(&test.id) {
            Some(&at) => listed.tests[at].failure = test.failure,
            None => {
                listed.index.insert(test.id.clone(), listed.tests.len());
                listed.tests.push(test);
            }
        }
    }
    for problem in summed.problems {
        let start = problem.message.split(": ").next().unwrap_or_default();
        match listed.problems.iter_mut().find(|known| known.message == start) {
            Some(known) => *known = problem,
            None => listed.problems.push(problem),
        }
    }
}

/// Gives failures what their blocks say.
fn explain(listed: &mut Listed, blocks: &[(String, String)]) {
    let mut by_title: HashMap<&str, Vec<&str>> = HashMap::new();
    for (title, block) in blocks.iter().rev() {
        by_title.entry(title).or_default().push(block);
    }
    let bad = |test: &&mut TestResult| matches!(test.outcome, Outcome::Failed | Outcome::Errored);
    for test in listed.tests.iter_mut().filter(bad) {
        let path: Vec<&str> = test.id.suite.iter().chain([&test.id.name]).map(String::as_str).collect();
        let row = test.id.case.as_ref().map(|case| format!("[{case}]")).unwrap_or_default();
        let title = path.join(".") + &row;
        let part = format!("{} ({})", path.join("."), test.id.case.as_deref().unwrap_or_default());
        let titles = [title.clone(), format!("ERROR at setup of {title}"), part];
        let block = titles.iter().find_map(|title| by_title.get_mut(title.as_str())?.pop());
        if let Some(block) = block {
            test.failure = Some(block_failure(block));
        }
    }
    for problem in &mut listed.problems {
        let file = problem.message.split(": ").next().unwrap_or_default();
        let last = file.rsplit("::").next().unwrap_or_default();
        let titles = [format!("ERROR collecting {file}"), format!("ERROR at teardown of {last}")];
        if let Some(block) = titles.iter().find_map(|title| by_title.get_mut(title.as_str())?.pop()) {
            let told = block_failure(block);
            *problem = Failure { message: format!("{file}: {}", told.message), ..told };
        }
    }
}

/// Lines that begin with `E` say what was raised.
fn block_failure(block: &str) -> Failure {
    let raised: Vec<&str> =
        block.lines().filter_map(|line| line.strip_prefix("E ")).map(str::trim_end).collect();
    let indent = raised
        .iter()
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.len() - line.trim_start().len())
        .min();
    let message: Vec<&str> =
        raised.iter().map(|line| line.get(indent.unwrap_or(0)..).unwrap_or("")).collect();
    let message = message.join("\n").trim().to_owned();
    let first = message.lines().next().unwrap_or_default();
    let last = message.lines().rev().find_map(traceback::exception);
    let kind = match traceback::exception(first).or(last) {
        Some((kind, _)) => kind,
        None if first.starts_with("assert ") => "AssertionError",
        None => "",
    };
    traceback::failure(kind, &message, block)
}

/// `==== FAILURES ====`
fn heading(line: &str) -> Option<&str> {
    let inner = line.strip_prefix('=')?.strip_suffix('=')?;
    inner.trim_matches('=').strip_prefix(' ')?.strip_suffix(' ')
}

/// `=== 10 failed, 5 passed, 2 skipped in 0.30s ===`, without the signs if pytest is quiet
fn total(line: &str) -> Option<Counts> {
    let text = heading(line).unwrap_or(line);
    let (counted, took) = text.rsplit_once(" in ")?;
    let is_time = took.split(' ').next()?.strip_suffix('s')?.parse::<f64>().is_ok();
    if !is_time {
        return None;
    }
    if counted == "no tests ran" {
        return Some(Counts::default());
    }
    let mut counts = Counts::default();
    for part in counted.split(", ") {
        let (count, word) = leading_number(part)?;
        match word.trim_start() {
            "passed" | "xpassed" => counts.passed += count,
            "failed" => counts.failed += count,
            "error" | "errors" => counts.errors += count,
            "skipped" | "xfailed" => counts.skipped += count,
            word if OTHERS.iter().any(|other| word.starts_with(other)) => continue,
            _ => return None,
        }
        counts.total += count;
    }
    Some(counts)
}

/// What a summary also counts.
const OTHERS: [&str; 5] = ["warning", "deselected", "rerun", "subtests", "xpassed"];

fn word_outcome(word: &str) -> Option<Outcome> {
    match word {
        "PASSED" | "XPASS" => Some(Outcome::Passed),
        "FAILED" | "SUBFAILED" | "SUBFAIL" => Some(Outcome::Failed),
        "ERROR" => Some(Outcome::Errored),
        "SKIPPED" | "XFAIL" => Some(Outcome::Skipped),
        _ => None,
    }
}

/// A line of `-v`: a test with its result, or one that has begun. `None` for any other line.
fn progress(line: &str) -> Option<(TestId, Option<Outcome>)> {
    // `[gw0] [  5%] PASSED tests/test_a.py::test_b`
    if let Some((percent, rest)) = line.strip_prefix("[gw").and_then(|rest| rest.split_once("%] ")) {
        let (word, node) = rest.split_once(' ').filter(|_| percent.contains('['))?;
        return Some((node_id(node.trim_end()), Some(word_outcome(word)?)));
    }
    let file = line.split("::").next().filter(|file| file.len() < line.len())?;
    if file.contains(' ') {
        return None;
    }
    if !file.ends_with(".py") && !file.ends_with(".txt") && !file.ends_with(".md") && !file.ends_with(".rst")
    {
        return None;
    }
    match status(line) {
        Some((outcome, node)) => Some((node_id(node.trim_end()), Some(outcome))),
        None => Some((node_id(first_node(line)), None)),
    }
}

/// The name at the start of a line; a row may hold spaces.
fn first_node(line: &str) -> &str {
    let space = line.find(' ').unwrap_or(line.len());
    let end =
        if line[..space].contains('[') { line.find("] ").map_or(line.len(), |end| end + 1) } else { space };
    line[..end].trim_end()
}

/// The result at the end of a line, and what stands in front of it.
fn status(line: &str) -> Option<(Outcome, &str)> {
    let line = line.trim_end();
    let line = match line.rsplit_once('[') {
        Some((rest, percent)) if percent.ends_with("%]") => rest.trim_end(),
        _ => line,
    };
    let line = match line.split_once(" (") {
        Some((before, reason))
            if reason.ends_with(')') && word_outcome(before.rsplit(' ').next()?).is_some() =>
        {
            before
        }
        _ => line,
    };
    let (before, word) = line.rsplit_once(' ').unwrap_or(("", line));
    word_outcome(word).map(|outcome| (outcome, before))
}

/// `tests/test_a.py .F.s   [ 40%]`, or the signs alone if pytest is quiet.
fn dots(line: &str) -> Option<Counts> {
    let line = line.trim_end();
    let signs = match line.rsplit_once('[') {
        Some((rest, percent)) if percent.ends_with("%]") => rest.trim_end(),
        _ => line,
    };
    let signs = match signs.rsplit_once(' ') {
        Some((file, signs)) if file.ends_with(".py") => signs,
        Some(_) => return None,
        None => signs,
    };
    let mut counts = Counts::default();
    for sign in signs.chars() {
        match sign {
            '.' | 'X' => counts.passed += 1,
            'F' => counts.failed += 1,
            'E' => counts.errors += 1,
            's' | 'x' => counts.skipped += 1,
            _ => return None,
        }
        counts.total += 1;
    }
    Some(counts)
}

/// The name of a test, and behind ` - ` what it said. Rows may hold anything.
fn split_message(text: &str) -> (&str, &str) {
    let row = text.find('[').filter(|at| !text[..*at].contains(" - "));
    let end = row.and_then(|at| text[at..].find("] - ").map(|end| at + end + 1));
    match end {
        Some(end) => (&text[..end], &text[end + 3..]),
        None if row.is_some() && text.ends_with(']') => (text, ""),
        None => text.split_once(" - ").unwrap_or((text, "")),
    }
}

/// `tests/test_a.py::Class::test_b[row]`; a file alone has no name.
fn node_id(node: &str) -> TestId {
    let (path, row) = match node.split_once('[') {
        Some((path, row)) if row.ends_with(']') => (path, Some(row[..row.len() - 1].to_owned())),
        _ => (node, None),
    };
    let mut parts = path.split("::").map(str::to_owned);
    let file = parts.next();
    let mut suite: Vec<String> = parts.collect();
    let name = suite.pop().unwrap_or_default();
    TestId { file, suite, name, case: row }
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

#[cfg(test)]
#[path = "pytest_text_tests.rs"]
mod tests;
