//! Learns what names stand for as the walk meets them: imports, variables, functions.

use tree_sitter::Node;

use super::super::expression::canonical;
use super::super::{Builder, line_of};
use super::bindings::{self, Binding, Imported};
use super::definitions;
use super::grammar::Kind;
use super::names;
use super::pack::Script;
use super::skips;

/// Names that are taken for a test's context wherever they stand.
const CONTEXTS: &[&str] = &["t", "tap", "testInfo"];

impl Script {
    /// Functions are known in the whole file: some give runners, some hide a runner's name.
    pub(super) fn learn_functions(&mut self, program: Node<'_>, facts: &Builder<'_>) {
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
        } else if let Some(runner) = bindings::wrapper(&self.resolver(facts), function) {
            self.bindings.insert(name.to_owned(), Binding::Runner(runner));
        } else if let Some((_, mark)) = names::root(name) {
            // Where a runner has no `xtest`, a function of that name that does nothing skips as well.
            if mark != names::Mark::Skipped {
                self.bindings.insert(name.to_owned(), Binding::Local);
            }
        }
    }

    pub(super) fn import(&mut self, node: Node<'_>, facts: &Builder<'_>) {
        if let Some((module, imports)) = bindings::imports(&self.reader(facts), node) {
            self.bind_imports(node, module, &imports, facts);
        }
    }

    fn bind_imports(&mut self, node: Node<'_>, module: &str, imports: &[Imported<'_>], facts: &Builder<'_>) {
        self.waits_by_itself |= module == "vitest";
        self.is_test_file |=
            names::is_runner_module(module) && !self.reader(facts).text(node).starts_with("import type");
        self.sharing.learn_imports(module, imports);
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

    pub(super) fn declarator(&mut self, node: Node<'_>, facts: &mut Builder<'_>) {
        let read = self.reader(facts);
        let fields = read.fields();
        let name = node.child_by_field_id(fields.name);
        let value = node.child_by_field_id(fields.value);
        if let (Some(name), Some(value)) = (name, value) {
            self.learn_variable(name, value, facts);
            self.unused_variable(name, value, facts);
            self.name_value(name, value, facts);
        }
        definitions::variable(&read, facts, node);
    }

    pub(super) fn assignment(&mut self, node: Node<'_>, facts: &mut Builder<'_>) {
        let read = self.reader(facts);
        let side = |field| node.child_by_field_id(field);
        if let (Some(left), Some(right)) = (side(read.fields().left), side(read.fields().right)) {
            self.name_value(left, right, facts);
        }
        definitions::assignment(&read, facts, node);
    }

    /// A name that a test gives to a value; functions are code of their own.
    fn name_value(&self, name: Node<'_>, value: Node<'_>, facts: &mut Builder<'_>) {
        let read = self.reader(facts);
        if facts.keeps_bindings() && read.kind(name) == Kind::Identifier && read.kind(value) != Kind::Function
        {
            facts.binding(line_of(name), read.text(name), &canonical(&facts.opening(value), "//"));
        }
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

    /// Whether a name stands for what a test function was given.
    pub(super) fn is_context(&self, name: &str, facts: &Builder<'_>) -> bool {
        let is_elsewhere = || !self.bindings.contains_key(name) && names::root(name).is_none();
        self.may_be_context(name) && (facts.in_test() || is_elsewhere())
    }

    fn may_be_context(&self, name: &str) -> bool {
        CONTEXTS.contains(&name) || self.contexts.iter().any(|context| context == name)
    }

    /// What the function of a test or hook calls the test's context.
    pub(super) fn learn_context(&mut self, function: Node<'_>, facts: &Builder<'_>) {
        let read = self.reader(facts);
        let Some(parameter) = skips::first_parameter(&read, function) else { return };
        match read.kind(parameter) {
            Kind::Identifier if !self.may_be_context(read.text(parameter)) => {
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
}
