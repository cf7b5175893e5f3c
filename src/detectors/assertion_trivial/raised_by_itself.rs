//! Tests that wait for an error, and now raise it themselves or ask nothing of the code for it.
//!
//! Part of the rule about trivial assertions.

use super::ID;
use crate::comparison::{At, Comparison, FileSide};
use crate::detectors::report::{Draft, excerpt, symbol};
use crate::detectors::subject::names_of_any_length;
use crate::facts::{Assertion, ClaimKind, Span, Test};
use crate::finding::{Finding, Severity, Side};
use crate::pairing::Fate;

/// Longer blocks are looked at up to here.
const MAX_LINES: u32 = 60;

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let kept = comparison.pairing.fates.iter().filter_map(|(before, fate)| match fate {
        Fate::Same { after, .. } => Some((*before, *after)),
        _ => None,
    });
    kept.filter_map(|(before, after)| of_test(comparison, before, after)).collect()
}

fn of_test(comparison: &Comparison, before: At, after: At) -> Option<Finding> {
    let ((old_file, old), (file, new)) = (comparison.before(before), comparison.after(after));
    let (was, is) = (waits(old), waits(new));
    if was.len() != is.len() || new.is_skipped() {
        return None;
    }
    for (was, is) in was.into_iter().zip(is) {
        let (before, after) = (tried(old_file, was), tried(file, is));
        if before.is_empty() || after.is_empty() || before == after || was.claim.expected != is.claim.expected
        {
            continue;
        }
        if let Some(line) = raises(&after).filter(|_| raises(&before).is_none()) {
            let message = format!("the test {} now raises the error that it waits for", new.name);
            return Some(finding((old_file, was.line), (file, line, new), message, Severity::Critical));
        }
        // Python has names of its own, all of which are known.
        let asks = |code: &[(u32, String)]| code.iter().any(|(_, line)| names_code(line));
        if file.facts.language == "python" && asks(&before) && !asks(&after) {
            let message = format!("the test {} now waits for an error of the language itself", new.name);
            return Some(finding((old_file, was.line), (file, after[0].0, new), message, Severity::Medium));
        }
    }
    None
}

/// Assertions that the code in a block fails; what is given to one as code is told with the others.
fn waits(test: &Test) -> Vec<&Assertion> {
    let raises = |one: &&Assertion| {
        one.claim.kind == ClaimKind::Raises && !one.claim.negated && one.claim.subject.is_empty()
    };
    test.assertions.iter().filter(raises).collect()
}

/// The statements of which an assertion wants one to fail, as they stand directly in it.
fn tried(file: &FileSide, assertion: &Assertion) -> Vec<(u32, String)> {
    let end = assertion.line.saturating_add(MAX_LINES);
    let mut lines = (assertion.line..).zip(file.lines(Span { start: assertion.line, end }));
    let indent = |line: &str| line.len() - line.trim_start().len();
    // A block for nothing but this: where it stands beside another, the error goes through that one.
    let Some((_, head)) = lines.next().filter(|(_, line)| is_alone(line)) else { return Vec::new() };
    let inside = lines
        .filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
        .take_while(|(_, line)| indent(line) > indent(&head));
    let inside: Vec<(u32, String)> = inside.map(|(number, line)| (number, line.into_owned())).collect();
    let depth = inside.first().map_or(0, |(_, line)| indent(line));
    // What stands in another block in it may be asked to hand the error on.
    let is_nested =
        inside.iter().any(|(_, line)| indent(line) > depth && line.trim_start().starts_with("raise"));
    if is_nested { Vec::new() } else { inside }
}

/// `with pytest.raises(ValueError):`, and not `with pytest.raises(ValueError), transaction():`.
fn is_alone(head: &str) -> bool {
    let Some(call) = head.trim().strip_prefix("with ") else { return false };
    let mut depth = 0_i32;
    let Some(end) = call.char_indices().find_map(|(at, c)| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        (c == ')' && depth == 0).then_some(at + 1)
    }) else {
        return false;
    };
    let rest = call[end..].trim();
    rest == ":" || rest.starts_with("as ") && !rest.contains(',')
}

/// The line of a statement that raises in any case.
fn raises(code: &[(u32, String)]) -> Option<u32> {
    let words = ["raise ", "throw ", "panic!("];
    code.iter()
        .find(|(_, line)| words.iter().any(|word| line.trim().starts_with(word)))
        .map(|(line, _)| *line)
}

/// Whether a line names something that the language does not have of itself.
fn names_code(line: &str) -> bool {
    const OWN: &[&str] = &[
        "int", "float", "str", "dict", "list", "set", "tuple", "len", "open", "None", "True", "False",
        "pass", "bytes", "iter", "next", "object", "print", "not", "and", "or", "is", "in", "assert", "del",
        "range", "sorted", "min", "max", "sum", "getattr", "chr", "ord", "return", "lambda", "bool", "abs",
        "_",
    ];
    let mut code = String::new();
    let mut mark = None;
    for c in line.chars() {
        match mark {
            Some(open) if c == open => mark = None,
            Some(_) => {}
            None if matches!(c, '"' | '\'') => mark = Some(c),
            None => code.push(c),
        }
    }
    names_of_any_length(&code).any(|name| !OWN.contains(&name))
}

fn finding(
    (old_file, old): (&FileSide, u32),
    (file, line, test): (&FileSide, u32, &Test),
    message: String,
    severity: Severity,
) -> Finding {
    let draft = Draft {
        rule: ID,
        severity: Severity::Critical,
        confidence: 0.9,
        message,
        help: format!("let the code fail by itself again ({}:{line})", file.path),
    };
    let mut finding = draft.on(Side::After, file, line, symbol(file, test));
    let at = |line: u32| Span { start: line, end: line };
    finding.before = excerpt(old_file, at(old), old, "the code was to fail here");
    finding.after = excerpt(file, at(line), line, "this fails whatever the code does");
    if severity < Severity::Critical {
        finding.lower(severity, "the code may be reached in another way");
    }
    finding
}
