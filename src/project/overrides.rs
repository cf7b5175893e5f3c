//! Blocks of a linter's rules that hold for some files: which files a rule is off for, and which it is on for.
//!
//! Where nothing but the list of files changes, the rules say the same as before, about more or fewer files. Also what
//! rules are told beside their level: how much is too much, and what they pass over.

use std::collections::BTreeMap;

use super::document::{Document, Entry};
use super::settings::number;
use super::vocabulary;
use super::words::words_of;
use crate::collections::HashSet;
use crate::facts::{About, Setting, SettingValue};

/// One block: its files, and its rules with whether each is off.
#[derive(Default)]
struct Block<'d> {
    files: Vec<(&'d str, u32)>,
    rules: Vec<(&'d str, bool)>,
}

pub fn settings(document: &Document) -> Vec<Setting> {
    let mut blocks: BTreeMap<&[String], Block<'_>> = BTreeMap::new();
    let mut found = Vec::new();
    for entry in document.entries.iter().filter(|entry| !entry.value.is_empty()) {
        let Some(at) = entry.path.iter().rposition(|key| key == "rules" || key == "files") else { continue };
        let block = blocks.entry(&entry.path[..at]).or_default();
        let below = &entry.path[at + 1..];
        match (entry.path[at].as_str(), below) {
            ("files", _) => block.files.push((&entry.value, entry.line)),
            (_, [rule]) => block.rules.push((rule, is_off(&entry.value))),
            (_, [rule, place]) if place == "#0" => block.rules.push((rule, is_off(&entry.value))),
            (_, [rule, ..]) => found.extend(option(rule, entry)),
            _ => {}
        }
    }
    found.extend(blocks.values().flat_map(of_block));
    found.extend(document.entries.iter().flat_map(presets));
    found
}

/// Names of sets of rules, the mildest first.
const RANKS: &[&str] = &["base", "basic", "essential", "recommended", "strict", "all"];

/// A set of rules that is taken over, and how strict it is of its kind: `...ts.configs.strict`.
fn presets(entry: &Entry) -> Vec<Setting> {
    let text = entry.value.trim_start_matches('.');
    let in_list = entry.keys().next().is_none() && text.contains(".configs.");
    if !in_list && !entry.is("extends") {
        return Vec::new();
    }
    let setting = |key: String, value| Setting { about: About::Checkers, key, line: entry.line, value };
    let words = words_of(text);
    let rank = RANKS.iter().rposition(|rank| words.iter().any(|word| word == rank));
    let owner = rank.and_then(|rank| text.split(RANKS[rank]).next()).unwrap_or_default();
    let rank = rank.map(|rank| setting(format!("rules of {owner}"), SettingValue::Demands(rank as f64)));
    let listed = in_list.then(|| setting("presets".to_owned(), SettingValue::Selects(text.to_owned())));
    listed.into_iter().chain(rank.filter(|_| owner.len() > 1)).collect()
}

/// Files that rules are commonly milder about.
const ASIDE: &[&str] = &["test", "spec", "fixture", "mock", "stories", "e2e", "bench", "example"];

/// The lines of rules in blocks that are about tests and their like alone.
pub fn lines_aside(document: &Document) -> HashSet<u32> {
    let is_aside = |entry: &&Entry| ASIDE.iter().any(|word| entry.value.contains(word));
    let mut blocks: BTreeMap<&[String], bool> = BTreeMap::new();
    for entry in document.entries.iter().filter(|entry| !entry.value.is_empty()) {
        let Some(at) = entry.path.iter().position(|key| key == "files") else { continue };
        *blocks.entry(&entry.path[..at]).or_insert(true) &= is_aside(&entry);
    }
    blocks.retain(|path, aside| *aside && !path.is_empty());
    let own = document.entries.iter().filter(|entry| {
        let at = entry.path.iter().position(|key| key == "rules");
        at.is_some_and(|at| blocks.contains_key(&entry.path[..at]))
    });
    own.map(|entry| entry.line).collect()
}

fn is_off(value: &str) -> bool {
    matches!(value, "off" | "0" | "false" | "null")
}

/// A block that only switches off says where; one that only switches on says so, too.
fn of_block(block: &Block<'_>) -> Vec<Setting> {
    let Some((first, is_off)) = block.rules.first() else { return Vec::new() };
    if block.rules.iter().any(|(_, other)| other != is_off) {
        return Vec::new();
    }
    let setting = |(file, line): &(&str, u32)| Setting {
        about: About::Checkers,
        key: format!("{first} {}", if *is_off { "off" } else { "files" }),
        line: *line,
        value: match is_off {
            true => SettingValue::LeavesOut((*file).to_owned()),
            false => SettingValue::Selects((*file).to_owned()),
        },
    };
    block.files.iter().map(setting).collect()
}

/// Rules of which the number behind the level is the most that is let pass.
const CEILINGS: &[&str] = &[
    "complexity",
    "cognitive-complexity",
    "max-depth",
    "max-lines",
    "max-lines-per-function",
    "max-nested-callbacks",
    "max-params",
    "max-statements",
    "max-classes-per-file",
];

fn option(rule: &str, entry: &Entry) -> Vec<Setting> {
    let name = rule.rsplit('/').next().unwrap_or(rule);
    let is_number = entry.path.last().is_some_and(|last| last == "#1" || last == "max");
    if let Some(most) = number(&entry.value).filter(|_| is_number && CEILINGS.contains(&name)) {
        let key = format!("rules.{rule}");
        return vec![Setting {
            about: About::Checkers,
            key,
            line: entry.line,
            value: SettingValue::Demands(-most),
        }];
    }
    let has_options = entry.path.last().is_some_and(|last| last != rule) && entry.name() != rule;
    if has_options { vocabulary::of_entry(entry) } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_say_where_rules_are_off() {
        let text = "{ overrides: [{ files: ['a/**', 'b/**'], rules: { x: 'off' } }, { files: 'c', rules: { y: ['error', 1] } }], rules: { complexity: [2, 10] } }";
        let show = |setting: Setting| match setting.value {
            SettingValue::LeavesOut(what) => format!("{} -{what}", setting.key),
            SettingValue::Selects(what) => format!("{} +{what}", setting.key),
            SettingValue::Demands(number) => format!("{} >{number}", setting.key),
            _ => setting.key,
        };
        let shown: Vec<String> = settings(&super::super::braces::read(text)).into_iter().map(show).collect();
        assert_eq!(shown, ["rules.complexity >-10", "x off -a/**", "x off -b/**", "y files +c"]);
    }
}
