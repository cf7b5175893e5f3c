//! Classes without a test of their own that are switched off with all the tests that they have from a base:
//! `@Ignore class MySqlTest extends DatabaseTest {}`.

use super::ID;
use crate::collections::HashSet;
use crate::comparison::{Comparison, FileComparison, FileSide};
use crate::detectors::report::{Draft, excerpt};
use crate::detectors::test_skipped::inherited::bases_of;
use crate::facts::Span;
use crate::finding::{Finding, Severity, Side};
use crate::paths::PathClass;
use crate::text::contains;

/// Names of marks that switch a class off, whatever is said behind them.
const MARKS: &[&str] = &["@Ignore", "@Disabled", "@unittest.skip", "@pytest.mark.skip", "@skip"];

/// So many lines of marks stand in front of a class.
const MOST_MARKS: usize = 12;

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let tests = comparison.files.iter().filter(|file| file.class == PathClass::Test);
    tests.flat_map(in_file).collect()
}

fn in_file(file: &FileComparison) -> Vec<Finding> {
    let (Some(before), Some(after)) = (&file.before, &file.after) else { return Vec::new() };
    let fresh = after.lines_unlike(before);
    if !MARKS.iter().any(|mark| contains(fresh, mark.as_bytes())) {
        return Vec::new();
    }
    let known: HashSet<String> =
        classes(before).into_iter().filter(Class::is_off).map(|it| it.name).collect();
    let has_tests = |class: &Class| {
        let mut tests = before.facts.tests.iter().chain(&after.facts.tests);
        tests.any(|test| test.suite.contains(&class.name))
    };
    let is_new = |class: &Class| class.is_off() && !known.contains(&class.name) && !has_tests(class);
    let classes = classes(after).into_iter().filter(is_new);
    classes.filter_map(|class| finding(before, after, &class)).collect()
}

/// A class, and the line of the mark that switches it off.
struct Class {
    name: String,
    mark: Option<u32>,
}

impl Class {
    fn is_off(&self) -> bool {
        self.mark.is_some()
    }
}

/// The classes of a file with the marks right in front of them.
fn classes(side: &FileSide) -> Vec<Class> {
    let (mut found, mut mark, mut marks) = (Vec::new(), None, 0);
    for (line, number) in side.lines(Span { start: 1, end: u32::MAX }).zip(1..) {
        let line = line.trim();
        if let Some(name) = class_of(line) {
            found.push(Class { name: name.to_owned(), mark: mark.take() });
            marks = 0;
        } else if line.starts_with('@') && marks < MOST_MARKS {
            let is_off = MARKS.iter().any(|mark| is_mark(line, mark));
            mark = mark.or(is_off.then_some(number));
            marks += 1;
        } else if !line.is_empty() && !line.starts_with(['/', '*', '#']) {
            (mark, marks) = (None, 0);
        }
    }
    found
}

/// `@Ignore`, `@Ignore("...")`, and not `@IgnoreUnknown`.
fn is_mark(line: &str, mark: &str) -> bool {
    line.strip_prefix(mark).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}

fn class_of(line: &str) -> Option<&str> {
    const BEFORE: &[&str] = &["public", "final", "abstract", "static", "open", "internal", "export"];
    let mut words = line.split_whitespace().skip_while(|word| BEFORE.contains(word));
    words.next().filter(|word| *word == "class")?;
    words.next()?.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().filter(|name| !name.is_empty())
}

fn finding(before: &FileSide, after: &FileSide, class: &Class) -> Option<Finding> {
    let bases = bases_of(after, &class.name);
    let (mark, base) = (class.mark?, bases.first()?);
    if bases_of(before, &class.name) != bases {
        return None;
    }
    let draft = Draft {
        rule: ID,
        severity: Severity::Medium,
        confidence: 0.8,
        message: format!("the suite {} is now skipped, with the tests that it has from {base}", class.name),
        help: format!("mend the tests that fail, and take the mark off ({}:{mark})", after.path),
    };
    let mut finding = draft.on(Side::After, after, mark, format!("{}::{}", after.path, class.name));
    let line = Span { start: mark, end: mark };
    finding.after = excerpt(after, line, mark, "now none of them runs");
    finding.evidence.push(format!("how many tests {base} has is not known from here"));
    Some(finding)
}
