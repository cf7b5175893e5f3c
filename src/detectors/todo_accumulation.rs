//! # todo-accumulation (LP-019)
//!
//! The change leaves more than five new notes such as TODO, FIXME or HACK in production code.
//!
//! Severity: medium; logged where they stand in new files.
//!
//! ## Why it matters
//!
//! Each note is something that does not work yet. A handful of them in one change means that the work was called
//! done before it was.
//!
//! ## Example
//!
//! ```go
//! // before                                 // after
//! func Save(o Order) error {                func Save(o Order) error {
//!     return db.Insert(o)                       // TODO: retry, FIXME: transactions, ...
//! ```
//!
//! ## What is not reported
//!
//! - notes that moved, and notes for which others went
//! - notes in tests, examples and documents
//!
//! ## What to do
//!
//! Do what the notes say, or open an issue for each and take them out.

use super::code_lines::{TestCode, is_scratch};
use super::report::{Draft, excerpt};
use super::table;
use crate::collections::HashMap;
use crate::comparison::{Comparison, FileComparison, FileSide};
use crate::facts::{Span, Todo};
use crate::finding::{Finding, FindingType, RuleId, Severity, Side};
use crate::paths::PathClass;

pub const ID: RuleId = table::id("todo-accumulation", "LP-019", FindingType::FeatureRemoval);

/// More than this in one change are too many.
const MANY: usize = 5;

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let is_judged = |file: &&FileComparison| {
        let path = file.after.as_ref().or(file.before.as_ref()).map_or("", |side| side.path.as_str());
        file.class == PathClass::Production && !is_scratch(path)
    };
    let files: Vec<&FileComparison> = comparison.files.iter().filter(is_judged).collect();
    let mut gone: HashMap<&str, usize> = HashMap::new();
    let old: Vec<(&FileSide, &Todo)> =
        files.iter().filter_map(|file| file.before.as_ref()).flat_map(todos).collect();
    for (_, todo) in &old {
        *gone.entry(&todo.text).or_default() += 1;
    }
    let is_fresh = |todo: &Todo, gone: &mut HashMap<&str, usize>| match gone.get_mut(todo.text.as_str()) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    let mut fresh: Vec<(bool, &FileSide, &Todo)> = Vec::new();
    for file in &files {
        let Some(after) = &file.after else { continue };
        let new = todos(after).filter(|(_, todo)| is_fresh(todo, &mut gone));
        fresh.extend(new.map(|(side, todo)| (file.before.is_some(), side, todo)));
    }
    let lost = gone.values().sum::<usize>();
    finding(&fresh, lost).into_iter().collect()
}

fn todos(side: &FileSide) -> impl Iterator<Item = (&FileSide, &Todo)> {
    let tests = TestCode::of(side);
    let own = side.facts.signals.todos.iter().filter(move |todo| !tests.contains(todo.line));
    own.map(move |todo| (side, todo))
}

/// One finding for the whole change, at the first note.
fn finding(fresh: &[(bool, &FileSide, &Todo)], lost: usize) -> Option<Finding> {
    let net = fresh.len().saturating_sub(lost);
    let existing = fresh.iter().filter(|(existing, _, _)| *existing).count().saturating_sub(lost);
    if net <= MANY {
        return None;
    }
    // Those in existing files first, by path: the order of files says nothing.
    let (_, side, todo) = fresh.iter().min_by_key(|(is_old, side, todo)| (!is_old, &side.path, todo.line))?;
    let draft = Draft {
        rule: ID,
        severity: Severity::Medium,
        confidence: 0.8,
        message: format!("{net} notes of work left for later were added, this one first"),
        help: "do what the notes say, or open an issue for each".to_owned(),
    };
    let mut finding = draft.on(Side::After, side, todo.line, side.path.clone());
    finding.after = excerpt(side, Span { start: todo.line, end: todo.line }, todo.line, "the first of them");
    if existing <= MANY {
        finding.lower(Severity::Low, "most of them stand in new files");
    }
    Some(finding)
}
