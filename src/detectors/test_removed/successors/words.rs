//! What a lost test spoke of, by its words and its name, looked for in other tests.

use super::NEARBY;
use crate::comparison::{At, Comparison};
use crate::detectors::test_removed::losses::Losses;
use crate::facts::Test;
use crate::text::name_words;

/// Another test has taken over a lost one where it has so many of its words ...
const HEIR: f64 = 0.6;
/// ... or so many where it is new ...
const NEW_HEIR: f64 = 0.3;
/// ... and so many of them are new to it.
const INHERITED: f64 = 0.2;
/// Tests of fewer words are all alike.
const SAID: usize = 16;

pub fn has_heir(comparison: &Comparison, losses: &Losses, at: At) -> bool {
    let (_, lost) = comparison.before(at);
    if lost.words.len() < SAID {
        return false;
    }
    let share = |has: &dyn Fn(u64) -> bool| {
        let found = lost.words.iter().filter(|&word| has(word)).count();
        found as f64 / lost.words.len().max(1) as f64
    };
    let is_heir = |new: At, old: Option<At>| {
        let words = &comparison.after(new).1.words;
        let had = |word| old.is_some_and(|old| comparison.before(old).1.words.has_hash(word));
        share(&|word| words.has_hash(word)) >= if old.is_some() { HEIR } else { NEW_HEIR }
            && share(&|word| words.has_hash(word) && !had(word)) >= INHERITED
    };
    losses.running(at.file).iter().take(NEARBY).any(|&(new, old)| is_heir(new, old))
}

/// Names of fewer words are found in many others.
const NAMED: usize = 3;
/// So many words a new test needs of a lost one that its name speaks of.
const NAMESAKE: f64 = 0.15;
/// So much of a lost test's name is in that of its kin.
const KIN: f64 = 0.6;

/// Whether a new test of the file has all words of the lost one's name in its own, and says something of the same.
pub fn has_namesake(comparison: &Comparison, losses: &Losses, at: At) -> bool {
    let new = losses.running(at.file).iter().filter(|(_, old)| old.is_none()).take(NEARBY);
    is_named_by(comparison, at, new.map(|&(new, _)| new))
}

/// The same of any new test of the change.
pub fn has_namesake_elsewhere(comparison: &Comparison, losses: &Losses, at: At) -> bool {
    is_named_by(comparison, at, losses.new.iter().take(NEARBY).copied())
}

/// Whether a new test, wherever it stands, bears the very name of the lost one and asserts something.
pub fn has_its_name(comparison: &Comparison, losses: &Losses, at: At) -> bool {
    let (_, lost) = comparison.before(at);
    let new = losses.new.iter().take(NEARBY).map(|&new| comparison.after(new).1);
    name_words(&lost.name).len() >= 2
        && new.into_iter().any(|new| {
            new.name == lost.name
                && (!new.assertions.is_empty() || lost.assertions.is_empty())
                && !new.is_skipped()
        })
}

fn is_named_by(comparison: &Comparison, at: At, mut new: impl Iterator<Item = At>) -> bool {
    let (_, lost) = comparison.before(at);
    let wanted = name_words(&lost.name);
    let shared = |new: &Test| {
        let found = lost.words.iter().filter(|&word| new.words.has_hash(word)).count();
        found as f64 >= NAMESAKE * lost.words.len() as f64
    };
    wanted.len() >= NAMED
        && new.any(|new| {
            let new = comparison.after(new).1;
            let says_as_much = !new.assertions.is_empty() || lost.assertions.is_empty();
            says_as_much && wanted.is_subset(&name_words(&new.qualified_name())) && shared(new)
        })
}

/// So many words of its name a relative shares.
const RELATED: usize = 2;

/// Whether a new test of the change, wherever it stands, does something and has half of its name from the lost one.
pub fn has_relative(comparison: &Comparison, losses: &Losses, at: At) -> bool {
    let (_, lost) = comparison.before(at);
    let wanted = name_words(&lost.name);
    let new = losses.new.iter().take(NEARBY).map(|&new| comparison.after(new).1);
    new.into_iter().any(|new| {
        let words = name_words(&new.name);
        let common = words.intersection(&wanted).count();
        new.body.len() >= SAID && !new.is_skipped() && common >= RELATED && 2 * common >= words.len()
    })
}

/// Whether tests that stay in the file bear the whole of the lost one's name, and more: each of them is a case of it.
pub fn has_offspring(comparison: &Comparison, losses: &Losses, at: At) -> bool {
    let (_, lost) = comparison.before(at);
    let begins = |name: &str| {
        let rest = name.strip_prefix(lost.name.as_str());
        rest.is_some_and(|rest| rest.starts_with(['_', ' ', '-']) || rest.starts_with(char::is_uppercase))
    };
    let kept = losses.running(at.file).iter().take(NEARBY).map(|(new, _)| comparison.after(*new).1);
    kept.filter(|test| begins(&test.name)).count() >= RELATED
}

/// Whether a new test of the file bears most of the lost one's name and asserts as much: the same case, told in another way.
pub fn has_kin(comparison: &Comparison, losses: &Losses, at: At) -> bool {
    let (_, lost) = comparison.before(at);
    let wanted = name_words(&lost.name);
    let new = losses.running(at.file).iter().filter(|(_, old)| old.is_none()).take(NEARBY);
    new.map(|&(new, _)| comparison.after(new).1).any(|new| {
        let common = name_words(&new.name).intersection(&wanted).count();
        let is_kin = common >= NAMED && common as f64 >= KIN * wanted.len() as f64;
        is_kin && !new.assertions.is_empty() && new.assertions.len() >= lost.assertions.len()
    })
}

/// Whether a file goes as a whole, and another one of its folder that changes has a running test of the very name: what was
/// tried out beside something took its place.
pub fn has_twin_beside(comparison: &Comparison, losses: &Losses, at: At) -> bool {
    let (side, lost) = comparison.before(at);
    let folder = |path: &str| path.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_owned());
    let here = folder(&side.path);
    let is_beside = |file: &usize| {
        let other = &comparison.files[*file];
        *file != at.file && other.after.as_ref().is_some_and(|after| folder(&after.path) == here)
    };
    let is_twin = |new: &At| {
        let test = comparison.after(*new).1;
        test.name == lost.name && test.suite == lost.suite && !test.assertions.is_empty()
    };
    comparison.files[at.file].after.is_none()
        && losses.removed.len() <= NEARBY
        && name_words(&lost.name).len() >= NAMED
        && (0..comparison.files.len())
            .filter(is_beside)
            .any(|file| losses.running(file).iter().take(NEARBY).any(|(new, _)| is_twin(new)))
}

/// So many words of a lost test another one needs that carries it on.
const CONTINUED: f64 = 0.4;
/// So many where it has few of them ...
const CONTINUED_SHORTLY: f64 = 0.6;
/// ... and fewer than this are all alike.
const FEW: usize = 8;

/// Whether a test that is new or was rewritten, wherever it stands, speaks of much the same as a lost one.
pub fn is_told(comparison: &Comparison, losses: &Losses, at: At) -> bool {
    let (_, lost) = comparison.before(at);
    let needed = match lost.words.len() {
        0..FEW => return false,
        FEW..SAID => CONTINUED_SHORTLY,
        _ => CONTINUED,
    };
    let tells = |new: At| {
        let test = comparison.after(new).1;
        let found = lost.words.iter().filter(|&word| test.words.has_hash(word)).count();
        !test.assertions.is_empty() && found as f64 >= needed * lost.words.len() as f64
    };
    losses.rewritten.iter().take(NEARBY).any(|&new| tells(new))
}
