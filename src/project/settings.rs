//! From entries to settings: tables of which keys leave out, select, demand or switch.

use super::document::{Document, Entry};
use super::options;
use crate::facts::{About, Setting, SettingValue};

/// What the value of a key means.
#[derive(Clone, Copy)]
pub enum Shape {
    LeavesOut,
    Selects,
    /// Names that are looked at, of which one without wildcards is the beginning.
    Prefixes,
    Demands,
    /// The most that is let pass: `10 kB`, `3`.
    AtMost,
    /// A switch that is loose at these values.
    Loose(&'static [&'static str]),
    /// Patterns of which those that begin with `!` are left out.
    Negated,
    /// Options of a command, by its signature.
    Options(&'static str),
    /// How a linter takes a rule: off, as a warning or as an error. What stands behind that in a list is for the rule.
    Rule,
    /// What becomes of warnings: `error` is insisted on, and what is not to be one is left out.
    Warnings,
    /// One of these, the loosest first; the number is the place of what holds where nothing is set.
    Level(&'static [&'static str], usize),
    /// The key above the value is what is looked at: `customLaunchers: { edge: { base: ... } }`.
    Keyed,
    /// Only these values count, as something that is insisted on.
    Insists(&'static [&'static str]),
}

pub struct Row {
    pub pattern: &'static str,
    pub about: About,
    pub shape: Shape,
}

pub const fn row(pattern: &'static str, about: About, shape: Shape) -> Row {
    Row { pattern, about, shape }
}

pub fn apply(rows: &[Row], document: &Document) -> Vec<Setting> {
    let of_entry = |entry: &Entry| {
        let row = rows.iter().find(|row| entry.is(row.pattern));
        row.map(|row| of(row, entry)).unwrap_or_default()
    };
    document.entries.iter().flat_map(of_entry).collect()
}

fn of(row: &Row, entry: &Entry) -> Vec<Setting> {
    let key = entry.keys().collect::<Vec<_>>().join(".");
    let text = entry.value.trim();
    let setting = |value| Setting { about: row.about, key: key.clone(), line: entry.line, value };
    // What is spread from elsewhere cannot be told here.
    if text.is_empty() || text.starts_with("...") {
        return Vec::new();
    }
    match row.shape {
        Shape::LeavesOut => vec![setting(SettingValue::LeavesOut(text.to_owned()))],
        Shape::Selects => vec![setting(SettingValue::Selects(text.to_owned()))],
        Shape::Prefixes => {
            // Linters have a word for all of their rules.
            let text = if text == "ALL" { "**" } else { text };
            let end = if text.contains(['*', '?', '[']) { "" } else { "*" };
            vec![setting(SettingValue::Selects(format!("{text}{end}")))]
        }
        Shape::Keyed => {
            let name = entry.keys().rev().nth(1).unwrap_or_default();
            let key = key.split('.').filter(|part| *part != name).collect::<Vec<_>>().join(".");
            vec![Setting { key, ..setting(SettingValue::Selects(name.to_owned())) }]
        }
        Shape::Demands => {
            number(text).map(|number| setting(SettingValue::Demands(number))).into_iter().collect()
        }
        Shape::AtMost => amount(text).map(|most| setting(SettingValue::Demands(-most))).into_iter().collect(),
        Shape::Loose(values) => {
            let is_loose = values.iter().any(|value| value.eq_ignore_ascii_case(text));
            vec![setting(SettingValue::Loose(is_loose))]
        }
        Shape::Negated => match text.strip_prefix('!') {
            Some(pattern) => vec![setting(SettingValue::LeavesOut(pattern.to_owned()))],
            None => vec![setting(SettingValue::Selects(text.to_owned()))],
        },
        Shape::Options(signature) => {
            // The program that they are options of is not written there.
            let program = std::iter::once(signature.to_owned());
            let words: Vec<String> = program.chain(crate::shell::commands(text).concat()).collect();
            let mut found = options::settings(signature, &words, entry.line);
            found.extend(options::bypasses(&words).into_iter().map(|option| Setting {
                about: row.about,
                key: option,
                line: entry.line,
                value: SettingValue::Loose(true),
            }));
            found.iter_mut().for_each(|setting| setting.key = format!("{key} {}", setting.key));
            found
        }
        Shape::Level(levels, default) => {
            let place = levels.iter().position(|level| level.eq_ignore_ascii_case(text));
            let number = place.map(|place| place as f64 - default as f64);
            number.map(|number| setting(SettingValue::Demands(number))).into_iter().collect()
        }
        Shape::Insists(values) => values
            .contains(&text)
            .then(|| {
                let name = entry.keys().rfind(|key| *key != "level").unwrap_or_default();
                setting(SettingValue::Insists(format!("deny {name}")))
            })
            .into_iter()
            .collect(),
        Shape::Rule => rule_of(entry, text)
            .into_iter()
            .map(|(end, loose)| Setting { key: format!("{key}{end}"), ..setting(SettingValue::Loose(loose)) })
            .collect(),
        Shape::Warnings => match text.split(':').next().unwrap_or_default() {
            "error" if text == "error" => vec![setting(SettingValue::Insists(text.to_owned()))],
            "ignore" | "default" | "once" | "module" => {
                vec![setting(SettingValue::LeavesOut(text.to_owned()))]
            }
            _ => Vec::new(),
        },
    }
}

/// What the key of a switch ends with that is about errors.
pub const AS_ERROR: &str = " as an error";

/// The switches that the level of a rule sets, each with what its key ends with.
fn rule_of(entry: &Entry, text: &str) -> Vec<(&'static str, bool)> {
    if entry.path.last().is_some_and(|key| key.starts_with('#') && key != "#0") {
        return Vec::new();
    }
    match text.to_lowercase().as_str() {
        "off" | "0" | "false" | "null" | "disable" => vec![("", true)],
        "warn" | "1" => vec![("", false), (AS_ERROR, true)],
        "error" | "2" => vec![("", false), (AS_ERROR, false)],
        _ => vec![("", false)],
    }
}

/// `80`, `80%`, `0.8`
pub fn number(text: &str) -> Option<f64> {
    text.trim().trim_end_matches('%').trim().parse().ok().filter(|number: &f64| number.is_finite())
}

/// `10 kB`, `250ms`, `3`
fn amount(text: &str) -> Option<f64> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let unit = match text[end..].trim().to_ascii_lowercase().as_str() {
        "" | "b" | "ms" => 1.0,
        "k" | "kb" | "kib" | "s" => 1000.0,
        "m" | "mb" | "mib" => 1_000_000.0,
        _ => return None,
    };
    number(&text[..end]).map(|number| number * unit)
}

/// A list written in one value, split at commas and white space.
pub fn split_lists(document: &mut Document, patterns: &[&str]) {
    let mut entries = Vec::with_capacity(document.entries.len());
    for entry in std::mem::take(&mut document.entries) {
        if !patterns.iter().any(|pattern| entry.is(pattern)) {
            entries.push(entry);
            continue;
        }
        let parts = entry.value.split([',', ' ', '\t', '\n']).filter(|part| !part.is_empty());
        entries.extend(parts.map(|part| Entry { value: part.to_owned(), ..entry.clone() }));
    }
    document.entries = entries;
}
