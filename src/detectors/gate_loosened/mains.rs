//! Functions of test files that decide how the run ends: `TestMain` of Go's, `load_tests` of unittest's.
//!
//! A `TestMain` that runs nothing at all is a disabled suite, which another rule tells.

use super::ID;
use crate::comparison::{Comparison, FileComparison, FileSide};
use crate::detectors::report::{Draft, excerpt};
use crate::facts::{Function, Span};
use crate::finding::{Finding, Severity, Side};

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    comparison.files.iter().filter_map(taken_over).collect()
}

fn taken_over(file: &FileComparison) -> Option<Finding> {
    let after = file.after.as_ref()?;
    let (name, what, line) = verdict(after)?;
    if file.before.as_ref().is_some_and(|before| verdict(before).is_some()) {
        return None;
    }
    let draft = Draft {
        rule: ID,
        severity: Severity::High,
        confidence: 0.85,
        message: format!("{name} in {} {what}", after.path),
        help: format!("let {name} run the tests and end as they do ({}:{line})", after.path),
    };
    let mut finding = draft.on(Side::After, after, line, format!("{}::{name}", after.path));
    finding.after = excerpt(after, Span { start: line, end: line }, line, "this decides how the run ends");
    Some(finding)
}

/// The function that takes the run over, what it does, and where.
fn verdict(file: &FileSide) -> Option<(&'static str, &'static str, u32)> {
    let function = |name: &str| file.facts.functions.iter().find(|function| function.name == name);
    match file.facts.language {
        "go" if file.path.ends_with("_test.go") => go(file, function("TestMain")?),
        "python" => python(file, function("load_tests")?),
        _ => None,
    }
}

/// The lines of a function without comments and white space, each with its number.
fn code<'f>(file: &'f FileSide, function: &Function) -> impl Iterator<Item = (u32, &'f str)> {
    let span = function.span;
    let inside = file.code().iter().filter(move |line| span.start < line.number && line.number <= span.end);
    inside.map(|line| (line.number, line.code.as_str()))
}

fn go(file: &FileSide, function: &Function) -> Option<(&'static str, &'static str, u32)> {
    // Deeper ones are for a child process or a special case.
    let mut depth = 1_i64;
    for (line, code) in code(file, function) {
        if depth == 1 && code.trim() == "os.Exit(0)" {
            return Some(("TestMain", "ends well whatever the tests find", line));
        }
        depth += code.matches('{').count() as i64 - code.matches('}').count() as i64;
    }
    None
}

fn python(file: &FileSide, function: &Function) -> Option<(&'static str, &'static str, u32)> {
    let is_empty = |code: &str| {
        let value = code.trim().strip_prefix("return")?;
        matches!(value, "unittest.TestSuite()" | "TestSuite()" | "unittest.TestSuite([])" | "TestSuite([])")
            .then_some(())
    };
    let lines: Vec<(u32, &str)> = code(file, function).collect();
    let (line, _) = lines.iter().find(|(_, code)| is_empty(code).is_some())?;
    let branches = lines.iter().any(|(_, code)| code.trim().starts_with("if") || code.contains("addTest"));
    (!branches).then_some(("load_tests", "gives no tests at all", *line))
}
