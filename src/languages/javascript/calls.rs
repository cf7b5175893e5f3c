//! Calls: which of them define a test or a suite, skip one, or check something.

use tree_sitter::Node;

use super::super::expression::canonical;
use super::super::{Builder, line_of};
use super::assertions::{self, Chain, Root};
use super::grammar::{Kind, Reader};
use super::names::{self, Curry, Role};
use super::pack::Script;
use super::runner::Runner;
use super::shape::Shape;
use super::skips;
use crate::facts::{DefinitionKind, Level, Reach, SkipKind};

/// What compilers check needs not run.
const EVERYWHERE: &[Reach] =
    &[Reach::Branch, Reach::Swallowed, Reach::NotAwaited, Reach::NeverCalled, Reach::Dead];

impl Script {
    pub(super) fn chain(&mut self, node: Node<'_>, kind: Kind, facts: &mut Builder<'_>) {
        let read = self.reader(facts);
        if self.chain.0 != node.start_byte() {
            let chain = Chain::of(&read, node);
            let root = chain.root(&read, &self.bindings, |name| self.is_context(name, facts));
            self.chain = (node.start_byte(), root);
            if chain.is_check(&read, node, root) {
                match chain.is_type_check(&read) {
                    true => facts.assertion_despite(node, EVERYWHERE),
                    false => facts.assertion(node),
                }
            }
        }
        if kind == Kind::Call {
            self.call(node, facts);
        }
    }

    fn call(&mut self, node: Node<'_>, facts: &mut Builder<'_>) {
        let read = self.reader(facts);
        let Some(callee) = node.child_by_field_id(read.fields().function) else { return };
        let root = self.chain.1;
        match root {
            Root::Runner if self.runner_call(node, callee, facts) => return,
            Root::Context if self.context_call(node, callee, facts) => return,
            Root::This if self.is_test_file && read.property(callee) == Some("skip") => {
                return self.skip_statement(node, SkipKind::Unconditional, facts);
            }
            _ => {}
        }
        if !self.is_test_file {
            return;
        }
        if let Some(name) = assertions::chained_check(&read, node, root) {
            self.chained(node, callee, name, facts);
        }
        self.stand_in(node, callee, facts);
        match read.kind(callee) {
            Kind::Identifier => self.plain_call(node, read.text(callee), facts),
            Kind::Member => self.method_call(node, callee, facts),
            _ => {}
        }
    }

    /// Whether the call is one of a runner: a test, a suite, a skip statement.
    fn runner_call(&mut self, node: Node<'_>, callee: Node<'_>, facts: &mut Builder<'_>) -> bool {
        let read = self.reader(facts);
        let Some(runner) = self.resolver(facts).resolve(callee) else { return false };
        let shape = Shape::of(&read, node);
        if runner.curry.is_some() && !(runner.curry == Some(Curry::Same) && shape.title_is_text(&read)) {
            return false;
        }
        if !self.is_test_file && !read.text(callee).starts_with("Deno.") {
            self.uncollected(node, &runner, &shape, facts);
            return false;
        }
        if runner.guessed && !(shape.title_is_text(&read) && shape.function(&read).is_some()) {
            return false;
        }
        // tap's `t.fail('why')` on the runner itself fails what is around it.
        if read.property(callee) == Some("fail") && shape.callback.is_none() && shape.title_is_text(&read) {
            facts.assertion(node);
            return true;
        }
        match runner.role {
            Role::Suite => self.suite(node, runner, &shape, facts),
            Role::Test if is_skip_statement(&read, &runner, &shape) => {
                let kind = runner.skip.map_or(SkipKind::Unconditional, |skip| skip.kind);
                self.skip_statement(node, kind, facts);
                true
            }
            Role::Test => self.test(node, callee, runner, &shape, Level::Definition, facts),
        }
    }

    /// What would be a test, in a file that no runner collects from.
    fn uncollected(&self, node: Node<'_>, runner: &Runner, shape: &Shape<'_>, facts: &mut Builder<'_>) {
        let read = self.reader(facts);
        if runner.role == Role::Test
            && shape.title_is_text(&read)
            && let Some(function) = shape.function(&read)
        {
            let body = function.child_by_field_id(read.fields().body);
            facts.open_definition(node, &shape.name(&read), DefinitionKind::Function, body);
        }
    }

    /// `t.test('part', fn)`, `t.skip('why')`.
    fn context_call(&mut self, node: Node<'_>, callee: Node<'_>, facts: &mut Builder<'_>) -> bool {
        let read = self.reader(facts);
        if !self.is_test_file {
            return false;
        }
        let shape = Shape::of(&read, node);
        let part = Runner::plain(Role::Test);
        match read.property(callee) {
            Some("test" | "step") => self.test(node, callee, part, &shape, Level::Subtest, facts),
            Some("skip" | "todo") if shape.callback.is_some() && shape.title_is_text(&read) => {
                let skip = Some(facts.mark(callee, SkipKind::Unconditional, None));
                self.test(node, callee, Runner { skip, ..part }, &shape, Level::Subtest, facts)
            }
            Some("skip" | "todo" | "fixme") => {
                self.skip_statement(node, SkipKind::Unconditional, facts);
                true
            }
            _ => false,
        }
    }

    /// A check of what a chain gave so far: its subject is the start of the chain.
    fn chained(&mut self, node: Node<'_>, callee: Node<'_>, name: Node<'_>, facts: &mut Builder<'_>) {
        let read = self.reader(facts);
        let bytes = name.start_byte()..node.end_byte();
        let object = callee.child_by_field_id(read.fields().object);
        let chain = object.map(|object| canonical(&facts.opening(object), "//")).unwrap_or_default();
        let start = [".expect(", ".should("].iter().filter_map(|link| chain.find(link)).min();
        facts.checked_on(line_of(name), bytes, &chain[..start.unwrap_or(chain.len())]);
    }

    fn plain_call(&mut self, node: Node<'_>, name: &str, facts: &mut Builder<'_>) {
        if names::is_hook(name) {
            self.hook(node, facts);
        } else if names::is_teardown(name) {
            self.sharing.pass_over(node);
        } else if self.skippers.iter().any(|known| known == name) {
            self.skip_statement(node, SkipKind::Unconditional, facts);
        } else if facts.in_test() {
            match name {
                "pending" => self.skip_statement(node, SkipKind::Unconditional, facts),
                "fail" => facts.assertion(node),
                _ if names::may_skip(name) => self.skip_statement(node, SkipKind::Conditional, facts),
                _ => {}
            }
        } else if names::may_skip(name) && is_bare_statement(&self.reader(facts), node) {
            self.skip_statement(node, SkipKind::Conditional, facts);
        }
    }

    fn method_call(&mut self, node: Node<'_>, callee: Node<'_>, facts: &mut Builder<'_>) {
        let read = self.reader(facts);
        // `skipOnWindows.suite()`: a helper that knows more than one way to skip.
        let object = callee.child_by_field_id(read.fields().object);
        if object
            .is_some_and(|object| read.kind(object) == Kind::Identifier && names::may_skip(read.text(object)))
            && is_bare_statement(&read, node)
        {
            return self.skip_statement(node, SkipKind::Conditional, facts);
        }
        match read.property(callee) {
            Some("forEach" | "map") if !facts.in_test() => {
                let over = callee.child_by_field_id(read.fields().object);
                let rows = over.and_then(|over| self.rows.of(&read, over));
                self.repetitions.open(node, rows);
            }
            Some("forEach" | "map") => self.over_nothing(node, callee, facts),
            Some(name) if names::is_hook(name) => self.hook(node, facts),
            _ => {}
        }
    }

    fn hook(&mut self, node: Node<'_>, facts: &Builder<'_>) {
        self.sharing.pass_over(node);
        if let Some(function) = Shape::of(&self.reader(facts), node).function(&self.reader(facts)) {
            self.callbacks.push(function.id());
            self.learn_context(function, facts);
        }
    }

    fn skip_statement(&self, node: Node<'_>, kind: SkipKind, facts: &mut Builder<'_>) {
        if let Some(skip) = skips::statement(&self.reader(facts), facts, node, kind) {
            facts.skip_here(skip);
        }
    }
}

/// Whether a call stands alone and is given nothing to run.
fn is_bare_statement(read: &Reader<'_>, node: Node<'_>) -> bool {
    let alone = node.parent().is_some_and(|parent| read.kind(parent) == Kind::ExpressionStatement);
    alone && Shape::of(read, node).function(read).is_none()
}

/// `test.skip()` and `test.skip(condition, 'why')`, as opposed to `test.skip('title', fn)`.
fn is_skip_statement(read: &Reader<'_>, runner: &Runner, shape: &Shape<'_>) -> bool {
    if runner.skip.is_none() || runner.cases != Some(1) {
        return false;
    }
    let titled = shape.title_is_text(read);
    let function_first = shape.title.is_none() && shape.callback.is_some();
    match shape.callback.map(|callback| read.kind(callback)) {
        // `test.skip(({ browserName }) => ..., 'why')`.
        Some(Kind::Function) => function_first && shape.arguments == 2 && shape.options.is_none(),
        Some(_) => false,
        None => !titled,
    }
}
