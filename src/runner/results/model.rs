//! The words in which all formats are told.

/// Everything that a run said about its tests.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Results {
    pub tests: Vec<TestResult>,
    /// Failures outside of any test: a file that could not be imported, a build that broke.
    pub problems: Vec<Failure>,
    /// Whether each test is listed by name. Where not, only `counted` is known.
    pub named: bool,
    /// What the tool itself counted, where tests are not listed.
    pub counted: Option<Counts>,
    pub skips: Skips,
}

/// What it means that a runner reports a test as skipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Skips {
    /// The test itself says so: what a command leaves out is not reported at all.
    #[default]
    Decided,
    /// Tests that a command leaves out are reported as skipped, too.
    Filtered,
    /// The place of the skip is told; one outside of the file of the test is not its own.
    Placed,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub total: u64,
    pub passed: u64,
    pub failed: u64,
    pub errors: u64,
    pub skipped: u64,
}

impl Results {
    /// Every test once; problems outside of tests count as errors, and so in the total.
    pub fn counts(&self) -> Counts {
        if let Some(counted) = self.counted.filter(|_| !self.named) {
            return counted;
        }
        let count = |outcome| self.tests.iter().filter(|test| test.outcome == outcome).count() as u64;
        let problems = self.problems.len() as u64;
        Counts {
            total: self.tests.len() as u64 + problems,
            passed: count(Outcome::Passed),
            failed: count(Outcome::Failed),
            errors: count(Outcome::Errored) + problems,
            skipped: count(Outcome::Skipped),
        }
    }

    /// How many tests the numbers account for: a skipped one only where the test itself decided that.
    pub fn accounted(&self) -> u64 {
        let counts = self.counts();
        match self.skips {
            Skips::Filtered => counts.total.saturating_sub(counts.skipped),
            Skips::Decided | Skips::Placed => counts.total,
        }
    }

    /// Tests that ran to an end, whatever it was.
    pub fn executed(&self) -> u64 {
        let counts = self.counts();
        counts.passed + counts.failed + counts.errors
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct TestResult {
    pub id: TestId,
    /// The line of the definition, from 1, where the runner tells it: a title of a table differs from row to row.
    pub line: Option<u32>,
    pub outcome: Outcome,
    pub duration_ms: Option<u64>,
    /// Why it failed, or why it was skipped.
    pub failure: Option<Failure>,
}

/// How a runner names a test. Parameters stay out of `name`, so that every row of a table has the name of the
/// definition.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TestId {
    /// From the root of the repository where the runner tells it.
    pub file: Option<String>,
    /// Enclosing suites, outermost first: classes, modules, packages, titles.
    pub suite: Vec<String>,
    pub name: String,
    /// The row of a table, as the runner prints it.
    pub case: Option<String>,
}

impl std::fmt::Display for TestId {
    /// `file::Suite::name[case]`, with what is known.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let parts = self.file.iter().chain(&self.suite).chain([&self.name]);
        f.write_str(&parts.map(String::as_str).collect::<Vec<_>>().join("::"))?;
        match &self.case {
            Some(case) => write!(f, "[{case}]"),
            None => Ok(()),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    Passed,
    /// A check did not hold.
    Failed,
    /// Something else went wrong: set-up, an unexpected exception where the tool tells them apart, a crash.
    Errored,
    Skipped,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Failure {
    /// The class or kind of error in the tool's own words, such as `AssertionError` or `ValueError`; empty if unknown.
    pub kind: String,
    pub message: String,
    pub expected: Option<String>,
    pub actual: Option<String>,
    pub stack: Option<String>,
    /// The innermost place in the project's own files.
    pub location: Option<Location>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// As the tool prints it.
    pub file: String,
    pub line: Option<u32>,
    pub function: Option<String>,
}
