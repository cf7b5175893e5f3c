//! The three profiles: what each one means, as data that the verdict reads.

use std::fmt;
use std::str::FromStr;

use super::{AcceptWaivers, Equivalence, choice};

/// How strict the gate is where no rule says otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Profile {
    /// Critical and high findings block from a confidence of 0.80 on, medium ones warn, low ones are logged.
    #[default]
    Standard,
    /// As standard, and any new skip blocks, whatever its severity, and so does what could not be judged. A proof
    /// holds for exactly the content that ran, without a single failure. Waivers count from the base side only.
    Strict,
    /// Nothing blocks: what would block warns.
    Advisory,
}

impl Profile {
    pub const ALL: [Self; 3] = [Self::Standard, Self::Strict, Self::Advisory];

    pub fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Strict => "strict",
            Self::Advisory => "advisory",
        }
    }

    /// The least confidence with which a critical or high finding blocks.
    pub fn blocking_confidence(self) -> f64 {
        0.80
    }

    /// Whether anything at all may block.
    pub fn may_block(self) -> bool {
        self != Self::Advisory
    }

    /// Whether any new skip blocks, however good its reason.
    pub fn new_skips_block(self) -> bool {
        self == Self::Strict
    }

    /// Whether files that could not be judged block instead of warning.
    pub fn inconclusive_blocks(self) -> bool {
        self == Self::Strict
    }

    /// Which differences leave a proof standing where the policy does not say it.
    pub fn equivalence(self) -> Equivalence {
        if self == Self::Strict { Equivalence::Exact } else { Equivalence::Tokens }
    }

    /// Which waivers of the change itself count where the policy does not say it.
    pub fn accept_waivers(self) -> AcceptWaivers {
        if self == Self::Strict { AcceptWaivers::Base } else { AcceptWaivers::Recorded }
    }

    /// Whether a run with failures that the base has too still proves the change.
    pub fn tolerates_known_failures(self) -> bool {
        self != Self::Strict
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Profile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        choice::read(text, "profile", &Self::ALL, Self::name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for profile in Profile::ALL {
            assert_eq!(profile.name().parse(), Ok(profile));
        }
        assert_eq!("Strict".parse::<Profile>().unwrap_err().matches("strict").count(), 1);
    }

    #[test]
    fn only_advisory_never_blocks_and_only_strict_blocks_on_doubt() {
        assert_eq!(Profile::ALL.map(Profile::may_block), [true, true, false]);
        assert_eq!(Profile::ALL.map(Profile::inconclusive_blocks), [false, true, false]);
        assert_eq!(Profile::ALL.map(Profile::new_skips_block), [false, true, false]);
    }

    #[test]
    fn only_strict_wants_proofs_and_waivers_to_the_letter() {
        let (tokens, exact) = (Equivalence::Tokens, Equivalence::Exact);
        assert_eq!(Profile::ALL.map(Profile::equivalence), [tokens, exact, tokens]);
        assert_eq!(Profile::ALL.map(Profile::tolerates_known_failures), [true, false, true]);
        let (base, recorded) = (AcceptWaivers::Base, AcceptWaivers::Recorded);
        assert_eq!(Profile::ALL.map(Profile::accept_waivers), [recorded, base, recorded]);
    }
}
