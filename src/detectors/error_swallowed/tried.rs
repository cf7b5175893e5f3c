//! Calls whose place another one took that tries the same and gives something back where it fails: `decode(x)` became
//! `tryDecode(x, decode)`, `schema.parse(x)` became `schema.safeParse(x)`, `raw.decode("utf-8")` got `errors="ignore"`.
//!
//! Part of the rule about swallowed errors. Whoever asks the new call how it went is left alone.

use super::draft;
use crate::assertions::assignment;
use crate::collections::HashSet;
use crate::comparison::{Comparison, FileSide};
use crate::detectors::functions::{Changed, added, plain};
use crate::detectors::hunks::pairs;
use crate::detectors::report::excerpt;
use crate::detectors::subject::names_of_any_length;
use crate::detectors::switch_names::words;
use crate::facts::{Function, Span};
use crate::finding::{Finding, Severity};

/// Words that come to the name of a call which keeps its failure to itself.
const TRIES: &[&str] = &[
    "try",
    "safe",
    "safely",
    "or",
    "none",
    "null",
    "nil",
    "default",
    "empty",
    "undefined",
    "lenient",
    "leniently",
    "quietly",
    "silently",
    "nothrow",
    "ignore",
    "ignoring",
    "errors",
    "lossy",
    "best",
    "effort",
];

/// What is tried in the sense of waiting or looking, and answers for itself.
const WAITS: &[&str] = &[
    "lock", "acquire", "recv", "send", "borrow", "wait", "push", "pop", "enter", "advance", "from", "into",
    "reserve", "init", "join", "html", "dump", "transfer", "put", "take",
];

/// Calls of a safe kind, where the word tells of what comes in.
const HARDENED: &[&str] =
    &["load", "join", "html", "dump", "string", "str", "url", "eval", "area", "cmp", "equal"];

/// Calls that fail, and those that do the same and do not, where nobody takes what they give.
const MILDER: &[(&str, &str)] =
    &[("all", "allSettled"), ("check_call", "call"), ("check_output", "getoutput")];

/// What is asked of a call that says how it went.
const ASKS: &[&str] = &[
    ".success",
    ".error",
    ".isOk",
    ".is_ok",
    ".isErr",
    ".is_err",
    ".isPresent",
    ".is_some",
    ".is_none",
    ".issues",
];

pub fn tried(comparison: &Comparison, change: &Changed<'_>) -> Option<Finding> {
    let refusals = |function: &Function| function.exits.iter().filter(|exit| exit.kind.refuses()).count();
    if refusals(change.new) > refusals(change.old) || change.side.facts.language == "rust" {
        return None;
    }
    let (line, old_line, name) = pairs(change).into_iter().find_map(|(old, new)| {
        let name = variant(comparison, change, &old.1, &new.1)
            .or_else(|| told_to_ignore(&old.1, &new.1))
            .or_else(|| let_go(&old.1, &new.1))?;
        (!is_asked(change, &new.1)).then_some((new.0, old.0, name))
    })?;
    let message = format!("{} now goes by `{name}`, which keeps a failure to itself", change.title());
    let mut finding = draft(change, line, message, 0.8);
    let at = |line: u32| Span { start: line, end: line };
    finding.before = excerpt(change.old_side, at(old_line), old_line, "a failure left this function");
    finding.after = excerpt(change.side, at(line), line, "now something is given back");
    finding.lower(Severity::Medium, "what it gives back may be meant to be enough");
    Some(finding)
}

/// The call of a new line that tries what the old line did.
fn variant(comparison: &Comparison, change: &Changed<'_>, old: &str, new: &str) -> Option<String> {
    let (was, is) = (calls(old), calls(new));
    let gone = was.iter().filter(|name| !is.contains(name));
    let fresh: Vec<&&str> = is.iter().filter(|name| !was.contains(name)).collect();
    for gone in gone {
        let milder =
            MILDER.iter().find(|(firm, mild)| firm == gone && fresh.iter().any(|fresh| **fresh == *mild));
        if let Some((_, mild)) = milder.filter(|_| assignment(new).is_none() && !new.starts_with("return")) {
            return Some((*mild).to_owned());
        }
        let passed_on = || {
            fresh.iter().find(|fresh| {
                let tries = words(fresh)
                    .iter()
                    .any(|word| matches!(word.as_str(), "try" | "safely" | "attempt" | "quietly"));
                tries && names_of_any_length(new).any(|name| name == *gone)
            })
        };
        let found = fresh
            .iter()
            .find(|fresh| {
                tries_the_same(comparison, gone, fresh) || is_silent_class(comparison, change, fresh)
            })
            .or_else(passed_on);
        if let Some(fresh) = found {
            return Some((**fresh).to_owned());
        }
    }
    None
}

fn tries_the_same(comparison: &Comparison, gone: &str, fresh: &str) -> bool {
    let defined = comparison.shared(|| Defined::of(comparison));
    // A function that has another name now is the same function.
    if defined.before.contains(gone) && !defined.after.contains(gone) {
        return false;
    }
    // What a function does is known where it stands in the change.
    if defined.after.contains(fresh) {
        return hides_failure_of(comparison, fresh, gone);
    }
    let (was, is) = (words(gone), words(fresh));
    let more: Vec<&String> = is.iter().filter(|word| !was.contains(word)).collect();
    let is_one = |word: &str, list: &[&str]| list.contains(&word);
    let by_name = was.iter().all(|word| is.contains(word))
        && !more.is_empty()
        && more.iter().all(|word| is_one(word, TRIES))
        && !was.iter().any(|word| is_one(word, WAITS))
        // To look something up with a default is told where to miss it was a failure.
        && was != ["get"];
    let only_safe = more.iter().all(|word| word.as_str() == "safe");
    let hardened = only_safe && was.iter().any(|word| is_one(word, HARDENED));
    by_name && !hardened
}

/// The last names of all functions in the files of the change.
struct Defined {
    before: HashSet<String>,
    after: HashSet<String>,
}

impl Defined {
    fn of(comparison: &Comparison) -> Self {
        let names = |side: &FileSide| -> Vec<String> {
            side.facts.functions.iter().map(|function| function.short_name().to_owned()).collect()
        };
        let files = &comparison.files;
        Self {
            before: files.iter().filter_map(|file| file.before.as_ref()).flat_map(names).collect(),
            after: files.iter().filter_map(|file| file.after.as_ref()).flat_map(names).collect(),
        }
    }
}

/// Whether a function calls another, or what it is given for it, and keeps the failure back.
fn hides_failure_of(comparison: &Comparison, name: &str, callee: &str) -> bool {
    let call = format!("{callee}(");
    let sides = comparison.files.iter().filter_map(|file| file.after.as_ref());
    let of_name = |side: &'_ FileSide| -> bool {
        let functions = side.facts.functions.iter().filter(|function| function.short_name() == name);
        functions.take(4).any(|function| {
            function.handlers.iter().any(|handler| {
                let bytes = side.text.get(handler.protected.clone()).unwrap_or_default();
                handler.action.hides() && crate::text::contains(bytes, call.as_bytes())
            })
        })
    };
    sides.into_iter().any(of_name)
}

/// Whether a name is that of a class which the change brings, and whose methods keep back what those of another give.
fn is_silent_class(comparison: &Comparison, change: &Changed<'_>, name: &str) -> bool {
    let of_class = format!("{name}.");
    let of_base = |bytes: &[u8]| {
        let bases = ["super()", "super.", "delegate", "inner", "wrapped"];
        bases.iter().any(|base| crate::text::contains(bytes, base.as_bytes()))
    };
    let is_class = name.starts_with(char::is_uppercase);
    is_class
        && !crate::text::contains(&change.old_side.text, name.as_bytes())
        && added(comparison).filter(|(_, function)| function.name.starts_with(&of_class)).any(
            |(side, function)| {
                function.handlers.iter().any(|handler| {
                    handler.action.hides()
                        && of_base(side.text.get(handler.protected.clone()).unwrap_or_default())
                })
            },
        )
}

/// A call that stays and is told to leave out what it cannot read.
fn told_to_ignore(old: &str, new: &str) -> Option<String> {
    let (was, is) = (without_firmness(&plain(old)), plain(new));
    let told = ["errors='ignore'", "errors='coerce'", ",'ignore')"];
    let told =
        told.iter().find(|told| is.contains(*told) && !was.contains("errors=") && !was.contains(*told))?;
    let rest = is.replacen(&format!(",{}", told.trim_start_matches(',').trim_end_matches(')')), "", 1);
    let rest = if rest == is { is.replacen(told, "", 1) } else { rest };
    (rest.replace("()", "") == was.replace("()", "") || rest.starts_with(was.trim_end_matches(')')))
        .then(|| told.trim_matches([',', ')']).to_owned())
}

/// A line without an option that says what is the rule anyway.
fn without_firmness(line: &str) -> String {
    ["errors='raise'", "errors='strict'"]
        .iter()
        .fold(line.to_owned(), |line, option| line.replace(&format!(",{option}"), "").replace(option, ""))
}

/// A call that nobody waits for any more, or that is no longer told to fail.
fn let_go(old: &str, new: &str) -> Option<String> {
    let (was, is) = (plain(old), plain(new));
    let unchecked = [",check=True", "check=True,"].iter().any(|check| was.replacen(check, "", 1) == is);
    let alone =
        old.strip_prefix("await ").zip(new.strip_prefix("void ")).is_some_and(|(one, other)| one == other);
    match () {
        () if unchecked && was != is => Some("no check of how it ended".to_owned()),
        () if alone => Some(new.trim_end_matches(';').to_owned()),
        () => None,
    }
}

/// Whether new lines look at what the call gave.
fn is_asked(change: &Changed<'_>, line: &str) -> bool {
    let target = assignment(line).map(|(target, _)| target);
    let variable = target.and_then(|target| names_of_any_length(target).last()).map(str::to_owned);
    let before: crate::collections::HashSet<String> =
        change.old_side.lines(change.old.span).map(|line| line.trim().to_owned()).collect();
    let looks = |fresh: &str| {
        let fresh = fresh.trim();
        let asks = ["if ", "if(", "elif ", "} else if", "match ", "switch", "assert", "unless "];
        let decides = asks.iter().any(|ask| fresh.starts_with(ask)) || fresh.contains(" if ");
        let about = variable.as_ref().is_some_and(|name| names_of_any_length(fresh).any(|word| word == name));
        (decides && (about || variable.is_none())) || ASKS.iter().any(|ask| fresh.contains(ask))
    };
    change.side.lines(change.new.span).any(|fresh| !before.contains(fresh.trim()) && looks(&fresh))
}

/// The last names of what a line calls.
fn calls(line: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let mut found = Vec::new();
    for (at, _) in line.match_indices('(') {
        let head = &line[..at];
        let name = &head[head.trim_end_matches(is_part).len()..];
        if name.contains(char::is_alphabetic) && !["if", "while", "for", "switch", "return"].contains(&name) {
            found.push(name);
        }
    }
    found
}
