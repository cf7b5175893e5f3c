//! What must hold for every pair of sides.

use std::sync::LazyLock;

use aiwg_gate::comparison::{Comparison, FileComparison};
use aiwg_gate::detectors;
use aiwg_gate::facts::Health;
use aiwg_gate::languages::{Source, analyze, analyze_pair};
use aiwg_gate::pairing::Fate;
use aiwg_gate::policy::Policy;
use aiwg_gate::report::json;
use aiwg_gate::verdict::Action;
use proptest::prelude::*;

use super::case::{Case, all, check, full};
use super::trees::{TreeFile, compare_trees};

static CASES: LazyLock<Vec<Case>> = LazyLock::new(all);

/// The findings that block or warn, one a line.
fn loud(before: &[TreeFile], after: &[TreeFile]) -> Vec<String> {
    let report = check(before, after);
    report.findings.iter().filter(|judged| judged.action > Action::Log).map(full).collect()
}

fn compare(before: &[TreeFile], after: &[TreeFile]) -> Comparison {
    compare_trees(before, after, &Policy::default()).expect("two trees can be compared")
}

/// Both sides of every case, each with a name for messages.
fn sides() -> impl Iterator<Item = (String, &'static [TreeFile])> {
    CASES.iter().flat_map(|case| {
        let label = case.label();
        [(format!("{label}/before"), &case.before[..]), (format!("{label}/after"), &case.after[..])]
    })
}

fn is_clean(side: &[TreeFile]) -> bool {
    let files = compare(&[], side).files;
    files.iter().flat_map(|file| &file.after).all(|file| file.facts.health != Health::Partial)
}

fn rewritten(side: &[TreeFile], rewrite: impl Fn(&str) -> String) -> Vec<TreeFile> {
    let file = |file: &TreeFile| {
        let text = String::from_utf8_lossy(&file.text);
        TreeFile { path: file.path.clone(), text: rewrite(&text).into_bytes().into() }
    };
    side.iter().map(file).collect()
}

#[test]
fn a_side_compared_with_itself_finds_nothing() {
    for (label, side) in sides() {
        let files = compare(&[], side).files.into_iter();
        let doubled = files.map(|file| FileComparison::new(file.after.clone(), file.after, file.class));
        let found = detectors::detect(&Comparison::new("HEAD".to_owned(), doubled.collect()));
        assert!(found.is_empty(), "{label}: {found:?}");
    }
}

/// One value for another, and a claim for its opposite, are as bad the other way round; and to undo a new refusal is to
/// let through what was refused.
fn works_both_ways(case: &Case) -> bool {
    case.rule == "expectation-rewritten"
        || case.name.contains("opposite")
        || case.name.contains("now_refuses")
}

/// Whether a test of a file is run for more rows than before.
fn gains_rows(file: &FileComparison) -> bool {
    let (Some(before), Some(after)) = (&file.before, &file.after) else { return false };
    after.facts.tests.iter().any(|is| {
        let mut same = before.facts.tests.iter().filter(|was| was.qualified_name() == is.qualified_name());
        same.any(|was| was.cases < is.cases)
    })
}

/// Whether a test that stays asserts more than before.
fn gains_assertions(comparison: &Comparison) -> bool {
    comparison.pairing.fates.iter().any(|(old, fate)| match fate {
        Fate::Same { after, .. } => {
            comparison.before(*old).1.assertions.len() < comparison.after(*after).1.assertions.len()
        }
        _ => false,
    })
}

#[test]
fn undoing_what_fires_is_quiet() {
    // Where the change adds tests, rows or assertions as well, undoing it takes those out.
    let only_loses = |case: &&Case| {
        let comparison = compare(&case.before, &case.after);
        comparison.pairing.added.is_empty()
            && !comparison.files.iter().any(gains_rows)
            && !gains_assertions(&comparison)
    };
    for case in CASES.iter().filter(|case| case.fires() && !works_both_ways(case)).filter(only_loses) {
        let found = loud(&case.after, &case.before);
        assert!(found.is_empty(), "{}, swapped: {found:?}", case.label());
    }
}

#[test]
fn taking_a_test_that_runs_again_out_of_the_run_fires() {
    let mut seen = 0;
    for case in CASES.iter().filter(|case| !case.fires() && case.name.ends_with("_runs_again")) {
        let found = loud(&case.after, &case.before);
        assert!(found.iter().any(|line| line.starts_with(&case.rule)), "{}: {found:?}", case.label());
        seen += 1;
    }
    assert!(seen >= 6, "cases named ..._runs_again");
}

#[test]
fn other_indentation_and_blank_lines_find_nothing() {
    let reformat = |text: &str| -> String {
        let indent = |line: &str| " ".repeat(line.len() - line.trim_start_matches(' ').len());
        // What belongs to an item of a list in YAML stands below its first key.
        let widened = |line: &str| match line.trim_start_matches(' ').strip_prefix("- ") {
            Some(item) => format!("{}-   {item}", indent(line)),
            None => line.to_owned(),
        };
        text.lines().map(|line| format!("{}{}\n\n", indent(line), widened(line))).collect()
    };
    for (label, side) in sides().filter(|(_, side)| is_clean(side)) {
        let found = loud(side, &rewritten(side, reformat));
        assert!(found.is_empty(), "{label}, reformatted: {found:?}");
    }
}

#[test]
fn facts_do_not_depend_on_what_the_parser_reuses() {
    for case in CASES.iter() {
        for (old, new) in [(&case.before, &case.after), (&case.after, &case.before)] {
            for (old, new) in old.iter().flat_map(|old| new.iter().map(move |new| (old, new))) {
                let (before, after) = (source(old), source(new));
                let (helped, alone) = (analyze_pair(before, after), (analyze(before), analyze(after)));
                if helped != alone {
                    panic!("{}: {}", case.label(), difference(&helped, &alone));
                }
            }
        }
    }
}

/// The lines that one of two values shows and the other does not.
fn difference(one: &impl std::fmt::Debug, other: &impl std::fmt::Debug) -> String {
    let (one, other) = (format!("{one:#?}"), format!("{other:#?}"));
    let lines = one.lines().zip(other.lines()).filter(|(one, other)| one != other).take(8);
    lines.map(|(one, other)| format!("\n{one} / {other}")).collect()
}

/// Ways to put letters of several bytes where rules look for the ends of words, numbers and texts.
const LONG_LETTERS: &[(&str, &str)] = &[
    ("\"", "\"→"),
    ("\"", "…\""),
    ("(", "(é"),
    (":", "→:"),
    ("=", "€="),
    ("..", "…"),
    (" ", "\u{a0} "),
    (".", ".é"),
];

#[test]
fn letters_of_several_bytes_make_no_rule_panic() {
    for (index, case) in CASES.iter().enumerate() {
        let (from, to) = LONG_LETTERS[index % LONG_LETTERS.len()];
        let after = rewritten(&case.after, |text| text.replace(from, to));
        check(&case.before, &after);
        check(&rewritten(&case.before, |text| text.replace(from, to)), &after);
    }
}

fn source(file: &TreeFile) -> Source<'_> {
    Source { path: &file.path, text: &file.text }
}

#[test]
fn a_second_run_says_the_same() {
    for case in CASES.iter() {
        let print = || json::render(&check(&case.before, &case.after), 0).expect("a report as JSON");
        assert_eq!(print(), print(), "{}", case.label());
    }
}

/// The fingerprints of all findings, sorted.
fn fingerprints(before: &[TreeFile], after: &[TreeFile]) -> Vec<String> {
    fingerprints_of(before, after, |_| true)
}

fn fingerprints_of(before: &[TreeFile], after: &[TreeFile], rule: impl Fn(&str) -> bool) -> Vec<String> {
    let findings = check(before, after).findings.into_iter().map(|judged| judged.finding);
    let of_rule = findings.filter(|finding| rule(&finding.rule.name));
    let mut found: Vec<String> = of_rule.map(|finding| finding.fingerprint()).collect();
    found.sort();
    found
}

/// Whether what a rule finds does not depend on there being other code in the change, which lowers parts of a compound.
fn looks_at_its_place(rule: &str) -> bool {
    !matches!(rule, "expectation-rewritten" | "weakened-and-uncovered")
}

#[test]
fn confidence_is_a_share() {
    for case in CASES.iter() {
        let findings = check(&case.before, &case.after).findings;
        assert!(
            findings.iter().all(|judged| (0.0..=1.0).contains(&judged.finding.confidence)),
            "{}",
            case.label()
        );
    }
}

#[test]
fn fingerprints_survive_fifty_blank_lines_at_the_top() {
    let lower = |text: &str| "\n".repeat(50) + text;
    for case in CASES.iter() {
        let (before, after) = (rewritten(&case.before, lower), rewritten(&case.after, lower));
        assert_eq!(
            fingerprints(&case.before, &case.after),
            fingerprints(&before, &after),
            "{}",
            case.label()
        );
    }
}

#[test]
fn fingerprints_within_a_change_are_distinct() {
    for case in CASES.iter() {
        let findings = check(&case.before, &case.after).findings;
        let mut found: Vec<String> = findings.iter().map(|judged| judged.finding.fingerprint()).collect();
        let count = found.len();
        found.sort();
        found.dedup();
        assert_eq!(found.len(), count, "{}", case.label());
    }
}

fn any_case() -> impl Strategy<Value = &'static Case> {
    (0..CASES.len()).prop_map(|index| &CASES[index])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_order_of_files_changes_nothing(case in any_case(), seed in any::<u64>()) {
        let shuffled = |files: &[TreeFile]| shuffle(files.to_vec(), seed);
        prop_assert_eq!(
            loud(&case.before, &case.after),
            loud(&shuffled(&case.before), &shuffled(&case.after)),
            "{}", case.label()
        );
        let comparison = compare(&case.before, &case.after);
        let found = detectors::detect(&comparison);
        let (documents, changed) = (comparison.documents.into_iter(), comparison.production.changed);
        let mut shuffled = Comparison::new("HEAD".to_owned(), shuffle(comparison.files, seed)).with_all(documents);
        // Code of others is no longer at hand.
        shuffled.production.changed = changed;
        prop_assert_eq!(found, detectors::detect(&shuffled), "{}", case.label());
    }

    #[test]
    fn fingerprints_survive_edits_elsewhere(case in any_case(), seed in any::<u64>(), lines in 0usize..9) {
        let lower = |text: &str| "\n".repeat(lines) + text;
        let unrelated = |name: &str| TreeFile {
            path: "lib/zz_unrelated.py".to_owned(),
            text: format!("def zz_{name}(rate):\n    return rate * 17 - 4\n").into_bytes().into(),
        };
        let (before, mut after) = (&case.before, rewritten(&case.after, lower));
        prop_assume!(is_clean(before) && is_clean(&after));
        let known = fingerprints_of(before, &after, looks_at_its_place);
        let mut renamed = before.clone();
        renamed.push(unrelated("old"));
        after.push(unrelated("new"));
        let (renamed, after) = (shuffle(renamed, seed), shuffle(after, seed));
        prop_assert_eq!(known, fingerprints_of(&renamed, &after, looks_at_its_place), "{}", case.label());
    }

    #[test]
    fn blank_lines_anywhere_find_nothing(case in any_case(), seed in any::<u64>()) {
        let mut state = seed;
        let mut lines = || { state = next(state); "\n".repeat((state >> 33) as usize % 3) };
        let side = &case.before;
        prop_assume!(is_clean(side));
        let spread: Vec<TreeFile> = side.iter().map(|file| {
            let text = String::from_utf8_lossy(&file.text);
            let text: String = text.lines().map(|line| format!("{line}\n{}", lines())).collect();
            TreeFile { path: file.path.clone(), text: text.into_bytes().into() }
        }).collect();
        let found = loud(side, &spread);
        prop_assert!(found.is_empty(), "{}: {:?}", case.label(), found);
    }
}

fn shuffle<T>(mut items: Vec<T>, seed: u64) -> Vec<T> {
    let mut state = seed;
    for index in (1..items.len()).rev() {
        state = next(state);
        items.swap(index, (state >> 33) as usize % (index + 1));
    }
    items
}

/// A linear congruential step; the high bits are good enough to shuffle by.
fn next(state: u64) -> u64 {
    state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407)
}
