//! Reads the statements outside functions once, before the walk: what is defined, replaced, derived, named.

use std::collections::HashMap;

use tree_sitter::Node;

use super::aliases::Aliases;
use super::classes::{Class, Fate, settle};
use super::conditions::{constant, constant_on_import};
use super::names;
use super::outline::{Outline, Role};
use super::place::Place;
use super::syntax::{Arguments, Kind, dotted, field, items, kind, last_name};
use crate::languages::Source;

/// Decorators that turn a method or function into something that is not collected.
const NO_TEST_DECORATORS: &[&str] = &["cached_property", "fixture", "property", "setter", "yield_fixture"];

/// Where a statement stands.
#[derive(Clone, Copy, Default)]
struct Context {
    class: Option<usize>,
    /// The outermost `if` or `try` around it in its scope, and which arm of it.
    arm: Option<(usize, usize)>,
    /// In a branch that never runs.
    dead: bool,
}

struct Definition<'a> {
    id: usize,
    name: &'a str,
    at: Context,
    bytes: usize,
    /// The class, if it is one.
    class: Option<usize>,
    no_test: bool,
    autouse: bool,
}

struct Scan<'a> {
    source: Source<'a>,
    definitions: Vec<Definition<'a>>,
    classes: Vec<Class<'a>>,
    /// The definition that a name has in a scope.
    latest: HashMap<(Option<usize>, &'a str), usize>,
    machines: Vec<usize>,
    mutes: Vec<usize>,
    aliases: Aliases,
}

pub fn outline(root: Node<'_>, source: Source<'_>, place: Place) -> Outline {
    if !place.cases {
        return Outline::default();
    }
    let mut scan = Scan {
        source,
        definitions: Vec::new(),
        classes: Vec::new(),
        latest: HashMap::new(),
        machines: Vec::new(),
        mutes: Vec::new(),
        aliases: Aliases::default(),
    };
    let mut todo = Vec::new();
    push_items(&mut todo, root, Context::default());
    while let Some((node, at)) = todo.pop() {
        scan.statement(node, at, &mut todo);
    }
    scan.finish(place)
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
            Kind::Delete => items(node).into_iter().for_each(|name| self.forget(name, at)),
            Kind::Block | Kind::Elif | Kind::Else | Kind::Except | Kind::Finally => push_items(todo, node, at),
            Kind::With | Kind::Loop | Kind::Match => push_items(todo, node, at),
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
        if let Some(class) = at.class.and_then(|class| self.classes.get_mut(class)) {
            class.has_init |= matches!(name, "__init__" | "__new__");
        }
        let bytes = outer.byte_range().len();
        self.replace(Definition { id: inner.id(), name, at, bytes, class, no_test, autouse });
    }

    /// Later definitions replace earlier ones; of exclusive branches the fuller one stands for both.
    fn replace(&mut self, new: Definition<'a>) {
        let key = (new.at.class, new.name);
        let index = self.definitions.len();
        let old = self.latest.get(&key).and_then(|&old| self.definitions.get(old));
        let yields = old.is_some_and(|old| exclusive(old.at, new.at) && old.bytes >= new.bytes && !old.at.dead);
        self.definitions.push(new);
        if yields || self.definitions.get(index).is_some_and(|new| new.at.dead) {
            self.kill(index);
        } else if let Some(old) = self.latest.insert(key, index) {
            self.kill(old);
        }
    }

    fn kill(&mut self, index: usize) {
        let Some(definition) = self.definitions.get_mut(index) else { return };
        definition.at.dead = true;
        if let Some(class) = definition.class.and_then(|class| self.classes.get_mut(class)) {
            class.dead = true;
        }
    }

    /// `del name`, `name = None`.
    fn forget(&mut self, name: Node<'_>, at: Context) {
        if let Some(&index) = self.latest.get(&(at.class, self.source.text_of(name))) {
            self.kill(index);
        }
    }

    fn class(&mut self, node: Node<'_>, name: &'a str, at: Context) -> usize {
        let (mut bases, mut foreign) = (Vec::new(), Vec::new());
        for base in field(node, "superclasses").map(base_names).unwrap_or_default() {
            let Some(path) = dotted(base, self.source) else { continue };
            match self.find_class(path, at.class) {
                Some(class) => bases.push(class),
                None => foreign.push(self.aliases.resolve(path)),
            }
        }
        let class =
            Class { name, owner: at.class, bases, foreign, has_init: false, flag: None, dead: at.dead };
        self.classes.push(class);
        self.classes.len() - 1
    }

    /// The class of this file that a dotted name means, seen from inside `scope`.
    fn find_class(&self, path: &str, scope: Option<usize>) -> Option<usize> {
        let class_at = |scope, name| {
            let index = *self.latest.get(&(scope, name))?;
            self.definitions.get(index)?.class
        };
        let mut parts = path.split('.');
        let first = parts.next()?;
        let found = class_at(scope, first).or_else(|| class_at(None, first))?;
        parts.try_fold(found, |class, part| class_at(Some(class), part))
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
            if truth == Some(false)
                && let Some(&index) = self.latest.get(&(at.class, target))
            {
                self.kill(index);
            }
            return;
        }
        if kind(left) != Kind::Identifier {
            return;
        }
        match (name, at.class.and_then(|class| self.classes.get_mut(class)), truth) {
            ("__test__", Some(class), Some(flag)) => class.flag = Some((flag, node.id())),
            ("__test__", None, Some(false)) => self.mutes.push(node.id()),
            _ => {}
        }
        if kind(right) == Kind::None {
            self.forget(left, at);
        }
        if self.is_machine(name, right, at) {
            self.machines.push(node.id());
        }
        self.aliases.assign(name, right, at.arm.is_some(), self.source);
    }

    fn is_machine(&self, name: &str, right: Node<'_>, at: Context) -> bool {
        let machine = dotted(right, self.source).and_then(|path| path.strip_suffix(".TestCase"));
        name.starts_with("Test")
            && at.class.is_none()
            && machine.is_some_and(|machine| self.find_class(machine, None).is_some())
    }

    fn finish(mut self, place: Place) -> Outline {
        // Definitions may have been replaced after their class was read.
        for definition in &self.definitions {
            if let Some(class) = definition.class.and_then(|class| self.classes.get_mut(class)) {
                class.dead |= definition.at.dead;
            }
        }
        let fates = settle(&self.classes, place);
        let mut roles: HashMap<usize, Role> = HashMap::new();
        for definition in &self.definitions {
            if let Some(role) = self.role_of(definition, &fates, place) {
                roles.insert(definition.id, role);
            }
        }
        for (class, fate) in self.classes.iter().zip(&fates) {
            if let (Some((false, node)), false) = (class.flag, fate.runs) {
                roles.insert(node, Role::Mute);
            }
        }
        roles.extend(self.mutes.iter().map(|&node| (node, Role::Mute)));
        roles.extend(self.machines.iter().map(|&node| (node, Role::Machine)));
        Outline { roles, aliases: self.aliases }
    }

    fn role_of(&self, definition: &Definition<'a>, fates: &[Fate], place: Place) -> Option<Role> {
        let fate = |class: usize| fates.get(class).copied().unwrap_or_default();
        if let Some(class) = definition.class {
            return fate(class).is_suite().then_some(Role::Suite);
        }
        if definition.at.dead {
            return None;
        }
        let collects = match definition.at.class {
            Some(class) => fate(class).is_suite(),
            None => place.functions,
        };
        if definition.autouse || names::is_setup(definition.name) {
            return (collects || definition.at.class.is_none()).then_some(Role::Setup);
        }
        let is_test = definition.name.starts_with("test") || self.is_lone_run(definition, fates);
        (collects && is_test && !definition.no_test).then_some(Role::Test)
    }

    /// `runTest` is the test of a case that has no other.
    fn is_lone_run(&self, definition: &Definition<'a>, fates: &[Fate]) -> bool {
        let Some(class) = definition.at.class else { return false };
        definition.name == "runTest"
            && fates.get(class).is_some_and(|fate| fate.taken && fate.case)
            && !self.latest.keys().any(|(owner, name)| *owner == Some(class) && name.starts_with("test"))
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

fn exclusive(one: Context, other: Context) -> bool {
    one.arm.zip(other.arm).is_some_and(|(one, other)| one.0 == other.0 && one.1 != other.1)
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
