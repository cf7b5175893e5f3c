//! Cases that a test which goes through all values of a type leaves out by name: `@EnumSource(mode = EXCLUDE, names = "A")`.
//!
//! Part of the rule about skipped tests.

use std::collections::BTreeSet;

use super::ID;
use crate::comparison::{Comparison, FileSide};
use crate::detectors::report::{Draft, excerpt, symbol};
use crate::detectors::subject::names_of_any_length;
use crate::facts::{Span, Test};
use crate::finding::{Finding, Severity, Side};
use crate::pairing::Fate;
use crate::paths::PathClass;

const SOURCE: &str = "@EnumSource";

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let kept = comparison.pairing.fates.iter().filter_map(|(before, fate)| match fate {
        Fate::Same { after, .. } => Some((comparison.before(*before), comparison.after(*after))),
        _ => None,
    });
    let of_java = kept.filter(|((_, _), (side, _))| side.facts.language == "java");
    of_java.filter_map(|(old, new)| grown(comparison, old, new)).collect()
}

fn grown(comparison: &Comparison, old: (&FileSide, &Test), new: (&FileSide, &Test)) -> Option<Finding> {
    let (side, test) = new;
    let (was, is) = (left_out(old)?, left_out(new)?);
    let name = is.difference(&was).find(|name| is_known(comparison, name))?;
    if was.len() >= is.len() {
        return None;
    }
    let head = Span { start: test.span.start, end: test.line };
    let line = (head.start..).zip(side.lines(head)).find(|(_, line)| line.contains(name.as_str()));
    let line = line.map_or(test.line, |(number, _)| number);
    let draft = Draft {
        rule: ID,
        severity: Severity::High,
        confidence: 0.85,
        message: format!("{} now leaves out the case {name}", test.name),
        help: format!("take {name} out of the list at {}:{line} and make it pass", side.path),
    };
    let mut finding = draft.on(Side::After, side, line, symbol(side, test));
    finding.after = excerpt(side, Span { start: line, end: line }, line, "this is new");
    finding.detail = name.clone();
    finding.lower(Severity::Medium, "the test still runs for the others");
    Some(finding)
}

/// A value that comes with the change was never run.
fn is_known(comparison: &Comparison, name: &str) -> bool {
    let says = |side: &FileSide| {
        let text = String::from_utf8_lossy(&side.text);
        names_of_any_length(&text).any(|word| word == name)
    };
    let production = || comparison.files.iter().filter(|file| file.class == PathClass::Production);
    let was_there = production().any(|file| file.before.as_ref().is_some_and(says));
    was_there || !production().any(|file| file.after.as_ref().is_some_and(says))
}

/// The names that a test leaves out; nothing where it does not go through the values of a type.
fn left_out((side, test): (&FileSide, &Test)) -> Option<BTreeSet<String>> {
    let head: String =
        side.lines(Span { start: test.span.start, end: test.line }).map(without_comment).collect();
    let (_, rest) = head.split_once(SOURCE)?;
    let given = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or("", |(given, _)| given);
    if !given.contains("EXCLUDE") {
        // A list of those that run tells nothing of those that do not.
        return (!given.contains("names")).then(BTreeSet::new);
    }
    Some(given.split('"').skip(1).step_by(2).map(str::to_owned).collect())
}

fn without_comment(line: std::borrow::Cow<'_, str>) -> String {
    line.split("//").next().unwrap_or_default().to_owned()
}
