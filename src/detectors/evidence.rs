//! Why a lost test may be no loss: what is known about the code it was about.

use crate::comparison::{Comparison, FileSide};
use crate::facts::{SkipKind, Test};
use crate::similarity::hash;

/// Names that vanish together with a check and say nothing about a feature.
const WORDS_OF_CHECKS: &str = "\
    and args arg arr array assert bool boolean box bytes catch char check config const data date dict double else err \
    error exception expect fail false float for from func function if import index instanceof int integer isinstance \
    key len length let list long map name new nil none not null number object option options panic path promise raise \
    regexp result return self set size str string symbol test tests this throw throws true try tuple type typeof types \
    undefined unwrap use value values var vec warn warning warnings";

/// Fewer tokens than this are no test worth missing.
const EMPTY_BODY: usize = 6;

/// What makes losing this test less severe, in words; `None` if nothing does.
pub fn for_removal(comparison: &Comparison, file: &FileSide, test: &Test) -> Option<String> {
    if test.is_skipped() {
        return Some("it was skipped before the change, so nothing that ran is lost".to_owned());
    }
    if test.skip.as_ref().is_some_and(|skip| skip.kind == SkipKind::ExpectedFailure) {
        return Some("it was expected to fail before the change".to_owned());
    }
    if test.assertions.is_empty() && test.body.len() < EMPTY_BODY {
        return Some("its body was empty".to_owned());
    }
    let name = removed_subject(comparison, file, test)?;
    Some(format!("`{name}`, which it uses, is removed from the production code in the same change"))
}

/// A name in the test that production code defined or used before and nothing in the change does after.
fn removed_subject(comparison: &Comparison, file: &FileSide, test: &Test) -> Option<String> {
    let production = &comparison.production;
    if production.removed_definitions.is_empty() && production.vanished.is_empty() {
        return None;
    }
    let words = words_of(file, test);
    let defined =
        words.iter().find(|word| production.removed_definitions.contains(*word) && !is_word_of_checks(word));
    let vanished = || {
        words
            .iter()
            .find(|word| production.vanished.contains(&hash(word.as_bytes())) && !is_word_of_checks(word))
    };
    defined.or_else(vanished).cloned()
}

/// The identifiers in the source of a test.
fn words_of(file: &FileSide, test: &Test) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut words = Vec::new();
    for line in file.lines(test.span) {
        words.extend(line.split(|c| !is_part(c)).filter(|word| word.len() >= 3).map(str::to_owned));
    }
    words
}

fn is_word_of_checks(word: &str) -> bool {
    let lower = word.to_lowercase();
    WORDS_OF_CHECKS.split_whitespace().any(|check| check == lower)
        || lower.ends_with("error")
        || lower.ends_with("exception")
}
