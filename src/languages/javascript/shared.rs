//! Functions that define tests for other files: which ones a file exports, and where it calls others.

use tree_sitter::Node;

use super::super::Builder;
use super::bindings::Imported;
use super::grammar::{Kind, Reader};
use super::names::Role;
use super::pack::Script;
use super::shape::entry_name;
use crate::collections::{HashMap, HashSet};

/// What a file exports without a name of its own.
const DEFAULT: &str = "default";

#[derive(Default)]
pub struct Sharing {
    /// Functions of the module, in a file that exports something.
    functions: HashSet<String>,
    /// Names imported from files of the repository: the module, and the name there.
    imports: HashMap<String, (String, Option<String>)>,
    /// Where the last hook ends; what it calls defines no tests.
    hook_end: usize,
}

impl Sharing {
    /// Only relative paths lead to a file for sure.
    pub fn learn_imports(&mut self, module: &str, imports: &[Imported<'_>]) {
        if module.starts_with("./") || module.starts_with("../") || matches!(module, "." | "..") {
            for import in imports {
                let there = (module.to_owned(), import.name.map(str::to_owned));
                self.imports.insert(import.local.to_owned(), there);
            }
        }
    }

    pub fn pass_over(&mut self, hook: Node<'_>) {
        self.hook_end = self.hook_end.max(hook.end_byte());
    }
}

impl Script {
    pub(super) fn learn_exports(&mut self, program: Node<'_>, facts: &mut Builder<'_>) {
        let read = self.reader(facts);
        let mut functions = HashSet::new();
        let mut exports = Vec::new();
        for statement in read.children(program) {
            let mut declaration = statement;
            match read.kind(statement) {
                Kind::Export => {
                    exports.extend(exported(&read, statement));
                    declaration = statement.child_by_field_id(read.fields().declaration).unwrap_or(statement);
                }
                Kind::ExpressionStatement => exports.extend(assigned(&read, statement)),
                _ => {}
            }
            functions.extend(function_names(&read, declaration).into_iter().map(str::to_owned));
        }
        if !exports.is_empty() {
            self.sharing.functions = functions;
        }
        for (local, name) in exports {
            facts.export(local, name);
        }
    }

    /// A name outside of tests that stands for a function which may define some.
    pub(super) fn mention(&mut self, node: Node<'_>, facts: &mut Builder<'_>) {
        let sharing = &self.sharing;
        let read = self.reader(facts);
        let name = read.text(node);
        let is_import = sharing.imports.contains_key(name);
        let is_own = !is_import && sharing.functions.contains(name);
        if !(is_import || is_own)
            || !self.is_test_file
            || facts.in_test()
            || node.start_byte() < sharing.hook_end
        {
            return;
        }
        if is_own {
            if !names_or_exports(&read, node) {
                facts.shared_use(node, None, name);
            }
        } else if let Some((module, there)) = sharing.imports.get(name)
            && let Some(used) = self.imported_use(node, there.as_deref(), facts)
        {
            let (node, function) = used;
            facts.shared_use(node, Some(module), function);
        }
    }

    /// The call that a name stands in, and what is called: `run()`, `shared.run()`, `describe('x', run)`.
    fn imported_use<'t, 'n>(
        &self,
        name: Node<'t>,
        there: Option<&'n str>,
        facts: &Builder<'n>,
    ) -> Option<(Node<'t>, &'n str)> {
        let read = self.reader(facts);
        let fields = read.fields();
        let mut callee = name;
        let mut function = there.unwrap_or(DEFAULT);
        let mut parent = callee.parent()?;
        if read.kind(parent) == Kind::Member && there.is_none() {
            callee = (parent.child_by_field_id(fields.object)? == name).then_some(parent)?;
            function = read.property(callee)?;
            parent = callee.parent()?;
        }
        if read.kind(parent) == Kind::Call && parent.child_by_field_id(fields.function) == Some(callee) {
            if is_statement(&read, parent) {
                return Some((parent, function));
            }
            callee = parent;
            parent = parent.parent()?;
        }
        let suite = parent.parent().filter(|&call| read.kind(call) == Kind::Call)?;
        let is_argument = suite.child_by_field_id(fields.arguments) == Some(parent);
        let runner = self.resolver(facts).resolve(suite.child_by_field_id(fields.function)?)?;
        (is_argument && runner.role == Role::Suite && read.first_child(parent) != Some(callee))
            .then_some((suite, function))
    }
}

/// Whether a call stands by itself, its value unused or handed on.
fn is_statement(read: &Reader<'_>, call: Node<'_>) -> bool {
    let mut node = call;
    while let Some(parent) = node.parent() {
        match read.kind(parent) {
            Kind::Await | Kind::Unary => node = parent,
            Kind::ExpressionStatement | Kind::Return => return true,
            Kind::Function => return parent.child_by_field_id(read.fields().body) == Some(node),
            _ => return false,
        }
    }
    false
}

/// Whether a name stands where its function is defined or exported.
fn names_or_exports(read: &Reader<'_>, node: Node<'_>) -> bool {
    let mut inner = node;
    while let Some(parent) = inner.parent() {
        match read.kind(parent) {
            Kind::FunctionDeclaration | Kind::Declarator => {
                return parent.child_by_field_id(read.fields().name) == Some(inner);
            }
            Kind::Export | Kind::ExportSpecifier => return true,
            Kind::Pair | Kind::Object => inner = parent,
            Kind::Assignment => {
                let target = parent.child_by_field_id(read.fields().left);
                return target.is_some_and(|target| export_target(read, target).is_some());
            }
            _ => return false,
        }
    }
    false
}

/// Functions that a statement of the module defines.
fn function_names<'s>(read: &Reader<'s>, statement: Node<'_>) -> Vec<&'s str> {
    let name = |node: Node<'_>| node.child_by_field_id(read.fields().name).map(|name| read.text(name));
    let is_function = |node: &Node<'_>| {
        let value = node.child_by_field_id(read.fields().value);
        value.is_some_and(|value| read.kind(read.unwrap(value)) == Kind::Function)
    };
    match read.kind(statement) {
        Kind::FunctionDeclaration => name(statement).into_iter().collect(),
        Kind::Variables => {
            read.children(statement).into_iter().filter(is_function).filter_map(name).collect()
        }
        _ => Vec::new(),
    }
}

/// What an `export` statement exports: the name here and the one for others.
fn exported<'s>(read: &Reader<'s>, export: Node<'_>) -> Vec<(&'s str, &'s str)> {
    let fields = read.fields();
    if export.child_by_field_id(fields.source).is_some() {
        return Vec::new();
    }
    if let Some(declaration) = export.child_by_field_id(fields.declaration) {
        let is_default = export.child(1).is_some_and(|word| word.kind() == DEFAULT);
        let names = function_names(read, declaration).into_iter();
        return names.map(|name| (name, if is_default { DEFAULT } else { name })).collect();
    }
    if let Some(value) = export.child_by_field_id(fields.value) {
        return local_name(read, value, DEFAULT).map(|local| (local, DEFAULT)).into_iter().collect();
    }
    let clauses = read.children(export).into_iter().filter(|&node| read.kind(node) == Kind::ExportClause);
    let specifiers = clauses.flat_map(|clause| read.children(clause));
    let names = |node: Node<'_>| {
        let local = read.text(node.child_by_field_id(fields.name)?);
        Some((local, node.child_by_field_id(fields.alias).map_or(local, |alias| read.text(alias))))
    };
    specifiers.filter_map(names).collect()
}

/// What `module.exports = ...` and `exports.x = ...` export.
fn assigned<'s>(read: &Reader<'s>, statement: Node<'_>) -> Vec<(&'s str, &'s str)> {
    let fields = read.fields();
    let mut node = read.first_child(statement);
    while let Some(assignment) = node.filter(|&node| read.kind(node) == Kind::Assignment) {
        let target = assignment.child_by_field_id(fields.left);
        let value = assignment.child_by_field_id(fields.right);
        let (Some(target), Some(value)) = (target, value) else { break };
        match export_target(read, target) {
            Some(DEFAULT) if read.kind(value) == Kind::Object => {
                return read
                    .children(value)
                    .into_iter()
                    .filter_map(|entry| entry_names(read, entry))
                    .collect();
            }
            Some(name) => {
                // An exported function without a name is defined under that of the property it is assigned to.
                let unnamed = if name == DEFAULT { "exports" } else { name };
                return local_name(read, value, unnamed).map(|local| (local, name)).into_iter().collect();
            }
            None => node = Some(value),
        }
    }
    Vec::new()
}

/// The name that assigning to `module.exports` or `exports.name` exports.
fn export_target<'s>(read: &Reader<'s>, target: Node<'_>) -> Option<&'s str> {
    let text = read.text(target);
    if text == "module.exports" {
        return Some(DEFAULT);
    }
    let name = text.strip_prefix("module.").unwrap_or(text).strip_prefix("exports.")?;
    (!name.contains('.')).then_some(name)
}

/// An entry of an exported object: `run`, `run: other`, `run: () => {...}`, `run() {...}`.
fn entry_names<'s>(read: &Reader<'s>, entry: Node<'_>) -> Option<(&'s str, &'s str)> {
    if read.kind(entry) == Kind::Shorthand {
        return Some((read.text(entry), read.text(entry)));
    }
    let name = entry_name(read, entry)?;
    match read.kind(entry) {
        Kind::Method => Some((name, name)),
        _ => Some((local_name(read, entry.child_by_field_id(read.fields().value)?, name)?, name)),
    }
}

/// What this file calls an exported value; functions without a name go by `unnamed`.
fn local_name<'s>(read: &Reader<'s>, value: Node<'_>, unnamed: &'s str) -> Option<&'s str> {
    let value = read.unwrap(value);
    match read.kind(value) {
        Kind::Identifier => Some(read.text(value)),
        Kind::Function => Some(unnamed),
        _ => None,
    }
}
