//! Expected failures that are no longer insisted on: a test that passes against expectation used to fail the run.

use super::places::{Pages, Place};
use super::reading::Told;
use crate::text::{clipped, one_line};

pub fn read(pages: &Pages<'_>, place: &Place) -> Option<Told> {
    let strict = |code: &str, value: &str| code.contains(&format!("strict={value}"));
    let count = |lines: &[&crate::comparison::CodeLine], value: &str| {
        lines.iter().filter(|line| strict(&line.code, value)).count()
    };
    let (old, new) = (&pages.old[place.old.clone()], &pages.new[place.new.clone()]);
    let speaks =
        |lines: &[&crate::comparison::CodeLine]| lines.iter().any(|line| line.code.contains("xfail"));
    let near = |at: usize| {
        pages.new[at.saturating_sub(NEAR)..(at + NEAR).min(pages.new.len())]
            .iter()
            .any(|line| line.code.contains("xfail"))
    };
    let still = speaks(new) || near(place.new.start);
    let was = speaks(old) || !old.is_empty() && still;
    if !was || !still {
        return None;
    }
    let dropped =
        count(old, "True") > count(new, "True") && count(new, "False") + xfails(new) + 1 > xfails(old);
    let softened =
        count(new, "False") > count(old, "False") && xfails(new) <= xfails(old).max(1) && !old.is_empty();
    let at = place.new.clone().find(|at| strict(&pages.new[*at].code, "False")).unwrap_or(place.new.start);
    let line = pages.new.get(at)?.number;
    let is_kept = pages.kept.iter().any(|(_, test)| test.span.start <= line && line <= test.span.end);
    ((dropped || softened) && is_kept).then(|| Told {
        message: format!(
            "an expected failure is no longer insisted on: `{}`",
            clipped(&one_line(&pages.new_text(at)), 80)
        ),
        help: "keep it strict, so that somebody hears when the test passes again".to_owned(),
        old: place.old.clone().next().map(|at| pages.old[at].number),
        new: Some(line),
        name: pages.test_at(line).map(|(_, test)| test.qualified_name()),
    })
}

/// So far from an option stands the mark it belongs to.
const NEAR: usize = 4;

fn xfails(lines: &[&crate::comparison::CodeLine]) -> usize {
    lines.iter().map(|line| line.code.matches("xfail").count()).sum()
}
