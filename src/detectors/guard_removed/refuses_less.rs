//! What the rule about guards tells of a check that stays and refuses less than it did.

use super::{ID, refused};
use crate::comparison::Comparison;
use crate::detectors::bounds::Widened;
use crate::detectors::functions::Changed;
use crate::detectors::lifted::{not_yet, of_platform};
use crate::detectors::reached::Narrowed;
use crate::detectors::report::{Draft, excerpt, show_before};
use crate::detectors::subject::source_changed;
use crate::detectors::tolerated;
use crate::facts::Exit;
use crate::finding::{Finding, Severity, Side};

/// A check that stays, and refuses far less. Where it only hands an error on, that error is what is lost.
pub fn of_bound<'c>(comparison: &'c Comparison, change: &Changed<'c>, bound: &Widened<'c>) -> Finding {
    let (old, new) = (bound.old, bound.new);
    if tolerated::hands_on(old) {
        return tolerated::of_branch(change, old, new);
    }
    let message = format!("{} no longer refuses {}, only {}", change.title(), refused(old), refused(new));
    of_kept(comparison, change, (old, new), message)
}

/// A check that stays, and is reached in fewer cases.
pub fn of_fewer<'c>(comparison: &'c Comparison, change: &Changed<'c>, fewer: &Narrowed<'c>) -> Finding {
    let (old, new) = (fewer.old, fewer.new);
    let cases = crate::text::printable(&fewer.added.join("` and `")).into_owned();
    let message = format!("{} refuses {} only where `{cases}`", change.title(), refused(old));
    of_kept(comparison, change, (old, new), message)
}

fn of_kept(
    comparison: &Comparison,
    change: &Changed<'_>,
    (old, new): (&Exit, &Exit),
    message: String,
) -> Finding {
    let draft = Draft {
        rule: ID,
        severity: Severity::Critical,
        confidence: 0.78,
        message,
        help: format!(
            "bring the check back as it was; this prints it: {}",
            show_before(comparison, change.old_side, old.span)
        ),
    };
    let mut finding = change.finding(draft, Side::After, new.line);
    finding.before = excerpt(change.old_side, old.span, old.line, "this was refused");
    finding.after = excerpt(change.side, new.span, new.line, "now less is");
    finding.lower(Severity::Medium, "the check is still there, and refuses less");
    if let Some(reason) = not_yet(old).or_else(|| of_platform(new)).or_else(|| source_changed(change, old)) {
        finding.lower(Severity::Low, reason);
    }
    finding
}
