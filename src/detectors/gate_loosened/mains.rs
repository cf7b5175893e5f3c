//! Functions of test files that decide how the run ends, whatever the tests find.
//!
//! One that runs nothing at all is a disabled suite, which another rule tells.

use super::ID;
use crate::comparison::{Comparison, FileComparison};
use crate::detectors::report::{Draft, excerpt};
use crate::facts::Span;
use crate::finding::{Finding, Severity, Side};

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    comparison.files.iter().filter_map(taken_over).collect()
}

fn taken_over(file: &FileComparison) -> Option<Finding> {
    let after = file.after.as_ref()?;
    let takeover = after.facts.collection.takeovers.first()?;
    if file.before.as_ref().is_some_and(|before| !before.facts.collection.takeovers.is_empty()) {
        return None;
    }
    let (name, what, line) = (&takeover.function, takeover.what, takeover.line);
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
