//! Constraints that an existing field, parameter or option declared and that are gone: `Field(pattern=...)`,
//! `z.string().min(1)`, `@Size(max = 80)`, `validate:"required"`.
//!
//! Part of the rule about guards. A line is compared with itself without its constraints, so that nothing else about
//! the field may have changed; a constraint on a line of its own counts where its neighbours stayed.

use super::ID;
use super::constraint_spellings::Reader;
use crate::collections::HashMap;
use crate::comparison::{CodeLine, Comparison, FileSide, vanished};
use crate::detectors::code_lines::{TestCode, existing, is_rework, is_scratch};
use crate::detectors::report::{Draft, excerpt, show_before};
use crate::facts::Span;
use crate::finding::{Finding, Severity, Side};

/// More lines are not looked at.
const MAX_LINES: usize = 2000;

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    if is_rework(comparison) {
        return Vec::new();
    }
    let files = comparison.files.iter().filter_map(existing);
    let judged = files.filter(|(_, after)| !is_scratch(&after.path) && !after.facts.language.is_empty());
    judged.flat_map(|(before, after)| in_file(comparison, before, after)).collect()
}

fn in_file(comparison: &Comparison, before: &FileSide, after: &FileSide) -> Vec<Finding> {
    if before.text == after.text || !Reader::may_find(before, after) {
        return Vec::new();
    }
    let (old, new) = (Reader::joined(before.code()), Reader::joined(after.code()));
    let gone = vanished(&old, &new);
    let fresh = vanished(&new, &old);
    let checks = |code: &str| {
        ["validat", "refine(", "transform(", "Annotated["].iter().any(|word| code.contains(word))
    };
    if gone.is_empty()
        || fresh.keys().any(|code| checks(code) && !gone.contains_key(code) && is_new_check(code))
    {
        return Vec::new();
    }
    let reader = Reader::of(before);
    let mut rest: HashMap<String, Vec<Vec<String>>> = HashMap::new();
    for code in fresh.keys().take(MAX_LINES) {
        let (bare, has) = reader.split(code);
        rest.entry(bare).or_default().push(has);
    }
    let tests = TestCode::of(before);
    let mut findings = Vec::new();
    for (at, line) in old.iter().enumerate() {
        if !gone.contains_key(line.code.as_str()) || tests.contains(line.number) {
            continue;
        }
        let (bare, has) = reader.split(&line.code);
        let lost = if has.is_empty() {
            Vec::new()
        } else if let Some(now) = rest.get(&bare).and_then(|lines| lines.first()) {
            dropped(&has, now)
        } else if is_own_line(&bare) && stays_around(&reader, &old, at, &gone) && reader.is_declared(&old, at)
        {
            let replaced = fresh.keys().any(|code| reader.split(code).1.iter().any(|name| !name.is_empty()));
            if replaced { Vec::new() } else { has }
        } else {
            Vec::new()
        };
        if !lost.is_empty() {
            findings.push(finding(comparison, before, after, line.number, &lost));
        }
    }
    findings
}

/// Whether a new line defines or calls something that checks, rather than limits by the same option.
fn is_new_check(code: &str) -> bool {
    ["defvalidat", "validator(", "refine(", "transform(", "@validates"].iter().any(|word| code.contains(word))
}

/// The constraints of one line that the other has not, if it has no other ones instead.
fn dropped(old: &[String], new: &[String]) -> Vec<String> {
    if new.iter().any(|name| !old.contains(name)) {
        return Vec::new();
    }
    old.iter().filter(|name| !new.contains(name)).cloned().collect()
}

/// Whether nothing but a constraint stands on a line.
fn is_own_line(bare: &str) -> bool {
    !bare.contains(char::is_alphanumeric)
}

/// Whether the lines before and after a place are still there, other constraints that went with it aside.
fn stays_around(reader: &Reader, lines: &[CodeLine], at: usize, gone: &HashMap<&str, usize>) -> bool {
    let stays = |line: Option<&CodeLine>| line.is_some_and(|line| !gone.contains_key(line.code.as_str()));
    let counts = |line: &&CodeLine| {
        let is_gone = || gone.contains_key(line.code.as_str());
        let (bare, has) = reader.split(&line.code);
        let went_along = !has.is_empty() && is_own_line(&bare) && is_gone();
        !line.code.is_empty() && !went_along
    };
    let mut above = lines[..at].iter().rev().filter(counts);
    let mut below = lines[at + 1..].iter().filter(counts);
    stays(above.next()) && stays(below.next())
}

fn finding(
    comparison: &Comparison,
    before: &FileSide,
    after: &FileSide,
    line: u32,
    lost: &[String],
) -> Finding {
    let span = Span { start: line, end: line };
    let draft = Draft {
        rule: ID,
        severity: Severity::Critical,
        confidence: 0.78,
        message: format!("{} no longer declares `{}` where it did", after.path, lost.join("`, `")),
        help: format!("put the constraint back; this prints it: {}", show_before(comparison, before, span)),
    };
    let mut finding = draft.on(Side::Before, before, line, before.path.clone());
    finding.before = excerpt(before, span, line, "this was limited");
    finding.detail = lost.join(",");
    finding.lower(Severity::Medium, "it was declared, and what enforced it is not known");
    finding
}
