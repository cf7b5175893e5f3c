//! Values that decide whether something is enforced, and that newly need more to hold: `verify = a` became
//! `verify = a and not b`, `skipValidation: x` became `skipValidation: x || y`.
//!
//! Part of the rule about guards.

use crate::detectors::conditions::holds_for_less;
use crate::detectors::hunks::Line;
use crate::detectors::switch_names::words;

/// Words of names that say that something is insisted on.
const ENFORCES: &[&str] = &[
    "enforce",
    "enforced",
    "enforces",
    "verify",
    "verification",
    "strict",
    "validate",
    "validation",
    "secure",
    "authenticate",
    "authorize",
    "sanitize",
    "csrf",
    "httponly",
    "protect",
    "protected",
];

/// First words of names that say that something is left out.
const LEAVES_OUT: &[&str] = &["skip", "disable", "bypass", "no", "ignore", "allow", "insecure", "without"];

/// What they leave out.
const CHECKS: &[&str] = &[
    "verify",
    "verification",
    "validate",
    "validation",
    "check",
    "checks",
    "auth",
    "authentication",
    "authorization",
    "csrf",
    "insecure",
    "unauthorized",
    "unsafe",
    "untrusted",
    "strict",
    "signature",
    "tls",
    "ssl",
];

/// A value that decides about a check, and holds for less now.
pub struct NarrowedFlag {
    pub line: u32,
    pub old_line: u32,
    pub name: String,
    /// What has to hold as well, or is enough now.
    pub added: String,
}

pub fn narrowed_flag(pairs: &[(Line, Line)]) -> Option<NarrowedFlag> {
    pairs.iter().find_map(|(old, new)| {
        let ((name, was), (other, is)) = (given(&old.1)?, given(&new.1)?);
        let added = if name == other { narrowed(name, was, is)? } else { return None };
        Some(NarrowedFlag { line: new.0, old_line: old.0, name: name.to_owned(), added })
    })
}

fn narrowed(name: &str, was: &str, is: &str) -> Option<String> {
    if replaced_with_nothing(name, was, is) {
        return Some(is.to_owned());
    }
    let said = words(name);
    let has = |list: &[&str]| said.iter().any(|word| list.contains(&word.as_str()));
    let leaves_out = said.first().is_some_and(|word| LEAVES_OUT.contains(&word.as_str())) && has(CHECKS);
    if leaves_out {
        let more = holds_for_less(is, was)?;
        return more.lost.into_iter().next().filter(|_| more.added.is_empty());
    }
    if !has(ENFORCES) {
        return None;
    }
    let less = holds_for_less(was, is).filter(|less| less.lost.is_empty())?;
    // To ask whether something is there before looking into it changes nothing.
    let is_path = |part: &String| was.replace("?.", ".").contains(&format!("{part}."));
    less.added.into_iter().find(|part| !is_path(part) && !was.contains(part.as_str()))
}

/// Whether something that checks gave way to nothing, or to a function that lets all pass.
fn replaced_with_nothing(name: &str, was: &str, is: &str) -> bool {
    let checks = [
        "validator",
        "validators",
        "validate",
        "authorize",
        "authenticate",
        "sanitizer",
        "sanitize",
        "verify",
        "verifier",
        "guard",
        "guards",
        "interceptor",
        "checkServerIdentity",
    ];
    let said = words(name);
    let about = checks.contains(&name) || said.last().is_some_and(|word| checks.contains(&word.as_str()));
    let nothing = ["null", "undefined", "None", "nil", "noop", "()=>true", "()=>{}", "[]", "()=>undefined"];
    let off = |value: &str| {
        let value: String = value.chars().filter(|c| !c.is_whitespace()).collect();
        let gives_back = value.split_once("=>").is_some_and(|(given, back)| {
            let given = given.trim_matches(['(', ')']);
            given == back || (back == "true" && !given.contains("=>"))
        });
        let lambda = value.strip_prefix("lambda").and_then(|rest| rest.split_once(':'));
        gives_back
            || lambda.is_some_and(|(given, back)| given == back || back == "True")
            || nothing.contains(&value.as_str())
    };
    let constant = ["true", "false", "True", "False"].contains(&was);
    about && off(is) && !off(was) && !constant
}

/// The name of a place and the value that a line gives it, be it a variable, a field, an option or an argument.
fn given(line: &str) -> Option<(&str, &str)> {
    let line = line.trim().trim_end_matches([',', ';']);
    let at = line.find([':', '='])?;
    let (name, value) = line.split_at(at);
    let value = value.trim_start_matches([':', '=']).trim();
    let compares = line[at..].starts_with("==") || name.ends_with(['!', '<', '>', '(']);
    let name = name.trim().rsplit(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$'))).next()?;
    let types = value.starts_with("boolean") || value.starts_with("bool");
    (!compares && !types && !name.is_empty() && !value.ends_with(['{', '[', '('])).then_some((name, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_enforced_in_fewer_cases_is_told() {
        assert_eq!(
            narrowed("enforceHost", "!a.any()", "!a.any() && !a.local()"),
            Some("!a.local()".to_owned())
        );
        assert_eq!(narrowed("verify", "s.verify", "s.verify and not dev"), Some("notdev".to_owned()));
        assert_eq!(narrowed("skipValidation", "x", "x || y"), Some("y".to_owned()));
        assert_eq!(narrowed("strict", "opts.strict", "opts && opts.strict"), None);
        assert_eq!(narrowed("visible", "a", "a && b"), None);
    }
}
