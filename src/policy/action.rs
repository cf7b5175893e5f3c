//! What a policy can ask for a rule.

use std::fmt;
use std::str::FromStr;

use super::choice;

/// What happens to the findings of a rule, in place of what the profile says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RuleAction {
    Block,
    Warn,
    Log,
    Off,
}

impl RuleAction {
    pub const ALL: [Self; 4] = [Self::Block, Self::Warn, Self::Log, Self::Off];

    pub fn name(self) -> &'static str {
        match self {
            Self::Block => "block",
            Self::Warn => "warn",
            Self::Log => "log",
            Self::Off => "off",
        }
    }
}

impl fmt::Display for RuleAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for RuleAction {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        choice::read(text, "action", &Self::ALL, Self::name)
    }
}
