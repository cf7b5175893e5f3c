//! The walk over JavaScript and TypeScript trees.

use tree_sitter::Node;

use super::super::{Builder, Descend, Pack, Source, TestHead};
use super::assertions::{self, Chain, Root};
use super::bindings::{self, Binding, Bindings, Imported};
use super::cases::{self, Repetitions, Rows};
use super::definitions;
use super::grammar::{self, Grammar, Kind, Reader};
use super::names::{self, Curry, Role};
use super::paths::is_test_path;
use super::runner::{Resolver, Runner};
use super::shape::Shape;
use super::skips::{self, stronger};
use crate::facts::{DefinitionKind, Level, SkipKind};

pub fn pack(source: &Source<'_>) -> Box<dyn Pack> {
    Box::new(Script::new(grammar::javascript(), source))
}

pub fn typescript_pack(source: &Source<'_>) -> Box<dyn Pack> {
    Box::new(Script::new(grammar::typescript(), source))
}

pub fn tsx_pack(source: &Source<'_>) -> Box<dyn Pack> {
    Box::new(Script::new(grammar::tsx(), source))
}

/// Names that are taken for a test's context wherever they stand.
const CONTEXTS: &[&str] = &["t", "tap", "testInfo"];

struct Script {
    grammar: &'static Grammar,
    /// Whether the runner collects tests from the file; an import can still make it so.
    is_test_file: bool,
    bindings: Bindings,
    rows: Rows,
    repetitions: Repetitions,
    /// First parameters of the test functions met so far.
    contexts: Vec<String>,
    /// Functions taken out of a test's context that skip it: `({ skip }) => skip()`.
    skippers: Vec<String>,
    /// Callbacks of tests, suites and hooks that the walk has yet to reach; these are no closures.
    callbacks: Vec<usize>,
    /// Where the chain at hand starts, which all its links share, and what it starts from.
    chain: (usize, Root),
}

impl Script {
    fn new(grammar: &'static Grammar, source: &Source<'_>) -> Self {
        Self {
            grammar,
            is_test_file: is_test_path(source),
            bindings: Bindings::new(),
            rows: Rows::default(),
            repetitions: Repetitions::default(),
            contexts: Vec::new(),
            skippers: Vec::new(),
            callbacks: Vec::new(),
            chain: (usize::MAX, Root::Other),
        }
    }

    fn reader<'s>(&self, facts: &Builder<'s>) -> Reader<'s> {
        Reader { grammar: self.grammar, source: facts.source() }
    }

    fn resolver<'r, 's>(&'r self, facts: &'r Builder<'s>) -> Resolver<'r, 's, 's> {
        Resolver { read: self.reader(facts), bindings: &self.bindings, rows: &self.rows, facts }
    }
}

impl Pack for Script {
    fn enter(&mut self, node: Node<'_>, facts: &mut Builder<'_>) -> Descend {
        let kind = self.grammar.kind(node);
        let read = self.reader(facts);
        match kind {
            Kind::Other => {}
            Kind::Comment => {
                facts.comment(node);
                return Descend::Over;
            }
            Kind::String | Kind::Regex => return Descend::Over,
            Kind::Program => self.learn_functions(node, facts),
            Kind::Import => self.import(node, facts),
            Kind::Call | Kind::Member => self.chain(node, kind, facts),
            Kind::Declarator => self.declarator(node, facts),
            Kind::Function => self.function(node, facts),
            Kind::FunctionDeclaration => definitions::function(&read, facts, node),
            Kind::Method => match self.take_callback(node) {
                true => {}
                false => definitions::function(&read, facts, node),
            },
            Kind::ClassDeclaration | Kind::TypeDeclaration => definitions::of_type(&read, facts, node),
            Kind::Assignment => definitions::assignment(&read, facts, node),
            Kind::Pair | Kind::Field => definitions::property(&read, facts, node),
            Kind::If | Kind::Loop | Kind::ForIn | Kind::Branch | Kind::Ternary | Kind::Binary => {
                self.branch(node, kind, facts);
            }
            _ => {}
        }
        Descend::Into
    }
}

/// Names and their meaning.
impl Script {
    /// Functions are known in the whole file: some give runners, some hide a runner's name.
    fn learn_functions(&mut self, program: Node<'_>, facts: &Builder<'_>) {
        let read = self.reader(facts);
        for node in read.children(program) {
            let node = match read.kind(node) {
                Kind::Export => node.child_by_field_id(read.fields().declaration).unwrap_or(node),
                _ => node,
            };
            if read.kind(node) == Kind::FunctionDeclaration
                && let Some(name) = node.child_by_field_id(read.fields().name)
            {
                self.learn_function(read.text(name), node, facts);
            }
        }
    }

    fn learn_function(&mut self, name: &str, function: Node<'_>, facts: &Builder<'_>) {
        if let Some(runner) = bindings::factory(&self.resolver(facts), function) {
            self.bindings.insert(name.to_owned(), Binding::Runner(runner));
        } else if names::root(name).is_some() {
            self.bindings.insert(name.to_owned(), Binding::Local);
        }
    }

    fn import(&mut self, node: Node<'_>, facts: &Builder<'_>) {
        if let Some((module, imports)) = bindings::imports(&self.reader(facts), node) {
            self.bind_imports(node, module, &imports, facts);
        }
    }

    fn bind_imports(&mut self, node: Node<'_>, module: &str, imports: &[Imported<'_>], facts: &Builder<'_>) {
        self.is_test_file |=
            names::is_runner_module(module) && !self.reader(facts).text(node).starts_with("import type");
        for import in imports {
            let binding = bindings::imported(&self.resolver(facts), node, module, import);
            if let Some(binding) = binding {
                if module == "tap" && import.name.is_none() {
                    self.contexts.push(import.local.to_owned());
                }
                self.bindings.insert(import.local.to_owned(), binding);
            }
        }
    }

    fn declarator(&mut self, node: Node<'_>, facts: &mut Builder<'_>) {
        let read = self.reader(facts);
        let fields = read.fields();
        let name = node.child_by_field_id(fields.name);
        let value = node.child_by_field_id(fields.value);
        if let (Some(name), Some(value)) = (name, value) {
            self.learn_variable(name, value, facts);
        }
        definitions::variable(&read, facts, node);
    }

    fn learn_variable(&mut self, name: Node<'_>, value: Node<'_>, facts: &Builder<'_>) {
        let read = self.reader(facts);
        match read.kind(value) {
            Kind::Function => return self.learn_function(read.text(name), value, facts),
            Kind::Array | Kind::Cast if read.kind(name) == Kind::Identifier => {
                return self.rows.learn(&read, name, value);
            }
            Kind::Call | Kind::Member | Kind::Await => {
                if let Some(module) = bindings::required_module(&read, value) {
                    let names = bindings::required_names(&read, name);
                    return self.bind_imports(value, module, &names, facts);
                }
            }
            Kind::Identifier | Kind::Ternary | Kind::Parenthesized | Kind::Subscript => {}
            _ => return,
        }
        if read.kind(name) == Kind::Identifier
            && let Some(runner) = self.resolver(facts).resolve(value)
        {
            self.bindings.insert(read.text(name).to_owned(), Binding::Runner(runner));
        }
    }

    fn is_context(&self, name: &str) -> bool {
        CONTEXTS.contains(&name) || self.contexts.iter().any(|context| context == name)
    }
}

/// Calls.
impl Script {
    fn chain(&mut self, node: Node<'_>, kind: Kind, facts: &mut Builder<'_>) {
        let read = self.reader(facts);
        if self.chain.0 != node.start_byte() {
            let chain = Chain::of(&read, node);
            let root = chain.root(&read, &self.bindings, |name| {
                self.is_context(name) && (facts.in_test() || !self.bindings.contains_key(name))
            });
            self.chain = (node.start_byte(), root);
            if chain.is_check(&read, node, root) {
                facts.assertion(node);
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
            facts.assertion_between(name, node);
        }
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

    fn suite(&mut self, node: Node<'_>, runner: Runner, shape: &Shape<'_>, facts: &mut Builder<'_>) -> bool {
        let read = self.reader(facts);
        let Some(callback) = shape.callback else { return false };
        if read.kind(callback) != Kind::Function && !shape.title_is_text(&read) {
            return false;
        }
        let options = skips::options(&read, facts, shape.options);
        let skip = stronger(runner.skip, options.skip);
        facts.open_suite(node, shape.name(&read), skip, runner.focused || options.focused);
        if runner.cases != Some(1) {
            self.repetitions.open(node, runner.cases);
        }
        self.callbacks.extend(shape.function(&read).map(|function| function.id()));
        true
    }

    fn test(
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
        let skip = stronger(stronger(runner.skip, options.skip), stronger(pending, early));
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
        if let Some(function) = function {
            self.callbacks.push(function.id());
            if runner.cases == Some(1) {
                self.learn_context(function, facts);
            }
        }
        true
    }

    /// What the function of a test or hook calls the test's context.
    fn learn_context(&mut self, function: Node<'_>, facts: &Builder<'_>) {
        let read = self.reader(facts);
        let Some(parameter) = skips::first_parameter(&read, function) else { return };
        match read.kind(parameter) {
            Kind::Identifier if !self.is_context(read.text(parameter)) => {
                self.contexts.push(read.text(parameter).to_owned());
            }
            Kind::ObjectPattern => {
                let names = bindings::required_names(&read, parameter);
                let skippers = names.iter().filter(|name| name.name == Some("skip"));
                let fresh = skippers.filter(|name| !self.skippers.iter().any(|known| known == name.local));
                let fresh: Vec<String> = fresh.map(|name| name.local.to_owned()).collect();
                self.skippers.extend(fresh);
            }
            _ => {}
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

    fn plain_call(&mut self, node: Node<'_>, name: &str, facts: &mut Builder<'_>) {
        let imported = |binding: &Binding| matches!(binding, Binding::Runner(runner) if runner.guessed);
        if names::is_hook(name) {
            self.hook(node, facts);
        } else if !facts.in_test() && self.skippers.is_empty() {
            // Nothing below can stand outside of tests and hooks.
        } else if name == "pending" || self.skippers.iter().any(|known| known == name) {
            self.skip_statement(node, SkipKind::Unconditional, facts);
        } else if name == "fail" {
            facts.assertion(node);
        } else if names::says_skip(name) && self.bindings.get(name).is_some_and(imported) {
            self.skip_statement(node, SkipKind::Conditional, facts);
        }
    }

    fn method_call(&mut self, node: Node<'_>, callee: Node<'_>, facts: &Builder<'_>) {
        let read = self.reader(facts);
        match read.property(callee) {
            Some("forEach" | "map") if !facts.in_test() => {
                let over = callee.child_by_field_id(read.fields().object);
                let rows = over.and_then(|over| self.rows.of(&read, over));
                self.repetitions.open(node, rows);
            }
            Some(name) if names::is_hook(name) => self.hook(node, facts),
            _ => {}
        }
    }

    fn hook(&mut self, node: Node<'_>, facts: &Builder<'_>) {
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

/// Functions and branches.
impl Script {
    fn take_callback(&mut self, node: Node<'_>) -> bool {
        let found = self.callbacks.iter().rposition(|&id| id == node.id());
        found.map(|at| self.callbacks.swap_remove(at)).is_some()
    }

    fn function(&mut self, node: Node<'_>, facts: &mut Builder<'_>) {
        if !self.take_callback(node) {
            facts.open_closure(node);
        }
    }

    fn branch(&mut self, node: Node<'_>, kind: Kind, facts: &mut Builder<'_>) {
        let read = self.reader(facts);
        let fields = read.fields();
        match kind {
            Kind::If => {
                let condition = node.child_by_field_id(fields.condition);
                if condition.and_then(|condition| skips::constant(&read, condition)) == Some(true) {
                    return;
                }
            }
            Kind::Binary => {
                let operator = node.child_by_field_id(fields.operator);
                if !operator.is_some_and(|operator| matches!(read.text(operator), "&&" | "||" | "??")) {
                    return;
                }
            }
            Kind::Loop if !facts.in_test() => self.repetitions.open(node, None),
            Kind::ForIn if !facts.in_test() => {
                let over = node.child_by_field_id(fields.right);
                let rows = over.and_then(|over| self.rows.of(&read, over));
                self.repetitions.open(node, rows);
            }
            _ => {}
        }
        facts.open_branch(node);
    }
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
