//! A system for which the code did its work, and which now gets the variant that does nothing.
//!
//! Part of the rule about disabled features. Two functions of one name stand in a file under conditions of the compiler
//! that leave each other out; the one that does nothing takes over a part of what the other was for.

use super::{draft, one, symbol};
use crate::comparison::{Comparison, FileSide};
use crate::detectors::code_lines::{existing, is_scratch};
use crate::detectors::report::excerpt;
use crate::facts::{Function, Stub};
use crate::finding::{Finding, Severity, Side};
use crate::text::contains;

pub fn findings(comparison: &Comparison) -> Vec<Finding> {
    let files = comparison.files.iter().filter_map(existing);
    let rust = files.filter(|(_, after)| after.facts.language == "rust" && !is_scratch(&after.path));
    let judged = rust.filter(|(before, after)| contains(after.lines_unlike(before), b"cfg("));
    judged.filter_map(|(before, after)| in_file(before, after)).collect()
}

fn in_file(before: &FileSide, after: &FileSide) -> Option<Finding> {
    let works = |function: &&Function| function.stub.is_none() && !function.name.is_empty();
    after.facts.functions.iter().filter(works).find_map(|function| {
        let mut same = before.facts.functions.iter().filter(works).filter(|old| old.name == function.name);
        let (Some(old), None) = (same.next(), same.next()) else { return None };
        in_function(after, function, &conditions(before, old))
    })
}

fn in_function(side: &FileSide, function: &Function, was: &str) -> Option<Finding> {
    let is = conditions(side, function);
    // What is left out by name now was not before.
    let left_out = is.split("not(").skip(1).filter_map(|rest| rest.split(')').next());
    let system = left_out.into_iter().find(|system| !system.is_empty() && !was.contains(*system))?;
    let does_nothing = |other: &&Function| {
        other.short_name() == function.short_name()
            && other.line != function.line
            && matches!(other.stub, Some(Stub::Empty | Stub::Constant | Stub::Unfinished))
            && conditions(side, other).contains(system)
    };
    let other = side.facts.functions.iter().find(does_nothing)?;
    let message = format!("{} does nothing where `{system}` from now on", function.name);
    let mut finding =
        draft(message, 0.75).on(Side::After, side, other.line, symbol(side, "", &function.name));
    finding.after = excerpt(side, one(other.line), other.line, "this stands in for it there");
    finding.lower(Severity::Medium, "it still works elsewhere");
    Some(finding)
}

/// All conditions of the compiler on a function and on what is around it, white space taken out.
fn conditions(side: &FileSide, function: &Function) -> String {
    let all = function.annotations.iter().chain(&function.inherited);
    let texts = all.map(|bytes| String::from_utf8_lossy(side.text.get(bytes.clone()).unwrap_or_default()));
    let conditions = texts.filter(|text| text.contains("cfg("));
    conditions.flat_map(|text| text.chars().filter(|c| !c.is_whitespace()).collect::<Vec<_>>()).collect()
}
