//! Reads the statements outside functions once, before the walk: what is defined, replaced, derived, named.

use tree_sitter::Node;

use super::aliases::Aliases;
use super::classes::Class;
use super::conditions::{constant, constant_on_import};
use super::definitions::{Context, Definition, Definitions};
use super::fixtures::Fixtures;
use super::outline::{Outline, Role, Withdrawal};
use super::place::Place;
use super::syntax::{Arguments, Kind, dotted, field, items, kind, last_name};
use crate::collections::HashMap;
use crate::languages::builder::one_line;
use crate::languages::{Source, line_of};

/// Decorators that turn a method or function into something that is not collected.
const NO_TEST_DECORATORS: &[&str] = &["cached_property", "fixture", "property", "setter", "yield_fixture"];

struct Scan<'a> {
    source: Source<'a>,
    definitions: Definitions<'a>,
    aliases: Aliases,
    /// Nodes whose role is known at once.
    roles: Vec<(usize, Role)>,
    withdrawn: HashMap<usize, Withdrawal>,
    fixtures: Fixtures,
}

pub fn outline(root: Node<'_>, source: Source<'_>, place: Place) -> Outline {
    if !place.cases {
        return Outline::default();
    }
    let (definitions, aliases) = (Definitions::default(), Aliases::default());
    let (withdrawn, fixtures) = (HashMap::new(), Fixtures::default());
    let mut scan = Scan { source, definitions, aliases, roles: Vec::new(), withdrawn, fixtures };
    let mut todo = Vec::new();
    push_items(&mut todo, root, Context::default());
    while let Some((node, at)) = todo.pop() {
        scan.statement(node, at, &mut todo);
    }
    let mut roles = scan.definitions.roles(place);
    roles.extend(scan.roles);
    let mut fixtures = scan.fixtures;
    fixtures.settle();
    Outline { roles, aliases: scan.aliases, withdrawn: scan.withdrawn, fixtures }
}

type Todo<'t> = Vec<(Node<'t>, Context)>;

/// In reverse, so that they are taken in the order of the file.
fn push_items<'t>(todo: &mut Todo<'t>, node: Node<'t>, at: Context) {
    todo.extend(items(node).into_iter().rev().map(|item| (item, at)));
}

impl<'a> Scan<'a> {
    fn statement<'t>(&mut self, node: Node<'t>, at: Context, todo: &mut Todo<'t>) {
        match kind(node) {
            Kind::Function | Kind::Class | Kind::Decorated => self.define(node, at, todo),
            Kind::If => self.branches(node, at, todo),
            Kind::Try => arms(node, at, todo),
            Kind::Import | Kind::ImportFrom => self.aliases.import(node, self.source),
            Kind::ExpressionStatement => self.expression(node, at),
            Kind::Delete => self.delete(node, at),
            Kind::Block | Kind::Elif | Kind::Else | Kind::Except | Kind::Finally => {
                push_items(todo, node, at)
            }
            Kind::With | Kind::Loop => push_items(todo, node, at),
            _ if node.is_error() => push_items(todo, node, at),
            _ => {}
        }
    }

    fn branches<'t>(&self, node: Node<'t>, at: Context, todo: &mut Todo<'t>) {
        let truth = field(node, "condition").and_then(|condition| constant_on_import(condition, self.source));
        let blocks = items(node).into_iter().skip(1).enumerate();
        let blocks = blocks.map(|(index, block)| {
            let dead = truth == Some(index != 0);
            (block, Context { arm: at.arm.or(Some((node.id(), index))), dead: at.dead || dead, ..at })
        });
        let blocks: Vec<_> = blocks.collect();
        todo.extend(blocks.into_iter().rev());
    }

    fn define<'t>(&mut self, outer: Node<'t>, at: Context, todo: &mut Todo<'t>) {
        let inner = if kind(outer) == Kind::Decorated { field(outer, "definition") } else { Some(outer) };
        let Some(inner) = inner else { return };
        let Some(name) = field(inner, "name").map(|name| self.source.text_of(name)) else { return };
        let (no_test, autouse) = self.decorators(outer);
        let class = (kind(inner) == Kind::Class).then(|| self.class(inner, name, at));
        if let Some(class) = class
            && let Some(body) = field(inner, "body")
        {
            push_items(todo, body, Context { class: Some(class), arm: None, dead: false });
        }
        if let Some(class) = self.definitions.class_mut(at.class) {
            class.has_init |= matches!(name, "__init__" | "__new__");
        }
        if no_test && class.is_none() {
            self.fixtures.note(name, inner, &self.aliases, self.source);
        }
        let bytes = outer.byte_range().len();
        self.definitions.add(Definition { id: inner.id(), name, at, bytes, class, no_test, autouse });
    }

    fn class(&mut self, node: Node<'_>, name: &'a str, at: Context) -> usize {
        let (mut bases, mut foreign) = (Vec::new(), Vec::new());
        for base in field(node, "superclasses").map(base_names).unwrap_or_default() {
            let Some(path) = dotted(base, self.source) else { continue };
            match self.definitions.find_class(path, at.class) {
                Some(class) => bases.push(class),
                None => foreign.push(self.aliases.resolve(path)),
            }
        }
        let class =
            Class { name, owner: at.class, bases, foreign, has_init: false, flag: None, dead: at.dead };
        self.definitions.add_class(class)
    }

    /// Whether decorators keep a function from being a test, and make it run before each.
    fn decorators(&self, outer: Node<'_>) -> (bool, bool) {
        let (mut no_test, mut autouse) = (false, false);
        if kind(outer) != Kind::Decorated {
            return (no_test, autouse);
        }
        for decorator in items(outer).into_iter().filter(|item| kind(*item) == Kind::Decorator) {
            let Some(mut mark) = items(decorator).first().copied() else { continue };
            if kind(mark) == Kind::Call {
                let arguments = Arguments::of(mark, self.source);
                autouse |= arguments.keyword("autouse").is_some_and(|value| kind(value) == Kind::True);
                let Some(callee) = field(mark, "function") else { continue };
                mark = callee;
            }
            no_test |= last_name(mark, self.source).is_some_and(|name| NO_TEST_DECORATORS.contains(&name));
        }
        (no_test, no_test && autouse)
    }

    fn delete(&mut self, statement: Node<'_>, at: Context) {
        for target in items(statement) {
            let targets = if kind(target) == Kind::Identifier { vec![target] } else { items(target) };
            for name in targets {
                self.forget(statement, at, self.source.text_of(name));
            }
        }
    }

    /// A name that is taken away under a condition is only gone where that holds.
    fn forget(&mut self, statement: Node<'_>, at: Context, name: &str) {
        match (at.arm, self.definitions.node_of(at.class, name)) {
            (Some(_), Some(node)) if !at.dead => {
                let taken =
                    Withdrawal { line: line_of(statement), text: one_line(self.source.text_of(statement)) };
                self.withdrawn.insert(node, taken);
            }
            (None, _) => self.definitions.forget(at.class, name),
            _ => {}
        }
    }

    fn expression(&mut self, statement: Node<'_>, at: Context) {
        let Some(node) = statement.child(0) else { return };
        match kind(node) {
            Kind::AugmentedAssignment | Kind::Call => self.aliases.mutate(node, self.source),
            Kind::Assignment => {
                if let (Some(left), Some(right)) = (field(node, "left"), field(node, "right")) {
                    self.assign(node, left, right, at);
                }
            }
            _ => {}
        }
    }

    fn assign(&mut self, node: Node<'_>, left: Node<'_>, right: Node<'_>, at: Context) {
        let name = self.source.text_of(left);
        let truth = constant(right, self.source);
        if let Some(target) = name.strip_suffix(".__test__") {
            if truth == Some(false) {
                self.definitions.forget(at.class, target);
            }
            return;
        }
        if kind(left) != Kind::Identifier {
            return;
        }
        match (name, self.definitions.class_mut(at.class), truth) {
            ("__test__", Some(class), Some(flag)) => class.flag = Some((flag, node.id())),
            ("__test__", None, Some(false)) => self.roles.push((node.id(), Role::Mute)),
            _ => {}
        }
        if kind(right) == Kind::None {
            self.forget(node, at, name);
        }
        if self.is_machine(name, right, at) {
            self.roles.push((node.id(), Role::Machine));
        }
        self.aliases.assign(name, right, at.arm.is_some(), self.source);
    }

    fn is_machine(&self, name: &str, right: Node<'_>, at: Context) -> bool {
        let machine = dotted(right, self.source).and_then(|path| path.strip_suffix(".TestCase"));
        name.starts_with("Test")
            && at.class.is_none()
            && machine.is_some_and(|machine| self.definitions.find_class(machine, None).is_some())
    }
}

/// The arms of a `try`: its `else` goes with its body, its `finally` always runs.
fn arms<'t>(node: Node<'t>, at: Context, todo: &mut Todo<'t>) {
    let clauses = items(node).into_iter().enumerate().map(|(index, clause)| {
        let arm = match kind(clause) {
            Kind::Except => at.arm.or(Some((node.id(), index))),
            Kind::Finally => at.arm,
            _ => at.arm.or(Some((node.id(), 0))),
        };
        (clause, Context { arm, ..at })
    });
    let clauses: Vec<_> = clauses.collect();
    todo.extend(clauses.into_iter().rev());
}

/// The names among base classes, also inside `Generic[...]` and `with_metaclass(...)`.
fn base_names(list: Node<'_>) -> Vec<Node<'_>> {
    let mut names = Vec::new();
    for base in items(list) {
        match kind(base) {
            Kind::Subscript => names.extend(field(base, "value")),
            Kind::Call => names.extend(field(base, "arguments").map(items).unwrap_or_default()),
            Kind::KeywordArgument => {}
            _ => names.push(base),
        }
    }
    names
}
