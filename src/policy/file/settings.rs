//! The sections `proof`, `feedback` and `waivers`. What they leave out stays absent, so that an edit can tell.

use serde::de::MapAccess;

use super::super::{
    AcceptWaivers, Equivalence, FeedbackSettings, OnMissing, ProofSettings, RequireAnalysis, folder,
};
use super::reader::{Reader, Section};
use super::values::{Flag, List, Number, Scalar};

/// More folders are a mistake.
const MAX_LINKS: usize = 100;

/// What a file says below `proof`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatedProof {
    pub on_missing: Option<OnMissing>,
    pub equivalence: Option<Equivalence>,
    pub link: Option<Vec<String>>,
}

impl StatedProof {
    pub fn settings(self) -> ProofSettings {
        let default = ProofSettings::default();
        ProofSettings {
            on_missing: self.on_missing.unwrap_or(default.on_missing),
            equivalence: self.equivalence,
            link: self.link.unwrap_or(default.link),
        }
    }
}

impl Section for StatedProof {
    const KEY: &'static str = "key of proof";
    const EXPECTS: &'static str = "settings by name, as in { on_missing: run }";

    fn known<'s>(&self, _: &Reader<'s>) -> Vec<&'s str> {
        vec!["on_missing", "equivalence", "link"]
    }

    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: &str,
        map: &mut A,
        reader: &Reader<'_>,
    ) -> Result<(), A::Error> {
        match key {
            "on_missing" => {
                let what = "block, run or warn";
                let read = str::parse::<OnMissing>;
                self.on_missing = Some(map.next_value_seed(Scalar { reader, what, read })?);
            }
            "equivalence" => {
                let what = "tokens or exact";
                let read = str::parse::<Equivalence>;
                self.equivalence = Some(map.next_value_seed(Scalar { reader, what, read })?);
            }
            _ => self.link = Some(map.next_value_seed(links(reader))?),
        }
        Ok(())
    }
}

fn links<'s, 'r>(reader: &'s Reader<'r>) -> List<'s, 'r> {
    List {
        reader,
        expects: "a list of folders, as in [node_modules]",
        item: "the name of a folder, or leave it out",
        most: MAX_LINKS,
        too_many: "folders: name the ones that hold dependencies",
        read: folder::read_link,
    }
}

/// What a file says below `feedback`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatedFeedback {
    pub max_attempts: Option<u32>,
    pub require_analysis: Option<RequireAnalysis>,
    pub abort_on_regression: Option<bool>,
}

impl StatedFeedback {
    pub fn settings(self) -> FeedbackSettings {
        let default = FeedbackSettings::default();
        FeedbackSettings {
            max_attempts: self.max_attempts.unwrap_or(default.max_attempts),
            require_analysis: self.require_analysis.unwrap_or(default.require_analysis),
            abort_on_regression: self.abort_on_regression.unwrap_or(default.abort_on_regression),
        }
    }
}

impl Section for StatedFeedback {
    const KEY: &'static str = "key of feedback";
    const EXPECTS: &'static str = "settings by name, as in { max_attempts: 5 }";

    fn known<'s>(&self, _: &Reader<'s>) -> Vec<&'s str> {
        vec!["max_attempts", "require_analysis", "abort_on_regression"]
    }

    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: &str,
        map: &mut A,
        reader: &Reader<'_>,
    ) -> Result<(), A::Error> {
        match key {
            "max_attempts" => {
                let (from, to) = FeedbackSettings::ATTEMPTS.into_inner();
                let number = Number { reader, what: "max_attempts", from: from.into(), to: to.into() };
                self.max_attempts = u32::try_from(map.next_value_seed(number)?).ok();
            }
            "require_analysis" => {
                let what = "off, warn or block";
                let read = str::parse::<RequireAnalysis>;
                self.require_analysis = Some(map.next_value_seed(Scalar { reader, what, read })?);
            }
            _ => self.abort_on_regression = Some(map.next_value_seed(Flag)?),
        }
        Ok(())
    }
}

/// What a file says below `waivers`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatedWaivers {
    pub accept: Option<AcceptWaivers>,
}

impl Section for StatedWaivers {
    const KEY: &'static str = "key of waivers";
    const EXPECTS: &'static str = "settings by name, as in { accept: base }";

    fn known<'s>(&self, _: &Reader<'s>) -> Vec<&'s str> {
        vec!["accept"]
    }

    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        _key: &str,
        map: &mut A,
        reader: &Reader<'_>,
    ) -> Result<(), A::Error> {
        let what = "base, recorded or any";
        let read = str::parse::<AcceptWaivers>;
        self.accept = Some(map.next_value_seed(Scalar { reader, what, read })?);
        Ok(())
    }
}
