//! Why a lost test may be no loss: what is known about the code it was about.

use std::borrow::Cow;

use super::context::context;
use crate::collections::HashSet;
use crate::comparison::{Comparison, FileSide, Production};
use crate::facts::{Assertion, Scope, SkipKind, Strength, Test};
use crate::paths::PathClass;
use crate::similarity::hash;
use crate::text::name_words;

/// Names that vanish together with a check and say nothing about a feature.
const WORDS_OF_CHECKS: &str = "\
    and args arg arr array assert bool boolean box bytes catch char check config const data date dict double else err \
    error exception expect fail false float for from func function if import index instanceof int integer isinstance \
    key len length let list long map name new nil none not null number object option options panic path promise raise \
    regexp result return self set size str string symbol test tests this throw throws true try tuple type typeof types \
    undefined unwrap use value values var vec warn warning warnings";

/// Fewer tokens than this are no test worth missing.
const EMPTY_BODY: usize = 6;

/// Fewer tokens, of which an assertion that always holds is one part, do nothing else either.
const IDLE_BODY: usize = 12;

/// Fewer tokens, some of which write something, do nothing else.
const WRITING_BODY: usize = 20;

/// Names of what writes to people.
const OUTPUT: &[&str] = &["console", "print", "println", "printf", "Println", "Printf"];

/// What makes losing this test less severe, in words; `None` if nothing does.
pub fn for_removal(comparison: &Comparison, file: &FileSide, test: &Test) -> Option<String> {
    checked_nothing(test).or_else(|| without_subject(comparison, file, test))
}

/// Why there is nothing left that a test could be about.
pub fn without_subject(comparison: &Comparison, file: &FileSide, test: &Test) -> Option<String> {
    for_subject(comparison, file, test).or_else(|| orphaned(file, test))
}

/// Why nothing could build a test.
fn orphaned(file: &FileSide, test: &Test) -> Option<String> {
    let around = file.facts.surroundings.as_ref()?;
    let orphan = around.orphans.iter().find(|orphan| orphan.name == test.name)?;
    Some(format!("`{}`, which it uses, was not in the code before the change either", orphan.callee))
}

/// Whether a test has a body of braces or `pass` and nothing else: others look at what the runner makes of it.
pub fn does_nothing(test: &Test) -> bool {
    test.assertions.is_empty() && test.body.len() <= 1
}

/// Why a test could not have failed before the change either.
pub fn checked_nothing(test: &Test) -> Option<String> {
    if test.is_skipped() && !asserts_before_skip(test) {
        return Some("it was skipped before the change, so nothing that ran is lost".to_owned());
    }
    if test.skip.as_ref().is_some_and(|skip| skip.kind == SkipKind::ExpectedFailure) {
        return Some("it was expected to fail before the change".to_owned());
    }
    if test.assertions.is_empty() && test.body.len() < EMPTY_BODY {
        return Some("its body was empty".to_owned());
    }
    if test.assertions.is_empty()
        && test.body.len() < WRITING_BODY
        && OUTPUT.iter().any(|word| test.words.contains(word))
    {
        return Some("it only wrote something".to_owned());
    }
    let idle = |assertion: &Assertion| assertion.claim.strength == Strength::Tautology;
    if !test.assertions.is_empty() && test.assertions.iter().all(idle) && test.body.len() < IDLE_BODY {
        return Some("it only asserted what always holds".to_owned());
    }
    None
}

/// Whether a test checks something before it skips the rest of itself.
fn asserts_before_skip(test: &Test) -> bool {
    let Some(skip) = test.skip.as_ref().filter(|skip| skip.scope == Scope::Test) else { return false };
    let counts = |assertion: &Assertion| assertion.line < skip.line && assertion.line > test.line;
    test.assertions.iter().any(counts)
}

/// What the test was about and the change removes.
pub fn for_subject(comparison: &Comparison, file: &FileSide, test: &Test) -> Option<String> {
    let own = || {
        let used =
            removed_subject(comparison, file, test).filter(|_| !is_about_another(comparison, file, test));
        used.or_else(|| named_subject(comparison, file, test))
    };
    let (name, uses) = own()
        .map(|name| (name, "it uses"))
        .or_else(|| Some((set_up_subject(comparison, file, test)?, "its set-up uses")))
        .or_else(|| Some((title_subject(comparison, test)?, "it is named after")))
        .or_else(|| Some((file_subject(comparison, file)?, "its file is named after")))?;
    Some(format!("`{name}`, which {uses}, is removed from the production code in the same change"))
}

/// Whether a test uses what goes, but bears the name of something that stays in its own, and of nothing that goes.
pub fn is_about_another(comparison: &Comparison, file: &FileSide, test: &Test) -> bool {
    let production = &comparison.production;
    if production.only_shrinks || removed_subject(comparison, file, test).is_none() {
        return false;
    }
    let title = name_words(&test.name);
    let files = comparison.files.iter().filter(|file| file.class == PathClass::Production);
    let stay = files.filter_map(|file| file.after.as_ref()).flat_map(|side| &side.facts.definitions);
    let mut kept: HashSet<String> = HashSet::new();
    for one in stay.filter(|one| is_compound(&one.name) && test.words.contains(&one.name)) {
        let words = name_words(&one.name);
        if words.is_subset(&title) {
            kept.extend(words);
        }
    }
    let lines: Vec<Cow<'_, str>> = file.lines(test.span).collect();
    let words = words_of(&lines);
    // A name that is no definition is an option or a member: then the test may well be about it.
    if kept.is_empty() || vanished_among(comparison, &lines, &words).any(|word| !defines(production, word)) {
        return false;
    }
    let start = |word: &str| word.chars().take(STEM).collect::<String>();
    let others: HashSet<String> = title.difference(&kept).map(|word| start(word)).collect();
    let is_title = |gone: &&str| name_words(gone).iter().any(|word| others.contains(&start(word)));
    !words.iter().filter(|word| defines(production, word)).any(is_title)
}

/// Words that begin alike are forms of one.
const STEM: usize = 4;

fn defines(production: &Production, name: &str) -> bool {
    production.removed_definitions.contains(name)
}

/// A definition that goes and that the set-up, a field or a helper of the test's file uses for it.
fn set_up_subject(comparison: &Comparison, file: &FileSide, test: &Test) -> Option<String> {
    let removed = &comparison.production.removed_definitions;
    if !removed.iter().any(|name| is_distinctive(name)) {
        return None;
    }
    let lines = context(file, test);
    let found = words_of(&lines).into_iter().find(|word| is_distinctive(word) && removed.contains(*word));
    found.map(str::to_owned)
}

/// A definition that goes and whose name stands whole in that of the test file.
fn file_subject(comparison: &Comparison, file: &FileSide) -> Option<String> {
    let name = file.path.rsplit('/').next().unwrap_or(&file.path);
    let mut removed: Vec<&String> =
        comparison.production.removed_definitions.iter().filter(|word| is_compound(word)).collect();
    removed.sort();
    removed.into_iter().find(|word| uses_whole(name, word)).cloned()
}

/// Whether a name stands in that of a file without being a part of a longer one.
fn uses_whole(file: &str, name: &str) -> bool {
    file.match_indices(name).any(|(at, _)| {
        let (head, tail) = (&file[..at], &file[at + name.len()..]);
        !head.ends_with(char::is_alphanumeric)
            && (!tail.starts_with(char::is_alphanumeric)
                || tail.starts_with("Test")
                || tail.starts_with("Spec"))
    })
}

/// A name of several words that the test bears in its own, and that leaves the code.
fn title_subject(comparison: &Comparison, test: &Test) -> Option<String> {
    let production = &comparison.production;
    let leaves = |word: &&str| {
        production.removed_definitions.contains(*word) || production.vanished.contains(&hash(word.as_bytes()))
    };
    let mut parts = test.name.split(|c: char| !c.is_alphanumeric()).filter(|part| is_compound(part));
    parts.find(leaves).map(str::to_owned)
}

fn is_compound(name: &str) -> bool {
    name.len() >= DISTINCTIVE && name_words(name).len() > 1
}

/// Names of several words stand for one thing.
fn is_distinctive(name: &str) -> bool {
    is_compound(name) && !is_word_of_checks(name)
}

/// Shorter names stand for many things.
const DISTINCTIVE: usize = 8;

/// A name in the test that production code defined or used before and nothing in the change does after.
fn removed_subject(comparison: &Comparison, file: &FileSide, test: &Test) -> Option<String> {
    if comparison.production.leaves_all() {
        return None;
    }
    removed_among(comparison, &file.lines(test.span).collect::<Vec<_>>())
}

/// A member that a test bears in its name and uses, where the change takes code away and with it a definition of that name.
fn named_subject(comparison: &Comparison, file: &FileSide, test: &Test) -> Option<String> {
    let production = &comparison.production;
    if !production.only_shrinks || production.fewer_definitions.is_empty() {
        return None;
    }
    let words = name_words(&test.name);
    let lines: Vec<Cow<'_, str>> = file.lines(test.span).collect();
    let is_member = |name: &str| {
        lines.iter().any(|line| {
            uses(line, name).any(|found| found == Use::Reference) && line.contains(&format!(".{name}"))
        })
    };
    let mut named = production.fewer_definitions.iter().filter(|name| {
        let parts = name_words(name);
        !parts.is_empty() && parts.is_subset(&words) && is_member(name)
    });
    named.next().cloned()
}

fn removed_among(comparison: &Comparison, lines: &[Cow<'_, str>]) -> Option<String> {
    let production = &comparison.production;
    let words = words_of(lines);
    let defined =
        words.iter().find(|word| production.removed_definitions.contains(**word) && !is_word_of_checks(word));
    let vanished = || {
        let mut found = vanished_among(comparison, lines, &words);
        found.find(|word| is_in_name(word, &words) || !is_still_tested(comparison, word))
    };
    defined.copied().or_else(vanished).map(str::to_owned)
}

/// The words of a test that leave the production code.
fn vanished_among<'w>(
    comparison: &'w Comparison,
    lines: &'w [Cow<'_, str>],
    words: &'w [&'w str],
) -> impl Iterator<Item = &'w str> {
    let is_vanished = |word: &&str| comparison.production.vanished.contains(&hash(word.as_bytes()));
    // A variable of the test may share its name with one of the code by chance.
    let has = |kind: Use, word: &str| lines.iter().any(|line| uses(line, word).any(|found| found == kind));
    let found = words.iter().copied().filter(is_vanished).filter(|word| !is_word_of_checks(word));
    found.filter(move |word| has(Use::Reference, word) || !has(Use::Variable, word))
}

/// Whether a longer name in the test, mostly its own, bears a word.
fn is_in_name(word: &str, words: &[&str]) -> bool {
    words.iter().any(|name| name.len() > word.len() && name.contains('_') && name.contains(word))
}

/// Whether all that leaves the code of what a test uses are names that other tests still use: maybe it was about them.
pub fn has_common_subject(comparison: &Comparison, file: &FileSide, test: &Test) -> bool {
    let lines: Vec<Cow<'_, str>> = file.lines(test.span).collect();
    let words = words_of(&lines);
    vanished_among(comparison, &lines, &words).next().is_some()
}

/// Whether a test that the change keeps still uses a name: then some code still gives it a meaning.
fn is_still_tested(comparison: &Comparison, word: &str) -> bool {
    let sides = comparison.files.iter().filter_map(|file| file.after.as_ref());
    sides.flat_map(|side| &side.facts.tests).any(|test| test.words.contains(word))
}

/// A name in some lines of a test that the change takes out of the production code.
pub fn removed_name(comparison: &Comparison, lines: &[&str]) -> Option<String> {
    let lines: Vec<Cow<'_, str>> = lines.iter().map(|line| Cow::Borrowed(*line)).collect();
    removed_among(comparison, &lines)
}

/// What a name stands for at one place of a line, as far as its neighbours tell.
#[derive(PartialEq, Eq)]
enum Use {
    /// A variable is given a value.
    Variable,
    /// A member, a string or a named argument: something of the code under test.
    Reference,
    Other,
}

fn uses<'l>(line: &'l str, name: &'l str) -> impl Iterator<Item = Use> + 'l {
    line.match_indices(name).filter_map(move |(at, _)| {
        let (head, tail) = (&line[..at], &line[at + name.len()..]);
        if head.ends_with(is_name_part) || tail.starts_with(is_name_part) {
            return None;
        }
        let given = tail.trim_start();
        let is_given = given.starts_with('=') && !given.starts_with("==") && !given.starts_with("=>");
        Some(if head.ends_with(['.', '"', '\'', '`']) || (is_given && tail.starts_with('=')) {
            Use::Reference
        } else if is_given || given.starts_with(":=") {
            Use::Variable
        } else {
            Use::Other
        })
    })
}

/// The identifiers in the lines of a test.
fn words_of<'a>(lines: &'a [Cow<'_, str>]) -> Vec<&'a str> {
    let words = lines.iter().flat_map(|line| line.split(|c: char| !is_name_part(c)));
    words.filter(|word| word.len() >= 3).collect()
}

fn is_name_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

pub fn is_word_of_checks(word: &str) -> bool {
    let lower = word.to_lowercase();
    WORDS_OF_CHECKS.split_whitespace().any(|check| check == lower)
        || lower.ends_with("error")
        || lower.ends_with("exception")
}
