//! Handlers that keep errors back, as they did, and now more kinds of them.
//!
//! Part of the rule about swallowed errors. Kinds are compared by name: a list that grew, or the name of a family in
//! place of one of its members.

use super::best_effort::excuse;
use super::draft;
use super::wrapped::is_expected;
use crate::comparison::FileSide;
use crate::detectors::functions::{Changed, plain};
use crate::detectors::report::excerpt;
use crate::detectors::subject::names_of_any_length;
use crate::facts::{Action, Breadth, Context, ExitKind, Handler, HandlerKind};
use crate::finding::{Finding, Severity};

pub fn widened(change: &Changed<'_>, old: &Handler, new: &Handler) -> Option<Finding> {
    let narrow = old.breadth == Breadth::Narrow && new.breadth == Breadth::Narrow;
    let hides = (old.action.hides() && new.action.hides()) || answers_alike(change, old, new);
    if !narrow || !hides || old.caught.is_empty() {
        return None;
    }
    // What falls through a handler into a failure is not lost.
    let fails_after =
        change.new.exits.iter().any(|exit| {
            exit.kind == ExitKind::Fails && exit.context == Context::Open && exit.line > new.line
        });
    let swallows = new.action == Action::Swallows && !fails_after;
    let more = added(&old.caught, &new.caught, swallows)?;
    // Whoever says what the one more is for has thought of it.
    let explains = |line: &str| {
        line.trim().starts_with(['#', '/', '*']) && more.iter().any(|name| line.contains(short(name)))
    };
    if more.iter().all(|name| is_expected(name)) && change.side.lines(new.span).any(|line| explains(&line)) {
        return None;
    }
    let message = format!("{} now hides `{}` too", change.title(), more.join("`, `"));
    let mut finding = draft(change, new.line, message, 0.8);
    finding.before = excerpt(change.old_side, old.span, old.line, "fewer kinds of errors were hidden here");
    finding.after = excerpt(change.side, new.span, new.line, "now more of them are lost");
    finding.lower(Severity::Medium, "some errors were hidden here before");
    if let Some(reason) = excuse(change, new) {
        finding.lower(Severity::Low, reason);
    }
    Some(finding)
}

/// A handler of some errors that went on in another way, and now does so after every error without a look at it.
pub fn falls_back(change: &Changed<'_>, old: &Handler, new: &Handler) -> Option<Finding> {
    let clauses = old.kind == HandlerKind::Clause && new.kind == HandlerKind::Clause;
    let wider = old.breadth == Breadth::Narrow && new.breadth == Breadth::Broad;
    let goes_on = old.action == Action::Handles && new.action == Action::Handles;
    if !clauses || !wider || !goes_on || old.caught.is_empty() {
        return None;
    }
    let does = |side: &FileSide, handler: &Handler| -> String {
        side.lines(handler.span).skip(1).map(|line| plain(&line)).collect()
    };
    let (did, does) = (does(change.old_side, old), does(change.side, new));
    let head = change.side.lines(new.span).next().unwrap_or_default();
    let error = names_of_any_length(&head).last().unwrap_or_default();
    let bound = head.contains(" as ") || head.contains('(');
    let looks = bound && names_of_any_length(&does).any(|name| name == error);
    if did.is_empty() || did != does || looks {
        return None;
    }
    let message = format!("{} now goes on in another way after any error", change.title());
    let mut finding = draft(change, new.line, message, 0.8);
    finding.before = excerpt(change.old_side, old.span, old.line, "other errors left this function");
    finding.after = excerpt(change.side, new.span, new.line, "now nobody is told");
    finding.lower(Severity::Medium, "what it does then was there before");
    if let Some(reason) = excuse(change, new) {
        finding.lower(Severity::Low, reason);
    }
    Some(finding)
}

/// Whether two handlers do something of their own, and the very same.
fn answers_alike(change: &Changed<'_>, old: &Handler, new: &Handler) -> bool {
    let does = |side: &FileSide, handler: &Handler| -> String {
        side.lines(handler.span).skip(1).map(|line| plain(&line)).collect()
    };
    let did = does(change.old_side, old);
    old.action == Action::Handles
        && new.action == Action::Handles
        && old.kind == HandlerKind::Clause
        && !did.is_empty()
        && did == does(change.side, new)
}

/// The kinds of errors that a handler takes now, did not take before, and that are no matter of course.
///
/// Where nothing at all is done about them, errors that tell of a mistake in the code are none.
fn added(old: &[String], new: &[String], swallows: bool) -> Option<Vec<String>> {
    let is_mistake = |name: &str| {
        let mistakes = ["TypeError", "AttributeError", "ImportError", "NotImplementedError", "NameError"];
        swallows && mistakes.contains(&short(name))
    };
    let taken = |name: &String| old.iter().any(|old| short(old) == short(name) || is_one(old, name));
    let fresh: Vec<&String> =
        new.iter().filter(|name| !taken(name) && (!is_expected(name) || is_mistake(name))).collect();
    let keeps = old.iter().all(|old| {
        let continues = |new: &String| short(new) == short(old) || is_family(new, old) || is_one(old, new);
        new.iter().any(continues)
    });
    (keeps && !fresh.is_empty()).then(|| fresh.into_iter().cloned().collect())
}

/// The last name of a path.
fn short(name: &str) -> &str {
    name.rsplit(['.', ':']).next().unwrap_or(name)
}

/// Names that a language keeps for one and the same type.
const ONE: &[&[&str]] = &[
    &["OSError", "IOError", "EnvironmentError", "WindowsError", "error"],
    &["JSONDecodeError", "ValueError"],
    &["TimeoutError", "timeout"],
];

fn is_one(one: &str, other: &str) -> bool {
    ONE.iter().any(|names| names.contains(&short(one)) && names.contains(&short(other)))
}

/// Families of errors, each with what its members have in their names.
const FAMILIES: &[(&str, &[&str])] = &[
    (
        "OSError",
        &[
            "FileNotFound",
            "Permission",
            "Connection",
            "BrokenPipe",
            "IsADirectory",
            "Timeout",
            "ProcessLookup",
        ],
    ),
    ("LookupError", &["KeyError", "IndexError"]),
    ("ArithmeticError", &["ZeroDivision", "Overflow", "FloatingPoint"]),
    ("ValueError", &["UnicodeDecodeError", "UnicodeError", "UnicodeEncodeError"]),
    ("RuntimeError", &["NotImplementedError", "RecursionError"]),
    ("ConnectionError", &["BrokenPipe", "ConnectionReset", "ConnectionRefused", "ConnectionAborted"]),
    (
        "RequestException",
        &["HTTPError", "Timeout", "ConnectionError", "SSLError", "InvalidURL", "ProxyError"],
    ),
    ("HTTPError", &["HTTPStatusError", "ConnectError", "TimeoutException", "RequestError"]),
    ("SQLAlchemyError", &["IntegrityError", "OperationalError", "NoResultFound", "ProgrammingError"]),
    ("DatabaseError", &["IntegrityError", "OperationalError", "ProgrammingError", "DataError"]),
    (
        "IOException",
        &["FileNotFound", "NoSuchFile", "Socket", "Connect", "EOFException", "MalformedURL", "AccessDenied"],
    ),
    ("IllegalArgumentException", &["NumberFormat", "InvalidPath", "UnsupportedCharset"]),
    (
        "ReflectiveOperationException",
        &["ClassNotFound", "NoSuchMethod", "NoSuchField", "IllegalAccess", "Instantiation"],
    ),
    ("GeneralSecurityException", &["NoSuchAlgorithm", "InvalidKey", "Certificate", "Signature", "KeyStore"]),
    ("IndexOutOfBoundsException", &["ArrayIndexOutOfBounds", "StringIndexOutOfBounds"]),
];

/// Whether one name stands for many errors, the other among them.
fn is_family(family: &str, member: &str) -> bool {
    let (family, member) = (short(family), short(member));
    FAMILIES.iter().any(|(name, members)| {
        *name == family && family != member && members.iter().any(|part| member.starts_with(part))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn more(old: &[&str], new: &[&str]) -> Option<Vec<String>> {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        added(&owned(old), &owned(new), false)
    }

    #[test]
    fn a_list_that_grew_and_a_family_take_more() {
        assert_eq!(more(&["KeyError"], &["KeyError", "ValueError"]), Some(vec!["ValueError".to_owned()]));
        assert_eq!(more(&["HTTPError"], &["RequestException"]), Some(vec!["RequestException".to_owned()]));
        assert_eq!(more(&["IOError"], &["IOError", "OSError"]), None);
        assert_eq!(more(&["ValueError"], &["ValueError", "KeyError"]), None);
        assert_eq!(more(&["HTTPError"], &["ParseError"]), None);
        assert_eq!(more(&["a.Timeout"], &["b.Timeout"]), None);
    }
}
