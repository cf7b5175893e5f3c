//! Functions whose last word is gone: they ended with a failure or an answer for what no branch before had dealt with, and
//! now end with nothing.
//!
//! Only where a language lets a function end so.

use super::reading::{Page, Part, Told};
use crate::comparison::FileSide;
use crate::detectors::gaps::Gap;
use crate::facts::Span;
use crate::text::contains;

pub fn may(gone: &[u8], _: &[u8]) -> bool {
    [&b"throw"[..], b"raise", b"return"].iter().any(|word| contains(gone, word))
}

pub fn read(page: &Page<'_>, gap: &Gap<'_>) -> Option<Told> {
    let language = page.before.facts.language;
    let (first, last) = (gap.gone.first()?, gap.gone.last()?);
    if !gap.fresh.is_empty() || !matches!(language, "python" | "javascript" | "typescript") {
        return None;
    }
    let function = page.function(page.before, first.number)?;
    let after = page.after.facts.functions.iter().find(|one| one.name == function.name)?;
    let indent = indent(page.before, first.number);
    let is_end = (last.number + 1..=function.span.end)
        .all(|line| page.before.lines(at(line)).all(|text| !text.contains(char::is_alphanumeric)));
    let above = gap.gone.first().and_then(|line| above(page.before, line.number))?;
    // Something of the function is left, and it is a branch that answers.
    let branches = match language {
        "python" => above.0 > indent,
        _ => above.1.starts_with('}') && above.0 == indent,
    };
    // The end of something that began before it is no end of its own.
    let ends_other = ["}", "catch", "except", "finally", "else", "elif", ")"]
        .iter()
        .any(|word| first.code.starts_with(word));
    if ends_other {
        return None;
    }
    let idle = ["", "None", "null", "undefined", "false", "False", "voidundefined"];
    let answers = |code: &str| {
        let value = code.trim_end_matches(';').strip_prefix("return");
        value.is_some_and(|value| !idle.contains(&value))
    };
    let fails = |code: &str| code.starts_with("throw") || code.starts_with("raise");
    let lines = page
        .before
        .code()
        .iter()
        .filter(|line| function.span.start < line.number && line.number < first.number);
    let left = lines.filter(|line| answers(&line.code)).count();
    let ends = gap.gone.iter().any(|line| answers(&line.code) || fails(&line.code));
    // Another last word stands in its place, as where a branch became what is done in any case.
    let mut now = page.after.code().iter().rev().filter(|line| after.span.contains(at(line.number)));
    let stays = now.find(|line| line.code.contains(char::is_alphanumeric)).is_some_and(|line| {
        (answers(&line.code) || fails(&line.code)) && self::indent(page.after, line.number) <= indent
    });
    if stays {
        return None;
    }
    let part = if gap.gone.iter().any(|line| fails(&line.code)) { Part::Errors } else { Part::Features };
    (is_end && branches && left > 0 && ends && first.number > function.span.start).then(|| Told {
        part,
        message: format!("{} used to have a last word, and now ends with nothing", function.name),
        old: Some(first.number),
        new: Some(after.span.end),
        detail: function.name.clone(),
    })
}

fn at(line: u32) -> Span {
    Span { start: line, end: line }
}

fn indent(side: &FileSide, line: u32) -> usize {
    let text = side.lines(at(line)).next().unwrap_or_default();
    text.len() - text.trim_start().len()
}

/// The last line above another that says something, with how far it is indented.
fn above(side: &FileSide, line: u32) -> Option<(usize, String)> {
    let before = side.code().iter().rev().find(|one| one.number < line && !one.code.is_empty())?;
    Some((indent(side, before.number), before.code.clone()))
}
