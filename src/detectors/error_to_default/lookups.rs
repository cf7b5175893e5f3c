//! Values that were looked up and missed with a failure, and for which a default stands now: `prices[sku]` in a handler
//! that threw, now `prices.get(sku, 0)`.
//!
//! Part of the rule about defaults in place of errors.

use crate::detectors::exits::lost;
use crate::detectors::functions::Changed;
use crate::detectors::handlers::handlers;
use crate::detectors::subject::{names_of_any_length, roots};
use crate::facts::{Action, Context, ExitKind, HandlerKind, Span};

/// Where it failed and where the default stands, as lines.
pub struct Lookup {
    pub old: (Span, u32),
    pub new: u32,
}

pub fn defaulted(change: &Changed<'_>) -> Option<Lookup> {
    let (before, after) = (change.old_text(), change.new_text());
    let (line, of) = with_default(change, &before, &after)?;
    failed_before(change, &before, &of).map(|old| Lookup { old, new: line })
}

/// A new line that looks something up with a default, and what it looks it up in.
fn with_default(change: &Changed<'_>, before: &str, after: &str) -> Option<(u32, String)> {
    if !after.contains(".get(") && !after.contains(".getOrDefault(") {
        return None;
    }
    let lines = change.side.lines(change.new.span).zip(change.new.span.start..);
    let mut found = lines.filter_map(|(line, number)| {
        let (head, given) = line.split_once(".getOrDefault(").or_else(|| line.split_once(".get("))?;
        let plain = line.trim().to_owned();
        // What is not there gives nothing, in a language in which a lookup fails otherwise.
        let is_python =
            change.side.facts.language == "python" && before.contains(&format!("{}[", last_name(head)));
        let has_default = line.contains(".getOrDefault(") || has_two(given) || is_python;
        let of = last_name(head).to_owned();
        (has_default && !of.is_empty() && !before.contains(&plain)).then_some((number, of))
    });
    found.next()
}

/// The name that a text ends with.
fn last_name(text: &str) -> &str {
    text.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or("")
}

/// Whether a call is given two things, by the commas outside of its inner brackets.
fn has_two(given: &str) -> bool {
    let mut depth = 0i64;
    for byte in given.bytes() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' if depth == 0 => return false,
            b')' | b']' | b'}' => depth -= 1,
            b',' if depth == 0 => return true,
            _ => {}
        }
    }
    false
}

/// Where the function failed when what was looked up there was not found.
fn failed_before(change: &Changed<'_>, before: &str, of: &str) -> Option<(Span, u32)> {
    let looks = |text: &str| text.contains(&format!("{of}[")) || text.contains(&format!("{of}.get("));
    let threw = handlers(change).gone.into_iter().find(|handler| {
        let protected = change.old_side.text.get(handler.protected.clone()).unwrap_or_default();
        handler.kind == HandlerKind::Clause
            && handler.action == Action::Fails
            && looks(&String::from_utf8_lossy(protected))
    });
    if let Some(handler) = threw {
        return Some((handler.span, handler.line));
    }
    let set_by_lookup = |name: &String| {
        before.lines().filter(|line| looks(line)).any(|line| {
            line.split_once('=')
                .is_some_and(|(target, _)| names_of_any_length(target).any(|word| word == name))
        })
    };
    let missing = lost(change).into_iter().map(|lost| lost.exit).find(|exit| {
        exit.kind == ExitKind::Fails
            && exit.context == Context::Branch
            && roots(&exit.condition).iter().any(set_by_lookup)
    });
    missing.map(|exit| (exit.span, exit.line))
}
