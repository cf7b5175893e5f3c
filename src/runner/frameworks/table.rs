//! The one table of frameworks.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::command;
use crate::policy::Framework;
use crate::runner::results::Results;
use crate::runner::suite::CommandLine;

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
    /// Adds the reporter where the command allows it. `directory` is where the command will run, for commands whose
    /// meaning a file there decides; `scratch` is a folder for this run alone, outside of the project.
    pub plan: fn(command: &CommandLine, directory: &Path, scratch: &Path) -> Plan,
    /// What the report says, or the output where there is no report; an error in words where neither can be read.
    pub read: fn(&Report<'_>) -> Result<Results, String>,
    /// How many tests a line of output tells to have ended; for the progress line only.
    pub ended_in: fn(line: &str) -> u64,
    /// Turns what the child prints into what a person wants to see; `None` to show it as it is.
    pub show: Option<fn(line: &str) -> Option<String>>,
}

pub static ADAPTERS: &[Adapter] = &[];

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
