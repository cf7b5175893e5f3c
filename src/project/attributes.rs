//! `.gitattributes`: what is marked as generated, as others' code, or as not to be shown in a diff.

use crate::facts::{About, Ground, ProjectFacts, Setting, SettingValue};

/// Marks that take files out of sight of those who review. Any value but `false` sets them.
const HIDE: [&str; 4] = ["linguist-generated", "linguist-vendored", "-diff", "linguist-documentation"];

pub fn read(text: &str) -> ProjectFacts {
    let mut facts = ProjectFacts { ground: Ground::Attributes, ..ProjectFacts::default() };
    for (index, line) in text.lines().enumerate() {
        let mut words = line.split_whitespace();
        let Some(pattern) = words.next().filter(|first| !first.starts_with('#')) else { continue };
        let marks = words.map(|word| word.split_once('=').unwrap_or((word, "true")));
        for (mark, _) in marks.filter(|(mark, value)| HIDE.contains(mark) && *value != "false") {
            facts.settings.push(Setting {
                about: About::Attributes,
                key: mark.to_owned(),
                line: index as u32 + 1,
                value: SettingValue::LeavesOut(pattern.to_owned()),
            });
        }
    }
    facts
}
