//! Opens suites and tests once a call is known to define one.

use tree_sitter::Node;

use super::super::expression::canonical;
use super::super::{Builder, TestHead};
use super::cases;
use super::grammar::{Kind, Reader};
use super::pack::Script;
use super::runner::Runner;
use super::shape::Shape;
use super::skips;
use crate::facts::{Level, Skip, SkipKind};
use crate::text::contains;

impl Script {
    pub(super) fn suite(
        &mut self,
        node: Node<'_>,
        runner: Runner,
        shape: &Shape<'_>,
        facts: &mut Builder<'_>,
    ) -> bool {
        let read = self.reader(facts);
        let Some(callback) = shape.callback else { return false };
        if read.kind(callback) != Kind::Function && !shape.title_is_text(&read) {
            return false;
        }
        let options = skips::options(&read, facts, shape.options);
        let function = shape.function(&read);
        let early = function.and_then(|function| skips::early_return(&read, facts, function));
        let own = Skip::stronger(early, deferred(&read, facts, node, shape));
        let skip = Skip::stronger(Skip::stronger(runner.skip, options.skip), own);
        facts.open_suite(node, shape.name(&read), skip, runner.focused || options.focused);
        if runner.cases != Some(1) {
            self.repetitions.open(node, runner.cases);
        }
        self.callbacks.extend(function.map(|function| function.id()));
        true
    }

    pub(super) fn test(
        &mut self,
        node: Node<'_>,
        callee: Node<'_>,
        runner: Runner,
        shape: &Shape<'_>,
        level: Level,
        facts: &mut Builder<'_>,
    ) -> bool {
        let read = self.reader(facts);
        let is_pending = shape.callback.is_none() && shape.title_is_text(&read);
        let only_options = shape.arguments == 2 && shape.options.is_some();
        if is_pending && (level == Level::Subtest || shape.arguments > 1 && !only_options)
            || !is_pending && shape.callback.is_none()
        {
            return false;
        }
        let options = skips::options(&read, facts, shape.options);
        let pending = is_pending.then(|| facts.mark(node, SkipKind::Unconditional, None));
        let function = shape.function(&read);
        let early = function.and_then(|function| skips::early_return(&read, facts, function));
        let own = Skip::stronger(Skip::stronger(pending, early), deferred(&read, facts, node, shape));
        let skip = Skip::stronger(Skip::stronger(runner.skip, options.skip), own);
        let body = function.and_then(|function| function.child_by_field_id(read.fields().body));
        let head = TestHead {
            level,
            cases: cases::product(runner.cases, self.repetitions.at(node)),
            skip,
            focused: runner.focused || options.focused,
            ..TestHead::new(
                shape.name(&read),
                shape.title.unwrap_or(node),
                body.or(shape.callback).unwrap_or(callee),
            )
        };
        facts.open_test(node, head);
        self.names.of_test(node.byte_range());
        for row in self.rows.written(&read, callee) {
            facts.row(&canonical(&row, "//"));
        }
        if let Some(function) = function {
            self.dropped_callbacks(function, facts);
            self.callbacks.push(function.id());
            if runner.cases == Some(1) {
                self.learn_context(function, facts);
            }
        }
        true
    }
}

/// Buster does not run what has a title that starts like a comment.
fn deferred(read: &Reader<'_>, facts: &Builder<'_>, node: Node<'_>, shape: &Shape<'_>) -> Option<Skip> {
    let is_deferred = shape.name(read).starts_with("//") && contains(facts.source().text, b"buster");
    is_deferred.then(|| facts.mark(node, SkipKind::Unconditional, None))
}
