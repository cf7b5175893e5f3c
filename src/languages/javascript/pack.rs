//! The walk over JavaScript and TypeScript trees.

use tree_sitter::Node;

use super::super::mutes::{Mutes, Names};
use super::super::{Builder, Descend, Pack, Source};
use super::assertions::Root;
use super::bindings::Bindings;
use super::cases::{Repetitions, Rows};
use super::definitions;
use super::grammar::{self, Grammar, Kind, Reader};
use super::paths::is_test_path;
use super::runner::Resolver;
use super::shared::Sharing;
use super::skips;
use crate::facts::Reach;

pub fn pack(source: &Source<'_>) -> Box<dyn Pack> {
    Box::new(Script::new(grammar::javascript(), source))
}

pub fn typescript_pack(source: &Source<'_>) -> Box<dyn Pack> {
    Box::new(Script::new(grammar::typescript(), source))
}

pub fn tsx_pack(source: &Source<'_>) -> Box<dyn Pack> {
    Box::new(Script::new(grammar::tsx(), source))
}

pub struct Script {
    pub(super) grammar: &'static Grammar,
    /// Whether the runner collects tests from the file; an import can still make it so.
    pub(super) is_test_file: bool,
    pub(super) bindings: Bindings,
    pub(super) rows: Rows,
    pub(super) repetitions: Repetitions,
    /// First parameters of the test functions met so far.
    pub(super) contexts: Vec<String>,
    /// Functions taken out of a test's context that skip it: `({ skip }) => skip()`.
    pub(super) skippers: Vec<String>,
    /// Callbacks of tests, suites and hooks that the walk has yet to reach; these are no closures.
    pub(super) callbacks: Vec<usize>,
    /// Where the chain at hand starts, which all its links share, and what it starts from.
    pub(super) chain: (usize, Root),
    pub(super) sharing: Sharing,
    pub(super) mutes: Mutes,
    pub(super) names: Names,
    /// Whether the runner waits for checks of promises that the test drops.
    pub(super) waits_by_itself: bool,
    /// Bytes that were searched for words so far.
    pub(super) searched: usize,
    /// Nodes that export a test and that the walk has yet to reach, the next one last.
    pub(super) exported: Vec<usize>,
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
            sharing: Sharing::default(),
            mutes: Mutes::default(),
            names: Names::default(),
            waits_by_itself: false,
            searched: 0,
            exported: Vec::new(),
        }
    }

    pub(super) fn reader<'s>(&self, facts: &Builder<'s>) -> Reader<'s> {
        Reader { grammar: self.grammar, source: facts.source() }
    }

    pub(super) fn resolver<'r, 's>(&'r self, facts: &'r Builder<'s>) -> Resolver<'r, 's, 's> {
        Resolver { read: self.reader(facts), bindings: &self.bindings, rows: &self.rows, facts }
    }
}

impl Pack for Script {
    fn enter(&mut self, node: Node<'_>, facts: &mut Builder<'_>) -> Descend {
        let kind = self.grammar.kind(node);
        let read = self.reader(facts);
        if let Some(why) = self.mutes.take(node) {
            facts.open_muted(node, why);
        }
        match kind {
            Kind::Other => {}
            Kind::Comment => {
                facts.comment(node);
                return Descend::Over;
            }
            Kind::String | Kind::Regex => return Descend::Over,
            Kind::Program => {
                self.learn_functions(node, facts);
                self.learn_exports(node, facts);
                self.learn_exported(node, facts);
            }
            Kind::Pair | Kind::Method | Kind::Assignment if self.exported_test(node, facts) => {}
            Kind::Identifier => self.mention(node, facts),
            Kind::Import => self.import(node, facts),
            Kind::Call | Kind::Member => self.chain(node, kind, facts),
            Kind::Declarator => self.declarator(node, facts),
            Kind::Function => self.function(node, facts),
            Kind::FunctionDeclaration => self.function_declaration(node, facts),
            Kind::Block => self.block(node, facts),
            Kind::Try => self.attempt(node, facts),
            Kind::ExpressionStatement => self.statement(node, facts),
            Kind::Method if !self.take_callback(node) => definitions::function(&read, facts, node),
            Kind::ClassDeclaration => definitions::of_type(&read, facts, node),
            Kind::TypeDeclaration => self.type_declaration(node, facts),
            Kind::Assignment => self.assignment(node, facts),
            Kind::Export => definitions::default_export(&read, facts, node),
            Kind::Pair | Kind::Field => definitions::property(&read, facts, node),
            Kind::If | Kind::Loop | Kind::ForIn | Kind::Branch | Kind::Ternary | Kind::Binary => {
                self.branch(node, kind, facts);
            }
            _ => {}
        }
        Descend::Into
    }
}

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

    fn function_declaration(&mut self, node: Node<'_>, facts: &mut Builder<'_>) {
        let read = self.reader(facts);
        let name = node.child_by_field_id(read.fields().name);
        let never_called = self.is_never_called(name, facts);
        definitions::function(&read, facts, node);
        if never_called {
            facts.open_muted(node, Reach::NeverCalled);
        }
    }

    /// Inside a test, `type _ = Expect<Equal<A, B>>` is a check that the compiler makes.
    fn type_declaration(&mut self, node: Node<'_>, facts: &mut Builder<'_>) {
        let read = self.reader(facts);
        let value = node.child_by_field_id(read.fields().value);
        if value.is_some_and(|value| read.text(value).starts_with("Expect<")) {
            facts.assertion(node);
        }
        definitions::of_type(&read, facts, node);
    }

    fn branch(&mut self, node: Node<'_>, kind: Kind, facts: &mut Builder<'_>) {
        let read = self.reader(facts);
        let fields = read.fields();
        match kind {
            Kind::If => {
                let condition = node.child_by_field_id(fields.condition);
                if let Some(truth) = condition.and_then(|condition| skips::constant(&read, condition)) {
                    return self.dead_arm(node, truth, facts);
                }
                // Tests in the source file: vitest runs them, and nobody else sees them.
                if condition.is_some_and(|condition| read.text(condition).starts_with("(import.meta.vitest"))
                {
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
            Kind::ForIn => {
                let over = node.child_by_field_id(fields.right);
                let rows = over.and_then(|over| self.rows.of(&read, over));
                if !facts.in_test() {
                    self.repetitions.open(node, rows);
                } else if self.surely_runs(node, over, rows, facts) {
                    return;
                }
            }
            _ => {}
        }
        facts.open_branch(node);
    }
}
