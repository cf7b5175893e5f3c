//! Where waivers stand for one change: which of them count, and why others do not.

use chrono::NaiveDate;

use super::file::Waiver;
use crate::collections::HashMap;

/// Which side of the change a waiver comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Base,
    /// The change itself adds it.
    Change,
    /// Only the file on disk has it, so it cannot count yet.
    Unstaged,
}

/// A waiver, and whether it may count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    pub waiver: Waiver,
    pub place: Place,
    /// Why it does not count, though it has not expired.
    pub refused: Option<String>,
}

/// Every waiver of a change, and the day it is judged on.
#[derive(Clone, Debug, Default)]
pub struct Waivers {
    pub all: Vec<Standing>,
    pub today: NaiveDate,
}

/// What became of a waiver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// It waives a finding of this change.
    Used,
    Unused,
    Expired,
    /// For this reason.
    Refused(String),
}

impl State {
    pub fn name(&self) -> &'static str {
        match self {
            Self::Used => "used",
            Self::Unused => "unused",
            Self::Expired => "expired",
            Self::Refused(_) => "refused",
        }
    }

    /// Why it does not count.
    pub fn explanation(&self) -> Option<&str> {
        match self {
            Self::Refused(reason) => Some(reason),
            _ => None,
        }
    }
}

/// A waiver as reports list it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    pub waiver: Waiver,
    pub place: Place,
    pub state: State,
    /// Whether a finding of this change has its fingerprint, waived or not.
    pub matches: bool,
}

impl Waivers {
    /// Those that count, by fingerprint.
    pub fn counting(&self) -> HashMap<&str, &Waiver> {
        let counts = |standing: &&Standing| standing.refused.is_none() && !self.has_expired(standing);
        let counting = self.all.iter().filter(counts).map(|standing| &standing.waiver);
        counting.map(|waiver| (waiver.fingerprint.as_str(), waiver)).collect()
    }

    fn has_expired(&self, standing: &Standing) -> bool {
        standing.waiver.has_expired(self.today)
    }

    /// Each waiver with what became of it; `found` are the fingerprints of the change's findings.
    pub fn listed(&self, found: impl Fn(&str) -> bool) -> Vec<Listed> {
        let listed = |standing: &Standing| {
            let matches = found(&standing.waiver.fingerprint);
            let state = match &standing.refused {
                _ if self.has_expired(standing) => State::Expired,
                Some(reason) => State::Refused(reason.clone()),
                None if matches => State::Used,
                None => State::Unused,
            };
            Listed { waiver: standing.waiver.clone(), place: standing.place, state, matches }
        };
        self.all.iter().map(listed).collect()
    }
}
