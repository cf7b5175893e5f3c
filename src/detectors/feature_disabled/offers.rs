//! What a package no longer offers, though the file is still there: its entry has a name now that nothing reads.
//!
//! Part of the rule about features that are switched off. An entry that is simply gone may have given way to what tools
//! take without being told, so only a value that was kept at hand counts.

use super::{draft, lower_by_intent, one, symbol};
use crate::comparison::{Comparison, FileSide};
use crate::detectors::report::excerpt;
use crate::facts::{About, Setting};
use crate::finding::{Finding, Side};

pub fn findings(comparison: &Comparison) -> Vec<Finding> {
    let files = comparison.files.iter().filter_map(|file| file.before.as_ref().zip(file.after.as_ref()));
    files.flat_map(|(before, after)| unread(comparison, before, after)).collect()
}

fn offers(side: &FileSide) -> impl Iterator<Item = &Setting> {
    let facts = side.facts.project.as_deref().into_iter();
    facts.flat_map(|facts| &facts.settings).filter(|setting| setting.about == About::Offers)
}

fn unread(comparison: &Comparison, before: &FileSide, after: &FileSide) -> Vec<Finding> {
    let is_read = |setting: &&Setting| !setting.key.starts_with("unread ");
    let gone = offers(before)
        .filter(is_read)
        .filter(|old| !offers(after).filter(is_read).any(|new| new.key == old.key || new.value == old.value));
    let kept = gone.filter_map(|old| {
        let hides = |new: &&Setting| !is_read(new) && new.value == old.value;
        Some((old, offers(after).find(hides)?))
    });
    let finding = |(old, new): (&Setting, &Setting)| {
        let message = format!("`{}` of the package is under a key now that nothing reads", old.key);
        let mut finding = draft(message, 0.85).on(Side::After, after, new.line, symbol(after, "", &old.key));
        finding.before = excerpt(before, one(old.line), old.line, "this led users to it");
        finding.after = excerpt(after, one(new.line), new.line, "switched off");
        lower_by_intent(comparison, &mut finding, &old.key);
        finding
    };
    kept.map(finding).collect()
}
