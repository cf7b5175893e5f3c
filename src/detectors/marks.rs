//! Marks that tell tools to look away, put on code that was there before.

use std::borrow::Cow;

use crate::collections::HashMap;
use crate::comparison::{CodeLine, FileSide, counts};
use crate::facts::{Directive, DirectiveKind, Span};

/// The marks of one kind that are new and stand on lines which the file had before.
pub fn on_existing_code<'c>(
    before: &'c FileSide,
    after: &'c FileSide,
    kind: DirectiveKind,
) -> Vec<&'c Directive> {
    let of_kind =
        |side: &'c FileSide| side.facts.signals.directives.iter().filter(move |mark| mark.kind == kind);
    if !has_new_places(before, of_kind(before), after, of_kind(after)) {
        return Vec::new();
    }
    let (old, new) = (Anchors::of(before), Anchors::of(after));
    let mut known: HashMap<(&str, String), usize> = HashMap::new();
    let mut by_mark: HashMap<&str, usize> = HashMap::new();
    for mark in before.facts.signals.directives.iter().filter(|mark| mark.kind == kind) {
        *known.entry((mark.mark.as_str(), old.anchor(mark))).or_default() += 1;
        *by_mark.entry(&mark.mark).or_default() += 1;
    }
    for mark in of_kind(after) {
        if let Some(count) = by_mark.get_mut(mark.mark.as_str()) {
            *count = count.saturating_sub(1);
        }
    }
    // Marks that went elsewhere: as many of the same kind may come.
    let mut moved = by_mark;
    let mut fresh = Vec::new();
    for mark in of_kind(after) {
        let anchor = new.anchor(mark);
        if let Some(count) = known.get_mut(&(mark.mark.as_str(), anchor.clone())).filter(|count| **count > 0)
        {
            *count -= 1;
        } else if !anchor.is_empty() && old.has(&anchor) {
            match moved.get_mut(mark.mark.as_str()).filter(|count| **count > 0) {
                Some(count) => *count -= 1,
                None => fresh.push(mark),
            }
        }
    }
    fresh
}

/// Whether a mark stands where none stood before, as far as its line and the next one tell. Most edits touch no mark.
fn has_new_places<'c>(
    before: &FileSide,
    old: impl Iterator<Item = &'c Directive>,
    after: &FileSide,
    new: impl Iterator<Item = &'c Directive>,
) -> bool {
    let place = |side: &FileSide, mark: &'c Directive| {
        let lines: Vec<String> =
            side.lines(Span { start: mark.line, end: mark.line + 1 }).map(Cow::into_owned).collect();
        (mark.mark.as_str(), lines)
    };
    let mut new = new.map(|mark| place(after, mark)).peekable();
    if new.peek().is_none() {
        return false;
    }
    let mut known: HashMap<_, usize> = HashMap::new();
    for mark in old {
        *known.entry(place(before, mark)).or_default() += 1;
    }
    new.any(|place| match known.get_mut(&place).filter(|count| **count > 0) {
        Some(count) => {
            *count -= 1;
            false
        }
        None => true,
    })
}

/// The lines of a side that marks can stand on.
struct Anchors<'s> {
    lines: &'s [CodeLine],
    /// How often each line stands there.
    counts: HashMap<&'s str, usize>,
    /// Code that a mark of the side shares its line with, by line; attributes are code themselves.
    attributes: HashMap<u32, String>,
}

impl<'s> Anchors<'s> {
    fn of(side: &'s FileSide) -> Self {
        let lines = side.code();
        let mut attributes = HashMap::new();
        for mark in &side.facts.signals.directives {
            let text = side.text.get(mark.start as usize..mark.end as usize).unwrap_or_default();
            if !text.starts_with(b"#[") && !text.starts_with(b"#!") && !text.starts_with(b"@") {
                continue;
            }
            let bare: Vec<u8> = text.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
            attributes.insert(mark.line, String::from_utf8_lossy(&bare).into_owned());
        }
        Self { lines, counts: counts(lines), attributes }
    }

    fn has(&self, code: &str) -> bool {
        self.counts.contains_key(code)
    }

    /// The code that a mark stands on: on its own line, or on the next one that has any.
    fn anchor(&self, mark: &Directive) -> String {
        let from = self.lines.partition_point(|line| line.number < mark.line);
        for line in self.lines[from..].iter().take(24) {
            let code = match self.attributes.get(&line.number) {
                Some(attribute) => line.code.replacen(attribute.as_str(), "", 1),
                None => line.code.clone(),
            };
            let is_attribute = code.starts_with("#[") || (code.starts_with('@') && !code.ends_with('{'));
            if code.len() > 2 && !is_attribute {
                return code;
            }
        }
        String::new()
    }
}
