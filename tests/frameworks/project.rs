//! A small project in which a real tool runs as the gate would run it.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use aiwg_gate::git::Repository;
use aiwg_gate::inventory::Inventory;
use aiwg_gate::policy::Framework;
use aiwg_gate::runner::results::executed::{KnownTest, unexecuted};
use aiwg_gate::runner::{CommandLine, Failure, Outcome, Report, Request, Results, TestResult, adapter};

/// Where `tests/run` installs, unless the variable names another place.
const USUAL: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/../tools");

pub struct Project {
    folder: tempfile::TempDir,
}

/// A run that has ended.
pub struct Ran {
    pub results: Result<Results, String>,
    /// Both streams, without colours.
    pub output: String,
    pub succeeded: bool,
}

/// Passed, failed, errored, skipped, and problems outside of tests.
pub type Tally = [usize; 5];

impl Project {
    pub fn new(files: &[(&str, &str)]) -> Self {
        let project = Self { folder: tempfile::tempdir().unwrap() };
        for (name, content) in files {
            project.write(name, content);
        }
        project
    }

    /// With the installed packages of node; `None`, and a line that says so, where there are none.
    pub fn with_node(tool: &str, files: &[(&str, &str)]) -> Option<Self> {
        let wanted = std::env::var_os("AIWG_GATE_TOOLS").map(PathBuf::from);
        let tools = wanted.clone().unwrap_or_else(|| USUAL.into());
        let modules = tools.join("node/node_modules");
        if !modules.join(".bin").join(tool).exists() {
            assert!(wanted.is_none(), "{tool} is not in {}, which AIWG_GATE_TOOLS names", tools.display());
            skip(tool);
            return None;
        }
        let project = Self::new(files);
        std::os::unix::fs::symlink(modules.canonicalize().unwrap(), project.root().join("node_modules"))
            .unwrap();
        Some(project)
    }

    /// With a program that is installed; `None`, and a line that says so, where it is not.
    pub fn with_program(program: &str, files: &[(&str, &str)]) -> Option<Self> {
        let project = Self::new(files);
        let found = std::env::split_paths(&path(project.root())).any(|folder| folder.join(program).is_file());
        if !found {
            skip(program);
        }
        found.then_some(project)
    }

    /// With a Python tool that `tests/run` installs.
    pub fn with_python(tool: &str, files: &[(&str, &str)]) -> Option<Self> {
        let found = Self::with_program(tool, files);
        let wanted = std::env::var_os("AIWG_GATE_TOOLS");
        assert!(found.is_some() || wanted.is_none(), "{tool} is not in {wanted:?}");
        found
    }

    /// The tests that the sources define and the run did not execute.
    pub fn unexecuted(&self, ran: &Ran) -> Vec<String> {
        if !self.root().join(".git").exists() {
            let made = Command::new("git").args(["init", "--quiet"]).current_dir(self.root()).status();
            assert!(made.unwrap().success());
        }
        let repository = Repository::open(self.root()).unwrap();
        let inventory = Inventory::read(&repository, None, &[], |_, _| {}).unwrap();
        let known: Vec<KnownTest<'_>> = inventory
            .files
            .iter()
            .flat_map(|file| file.facts.tests.iter().filter_map(|test| KnownTest::of(&file.path, test)))
            .collect();
        assert!(!known.is_empty(), "the sources define no tests");
        let left = unexecuted(&known, ran.read());
        left.into_iter().map(|at| format!("{}::{}", known[at].path, known[at].name)).collect()
    }

    pub fn root(&self) -> &Path {
        self.folder.path()
    }

    pub fn write(&self, name: &str, content: &str) {
        let file = self.root().join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, content).unwrap();
    }

    /// Runs a command as typed to a shell, with what the adapter adds to it.
    pub fn run(&self, framework: Framework, command: &str) -> Ran {
        let scratch = tempfile::tempdir().unwrap();
        let command = CommandLine::Shell(command.to_owned());
        let adapter = adapter(framework).unwrap();
        let request = Request {
            command: &command,
            directory: self.root(),
            scratch: scratch.path(),
            fail_fast: false,
            variable: &|_| None,
        };
        let plan = (adapter.plan)(&request);
        let CommandLine::Shell(line) = &plan.command else { panic!("a shell command became words") };
        let started = SystemTime::now();
        let ended = Command::new("sh")
            .args(["-c", &format!("exec 2>&1; {line}")])
            .current_dir(self.root())
            .env("CI", "1")
            .env("PATH", path(self.root()))
            .env_remove("NODE_OPTIONS")
            .env_remove("NODE_TEST_CONTEXT")
            .env_remove("RUST_BACKTRACE")
            .env_remove("PYTEST_ADDOPTS")
            .env_remove("GOFLAGS")
            .env("CARGO_TARGET_DIR", self.root().join("target"))
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("GOTOOLCHAIN", "local")
            .envs(plan.environment.iter().cloned())
            .stdin(std::process::Stdio::null())
            .output()
            .unwrap();
        let report =
            Report { plan: &plan, output: &ended.stdout, directory: self.root(), root: self.root(), started };
        let results = (adapter.read)(&report);
        let output = aiwg_gate::text::plain(&String::from_utf8_lossy(&ended.stdout));
        Ran { results, output, succeeded: ended.status.success() }
    }
}

/// Past the test harness, which shows nothing of tests that pass.
pub fn skip(tool: &str) {
    let _ = writeln!(std::io::stderr(), "Not tested: {tool} is not installed. `tests/run` does that.");
}

fn path(root: &Path) -> String {
    let tools = std::env::var_os("AIWG_GATE_TOOLS").map_or_else(|| PathBuf::from(USUAL), PathBuf::from);
    let own = [root.join("node_modules/.bin"), tools.join("python/bin")];
    let usual = std::env::var_os("PATH").unwrap_or_default();
    let all = std::env::join_paths(own.into_iter().chain(std::env::split_paths(&usual))).unwrap();
    all.into_string().unwrap()
}

impl Ran {
    #[track_caller]
    pub fn read(&self) -> &Results {
        self.results.as_ref().unwrap_or_else(|error| panic!("{error}\n{}", self.output))
    }

    #[track_caller]
    pub fn tally(&self) -> Tally {
        let results = self.read();
        let count = |outcome| results.tests.iter().filter(|test| test.outcome == outcome).count();
        let outcomes = [Outcome::Passed, Outcome::Failed, Outcome::Errored, Outcome::Skipped].map(count);
        [outcomes[0], outcomes[1], outcomes[2], outcomes[3], results.problems.len()]
    }

    /// The test of this id.
    #[track_caller]
    pub fn test(&self, id: &str) -> &TestResult {
        let found = self.read().tests.iter().find(|test| test.id.to_string() == id);
        found.unwrap_or_else(|| {
            let ids: Vec<String> = self.read().tests.iter().map(|test| test.id.to_string()).collect();
            panic!("no {id} in {ids:#?}")
        })
    }

    #[track_caller]
    pub fn failure(&self, id: &str) -> &Failure {
        self.test(id).failure.as_ref().unwrap()
    }

    /// The tool says so itself.
    #[track_caller]
    pub fn says(&self, words: &str) {
        assert!(self.output.contains(words), "{words:?} is not in\n{}", self.output);
    }

    #[track_caller]
    pub fn problem(&self, words: &str) -> &Failure {
        let problems = &self.read().problems;
        let found = problems.iter().find(|problem| problem.message.contains(words));
        found.unwrap_or_else(|| panic!("{words:?} is not in {problems:#?}"))
    }
}

/// `file:line` of a failure.
pub fn place(failure: &Failure) -> String {
    let location = failure.location.as_ref().unwrap();
    format!("{}:{}", location.file, location.line.unwrap_or(0))
}

/// Expected and actual.
pub fn compared(failure: &Failure) -> (&str, &str) {
    (failure.expected.as_deref().unwrap_or("-"), failure.actual.as_deref().unwrap_or("-"))
}
