//! Cases of tests that are kept as data: a flag, a suffix or a word that tells the runner of the project to leave one out.

use super::plain_lines::counts;
use super::report::{Draft, excerpt};
use super::test_skipped;
use crate::comparison::{Comparison, FileComparison, FileSide};
use crate::facts::{Definition, DefinitionKind, Span};
use crate::finding::{Finding, Severity, Side};
use crate::paths::PathClass;
use crate::text::{clipped, one_line};

/// Larger files are no work of hands.
const MOST_BYTES: usize = 512 << 10;

/// As much of a line is shown.
const SHOWN: usize = 80;

/// Words that tell to leave a case out.
const SKIPS: &[&str] = &["skip", "skipped", "xfail", "disabled", "pending"];

/// Names that tell so whatever stands around them; others may be settings of the code under test.
const FLAGS: &[&str] = &["skip", "skipped", "xfail"];

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    comparison.files.iter().filter(|file| file.class == PathClass::Test).filter_map(in_file).collect()
}

fn in_file(file: &FileComparison) -> Option<Finding> {
    let (before, after) = (file.before.as_ref()?, file.after.as_ref()?);
    let is_function = |definition: &Definition| definition.kind == DefinitionKind::Function;
    let holds_tests = |side: &FileSide| !side.facts.tests.is_empty();
    // Words of code may be about anything; a flag is one whatever stands beside it.
    let is_data = !after.facts.definitions.iter().any(is_function);
    let largest = before.text.len().max(after.text.len());
    if holds_tests(before) || holds_tests(after) || largest > MOST_BYTES || before.text.is_empty() {
        return None;
    }
    let region = String::from_utf8_lossy(after.lines_unlike(before));
    if !SKIPS.iter().any(|word| region.to_lowercase().contains(word)) {
        return None;
    }
    let was = String::from_utf8_lossy(before.lines_unlike(after));
    let (old, new) = (counts(&was), counts(&region));
    let is_gone = |(line, count): &(&&str, &usize)| new.get(*line).is_none_or(|now| now < count);
    let gone: Vec<&str> = old.iter().filter(is_gone).map(|(line, _)| *line).collect();
    let lines = (after.first_unlike(before)..).zip(region.lines().map(str::trim));
    let (number, line) =
        lines.into_iter().find(|(_, line)| !old.contains_key(line) && tells_to_skip(line, &gone, is_data))?;
    let line = clipped(&one_line(line), SHOWN);
    let draft = Draft {
        rule: test_skipped::ID,
        severity: Severity::Medium,
        confidence: 0.75,
        message: format!("a case of {} is now told to be left out: {line}", after.path),
        help: format!("take the mark off and make the case pass ({}:{number})", after.path),
    };
    let mut finding = draft.on(Side::After, after, number, after.path.clone());
    finding.detail = line.to_string();
    finding.after = excerpt(after, Span { start: number, end: number }, number, "this was not there before");
    Some(finding)
}

/// Whether a new line sets a flag to leave something out, or is an old one to which such a word came.
fn tells_to_skip(line: &str, gone: &[&str], is_data: bool) -> bool {
    let has_word = |text: &str| words(text).any(|word| SKIPS.contains(&word.as_str()));
    if !has_word(line) {
        return false;
    }
    let code = line.split(" //").next().unwrap_or(line).trim_end_matches([',', ';']);
    if let Some((name, value)) = code.split_once([':', '=']) {
        let value = value.trim().trim_matches(['"', '\'']);
        let is_name = name.trim().chars().all(|c| c.is_alphanumeric() || "-_.\"' ".contains(c));
        let is_flag = words(name).any(|word| FLAGS.contains(&word.as_str())) || words(name).count() == 1;
        if is_name && is_flag && has_word(name) && matches!(value, "true" | "True" | "yes" | "1") {
            return true;
        }
    }
    // `[case testA]` became `[case testA-skip]`.
    let bare = without_skips(line);
    is_data && gone.iter().any(|old| old.len() > 3 && !has_word(old) && without_skips(old) == bare)
}

fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// The words of a line but for those that tell to skip.
fn without_skips(line: &str) -> Vec<String> {
    words(line).filter(|word| !SKIPS.contains(&word.as_str())).collect()
}
