//! Places at which a function failed, and at which it now goes on as if nothing were wrong, however either is spelled.
//!
//! Part of the rule about swallowed errors, and its last resort: the other parts know what became of one handler or of
//! one call. This one only counts, place by place, how errors leave a function and how they are dropped.

use super::best_effort::excuse;
use super::draft;
use crate::comparison::{Comparison, FileSide};
use crate::detectors::error_to_default::is_told;
use crate::detectors::functions::{Changed, added, plain};
use crate::detectors::hunks::{Hunk, hunks};
use crate::detectors::replacement::Replacements;
use crate::detectors::report::excerpt;
use crate::detectors::subject::names_of_any_length;
use crate::facts::{Context, ErrorUse, Exit, ExitKind, Fortune, Function, Handler, HandlerKind, Span};
use crate::finding::{Finding, Severity};

/// Places of more lines were written anew.
const LARGE: u32 = 24;

/// A function of which less is left was written anew.
const KEPT: f64 = 0.5;

/// A way in which something ends badly, or is made to look well.
struct Event<'c> {
    line: u32,
    /// Where it ends: a handler may begin with a line that stays.
    end: u32,
    exit: Option<&'c Exit>,
    handler: Option<&'c Handler>,
}

impl Event<'_> {
    fn is_in(&self, lines: &std::ops::Range<u32>) -> bool {
        self.line < lines.end && lines.start <= self.end
    }
}

pub fn turned<'c>(comparison: &'c Comparison, change: &Changed<'c>) -> Option<Finding> {
    let (failed, fails) = (failures(change.old), failures(change.new));
    let (dropped, drops) = (drops(change.old, change.old), drops(change.new, change.old));
    if fails.len() > failed.len() || drops.is_empty() || failed.is_empty() || change.similarity() < KEPT {
        return None;
    }
    let deepest = |events: &[Event<'c>], lines: &std::ops::Range<u32>| {
        let inside = events.iter().filter(|event| event.is_in(lines));
        inside.filter_map(|event| event.exit).map(|exit| exit.deciders.len()).max().unwrap_or(0)
    };
    let within = |events: &[Event<'c>], lines: &std::ops::Range<u32>| {
        events.iter().filter(|event| event.is_in(lines)).count()
    };
    let is_turned = |hunk: &Hunk| {
        let small = hunk.old.end - hunk.old.start <= LARGE && hunk.new.end - hunk.new.start <= LARGE;
        let (was, is) = (within(&failed, &hunk.old), within(&fails, &hunk.new));
        // It may fail as often, and in fewer cases.
        let fewer = was > is && fails.len() < failed.len();
        let deeper = was == is && is > 0 && deepest(&fails, &hunk.new) > deepest(&failed, &hunk.old);
        small && (fewer || deeper) && within(&drops, &hunk.new) > within(&dropped, &hunk.old)
    };
    let hunk = hunks(change).into_iter().find(is_turned)?;
    let old = failed.iter().find(|event| event.is_in(&hunk.old))?;
    let new = drops.iter().find(|event| event.is_in(&hunk.new))?;
    if is_told_otherwise(comparison, change, &hunk, old, new) {
        return None;
    }
    let message = format!("{} now goes on where it used to fail", change.title());
    let mut finding = draft(change, new.line, message, 0.8);
    let lines =
        |lines: &std::ops::Range<u32>| Span { start: lines.start, end: lines.end.max(lines.start + 1) - 1 };
    finding.before = excerpt(change.old_side, lines(&hunk.old), old.line, "it failed here");
    finding.after = excerpt(change.side, lines(&hunk.new), new.line, "now nobody is told");
    finding.lower(Severity::Medium, "what stands there now may be meant to be enough");
    Some(finding)
}

/// How errors leave a function.
fn failures(function: &Function) -> Vec<Event<'_>> {
    let fails = |exit: &&Exit| exit.kind == ExitKind::Fails && exit.context != Context::Check;
    let exits = function.exits.iter().filter(fails);
    let handed_on = |error: &&ErrorUse| {
        error.how == Fortune::Propagated
            && !error.text.ends_with(".unwrap()")
            && !error.text.contains(".expect(")
    };
    let errors = function.errors.iter().filter(handed_on);
    exits
        .map(|exit| Event { line: exit.line, end: exit.line, exit: Some(exit), handler: None })
        .chain(errors.map(|error| Event { line: error.line, end: error.line, exit: None, handler: None }))
        .collect()
}

/// How errors are dropped in it, each handler told once.
///
/// A result that nobody takes counts only where its error was looked at before: many are no errors.
fn drops<'f>(function: &'f Function, before: &Function) -> Vec<Event<'f>> {
    let hides: Vec<&Handler> = function.handlers.iter().filter(|handler| handler.action.hides()).collect();
    let inside =
        |line: u32| hides.iter().any(|handler| handler.span.contains(Span { start: line, end: line }));
    let quiet = |exit: &&Exit| {
        matches!(exit.kind, ExitKind::Default | ExitKind::Continue)
            && !matches!(exit.context, Context::Open | Context::Callback)
            && !inside(exit.line)
    };
    let exits = function.exits.iter().filter(quiet);
    let lost = |error: &&ErrorUse| {
        matches!(error.how, Fortune::Discarded | Fortune::Defaulted)
            && before.errors.iter().any(|old| old.callee == error.callee)
    };
    let errors = function.errors.iter().filter(lost).filter(|error| !inside(error.line));
    exits
        .map(|exit| Event { line: exit.line, end: exit.line, exit: Some(exit), handler: None })
        .chain(hides.iter().map(|handler| Event {
            line: handler.line,
            end: handler.span.end,
            exit: None,
            handler: Some(handler),
        }))
        .chain(errors.map(|error| Event { line: error.line, end: error.line, exit: None, handler: None }))
        .collect()
}

/// All that decides whether a way out is taken, as written.
fn asked(side: &FileSide, exit: &Exit) -> String {
    let texts =
        exit.deciders.iter().map(|decider| side.text.get(decider.condition.clone()).unwrap_or_default());
    texts.map(|text| String::from_utf8_lossy(text).into_owned() + " ").collect()
}

/// Whether the function says that it gives back something else now: then it is another function.
fn gives_other(change: &Changed<'_>) -> bool {
    let given = |side: &FileSide, function: &Function| {
        let head = side.text.get(function.whole.start..function.body.start).unwrap_or_default();
        let head = plain(&String::from_utf8_lossy(head));
        let parameters = plain(&function.parameters);
        head.rsplit_once(parameters.as_str()).map_or(head.clone(), |(_, given)| given.to_owned())
    };
    given(change.old_side, change.old) != given(change.side, change.new)
}

/// Whether the failure is told of at another place, or by another part of the rules.
fn is_told_otherwise(
    comparison: &Comparison,
    change: &Changed<'_>,
    hunk: &Hunk,
    old: &Event<'_>,
    new: &Event<'_>,
) -> bool {
    let known = || is_told(change) || gives_other(change);
    let excused = || new.handler.is_some_and(|handler| excuse(change, handler).is_some());
    let elsewhere = || old.exit.is_some_and(|exit| Replacements::of(comparison).elsewhere(exit).is_some());
    let fresh: Vec<_> = change.side.lines(Span { start: hunk.new.start, end: hunk.new.end }).collect();
    let calls = |name: &str| fresh.iter().any(|line| names_of_any_length(line).any(|word| word == name));
    let helper = || {
        added(comparison).any(|(_, function)| {
            calls(function.short_name()) && function.exits.iter().any(|exit| exit.kind.refuses())
        })
    };
    // A branch that asks for something else is another case, and a check by name tells by itself.
    let asks_the_same = || match (old.exit, new.exit) {
        (Some(old), Some(new)) if old.context != Context::Handler && new.context != Context::Handler => {
            let (was, is) = (asked(change.old_side, old), asked(change.side, new));
            old.condition.is_empty()
                || names_of_any_length(&is).any(|name| names_of_any_length(&was).any(|old| old == name))
        }
        (None, Some(new)) => new.context == Context::Handler,
        (Some(old), _) => {
            old.context == Context::Handler
                || new.handler.is_some_and(|handler| handler.kind != HandlerKind::Check)
        }
        _ => true,
    };
    !asks_the_same() || excused() || known() || helper() || elsewhere()
}
