//! Which waivers of the change itself count.

use std::str::FromStr;

use crate::policy::choice;

/// The later ones accept more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AcceptWaivers {
    /// None: they count once they are on the base side.
    Base,
    /// Those that a person decided on at a terminal, as far as the log here shows.
    Recorded,
    /// All of them, also where the log is not at hand.
    Any,
}

impl AcceptWaivers {
    pub const ALL: [Self; 3] = [Self::Base, Self::Recorded, Self::Any];

    pub fn name(self) -> &'static str {
        match self {
            Self::Base => "base",
            Self::Recorded => "recorded",
            Self::Any => "any",
        }
    }
}

impl FromStr for AcceptWaivers {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        choice::read(text, "way to accept waivers", &Self::ALL, Self::name)
    }
}
