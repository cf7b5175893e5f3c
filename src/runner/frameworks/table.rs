//! The one table of frameworks.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::{cargo, command, go, jest, junit, mocha, nextest, node_test, pytest, unittest, vitest};
use crate::policy::Framework;
use crate::runner::results::Results;
use crate::runner::suite::CommandLine;

/// What is to be run, and where.
#[derive(Clone, Copy)]
pub struct Request<'r> {
    pub command: &'r CommandLine,
    /// Where the command will run, for commands whose meaning a file there decides.
    pub directory: &'r Path,
    /// A folder for this run alone, outside of the project.
    pub scratch: &'r Path,
    /// Whether the suite wants to end with the first failure.
    pub fail_fast: bool,
    /// What a variable would hold for the child: what the suite sets, else what the gate was started with.
    pub variable: &'r dyn Fn(&str) -> Option<String>,
}

/// What is really run, so that the framework leaves a report. The tests that run are the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    pub command: CommandLine,
    /// Variables to set for the child, beside those of the suite.
    pub environment: Vec<(String, String)>,
    /// Where the report will be; `None` where only the output tells.
    pub report: Option<PathBuf>,
}

/// What there is to read when the process has ended.
#[derive(Clone, Copy)]
pub struct Report<'r> {
    pub plan: &'r Plan,
    /// What the child printed on both streams, as it came; a cut in the middle where it was too long.
    pub output: &'r [u8],
    /// Where the command ran, and the root of the checkout that it belongs to.
    pub directory: &'r Path,
    pub root: &'r Path,
    /// Reports older than this are from another run.
    pub started: SystemTime,
}

pub struct Adapter {
    pub framework: Framework,
    /// Whether a command of the policy, given without a framework, runs this one. The first word is the program
    /// itself: variables and programs that only start another, such as `env` and `npx`, are taken away.
    pub recognizes: fn(words: &[&str]) -> bool,
    /// Adds the reporter where the command allows it.
    pub plan: fn(&Request<'_>) -> Plan,
    /// What the report says, or the output where there is no report; an error in words where neither can be read.
    pub read: fn(&Report<'_>) -> Result<Results, String>,
    /// How many tests a line of output tells to have ended; for the progress line only.
    pub ended_in: fn(line: &str) -> u64,
    /// Turns what the child prints into what a person wants to see; `None` to show it as it is.
    pub show: Option<fn(line: &str) -> Option<String>>,
}

pub static ADAPTERS: &[Adapter] = &[
    pytest::ADAPTER,
    unittest::ADAPTER,
    cargo::ADAPTER,
    nextest::ADAPTER,
    go::ADAPTER,
    jest::ADAPTER,
    vitest::ADAPTER,
    mocha::ADAPTER,
    node_test::ADAPTER,
    junit::ADAPTER,
];

/// The adapter of a framework; `None` for those whose results carry nothing.
pub fn adapter(framework: Framework) -> Option<&'static Adapter> {
    ADAPTERS.iter().find(|adapter| adapter.framework == framework)
}

/// The framework that a command runs, told by its words; the first one where it runs several.
pub fn recognize(command: &CommandLine) -> Option<Framework> {
    command::parts(command).iter().find_map(|part| {
        let words: Vec<&str> = part.iter().map(String::as_str).collect();
        let words = &words[command::program(&words)?..];
        ADAPTERS.iter().find(|adapter| (adapter.recognizes)(words)).map(|adapter| adapter.framework)
    })
}

/// A request for a command alone.
#[cfg(test)]
pub fn request_for_tests(command: &CommandLine) -> Request<'_> {
    let (directory, scratch) = (Path::new("/project"), Path::new("/scratch"));
    Request { command, directory, scratch, fail_fast: false, variable: &|_| None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Option<Framework> {
        recognize(&CommandLine::Shell(text.to_owned()))
    }

    #[test]
    fn every_framework_but_other_has_one_row() {
        for framework in Framework::ALL {
            let rows = ADAPTERS.iter().filter(|adapter| adapter.framework == framework).count();
            assert_eq!(rows, usize::from(framework != Framework::Other), "{}", framework.name());
        }
    }

    #[test]
    fn a_command_tells_its_framework() {
        for (text, framework) in [
            ("cargo test --locked", Framework::CargoTest),
            ("cd app && RUST_LOG=debug cargo nextest run", Framework::Nextest),
            ("uv run pytest -q | tee log", Framework::Pytest),
            ("python3 -m pytest", Framework::Pytest),
            ("python -m unittest discover", Framework::Unittest),
            ("go test ./...", Framework::GoTest),
        ] {
            assert_eq!(told(text), Some(framework), "{text}");
        }
        assert_eq!(told("make test"), None);
        assert_eq!(told("echo cargo test"), None);
    }
}
