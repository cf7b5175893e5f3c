//! Existing code that was put into a handler which keeps its errors back.
//!
//! Part of the rule about swallowed errors. What stands in the handler need not be what stood there to the letter:
//! `const x = await load()` becomes `x = await load()` on its way in. So code counts as existing by its tokens, or by
//! the calls that it makes, as long as these are no longer made outside of the handler.

use std::ops::Range;

use super::best_effort::{ends_something, excuse};
use super::draft;
use crate::comparison::FileSide;
use crate::detectors::functions::{Changed, code, words};
use crate::detectors::handlers::protected;
use crate::detectors::passed_over::said_before;
use crate::detectors::report::excerpt;
use crate::facts::{Action, Breadth, Function, Handler, HandlerKind};
use crate::finding::{Finding, Severity};

/// The share of what a new handler protects that must have been there before.
pub const EXISTING: f64 = 0.7;
/// Fewer tokens are no code worth protecting.
pub const MIN_CODE: usize = 3;
/// More calls than this are no statement that was put into a handler, but code that was written with it.
const MAX_CALLS: usize = 4;

/// The new handlers that keep back errors of code which was there before.
pub fn wrapped<'c>(change: &'c Changed<'c>, fresh: &'c [&'c Handler]) -> impl Iterator<Item = Finding> + 'c {
    fresh.iter().filter_map(move |handler| of_handler(change, handler, fresh))
}

/// How the code that a handler protects is known to be old.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    /// By its tokens.
    AsItWas,
    /// By its calls.
    ByCalls,
}

fn of_handler(change: &Changed<'_>, handler: &Handler, fresh: &[&Handler]) -> Option<Finding> {
    if !handler.action.hides() || handler.kind == HandlerKind::Check {
        return None;
    }
    if handler.breadth == Breadth::Narrow && !hides_some(change, handler) {
        return None;
    }
    let known = known(change, handler.protected.clone()).or_else(|| {
        // What another handler tries instead: if that fails too, nobody learns of either failure.
        let around = fresh.iter().find(|outer| {
            outer.action == Action::Handles && outer.span != handler.span && outer.span.contains(handler.span)
        })?;
        known(change, around.protected.clone()).map(|_| Known::ByCalls)
    })?;
    if was_hidden(change, handler) {
        return None;
    }
    let what = if handler.action == Action::Defaults { "turned into a default" } else { "ignored" };
    let which = if handler.breadth == Breadth::Broad {
        "every error".to_owned()
    } else {
        format!("`{}`", handler.caught.join("`, `"))
    };
    let message = format!("{which} of existing code in {} is now {what}", change.title());
    let mut finding = draft(change, handler.line, message, 0.85);
    finding.before = change.head_before("errors left this function");
    finding.after = excerpt(change.side, handler.span, handler.line, "now they are lost");
    match handler.action {
        Action::LogsOnly => finding.lower(Severity::Medium, "the handler writes a log"),
        Action::Defaults => finding.lower(Severity::Medium, "the handler gives back a default"),
        _ if handler.breadth == Breadth::Narrow => {
            finding.lower(Severity::Medium, "other errors still leave")
        }
        _ if known == Known::ByCalls => finding.lower(Severity::Medium, "the code in it was reworded"),
        _ => {}
    }
    if change.new.name.is_empty() {
        finding.lower(Severity::Medium, "it is what the file does while it is loaded");
    }
    if let Some(reason) = excuse(change, handler) {
        let severity = if matters(change, handler, known) { Severity::Medium } else { Severity::Low };
        finding.lower(severity, reason);
    } else if said_before(change, handler) {
        finding.lower(Severity::Low, "the function said the same before where it got nothing");
    }
    Some(finding)
}

/// Whether clean-up that reported its failures is told to be silent about all of them.
fn matters(change: &Changed<'_>, handler: &Handler, known: Known) -> bool {
    let forgets = handler.action == Action::Swallows && handler.breadth == Breadth::Broad;
    forgets
        && known == Known::AsItWas
        && handler.kind == HandlerKind::Clause
        && ends_something(change, handler)
}

/// Whether code of the new side was there before.
pub fn is_known(change: &Changed<'_>, bytes: Range<usize>) -> bool {
    known(change, bytes).is_some()
}

/// Whether errors of what a handler protects were kept back before, or are of a kind that is expected there.
pub fn hidden_or_expected(change: &Changed<'_>, handler: &Handler) -> bool {
    let expected = !handler.caught.is_empty() && handler.caught.iter().all(|name| is_expected(name));
    expected || was_hidden(change, handler) || excuse(change, handler).is_some()
}

/// Whether code of the new side was there before, and how that is known.
fn known(change: &Changed<'_>, bytes: Range<usize>) -> Option<Known> {
    let (share, length) = change.was_there(bytes.clone());
    if share >= EXISTING && length >= MIN_CODE {
        return Some(Known::AsItWas);
    }
    // A single call has few tokens, and can fail all the same.
    let inside = String::from_utf8_lossy(change.side.text.get(bytes).unwrap_or_default());
    let calls = calls(&inside);
    let (before, after) = (code(change.old_side, change.old), code(change.side, change.new));
    let moved_in = |call: &&str| {
        let count = |text: &str| text.matches(*call).count();
        count(&after).saturating_sub(count(&inside)) < count(&before)
    };
    let as_it_was = share >= EXISTING && calls.len() == 1;
    let known = if as_it_was { Known::AsItWas } else { Known::ByCalls };
    (!calls.is_empty() && calls.len() <= MAX_CALLS && calls.iter().all(moved_in)).then_some(known)
}

/// What some code calls, each with the path and the bracket: `self.store.load(`.
fn calls(text: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | ':');
    let mut found: Vec<&str> = Vec::new();
    for (at, _) in text.match_indices('(') {
        let head = &text[..at];
        let path = &head[head.trim_end_matches(is_part).len()..];
        let is_call = path.contains(|c: char| c.is_alphabetic()) && !WORDS.contains(&path);
        let call = &text[at - path.len()..=at];
        if is_call && !found.contains(&call) {
            found.push(call);
        }
        if found.len() > MAX_CALLS {
            break;
        }
    }
    found
}

/// Words before a bracket that call nothing.
const WORDS: &[&str] = &[
    "if", "for", "while", "switch", "return", "await", "catch", "function", "not", "in", "and", "or", "with",
];

/// Whether the errors of the same code were kept back before.
fn was_hidden(change: &Changed<'_>, handler: &Handler) -> bool {
    change.old.handlers.iter().any(|old| {
        let old_code = protected(change.old_side, change.old, old);
        let same = protected(change.side, change.new, handler).containment(&old_code) >= EXISTING;
        same && old.action.hides() && (old.breadth == Breadth::Broad || old.caught == handler.caught)
    })
}

/// Errors that say that something is not there, or is over: to go on is often the answer.
const EXPECTED: &str = "importerror modulenotfounderror keyerror indexerror attributeerror stopiteration filenotfounderror \
    processlookuperror brokenpipeerror connectionreseterror cancellederror keyboardinterrupt interruptedexception \
    doesnotexist objectdoesnotexist nosuchfileexception filenotfoundexception fileexistserror stopasynciteration \
    cancellationexception eoferror timeouterror notimplementederror typeerror";

/// Whether an error of this name says that something is not there, or is over.
pub fn is_expected(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name).to_lowercase();
    EXPECTED.split_whitespace().any(|known| known == last)
}

/// Whether a handler of some types keeps back what left the function before: without need, or against what it declared.
fn hides_some(change: &Changed<'_>, handler: &Handler) -> bool {
    let undeclared = handler.caught.iter().any(|name| {
        let name = name.rsplit('.').next().unwrap_or(name);
        declares(change.old_side, change.old, name) && !declares(change.side, change.new, name)
    });
    // A default for what cannot be read is an answer; a log, or nothing, is none.
    let answers = |name: &String| {
        let last = name.rsplit('.').next().unwrap_or(name).to_lowercase();
        handler.action == Action::Defaults
            && UNREADABLE.split_whitespace().any(|known| known == last)
            && !is_nothing_for_all(change, handler)
    };
    undeclared || !handler.caught.iter().any(|name| is_expected(name) || answers(name))
}

/// Whether all that a function did is in the handler now, and its callers get nothing at all where they were told of an
/// error. One that says by its name that it may find nothing is meant to.
fn is_nothing_for_all(change: &Changed<'_>, handler: &Handler) -> bool {
    const NOTHING: &[&str] = &[
        "return null",
        "return None",
        "return undefined",
        "return nil",
        "return 0",
        "return 0L",
        "return 0.0",
        "return \"\"",
        "return ''",
    ];
    let gives = |line: &str| NOTHING.contains(&line.trim().trim_end_matches(';'));
    let name = change.new.short_name().to_lowercase();
    let meant = ["try", "parse", "maybe", "safe", "or_", "ornull", "opt", "_to_", "coerce", "convert"];
    change.old.statements == 1
        && change.side.lines(handler.span).any(|line| gives(&line))
        && !meant.iter().any(|word| name.contains(word))
}

/// Errors that say that what came in is not what it should be.
const UNREADABLE: &str = "valueerror jsondecodeerror unicodedecodeerror unicodeerror syntaxerror parseerror decodeerror \
    numberformatexception parseexception datetimeparseexception illegalargumentexception jsonprocessingexception";

/// Whether the head of a function says that it throws errors of this name.
fn declares(side: &FileSide, function: &Function, name: &str) -> bool {
    let head = side.text.get(function.whole.start..function.body.start).unwrap_or_default();
    let head = String::from_utf8_lossy(head);
    head.split_once("throws").is_some_and(|(_, types)| words(types).contains(&name.to_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_known_by_its_path() {
        assert_eq!(calls("x = await self.store.load(key(1))"), ["self.store.load(", "key("]);
        assert_eq!(calls("if (ready) return (1 + 2)"), [""; 0]);
        assert_eq!(calls("a(); a(); b()"), ["a(", "b("]);
    }
}
