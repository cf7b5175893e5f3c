//! # stub (LP-021)
//!
//! A function that did something before the change is still there, but its body is now empty, a constant, or says that
//! it is not implemented or not allowed, or it always leaves before it comes to its work, or hands itself back and no
//! more, or makes a call that is the same whatever it is given (a warning).
//!
//! Severity: high; a warning where a body of one or two statements that refused nothing became empty or a constant,
//! where it asked for a version, a platform or a feature, where the constant was a way out before, where callers are told
//! that it is off, and where it only helps tests.
//!
//! ## Why it matters
//!
//! Everything still compiles and can be called, so the feature looks present. It is not.
//!
//! ## Example
//!
//! ```text
//! // before                                    // after
//! fn checksum(data: &[u8]) -> u32 {            fn checksum(_data: &[u8]) -> u32 {
//!     data.iter().fold(0, |sum, b| ...)            todo!()
//! }                                            }
//! ```
//!
//! ## What is not reported
//!
//! - a function whose work moved to another one in the same change
//! - a method that became abstract because its implementations took over
//! - a short function, such as one that answers a question about a version
//! - a function that was a stub before
//! - a constructor that builds the same in other words, such as `Counts::default()`
//!
//! ## What to do
//!
//! Bring the body back. If the feature is meant to go, remove the function, its callers and its tests.

use super::feature_disabled::turned_away::answers_no;
use super::functions::{Changed, added, changed, plain};
use super::report::{Draft, excerpt, show_before};
use super::subject::names_of_any_length;
use super::table;
use crate::collections::HashSet;
use crate::comparison::Comparison;
use crate::facts::{Context, Exit, ExitKind, Health, Span, Stub};
use crate::finding::{Finding, FindingType, RuleId, Severity, Side};
use crate::similarity::Body;

pub const ID: RuleId = table::id("stub", "LP-021", FindingType::FeatureRemoval);

/// Fewer tokens did little.
const CONTENT: usize = 16;
/// Fewer did nothing.
const LITTLE: usize = 8;
/// So many tokens did a lot, even where a constant is all that is left.
const MUCH: usize = 60;
/// So many statements are steps of some work.
const STEPS: usize = 3;
/// So much of the old body elsewhere means that it moved.
const MOVED: f64 = 0.5;

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    changed(comparison).filter_map(|change| finding(comparison, &change)).collect()
}

fn finding(comparison: &Comparison, change: &Changed<'_>) -> Option<Finding> {
    if let Some(line) = change.new.cut.filter(|_| change.old.cut.is_none() && change.old.stub.is_none()) {
        return cut_short(comparison, change, line);
    }
    let away = (change.old.stub.is_none() && answers_no(change)).then_some(Stub::Unfinished);
    let alike = (change.old.stub.is_none() && is_the_same_for_all(change)).then_some(Stub::Constant);
    let stub = change.new.stub.filter(|_| change.old.stub.is_none()).or(away).or(alike)?;
    if change.new.name.is_empty() || change.pair.old.len() < content(change, stub) || only_made(change, stub)
    {
        return None;
    }
    // What only failed did no work: that it no longer fails, another rule tells.
    if super::error_to_default::only_refused(change).is_some() {
        return None;
    }
    let now = match stub {
        _ if away.is_some() => "only says that it is off",
        _ if alike.is_some() => "does the same whatever it is given",
        Stub::Unfinished => "says that it is not implemented",
        Stub::Empty => "does nothing",
        Stub::Constant => "gives back a constant",
    };
    let draft = Draft {
        rule: ID,
        severity: Severity::High,
        confidence: if stub == Stub::Unfinished { 0.92 } else { 0.85 },
        message: format!("{} had a body and now {now}", change.title()),
        help: format!(
            "bring the body back; this prints it: {}",
            show_before(comparison, change.old_side, change.old.span)
        ),
    };
    let mut finding = change.finding(draft, Side::After, change.new.line);
    finding.before = change.head_before("it did its work");
    finding.after = change.head_after("now it does not");
    if let Some(reason) = excuse(comparison, change, stub) {
        finding.lower(Severity::Low, reason);
    } else if away.is_some() {
        finding.lower(Severity::Medium, "who calls it is told");
    } else if alike.is_some() {
        finding.lower(Severity::Medium, "a call is left of it");
    } else if helps_tests(&change.side.path) {
        finding.lower(Severity::Medium, "it only helps tests");
    } else if stub != Stub::Unfinished && asks_where_it_runs(change) {
        let severity = if did_much(change) { Severity::Medium } else { Severity::Low };
        finding.lower(severity, "it asked for a version, a platform or a feature");
    } else if stub != Stub::Unfinished && !did_much(change) {
        finding.lower(Severity::Medium, "its body was short");
    } else if stub == Stub::Constant && gave_back_before(change) && !decided(change) {
        finding.lower(Severity::Medium, "it gave back the same before in some cases");
    }
    Some(finding)
}

/// A function that leaves before it does what it did.
fn cut_short(comparison: &Comparison, change: &Changed<'_>, line: u32) -> Option<Finding> {
    let work =
        change.pair.old.len() >= LITTLE && change.pair.old.containment(&change.pair.new) >= STILL_THERE;
    // What cannot be read may not be a way out at all.
    let read = change.side.facts.health == Health::Clean;
    if change.new.name.is_empty() || !work || !read {
        return None;
    }
    let draft = Draft {
        rule: ID,
        severity: Severity::High,
        confidence: 0.85,
        message: format!("{} always leaves before it does its work", change.title()),
        help: format!(
            "take the early way out away again; this prints it as it was: {}",
            show_before(comparison, change.old_side, change.old.span)
        ),
    };
    let mut finding = change.finding(draft, Side::After, line);
    finding.before = change.head_before("it did its work");
    finding.after = excerpt(change.side, Span { start: line, end: line }, line, "nothing after this runs");
    Some(finding)
}

/// So much of the old body still stands, though it is never reached.
const STILL_THERE: f64 = 0.8;

/// How much there must have been: a number that stands for what was worked out from what is given in is no answer,
/// however short that was.
fn content(change: &Changed<'_>, stub: Stub) -> usize {
    let exits = change.new.exits.iter();
    let number = |text: &str| {
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        digits.trim_start_matches('0').len() > 1
    };
    let given: Vec<&str> = names_of_any_length(&change.old.parameters).collect();
    let body = String::from_utf8_lossy(change.old_side.text.get(change.old.body.clone()).unwrap_or_default())
        .into_owned();
    let worked_out = names_of_any_length(&body).any(|name| given.contains(&name));
    let is_number = exits.into_iter().any(|exit| number(&exit.text));
    let own = ["self.", "this.", "new "].iter().any(|word| body.contains(word));
    let says_no = stub == Stub::Unfinished && (worked_out || own || body.contains('('));
    let is_truth = || {
        let exits = change.new.exits.iter();
        let mut texts = exits.map(|exit| plain(&exit.text));
        let decides = ["&&", "||", " and ", " or ", "<", ">", "=="].iter().any(|sign| body.contains(sign));
        decides
            && texts.any(|text| {
                matches!(text.as_str(), "returnfalse" | "returntrue" | "returnFalse" | "returnTrue")
            })
    };
    let judged = says_no || (worked_out && stub == Stub::Constant && (is_number || is_truth()));
    if judged { LITTLE } else { CONTENT }
}

/// Whether the function only made a value of nothing that it was given, and now makes the default one.
fn only_made(change: &Changed<'_>, stub: Stub) -> bool {
    let body = |side: &crate::comparison::FileSide, bytes: std::ops::Range<usize>| {
        String::from_utf8_lossy(side.text.get(bytes).unwrap_or_default()).into_owned()
    };
    let now = body(change.side, change.new.body.clone());
    let made =
        ["default()", "new()", "{}"].iter().any(|end| plain(&now).trim_end_matches('}').ends_with(end));
    let was = body(change.old_side, change.old.body.clone());
    let given = names_of_any_length(&change.old.parameters).filter(|name| *name != "self");
    let uses = given.into_iter().any(|name| names_of_any_length(&was).any(|word| word == name));
    let own = ["self.", "this."].iter().any(|own| was.contains(own));
    stub == Stub::Constant
        && made
        && change.old.statements == 1
        && change.old.exits.is_empty()
        && !uses
        && !own
}

/// Whether the old body was long, took some steps, or refused anything.
fn did_much(change: &Changed<'_>) -> bool {
    change.pair.old.len() >= MUCH || change.old.statements >= STEPS || refused(change)
}

fn refused(change: &Changed<'_>) -> bool {
    // To hand on what another call gave back is to refuse nothing.
    let own = |exit: &&Exit| !matches!(exit.context, Context::Open | Context::Handler);
    change.old.exits.iter().filter(own).any(|exit| exit.kind.refuses())
}

/// Whether the work was to tell good from bad: one answer for all is then no answer.
fn decided(change: &Changed<'_>) -> bool {
    let gives = |exit: &&Exit| {
        matches!(exit.kind, ExitKind::Default | ExitKind::Denies) && !plain(&exit.text).ends_with("return")
    };
    let answers: HashSet<String> =
        change.old.exits.iter().filter(gives).map(|exit| plain(&exit.text)).collect();
    refused(change) || answers.len() > 1
}

/// Whether a function that worked with what it was given only makes a call with constants now: `return this.send('{}')`.
fn is_the_same_for_all(change: &Changed<'_>) -> bool {
    if change.new.statements != 1 || !did_much(change) || change.new.stub.is_some() {
        return false;
    }
    let body = |side: &crate::comparison::FileSide, bytes: std::ops::Range<usize>| {
        String::from_utf8_lossy(side.text.get(bytes).unwrap_or_default()).into_owned()
    };
    let (was, now) =
        (body(change.old_side, change.old.body.clone()), body(change.side, change.new.body.clone()));
    let now = now.trim().trim_start_matches('{').trim_end_matches(['}', ';', ' ', '\n']).trim();
    let Some((callee, given)) = now.strip_prefix("return ").and_then(|call| call.split_once('(')) else {
        return false;
    };
    let Some(given) = given.strip_suffix(')').filter(|given| !given.contains('(')) else { return false };
    let own: Vec<&str> = names_of_any_length(&change.old.parameters)
        .filter(|name| !matches!(*name, "self" | "this"))
        .filter(|name| names_of_any_length(&was).any(|word| word == *name))
        .collect();
    let is_path = callee.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '$'));
    !own.is_empty() && is_path && is_text(given)
}

/// Whether some arguments are one text, in which nothing is put in.
fn is_text(given: &str) -> bool {
    let mut inner = given.trim().chars();
    let (first, last) = (inner.next(), inner.next_back());
    let inner = inner.as_str();
    first == last
        && matches!(first, Some('"' | '\'' | '`'))
        && !first.is_some_and(|mark| inner.contains(mark))
        && !inner.contains("${")
}

/// Such answers become constants when what is old is no longer supported.
fn asks_where_it_runs(change: &Changed<'_>) -> bool {
    let text = change.old_text().to_lowercase();
    ["version", "platform", "win32", "windows", "darwin", "feature", "supports", "hasattr"]
        .iter()
        .any(|word| text.contains(word))
}

/// Whether what is left is one of the ways out that the function had.
fn gave_back_before(change: &Changed<'_>) -> bool {
    let left = change.new.exits.iter().map(|exit| plain(&exit.text));
    let before: Vec<String> = change.old.exits.iter().map(|exit| plain(&exit.text)).collect();
    left.into_iter().any(|text| before.contains(&text))
}

/// Whether the function only built something, and still does so in other words: `Counts { hits: 0 }`, `Counts::default()`.
fn still_builds(change: &Changed<'_>) -> bool {
    let (old, new) = (change.old_text(), change.new_text());
    let takes_nothing =
        names_of_any_length(&change.old.parameters).all(|name| matches!(name, "self" | "cls"));
    let decides = ["if", "match", "for", "while", "switch"];
    let is_plain = !names_of_any_length(&old).any(|name| decides.contains(&name));
    let builds = ["default()", "Default()", "new ", "{}"].iter().any(|way| new.contains(way));
    takes_nothing && is_plain && builds && change.old.exits.is_empty() && change.old.statements < STEPS
}

/// Folders of code that only helps tests.
const SUPPORT: &[&str] =
    &["testenv", "testutil", "testutils", "testing", "testhelpers", "testsupport", "testkit"];

/// Whether a file stands in a folder of help for tests.
fn helps_tests(path: &str) -> bool {
    path.split('/').any(|part| SUPPORT.contains(&part.replace(['-', '_'], "").as_str()))
}

/// Where the work went.
fn excuse(comparison: &Comparison, change: &Changed<'_>, stub: Stub) -> Option<String> {
    if stub == Stub::Constant && still_builds(change) {
        return Some("it still builds the same, in other words".to_owned());
    }
    let takes_over = |body: &Body| change.pair.old.containment(body) >= MOVED;
    let body = |side: &crate::comparison::FileSide, function: &crate::facts::Function| {
        Body::of(&side.text, function.body.clone(), &function.comments)
    };
    if let Some((_, function)) = added(comparison).find(|(side, function)| takes_over(&body(side, function)))
    {
        return Some(format!("`{}`, which is new, does its work", function.name));
    }
    let grown = changed(comparison).find(|other| {
        other.pair.before != change.pair.before && takes_over(&other.pair.new) && !takes_over(&other.pair.old)
    });
    if let Some(other) = grown {
        return Some(format!("`{}` does its work now", other.title()));
    }
    let name = change.new.short_name();
    let overridden = |&(_, function): &(&_, &crate::facts::Function)| function.short_name() == name;
    if stub == Stub::Unfinished && added(comparison).any(|found| overridden(&found)) {
        return Some("the change adds implementations of it elsewhere".to_owned());
    }
    let about = change.new_text().to_lowercase() + &lead(change);
    let retired = ["deprecated", "no-op", "noop", "no longer", "backward", "compat"];
    retired
        .iter()
        .any(|word| about.contains(word))
        .then(|| "it says that it is kept for old callers only".to_owned())
}

/// So many lines above a function are looked at, ...
const LEAD: u32 = 6;
/// ... and so many of a comment.
const COMMENT: u32 = 30;

/// The comments inside and the lines above the function, in lower case.
fn lead(change: &Changed<'_>) -> String {
    let first = change.new.span.start;
    let above =
        crate::facts::Span { start: first.saturating_sub(COMMENT).max(1), end: first.saturating_sub(1) };
    let is_comment =
        |line: &str| ["//", "#", "*", "/*", "@"].iter().any(|mark| line.trim().starts_with(mark));
    let lines: Vec<_> = change.side.lines(above).collect();
    let comment = lines.iter().rev().take_while(|line| is_comment(line)).count() as u32;
    let start = first.saturating_sub(comment.max(LEAD)).max(1);
    let span = crate::facts::Span { start, end: change.new.span.end };
    change
        .side
        .lines(span)
        .take(40 + comment as usize)
        .map(|line| line.to_lowercase())
        .collect::<Vec<_>>()
        .join(" ")
}
