//! Settings of both sides compared: what is newly left out, demanded less, or switched to the loose side.

mod given_up;
mod manifests;
mod narrowing;
mod patterns;

use super::switched::switched;
use crate::collections::{HashMap, HashSet};
use crate::comparison::{Comparison, FileComparison, FileSide};
use crate::facts::{About, Ground, ProjectFacts, Setting, SettingValue};
use crate::paths::{PathClass, class_by_name};
use crate::project::family_of;
use given_up::{given_up, insisting, is_of_build};
use manifests::Manifests;
use narrowing::{in_scripts, narrowed, restricted, rows_of};
use patterns::plain;

/// One side of a configuration file.
#[derive(Clone, Copy)]
pub struct GroundSide<'c> {
    pub file: &'c FileSide,
    pub facts: &'c ProjectFacts,
}

/// Both sides of a configuration file; at least one is there.
#[derive(Clone, Copy)]
pub struct GroundPair<'c> {
    pub before: Option<GroundSide<'c>>,
    pub after: Option<GroundSide<'c>>,
}

pub fn pairs(comparison: &Comparison) -> Vec<GroundPair<'_>> {
    fn side(file: Option<&FileSide>) -> Option<GroundSide<'_>> {
        let file = file?;
        Some(GroundSide { file, facts: file.facts.project.as_deref()? })
    }
    let both = comparison
        .files
        .iter()
        .map(|file| GroundPair { before: side(file.before.as_ref()), after: side(file.after.as_ref()) });
    let found = both.filter(|pair| pair.before.is_some() || pair.after.is_some()).collect();
    with_renamed(found)
}

/// Puts a file that is gone and a new one together where they are the same thing by name: `.codecov.yml` and
/// `codecov.yml`.
fn with_renamed(mut pairs: Vec<GroundPair<'_>>) -> Vec<GroundPair<'_>> {
    let mut gone: HashMap<&str, Vec<usize>> = HashMap::new();
    let mut added: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, pair) in pairs.iter().enumerate() {
        let (sides, side) = match (pair.before, pair.after) {
            (Some(side), None) => (&mut gone, side),
            (None, Some(side)) => (&mut added, side),
            _ => continue,
        };
        if let Some(family) = family_of(&side.file.path) {
            sides.entry(family).or_default().push(index);
        }
    }
    let mut merged = HashSet::new();
    for (family, old) in gone {
        if let ([old], Some([new])) = (&old[..], added.get(family).map(|new| &new[..])) {
            pairs[*old].after = pairs[*new].after;
            merged.insert(*new);
        }
    }
    let mut index = 0;
    pairs.retain(|_| {
        index += 1;
        !merged.contains(&(index - 1))
    });
    pairs
}

/// One way in which settings became looser.
#[derive(Clone, Copy)]
pub enum Loosened<'c> {
    /// A pattern that is newly left out.
    LeftOut(&'c Setting),
    /// A pattern that is no longer looked at.
    Narrowed(&'c Setting),
    /// The first pattern that is looked at where everything was before, and the settings that the others are in.
    Restricted {
        first: &'c Setting,
        all: &'c [Setting],
    },
    Lowered {
        before: &'c Setting,
        after: &'c Setting,
    },
    /// Nothing is demanded any more where something was; whether other demands stay.
    Dropped {
        before: &'c Setting,
        others: bool,
    },
    Switched(&'c Setting),
    /// What was insisted on by being written there, and is there no more.
    GivenUp(&'c Setting),
}

impl<'c> Loosened<'c> {
    /// The setting that the finding is about.
    pub fn setting(self) -> &'c Setting {
        match self {
            Self::LeftOut(setting)
            | Self::Narrowed(setting)
            | Self::Switched(setting)
            | Self::GivenUp(setting) => setting,
            Self::Restricted { first, .. } => first,
            Self::Lowered { after, .. } => after,
            Self::Dropped { before, .. } => before,
        }
    }

    /// Whether it is to be shown on the before side.
    pub fn is_gone(self) -> bool {
        matches!(self, Self::Narrowed(_) | Self::Dropped { .. } | Self::GivenUp(_))
    }
}

/// So much of a pattern says what it is about.
const MIN_CORE: usize = 5;

/// So many new files and nothing else are a project that begins, or one more beside others.
const WHOLE: usize = 5;

/// Paths of a change that patterns are looked for in.
const MAX_PATHS: usize = 2_000;

/// What the whole change says, to tell what moved from what is new.
pub struct Pool<'c> {
    left_out: HashSet<(About, String)>,
    /// The same without wildcards.
    cores: HashSet<(About, String)>,
    before: HashMap<About, Vec<f64>>,
    after: HashMap<About, Vec<f64>>,
    selected: HashSet<(About, String)>,
    selected_before: HashSet<(About, String)>,
    /// In how many lists of rows each stands, before and after.
    rows: HashMap<String, (usize, usize)>,
    /// How many commands of scripts and targets are told to run each, before and after.
    in_scripts: HashMap<String, (usize, usize)>,
    /// What is insisted on after the change, by what is written or by the name of the switch.
    insists: HashSet<(About, String)>,
    /// In how many commands something is insisted on, before and after.
    insisting: HashMap<(About, String), (usize, usize)>,
    /// Options that let checks pass before the change.
    pub passes: HashSet<&'c str>,
    pub manifests: Manifests<'c>,
    added: Vec<&'c str>,
    deleted: Vec<&'c str>,
    /// Whether nothing was there before the change.
    all_new: bool,
}

impl<'c> Pool<'c> {
    pub fn new(comparison: &'c Comparison, pairs: &[GroundPair<'c>]) -> Self {
        let mut pool = Self {
            left_out: HashSet::new(),
            cores: HashSet::new(),
            before: HashMap::new(),
            after: HashMap::new(),
            selected: HashSet::new(),
            selected_before: HashSet::new(),
            rows: rows_of(pairs),
            in_scripts: in_scripts(pairs),
            insists: HashSet::new(),
            insisting: insisting(pairs),
            passes: HashSet::new(),
            manifests: Manifests::of(comparison),
            added: comparison
                .files
                .iter()
                .filter(|file| file.before.is_none())
                .filter_map(|file| file.after.as_ref())
                .map(|side| side.path.as_str())
                .take(MAX_PATHS)
                .collect(),
            deleted: comparison
                .files
                .iter()
                .filter(is_no_workflow)
                .filter_map(left)
                .take(MAX_PATHS)
                .collect(),
            all_new: comparison.files.len() >= WHOLE
                && comparison.files.iter().all(|file| file.before.is_none()),
        };
        for setting in pairs.iter().filter_map(|pair| pair.before).flat_map(settings_of) {
            match &setting.value {
                SettingValue::LeavesOut(pattern) => {
                    pool.left_out.insert((setting.about, plain(pattern)));
                    pool.cores.insert((setting.about, core_of(pattern)));
                }
                SettingValue::Selects(pattern) => {
                    pool.selected_before.insert((setting.about, plain(pattern)));
                }
                SettingValue::Demands(number) => pool.before.entry(setting.about).or_default().push(*number),
                SettingValue::Loose(true) => {
                    pool.passes.insert(name_of(&setting.key));
                }
                _ => {}
            }
        }
        let checks = pairs.iter().filter_map(|pair| pair.before).flat_map(|side| &side.facts.checks);
        pool.passes.extend(checks.flat_map(|check| &check.bypasses).map(String::as_str));
        let own = pairs.iter().filter_map(|pair| pair.after).flat_map(|side| &side.facts.settings);
        for setting in own {
            match &setting.value {
                SettingValue::Insists(what) => {
                    pool.insists.insert((setting.about, as_switch(what)));
                }
                SettingValue::Loose(false) => {
                    pool.insists.insert((setting.about, as_switch(name_of(&setting.key))));
                }
                _ => {}
            }
        }
        for setting in pairs.iter().filter_map(|pair| pair.after).flat_map(settings_of) {
            match &setting.value {
                SettingValue::Selects(pattern) => {
                    pool.selected.insert((setting.about, plain(pattern)));
                }
                SettingValue::Demands(number) => pool.after.entry(setting.about).or_default().push(*number),
                _ => {}
            }
        }
        pool
    }

    /// Whether the same is insisted on after the change, here or elsewhere in it: by a setting, or by as many commands.
    pub fn insists(&self, about: About, what: &str) -> bool {
        let key = (about, as_switch(what));
        let as_often = || self.insisting.get(&key).is_some_and(|(was, is)| *is > 0 && is >= was);
        // One command that measures is enough, and one that builds with a feature.
        let is_enough = about == About::Coverage || is_of_build(what);
        let once = || is_enough && self.insisting.get(&key).is_some_and(|(_, is)| *is > 0);
        self.insists.contains(&key) || as_often() || once()
    }

    /// Whether it was left out before, be it by another notation.
    fn is_left_out(&self, about: About, pattern: &str) -> bool {
        let core = core_of(pattern);
        self.left_out.contains(&(about, pattern.to_owned()))
            || (core.len() >= MIN_CORE && self.cores.contains(&(about, core)))
    }

    /// Whether a configuration file comes with tests below it, or with everything else: it is about those.
    pub fn is_new_ground(&self, path: &str) -> bool {
        let Some((folder, _)) = path.rsplit_once('/') else { return self.all_new };
        let is_below = |added: &str| added.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
        let is_test = |added: &str| added != path && class_by_name(added) == PathClass::Test;
        self.all_new || self.added.iter().any(|added| is_test(added) && is_below(added))
    }

    /// Whether a pattern is about files that the change adds.
    pub fn is_of_new_files(&self, pattern: &str) -> bool {
        let core = core_of(pattern);
        core.len() >= 3 && self.added.iter().any(|path| path.contains(&core))
    }

    /// Whether what a pattern leaves out here is looked at there.
    pub fn is_selected(&self, about: About, pattern: &str) -> bool {
        let core = core_of(pattern);
        core.len() >= 3
            && self.selected.iter().any(|(other, selected)| *other == about && selected.contains(&core))
    }

    /// Whether the very same is looked at after the change, here or elsewhere in it.
    pub fn keeps(&self, about: About, pattern: &str) -> bool {
        // Many jobs have the same systems: one that moved stands in as many lists as before.
        if about == About::Rows {
            return self.rows.get(&plain(pattern)).is_some_and(|(before, after)| after >= before);
        }
        // Who calls one target does not call another one as well.
        let pattern = plain(pattern);
        let is_fewer = || self.in_scripts.get(&pattern).is_some_and(|(before, after)| after < before);
        self.selected.contains(&(about, pattern.clone())) && !(about == About::Tests && is_fewer())
    }

    /// Whether the very same was looked at before the change, here or elsewhere in it.
    pub fn had(&self, about: About, pattern: &str) -> bool {
        self.selected_before.contains(&(about, plain(pattern)))
    }

    /// Whether a pattern is about files that the change deletes.
    pub fn is_of_deleted_files(&self, pattern: &str) -> bool {
        let core = core_of(pattern);
        core.len() >= 3 && self.deleted.iter().any(|path| path.contains(&core))
    }

    fn demands(side: &HashMap<About, Vec<f64>>, about: About) -> usize {
        side.get(&about).map_or(0, Vec::len)
    }
}

/// A workflow is not what it checks, even where it is called after that.
fn is_no_workflow(file: &&FileComparison) -> bool {
    let facts = file.before.as_ref().and_then(|side| side.facts.project.as_deref());
    facts.is_none_or(|facts| facts.ground != Ground::Pipeline)
}

/// A path at which nothing stands any more, because the file is gone or has moved.
fn left(file: &FileComparison) -> Option<&str> {
    let (before, after) = (file.before.as_ref()?, file.after.as_ref());
    after.is_none_or(|after| after.path != before.path).then_some(before.path.as_str())
}

/// The settings of a side, also those in the options of its commands.
pub fn settings_of(side: GroundSide<'_>) -> impl Iterator<Item = &Setting> {
    side.facts.settings.iter().chain(side.facts.checks.iter().flat_map(|check| &check.settings))
}

/// The name of a switch or an option, without the place it stands in.
pub fn name_of(key: &str) -> &str {
    // The dots of an option are its own: `mvn test -Djacoco.skip`.
    let option = key.rsplit(' ').next().filter(|word| word.starts_with('-'));
    option.unwrap_or_else(|| key.rsplit([' ', '/', '.']).next().unwrap_or(key))
}

/// A switch is the same on a command line and in a file: `--disallow-untyped-defs`, `disallow_untyped_defs`.
pub fn as_switch(name: &str) -> String {
    name.trim_start_matches('-').replace('-', "_")
}

/// The longest part of a pattern that stands for itself.
fn core_of(pattern: &str) -> String {
    let text = pattern.replace("\\.", ".").replace("<rootDir>/", "");
    let parts = text.split(['*', '?', '[', ']', '(', ')', '^', '$', '|', '!', '{', '}', '+', '\\']);
    let longest = parts.map(|part| part.trim_matches(['/', '.'])).max_by_key(|part| part.len());
    longest.unwrap_or_default().to_owned()
}

/// In which ways the settings after are looser than those before.
pub fn compare<'c>(before: &'c [Setting], after: &'c [Setting], pool: &Pool<'_>) -> Vec<Loosened<'c>> {
    let mut found = left_out(before, after, pool);
    found.extend(narrowed(before, after, pool));
    found.extend(restricted(before, after, pool));
    found.extend(demanded_less(before, after, pool));
    found.extend(switched(before, after, pool));
    found.extend(given_up(before, after, pool));
    found
}

/// Folders that hold nothing but the code of a project.
const OF_CODE: &[&str] = &["src", "lib", "app", "pkg", "internal", "crates", "packages"];

fn left_out<'c>(before: &'c [Setting], after: &'c [Setting], pool: &Pool<'_>) -> Vec<Loosened<'c>> {
    let patterns = |settings: &[Setting]| -> HashSet<(About, String, String)> {
        let listed = settings.iter().filter_map(|setting| match &setting.value {
            SettingValue::LeavesOut(pattern) => Some((setting.about, setting.key.clone(), plain(pattern))),
            _ => None,
        });
        listed.collect()
    };
    let (old, new) = (patterns(before), patterns(after));
    let count =
        |from: &HashSet<(About, String, String)>,
         other: &HashSet<(About, String, String)>,
         about: About,
         key: &str| { from.difference(other).filter(|(a, k, _)| *a == about && k == key).count() };
    let mut counts: HashMap<(About, &str), bool> = HashMap::new();
    let is_new = |setting: &&Setting| match &setting.value {
        SettingValue::LeavesOut(pattern) => {
            let pattern = plain(pattern);
            !pool.is_left_out(setting.about, &pattern)
                && !old.contains(&(setting.about, setting.key.clone(), pattern))
        }
        _ => false,
    };
    // As many gone as new: the list says the same about files that were renamed. The code itself is no such file.
    let fresh: Vec<&Setting> = after.iter().filter(is_new).collect();
    let is_code = |setting: &Setting| match &setting.value {
        SettingValue::LeavesOut(pattern) => OF_CODE.contains(&plain(pattern).as_str()),
        _ => false,
    };
    let grows = fresh.into_iter().filter(|setting| {
        is_code(setting)
            || *counts.entry((setting.about, &setting.key)).or_insert_with(|| {
                count(&new, &old, setting.about, &setting.key)
                    > count(&old, &new, setting.about, &setting.key)
            })
    });
    grows.map(Loosened::LeftOut).collect()
}

fn demanded_less<'c>(before: &'c [Setting], after: &'c [Setting], pool: &Pool<'_>) -> Vec<Loosened<'c>> {
    let number = |setting: &Setting| match setting.value {
        SettingValue::Demands(number) => Some(number),
        _ => None,
    };
    type Places<'c> = HashMap<(About, &'c str), Vec<&'c Setting>>;
    let by_key = |settings: &'c [Setting]| {
        let mut places: Places<'c> = HashMap::new();
        for setting in settings.iter().filter(|setting| number(setting).is_some()) {
            places.entry((setting.about, &setting.key)).or_default().push(setting);
        }
        places
    };
    let (was, now) = (by_key(before), by_key(after));
    let mut seen: HashMap<(About, &str), usize> = HashMap::new();
    let mut found = Vec::new();
    for old in before.iter().filter(|setting| number(setting).is_some()) {
        let key = (old.about, old.key.as_str());
        let place = seen.entry(key).or_default();
        *place += 1;
        // Where a key stands as often as before, its places are the same.
        let same =
            now.get(&key).map(|new| if new.len() == was[&key].len() { new[*place - 1] } else { new[0] });
        match same {
            Some(new) if number(new) < number(old) => {
                found.push(Loosened::Lowered { before: old, after: new })
            }
            Some(_) => {}
            None if number(old).is_some_and(|number| number > 0.0) => {
                let (was, is) =
                    (Pool::demands(&pool.before, old.about), Pool::demands(&pool.after, old.about));
                if is < was {
                    found.push(Loosened::Dropped { before: old, others: is > 0 });
                }
            }
            None => {}
        }
    }
    found
}
