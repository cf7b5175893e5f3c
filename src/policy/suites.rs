//! Suites, proof and feedback as a policy states them. Plain data.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::choice;

/// The most time a suite gets where nobody says otherwise, in seconds.
pub const SUITE_TIMEOUT: u64 = 120;

/// One suite as the policy writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteSetting {
    pub name: String,
    /// Globs from the root of the repository; a change of a matching file needs proof.
    pub paths: Vec<String>,
    /// As a person would type it to a shell.
    pub command: String,
    /// `None`: told by the command.
    pub framework: Option<Framework>,
    pub timeout_seconds: u64,
    pub required: Required,
    /// From the root of the repository; empty for the root.
    pub working_directory: String,
    pub environment: BTreeMap<String, String>,
    pub fail_fast: bool,
}

/// What runs the tests, and so how its results read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Framework {
    Pytest,
    Unittest,
    Jest,
    Vitest,
    Mocha,
    NodeTest,
    CargoTest,
    Nextest,
    GoTest,
    Junit,
    Other,
}

impl Framework {
    pub const ALL: [Self; 11] = [
        Self::Pytest,
        Self::Unittest,
        Self::Jest,
        Self::Vitest,
        Self::Mocha,
        Self::NodeTest,
        Self::CargoTest,
        Self::Nextest,
        Self::GoTest,
        Self::Junit,
        Self::Other,
    ];

    /// The name in policies and records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pytest => "pytest",
            Self::Unittest => "unittest",
            Self::Jest => "jest",
            Self::Vitest => "vitest",
            Self::Mocha => "mocha",
            Self::NodeTest => "node_test",
            Self::CargoTest => "cargo_test",
            Self::Nextest => "nextest",
            Self::GoTest => "go_test",
            Self::Junit => "junit",
            Self::Other => "other",
        }
    }

    /// The languages of its tests, by the names of the table of languages.
    pub fn languages(self) -> &'static [&'static str] {
        match self {
            Self::Pytest | Self::Unittest => &["python"],
            Self::Jest | Self::Vitest | Self::Mocha | Self::NodeTest => &["javascript", "typescript"],
            Self::CargoTest | Self::Nextest => &["rust"],
            Self::GoTest => &["go"],
            Self::Junit => &["java"],
            Self::Other => &[],
        }
    }
}

/// Where a suite must have passed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Required {
    #[default]
    Commit,
    Push,
    Ci,
}

impl Required {
    pub const ALL: [Self; 3] = [Self::Commit, Self::Push, Self::Ci];

    pub fn name(self) -> &'static str {
        match self {
            Self::Commit => "commit",
            Self::Push => "push",
            Self::Ci => "ci",
        }
    }
}

impl FromStr for Required {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        choice::read(text, "place to require a suite at", &Self::ALL, Self::name)
    }
}

/// What happens to a commit whose content nobody ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnMissing {
    #[default]
    Block,
    /// The hook runs the suite on exactly the staged content.
    Run,
    Warn,
}

impl OnMissing {
    pub const ALL: [Self; 3] = [Self::Block, Self::Run, Self::Warn];

    pub fn name(self) -> &'static str {
        match self {
            Self::Block => "block",
            Self::Run => "run",
            Self::Warn => "warn",
        }
    }
}

impl FromStr for OnMissing {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        choice::read(text, "answer to a missing proof", &Self::ALL, Self::name)
    }
}

/// Which differences leave a proof standing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Equivalence {
    /// White space and ordinary comments.
    #[default]
    Tokens,
    /// None.
    Exact,
}

impl Equivalence {
    pub const ALL: [Self; 2] = [Self::Tokens, Self::Exact];

    pub fn name(self) -> &'static str {
        match self {
            Self::Tokens => "tokens",
            Self::Exact => "exact",
        }
    }
}

impl FromStr for Equivalence {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        choice::read(text, "equivalence", &Self::ALL, Self::name)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofSettings {
    pub on_missing: OnMissing,
    /// `None`: as the profile says.
    pub equivalence: Option<Equivalence>,
    /// Names of ignored folders that a throw-away checkout borrows from the working tree.
    pub link: Vec<String>,
}

impl Default for ProofSettings {
    fn default() -> Self {
        let link = ["node_modules", ".venv", "venv", "target"].map(str::to_owned).to_vec();
        Self { on_missing: OnMissing::default(), equivalence: None, link }
    }
}

/// What is asked after a failed attempt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RequireAnalysis {
    Off,
    #[default]
    Warn,
    Block,
}

impl RequireAnalysis {
    pub const ALL: [Self; 3] = [Self::Off, Self::Warn, Self::Block];

    pub fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Warn => "warn",
            Self::Block => "block",
        }
    }
}

impl FromStr for RequireAnalysis {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        choice::read(text, "way to ask for an analysis", &Self::ALL, Self::name)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedbackSettings {
    /// Within [`Self::ATTEMPTS`].
    pub max_attempts: u32,
    pub require_analysis: RequireAnalysis,
    pub abort_on_regression: bool,
}

impl FeedbackSettings {
    /// How many attempts a policy may grant.
    pub const ATTEMPTS: RangeInclusive<u32> = 1..=10;
}

impl Default for FeedbackSettings {
    fn default() -> Self {
        Self { max_attempts: 3, require_analysis: RequireAnalysis::default(), abort_on_regression: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::LANGUAGES;

    #[test]
    fn the_languages_of_frameworks_are_those_of_the_table() {
        let known = |name: &&str| LANGUAGES.iter().any(|language| language.name == *name);
        for framework in Framework::ALL {
            assert!(framework.languages().iter().all(known), "{framework:?}");
            assert_eq!(framework.languages().is_empty(), framework == Framework::Other, "{framework:?}");
        }
    }
}
