//! Settings of both sides compared: what is newly left out, demanded less, or switched to the loose side.

use std::collections::{HashMap, HashSet};

use super::narrowing::{narrowed, restricted};
use super::patterns::plain;
use crate::comparison::{Comparison, FileComparison, FileSide};
use crate::facts::{About, ProjectFacts, Setting, SettingValue, Span};
use crate::paths::{PathClass, class_by_name};

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
    both.filter(|pair| pair.before.is_some() || pair.after.is_some()).collect()
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
}

impl<'c> Loosened<'c> {
    /// The setting that the finding is about.
    pub fn setting(self) -> &'c Setting {
        match self {
            Self::LeftOut(setting) | Self::Narrowed(setting) | Self::Switched(setting) => setting,
            Self::Restricted { first, .. } => first,
            Self::Lowered { after, .. } => after,
            Self::Dropped { before, .. } => before,
        }
    }

    /// Whether it is to be shown on the before side.
    pub fn is_gone(self) -> bool {
        matches!(self, Self::Narrowed(_) | Self::Dropped { .. })
    }
}

/// So much of a pattern says what it is about.
const MIN_CORE: usize = 5;

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
            added: comparison
                .files
                .iter()
                .filter(|file| file.before.is_none())
                .filter_map(|file| file.after.as_ref())
                .map(|side| side.path.as_str())
                .take(MAX_PATHS)
                .collect(),
            deleted: comparison.files.iter().filter_map(left).take(MAX_PATHS).collect(),
            all_new: comparison.files.len() > 1 && comparison.files.iter().all(|file| file.before.is_none()),
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
        self.selected.contains(&(about, plain(pattern)))
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

/// A path at which nothing stands any more, because the file is gone or has moved.
fn left(file: &FileComparison) -> Option<&str> {
    let (before, after) = (file.before.as_ref()?, file.after.as_ref());
    after.is_none_or(|after| after.path != before.path).then_some(before.path.as_str())
}

/// The settings of a side, also those in the options of its commands.
fn settings_of(side: GroundSide<'_>) -> impl Iterator<Item = &Setting> {
    side.facts.settings.iter().chain(side.facts.checks.iter().flat_map(|check| &check.settings))
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
    found.extend(switched(before, after));
    found
}

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
    // As many gone as new: the list says the same about files that were renamed.
    let fresh: Vec<&Setting> = after.iter().filter(is_new).collect();
    let grows = fresh.into_iter().filter(|setting| {
        *counts.entry((setting.about, &setting.key)).or_insert_with(|| {
            count(&new, &old, setting.about, &setting.key) > count(&old, &new, setting.about, &setting.key)
        })
    });
    grows.map(Loosened::LeftOut).collect()
}

fn demanded_less<'c>(before: &'c [Setting], after: &'c [Setting], pool: &Pool<'_>) -> Vec<Loosened<'c>> {
    let number = |setting: &Setting| match setting.value {
        SettingValue::Demands(number) => Some(number),
        _ => None,
    };
    let mut found = Vec::new();
    for old in before.iter().filter(|setting| number(setting).is_some()) {
        let same = |setting: &&Setting| {
            setting.about == old.about && setting.key == old.key && number(setting).is_some()
        };
        match after.iter().find(same) {
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

fn switched<'c>(before: &'c [Setting], after: &'c [Setting]) -> Vec<Loosened<'c>> {
    let loose = |setting: &&Setting| setting.value == SettingValue::Loose(true);
    let count = |settings: &[Setting], key: &str| {
        settings.iter().filter(loose).filter(|setting| setting.key == key).count()
    };
    // What was never demanded may do as it likes; what counted may not stop counting.
    let counted = |setting: &Setting| {
        let tight = |other: &Setting| other.key == setting.key && other.value == SettingValue::Loose(false);
        !matches!(setting.about, About::Reports | About::Shell | About::Types) || before.iter().any(tight)
    };
    let newly = |setting: &&Setting| {
        loose(setting) && count(after, &setting.key) > count(before, &setting.key) && counted(setting)
    };
    let mut seen = HashSet::new();
    after
        .iter()
        .filter(newly)
        .filter(|setting| seen.insert(setting.key.as_str()))
        .map(Loosened::Switched)
        .collect()
}

/// Words in a pattern that speak of what is no product code.
const NO_PRODUCT: &[&str] = &[
    "node_modules",
    "dist",
    "build",
    "out",
    "target",
    "vendor",
    "vendored",
    "third",
    "generated",
    "gen",
    "pb",
    "proto",
    "types",
    "type",
    "typings",
    "typetests",
    "d",
    "fixtures",
    "fixture",
    "mocks",
    "mock",
    "snapshots",
    "snap",
    "examples",
    "example",
    "docs",
    "doc",
    "documentation",
    "bench",
    "benches",
    "benchmark",
    "benchmarks",
    "scripts",
    "script",
    "tools",
    "stories",
    "storybook",
    "demo",
    "demos",
    "playground",
    "migrations",
    "venv",
    "tox",
    "site",
    "tmp",
    "temp",
    "cache",
    "assets",
    "static",
    "schemas",
    "version",
    "conftest",
    "xtask",
    "fuzz",
    "website",
    "templates",
    "template",
    "samples",
    "config",
    "configs",
    "cypress",
    "playwright",
    "worktrees",
    "claude",
    "git",
    "idea",
    "vscode",
    "nox",
    "eggs",
    "egg",
    "dev",
    "perf",
    "usr",
    "lcov",
    "coverage",
    "setup",
    "constants",
    "interfaces",
    "interface",
    "helpers",
    "testutil",
    "testutils",
    "testing",
    "thirdparty",
    "pycache",
    "lock",
];

/// Words that make a file part of the tests.
const OF_TESTS: &[&str] = &["test", "tests", "spec", "specs", "e2e", "testdata"];

/// Whether leaving a pattern out takes nothing that anyone would miss.
pub fn is_harmless(about: About, pattern: &str, note: &str) -> bool {
    let words = words_of(pattern);
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    let said = words_of(note);
    let explains =
        ["type", "types", "generated", "vendored", "declarations", "vendor", "autogenerated", "compile"];
    has(NO_PRODUCT)
        || (about == About::Coverage && has(OF_TESTS))
        || said.iter().any(|word| explains.contains(&word.as_str()))
        || pattern.ends_with("__init__.py")
        || pattern.ends_with("__main__.py")
}

/// Lower-case words, those with underscores whole and in their parts.
fn words_of(text: &str) -> Vec<String> {
    let whole = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let parts = text.split(|c: char| !c.is_alphanumeric());
    let words = whole.chain(parts).map(|word| word.trim_matches('_').to_lowercase());
    words.filter(|word| !word.is_empty()).collect()
}

/// How far up from an entry of a list its comment is looked for.
const NOTE_LINES: u32 = 12;

/// What a comment beside an entry, or above it and its neighbours, says.
pub fn note_at(file: &FileSide, line: u32) -> String {
    let lines: Vec<String> = file
        .lines(Span { start: line.saturating_sub(NOTE_LINES).max(1), end: line })
        .map(|line| line.into_owned())
        .collect();
    let Some((own, above)) = lines.split_last() else { return String::new() };
    let mut note: Vec<String> = beside(own).into_iter().collect();
    for line in above.iter().rev() {
        match comment(line) {
            Some(text) => note.push(text),
            None if !note.is_empty() || line.trim().is_empty() || !is_item(line) => break,
            None => {}
        }
    }
    note.join(" ")
}

fn comment(line: &str) -> Option<String> {
    let text = line.trim();
    let is_comment = ["#", "//", "/*", "*", "<!--", ";"].iter().any(|mark| text.starts_with(mark));
    is_comment.then(|| text.to_owned())
}

fn beside(line: &str) -> Option<String> {
    let at = ["  #", " # ", "// ", "/* ", "<!--"].iter().filter_map(|mark| line.find(mark)).min()?;
    Some(line[at..].to_owned())
}

/// A line that holds one entry of a list.
fn is_item(line: &str) -> bool {
    let text = line.trim();
    text.starts_with(['-', '"', '\'', '`', '/', '<']) || text.ends_with(',')
}
