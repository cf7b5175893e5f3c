//! Checks that stay and count for less: one that only test builds make, an error that became a warning, a case that a
//! deciding function no longer says no to.
//!
//! Part of the rule about guards.

use crate::collections::HashSet;
use crate::detectors::exits::{allowed, take_equal};
use crate::detectors::functions::{Changed, names, overlap, plain};
use crate::detectors::handlers::handlers;
use crate::facts::{Action, Context, Exit, ExitKind, Handler, HandlerKind, Span};

/// What a check was, what it is now, and why that is less.
pub struct Softened<'c> {
    pub exit: &'c Exit,
    pub line: u32,
    pub now: String,
    pub reason: &'static str,
    /// Whether it still refuses, and a handler keeps that back.
    pub caught: bool,
}

pub fn softened<'c>(change: &Changed<'c>) -> Vec<Softened<'c>> {
    let mut found = optional(change);
    found.extend(asserted(change));
    found.extend(warned(change));
    found.extend(logged(change));
    found.extend(caught(change));
    found
}

/// The cases for which a function that decides no longer says no, while all else in it is as it was.
pub fn no_longer_denied<'c>(change: &Changed<'c>) -> Vec<&'c Exit> {
    let old = change.old.exits.iter();
    if !old.clone().any(|exit| exit.kind == ExitKind::Denies) || change.kept() < KEPT {
        return Vec::new();
    }
    let before: HashSet<String> =
        change.old_side.lines(change.old.span).map(|line| line.trim().to_owned()).collect();
    let fresh: Vec<HashSet<String>> = change
        .side
        .lines(change.new.span)
        .filter(|line| !before.contains(line.trim()))
        .map(|line| names(&line))
        .collect();
    // A line that speaks of the same may ask the same in other words.
    let reworded = |exit: &&Exit| fresh.iter().any(|said| overlap(&names(&exit.condition), said) >= SAME);
    allowed(change).into_iter().filter(|exit| !reworded(exit)).collect()
}

/// The share of the names of a condition, or of a line, that the other has too.
const SAME: f64 = 0.6;

/// The share of the new function that must have been there before.
const KEPT: f64 = 0.85;

/// Checks that became assertions which a release build, or a flag of the interpreter, leaves out.
fn optional<'c>(change: &Changed<'c>) -> Vec<Softened<'c>> {
    let rust = change.side.facts.language == "rust";
    let leaves_out = |exit: &&Exit| {
        let own = if rust { "debug_assert" } else { "assert " };
        exit.context == Context::Check && exit.text.starts_with(own)
    };
    let is_firm = |exit: &&Exit| {
        let asserts = exit.context == Context::Check && exit.text.starts_with("assert");
        let throws = exit.context == Context::Branch && exit.kind == ExitKind::Fails;
        throws || (rust && asserts)
    };
    let of = |exits: &'c [Exit]| -> Vec<&'c Exit> { exits.iter().collect() };
    let (mut old, mut new) = (of(&change.old.exits), of(&change.new.exits));
    take_equal(&mut old, &mut new, |a, b| {
        plain(&a.text) == plain(&b.text) && plain(&a.condition) == plain(&b.condition)
    });
    let (firm, loose) = (old.into_iter().filter(is_firm), new.into_iter().filter(leaves_out));
    let loose: Vec<&Exit> = loose.collect();
    let became = |exit: &'c Exit| {
        let same = |new: &&&'c Exit| match rust && exit.context == Context::Check {
            true => plain(&new.text).strip_prefix("debug_") == Some(&plain(&exit.text)),
            false => {
                let asked = names(asked_by(&new.condition));
                !asked.is_empty() && names(&exit.condition) == asked
            }
        };
        let new = loose.iter().find(same)?;
        let reason = "the assertion that stands there now is left out of some builds and runs";
        Some(Softened { exit, line: new.line, now: new.text.clone(), reason, caught: false })
    };
    firm.filter_map(became).collect()
}

/// Cases that a function dealt with by leaving, and that it now only asserts not to occur.
fn asserted<'c>(change: &Changed<'c>) -> Vec<Softened<'c>> {
    let asserts = |exit: &&Exit| exit.context == Context::Check && exit.text.starts_with("assert");
    let known = |exit: &&Exit| !change.old.exits.iter().any(|old| plain(&old.text) == plain(&exit.text));
    let fresh: Vec<&Exit> = change.new.exits.iter().filter(asserts).filter(known).collect();
    if fresh.is_empty() {
        return Vec::new();
    }
    let leaves = |exit: &&Exit| exit.context == Context::Branch && exit.kind == ExitKind::Default;
    let asked = |exit: &Exit| plain(&exit.condition);
    let still = |exit: &&Exit| {
        let branches = change.new.exits.iter().filter(|new| new.context == Context::Branch);
        branches.into_iter().any(|new| asked(new) == asked(exit))
    };
    let gone = change.old.exits.iter().filter(leaves).filter(|exit| !still(exit));
    let became = |exit: &'c Exit| {
        let names = names(&exit.condition);
        let same = |new: &&&Exit| !names.is_empty() && names == self::names(asked_by(&new.condition));
        let new = fresh.iter().find(same)?;
        let reason = "the case may have become impossible";
        Some(Softened { exit, line: new.line, now: new.text.clone(), reason, caught: false })
    };
    gone.filter_map(became).collect()
}

/// What an assertion asks for, without what it says where that does not hold.
fn asked_by(assertion: &str) -> &str {
    let asked = assertion.trim_start_matches("debug_").trim_start_matches("assert").trim_start_matches('!');
    let messages = [", \"", ", '", ", f\"", ", f'", ": \"", ",\""];
    let end = messages.iter().filter_map(|message| asked.find(message)).min();
    &asked[..end.unwrap_or(asked.len())]
}

/// Errors that are reported as warnings now, by the very line that reported them.
fn warned<'c>(change: &Changed<'c>) -> Vec<Softened<'c>> {
    let lines = |side: &crate::comparison::FileSide, span: Span| -> Vec<(u32, String)> {
        (span.start..).zip(side.lines(span).map(|line| line.trim().to_owned())).collect()
    };
    let reports = |exit: &&Exit| exit.kind == ExitKind::Notes || exit.text.starts_with("throw ");
    let reports = |exit: &&Exit| reports(exit) || exit.context == Context::Check;
    let judged: Vec<&Exit> = change.old.exits.iter().filter(reports).collect();
    if judged.is_empty() {
        return Vec::new();
    }
    let old: HashSet<String> =
        lines(change.old_side, change.old.span).into_iter().map(|(_, line)| line).collect();
    let all = lines(change.side, change.new.span);
    let kept: HashSet<String> = all.iter().map(|(_, line)| line.clone()).collect();
    let fresh: Vec<(u32, String)> = all.into_iter().filter(|(_, line)| !old.contains(line)).collect();
    let text = plain(&change.new_text());
    let mut found = Vec::new();
    for exit in judged {
        let mut here = change.old_side.lines(Span { start: exit.line, end: exit.line });
        let was = here.next().map(|line| line.trim().to_owned()).unwrap_or_default();
        // What still stands there became nothing else.
        if kept.contains(&was) {
            continue;
        }
        let milder = |(_, line): &&(u32, String)| {
            let same = || match exit.context {
                Context::Check => is_given_the_same(&text, line, exit),
                _ => as_error(line) == as_error(&was),
            };
            line.to_lowercase().contains("warn") && same()
        };
        if let Some((line, now)) = fresh.iter().find(milder) {
            let reason = "it is still told, as a warning";
            found.push(Softened { exit, line: *line, now: now.clone(), reason, caught: false });
        }
    }
    found
}

/// Assertions in whose place a branch stands that asks the same, and only writes a log.
fn logged<'c>(change: &Changed<'c>) -> Vec<Softened<'c>> {
    let known = |exit: &Exit| change.new.exits.iter().any(|new| plain(&new.text) == plain(&exit.text));
    let asserts = |exit: &&Exit| exit.context == Context::Check && exit.text.starts_with("assert");
    let gone: Vec<&Exit> = change.old.exits.iter().filter(asserts).filter(|exit| !known(exit)).collect();
    if gone.is_empty() || change.new.logs.is_empty() {
        return Vec::new();
    }
    let before = change.old_text();
    let lines: Vec<String> = change.side.lines(change.new.span).map(|line| line.into_owned()).collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut found = Vec::new();
    for log in &change.new.logs {
        let Some(at) = log.start.checked_sub(change.new.span.start).map(|at| at as usize) else { continue };
        let Some(line) = lines.get(at).filter(|line| !before.contains(line.trim())) else { continue };
        let mut above = lines[..at].iter().rev();
        let head = above.find(|other| !other.trim().is_empty() && indent(other) < indent(line));
        let Some(head) = head.filter(|head| head.trim_start().starts_with("if")) else { continue };
        let asked = names(head);
        let same = |exit: &&&Exit| {
            let said = exit.condition.split(['"', '\'', '`']).next().unwrap_or_default();
            let mut was = names(said.trim_start_matches(|c: char| c.is_alphabetic() || c == '!'));
            was.remove("assert");
            !asked.is_empty() && was == asked
        };
        if let Some(exit) = gone.iter().find(same) {
            let reason = "it is still told, in a log";
            let now = line.trim().to_owned();
            found.push(Softened { exit, line: log.start, now, reason, caught: false });
        }
    }
    found
}

/// Checks that were put into a handler after which things go on.
fn caught<'c>(change: &Changed<'c>) -> Vec<Softened<'c>> {
    let checks = |exit: &&Exit| exit.context == Context::Check;
    if !change.new.exits.iter().any(|exit| checks(&exit)) || change.kept() < HALF {
        return Vec::new();
    }
    let goes_on = |handler: &&Handler| {
        let leaves = |exit: &&Exit| handler.span.contains(Span { start: exit.line, end: exit.line });
        handler.kind == HandlerKind::Clause
            && handler.action == Action::Handles
            && !change.new.exits.iter().any(|exit| leaves(&exit))
    };
    let mut found = Vec::new();
    for handler in handlers(change).fresh.into_iter().filter(|handler| goes_on(handler)) {
        let bytes = change.side.text.get(handler.protected.clone()).unwrap_or_default();
        let tried = plain(&String::from_utf8_lossy(bytes)).trim_matches(['{', '}']).to_owned();
        let was = |exit: &&Exit| tried.trim_end_matches(';') == plain(&exit.text).trim_end_matches(';');
        if let Some(exit) = change.old.exits.iter().filter(checks).find(was) {
            let reason = "what is done instead may be meant to be enough";
            found.push(Softened {
                exit,
                line: handler.line,
                now: handler.text.clone(),
                reason,
                caught: true,
            });
        }
    }
    found
}

/// The share of the new function that must have been there before, where a handler came to it.
const HALF: f64 = 0.5;

/// Whether a new call that warns is given what a check was given: `warning(x > 0, 'no')` for `invariant(x > 0, 'no')`.
fn is_given_the_same(text: &str, line: &str, check: &Exit) -> bool {
    let Some((callee, _)) = line.split_once('(') else { return false };
    let given = plain(&check.condition);
    let given: String = given.trim_start_matches('(').chars().take(GIVEN).collect();
    let given = given.trim_end_matches([')', ',']);
    let (callee, own) = (plain(callee), check.text.split('(').next().map(plain));
    callee.to_lowercase().contains("warn")
        && own.is_some_and(|own| own != callee)
        && given.len() > 2
        && text.contains(&format!("{callee}({given}"))
}

/// So much of what a check is given tells it from others.
const GIVEN: usize = 80;

/// A line with its words for warnings and errors made one.
fn as_error(line: &str) -> String {
    plain(line)
        .to_lowercase()
        .replace("warnings", "errors")
        .replace("warning", "error")
        .replace("warn", "error")
}
