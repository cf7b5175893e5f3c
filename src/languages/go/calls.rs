//! Calls during the walk: subtests, skips, checks.

use tree_sitter::Node;

use super::super::{Builder, TestHead};
use super::cases::plan;
use super::ginkgo;
use super::pack::GoPack;
use super::skips::{early_return, skip_of};
use super::syntax::{Call, statement_call, statements, text_literal};
use super::{checks, kinds};
use crate::facts::Level;

impl GoPack {
    pub(super) fn call(&mut self, node: Node<'_>, facts: &mut Builder<'_>) {
        let source = facts.source();
        let Some(call) = Call::read(node, source) else { return };
        if let Some(body) = ginkgo::enter(&call, &self.index, facts) {
            self.pass_through(body);
        } else if self.scope.is_run(&call, source) {
            self.subtest(&call, facts);
        } else if call.name == "Fuzz" && self.scope.is_on_handle(&call, source)
            || call.receiver_name(source) == Some("synctest")
        {
            self.pass_through(call.closure());
        } else if let Some(skip) = skip_of(&call, &self.scope, &self.index, facts) {
            if facts.in_test() {
                facts.skip_here(skip);
            }
        } else if checks::is_check(&call, &self.scope, &self.index, source) {
            facts.assertion(node);
        }
    }

    /// `t.Run("name", ...)`. With a computed name it is a row of a table, not a named part.
    fn subtest(&mut self, call: &Call<'_, '_>, facts: &mut Builder<'_>) {
        let (Some(name_node), Some(run)) = (call.argument(0), call.argument(1)) else { return };
        let Some(name) = text_literal(name_node, facts.source()) else { return };
        if !facts.in_test() {
            return;
        }
        let closure = call.closure();
        let body = closure.and_then(|closure| closure.child_by_field_name("body"));
        let mut head = TestHead::new(name, name_node, body.unwrap_or(run));
        head.level = Level::Subtest;
        if let (Some(closure), Some(body)) = (closure, body) {
            self.scope.learn_parameters(closure, facts.source());
            self.plan(&mut head, body, facts);
        }
        facts.open_test(call.node, head);
        self.pass_through(closure);
    }

    /// Fills in the cases of a test and the skips that its statements alone tell.
    pub(super) fn plan(&mut self, head: &mut TestHead<'_>, body: Node<'_>, facts: &Builder<'_>) {
        let plan = plan(body, &mut self.scope, &self.index, facts);
        head.cases = plan.cases;
        head.skip = early_return(body, facts).or(plan.skip);
    }

    /// A loop over a table: what its subtests do, they do for each row. False for any other loop.
    pub(super) fn table_loop(&mut self, node: Node<'_>, facts: &Builder<'_>) -> bool {
        let source = facts.source();
        let Some(body) = node.child_by_field_name("body") else { return false };
        let mut found = false;
        for statement in statements(body) {
            if kinds::kind_of(statement) != kinds::Kind::ExpressionStatement {
                continue;
            }
            let Some(call) = statement_call(statement, source) else { continue };
            if self.scope.is_run(&call, source) {
                self.pass_through(call.closure());
                found = true;
            }
        }
        found
    }
}
