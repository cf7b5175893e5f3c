//! # error-to-default (LP-018)
//!
//! Where a function threw, raised or returned an error, it now returns nothing, an empty value or a constant, or goes
//! on with the next element.
//!
//! Severity: high.
//!
//! ## Why it matters
//!
//! The caller can no longer tell a failure from a result. A missing record becomes an empty one, and the mistake
//! travels on as data.
//!
//! ## Example
//!
//! ```python
//! # before                                  # after
//! if user is None:                          if user is None:
//!     raise NotFound(user_id)                   return None
//! ```
//!
//! ## What is not reported
//!
//! - a failure that became another failure, or moved
//! - a function that was mostly written anew
//! - a default that was returned there before
//! - something that was not supported and now is
//!
//! ## What to do
//!
//! Bring the failure back. If callers are to get a default, let them ask for it: a parameter, another function, or a
//! handler at the place that knows what to do.

use super::exits::lost;
use super::functions::{Changed, changed};
use super::handlers::handlers;
use super::replacement::Replacements;
use super::report::{Draft, excerpt};
use super::table;
use crate::comparison::Comparison;
use crate::facts::{Action, Context, Exit, ExitKind};
use crate::finding::{Finding, FindingType, RuleId, Severity, Side};

pub const ID: RuleId = table::id("error-to-default", "LP-018", FindingType::ErrorSuppression);

/// A function of which less is left was written anew.
const REWRITTEN: f64 = 0.5;

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let judged = |change: &Changed<'_>| change.similarity() >= REWRITTEN && change.new.stub.is_none();
    let mut replacements = None;
    let mut findings = Vec::new();
    for change in changed(comparison).filter(judged) {
        for (mut finding, old) in of_guards(&change).into_iter().chain(of_handlers(&change)) {
            let replacements = replacements.get_or_insert_with(|| Replacements::of(comparison));
            if let Some(reason) = replacements.elsewhere(&old) {
                finding.lower(Severity::Low, reason);
            } else if replacements.grows() || replacements.is_rework() {
                finding.confidence = finding.confidence.min(0.78);
                finding.evidence.push("the change is about much more than this".to_owned());
            }
            findings.push(finding);
        }
    }
    findings
}

fn of_guards(change: &Changed<'_>) -> Vec<(Finding, Exit)> {
    let turned = |lost: super::exits::Lost<'_>| {
        let new = lost.turned.filter(|_| lost.exit.kind == ExitKind::Fails)?;
        Some((finding(change, lost.exit, new), lost.exit.clone()))
    };
    lost(change).into_iter().filter_map(turned).collect()
}

/// Handlers that threw and now give back a default.
fn of_handlers(change: &Changed<'_>) -> Vec<(Finding, Exit)> {
    let exit = |exits: &[Exit], span: crate::facts::Span, wanted: fn(ExitKind) -> bool| {
        let inside = |exit: &&Exit| span.contains(crate::facts::Span { start: exit.line, end: exit.line });
        exits
            .iter()
            .filter(inside)
            .find(|exit| exit.context == Context::Handler && wanted(exit.kind))
            .cloned()
    };
    let mut findings = Vec::new();
    for (old, new) in handlers(change).kept {
        if old.action != Action::Fails || new.action != Action::Defaults || new.breadth < old.breadth {
            continue;
        }
        let before = exit(&change.old.exits, old.span, |kind| kind == ExitKind::Fails);
        let after = exit(&change.new.exits, new.span, |kind| !kind.refuses());
        if let (Some(before), Some(after)) = (before, after) {
            findings.push((finding(change, &before, &after), before));
        }
    }
    findings
}

fn finding(change: &Changed<'_>, old: &Exit, new: &Exit) -> Finding {
    let now = if new.kind == ExitKind::Continue { "goes on" } else { "returns a default" };
    let draft = Draft {
        rule: ID,
        severity: Severity::High,
        // Whether failing or going on is right here, only the author knows: a warning.
        confidence: if change.kept() >= 0.8 { 0.78 } else { 0.7 },
        message: format!("{} now {now} where it used to fail", change.title()),
        help: format!(
            "let it fail again ({}:{}), and handle the failure where it is known what to do",
            change.side.path, new.line
        ),
    };
    let mut finding = change.finding(draft, Side::After, new.line);
    finding.before = excerpt(change.old_side, old.span, old.line, "this was a failure");
    finding.after = excerpt(change.side, new.span, new.line, "now nobody is told");
    if let Some(reason) = super::guard_removed::lifted(old).or_else(|| asked_for(change)) {
        finding.lower(Severity::Low, reason);
    }
    finding
}

/// Callers can now say what is to happen.
fn asked_for(change: &Changed<'_>) -> Option<String> {
    let count =
        |parameters: &str| parameters.split(',').filter(|part| part.chars().any(char::is_alphabetic)).count();
    let more = count(&change.new.parameters) > count(&change.old.parameters);
    more.then(|| "the function has a new parameter, by which callers may ask for it".to_owned())
}
