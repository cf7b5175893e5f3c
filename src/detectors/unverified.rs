//! Checks that a library makes, switched off by an option of an existing call: `verify=False`, `rejectUnauthorized:
//! false`, `TypeValidation.DISABLED`.
//!
//! Part of the rules about guards and about swallowed errors: which of them an option belongs to, its name tells.

use std::collections::HashSet;

use super::functions::{Changed, plain};
use super::switch_names::words;
use crate::facts::{Place, Switch};

/// An option that is off now and was on, or was not there.
pub struct Unverified {
    pub line: u32,
    pub name: String,
    pub value: String,
}

/// What an option looks after.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Care {
    Checks,
    Errors,
}

/// The share of the new function that must have been there before: the option was put on existing code.
const KEPT: f64 = 0.8;

pub fn unverified(change: &Changed<'_>, care: Care) -> Vec<Unverified> {
    let inside =
        |switch: &&Switch| change.new.span.start <= switch.line && switch.line <= change.new.span.end;
    let off = |switch: &&Switch| {
        matches!(switch.place, Place::Option | Place::Call)
            && turned_off(&switch.name, switch.on) == Some(care)
    };
    let switches = change.side.facts.signals.switches.iter().filter(inside).filter(off);
    let mut found: Vec<Unverified> = switches
        .map(|switch| Unverified {
            line: switch.line,
            name: switch.name.clone(),
            value: switch.on.to_string(),
        })
        .collect();
    if care == Care::Checks {
        found.extend(constants(change));
    }
    let old: HashSet<String> = change.old_side.lines(change.old.span).map(|line| plain(&line)).collect();
    let before = change.old_text();
    let is_new = |found: &Unverified| {
        let mut lines = change.side.lines(crate::facts::Span { start: found.line, end: found.line });
        let line = lines.next().map(|line| plain(&line)).unwrap_or_default();
        // The same option may have been off at another place of the function.
        !old.contains(&line) && !before.contains(&format!("{}={}", found.name, found.value))
    };
    found.retain(is_new);
    if found.is_empty() || change.kept() < KEPT { Vec::new() } else { found }
}

/// What a switch of this name and value no longer looks after.
pub fn turned_off(name: &str, on: bool) -> Option<Care> {
    let words = words(name);
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    let lets_go =
        has(&["skip", "ignore", "disable", "suppress", "no", "insecure", "silence", "swallow", "bypass"]);
    let checks =
        has(&["verify", "validate", "validation", "verification", "unauthorized", "signature", "hostname"]);
    let errors = has(&["error", "errors", "failures", "exceptions"]);
    match (on, lets_go) {
        (true, true) if checks => Some(Care::Checks),
        (true, true) if errors => Some(Care::Errors),
        (false, false) if checks => Some(Care::Checks),
        _ => None,
    }
}

/// `TypeValidation.DISABLED`, `Verification::None`.
fn constants(change: &Changed<'_>) -> Vec<Unverified> {
    let lines = change.side.lines(change.new.span).zip(change.new.span.start..);
    let found = lines.filter_map(|(line, number)| {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':');
        let path = line.split(|c: char| !is_part(c)).find(|path| is_off_constant(path))?;
        let (name, value) = path.rsplit_once(['.', ':'])?;
        Some(Unverified {
            line: number,
            name: name.trim_end_matches(':').to_owned(),
            value: value.to_owned(),
        })
    });
    found.collect()
}

fn is_off_constant(path: &str) -> bool {
    let Some((name, value)) = path.rsplit_once(['.', ':']) else { return false };
    let kind = name.rsplit(['.', ':']).find(|part| !part.is_empty()).unwrap_or("");
    let cares = ["Validation", "Verification", "HostnameVerifier", "CertificateVerification"];
    matches!(value, "DISABLED" | "NONE" | "OFF" | "Disabled" | "None" | "Off" | "NOOP")
        && cares.iter().any(|care| kind.ends_with(care))
}
