//! Which checks of both sides are the same, and what the whole change still runs.

use crate::collections::{HashMap, HashSet};
use crate::detectors::ground::{GroundPair, GroundSide};
use crate::facts::{Check, CheckClass, Force, Setting, SettingValue};
use crate::project::is_named;

/// Signature, place and text, as far as they count.
type Key<'c> = (&'c str, &'c str, &'c str);

/// The checks of one file, those of both sides that are the same put together.
pub struct Matched<'c> {
    pub kept: Vec<(&'c Check, &'c Check)>,
    pub gone: Vec<&'c Check>,
    pub added: Vec<&'c Check>,
    /// Those that are gone and that only their name made a check.
    pub named: Vec<&'c Check>,
}

impl<'c> Matched<'c> {
    /// Together are first those that are equal in everything, last those that only run the same tool.
    pub fn of(pair: &GroundPair<'c>) -> Self {
        let checks = |side: Option<GroundSide<'c>>| side.map_or(&[][..], |side| &side.facts.checks[..]);
        let (before, after) = (checks(pair.before), checks(pair.after));
        let mut partner: Vec<Option<usize>> = vec![None; before.len()];
        let mut taken = vec![false; after.len()];
        let keys: [fn(&Check) -> Key<'_>; 4] = [
            |check| (&check.signature, &check.place, &check.text),
            |check| (&check.signature, &check.place, ""),
            |check| (&check.signature, "", &check.text),
            |check| (&check.signature, "", ""),
        ];
        for key in keys {
            let mut free: HashMap<Key<'_>, Vec<usize>> = HashMap::new();
            for (index, check) in after.iter().enumerate().rev().filter(|(index, _)| !taken[*index]) {
                free.entry(key(check)).or_default().push(index);
            }
            for (index, check) in before.iter().enumerate() {
                if partner[index].is_none()
                    && let Some(found) = free.get_mut(&key(check)).and_then(Vec::pop)
                {
                    partner[index] = Some(found);
                    taken[found] = true;
                }
            }
        }
        let kept =
            before.iter().zip(&partner).filter_map(|(old, new)| Some((old, &after[(*new)?]))).collect();
        let gone = before.iter().zip(&partner).filter(|(_, new)| new.is_none()).map(|(old, _)| old);
        let (named, gone) = gone.partition(|check| is_named(check));
        let added = after.iter().zip(&taken).filter(|(_, taken)| !**taken).map(|(new, _)| new);
        // A name may be another one now.
        let added = added.filter(|check| !is_named(check)).collect();
        Self { kept, gone, added, named }
    }
}

/// Whether a check can stop anything.
pub(super) fn counts(check: &Check) -> bool {
    // Without integration tests, those of the units are still run.
    let is_whole = check.bypasses.iter().all(|option| option == "-DskipITs");
    is_whole && !matches!(check.force, Force::Ignored(_) | Force::Off(_))
}

/// Whether one of two commands of the same tool is told to run all that the other was.
pub(super) fn covers(one: &Check, other: &Check) -> bool {
    fn selected(check: &Check) -> impl Iterator<Item = (&str, &str)> {
        check.settings.iter().filter_map(|setting| match &setting.value {
            // Environments of tox come and go with versions.
            SettingValue::Selects(_) if setting.key.ends_with(" -e") => None,
            SettingValue::Selects(what) => Some((setting.key.as_str(), what.trim_end_matches('/'))),
            _ => None,
        })
    }
    let is_in = |what: &str, whole: &str| {
        let inside = what.strip_prefix(whole).is_some_and(|rest| rest.starts_with(['/', ':']));
        what == whole || whole == "**" || inside
    };
    let has = |(key, what): (&str, &str)| selected(one).any(|(own, whole)| own == key && is_in(what, whole));
    // A module that is left out here is the very one that has a command of its own there.
    let passed_over = |(_, what): (&str, &str)| {
        let left_out =
            |setting: &Setting| matches!(&setting.value, SettingValue::LeavesOut(pattern) if pattern == what);
        one.settings.iter().any(left_out)
    };
    variant(one) == variant(other)
        && !selected(other).any(passed_over)
        && (selected(one).next().is_none() || selected(other).all(has))
}

/// What cargo builds the code with, as far as it is none of the lists that come and go, and the profile of Maven's.
pub(super) fn variant(check: &Check) -> Option<&str> {
    let flags = ["--no-default-features", "--all-features"];
    let is_variant = |word: &&str| match check.signature.as_str() {
        "mvn test" => word.starts_with("-P"),
        signature => signature.starts_with("cargo") && flags.contains(word),
    };
    check.text.split(' ').find(is_variant)
}

/// What the whole change still checks.
pub(super) struct Whole<'c> {
    /// What counts after, in all files of the change, by signature.
    after: HashMap<&'c str, Vec<&'c Check>>,
    /// Classes of what counts and is new, or has more of it.
    pub added: HashSet<CheckClass>,
    /// By signature: how many count on each side.
    counts: HashMap<&'c str, (usize, usize)>,
}

impl<'c> Whole<'c> {
    pub fn of(pairs: &[GroundPair<'c>], matched: &[Matched<'c>]) -> Self {
        let mut whole = Self { after: HashMap::new(), added: HashSet::new(), counts: HashMap::new() };
        for pair in pairs {
            for check in pair.before.iter().flat_map(|side| &side.facts.checks).filter(|check| counts(check))
            {
                whole.counts.entry(&check.signature).or_default().0 += 1;
            }
            for check in pair.after.iter().flat_map(|side| &side.facts.checks).filter(|check| counts(check)) {
                whole.counts.entry(&check.signature).or_default().1 += 1;
                whole.after.entry(&check.signature).or_default().push(check);
            }
        }
        let added = matched.iter().flat_map(|matched| &matched.added).filter(|check| counts(check));
        // What runs before a script is told by the commands in it.
        let added = added.filter(|check| !check.signature.starts_with("script:pre"));
        whole.added = added.map(|check| check.class).collect();
        whole
    }

    /// Whether the same tool is still run on anything.
    pub fn has(&self, signature: &str) -> bool {
        self.after.contains_key(signature)
    }

    /// Whether the very same command is still run.
    pub fn has_text(&self, check: &Check) -> bool {
        let others = self.after.get(check.signature.as_str());
        others.is_some_and(|others| others.iter().any(|other| other.text == check.text))
    }

    /// Whether the very same command is still run with all that it was given.
    pub fn has_given(&self, check: &Check) -> bool {
        let others = self.after.get(check.signature.as_str());
        let is_given = |other: &&Check| check.around.given.iter().all(|one| other.around.given.contains(one));
        others.is_some_and(|others| {
            others.iter().copied().filter(|other| other.text == check.text).any(|other| is_given(&other))
        })
    }

    /// Whether what a check ran is still run: by the same tool, on the same or on everything.
    pub fn runs(&self, check: &Check) -> bool {
        let others = self.after.get(check.signature.as_str());
        let reaches =
            |other: &&Check| check.around.system.is_none() || other.around.system == check.around.system;
        others.is_some_and(|others| others.iter().copied().filter(reaches).any(|other| covers(other, check)))
    }

    /// Whether a target of the same tool that stands for many still runs: `make check` for `make test`.
    pub fn covers(&self, signature: &str) -> bool {
        let tool = signature.split(' ').next().unwrap_or_default();
        if !["make", "just", "mage", "task", "rake", "invoke"].contains(&tool) {
            return false;
        }
        let many = ["check", "ci", "all", "verify", "validate"];
        many.iter().any(|target| self.has(&format!("{tool} {target}")))
    }

    pub fn grows(&self, signature: &str) -> bool {
        self.counts.get(signature).is_some_and(|(before, after)| after > before)
    }
}
