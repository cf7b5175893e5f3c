//! What a function did and now says that it does not do: all of its work, or one of its cases.
//!
//! Part of the rules about stubs and about disabled features.

use super::draft as switched_off;
use crate::comparison::Comparison;
use crate::detectors::functions::{Changed, plain};
use crate::detectors::report::excerpt;
use crate::facts::{Context, Exit};
use crate::finding::{Finding, Severity, Side};

/// Words of an answer that nothing is done.
const AWAY: &[&str] = &[
    "not implemented",
    "notimplemented",
    "not yet implemented",
    "unimplemented",
    "temporarily",
    "not allow",
    "not supported",
    "unsupported",
    "disabled",
    "not available",
    "unavailable",
    "turned off",
    "switched off",
];

/// Those that say so of what was there.
const OFF: &[&str] = &[
    "not implemented",
    "notimplemented",
    "not yet implemented",
    "unimplemented",
    "temporarily",
    "is disabled",
    "turned off",
    "switched off",
];

/// So many statements are steps of some work.
const STEPS: usize = 3;

/// Whether a function took some steps, and all that is left is to say that it does not do them.
pub fn answers_no(change: &Changed<'_>) -> bool {
    if change.new.statements != 1 || change.old.statements < STEPS || change.new.stub.is_some() {
        return false;
    }
    let body = change.side.text.get(change.new.body.clone()).unwrap_or_default();
    let body = String::from_utf8_lossy(body);
    let body = body.trim_matches(|c: char| c.is_whitespace() || matches!(c, '{' | '}' | ':'));
    let leaves =
        ["return ", "throw ", "raise ", "panic", "bail!", "Err("].iter().any(|word| body.starts_with(word));
    let said = quoted(body).to_lowercase();
    leaves && AWAY.iter().any(|word| said.contains(word))
}

/// What stands between the quotes of some code, and names of failures that say it all.
fn quoted(code: &str) -> String {
    let mut said: Vec<&str> = code.split(['"', '\'', '`']).skip(1).step_by(2).collect();
    said.extend(["NotImplemented", "Unsupported", "Unavailable"].iter().filter(|name| code.contains(**name)));
    said.join(" ")
}

/// A case that the function dealt with, and now says it does not.
pub fn case(comparison: &Comparison, change: &Changed<'_>) -> Option<Finding> {
    let away = |exit: &&Exit| {
        let said = quoted(&exit.text).to_lowercase();
        exit.kind.refuses() && exit.context == Context::Branch && OFF.iter().any(|word| said.contains(word))
    };
    let mut fresh = change.new.exits.iter().filter(away).peekable();
    fresh.peek()?;
    let before = plain(&change.old_text());
    let exit = fresh.find(|exit| {
        let asked = plain(&exit.condition);
        let known = change.old.exits.iter().any(|old| {
            plain(&old.text) == plain(&exit.text)
                || (old.kind.refuses() && plain(&old.condition) == plain(&exit.condition))
        });
        // It was asked for before, and something was done then.
        let dealt_with = [format!("if{asked}{{"), format!("if({asked}){{"), format!("if{asked}:")];
        !known && asked.len() > 3 && dealt_with.iter().any(|head| before.contains(head.as_str()))
    })?;
    let message = format!(
        "{} no longer does anything where `{}`: it says that this is off",
        change.title(),
        crate::text::printable(&exit.condition)
    );
    let mut finding = change.finding(switched_off(message, 0.75), Side::After, exit.line);
    finding.after = excerpt(change.side, exit.span, exit.line, "this case is turned away now");
    finding.detail.clone_from(&exit.condition);
    if !comparison.documents.is_empty() {
        finding.lower(Severity::Low, "documents change with it, which tells users");
    }
    Some(finding)
}
