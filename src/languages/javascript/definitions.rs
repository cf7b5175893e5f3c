//! Named things that are no tests: functions, classes, types, constants of the module.

use tree_sitter::Node;

use super::super::Builder;
use super::super::expression::canonical;
use super::grammar::{Kind, Reader};
use crate::facts::DefinitionKind;

/// A function or method with a name of its own; inside a test it is but a part of it.
pub fn function(read: &Reader<'_>, facts: &mut Builder<'_>, node: Node<'_>) {
    if facts.in_test() {
        return facts.open_closure(node);
    }
    let body = node.child_by_field_id(read.fields().body);
    let name = node.child_by_field_id(read.fields().name).map_or("default", |name| read.text(name));
    facts.open_definition(node, name, DefinitionKind::Function, body);
}

pub fn of_type(read: &Reader<'_>, facts: &mut Builder<'_>, node: Node<'_>) {
    if !facts.in_test()
        && let Some(name) = node.child_by_field_id(read.fields().name)
    {
        let body = node.child_by_field_id(read.fields().body);
        facts.open_definition(node, read.text(name), DefinitionKind::Type, body);
    }
}

/// `const x = ...` outside functions.
pub fn variable(read: &Reader<'_>, facts: &mut Builder<'_>, node: Node<'_>) {
    let fields = read.fields();
    let Some(name) = node.child_by_field_id(fields.name) else { return };
    if read.kind(name) != Kind::Identifier || facts.in_function() {
        return;
    }
    let value = node.child_by_field_id(fields.value).map(|value| read.unwrap(value));
    if !named_value(read, facts, node, read.text(name), value) && !facts.in_suite() {
        facts.open_definition(node, read.text(name), DefinitionKind::Constant, value);
        if let Some(value) = value {
            facts.value(&canonical(&facts.opening(value), "//"));
        }
    }
}

/// `exports.x = function () {...}` and `Cart.prototype.total = ...`.
pub fn assignment(read: &Reader<'_>, facts: &mut Builder<'_>, node: Node<'_>) {
    let fields = read.fields();
    let target = node.child_by_field_id(fields.left);
    if let Some(name) = target.and_then(|target| read.property(target))
        && !facts.in_function()
    {
        named_value(read, facts, node, name, node.child_by_field_id(fields.right));
    }
}

/// `export default () => {...}`, which importers give a name.
pub fn default_export(read: &Reader<'_>, facts: &mut Builder<'_>, node: Node<'_>) {
    named_value(read, facts, node, "default", node.child_by_field_id(read.fields().value));
}

/// A function as the value of a property or field: `total: () => {...}`.
pub fn property(read: &Reader<'_>, facts: &mut Builder<'_>, node: Node<'_>) {
    let fields = read.fields();
    let Some(value) = node.child_by_field_id(fields.value) else { return };
    if !matches!(read.kind(value), Kind::Function | Kind::ClassExpression) || facts.in_function() {
        return;
    }
    let name = [fields.key, fields.name, fields.property].iter().find_map(|&id| node.child_by_field_id(id));
    if let Some(name) = name {
        named_value(read, facts, node, read.literal(name).unwrap_or_else(|| read.text(name)), Some(value));
    }
}

/// Opens a definition if the value is a function or a class.
fn named_value(
    read: &Reader<'_>,
    facts: &mut Builder<'_>,
    node: Node<'_>,
    name: &str,
    value: Option<Node<'_>>,
) -> bool {
    let Some(value) = value else { return false };
    let kind = match read.kind(value) {
        Kind::Function => DefinitionKind::Function,
        Kind::ClassExpression => DefinitionKind::Type,
        _ => return false,
    };
    facts.open_definition(node, name, kind, value.child_by_field_id(read.fields().body));
    true
}
