//! Marks that lead to a function, and that are gone while the function stays: `@app.route("/export")`,
//! `@GetMapping("/export")`, `@Scheduled(...)`.
//!
//! Part of the rule about disabled features. What a framework calls because of its mark, it calls no more; the code is
//! still there, and nothing leads to it.

use super::{draft, lower_by_intent, one};
use crate::comparison::{Comparison, FileSide};
use crate::detectors::gaps::{Gap, edited, gaps};
use crate::detectors::report::excerpt;
use crate::detectors::switch_names::words;
use crate::facts::{Definition, DefinitionKind};
use crate::finding::{Finding, Side};

/// Last words of marks by which a framework finds what it calls.
const LEADS: &[&str] = &[
    "route",
    "mapping",
    "get",
    "post",
    "put",
    "delete",
    "patch",
    "scheduled",
    "listener",
    "command",
    "task",
    "receiver",
    "subscribe",
    "handler",
    "endpoint",
    "websocket",
    "job",
    "cron",
    "hook",
    "hookimpl",
    "path",
    "resolver",
    "mutation",
    "query",
    "tool",
];

/// Lines between a mark and the name that it is about.
const NEAR: u32 = 4;

/// A change that takes out more is a rework.
const MOST: usize = 100;

pub fn findings(comparison: &Comparison) -> Vec<Finding> {
    let mut found = Vec::new();
    for (file, before, after) in edited(comparison) {
        let places = gaps(file);
        let places = places.iter().filter(|gap| gap.fresh.is_empty()).take(MOST);
        found.extend(places.filter_map(|gap| of_gap(comparison, before, after, gap)));
    }
    found
}

fn of_gap(comparison: &Comparison, before: &FileSide, after: &FileSide, gap: &Gap<'_>) -> Option<Finding> {
    let [mark] = gap.gone[..] else { return None };
    if !leads(&mark.code) {
        return None;
    }
    let marked = function_below(before, mark.number)?;
    let kept =
        after.facts.definitions.iter().find(|new| (&new.name, new.kind) == (&marked.name, marked.kind))?;
    // Another mark may lead to it, and somebody may call it by its name.
    let has_other = after.code().iter().any(|line| {
        line.number < kept.span.start + NEAR && line.number + NEAR > kept.span.start && leads(&line.code)
    });
    let calls = |side: &FileSide| {
        side.code().iter().filter(|line| line.code.contains(&format!("{}(", marked.name))).count()
    };
    if has_other || calls(after) > calls(before) {
        return None;
    }
    let message = format!("`{}` is still there, but nothing leads to it any more", marked.name);
    let symbol = format!("{}::{}", after.path, marked.name);
    let mut finding = draft(message, 0.75).on(Side::After, after, kept.span.start, symbol);
    finding.before = excerpt(before, one(mark.number), mark.number, "this led to it");
    finding.after = excerpt(after, one(kept.span.start), kept.span.start, "now nothing does");
    lower_by_intent(comparison, &mut finding, &marked.name);
    Some(finding)
}

/// Whether a line is a mark by which a framework finds what stands below it.
fn leads(code: &str) -> bool {
    let Some(mark) = code.strip_prefix('@') else { return false };
    let path = mark.split('(').next().unwrap_or_default();
    let name = path.rsplit(['.', ':']).next().unwrap_or_default();
    let is_called = mark.ends_with(')');
    is_called && words(name).last().is_some_and(|word| LEADS.contains(&word.as_str()))
}

/// The function that begins right below a line.
fn function_below(side: &FileSide, line: u32) -> Option<&Definition> {
    let below = side.facts.definitions.iter().filter(|definition| {
        definition.kind == DefinitionKind::Function
            && definition.span.start <= line + NEAR
            && definition.span.start + NEAR > line
            && definition.span.end > line
    });
    below.min_by_key(|definition| definition.span.end)
}
