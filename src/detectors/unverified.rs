//! Checks that a library makes, switched off by an option of an existing call: `verify=False`, `rejectUnauthorized:
//! false`, `TypeValidation.DISABLED`.
//!
//! Part of the rules about guards and about swallowed errors: which of them an option belongs to, its name tells.

use super::code_lines::{TestCode, function_at};
use super::functions::{Changed, plain};
use super::switch_names::words;
use crate::collections::HashSet;
use crate::comparison::FileSide;
use crate::facts::{Place, Switch};
use crate::text::contains;

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
    let before = change.old_text();
    let off = |switch: &&Switch| {
        let of_name = turned_off(&switch.name, switch.on) == Some(care);
        let was_on = || was_insisted_on(&before, &switch.name);
        let insisted = !switch.on && insists(&switch.name) == Some(care) && was_on();
        matches!(switch.place, Place::Option | Place::Call) && (of_name || insisted)
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
    let known = before.to_lowercase();
    let is_new = |found: &Unverified| {
        let mut lines = change.side.lines(crate::facts::Span { start: found.line, end: found.line });
        let line = lines.next().map(|line| plain(&line)).unwrap_or_default();
        // The same option may have been off at another place of the function.
        !old.contains(&line) && !known.contains(&format!("{}={}", found.name, found.value).to_lowercase())
    };
    found.retain(is_new);
    if found.is_empty() || change.kept() < KEPT { Vec::new() } else { found }
}

/// Options outside of functions that tell a library not to check, in files that said nothing of them before.
pub fn outside<'c>(before: &'c FileSide, after: &'c FileSide) -> impl Iterator<Item = &'c Switch> {
    let tests = TestCode::of(after);
    let is_off = move |switch: &&Switch| {
        matches!(switch.place, Place::Option | Place::Call)
            && turned_off(&switch.name, switch.on) == Some(Care::Checks)
            && !after.facts.language.is_empty()
            && !tests.contains(switch.line)
            && function_at(after, switch.line).is_empty()
            && !contains(&before.text, switch.name.as_bytes())
    };
    after.facts.signals.switches.iter().filter(is_off)
}

/// What an option looks after that is off in most calls: it tells something only where it was on.
pub fn insists(name: &str) -> Option<Care> {
    match name {
        "strict" => Some(Care::Checks),
        "check" => Some(Care::Errors),
        _ => None,
    }
}

fn was_insisted_on(before: &str, name: &str) -> bool {
    let before = plain(before);
    [format!("{name}=True"), format!("{name}:true")].iter().any(|on| before.contains(on))
}

/// What a switch of this name and value no longer looks after.
pub fn turned_off(name: &str, on: bool) -> Option<Care> {
    let words = words(name);
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    let lets_go =
        has(&["skip", "ignore", "disable", "suppress", "no", "insecure", "silence", "swallow", "bypass"]);
    let checks = has(&[
        "verify",
        "validate",
        "validation",
        "verification",
        "unauthorized",
        "signature",
        "hostname",
        "csrf",
    ]);
    let errors = has(&["error", "errors", "failures", "exceptions"]);
    let raises = words.len() > 1 && has(&["raise", "raises", "throw", "throws", "reraise"]);
    match (on, lets_go) {
        (true, true) if checks => Some(Care::Checks),
        (true, true) if errors => Some(Care::Errors),
        (true, false) if name == "return_exceptions" => Some(Care::Errors),
        (false, false) if checks => Some(Care::Checks),
        (false, false) if raises => Some(Care::Errors),
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
