//! Calls of functions that test, which always ran and now stand under a condition: those of a script that calls its tests
//! itself, those of a helper through which a test asserts. And helpers that are left at once where a condition holds.

use super::places::{Pages, Place, indent};
use super::reading::Told;
use crate::collections::HashSet;
use crate::detectors::test_skipped::under_conditions::asks_for_place;
use crate::facts::DefinitionKind;
use crate::text::{clipped, name_words, one_line};

pub fn read(pages: &Pages<'_>, place: &Place) -> Option<Told> {
    let head = place.new.clone().find(|at| is_head(&pages.new[*at].code))?;
    if place.old.clone().any(|at| is_head(&pages.old[at].code)) {
        return None;
    }
    wrapped(pages, place, head).or_else(|| left_at_once(pages, head))
}

fn is_head(code: &str) -> bool {
    (code.starts_with("if")) && code.ends_with(['{', ':', ')'])
}

/// A condition that came around calls which were there.
fn wrapped(pages: &Pages<'_>, place: &Place, head: usize) -> Option<Told> {
    let testing = testers(pages);
    let below = pages.block_below(head);
    let otherwise = pages
        .new
        .get(below.end)
        .is_some_and(|line| line.code.contains("else") || line.code.starts_with("elif"));
    let call =
        below.clone().find(|at| called(&pages.new[*at].code).is_some_and(|name| testing.contains(name)))?;
    let (old, code) = (pages.old.iter(), &pages.new[call].code);
    let was = old.clone().find(|line| line.code == *code)?;
    // The call stood less deep before, and stands there no more.
    let was_free = indent(pages.before, was.number) < indent(pages.after, pages.new[call].number);
    let count =
        |lines: &[&crate::comparison::CodeLine]| lines.iter().filter(|line| line.code == *code).count();
    let is_new_call = place.new.contains(&call) && !place.old.clone().any(|at| pages.old[at].code == *code);
    if otherwise || !was_free || is_new_call || count(&pages.new) > count(&pages.old) || !existed(pages, head)
    {
        return None;
    }
    let name = called(code)?.to_owned();
    let condition = clipped(&one_line(pages.new_text(head).trim_end_matches(['{', ':', ' '])), 80);
    Some(Told {
        message: format!("{name}, which tests, is now only called under a condition: `{condition}`"),
        help: "call it always, or skip where it cannot run, with a reason".to_owned(),
        old: Some(was.number),
        new: Some(pages.new[head].number),
        name: pages.test_at(pages.new[head].number).map(|(_, test)| test.qualified_name()).or(Some(name)),
    })
}

/// Whether what is around a line was there before.
fn existed(pages: &Pages<'_>, at: usize) -> bool {
    let line = pages.new[at].number;
    let functions = pages.after.facts.functions.iter();
    let around =
        functions.filter(|one| !one.name.is_empty() && one.span.start <= line && line <= one.span.end);
    around
        .max_by_key(|one| one.span.start)
        .is_none_or(|one| pages.before.facts.functions.iter().any(|old| old.name == one.name))
}

/// The functions of a file that test: its tests, and those that assert.
fn testers<'p>(pages: &'p Pages<'_>) -> HashSet<&'p str> {
    let facts = &pages.after.facts;
    let helpers = facts
        .definitions
        .iter()
        .filter(|one| one.kind == DefinitionKind::Function && !one.assertions.is_empty());
    facts.tests.iter().map(|test| test.name.as_str()).chain(helpers.map(|one| one.name.as_str())).collect()
}

/// The function that a line calls, where that is all it does.
fn called(code: &str) -> Option<&str> {
    let code = code.strip_prefix("await").unwrap_or(code);
    let end = code.find('(')?;
    let name = code[..end].rsplit(['.', ':']).next()?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_name.then_some(name)
}

/// A helper that asserts, or bears the name of a check, and is now left before it does where something is so.
fn left_at_once(pages: &Pages<'_>, head: usize) -> Option<Told> {
    let next = pages.new.get(head + 1)?.code.trim_end_matches(';');
    let leaves = matches!(next, "return" | "returnnil" | "returnNone" | "returntrue" | "returnTrue");
    let text = pages.new_text(head);
    let line = pages.new[head].number;
    if !leaves || !asks_for_place(&text) || pages.test_at(line).is_some() {
        return None;
    }
    let functions = pages.after.facts.functions.iter();
    let around =
        functions.filter(|one| !one.name.is_empty() && one.span.start <= line && line <= one.span.end);
    let function = around.max_by_key(|one| one.span.start)?;
    let words = name_words(function.short_name());
    let checks = ["check", "verify", "assert", "test", "expect", "ensure", "validate"];
    let is_check =
        checks.iter().any(|word| words.contains(*word)) || testers(pages).contains(function.short_name());
    let is_first = (0..head)
        .rev()
        .map(|at| pages.new[at])
        .take_while(|one| one.number > function.span.start)
        .all(|one| !one.code.contains("assert") && !one.code.contains("expect("));
    (is_check && is_first && existed(pages, head)).then(|| Told {
        message: format!(
            "{} is now left at once under a condition: `{}`",
            function.name,
            clipped(&one_line(&text), 80)
        ),
        help: "let it check everywhere, or let the tests that call it say that they are skipped".to_owned(),
        old: None,
        new: Some(line),
        name: Some(function.name.clone()),
    })
}
