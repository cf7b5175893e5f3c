//! Functions that are there to deal with errors or warnings, and that newly leave at once for one of them.
//!
//! Part of the rule about swallowed errors. What ends because somebody asked for it is no error.

use super::draft;
use super::let_through::is_meant_to_end;
use crate::detectors::conditions::bare;
use crate::detectors::error_kinds::is_error_name;
use crate::detectors::functions::{Changed, plain};
use crate::detectors::report::excerpt;
use crate::detectors::subject::names_of_any_length;
use crate::detectors::switch_names::words;
use crate::facts::{Context, Exit, ExitKind};
use crate::finding::{Finding, Severity};

/// Words for what such functions are told of.
const TOLD: &[&str] = &[
    "error",
    "errors",
    "err",
    "exception",
    "exceptions",
    "warning",
    "warnings",
    "warn",
    "failure",
    "failures",
    "panic",
    "crash",
    "onwarn",
    "onerror",
];

/// So much of what the function did must still be done for the others.
const KEPT: f64 = 0.9;

pub fn ignored(change: &Changed<'_>) -> Option<Finding> {
    let name = words(change.new.short_name());
    let deals = name.iter().any(|word| TOLD.contains(&word.as_str())) && !answers(&name);
    if !deals || change.pair.old.containment(&change.pair.new) < KEPT {
        return None;
    }
    let told = parameter_of(change)?;
    let known = |exit: &Exit| {
        change.old.exits.iter().any(|old| {
            plain(&old.condition) == plain(&exit.condition) && plain(&old.text) == plain(&exit.text)
        })
    };
    let leaves = |exit: &&Exit| {
        exit.kind == ExitKind::Default
            && matches!(exit.context, Context::Branch | Context::Handler)
            && stands_in_front(change, exit)
            && names_of_any_length(&exit.condition).any(|name| name == told)
            && tells_one(&exit.condition, &told)
            && !is_meant_to_end(&exit.condition)
    };
    let exit = change.new.exits.iter().filter(leaves).find(|exit| !known(exit))?;
    let message = format!(
        "{} now does nothing where `{}`",
        change.title(),
        crate::text::printable(bare(&exit.condition))
    );
    let mut finding = draft(change, exit.line, message, 0.8);
    finding.before = change.head_before("each was dealt with");
    finding.after = excerpt(change.side, exit.span, exit.line, "now this one is not");
    finding.lower(Severity::Medium, "the others are still dealt with");
    Some(finding)
}

/// Whether all but the nearest of what decides about a way out was asked before.
fn stands_in_front(change: &Changed<'_>, exit: &Exit) -> bool {
    let before = plain(&change.old_text());
    let Some((_, around)) = exit.deciders.split_last() else { return false };
    let asked = |bytes: std::ops::Range<usize>| {
        let text = String::from_utf8_lossy(change.side.text.get(bytes).unwrap_or_default());
        plain(&text)
    };
    around.len() <= 1 && around.iter().all(|decider| before.contains(&asked(decider.condition.clone())))
}

/// Whether a function only answers what an error is, or makes one.
fn answers(name: &[String]) -> bool {
    let first = name.first().map_or("", String::as_str);
    [
        "is", "has", "get", "to", "format", "parse", "make", "create", "new", "build", "should", "can", "as",
        "from", "find", "with", "extract", "clear", "reset", "set", "render", "show",
    ]
    .contains(&first)
}

/// The parameter that holds what the function is told of.
fn parameter_of(change: &Changed<'_>) -> Option<String> {
    let is_told = |name: &&str| {
        is_error_name(name) || words(name).last().is_some_and(|word| TOLD.contains(&word.as_str()))
    };
    names_of_any_length(&change.old.parameters).find(is_told).map(str::to_owned)
}

/// Whether a condition is for some value of what is told, rather than for nothing being told.
fn tells_one(condition: &str, told: &str) -> bool {
    let condition = plain(condition);
    let condition = condition.trim_matches(['(', ')']);
    let absent = [
        format!("!{told}"),
        format!("not{told}"),
        format!("{told}==null"),
        format!("{told}===null"),
        format!("{told}isNone"),
        format!("{told}==nil"),
        format!("{told}===undefined"),
        format!("{told}==undefined"),
    ];
    let asks = [
        "==",
        "Is(",
        "As(",
        "isinstance(",
        "instanceof",
        "Contains(",
        "includes(",
        ".test(",
        "startsWith(",
        "startswith(",
        "match(",
        "in(",
        "'in",
    ]
    .iter()
    .any(|ask| condition.contains(ask));
    asks && !absent.iter().any(|absent| condition == *absent)
}
