//! `.gitattributes`: what is marked as generated, as others' code, or as not to be shown in a diff.

use crate::facts::{About, Ground, ProjectFacts, Setting, SettingValue};

/// Marks that take files out of sight of those who review.
const HIDE: [&str; 6] = [
    "linguist-generated",
    "linguist-generated=true",
    "linguist-vendored",
    "linguist-vendored=true",
    "-diff",
    "linguist-documentation",
];

pub fn read(text: &str) -> ProjectFacts {
    let mut facts = ProjectFacts { ground: Ground::Attributes, ..ProjectFacts::default() };
    for (index, line) in text.lines().enumerate() {
        let mut words = line.split('#').next().unwrap_or_default().split_whitespace();
        let Some(pattern) = words.next() else { continue };
        for mark in words.filter(|word| HIDE.contains(word)) {
            facts.settings.push(Setting {
                about: About::Attributes,
                key: mark.trim_end_matches("=true").to_owned(),
                line: index as u32 + 1,
                value: SettingValue::LeavesOut(pattern.to_owned()),
            });
        }
    }
    facts
}
