//! One suite: what is run, where, and which files decide its outcome.

use std::collections::BTreeMap;
use std::time::Duration;

use globset::GlobSet;

use crate::policy::{Framework, Required};

#[derive(Clone, Debug)]
pub struct Suite {
    pub name: String,
    pub framework: Framework,
    pub command: CommandLine,
    /// From the root of the repository, with forward slashes; empty for the root.
    pub directory: String,
    pub inputs: Inputs,
    pub timeout: Duration,
    pub required: Required,
    pub environment: BTreeMap<String, String>,
    pub fail_fast: bool,
    pub origin: Origin,
}

/// What is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandLine {
    /// As typed to a shell.
    Shell(String),
    /// A program and its arguments, run as they are.
    Words(Vec<String>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The policy names it.
    Policy,
    /// Found by the files that a build tool or a runner leaves in a project.
    Found,
}

/// Which paths decide what the tests of a suite do. Documentation and the gate's own files never do; whoever asks
/// leaves those out first.
#[derive(Clone, Debug)]
pub enum Inputs {
    Globs(GlobSet),
    /// Everything below the suite's folder that belongs to no other suite; see `discovery`.
    Found(Territory),
}

/// The ground of a suite that was found.
#[derive(Clone, Debug, Default)]
pub struct Territory {
    /// Folders, without a slash at the end, that are the suite's; the empty one is the root.
    pub folders: Vec<String>,
    /// Folders below them that belong to other suites.
    pub others: Vec<String>,
    /// Extensions of files in these folders that belong to a suite of another kind.
    pub foreign: Vec<&'static str>,
}
