//! Cases of tests that are kept as data: a flag, a suffix or a word that tells the runner of the project to leave one out.

use crate::comparison::{Comparison, FileComparison, FileSide};
use crate::detectors::code_commented_out::plain_lines::counts;
use crate::detectors::report::{Draft, excerpt};
use crate::detectors::test_skipped;
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

/// Names of flags beside tests, without what separates their words.
const TEST_FLAGS: &[&str] = &["skip", "skipped", "xfail", "skiptest", "skiptests", "shouldskip", "isskipped"];

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let of_tests = comparison.files.iter().filter(|file| file.class == PathClass::Test);
    of_tests.filter_map(in_file).collect()
}

/// The same in files that hold tests themselves.
pub fn beside(comparison: &Comparison) -> Vec<Finding> {
    let of_tests = comparison.files.iter().filter(|file| file.class == PathClass::Test);
    of_tests.filter_map(beside_tests).collect()
}

/// A flag among tests, or among the rows of one, that is set now: `{ skip: true }`.
fn beside_tests(file: &FileComparison) -> Option<Finding> {
    let (before, after) = (file.before.as_ref()?, file.after.as_ref()?);
    if before.facts.tests.is_empty() || after.facts.tests.is_empty() {
        return None;
    }
    let (old, new) = (before.said(), after.said());
    file.places().iter().find_map(|place| {
        // A row that is new as a whole was never run.
        if place.new.len() > place.old.len() + 1 {
            return None;
        }
        let gone: Vec<&str> = old[place.old.clone()].iter().map(|line| line.code.as_str()).collect();
        let mut come = new[place.new.clone()].iter();
        let line = come.find(|line| {
            flag_set(&line.code).is_some_and(|(flag, rest)| {
                let was_there = gone.iter().any(|old| unset(old).is_some_and(|old| old == rest))
                    || rest.is_empty() && gone.len() < place.new.len();
                was_there
                    && !gone.iter().any(|old| flag_set(old).is_some())
                    && asks(after, line.number, &flag)
            })
        })?;
        Some(finding(after, line.number))
    })
}

/// The name of a flag that a line sets, and what else stands on the line.
fn flag_set(code: &str) -> Option<(String, String)> {
    flag_of(code, &["true", "True"]).filter(|(flag, _)| !flag.is_empty())
}

/// A line without the flag that it sets to false, or without one at all.
fn unset(code: &str) -> Option<String> {
    let rest = flag_of(code, &["false", "False"]).map(|(_, rest)| rest);
    rest.or_else(|| Some(without_brackets(code)))
}

fn flag_of(code: &str, values: &[&str]) -> Option<(String, String)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices([':', '=']).find_map(|(at, _)| {
        let head = code[..at].trim_end_matches(['"', '\'']);
        let start = head.trim_end_matches(is_part).len();
        let name = head[start..].to_owned();
        let value = values.iter().find(|value| code[at + 1..].starts_with(**value))?;
        let is_flag = TEST_FLAGS.contains(&name.to_lowercase().replace('_', "").as_str());
        let tail = &code[at + 1 + value.len()..];
        let is_whole = !tail.starts_with(|c: char| is_part(c) || c == '.' || c == '&' || c == '|');
        let rest = without_brackets(&format!("{}{tail}", head[..start].trim_end_matches(['"', '\''])));
        (is_flag && is_whole).then_some((name, rest))
    })
}

/// What a line says but for brackets and commas around it, which come and go with a flag.
fn without_brackets(code: &str) -> String {
    code.chars().filter(|c| !matches!(c, '{' | '}' | ',' | ';' | '(' | ')')).collect()
}

/// Whether a flag tells about tests: it stands outside of them, or the test around it asks for it and skips.
fn asks(side: &FileSide, line: u32, flag: &str) -> bool {
    let mut around =
        side.facts.tests.iter().filter(|test| test.span.start <= line && line <= test.span.end).peekable();
    if around.peek().is_none() {
        return true;
    }
    around.any(|test| {
        let inside = side.facts.tests.iter().filter(|one| test.span.contains(one.span));
        let mut skips = inside.flat_map(|one| &one.conditions);
        skips.any(|skip| {
            let said = format!("{} {}", skip.mark, skip.under.as_deref().unwrap_or_default());
            said.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == flag)
        })
    })
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
    let (number, _) =
        lines.into_iter().find(|(_, line)| !old.contains_key(line) && tells_to_skip(line, &gone, is_data))?;
    Some(finding(after, number))
}

fn finding(after: &FileSide, number: u32) -> Finding {
    let here = Span { start: number, end: number };
    let written = after.lines(here).next().unwrap_or_default();
    let line = clipped(&one_line(written.trim()), SHOWN);
    let draft = Draft {
        rule: test_skipped::ID,
        severity: Severity::Medium,
        confidence: 0.75,
        message: format!("a case of {} is now told to be left out: {line}", after.path),
        help: format!("take the mark off and make the case pass ({}:{number})", after.path),
    };
    let mut finding = draft.on(Side::After, after, number, after.path.clone());
    finding.detail = line.to_string();
    finding.after = excerpt(after, here, number, "this was not there before");
    finding
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
