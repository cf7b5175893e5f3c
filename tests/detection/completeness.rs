//! The fixtures themselves: no rule without cases, no case without an expectation.

use aiwg_gate::detectors;
use aiwg_gate::languages;

use super::case::{CONFIG, GROUND_RULES, LANGUAGES, RULES, all, entries, file_name, of_cell, root};

const FIRES: usize = 2;
const QUIET: usize = 3;

/// Cells in which a rule has nothing to look at, with the reason.
const SENSELESS: &[(&str, &str, &str)] = &[];

/// How each name goes on after its first word.
const OPENINGS: &[&str] = &["when", "for", "on", "if", "with", "without", "though", "where", "about"];

#[test]
fn rules_and_languages_are_those_of_the_crate() {
    let names = detectors::names();
    assert!(RULES.iter().chain(GROUND_RULES).all(|rule| names.contains(rule)), "{names:?}");
    let known: Vec<&str> = languages::LANGUAGES.iter().map(|language| language.name).collect();
    assert!(LANGUAGES.iter().all(|language| known.contains(language)), "{known:?}");
    let uncovered = known.iter().filter(|name| !LANGUAGES.contains(name));
    assert_eq!(uncovered.count(), 0, "a language without fixtures");
}

#[test]
fn every_cell_has_enough_cases_or_a_reason() {
    for rule in RULES {
        for language in LANGUAGES {
            let cases = of_cell(rule, language);
            let fires = cases.iter().filter(|case| case.fires()).count();
            let quiet = cases.len() - fires;
            let excused = SENSELESS.iter().find(|(r, l, _)| r == rule && l == language);
            if let Some((_, _, reason)) = excused {
                assert!(!reason.is_empty() && fires < FIRES, "{rule}/{language} needs no excuse");
                continue;
            }
            assert!(
                fires >= FIRES && quiet >= QUIET && quiet >= fires,
                "{rule}/{language}: {fires} firing and {quiet} quiet cases"
            );
        }
    }
}

#[test]
fn rules_about_configuration_have_cases_over_many_formats() {
    for rule in GROUND_RULES {
        let cases = of_cell(rule, CONFIG);
        let fires = cases.iter().filter(|case| case.fires()).count();
        let quiet = cases.len() - fires;
        assert!(fires >= 5 * FIRES && quiet >= 5 * QUIET, "{rule}: {fires} firing and {quiet} quiet cases");
    }
}

#[test]
fn folders_are_rules_and_languages() {
    for rule in entries(&root()) {
        let name = file_name(&rule);
        let of_ground = GROUND_RULES.contains(&name.as_str());
        assert!(of_ground || RULES.contains(&name.as_str()), "{} is no rule", rule.display());
        for language in entries(&rule) {
            let name = file_name(&language);
            assert!(name == CONFIG || LANGUAGES.contains(&name.as_str()), "{}", language.display());
        }
    }
}

#[test]
fn every_firing_case_says_what_it_expects() {
    for case in all() {
        if case.fires() {
            assert!(!case.lines("expected.txt").is_empty(), "{} expects nothing", case.label());
        } else {
            assert!(!case.has("expected.txt") && !case.has("also.txt"), "{} is quiet", case.label());
        }
    }
}

#[test]
fn every_case_is_a_change() {
    let known = ["before", "after", "expected.txt", "also.txt", "logged.txt", "message.txt"];
    for case in all() {
        assert!(!case.before.is_empty() || !case.after.is_empty(), "{} has no files", case.label());
        let same = case.before.len() == case.after.len()
            && case.before.iter().zip(&case.after).all(|(a, b)| a.path == b.path && a.text == b.text);
        assert!(!same, "{} changes nothing", case.label());
        for entry in entries(&case.folder) {
            assert!(known.contains(&file_name(&entry).as_str()), "{}", entry.display());
        }
    }
}

#[test]
fn names_are_sentences() {
    for case in all() {
        let words: Vec<&str> = case.name.split('_').collect();
        let is_word = |word: &&str| {
            !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        };
        assert!(words.iter().all(is_word), "{}: not in snake case", case.label());
        assert!(matches!(words[0], "fires" | "quiet"), "{}: fires or quiet", case.label());
        assert!(words.len() >= 4, "{}: too short", case.label());
        assert!(OPENINGS.contains(&words[1]), "{}: fires or quiet when?", case.label());
    }
}
