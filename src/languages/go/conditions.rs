//! The conditions around a failing call: `if got != want { t.Errorf(...) }` claims that they are equal.

use std::ops::Range;

use tree_sitter::Node;

use super::super::stretches::{clipped, excerpt, is_named_in};
use super::super::{Builder, Source, line_of};
use super::claims::{failing, holding, of_diff};
use super::kinds::{Kind, kind_of};
use super::syntax::{Call, named_children};
use crate::facts::{Claim, Reach};

/// As many variables that hold a difference are remembered in one function.
const MAX_DIFFS: usize = 64;

/// As many bytes of a file are looked through for uses of functions in place.
const SEARCH_LIMIT: usize = 4 * 1024 * 1024;

#[derive(Default)]
pub(super) struct Conditions {
    around: Vec<Around>,
    /// Variables that hold what `cmp.Diff` returned, with the call.
    diffs: Vec<(String, String)>,
    /// What the condition that was asked for last claims: many calls may stand under one.
    last: Option<((Range<usize>, bool), Claim)>,
    function_end: usize,
    searched: usize,
}

/// A stretch of code, and the condition under which it runs.
struct Around {
    bytes: Range<usize>,
    /// Where the condition stands, and whether it is true here; none where it cannot be told.
    condition: Option<(Range<usize>, bool)>,
}

impl Conditions {
    /// A new function begins, which ends there.
    pub fn reset(&mut self, function_end: usize) {
        let searched = self.searched;
        *self = Self { function_end, searched, ..Self::default() };
    }

    /// An `if` with a condition that is not constant.
    pub fn meet(&mut self, node: Node<'_>) {
        self.leave(node.start_byte());
        let Some(condition) = node.child_by_field_name("condition") else { return };
        // The arm that comes first is looked at first, so it goes on top.
        for (arm, holds) in [("alternative", false), ("consequence", true)] {
            let block = node.child_by_field_name(arm).filter(|arm| kind_of(*arm) == Kind::Block);
            let condition = Some((condition.byte_range(), holds));
            self.around.extend(block.map(|block| Around { bytes: block.byte_range(), condition }));
        }
    }

    /// A loop, a switch or a function in place: conditions further out say little about what is inside.
    pub fn unclear(&mut self, node: Node<'_>) {
        self.leave(node.start_byte());
        self.around.push(Around { bytes: node.byte_range(), condition: None });
    }

    /// A `switch` without a value: each case is a condition of its own.
    pub fn switch(&mut self, node: Node<'_>) {
        self.unclear(node);
        if node.child_by_field_name("value").is_some() {
            return;
        }
        let cases: Vec<Node<'_>> =
            named_children(node).filter(|child| kind_of(*child) == Kind::Case).collect();
        for case in cases.into_iter().rev() {
            let value = case.child_by_field_name("value").filter(|value| named_children(*value).count() == 1);
            let condition = value.map(|value| (value.byte_range(), true));
            self.around.push(Around { bytes: case.byte_range(), condition });
        }
    }

    fn leave(&mut self, at: usize) {
        while self.around.last().is_some_and(|around| around.bytes.end <= at) {
            self.around.pop();
        }
    }

    /// What a call claims that fails the test where it stands.
    pub fn claim(&mut self, call: Node<'_>, source: Source<'_>) -> Option<Claim> {
        let at = call.start_byte();
        self.leave(at);
        let around = self.around.iter().rev().find(|around| around.bytes.contains(&at))?;
        let condition = around.condition.clone()?;
        if let Some((known, claim)) = &self.last
            && *known == condition
        {
            return Some(claim.clone());
        }
        let claim = self.read(condition.clone(), source);
        self.last = Some((condition, claim.clone()));
        Some(claim)
    }

    fn read(&self, (condition, holds): (Range<usize>, bool), source: Source<'_>) -> Claim {
        let text = clipped(source, condition, 2048);
        let claim = if holds { failing(&text) } else { holding(&text) };
        let diff = self.diffs.iter().rev().find(|(name, _)| {
            *name == claim.subject
                || claim.subject.strip_prefix("len(").is_some_and(|rest| rest.trim_end_matches(')') == name)
        });
        diff.and_then(|(_, call)| of_diff(call)).unwrap_or(claim)
    }

    /// Names that are given values: `got, err := f(x)`.
    pub fn learn(&mut self, declaration: Node<'_>, facts: &mut Builder<'_>) {
        let list = |field| declaration.child_by_field_name(field).into_iter().flat_map(named_children);
        let (names, values): (Vec<_>, Vec<_>) =
            (list("left").take(16).collect(), list("right").take(16).collect());
        for (at, name) in names.iter().enumerate().filter(|(_, name)| kind_of(**name) == Kind::Identifier) {
            let value = if names.len() == values.len() { values.get(at) } else { values.first() };
            let (name, Some(value)) = (facts.text(*name), value.copied()) else { continue };
            if kind_of(value) == Kind::FuncLiteral {
                self.closure(declaration, name, facts);
                continue;
            }
            let text = excerpt(facts.source(), value.byte_range());
            // A helper may hand on several results of one step, each of which is asked for another thing.
            if name != "_" && (facts.in_test() || facts.keeps_bindings() && names.len() == values.len()) {
                facts.binding(line_of(declaration), name, &text);
            }
            if is_diff(value, facts.source()) && self.diffs.len() < MAX_DIFFS {
                self.diffs.push((name.to_owned(), text));
            }
        }
    }

    /// A function in place that gets a name which nothing after it uses.
    fn closure(&mut self, declaration: Node<'_>, name: &str, facts: &mut Builder<'_>) {
        let rest = facts.source().text.get(declaration.end_byte()..self.function_end).unwrap_or_default();
        self.searched = self.searched.saturating_add(rest.len());
        if facts.in_test() && self.searched < SEARCH_LIMIT && !is_used_in(rest, name) {
            facts.open_muted(declaration, Reach::NeverCalled);
        }
    }
}

/// Whether a text has `name` as a word of its own, other than in `_ = name`, which only pleases the compiler.
fn is_used_in(text: &[u8], name: &str) -> bool {
    let idle = format!("_ = {name}");
    String::from_utf8_lossy(text)
        .lines()
        .any(|line| line.trim() != idle && is_named_in(line.as_bytes(), name))
}

fn is_diff(value: Node<'_>, source: Source<'_>) -> bool {
    Call::read(value, source).is_some_and(|call| call.name.ends_with("Diff") || call.name.ends_with("diff"))
}
