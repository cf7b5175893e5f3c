//! # error-to-default (LP-018)
//!
//! Where a function threw, raised or returned an error, it now returns nothing, an empty value or a constant, or goes
//! on with the next element. Or it looks something up with a default where it was a failure to miss it, or only writes a
//! log where it gave up.
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

mod lookups;

use super::exits::lost;
use super::functions::{Changed, changed};
use super::handlers::handlers;
use super::lifted::{lifted, not_yet, of_platform};
use super::replacement::Replacements;
use super::report::{Draft, excerpt};
use super::table;
use crate::comparison::Comparison;
use crate::facts::{Action, Context, Exit, ExitKind, Span, Stub};
use crate::finding::{Finding, FindingType, RuleId, Severity, Side};
use lookups::defaulted;

pub const ID: RuleId = table::id("error-to-default", "LP-018", FindingType::ErrorSuppression);

/// A function of which less is left was written anew.
const REWRITTEN: f64 = 0.5;

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let judged = |change: &Changed<'_>| change.similarity() >= REWRITTEN && change.new.stub.is_none();
    let mut replacements = None;
    let mut findings = Vec::new();
    findings.extend(changed(comparison).filter_map(|change| of_refusal(&change)));
    for change in changed(comparison).filter(judged) {
        findings.extend(of_lookup(&change));
        findings.extend(of_log(&change));
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

/// Whether something in a function became a default, however much that is worth.
pub fn is_told(change: &Changed<'_>) -> bool {
    !of_guards(change).is_empty()
        || !of_handlers(change).is_empty()
        || of_refusal(change).is_some()
        || of_lookup(change).is_some()
        || of_log(change).is_some()
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
        let Some(before) = before else { continue };
        // A handler that only sets a default has no way out of its own.
        let found = match after {
            Some(after) => finding(change, &before, &after),
            None => {
                let message = format!("{} now sets a default where it used to fail", change.title());
                drafted(change, message, (before.span, before.line), (new.span, new.line))
            }
        };
        findings.push((found, before));
    }
    findings
}

/// A function that did nothing but fail, and now does nothing at all.
fn of_refusal(change: &Changed<'_>) -> Option<Finding> {
    let exit = only_refused(change)?;
    let message = format!("{} now does nothing where it used to fail", change.title());
    let mut finding =
        drafted(change, message, (change.old.span, exit.line), (change.new.span, change.new.line));
    finding.lower(Severity::Medium, "it did nothing else before");
    if let Some(reason) = lifted(exit).filter(|_| !exit.text.contains("Unsupported")) {
        finding.lower(Severity::Low, reason);
    }
    Some(finding)
}

/// The refusal that was all of a function that does nothing now.
pub fn only_refused<'c>(change: &Changed<'c>) -> Option<&'c Exit> {
    let emptied = matches!(change.new.stub, Some(Stub::Empty | Stub::Constant));
    let mut exits = change.old.exits.iter();
    let exit = exits.next().filter(|_| exits.next().is_none())?;
    let fails = exit.kind == ExitKind::Fails && exit.context == Context::Open;
    (emptied && change.old.statements == 1 && fails && change.old.stub.is_none()).then_some(exit)
}

/// What was looked up has a default now where it was a failure to miss it.
fn of_lookup(change: &Changed<'_>) -> Option<Finding> {
    let lookup = defaulted(change)?;
    let (span, line) = lookup.old;
    let message = format!("{} now puts a default in place of what it does not find", change.title());
    Some(drafted(change, message, (span, line), (Span { start: lookup.new, end: lookup.new }, lookup.new)))
}

/// A function that gave up, and now says so in a log and goes on.
fn of_log(change: &Changed<'_>) -> Option<Finding> {
    let gives_up = ["panic!", "panic(", "unimplemented!", "todo!", "unreachable!"];
    let gone = lost(change)
        .into_iter()
        .find(|lost| lost.turned.is_none() && gives_up.iter().any(|word| lost.exit.text.starts_with(word)))?;
    let before = change.old_text();
    let mut fresh = change.new.logs.iter().filter(|span| {
        let line = change.side.lines(**span).next().unwrap_or_default();
        !before.contains(line.trim())
    });
    let log = fresh.next().filter(|_| fresh.next().is_none() && change.kept() >= KEPT)?;
    let message = format!("{} now only logs where it used to give up", change.title());
    let mut finding = drafted(change, message, (gone.exit.span, gone.exit.line), (*log, log.start));
    finding.lower(Severity::Medium, "the log still tells of it");
    Some(finding)
}

/// The share of the new function that must have been there before, for one line to stand for another.
const KEPT: f64 = 0.8;

fn finding(change: &Changed<'_>, old: &Exit, new: &Exit) -> Finding {
    let now = if new.kind == ExitKind::Continue { "goes on" } else { "returns a default" };
    let message = format!("{} now {now} where it used to fail", change.title());
    let mut finding = drafted(change, message, (old.span, old.line), (new.span, new.line));
    if let Some(reason) = of_platform(old) {
        finding.lower(Severity::Low, reason);
    } else if let Some(reason) = asked_for(change) {
        finding.lower(Severity::Low, reason);
    } else if let Some(reason) = not_yet(old) {
        // What is answered with a default is no more supported than it was.
        finding.lower(Severity::Medium, reason);
    } else if super::guard_removed::is_impossible(&old.text) {
        finding.lower(Severity::Low, "it was a state that should not occur");
    }
    finding
}

fn drafted(change: &Changed<'_>, message: String, old: (Span, u32), new: (Span, u32)) -> Finding {
    let draft = Draft {
        rule: ID,
        severity: Severity::High,
        // Whether failing or going on is right here, only the author knows: a warning.
        confidence: if change.kept() >= 0.8 { 0.78 } else { 0.7 },
        message,
        help: format!(
            "let it fail again ({}:{}), and handle the failure where it is known what to do",
            change.side.path, new.1
        ),
    };
    let mut finding = change.finding(draft, Side::After, new.1);
    finding.before = excerpt(change.old_side, old.0, old.1, "this was a failure");
    finding.after = excerpt(change.side, new.0, new.1, "now nobody is told");
    finding
}

/// Callers can now say what is to happen.
fn asked_for(change: &Changed<'_>) -> Option<String> {
    let count =
        |parameters: &str| parameters.split(',').filter(|part| part.chars().any(char::is_alphabetic)).count();
    let more = count(&change.new.parameters) > count(&change.old.parameters);
    more.then(|| "the function has a new parameter, by which callers may ask for it".to_owned())
}
