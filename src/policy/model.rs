//! The policy as the rest of the program sees it: complete, validated, without a trace of YAML.

use std::collections::BTreeMap;

use super::{
    AcceptWaivers, Equivalence, FeedbackSettings, Pattern, PolicyError, PolicyFile, Profile, ProofSettings,
    RuleAction, SuiteSetting,
};

/// The policy file, in the root of the repository.
pub const FILE_NAME: &str = "aiwg-gate.yaml";

/// What it is called by mistake.
pub const MISNAMED: &str = "aiwg-gate.yml";

/// Larger policy files are refused before they are parsed.
pub const MAX_BYTES: usize = 64 * 1024;

/// What the repository asks for. The default is what holds without a policy file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    pub profile: Profile,
    /// Actions that stand in place of what the profile says, by rule name.
    pub rules: BTreeMap<String, RuleAction>,
    pub paths: PathGlobs,
    /// Rules of the project's own.
    pub patterns: Vec<Pattern>,
    /// `None`: suites are found. An empty list says that there are none.
    pub suites: Option<Vec<SuiteSetting>>,
    pub proof: ProofSettings,
    pub feedback: FeedbackSettings,
    /// `None`: as the profile says.
    pub accept_waivers: Option<AcceptWaivers>,
}

/// Globs that put paths in a class, in place of what their names say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PathGlobs {
    pub tests: Vec<String>,
    pub documentation: Vec<String>,
    pub ignored: Vec<String>,
    pub vendored: Vec<String>,
}

impl Policy {
    /// Reads the text of a policy file strictly: anything not understood is an error with its place.
    pub fn parse(text: &str, known_rules: &[&str]) -> Result<Self, PolicyError> {
        PolicyFile::parse(text, known_rules).map(PolicyFile::into_policy)
    }

    /// The same for the bytes of a file, which may not be text at all.
    pub fn parse_bytes(bytes: &[u8], known_rules: &[&str]) -> Result<Self, PolicyError> {
        PolicyFile::parse_bytes(bytes, known_rules).map(PolicyFile::into_policy)
    }

    /// The action the policy sets for a rule, if it sets one.
    pub fn action(&self, rule: &str) -> Option<RuleAction> {
        self.rules.get(rule).copied()
    }

    /// Which waivers of the change itself count.
    pub fn accept_waivers(&self) -> AcceptWaivers {
        self.accept_waivers.unwrap_or_else(|| self.profile.accept_waivers())
    }

    /// Which differences leave a proof standing.
    pub fn equivalence(&self) -> Equivalence {
        self.proof.equivalence.unwrap_or_else(|| self.profile.equivalence())
    }
}
