//! Calls during the walk: subtests, skips, checks.

use std::ops::Range;

use tree_sitter::Node;

use super::super::{Builder, TestHead, line_of};
use super::cases::plan;
use super::ginkgo;
use super::index::Index;
use super::names::FAILURES;
use super::pack::{GoPack, report_rows};
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
        } else if ginkgo::enter_shared(&call, &self.index, facts) {
            self.pass_through(None);
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
            self.check(&call, facts);
        } else if let Some(double) = doubled(&call, &self.index, facts) {
            facts.double(line_of(node), &double);
        }
    }

    /// A call in code that never runs.
    pub(super) fn check_only(&mut self, node: Node<'_>, facts: &mut Builder<'_>) {
        let source = facts.source();
        let call = Call::read(node, source).filter(|_| self.index.active);
        if let Some(call) = call.filter(|call| checks::is_check(call, &self.scope, &self.index, source)) {
            self.check(&call, facts);
        }
    }

    /// A call that only fails claims what the condition around it says.
    fn check(&mut self, call: &Call<'_, '_>, facts: &mut Builder<'_>) {
        let source = facts.source();
        let fails = FAILURES.contains(&call.name) && self.scope.is_on_handle(call, source)
            || matches!(call.name, "Fail" | "FailNow" | "Failf" | "FailNowf");
        match fails.then(|| self.conditions.claim(call.node, source)).flatten() {
            Some(claim) => facts.condition_at(line_of(call.node), call.node.byte_range(), claim),
            None => facts.assertion(call.node),
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
        let mut rows = Vec::new();
        if let (Some(closure), Some(body)) = (closure, body) {
            self.scope.learn_parameters(closure, facts.source());
            rows = self.plan(&mut head, body, facts);
        }
        facts.open_test(call.node, head);
        report_rows(&rows, facts);
        self.pass_through(closure);
    }

    /// Fills in the cases of a test and the skips that its statements alone tell. Gives the rows of its tables.
    pub(super) fn plan(
        &mut self,
        head: &mut TestHead<'_>,
        body: Node<'_>,
        facts: &Builder<'_>,
    ) -> Vec<Range<usize>> {
        let plan = plan(body, &mut self.scope, &self.index, facts);
        head.cases = plan.cases;
        head.skip = early_return(body, facts).or(plan.skip);
        plan.rows
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

/// What a stand-in replaces: `NewMockStore(ctrl)` of gomock, `store.On("Get", ...)` of testify.
fn doubled(call: &Call<'_, '_>, index: &Index, facts: &Builder<'_>) -> Option<String> {
    if let Some(name) = call.name.strip_prefix("NewMock") {
        return Some(name.to_owned());
    }
    if call.name != "On" || !index.mocks {
        return None;
    }
    let method = text_literal(call.argument(0)?, facts.source())?;
    let owner = call.receiver_name(facts.source()).unwrap_or("");
    Some(format!("{owner}.{method}"))
}
