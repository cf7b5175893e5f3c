//! Tests that come with a change and show what a function lets through now: then somebody meant it.

use crate::comparison::Comparison;
use crate::detectors::evidence::is_word_of_checks;
use crate::detectors::functions::Changed;
use crate::facts::{Assertion, ClaimKind, Exit, Test};
use crate::text::name_words;

/// Names of fewer letters are called by many tests.
const CALLED: usize = 5;

/// Shorter beginnings of words say nothing.
const STEM: usize = 4;

/// Words in the title of a test that shows what is let through.
const LETS: &[&str] = &["allow", "accept", "permit", "tolerat"];

/// Whether a new test calls the function, says in its title that it is about what was refused, asserts something, and expects
/// no error.
pub fn is_shown_by_tests(comparison: &Comparison, change: &Changed<'_>, exit: &Exit) -> bool {
    let name = change.new.short_name();
    let own = name_words(name);
    let mut asked = name_words(&exit.condition);
    asked.extend(name_words(&exit.text));
    asked.retain(|word| word.len() > 2 && !own.contains(word) && !is_word_of_checks(word));
    let says = |test: &Test| {
        let title = name_words(&test.name);
        let is_it = |word: &String, start: &str| start.len() >= STEM && word.starts_with(start);
        title.iter().any(|word| {
            asked.contains(word)
                || asked.iter().any(|start| is_it(word, start))
                || LETS.iter().any(|start| is_it(word, start))
        })
    };
    let fails = |one: &Assertion| one.claim.kind == ClaimKind::Raises && !one.claim.negated;
    let shows = |test: &Test| {
        test.words.contains(name)
            && !test.is_skipped()
            && test.assertions.iter().any(|one| one.reach.counts())
            && !test.assertions.iter().any(fails)
            && says(test)
    };
    name.len() >= CALLED && comparison.pairing.added.iter().any(|&at| shows(comparison.after(at).1))
}
