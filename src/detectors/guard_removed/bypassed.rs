//! Ways out that were put in front of checks, so that what they ask for skips them all.
//!
//! Part of the rule about guards. Leaving early is what much good code does; it counts where the function is there to
//! check, or where the condition itself speaks of skipping.

use crate::detectors::functions::{Changed, plain};
use crate::detectors::hunks::Line;
use crate::detectors::subject::names_of_any_length;
use crate::detectors::switch_names::words;
use crate::facts::{Context, Exit, ExitKind};

/// A new way out, and the first check that it stands before.
pub struct Bypassed<'c> {
    pub exit: &'c Exit,
    pub check: &'c Exit,
}

pub fn bypassed<'c>(change: &Changed<'c>) -> Option<Bypassed<'c>> {
    let known = |exit: &Exit| {
        change.old.exits.iter().any(|old| {
            plain(&old.condition) == plain(&exit.condition) && plain(&old.text) == plain(&exit.text)
        })
    };
    let refuses = |exit: &&Exit| exit.kind.refuses() && exit.context != Context::Handler;
    let check = change.new.exits.iter().filter(refuses).find(|exit| known(exit))?;
    let leaves = |exit: &&Exit| {
        matches!(exit.kind, ExitKind::Default)
            && exit.context == Context::Branch
            && exit.text.starts_with("return")
    };
    let fresh = change
        .new
        .exits
        .iter()
        .filter(leaves)
        .filter(|exit| exit.span.end < check.span.start && !known(exit));
    let checks = is_checker(change.new.short_name());
    let exit = fresh
        .into_iter()
        .find(|exit| is_switch(&exit.condition) || (checks && is_special(change, &exit.condition)))?;
    Some(Bypassed { exit, check })
}

/// An answer that always holds now: its old line, the new one, and how it reads.
pub fn always(pairs: &[(Line, Line)]) -> Option<(u32, u32, String)> {
    const HOLDS: &[&str] = &["||true", "true||", "orTrue", "Trueor"];
    let found = pairs.iter().find(|(old, new)| {
        let (was, is) = (plain(&old.1), plain(&new.1));
        let answers = was.starts_with("return") || was.contains('=');
        answers && HOLDS.iter().any(|holds| is.contains(holds) && is.replacen(holds, "", 1) == was)
    });
    found.map(|(old, new)| (old.0, new.0, new.1.clone()))
}

/// A new branch that takes the way on, before anything is refused.
pub struct Passing {
    pub line: u32,
    pub condition: String,
}

/// How the next in a chain of handlers is called.
const NEXT: &[&str] = &[
    "next(",
    "next.",
    ".next(",
    ".doFilter(",
    "call_next(",
    "get_response(",
    ".proceed(",
    "handler(",
    "h.ServeHTTP(",
    "inner(",
    "wrapped(",
];

/// What stands where a request is refused, beside failures.
const REFUSES: &[&str] = &[
    "http.Error(",
    "WriteHeader(",
    "sendStatus(",
    ".status(4",
    "AbortWith",
    "sendError(",
    "Forbidden",
    "Unauthorized",
    "BadRequest",
    "NotAllowed",
    "throw ",
    "raise ",
    "status_code=4",
    "code(4",
    "reject(",
    ".status = 4",
];

/// A branch that is new in a function of a chain and goes on to the next one as the function does after its checks.
pub fn passes(change: &Changed<'_>) -> Option<Passing> {
    if change.pair.new.len() <= change.pair.old.len() || change.pair.old.containment(&change.pair.new) < WHOLE
    {
        return None;
    }
    let way = |line: &str| {
        let line = line.trim().trim_end_matches(';');
        let line = line.strip_prefix("return ").unwrap_or(line);
        line.strip_prefix("await ").unwrap_or(line).to_owned()
    };
    let is_next = |line: &str| {
        NEXT.iter().any(|call| {
            way(line).starts_with(call.trim_start_matches('.'))
                || (call.starts_with('.') && way(line).contains(call))
        })
    };
    let old: Vec<String> = change.old_side.lines(change.old.span).map(|line| line.into_owned()).collect();
    let ways: Vec<String> = old.iter().filter(|line| is_next(line)).map(|line| way(line)).collect();
    let refuses = |line: &String| REFUSES.iter().any(|word| line.contains(word));
    if ways.is_empty() || !old.iter().any(refuses) {
        return None;
    }
    let new: Vec<String> = change.side.lines(change.new.span).map(|line| line.into_owned()).collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let count = |lines: &[String], text: &str| lines.iter().filter(|line| line.trim() == text).count();
    for (at, line) in new.iter().enumerate() {
        let added = ways.contains(&way(line)) && count(&new, line.trim()) > count(&old, line.trim());
        // Those that came first are new: what follows refuses as before.
        let refused_after = new[at..].iter().any(refuses) && !new[..at].iter().any(refuses);
        if !added || !refused_after {
            continue;
        }
        let is_around = |other: &usize| !new[*other].trim().is_empty() && indent(&new[*other]) < indent(line);
        let Some(above) = (0..at).rev().find(is_around) else { continue };
        let (head, number) = (&new[above], change.new.span.start + above as u32);
        let asks = head.trim_start().starts_with("if");
        if asks && count(&old, head.trim()) == 0 {
            let condition = head.trim().trim_start_matches("if").trim().trim_end_matches(['{', ':']).trim();
            return Some(Passing { line: number, condition: format!("`{condition}`") });
        }
    }
    None
}

/// So much of the old function must be there still.
const WHOLE: f64 = 0.95;

/// Words of names that let things pass.
const PASSES: &[&str] =
    &["skip", "bypass", "force", "unsafe", "insecure", "trusted", "disable", "disabled", "noverify"];

/// How names of functions begin that are there to refuse.
const CHECKERS: &[&str] =
    &["validate", "verify", "check", "assert", "ensure", "enforce", "authorize", "authenticate", "require"];

fn is_checker(name: &str) -> bool {
    words(name).first().is_some_and(|word| CHECKERS.contains(&word.as_str()))
}

/// Whether a condition is for one value that is written out, or for a parameter that the checks do not ask about: not
/// for something that has nothing to check.
fn is_special(change: &Changed<'_>, condition: &str) -> bool {
    let condition = plain(condition);
    let condition = condition.trim_matches(['(', ')']);
    let value = condition.split_once("==").map_or("", |(_, value)| value.trim_start_matches('='));
    let written_out = value.len() > 2 && value.starts_with(['\'', '`']) && value.ends_with(['\'', '`']);
    let given = || names_of_any_length(&change.new.parameters).any(|name| name == condition);
    let asked = || {
        let refuses = change.old.exits.iter().filter(|exit| exit.kind.refuses());
        refuses.into_iter().any(|exit| names_of_any_length(&exit.condition).any(|name| name == condition))
    };
    written_out || (given() && !asked())
}

/// Whether a condition is a switch that lets things pass: `skip_checks`, `options.force`.
fn is_switch(condition: &str) -> bool {
    let speaks = |name: &str| words(name).iter().any(|word| PASSES.contains(&word.as_str()));
    !condition.contains('(') && names_of_any_length(condition).any(speaks)
}
