//! One suite: what is run, where, and which files decide its outcome.

use std::collections::BTreeMap;
use std::time::Duration;

use globset::GlobSet;

use crate::policy::{Framework, Required};
use crate::text::shell_quote;

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

impl std::fmt::Display for CommandLine {
    /// As a person would type it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Shell(line) => f.write_str(line),
            Self::Words(words) => {
                let quoted: Vec<String> = words.iter().map(|word| shell_quote(word)).collect();
                f.write_str(&quoted.join(" "))
            }
        }
    }
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
    /// Where the suite stands. Which paths are its own depends on what else is in the tree: a nested project takes
    /// its folder away. So the tree is asked, through [`Finder::has_input`](super::Finder::has_input).
    Found(Site),
}

/// Where a suite was found, and by which row of the table of ecosystems.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    /// Without a slash at the end; the empty one is the root.
    pub folder: String,
    pub label: &'static str,
}

impl Site {
    /// The label at the root, `folder:label` elsewhere.
    pub fn name(&self) -> String {
        if self.folder.is_empty() { self.label.to_owned() } else { format!("{}:{}", self.folder, self.label) }
    }
}
