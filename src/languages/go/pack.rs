//! The walk over a Go file.

use std::collections::BTreeMap;
use std::ops::Range;

use tree_sitter::Node;

use super::super::stretches::{Stretches, excerpt};
use super::super::{Builder, Descend, Pack, Source, TestHead, line_of};
use super::conditions::Conditions;
use super::index::{Index, receiver_type};
use super::kinds::{Kind, kind_of};
use super::scope::Scope;
use super::signature::{Role, is_suite_test, role_of};
use super::syntax::{constant, named_children, statement_call, statements};
use super::tags::{note_constraint, system_of};
use crate::facts::{DefinitionKind, Level, Reach, SkipKind};
use crate::languages::fields::Fields;

/// `go test -list` shows neither methods of suites nor, among the tests, fuzz targets and examples.
const UNLISTED: Level = Level::Subtest;

pub fn pack(_: &Source<'_>) -> Box<dyn Pack> {
    Box::new(GoPack::default())
}

#[derive(Default)]
pub(super) struct GoPack {
    pub(super) index: Index,
    pub(super) scope: Scope,
    /// Functions written in place whose statements count as those of the test around them.
    transparent: Vec<usize>,
    /// Bytes that a constant condition keeps from running: where each stretch starts and ends. None is inside another.
    dead: BTreeMap<usize, usize>,
    past_package: bool,
    /// The conditions around the current point.
    pub(super) conditions: Conditions,
    stretches: Stretches,
}

impl Pack for GoPack {
    fn enter(&mut self, node: Node<'_>, facts: &mut Builder<'_>) -> Descend {
        let kind = kind_of(node);
        self.stretches.enter(node, facts);
        match kind {
            Kind::Other => return Descend::Into,
            Kind::Comment => {
                if !self.past_package && self.index.collects {
                    note_constraint(node, facts);
                }
                facts.comment(node);
                return Descend::Over;
            }
            Kind::String => return Descend::Over,
            _ if self.is_dead(node) => {
                self.dead_check(node, kind, facts);
                return Descend::Into;
            }
            Kind::File => {
                self.index = Index::read(node, facts);
                if let Some(system) = system_of(facts.source().path).filter(|_| self.index.collects) {
                    facts.unseen(format!("and Go only builds it for {system}"));
                }
            }
            Kind::Package => self.past_package = true,
            Kind::Function => self.function(node, facts),
            Kind::Method => self.method(node, facts),
            Kind::TypeSpec | Kind::VarSpec | Kind::ConstSpec => define(node, kind, facts),
            _ if !self.index.active => {}
            Kind::FuncLiteral => self.closure(node, facts),
            Kind::If => self.condition(node, facts),
            Kind::Loop => self.repeated(node, facts),
            Kind::Switch => {
                self.conditions.switch(node);
                facts.open_branch(node);
            }
            Kind::Statements => self.stretches.mute(after_the_end(node, facts.source()), Reach::Dead),
            Kind::ShortVar => {
                self.scope.learn_variable(node, facts.source());
                self.conditions.learn(node, facts);
            }
            Kind::Assignment => self.conditions.learn(node, facts),
            Kind::Call => self.call(node, facts),
            _ => {}
        }
        Descend::Into
    }

    /// What is given a test may call helpers of the file, which are checks or not by what stands in them.
    fn is_closed(&self, _: Node<'_>, _: Source<'_>) -> bool {
        self.scope.is_empty()
    }
}

impl GoPack {
    fn function(&mut self, node: Node<'_>, facts: &mut Builder<'_>) {
        let source = facts.source();
        self.scope.reset();
        self.conditions.reset(node.end_byte());
        self.scope.learn_parameters(node, source);
        let Some(name_node) = node.field("name") else { return };
        let name = source.text_of(name_node);
        let body = node.field("body");
        let role = if self.index.collects { role_of(node, name, source) } else { Role::Plain };
        match (role, body) {
            (Role::Test, Some(body)) => self.open_test(node, name_node, body, Level::Definition, facts),
            (Role::Companion, Some(body)) => self.open_test(node, name_node, body, UNLISTED, facts),
            _ => facts.open_definition(node, name, DefinitionKind::Function, body),
        }
        let exit = body.filter(|_| role == Role::Main).and_then(|body| forgets_the_outcome(body, source));
        if let Some(exit) = exit {
            facts.takeover(name, "ends well whatever the tests find", line_of(exit));
        }
        if role == Role::Main && !uses_parameter(node, source) {
            let skip = facts.mark(name_node, SkipKind::Unconditional, None);
            facts.skip_file(skip);
        }
    }

    fn method(&mut self, node: Node<'_>, facts: &mut Builder<'_>) {
        let source = facts.source();
        self.scope.reset();
        self.conditions.reset(node.end_byte());
        self.scope.learn_parameters(node, source);
        let Some(name_node) = node.field("name") else { return };
        let name = source.text_of(name_node);
        let body = node.field("body");
        let owner = receiver_type(node, source).unwrap_or_default();
        let is_suite = self.index.is_suite(owner);
        if is_suite && let Some(receiver) = receiver_name(node, source) {
            self.scope.learn_suite(receiver);
        }
        let given_test = node.field("parameters").is_some_and(|list| named_children(list).count() > 0);
        match body {
            Some(body)
                if self.index.collects && (is_suite || given_test) && is_suite_test(node, name, source) =>
            {
                facts.open_suite(node, owner, self.index.suite_skip(owner), false);
                self.open_test(node, name_node, body, UNLISTED, facts);
            }
            _ => facts.open_definition(node, name, DefinitionKind::Function, body),
        }
    }

    fn open_test(
        &mut self,
        node: Node<'_>,
        name_node: Node<'_>,
        body: Node<'_>,
        level: Level,
        facts: &mut Builder<'_>,
    ) {
        let mut head = TestHead::new(facts.text(name_node), name_node, body);
        head.level = level;
        let rows = self.plan(&mut head, body, facts);
        facts.open_test(node, head);
        report_rows(&rows, facts);
    }

    fn closure(&mut self, node: Node<'_>, facts: &mut Builder<'_>) {
        self.conditions.unclear(node);
        self.scope.learn_parameters(node, facts.source());
        match self.transparent.iter().position(|&id| id == node.id()) {
            Some(at) => drop(self.transparent.swap_remove(at)),
            None => facts.open_closure(node),
        }
    }

    /// Takes the statements of a function in place for those of the test around it.
    pub(super) fn pass_through(&mut self, closure: Option<Node<'_>>) {
        self.transparent.extend(closure.map(|closure| closure.id()));
    }

    fn condition(&mut self, node: Node<'_>, facts: &mut Builder<'_>) {
        let condition = node.field("condition");
        let never = match condition.and_then(|condition| constant(condition, facts.source())) {
            Some(true) => "alternative",
            Some(false) => "consequence",
            None => {
                self.conditions.meet(node);
                return facts.open_branch(node);
            }
        };
        let arm = node.field(never);
        self.dead.extend(arm.map(|arm| (arm.start_byte(), arm.end_byte())));
        self.stretches.mute(arm.map_or(0..0, |arm| arm.byte_range()), Reach::Dead);
    }

    /// Of what never runs only the checks are noted: they stand there and cannot fail.
    fn dead_check(&mut self, node: Node<'_>, kind: Kind, facts: &mut Builder<'_>) {
        match kind {
            Kind::If => self.conditions.meet(node),
            Kind::Call => self.check_only(node, facts),
            _ => {}
        }
    }

    fn repeated(&mut self, node: Node<'_>, facts: &mut Builder<'_>) {
        self.conditions.unclear(node);
        if ranges_over_nothing(node) {
            facts.open_muted(node, Reach::Dead);
        } else if !self.table_loop(node, facts) {
            facts.open_branch(node);
        }
    }

    fn is_dead(&self, node: Node<'_>) -> bool {
        let before = self.dead.range(..=node.start_byte()).next_back();
        before.is_some_and(|(_, end)| node.start_byte() < *end)
    }
}

/// Types, variables and constants of the package.
fn define(node: Node<'_>, kind: Kind, facts: &mut Builder<'_>) {
    if facts.in_function() || facts.in_suite() {
        return;
    }
    if kind == Kind::TypeSpec {
        if let Some(name) = node.field("name") {
            let body = node.field("type");
            facts.open_definition(node, facts.text(name), DefinitionKind::Type, body);
        }
        return;
    }
    let value = node.field("value").and_then(|values| named_children(values).next());
    let function = value.filter(|value| kind_of(*value) == Kind::FuncLiteral);
    let kind = if function.is_some() { DefinitionKind::Function } else { DefinitionKind::Constant };
    let body = function.and_then(|function| function.field("body"));
    let mut values = node.field("value").into_iter().flat_map(named_children);
    let mut cursor = node.walk();
    for name in node.children_by_field_name("name", &mut cursor).filter(|name| name.is_named()) {
        let (text, value) = (facts.text(name), values.next());
        if text != "_" {
            facts.open_definition(node, text, kind, body);
            if let Some(value) = value.filter(|_| kind == DefinitionKind::Constant) {
                facts.value(&excerpt(facts.source(), value.byte_range()));
            }
        }
    }
}

/// The rows of its tables are rows of the test.
pub(super) fn report_rows(rows: &[Range<usize>], facts: &mut Builder<'_>) {
    let source = facts.source();
    rows.iter().for_each(|row| facts.row(&excerpt(source, row.clone())));
}

/// What stands after a statement that always leaves the list.
fn after_the_end(list: Node<'_>, source: Source<'_>) -> Range<usize> {
    let leaves = |statement: &Node<'_>| match kind_of(*statement) {
        Kind::Return => true,
        Kind::ExpressionStatement => statement_call(*statement, source)
            .is_some_and(|call| call.receiver.is_none() && call.name == "panic"),
        _ => false,
    };
    named_children(list).find(leaves).map_or(0..0, |last| last.end_byte()..list.end_byte())
}

/// `for _, row := range []string{} { ... }`.
fn ranges_over_nothing(node: Node<'_>) -> bool {
    let range = named_children(node).find(|child| kind_of(*child) == Kind::RangeClause);
    let over = range.and_then(|range| range.field("right"));
    let body = over.filter(|over| kind_of(*over) == Kind::Composite).and_then(|over| over.field("body"));
    body.is_some_and(|body| named_children(body).next().is_none())
}

fn receiver_name<'s>(method: Node<'_>, source: Source<'s>) -> Option<&'s str> {
    let receiver = named_children(method.field("receiver")?).next()?;
    receiver.field("name").map(|name| source.text_of(name))
}

/// A `TestMain` that never touches its `m` runs no test.
fn uses_parameter(function: Node<'_>, source: Source<'_>) -> bool {
    let parameter = function.field("parameters").and_then(|list| named_children(list).next());
    let name = parameter.and_then(|parameter| parameter.field("name"));
    let (Some(name), Some(body)) = (name, function.field("body")) else { return false };
    let name = source.text_of(name);
    let is_word = |char: char| char.is_alphanumeric() || char == '_';
    source.text_of(body).split(|char| !is_word(char)).any(|word| word == name)
}

/// `os.Exit(0)` as a statement of its own; deeper ones are for a child process or a special case.
fn forgets_the_outcome<'t>(body: Node<'t>, source: Source<'_>) -> Option<Node<'t>> {
    statements(body).find(|statement| {
        statement.byte_range().len() < 32 && source.text_of(*statement).replace(' ', "") == "os.Exit(0)"
    })
}
