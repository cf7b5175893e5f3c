//! Tests that no call defines: functions that a test file exports by their titles (expresso, nodeunit, mocha's `exports`
//! interface), and tap's files that check things one after the other.

use tree_sitter::Node;

use super::super::{Builder, TestHead};
use super::bindings;
use super::grammar::{Kind, Reader};
use super::names;
use super::pack::Script;
use super::shape::entry_name;
use super::skips;

/// What the first parameter of such a test is called.
const GIVEN: &[&str] = &["assert", "beforeExit", "test"];

/// Functions that such an object has beside its tests.
const HOOKS: &[&str] =
    &["setUp", "tearDown", "setup", "teardown", "before", "after", "beforeEach", "afterEach"];

/// Groups of tests are nested at most so deep.
const DEPTH: usize = 8;

impl Script {
    /// Finds the exported tests before the walk meets them; opens the one test that a whole file of tap is.
    pub(super) fn learn_exported(&mut self, program: Node<'_>, facts: &mut Builder<'_>) {
        if !self.is_test_file {
            return;
        }
        let read = self.reader(facts);
        for statement in read.children(program) {
            if read.kind(statement) == Kind::ExpressionStatement
                && let Some(assignment) = read.first_child(statement)
                && read.kind(assignment) == Kind::Assignment
            {
                self.exported_by(assignment, &read);
            }
        }
        self.exported.reverse();
        if is_tap_file(&read, program) {
            let name = facts.source().stem().to_owned();
            facts.open_test(program, TestHead::new(name, program, program));
            self.names.of_test(program.byte_range());
        }
    }

    fn exported_by(&mut self, assignment: Node<'_>, read: &Reader<'_>) {
        let fields = read.fields();
        let (Some(target), Some(mut value)) =
            (assignment.child_by_field_id(fields.left), assignment.child_by_field_id(fields.right))
        else {
            return;
        };
        // `exports = module.exports = {...}`
        while read.kind(value) == Kind::Assignment
            && let Some(inner) = value.child_by_field_id(fields.right)
        {
            value = inner;
        }
        let owner = read.text(target);
        match read.kind(value) {
            Kind::Object if matches!(owner, "module.exports" | "exports") => self.entries(value, read, DEPTH),
            Kind::Object if owner.starts_with("exports") => self.entries(value, read, DEPTH),
            Kind::Function if owner.starts_with("exports") => {
                if let Some(name) = read.property(target)
                    && is_test(read, name, value)
                {
                    self.exported.push(assignment.id());
                }
            }
            _ => {}
        }
    }

    fn entries(&mut self, object: Node<'_>, read: &Reader<'_>, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else { return };
        for entry in read.children(object) {
            let value = entry.child_by_field_id(read.fields().value);
            let function = if read.kind(entry) == Kind::Method { Some(entry) } else { value };
            let (Some(name), Some(function)) = (entry_name(read, entry), function) else { continue };
            match read.kind(function) {
                Kind::Object if read.kind(entry) == Kind::Pair => self.entries(function, read, depth),
                Kind::Function | Kind::Method if is_test(read, name, function) => {
                    self.exported.push(entry.id())
                }
                _ => {}
            }
        }
    }

    /// Opens the test that this node exports, if it does.
    pub(super) fn exported_test(&mut self, node: Node<'_>, facts: &mut Builder<'_>) -> bool {
        if self.exported.last() != Some(&node.id()) {
            return false;
        }
        self.exported.pop();
        let read = self.reader(facts);
        let fields = read.fields();
        let function = match read.kind(node) {
            Kind::Method => Some(node),
            Kind::Assignment => node.child_by_field_id(fields.right),
            _ => node.child_by_field_id(fields.value),
        };
        let target = node.child_by_field_id(fields.left).and_then(|target| read.property(target));
        let (Some(function), Some(name)) = (function, target.or_else(|| entry_name(&read, node))) else {
            return false;
        };
        let body = function.child_by_field_id(fields.body).unwrap_or(function);
        let skip = skips::early_return(&read, facts, function);
        facts.open_test(node, TestHead { skip, ..TestHead::new(name, node, body) });
        self.names.of_test(node.byte_range());
        if function.id() != node.id() {
            self.callbacks.push(function.id());
        }
        self.learn_context(function, facts);
        true
    }
}

/// Whether an exported function is a test, by its title or by what it is given.
fn is_test(read: &Reader<'_>, name: &str, function: Node<'_>) -> bool {
    let given = skips::first_parameter(read, function).map(|parameter| read.text(parameter));
    let titled = name.trim().contains(' ') || names::starts_with_word(name, "test") && given.is_some();
    !HOOKS.contains(&name) && (titled || given.is_some_and(|given| GIVEN.contains(&given)))
}

/// Whether a file checks things through tap without a test of its own around them.
fn is_tap_file(read: &Reader<'_>, program: Node<'_>) -> bool {
    let fields = read.fields();
    let is_tap = |declarator: &Node<'_>| {
        let value = declarator.child_by_field_id(fields.value);
        value.and_then(|value| bindings::required_module(read, value)) == Some("tap")
    };
    let parts = read.children(program).into_iter().flat_map(|statement| read.children(statement));
    let tap = parts.filter(|part| read.kind(*part) == Kind::Declarator).find(is_tap);
    let name = tap.and_then(|tap| tap.child_by_field_id(fields.name));
    let Some(name) = name.filter(|name| read.kind(*name) == Kind::Identifier).map(|name| read.text(name))
    else {
        return false;
    };
    let text = read.text(program);
    let calls = |member: &str| text.contains(&format!("{name}.{member}("));
    let defines =
        ["test", "only", "skip", "todo", "mocha", "beforeEach", "spawn"].iter().any(|member| calls(member));
    let destructures = text.contains(&format!("{name}.test")) || text.contains("test(");
    !defines && !destructures && names::context_checks().any(calls)
}
