//! Steps of a test, or of what prepares it, whose errors are kept back now: put into a handler that does nothing, or called
//! back without a look at the error.

use super::places::{Pages, Place};
use super::reading::Told;
use crate::facts::{Breadth, Handler, HandlerKind};
use crate::text::{clipped, one_line};

pub fn read(pages: &Pages<'_>, place: &Place) -> Option<Told> {
    by_handler(pages, place).or_else(|| by_callback(pages, place)).or_else(|| on_one_line(pages, place))
}

/// The same where the check stood on the line of the callback: `done(function (err) { expect(err).not.to.exist`.
fn on_one_line(pages: &Pages<'_>, place: &Place) -> Option<Told> {
    pages.pairs(place).into_iter().find_map(|(old, new)| {
        let (was, is) = (&pages.old[old].code, &pages.new[new].code);
        let (head, check) = was.split_once("(err){").or_else(|| was.split_once("(err)=>{"))?;
        let asks = check.contains("err") && check.contains('(');
        let same = is.strip_prefix(head).is_some_and(|rest| matches!(rest, "(){" | "()=>{"));
        let line = pages.new[new].number;
        let test = pages.test_at(line).map(|(_, test)| test.qualified_name());
        (asks && same).then(|| told(pages, (Some(old), new), line, test))
    })
}

/// A new handler around a call that was there.
fn by_handler(pages: &Pages<'_>, place: &Place) -> Option<Told> {
    let (first, last) =
        (pages.new.get(place.new.start)?.number, pages.new.get(place.new.end.checked_sub(1)?)?.number);
    let handles = |lines: &[&crate::comparison::CodeLine]| {
        lines.iter().any(|line| ["catch", "except", "suppress("].iter().any(|word| line.code.contains(word)))
    };
    if handles(&pages.old[place.old.clone()]) {
        return None;
    }
    let functions = pages.after.facts.functions.iter();
    let near = functions.filter(|one| one.span.start <= last && first <= one.span.end);
    let mut fresh = near.flat_map(|one| one.handlers.iter().map(move |handler| (one, handler)));
    let (function, (handler, step)) = fresh.find_map(|(function, handler)| {
        let is_here = first <= handler.line && handler.line <= last;
        Some((function, (handler, is_here.then(|| kept_step(pages, handler)).flatten()?)))
    })?;
    if !serves_kept_tests(pages, handler.line, &function.name) {
        return None;
    }
    let name = pages.test_at(handler.line).map(|(_, test)| test.qualified_name());
    let name = name.or_else(|| (!function.name.is_empty()).then(|| function.name.clone()));
    Some(told(pages, (None, step), handler.line, name))
}

/// A call that was there and stands in a handler now which hides what fails; assertions in one are told of elsewhere.
fn kept_step(pages: &Pages<'_>, handler: &Handler) -> Option<usize> {
    let hides = handler.action.hides() && (handler.breadth == Breadth::Broad || handler.caught.is_empty());
    if !hides || handler.kind == HandlerKind::Check {
        return None;
    }
    let (start, end) = (
        pages.after.line_at(handler.protected.start),
        pages.after.line_at(handler.protected.end.saturating_sub(1)),
    );
    let inside =
        (0..pages.new.len()).filter(|at| start <= pages.new[*at].number && pages.new[*at].number <= end);
    let is_asserted = |line: u32| {
        pages.after.facts.tests.iter().flat_map(|test| &test.assertions).any(|one| one.line == line)
    };
    let bare = |code: &str| -> String {
        let code = code.trim_end_matches(';');
        let code = code.find(".catch(").map_or(code, |at| &code[..at]);
        code.trim_start_matches("await").to_owned()
    };
    let inside: Vec<usize> = inside.collect();
    if inside.iter().any(|at| is_asserted(pages.new[*at].number)) {
        return None;
    }
    let calls = inside.into_iter().filter(|at| pages.new[*at].code.contains('('));
    let mut kept = calls.filter(|at| {
        let code = bare(&pages.new[*at].code);
        let count = |lines: &[&crate::comparison::CodeLine]| {
            lines.iter().filter(|line| bare(&line.code) == code).count()
        };
        code.len() > SHORT && count(&pages.old) > 0 && count(&pages.new) <= count(&pages.old)
    });
    // What cleans up may fail in silence.
    kept.find(|at| !cleans_up(&pages.new[*at].code))
}

/// Shorter lines are found by chance.
const SHORT: usize = 6;

const CLEANS: &[&str] = &[
    "close",
    "remove",
    "delete",
    "unlink",
    "rmtree",
    "rm(",
    "kill",
    "stop",
    "cleanup",
    "destroy",
    "shutdown",
    "disconnect",
    "teardown",
    "terminate",
    "drop",
    "restore",
    "quit",
    "cancel",
];

fn cleans_up(code: &str) -> bool {
    let lower = code.to_lowercase();
    CLEANS.iter().any(|word| lower.contains(word))
}

/// Whether a line stands in a kept test, in a hook above kept tests, or in a helper that was there.
fn serves_kept_tests(pages: &Pages<'_>, line: u32, function: &str) -> bool {
    let was_there =
        !function.is_empty() && pages.before.facts.functions.iter().any(|old| old.name == function);
    let hooks = ["beforeEach(", "before(", "beforeAll(", "setup(", "setUp("];
    let above = pages.new.iter().filter(|one| one.number < line).rev().take(ABOVE);
    let in_hook = above.into_iter().any(|one| hooks.iter().any(|hook| one.code.contains(hook)));
    let cleans = ["after", "tear", "clean"].iter().any(|word| function.to_lowercase().contains(word));
    (pages.test_at(line).is_some() || was_there || in_hook) && !cleans && !pages.kept.is_empty()
}

/// So far above a step stands the head of the hook that it belongs to.
const ABOVE: usize = 6;

/// A callback that threw its error, or handed it on, and has no name for it any more.
fn by_callback(pages: &Pages<'_>, place: &Place) -> Option<Told> {
    let check = place.old.clone().find(|at| checks_error(&pages.old[*at].code).is_some())?;
    let name = checks_error(&pages.old[check].code)?;
    if place.new.clone().any(|at| pages.new[at].code.contains("await") || pages.new[at].code.contains(name)) {
        return None;
    }
    let head = |code: &str| -> Option<(String, bool)> {
        let arrow = code
            .strip_suffix("=>{")
            .or_else(|| code.strip_suffix('{').filter(|code| code.contains("function")))?;
        let open = arrow.rfind('(')?;
        let given = arrow[open..].trim_matches(['(', ')']);
        let start = arrow[..open].trim_end_matches("function").trim_end_matches("async");
        Some((start.to_owned(), given.split(',').any(|one| one == name)))
    };
    let old = (place.old.start..check).rev().find_map(|at| Some((at, head(&pages.old[at].code)?)))?;
    let new = place.new.clone().find_map(|at| Some((at, head(&pages.new[at].code)?)))?;
    let dropped = old.1.0 == new.1.0 && old.1.1 && !new.1.1 && old.1.0.contains('(');
    let line = pages.new[new.0].number;
    let test = pages.test_at(line).map(|(_, test)| test.qualified_name());
    (dropped && !pages.before.facts.tests.is_empty()).then(|| told(pages, (Some(check), new.0), line, test))
}

/// The name of the error that a line throws or hands on where there is one.
fn checks_error(code: &str) -> Option<&'static str> {
    ["err", "error", "er", "e"].into_iter().find(|name| {
        let code = code.trim_end_matches([';', '}']);
        let heads = [format!("if({name})"), format!("if({name}){{")];
        let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
        heads.iter().any(|head| {
            code.strip_prefix(head).is_some_and(|rest| {
                let rest = rest.trim_start_matches('{').trim_start_matches("return");
                rest.is_empty() || rest.starts_with("throw") || rest.ends_with(&format!("({name})"))
            })
        })
    })
}

fn told(pages: &Pages<'_>, (old, new): (Option<usize>, usize), line: u32, name: Option<String>) -> Told {
    let shown = clipped(&one_line(&pages.new_text(new)), 80);
    Told {
        message: format!("an error of a step of tests is kept back now: `{shown}`"),
        help: "let the test fail where the step does".to_owned(),
        old: old.map(|at| pages.old[at].number),
        new: Some(line),
        name,
    }
}
