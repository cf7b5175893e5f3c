//! Checks: what they claim, where they stand, and whether they can fail what is around them.

use std::ops::Range;

use tree_sitter::Node;

use super::{Builder, MAX_NESTING, Open, OpenKind, TEXT_LIMIT, line_of, one_line};
use crate::facts::{Assertion, Claim, Reach};

/// As much of an assertion is read for what it claims.
const CLAIM_LIMIT: usize = 2048;

impl Builder<'_> {
    /// One check. Counts for each open test, or else for the innermost definition.
    pub fn assertion(&mut self, node: Node<'_>) {
        self.assertion_at(line_of(node), node.byte_range());
    }

    /// One check that is no node of its own, such as tokens of a macro.
    pub fn assertion_at(&mut self, line: u32, bytes: Range<usize>) {
        let claim = self.read_claim(bytes.clone());
        self.claim_at(line, bytes, claim);
    }

    /// One check that can fail the test even where these ways of missing it are around: a compiler reads what never
    /// runs, and not every failure is an error that handlers catch.
    pub fn assertion_despite(&mut self, node: Node<'_>, despite: &[Reach]) {
        let claim = self.read_claim(node.byte_range());
        let reach = Some(self.reach()).filter(|reach| !despite.contains(reach)).unwrap_or_default();
        self.record(line_of(node), node.byte_range(), claim, reach, self.condition(0));
    }

    fn read_claim(&mut self, bytes: Range<usize>) -> Claim {
        if self.is_too_deep(&bytes) {
            return Claim::helper("");
        }
        (self.claim)(&self.stretch(bytes, CLAIM_LIMIT))
    }

    /// One check at the end of a chain of calls that is not part of its text, but what it is about.
    pub fn checked_on(&mut self, line: u32, bytes: Range<usize>, chain: &str) {
        let claim = self.read_claim(bytes.clone());
        let dot = if claim.subject.is_empty() || claim.subject.starts_with('.') { "" } else { "." };
        let subject = format!("{chain}{dot}{}", claim.subject);
        self.claim_at(line, bytes, Claim { subject, ..claim });
    }

    /// Whether a check is inside more checks than anybody writes; to read them all would cost the square of the depth.
    fn is_too_deep(&mut self, bytes: &Range<usize>) -> bool {
        while self.checks_around.last().is_some_and(|&end| end <= bytes.start) {
            self.checks_around.pop();
        }
        self.checks_around.push(bytes.end);
        self.checks_around.len() > MAX_NESTING
    }

    /// One check whose claim the pack has read itself.
    pub fn claim_at(&mut self, line: u32, bytes: Range<usize>, claim: Claim) {
        self.record(line, bytes, claim, self.reach(), self.condition(0));
    }

    /// One check that the condition around it makes: `if got != want { fail }`.
    pub fn condition_at(&mut self, line: u32, bytes: Range<usize>, claim: Claim) {
        self.record(line, bytes, claim, self.reach(), self.condition(1));
    }

    /// The innermost condition around the current point but for some, or the one under which the test is left above.
    pub(super) fn condition(&self, but: usize) -> Option<(Range<usize>, u32)> {
        let inside = |open: &&Open| !matches!(open.kind, OpenKind::Test(_) | OpenKind::Definition { .. });
        let conditions = self.open.iter().rev().take_while(inside).take(MAX_NESTING);
        let mut conditions = conditions.flat_map(|open| match &open.kind {
            OpenKind::Branch { condition, left } => [left.clone(), condition.clone()],
            _ => [None, None],
        });
        let mut conditions = conditions.by_ref().flatten();
        let left = || self.tests_around.last().and_then(|index| self.drafts[*index].left.clone());
        conditions.nth(but).or_else(left)
    }

    fn record(
        &mut self,
        line: u32,
        bytes: Range<usize>,
        claim: Claim,
        reach: Reach,
        condition: Option<(Range<usize>, u32)>,
    ) {
        let text = one_line(&self.stretch(bytes, 8 * TEXT_LIMIT));
        let under = condition.map(|(bytes, _)| one_line(&self.stretch(bytes, 8 * TEXT_LIMIT)));
        let assertion = Assertion { line, text, claim, reach, under };
        let tests: Vec<usize> = self.enclosing_tests().collect();
        if tests.is_empty() {
            if let Some(index) = self.innermost_definition() {
                self.definitions[index].assertions.push(assertion);
            }
            return;
        }
        for index in tests {
            self.drafts[index].test.assertions.push(assertion.clone());
        }
    }
}
