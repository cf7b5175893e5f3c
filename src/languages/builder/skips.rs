//! What keeps tests from running: marks, statements, conditions around them.

use std::ops::Range;

use tree_sitter::Node;

use super::{Builder, MAX_NESTING, Open, OpenKind, TEXT_LIMIT, line_of, one_line};
use crate::facts::{Binding, Reach, Scope, Skip, SkipKind, Test};

impl Builder<'_> {
    /// A skip as found at `node`; the builder settles its scope.
    pub fn mark(&self, node: Node<'_>, kind: SkipKind, reason: Option<String>) -> Skip {
        Skip { kind, scope: Scope::Test, line: line_of(node), mark: self.one_line(node), reason, under: None }
    }

    /// A test is left under a condition: one on what it computed guards all checks below, any other one is a skip.
    pub(super) fn leaves_if(&mut self, node: Node<'_>, condition: Range<usize>) {
        let Some(OpenKind::Test(index)) = self.open.last().map(|open| &open.kind) else { return };
        let index = *index;
        let text = self.stretch(condition.clone(), TEXT_LIMIT);
        let is_local = |binding: &Binding| names(&text).any(|name| name == binding.name);
        let test = &self.drafts[index].test;
        if test.bindings.iter().any(is_local) && !asks_for_surroundings(&text) && !gives_up_early(test, &text)
        {
            self.drafts[index].left = Some((condition, line_of(node)));
        } else if test.assertions.is_empty() {
            let under = Some(one_line(&self.stretch(condition, TEXT_LIMIT)));
            let skip = Skip { under, ..self.mark(node, SkipKind::Conditional, None) };
            let test = &mut self.drafts[index].test;
            if !test.conditions.iter().any(|known| known.mark == skip.mark) {
                self.skip_test(index, skip);
            }
        }
    }

    /// A round of a loop is left under a condition, which guards all checks below it in the loop.
    pub(super) fn leaves_round_if(&mut self, node: Node<'_>, condition: Range<usize>) {
        let line = line_of(node);
        if let Some(OpenKind::Branch { left, .. }) = self.open.last_mut().map(|open| &mut open.kind) {
            left.get_or_insert((condition, line));
        }
    }

    /// The condition under which what stands at the current point is defined at all.
    pub(super) fn defined_if(&self, node: Node<'_>) -> Option<Skip> {
        let never = |open: &Open| matches!(open.kind, OpenKind::Muted(Reach::Dead));
        let is_off = self.suite.is_some_and(|suite| self.suites[suite].skip.is_some());
        if !is_off && !self.in_function() && self.open.iter().rev().take(MAX_NESTING).any(never) {
            let mark = "in code that never runs".to_owned();
            return Some(Skip { mark, ..self.mark(node, SkipKind::Unconditional, None) });
        }
        let (condition, line) = if self.in_function() { None } else { self.condition(0) }?;
        let under = one_line(&self.stretch(condition, TEXT_LIMIT));
        let (mark, kind) = (format!("if {under}"), SkipKind::Conditional);
        Some(Skip { kind, scope: Scope::Test, line, mark, reason: None, under: Some(under) })
    }

    /// A skip statement in running code (`t.Skip()`, `pytest.skip()`, an early return). Applies to the innermost
    /// test, else suite, else file; under a branch or inside a nested function it is conditional.
    pub fn skip_here(&mut self, skip: Skip) {
        let skip = Skip { under: self.asked_here(), ..skip };
        let mut conditional = false;
        for at in (0..self.open.len()).rev() {
            match self.open[at].kind {
                OpenKind::Branch { .. } | OpenKind::Closure => conditional = true,
                OpenKind::Muted(_) => {}
                OpenKind::Test(index) => {
                    return self.skip_test(index, Skip { scope: Scope::Test, ..weaken(skip, conditional) });
                }
                OpenKind::Suite { .. } => {
                    let Some(suite) = self.suite else { return };
                    let skip = Skip { scope: Scope::Suite, ..weaken(skip, conditional) };
                    let suite = &mut self.suites[suite];
                    return put_around(&mut suite.skip, &mut suite.conditions, skip);
                }
                // A helper that skips speaks for its callers, which are not known here.
                OpenKind::Definition { .. } => return,
            }
        }
        self.skip_file(weaken(skip, conditional));
    }

    /// The condition right around the current point; none in a handler, whatever is asked around it.
    fn asked_here(&self) -> Option<String> {
        let in_branch = matches!(self.open.last()?.kind, OpenKind::Branch { condition: None, .. });
        let (bytes, _) = self.condition(0).filter(|_| !in_branch)?;
        Some(one_line(&self.stretch(bytes, TEXT_LIMIT)))
    }

    pub(super) fn skip_test(&mut self, index: usize, skip: Skip) {
        let test = &mut self.drafts[index].test;
        if skip.kind == SkipKind::Conditional {
            test.conditions.push(skip.clone());
        }
        strengthen(&mut test.skip, skip);
    }

    /// A mark on the whole file.
    pub fn skip_file(&mut self, skip: Skip) {
        let skip = Skip { scope: Scope::File, ..skip };
        put_around(&mut self.file_skip, &mut self.file_conditions, skip);
    }

    /// A mark on the innermost open suite, given inside it (`pytestmark`, `__test__ = False`).
    pub fn skip_suite(&mut self, skip: Skip) {
        match self.suite {
            Some(suite) => {
                let suite = &mut self.suites[suite];
                let skip = Skip { scope: Scope::Suite, ..skip };
                put_around(&mut suite.skip, &mut suite.conditions, skip);
            }
            None => self.skip_file(skip),
        }
    }
}

/// Whether a test that has checked nothing yet is left where a step of its set-up fails: what it should tell of it does not
/// tell, since nobody hears of it.
fn gives_up_early(test: &Test, condition: &str) -> bool {
    let condition = condition.trim();
    let fails = condition.ends_with(").is_err()")
        || condition.ends_with(".await.is_err()")
        || condition.ends_with(").is_none()")
        || matches!(condition, "err != nil" | "error != nil");
    test.assertions.is_empty() && fails
}

/// Whether a condition asks for what the machine has, and not for what a test computed.
fn asks_for_surroundings(condition: &str) -> bool {
    const WORDS: &[&str] =
        &["exists", "environ", "env", "getenv", "platform", "isfile", "isdir", "which", "lookpath"];
    names(condition).any(|name| {
        let name = name.to_ascii_lowercase().replace('_', "");
        WORDS.contains(&name.as_str()) || name.starts_with("exists") || name.starts_with("isinstalled")
    })
}

/// The names in a piece of code.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
}

fn weaken(skip: Skip, conditional: bool) -> Skip {
    let kind = if conditional { SkipKind::Conditional } else { skip.kind };
    Skip { kind, ..skip }
}

/// One more skip on a suite or a file: the strongest one counts, but each of several conditions.
fn put_around(slot: &mut Option<Skip>, conditions: &mut Vec<Skip>, skip: Skip) {
    if skip.kind == SkipKind::Conditional {
        conditions.push(skip.clone());
    }
    strengthen(slot, skip);
}

/// Keeps the stronger of two skips.
pub(crate) fn strengthen(slot: &mut Option<Skip>, skip: Skip) {
    *slot = Skip::stronger(slot.take(), Some(skip));
}
