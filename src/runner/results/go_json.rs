//! What `go test` says, as events with `-json` or as text.
//!
//! The text is turned into the same events. A package stands for the suite, a subtest is a case of its test. Output
//! of tests can look like a result, so a test counts only if it was seen to begin.

use serde::Deserialize;

use super::go_failure;
use super::words::{self, milliseconds};
use super::{Counts, Outcome, Results, TestId, TestResult};
use crate::collections::HashMap;

/// Reads events, and lines of text where there are no events.
pub fn read(output: &[u8]) -> Result<Results, String> {
    let text = words::output(output);
    let is_json = text.lines().any(|line| event(line).is_some());
    let mut run = Run { tells_all: is_json, ..Run::default() };
    for line in text.lines() {
        match event(line) {
            Some(event) => run.apply(&event),
            None if is_json => run.build_line(line),
            None => run.text_line(line),
        }
    }
    run.finish(&text)
}

/// How many tests a line tells to have ended.
pub fn ended_in(line: &str) -> u64 {
    let ended = match event(line) {
        Some(event) => event.test.is_some() && ending(&event.action).is_some(),
        None => result_line(line).is_some(),
    };
    u64::from(ended)
}

/// The text of an event as `go test` prints it without `-json`; `None` for what it would not print.
pub fn show(line: &str) -> Option<String> {
    let Some(event) = event(line) else { return Some(line.to_owned()) };
    let output = event.output?;
    let text = output.trim_end_matches('\n');
    let is_frame = text.starts_with("=== ")
        || ["--- PASS: ", "--- SKIP: "].iter().any(|start| text.trim_start().starts_with(start));
    (!is_frame && text != "PASS").then(|| text.to_owned())
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Event {
    action: String,
    #[serde(default)]
    package: Option<String>,
    #[serde(default)]
    test: Option<String>,
    #[serde(default)]
    output: Option<String>,
    #[serde(default)]
    elapsed: Option<f64>,
    #[serde(default)]
    import_path: Option<String>,
    #[serde(default)]
    failed_build: Option<String>,
}

fn event(line: &str) -> Option<Event> {
    let line = line.trim();
    (line.starts_with('{') && line.ends_with('}')).then(|| serde_json::from_str(line).ok())?
}

fn ending(action: &str) -> Option<Outcome> {
    match action {
        "pass" | "bench" => Some(Outcome::Passed),
        "fail" => Some(Outcome::Failed),
        "skip" => Some(Outcome::Skipped),
        _ => None,
    }
}

#[derive(Default)]
struct Run {
    /// Whether every test is told when it begins. Then a package that tells none ran none: its `TestMain` may have
    /// returned or exited without them.
    tells_all: bool,
    packages: Vec<Package>,
    index: HashMap<String, usize>,
    /// What the compiler said, by what it built.
    builds: HashMap<String, String>,
    /// What is being built, in lines that are no events.
    building: Option<String>,
}

#[derive(Default)]
struct Package {
    name: String,
    tests: Vec<Test>,
    index: HashMap<String, usize>,
    output: String,
    ended: Option<Outcome>,
    /// Why it could not be built or set up.
    refused: Option<String>,
    is_empty: bool,
    /// Whether tests are told when they begin, and so all of them.
    is_verbose: bool,
    /// Results that stand behind other words, which the tool itself does not see.
    late: HashMap<String, Outcome>,
}

#[derive(Default)]
struct Test {
    name: String,
    begun: bool,
    ended: Option<Outcome>,
    duration_ms: Option<u64>,
    output: String,
}

impl Run {
    fn package(&mut self, name: &str) -> &mut Package {
        let next = self.packages.len();
        let at = *self.index.entry(name.to_owned()).or_insert(next);
        if at == next {
            self.packages.push(Package { name: name.to_owned(), ..Package::default() });
        }
        &mut self.packages[at]
    }

    fn apply(&mut self, event: &Event) {
        if let (Some(path), Some(output)) = (&event.import_path, &event.output) {
            self.builds.entry(path.clone()).or_default().push_str(output);
        }
        let Some(name) = &event.package else { return };
        let package = self.package(name);
        if let Some(build) = &event.failed_build {
            package.refused = Some(build.clone());
        }
        if let Some(output) = &event.output {
            package.said(event.test.as_deref(), output);
        }
        match (&event.test, ending(&event.action)) {
            (Some(test), Some(outcome)) => {
                let test = package.test(test);
                test.ended = Some(outcome);
                test.duration_ms = event.elapsed.and_then(|seconds| milliseconds(&seconds.to_string()));
            }
            (None, Some(outcome)) => package.ended = Some(outcome),
            (Some(test), None) if event.action == "run" => package.begin(test),
            _ => {}
        }
    }

    /// A line of the compiler: `# package [package.test]`, then what is wrong there. Older versions also tell in this
    /// way which package could not be built.
    fn build_line(&mut self, line: &str) {
        if let Some((name, Outcome::Failed)) = package_line(line) {
            let package = self.package(name);
            package.said(None, line);
            package.ended = Some(Outcome::Failed);
        } else if let Some(name) = line.strip_prefix("# ") {
            self.building = Some(name.to_owned());
        } else if let Some(building) = &self.building {
            let said = self.builds.entry(building.clone()).or_default();
            said.push_str(line);
            said.push('\n');
        }
    }

    /// Text names a package at its end, so what comes before belongs to the package without a name.
    fn text_line(&mut self, line: &str) {
        if let Some((name, outcome)) = package_line(line) {
            self.building = None;
            let mut package = self.index.remove("").map(|at| self.packages.remove(at)).unwrap_or_default();
            package.said(None, line);
            package.name = name.to_owned();
            package.ended = Some(outcome);
            package.is_empty |= line.contains("[no test");
            self.index.insert(package.name.clone(), self.packages.len());
            self.packages.push(package);
            return;
        }
        if line.starts_with("# ")
            || (self.building.is_some() && words::place(line.split(' ').next().unwrap_or("")).is_some())
        {
            return self.build_line(line);
        }
        self.package("").text_line(line);
    }

    fn finish(self, text: &str) -> Result<Results, String> {
        if self.packages.is_empty() || self.packages.iter().all(Package::is_noise) {
            let said = self.builds.into_values().find(|said| !said.trim().is_empty());
            let built = said.map(|said| go_failure::build("", &said));
            let problem = built.or_else(|| go_failure::refused(text));
            let problem = problem.ok_or("the output names no package of Go")?;
            return Ok(Results { named: true, problems: vec![problem], ..Results::default() });
        }
        let mut results = Results { named: true, ..Results::default() };
        let mut unnamed = 0;
        let last = self.packages.len() - 1;
        let tells_all = self.tells_all || self.packages.iter().any(|package| package.is_verbose);
        for (at, package) in self.packages.into_iter().enumerate().filter(|(_, package)| !package.is_noise())
        {
            if !tells_all && package.hides_tests() {
                results.named = false;
                unnamed += u64::from(package.ended == Some(Outcome::Passed));
            }
            package.results(&self.builds, at == last, &mut results);
        }
        if !results.named {
            let listed = Results { named: true, ..results.clone() }.counts();
            results.counted =
                Some(Counts { total: listed.total + unnamed, passed: listed.passed + unnamed, ..listed });
        }
        Ok(results)
    }
}

impl Package {
    fn test(&mut self, name: &str) -> &mut Test {
        let next = self.tests.len();
        let at = *self.index.entry(name.to_owned()).or_insert(next);
        if at == next {
            self.tests.push(Test { name: name.to_owned(), ..Test::default() });
        }
        &mut self.tests[at]
    }

    fn begin(&mut self, name: &str) {
        self.is_verbose = true;
        self.test(name).begun = true;
    }

    fn said(&mut self, test: Option<&str>, output: &str) {
        let line = output.trim_end_matches('\n');
        if let Some(at) = line.find("--- ").filter(|at| !line[..*at].trim().is_empty())
            && let Some((name, outcome, _)) = result_line(&line[at..])
        {
            self.late.insert(name.to_owned(), outcome);
        }
        if line.ends_with("[build failed]") || line.ends_with("[setup failed]") {
            self.refused.get_or_insert_with(String::new);
        }
        self.is_empty |= test.is_none() && line.contains("[no test");
        let said = match test {
            Some(test) => &mut self.test(test).output,
            None => &mut self.output,
        };
        said.push_str(output);
    }

    fn text_line(&mut self, line: &str) {
        let whole = format!("{line}\n");
        if let Some(name) = line.strip_prefix("=== RUN   ") {
            return self.begin(name);
        }
        let frame =
            ["=== CONT  ", "=== NAME  ", "=== PAUSE "].iter().find_map(|start| line.strip_prefix(start));
        if frame.is_some() {
            return;
        }
        match result_line(line) {
            Some((name, outcome, took)) => {
                let is_verbose = self.is_verbose;
                let test = self.test(name);
                // Otherwise only failures are told.
                if (!is_verbose && outcome == Outcome::Failed) || test.begun {
                    test.begun = true;
                    test.ended = Some(outcome);
                    test.duration_ms = took;
                }
            }
            None => {
                let open = self.tests.iter().rposition(|test| test.begun);
                let name = open.map(|at| self.tests[at].name.clone());
                self.said(name.as_deref(), &whole);
            }
        }
    }

    fn is_noise(&self) -> bool {
        self.name.is_empty() && self.tests.iter().all(|test| !test.begun)
    }

    /// Whether tests ran that the text does not name.
    fn hides_tests(&self) -> bool {
        self.refused.is_none() && !self.is_empty && !self.is_verbose && self.ended != Some(Outcome::Skipped)
    }

    fn results(self, builds: &HashMap<String, String>, is_last: bool, results: &mut Results) {
        if let Some(build) = &self.refused {
            let own = |path: &&String| path.split([' ', '_']).next() == Some(self.name.as_str());
            let said =
                builds.get(build).or_else(|| builds.keys().find(own).and_then(|path| builds.get(path)));
            results.problems.push(go_failure::build(&self.name, said.unwrap_or(&self.output)));
            return;
        }
        let failed = self.ended == Some(Outcome::Failed);
        let mut explained = false;
        for test in self.tests.iter().filter(|test| test.begun) {
            let outcome =
                test.ended.or_else(|| self.late.get(&test.name).copied()).unwrap_or(match self.ended {
                    Some(Outcome::Passed | Outcome::Skipped) => Outcome::Passed,
                    _ => Outcome::Errored,
                });
            explained |= matches!(outcome, Outcome::Failed | Outcome::Errored);
            results.tests.push(self.result(test, outcome));
        }
        let unended = self.ended.is_none() && is_last;
        if (failed || unended) && !explained {
            results.problems.push(go_failure::package(&self.name, &self.output));
        }
    }

    fn result(&self, test: &Test, outcome: Outcome) -> TestResult {
        let failure = match outcome {
            Outcome::Passed => None,
            _ => go_failure::read(&test.output, &self.name, outcome),
        };
        let (name, case) = match test.name.split_once('/') {
            Some((name, case)) => (name, Some(case.to_owned())),
            None => (test.name.as_str(), None),
        };
        let suite = if self.name.is_empty() { Vec::new() } else { vec![self.name.clone()] };
        let id = TestId { file: None, suite, name: name.to_owned(), case };
        TestResult { id, line: None, outcome, duration_ms: test.duration_ms, failure }
    }
}

/// `--- FAIL: TestX/case (0.00s)`, indented for subtests.
fn result_line(line: &str) -> Option<(&str, Outcome, Option<u64>)> {
    let rest = line.trim_start().strip_prefix("--- ")?;
    let (word, rest) = rest.split_once(": ")?;
    let outcome = match word {
        "PASS" | "BENCH" => Outcome::Passed,
        "FAIL" => Outcome::Failed,
        "SKIP" => Outcome::Skipped,
        _ => return None,
    };
    let (name, took) = rest.rsplit_once(" (")?;
    took.ends_with("s)").then(|| (name, outcome, milliseconds(took)))
}

/// `ok`, `FAIL` or `?`, then behind tabs the package and its time, `[build failed]` or `[no test files]`.
fn package_line(line: &str) -> Option<(&str, Outcome)> {
    let (word, rest) = line.split_once('\t')?;
    let outcome = match word.trim_end() {
        "ok" => Outcome::Passed,
        "FAIL" => Outcome::Failed,
        "?" => Outcome::Skipped,
        // With coverage, a package without test files is told without a word.
        "" if rest.contains("coverage: ") => Outcome::Skipped,
        _ => return None,
    };
    let name = rest.trim_start().split(['\t', ' ']).next().filter(|name| !name.is_empty())?;
    Some((name, outcome))
}

#[cfg(test)]
#[path = "go_json_tests.rs"]
mod tests;
