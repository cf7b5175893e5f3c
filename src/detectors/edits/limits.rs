//! Time limits of tests that are switched off, or that grow where the time is what is tested.

use super::places::{Pages, Place};
use super::reading::Told;
use crate::text::{clipped, one_line};

/// Spellings of no limit at all, without white space.
const OFF: &[&str] = &[
    "this.timeout(0)",
    "this.timeout(Infinity)",
    "jest.setTimeout(0)",
    "mark.timeout(0)",
    "this.enableTimeouts(false)",
    "deadline=None",
];

/// Limits that a test has by its mark.
const MARKS: &[&str] = &["@Timeout(", "@Test(timeout=", "mark.timeout(", "#[timeout(", "#[ntest::timeout("];

/// Words of paths of tests that are about time.
const ABOUT_TIME: &[&str] = &["perf", "performance", "benchmark", "benchmarks", "speed"];

pub fn read(pages: &Pages<'_>, place: &Place) -> Option<Told> {
    switched_off(pages, place).or_else(|| dropped(pages, place)).or_else(|| multiplied(pages, place))
}

fn switched_off(pages: &Pages<'_>, place: &Place) -> Option<Told> {
    let is_off = |code: &str| OFF.iter().any(|off| code.contains(off));
    if place.old.clone().any(|at| is_off(&pages.old[at].code)) {
        return None;
    }
    let at = place.new.clone().find(|at| is_off(&pages.new[*at].code))?;
    let line = pages.new[at].number;
    let test = pages.test_at(line).map(|(_, test)| test.qualified_name());
    let is_above = || pages.kept.iter().any(|(_, test)| test.span.start > line);
    (test.is_some() || is_above()).then(|| told(pages, (None, Some(at)), test, "have no time limit any more"))
}

/// A mark with a limit that is gone from a test, and nothing in its place.
fn dropped(pages: &Pages<'_>, place: &Place) -> Option<Told> {
    let limits = |code: &str| MARKS.iter().any(|mark| code.contains(mark));
    let at = place.old.clone().find(|at| limits(&pages.old[*at].code))?;
    let (line, whole) = (pages.old[at].number, |code: &str| code.to_lowercase().contains("timeout"));
    let (_, test) = pages.kept.iter().find(|(old, _)| old.span.start <= line && line <= old.span.end)?;
    let mut inside =
        pages.new.iter().filter(|one| test.span.start <= one.number && one.number <= test.span.end);
    let is_elsewhere = pages.new.iter().filter(|one| limits(&one.code)).count()
        >= pages.old.iter().filter(|one| limits(&one.code)).count();
    (!inside.any(|one| whole(&one.code)) && !is_elsewhere && !is_whole_file(pages))
        .then(|| told(pages, (Some(at), None), Some(test.qualified_name()), "has no time limit any more"))
}

/// Whether a rule for all tests of the file sets limits: `Timeout globalTimeout = ...`.
fn is_whole_file(pages: &Pages<'_>) -> bool {
    let limits = |code: &str| code.to_lowercase().contains("timeout");
    pages.new.iter().any(|line| limits(&line.code) && !pages.old.iter().any(|old| old.code == line.code))
}

/// A limit that is at least twice as long, in a file about time.
fn multiplied(pages: &Pages<'_>, place: &Place) -> Option<Told> {
    let lower = pages.after.path.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    if !words.any(|word| ABOUT_TIME.contains(&word)) {
        return None;
    }
    pages.pairs(place).into_iter().find_map(|(old, new)| {
        let (was, is) = (limit(&pages.old[old].code)?, limit(&pages.new[new].code)?);
        let test = pages.test_at(pages.new[new].number).map(|(_, test)| test.qualified_name());
        (is >= 2.0 * was && was > 0.0)
            .then(|| told(pages, (Some(old), Some(new)), test, "may take at least twice as long"))
    })
}

/// The number of a line that sets a time limit: `timeout: 5000`.
fn limit(code: &str) -> Option<f64> {
    let at = code.to_lowercase().find("timeout")? + "timeout".len();
    let rest = code.get(at..)?.trim_start_matches([':', '=', '(', 's', '"', '\'']);
    let end = rest.find(|c: char| !(c.is_ascii_digit() || c == '_' || c == '.')).unwrap_or(rest.len());
    rest[..end].replace('_', "").parse().ok()
}

fn told(
    pages: &Pages<'_>,
    (old, new): (Option<usize>, Option<usize>),
    name: Option<String>,
    what: &str,
) -> Told {
    let shown = match (new, old) {
        (Some(at), _) => pages.new_text(at),
        (None, Some(at)) => pages.old_text(at),
        (None, None) => String::new(),
    };
    let whom = name.as_deref().map_or_else(|| "tests".to_owned(), |name| format!("the test {name}"));
    Told {
        message: format!("{whom} {what}: `{}`", clipped(&one_line(&shown), 80)),
        help: "put the limit back; a test that hangs or is slow has to fail".to_owned(),
        old: old.map(|at| pages.old[at].number),
        new: new.map(|at| pages.new[at].number),
        name,
    }
}
