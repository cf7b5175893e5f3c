//! Lists of what is looked at: what left them, and lists that are new where everything was looked at.

use super::patterns::{covers, plain};
use super::{GroundPair, GroundSide, Loosened, Pool, settings_of};
use crate::collections::{HashMap, HashSet};
use crate::facts::{About, Ground, Setting, SettingValue};

/// Of longer lists only patterns that are the same are found; to match each with each takes long.
const MAX_LIST: usize = 100;

#[derive(Default)]
struct List<'c> {
    patterns: Vec<&'c str>,
    plain: HashSet<String>,
}

impl List<'_> {
    fn covers(&self, pattern: &str) -> bool {
        self.plain.contains(&plain(pattern))
            || (self.patterns.len() <= MAX_LIST && self.patterns.iter().any(|wide| covers(wide, pattern)))
    }
}

type Lists<'c> = HashMap<(About, &'c str), List<'c>>;

fn lists(settings: &[Setting]) -> Lists<'_> {
    let mut lists: Lists<'_> = HashMap::new();
    for setting in settings {
        if let SettingValue::Selects(pattern) = &setting.value {
            let list = lists.entry((setting.about, &setting.key)).or_default();
            list.patterns.push(pattern);
            list.plain.insert(plain(pattern));
        }
    }
    lists
}

/// Patterns that left a list of which nothing else is new: all that is there was looked at before.
pub fn narrowed<'c>(before: &'c [Setting], after: &'c [Setting], pool: &Pool<'_>) -> Vec<Loosened<'c>> {
    let (old, new) = (lists(before), lists(after));
    let within: HashSet<(About, &str)> = new
        .iter()
        .filter(|(key, list)| {
            let old = old.get(*key).filter(|old| old.patterns != list.patterns);
            old.is_some_and(|old| {
                // A variable that was there before stands for what it stood for.
                !is_open(list.patterns.iter().copied().filter(|pattern| !old.patterns.contains(pattern)))
                    && (list.patterns.iter().all(|pattern| old.covers(pattern))
                        || matches_nothing(&list.patterns))
            })
        })
        .map(|(key, _)| *key)
        .collect();
    let is_gone = |setting: &&Setting| {
        let SettingValue::Selects(pattern) = &setting.value else { return false };
        let key = (setting.about, setting.key.as_str());
        within.contains(&key)
            && !new.get(&key).is_some_and(|list| match setting.key.as_str() {
                // Folders that stood beside this one do not have what is below them.
                "mocha paths" => {
                    list.plain.contains(&plain(pattern)) || !is_beside(&old[&key], pattern, list)
                }
                _ => list.covers(pattern),
            })
            && !pool.keeps(setting.about, pattern)
            && !pool.is_of_deleted_files(pattern)
    };
    before.iter().filter(is_gone).map(Loosened::Narrowed).collect()
}

/// Whether all that is left are names that say that nothing has them: `**/NoTests.java`, `DoesNotMatchAny`.
fn matches_nothing(list: &[&str]) -> bool {
    let says = |pattern: &&str| {
        let name = pattern.rsplit(['/', '.']).find(|part| part.len() > 4).unwrap_or(pattern).to_lowercase();
        let bare: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
        ["notest", "nothing", "nomatch", "doesnot", "donot", "none", "never", "dummy", "disabled", "skip"]
            .iter()
            .any(|word| bare.starts_with(word))
    };
    !list.is_empty() && list.iter().all(says)
}

/// Whether all that covers a pattern in a list stood beside it in the list before.
fn is_beside(old: &List<'_>, pattern: &str, new: &List<'_>) -> bool {
    let mut wide = new.patterns.iter().filter(|wide| covers(wide, pattern));
    new.patterns.len() <= MAX_LIST && wide.all(|wide| old.patterns.contains(wide) && !wide.contains('*'))
}

/// Whether a variable in a list may stand for anything.
fn is_open<'p>(mut list: impl Iterator<Item = &'p str>) -> bool {
    list.any(|pattern| pattern.contains('$'))
}

/// What pytest looks for where it is told nothing.
const DEFAULTS: &[(&str, &[&str])] = &[
    ("python_files", &["test_*.py", "*_test.py"]),
    ("python_functions", &["test_*"]),
    ("python_classes", &["Test*"]),
];

/// Lists that are new and shorter than what is looked at without them.
pub fn restricted<'c>(before: &'c [Setting], after: &'c [Setting], pool: &Pool<'_>) -> Vec<Loosened<'c>> {
    let (old, new) = (lists(before), lists(after));
    let mut seen = HashSet::new();
    let is_first = |setting: &&'c Setting| {
        let SettingValue::Selects(pattern) = &setting.value else { return false };
        let key = (setting.about, setting.key.as_str());
        (setting.about == About::Tests || is_first_of_rules(setting))
            && !old.contains_key(&key)
            && new.get(&key).is_some_and(|list| {
                !is_open(list.patterns.iter().copied()) && is_less(&setting.key, &list.patterns)
            })
            && !pool.had(setting.about, pattern)
            && !pool.is_of_new_files(pattern)
            && seen.insert(key)
    };
    after.iter().filter(is_first).map(|first| Loosened::Restricted { first, all: after }).collect()
}

/// Whether a checker that looked for everything is told what to look for.
fn is_first_of_rules(setting: &Setting) -> bool {
    setting.about == About::Checkers
        && ["gosec.includes", "deny.includes"].iter().any(|end| setting.key.ends_with(end))
}

/// Whether a first list surely takes something away.
fn is_less(key: &str, list: &[&str]) -> bool {
    let name = key.rsplit([' ', '.']).next().unwrap_or_default();
    if let Some((_, defaults)) = DEFAULTS.iter().find(|(known, _)| *known == name) {
        return !defaults.iter().any(|narrow| list.iter().any(|wide| covers(wide, narrow)));
    }
    match name {
        // Folders may well hold all the tests there are; single files, and parts of a folder of tests, do not.
        "paths" => list.iter().all(|path| is_file(path) || is_part_of_tests(path)),
        "include" if key.starts_with("maven-") => list.iter().all(|path| is_file(path)),
        "names" | "targets" | "includes" => true,
        _ => name.starts_with('-'),
    }
}

/// Whether a folder of tests has this one, and so probably others beside it.
fn is_part_of_tests(path: &str) -> bool {
    let path = plain(path);
    let folders = path.trim_end_matches('/').rsplit_once('/').map_or("", |(folders, _)| folders);
    folders.split('/').any(|folder| matches!(folder, "tests" | "test" | "__tests__" | "spec" | "specs"))
}

fn is_file(path: &str) -> bool {
    let path = plain(path);
    let name = path.rsplit('/').next().unwrap_or_default();
    path.contains("::") || (name.trim_start_matches('.').contains('.') && !name.contains(['*', '$', '{']))
}

/// Counts how many commands of scripts and targets are told to run each pattern, on both sides.
pub fn in_scripts(pairs: &[GroundPair<'_>]) -> HashMap<String, (usize, usize)> {
    let mut found: HashMap<String, (usize, usize)> = HashMap::new();
    for (side, is_after) in pairs.iter().flat_map(|pair| [(pair.before, false), (pair.after, true)]) {
        let Some(side) = side.filter(|side| side.facts.ground == Ground::Scripts) else { continue };
        for setting in side.facts.checks.iter().flat_map(|check| &check.settings) {
            if let (About::Tests, SettingValue::Selects(what)) = (setting.about, &setting.value) {
                let counts = found.entry(plain(what)).or_default();
                *(if is_after { &mut counts.1 } else { &mut counts.0 }) += 1;
            }
        }
    }
    found
}

/// Counts in how many lists of the matrices each row stands, on both sides.
pub fn rows_of(pairs: &[GroundPair<'_>]) -> HashMap<String, (usize, usize)> {
    let mut rows: HashMap<String, (usize, usize)> = HashMap::new();
    let listed = |side: Option<GroundSide<'_>>| -> HashSet<(String, String)> {
        let settings = side.into_iter().flat_map(settings_of);
        let selected = settings.filter(|setting| setting.about == About::Rows);
        let selected = selected.filter_map(|setting| match &setting.value {
            SettingValue::Selects(what) => Some((setting.key.clone(), plain(what))),
            _ => None,
        });
        selected.collect()
    };
    for pair in pairs {
        for (_, what) in listed(pair.before) {
            rows.entry(what).or_default().0 += 1;
        }
        for (_, what) in listed(pair.after) {
            rows.entry(what).or_default().1 += 1;
        }
    }
    rows
}
