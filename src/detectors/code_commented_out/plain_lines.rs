//! Lines that were put behind a comment mark where facts do not reach: in scripts and build files that no language pack
//! reads, and in test files outside of the tests, as in lists of what is run.

use crate::collections::{HashMap, HashSet};
use crate::comparison::{Comparison, FileComparison, FileSide};
use crate::detectors::assertion_weakened;
use crate::detectors::code_commented_out;
use crate::detectors::code_lines::is_scratch;
use crate::detectors::report::{Draft, excerpt};
use crate::detectors::test_skipped;
use crate::facts::{ProjectFacts, Span, Test};
use crate::finding::{Finding, RuleId, Severity, Side};
use crate::pairing::Fate;
use crate::paths::PathClass;
use crate::text::plural;

/// Larger files are no work of hands.
const MOST_BYTES: usize = 1 << 20;

/// Shorter lines are brackets and keywords, which stand everywhere.
const MIN_CODE: usize = 6;

/// So many lines are enough to tell of.
const MOST_LINES: usize = 200;

/// Marks that make a line a comment in one language or another.
const MARKS: &[&str] = &["//", "#", "--", "<!--", "/*", "REM ", "rem ", "dnl "];

/// Words of lines that check something, whatever the language.
const CHECKS: &[&str] = &["assert", "expect", "should", "verify", "validate", "check"];

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    // Of whole tests another rule tells.
    let told: HashSet<usize> = comparison
        .pairing
        .fates
        .iter()
        .filter(|(_, fate)| matches!(fate, Fate::CommentedOut { .. }))
        .map(|(at, _)| at.file)
        .collect();
    let files = comparison.files.iter().enumerate().filter(|(at, _)| !told.contains(at));
    files.filter_map(|(_, file)| in_file(file)).collect()
}

fn in_file(file: &FileComparison) -> Option<Finding> {
    let (before, after) = (file.before.as_ref()?, file.after.as_ref()?);
    let is_test = file.class == PathClass::Test;
    let is_plain = after.facts.language.is_empty();
    let largest = before.text.len().max(after.text.len());
    if !is_test && !is_plain || is_scratch(&after.path) || largest > MOST_BYTES || reads_itself(after) {
        return None;
    }
    let lines = commented(before, after);
    let outside: Vec<&Line> = lines
        .iter()
        .filter(|line| !stands_in_test(before, &line.code) && !is_ground(before, after, line))
        .collect();
    let first = outside.first()?;
    let what = match (is_test, outside.iter().any(|line| checks(&line.code))) {
        (true, true) => What::Check,
        (true, false) => What::Case,
        (false, _) => What::Code,
    };
    let many = plural(outside.len(), "line").to_owned();
    let draft = Draft {
        rule: what.rule(),
        severity: Severity::Medium,
        confidence: 0.75,
        message: format!("{many} of {} commented out{}", after.path, what.so()),
        help: "take the comment marks off, or delete the lines if they are meant to go".to_owned(),
    };
    let mut finding = draft.on(Side::After, after, first.number, after.path.clone());
    finding.detail = "commented".to_owned();
    let last = outside.last().map_or(first.number, |line| line.number);
    finding.after =
        excerpt(after, Span { start: first.number, end: last }, first.number, "this counted before");
    finding.evidence.push(format!("the same lines stood in {} before", before.path));
    Some(finding)
}

/// Readers of pipelines look at comments themselves.
fn reads_itself(side: &FileSide) -> bool {
    let is_pipeline = side.path.ends_with(".yml") || side.path.ends_with(".yaml");
    is_pipeline && side.facts.project.is_some()
}

/// Whether what a line was, or is, counts as a check or a setting of the project: other rules tell of those.
fn is_ground(before: &FileSide, after: &FileSide, line: &Line) -> bool {
    let is_comment = |facts: &ProjectFacts| facts.commented.iter().any(|check| check.line == line.number);
    let was_known = |facts: &ProjectFacts| {
        let numbers = facts.checks.iter().map(|check| check.line);
        let mut numbers = numbers.chain(facts.settings.iter().map(|setting| setting.line));
        numbers.any(|number| {
            before.lines(Span { start: number, end: number }).any(|text| text.trim() == line.code)
        })
    };
    after.facts.project.as_deref().is_some_and(is_comment)
        || before.facts.project.as_deref().is_some_and(was_known)
}

/// What a test file or another one loses with its lines.
#[derive(Clone, Copy)]
enum What {
    Check,
    Case,
    Code,
}

impl What {
    fn rule(self) -> RuleId {
        match self {
            Self::Check => assertion_weakened::ID,
            Self::Case => test_skipped::ID,
            Self::Code => code_commented_out::ID,
        }
    }

    fn so(self) -> &'static str {
        match self {
            Self::Check => ": what they check is no longer checked",
            Self::Case => ": what they list for the tests no longer counts",
            Self::Code => "",
        }
    }
}

/// A line of the after side that is a comment, and was code.
struct Line {
    number: u32,
    code: String,
}

fn commented(before: &FileSide, after: &FileSide) -> Vec<Line> {
    let region = String::from_utf8_lossy(after.lines_unlike(before));
    // Most changes put nothing behind a mark.
    if !region.lines().any(|line| bare(line.trim()).is_some()) {
        return Vec::new();
    }
    let was = String::from_utf8_lossy(before.lines_unlike(after));
    let (old, new) = (counts(&was), counts(&region));
    let mut gone: HashMap<&str, usize> = HashMap::new();
    for (line, count) in &old {
        let left = count.saturating_sub(new.get(line).copied().unwrap_or(0));
        if left > 0 {
            gone.insert(line, left);
        }
    }
    let start = after.first_unlike(before);
    let mut found = Vec::new();
    for (number, line) in (start..).zip(region.lines()) {
        let line = line.trim();
        let Some(code) = bare(line).filter(|_| !old.contains_key(line)) else { continue };
        let Some(count) = gone.get_mut(code).filter(|count| **count > 0) else { continue };
        *count -= 1;
        if is_code(code) && found.len() < MOST_LINES {
            found.push(Line { number, code: code.to_owned() });
        }
    }
    found
}

/// How often each line stands in a text, white space around it aside.
pub fn counts(text: &str) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    for line in text.lines() {
        *counts.entry(line.trim()).or_default() += 1;
    }
    counts
}

/// What stands behind the comment mark that a line begins with.
fn bare(line: &str) -> Option<&str> {
    let mark = MARKS.iter().find(|mark| line.starts_with(**mark))?;
    let rest = line[mark.len()..].trim_start_matches(['/', '#', '*', '-', '!']).trim();
    Some(rest.trim_end_matches("*/").trim_end_matches("-->").trim_end())
}

/// Whether a line is code, and not a sentence or a comment itself.
fn is_code(line: &str) -> bool {
    let is_sentence = line.ends_with('.') && line.contains(' ') || line.ends_with(':') && line.contains(' ');
    let letters = line.chars().filter(|c| c.is_alphanumeric()).count();
    let signs = ['(', ')', '{', '}', '=', ';', '[', ']', '$', '"', '\'', '/', '|', '&', '<'];
    let is_option = line.split_whitespace().any(|word| word.starts_with('-') && word.len() > 1);
    let is_noise = ["import ", "use ", "from ", "package ", "console.", "print"]
        .iter()
        .any(|word| line.starts_with(word));
    // Without such a mark more runs than before.
    let lower = line.to_ascii_lowercase();
    let keeps_out = lower.starts_with('@')
        && ["ignore", "disabled", "skip", "xfail"].iter().any(|word| lower.contains(word));
    line.len() >= MIN_CODE
        && letters >= 4
        && !keeps_out
        && !is_sentence
        && !is_noise
        && bare(line).is_none()
        && (line.contains(signs) || is_option)
}

/// Of what stands in a test other rules tell, unless it is something that checks by its name alone.
fn stands_in_test(before: &FileSide, code: &str) -> bool {
    let is_in = |test: &Test| {
        before.lines(test.span).zip(test.span.start..).any(|(line, number)| {
            line.trim() == code
                && (!checks(code) || test.assertions.iter().any(|assertion| assertion.line == number))
        })
    };
    before.facts.tests.iter().any(is_in)
}

fn checks(code: &str) -> bool {
    let lower = code.to_lowercase();
    code.contains('(') && CHECKS.iter().any(|word| lower.contains(word))
}
