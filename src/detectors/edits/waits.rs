//! Conditions that a test waits for, and that ask for less: one of several things will do, or one of them is gone.

use super::places::{Pages, Place};
use super::reading::Told;
use crate::detectors::conditions::holds_for_less;
use crate::text::{clipped, one_line};

/// Words of calls that wait until something holds.
const WAITING: &[&str] = &["wait", "until", "eventually", "poll", "retry", "within", "await"];

/// So many lines above what a closure gives back stands the call that it is handed to.
const ABOVE: usize = 8;

pub fn read(pages: &Pages<'_>, place: &Place) -> Option<Told> {
    pages.pairs(place).into_iter().find_map(|(old, new)| {
        let (was, is) = (asked(pages, old, false)?, asked(pages, new, true)?);
        let line = pages.new[new].number;
        let (_, test) = pages.test_at(line)?;
        let less = match (&was, &is) {
            (Asked::Ends(was), Asked::Ends(is)) => holds_for_less(is, was).is_some(),
            (Asked::GoesOn(was), Asked::GoesOn(is)) => holds_for_less(was, is).is_some(),
            _ => false,
        };
        less.then(|| Told {
            message: format!(
                "the test {} waits for less than before: `{}`",
                test.qualified_name(),
                clipped(&one_line(&pages.new_text(new)), 80)
            ),
            help: format!("wait for all of it again: {}", pages.old_text(old)),
            old: Some(pages.old[old].number),
            new: Some(line),
            name: Some(test.qualified_name()),
        })
    })
}

/// A condition that ends a wait, or that keeps it going.
enum Asked {
    Ends(String),
    GoesOn(String),
}

fn asked(pages: &Pages<'_>, at: usize, is_new: bool) -> Option<Asked> {
    let (lines, text) = match is_new {
        true => (&pages.new, pages.new_text(at)),
        false => (&pages.old, pages.old_text(at)),
    };
    let open = |text: &str| text.trim_end_matches(['{', ':', ' ']).to_owned();
    if let Some(rest) = text.strip_prefix("if").filter(|rest| rest.starts_with([' ', '('])) {
        let next = lines.get(at + 1)?;
        let ends = next.code.trim_end_matches(';') == "break";
        return ends.then(|| Asked::Ends(open(rest)));
    }
    if let Some(rest) = text.strip_prefix("while").filter(|rest| rest.starts_with([' ', '('])) {
        let rest = open(rest);
        let inner = rest.trim().trim_start_matches("not ").trim_start_matches('!');
        let is_negated = inner.len() < rest.trim().len() && inner.starts_with('(') && inner.ends_with(')');
        return Some(if is_negated { Asked::Ends(inner.to_owned()) } else { Asked::GoesOn(rest) });
    }
    let waits = |text: &str| {
        let lower = text.to_lowercase();
        WAITING.iter().any(|word| lower.contains(word))
    };
    if let Some(given) = text.strip_prefix("return ") {
        let above = lines[at.saturating_sub(ABOVE)..at].iter();
        let closes = |code: &str| matches!(code, "}" | "});" | "})");
        let mut near = above.rev().take_while(|line| !closes(&line.code));
        return near
            .any(|line| waits(&line.code))
            .then(|| Asked::Ends(given.trim_end_matches(';').to_owned()));
    }
    let start =
        ["=> ", "lambda: ", "-> "].iter().find_map(|arrow| text.find(arrow).map(|at| at + arrow.len()))?;
    (waits(&text[..start])).then(|| Asked::Ends(closed(&text[start..]).to_owned()))
}

/// An expression up to the bracket that closes the call around it.
fn closed(text: &str) -> &str {
    let mut depth = 0_i64;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => return &text[..at],
            _ => {}
        }
        if depth < 0 {
            return &text[..at];
        }
    }
    text
}
