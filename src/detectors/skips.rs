//! Skips that are new to a kept test: what the rules on skipping have in common.

use crate::comparison::{At, Comparison, FileSide};
use crate::facts::{Skip, SkipKind, Test};
use crate::finding::{Finding, Severity};
use crate::pairing::Fate;

/// A skip on a test that had none as strong before.
pub struct NewSkip<'a> {
    pub before: At,
    pub after: At,
    pub skip: &'a Skip,
}

/// Skips of the after side that make a kept test run less than before.
pub fn new_skips(comparison: &Comparison) -> impl Iterator<Item = NewSkip<'_>> {
    comparison.pairing.fates.iter().filter_map(|(before, fate)| {
        let Fate::Same { after, .. } = fate else { return None };
        let (old, new) = (comparison.before(*before).1, comparison.after(*after).1);
        let skip = new.skip.as_ref().filter(|skip| rank(Some(skip)) > rank(old.skip.as_ref()));
        let skip = skip.or_else(|| new_condition(old, new)).or_else(|| wider_condition(old, new))?;
        Some(NewSkip { before: *before, after: *after, skip })
    })
}

/// A condition in addition to those that a test had.
fn new_condition<'a>(old: &Test, new: &'a Test) -> Option<&'a Skip> {
    let known = |skip: &Skip| old.conditions.iter().any(|old| old.mark == skip.mark);
    let more = rank(old.skip.as_ref()) <= 1 && new.conditions.len() > old.conditions.len();
    new.conditions.iter().filter(|_| more).find(|skip| !known(skip))
}

/// A condition that holds more often than the one it replaces: another alternative came to it.
fn wider_condition<'a>(old: &Test, new: &'a Test) -> Option<&'a Skip> {
    if rank(old.skip.as_ref()) > 1 || old.conditions.len() != new.conditions.len() {
        return None;
    }
    let changed = old.conditions.iter().zip(&new.conditions).find(|(old, new)| old.mark != new.mark);
    changed.filter(|(old, new)| has_more_alternatives(&old.mark, &new.mark)).map(|(_, new)| new)
}

/// Whether a condition has all words of another one, and offers further ones to choose from.
fn has_more_alternatives(old: &str, new: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '&' | '|' | '!');
        text.split(|c: char| !is_part(c)).filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let (old, new) = (words(old), words(new));
    let count =
        |words: &[String], of: &[&str]| words.iter().filter(|word| of.contains(&word.as_str())).count();
    let more = |of: &[&str]| count(&new, of) > count(&old, of);
    let kept = old.iter().all(|word| count(&new, &[word]) >= count(&old, &[word]));
    kept && (more(&["or", "||", "any"]) || more(&["in"])) && !more(&["and", "&&", "all", "not", "!"])
}

fn rank(skip: Option<&Skip>) -> u8 {
    match skip.map(|skip| skip.kind) {
        None => 0,
        Some(SkipKind::Conditional) => 1,
        Some(SkipKind::ExpectedFailure) => 2,
        Some(SkipKind::Focus | SkipKind::NotCollected | SkipKind::Unconditional) => 3,
    }
}

/// What to do about a skip; `then` is what follows once the mark is off.
pub fn remedy(skip: &Skip, path: &str, then: &str) -> String {
    let place = format!("`{}` ({path}:{})", skip.mark, skip.line);
    match skip.kind {
        SkipKind::Conditional => {
            format!("make sure that {place} holds only where the test really cannot run")
        }
        _ => format!("take {place} off and {then}"),
    }
}

/// Whether the condition of a skip only moved: the file skipped under it before, and does so no more often now.
fn was_asked(sides: [&FileSide; 2], skip: &Skip) -> bool {
    let plain = |text: &str| -> String { text.chars().filter(|c| !c.is_whitespace()).collect() };
    let Some(condition) = skip.under.as_deref().map(plain).filter(|condition| condition.len() >= ASKED)
    else {
        return false;
    };
    let condition = condition.trim_matches(['(', ')']);
    let [before, after] = sides.map(|side| {
        let code = side.code();
        let skips = |at: usize| code.iter().skip(at).take(NEAR).any(|line| says_skip(&line.code));
        let lines = code.iter().enumerate();
        lines.filter(|(at, line)| plain(&line.code).contains(condition) && skips(*at)).count()
    });
    before > 0 && after <= before
}

/// So many lines from a condition on are looked at for what it decides.
const NEAR: usize = 3;

fn says_skip(line: &str) -> bool {
    if line.trim_end().trim_end_matches(';').ends_with("return") {
        return true;
    }
    let lower = line.to_ascii_lowercase();
    ["skip", "assume", "ignore", "xfail", "disable"].iter().any(|word| lower.contains(word))
}

/// Shorter conditions are found by chance.
const ASKED: usize = 12;

/// A condition on the environment, or the one skip of the change that says why, is not a blocker.
pub fn lower_by_reason(finding: &mut Finding, sides: [&FileSide; 2], skip: &Skip, alone: bool) {
    match (&skip.kind, &skip.reason) {
        (SkipKind::Conditional, _) if was_asked(sides, skip) => {
            finding.lower(Severity::Low, "its file asked the same condition before");
        }
        (SkipKind::Conditional, _) => {
            finding.lower(Severity::Medium, "it depends on the environment, so it still runs elsewhere");
        }
        (_, Some(reason)) if alone && !reason.trim().is_empty() => {
            finding.lower(
                Severity::Medium,
                format!("it is the only skip of the change and gives a reason: {reason}"),
            );
        }
        _ => {}
    }
}
