//! What the rule about guards tells of checks that are still there and do less. Always a warning: the author may know.

use super::bypassed::{always, bypassed, passes};
use super::left_guard::left_guard;
use super::narrowed_flags::narrowed_flag;
use super::safeguards::unguarded;
use super::softened::Softened;
use super::{ID, refused};
use crate::comparison::Comparison;
use crate::detectors::arguments::flipped;
use crate::detectors::code_lines::{existing, is_scratch};
use crate::detectors::functions::{Changed, changed};
use crate::detectors::hunks::{Line, pairs};
use crate::detectors::report::{Draft, excerpt, show_before};
use crate::detectors::unverified::{Care, outside as off_outside, unverified};
use crate::facts::Span;
use crate::finding::{Finding, Severity, Side};
use crate::text::printable;

pub fn findings(comparison: &Comparison, change: &Changed<'_>, softer: &[Softened<'_>]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for softer in softer {
        let message = match softer.caught {
            true => format!("{} goes on where {} fails", change.title(), refused(softer.exit)),
            false => format!(
                "{} checks {} only by `{}` now",
                change.title(),
                refused(softer.exit),
                printable(&softer.now)
            ),
        };
        findings.push(finding(
            comparison,
            change,
            (softer.exit.span, softer.exit.line),
            softer.line,
            message,
            softer.reason,
        ));
    }
    if let Some(way) = bypassed(change) {
        let message = format!(
            "{} leaves before it refuses {} where {} holds",
            change.title(),
            refused(way.check),
            refused(way.exit)
        );
        let old = (change.old.span, change.old.line);
        findings.push(finding(
            comparison,
            change,
            old,
            way.exit.line,
            message,
            "who sets the switch may know why",
        ));
    }
    let pairs = pairs(change);
    if let Some((old_line, line, text)) = always(&pairs) {
        let message = format!("{} says yes in any case: `{}`", change.title(), printable(&text));
        let old = (Span { start: old_line, end: old_line }, old_line);
        findings.push(finding(comparison, change, old, line, message, "it may answer something else"));
    }
    if let Some(way) = passes(change) {
        let message = format!(
            "{} lets pass what {} holds for, before it refuses anything",
            change.title(),
            way.condition
        );
        let old = (change.old.span, change.old.line);
        findings.push(finding(
            comparison,
            change,
            old,
            way.line,
            message,
            "it may be meant to be let through",
        ));
    }
    if let Some(flip) = flipped(change).filter(|flip| flip.checks) {
        let message =
            format!("{} gives `{}` {} for `{}`", change.title(), flip.callee, flip.value, flip.parameter);
        let old = (change.old.span, change.old.line);
        let reason = "what it leaves out is known from its name alone";
        findings.push(finding(comparison, change, old, flip.line, message, reason));
    }
    for option in unverified(change, Care::Checks) {
        let message =
            format!("{} switches a check off: `{}` is `{}`", change.title(), option.name, option.value);
        let old = (change.old.span, change.old.line);
        findings.push(finding(
            comparison,
            change,
            old,
            option.line,
            message,
            "what it checks is known from its name alone",
        ));
    }
    if let Some(left) = left_guard(change) {
        let (condition, title) = (printable(&left.condition), change.title());
        let message = match left.unchecked {
            true => {
                format!("{title} no longer asks whether `{condition}` is there, and hides that from a tool")
            }
            false => format!("{title} does something in any case that it did only where `{condition}`"),
        };
        let old = (Span { start: left.old_line, end: left.old_line }, left.old_line);
        findings.push(finding(comparison, change, old, left.line, message, "the condition may hold always"));
    }
    findings.extend(decided(comparison, change, &pairs));
    findings
}

/// Checks that something else decides about now, and means of safety that are gone.
fn decided(comparison: &Comparison, change: &Changed<'_>, pairs: &[(Line, Line)]) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some(flag) = narrowed_flag(pairs) {
        let message =
            format!("{} decides `{}` by `{}` as well now", change.title(), flag.name, printable(&flag.added));
        let old = (Span { start: flag.old_line, end: flag.old_line }, flag.old_line);
        let reason = "what it decides is known from its name alone";
        findings.push(finding(comparison, change, old, flag.line, message, reason));
    }
    if let Some(lost) = unguarded(comparison, change) {
        let message = format!("{} does without `{}` now", change.title(), lost.name);
        let old = (Span { start: lost.line, end: lost.line }, lost.line);
        let reason = "something else may do its work";
        findings.push(finding(comparison, change, old, lost.new_line, message, reason));
    }
    findings
}

/// Checks of a library that are switched off outside of any function, as in the fields of a class.
pub fn outside(comparison: &Comparison) -> Vec<Finding> {
    let set_up = changed(comparison).filter(|change| change.new.name.is_empty());
    let less = set_up.flat_map(|change| decided(comparison, &change, &pairs(&change))).collect::<Vec<_>>();
    let files = comparison.files.iter().filter_map(existing);
    let files = files.filter(|(_, after)| !is_scratch(&after.path));
    let off = files.flat_map(|(before, after)| off_outside(before, after).map(move |switch| (after, switch)));
    off.map(|(after, switch)| {
        let draft = Draft {
            rule: ID,
            severity: Severity::Critical,
            confidence: 0.75,
            message: format!("{} switches a check off: `{}` is `{}`", after.path, switch.name, switch.on),
            help: "leave the check on, and mend what it finds".to_owned(),
        };
        let symbol = format!("{}::{}", after.path, switch.name);
        let mut finding = draft.on(Side::After, after, switch.line, symbol);
        let line = Span { start: switch.line, end: switch.line };
        finding.after = excerpt(after, line, switch.line, "now less is refused");
        finding.lower(Severity::Medium, "what it checks is known from its name alone");
        finding
    })
    .chain(less)
    .collect()
}

fn finding(
    comparison: &Comparison,
    change: &Changed<'_>,
    (span, line): (Span, u32),
    new: u32,
    message: String,
    reason: &str,
) -> Finding {
    let draft = Draft {
        rule: ID,
        severity: Severity::Critical,
        confidence: 0.78,
        message,
        help: format!(
            "bring the check back as it was; this prints it: {}",
            show_before(comparison, change.old_side, span)
        ),
    };
    let mut finding = change.finding(draft, Side::After, new);
    finding.before = excerpt(change.old_side, span, line, "this was refused");
    finding.after = excerpt(change.side, Span { start: new, end: new }, new, "now less is");
    finding.lower(Severity::Medium, reason);
    finding
}
