//! The names of single settings, as `config` takes them: `profile`, `rules.<rule>`, `paths.<list>`, `proof.<key>`,
//! `feedback.<key>`, `waivers.accept`. Suites and patterns have no such
//! names: they are edited by hand.

use std::fmt;

use super::{FILE_NAME, suggest};

/// The lists of globs in a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PathList {
    Tests,
    Documentation,
    Ignored,
    Vendored,
}

impl PathList {
    pub const ALL: [Self; 4] = [Self::Tests, Self::Documentation, Self::Ignored, Self::Vendored];

    pub fn name(self) -> &'static str {
        match self {
            Self::Tests => "tests",
            Self::Documentation => "documentation",
            Self::Ignored => "ignored",
            Self::Vendored => "vendored",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|list| list.name() == name)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofKey {
    OnMissing,
    Equivalence,
    Link,
}

impl ProofKey {
    pub const ALL: [Self; 3] = [Self::OnMissing, Self::Equivalence, Self::Link];

    pub fn name(self) -> &'static str {
        match self {
            Self::OnMissing => "on_missing",
            Self::Equivalence => "equivalence",
            Self::Link => "link",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeedbackKey {
    MaxAttempts,
    RequireAnalysis,
    AbortOnRegression,
}

impl FeedbackKey {
    pub const ALL: [Self; 3] = [Self::MaxAttempts, Self::RequireAnalysis, Self::AbortOnRegression];

    pub fn name(self) -> &'static str {
        match self {
            Self::MaxAttempts => "max_attempts",
            Self::RequireAnalysis => "require_analysis",
            Self::AbortOnRegression => "abort_on_regression",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key {
    Profile,
    Paths(PathList),
    Rule(String),
    Proof(ProofKey),
    Feedback(FeedbackKey),
    /// `waivers.accept`
    AcceptWaivers,
}

/// Sections whose parts have no key.
const BY_HAND: [&str; 2] = ["suites", "patterns"];

/// Reports name it like a rule.
const PROOF_IS_NO_RULE: &str = "\
unknown key `rules.proof`: `proof.on_missing` says what is done about a change that nobody ran (block, warn or run)";

impl Key {
    /// Every key there is, in the order in which people read them.
    pub fn all(known_rules: &[&str]) -> Vec<Self> {
        let mut keys = vec![Self::Profile];
        keys.extend(PathList::ALL.map(Self::Paths));
        keys.extend(known_rules.iter().map(|rule| Self::Rule((*rule).to_owned())));
        keys.extend(ProofKey::ALL.map(Self::Proof));
        keys.extend(FeedbackKey::ALL.map(Self::Feedback));
        keys.push(Self::AcceptWaivers);
        keys
    }

    /// Reads a key as it is typed.
    pub fn parse(text: &str, known_rules: &[&str]) -> Result<Self, String> {
        let keys = Self::all(known_rules);
        let names: Vec<String> = keys.iter().map(Self::to_string).collect();
        if let Some(at) = names.iter().position(|name| name == text) {
            return Ok(keys[at].clone());
        }
        let section = text.split(['.', '[']).next().filter(|section| BY_HAND.contains(section));
        if let Some(section) = section {
            return Err(format!(
                "`{text}`: {section} are edited in {FILE_NAME} itself; `aiwg-gate config list` shows them"
            ));
        }
        if text == "rules.proof" {
            return Err(PROOF_IS_NO_RULE.to_owned());
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        Err(match suggest::nearest(text, &names) {
            Some(meant) => format!("unknown key `{text}`: did you mean `{meant}`?"),
            None => format!("unknown key `{text}`: `aiwg-gate config list` shows all keys"),
        })
    }

    /// The names on the way from the root of the file to the value.
    pub fn path(&self) -> Vec<&str> {
        match self {
            Self::Profile => vec!["profile"],
            Self::Paths(list) => vec!["paths", list.name()],
            Self::Rule(rule) => vec!["rules", rule],
            Self::Proof(key) => vec!["proof", key.name()],
            Self::Feedback(key) => vec!["feedback", key.name()],
            Self::AcceptWaivers => vec!["waivers", "accept"],
        }
    }

    pub fn is_list(&self) -> bool {
        matches!(self, Self::Paths(_) | Self::Proof(ProofKey::Link))
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path().join("."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &[&str] = &["test-removed", "test-skipped"];

    #[test]
    fn keys_read_back() {
        for key in Key::all(RULES) {
            assert_eq!(Key::parse(&key.to_string(), RULES), Ok(key));
        }
    }

    #[test]
    fn unknown_keys_are_explained() {
        assert!(Key::parse("rules.test-skiped", RULES).unwrap_err().contains("`rules.test-skipped`"));
        assert!(Key::parse("proof.on-missing", RULES).unwrap_err().contains("`proof.on_missing`"));
        assert!(Key::parse("rules.proof", RULES).unwrap_err().contains("`proof.on_missing`"));
        assert!(Key::parse("colours", RULES).unwrap_err().contains("config list"));
    }

    #[test]
    fn suites_and_patterns_are_edited_by_hand() {
        for text in ["suites", "suites.unit", "suites[0].command", "patterns.no-raw-sql"] {
            let message = Key::parse(text, RULES).unwrap_err();
            assert!(
                message.contains("edited in aiwg-gate.yaml") && message.contains("config list"),
                "{message}"
            );
        }
    }
}
