//! Places that are set to true or false, and conditions decided by a literal.

use tree_sitter::Node;

use super::walk::{LIST_LIMIT, Reader};
use crate::facts::{DeadCondition, Place, Switch};
use crate::languages::fields::Fields;
use crate::languages::line_of;

/// As much of a name is kept; longer ones are expressions.
const NAME_LIMIT: usize = 80;

pub fn read(reader: &mut Reader<'_, '_>, node: Node<'_>) {
    if reader.signals.switches.len() >= LIST_LIMIT {
        return;
    }
    let Some((name, place)) = named(reader, node) else { return };
    if name.byte_range().len() > 2 * NAME_LIMIT {
        return;
    }
    let mut name = last_segment(reader.source.text_of(name));
    if GENERIC.contains(&name) {
        name = owner(reader).map_or(name, |owner| last_segment(reader.source.text_of(owner)));
    }
    if name.is_empty() || name.len() > NAME_LIMIT {
        return;
    }
    let on = matches!(reader.source.text_of(node), "true" | "True");
    let switch = Switch { name: name.to_owned(), scope: reader.scope(), on, line: line_of(node), place };
    reader.signals.switches.push(switch);
}

/// Names that say nothing without that of what they belong to: `HTTP2 = Setting(bool, default=True)`.
const GENERIC: [&str; 5] = ["default", "default_value", "defaultValue", "value", "initial"];

/// So far up the name of an owner is looked for.
const UP: usize = 6;

/// The name of the declaration, or of the option in a list of arguments, that a value belongs to.
fn owner<'t>(reader: &Reader<'_, 't>) -> Option<Node<'t>> {
    let named = |node: Node<'t>| match node.kind() {
        "assignment" => node.field("left"),
        "variable_declarator" | "const_item" | "static_item" => node.field("name"),
        "field_definition" => node.field("property"),
        "public_field_definition" => node.field("name"),
        "pair" => node.field("key"),
        "argument_list" | "arguments" => first_name(reader, node),
        _ => None,
    };
    let mut above = (0..UP).map_while(|steps| reader.ancestor(steps));
    // The first one is the key whose name says nothing.
    above.by_ref().next();
    above.find_map(named).filter(|name| name.byte_range().len() <= NAME_LIMIT)
}

/// The text that a list of arguments begins with, where it is a name: `"--cache"`.
fn first_name<'t>(reader: &Reader<'_, 't>, list: Node<'t>) -> Option<Node<'t>> {
    list.named_child(0).filter(|first| is_name(reader, *first))
}

/// Whether a node is a text that names something: `"optimization.splitChunks"`, `'--cache'`.
fn is_name(reader: &Reader<'_, '_>, node: Node<'_>) -> bool {
    let is_text = matches!(
        node.kind(),
        "string" | "string_literal" | "interpreted_string_literal" | "raw_string_literal"
    );
    let text =
        if is_text && node.byte_range().len() <= NAME_LIMIT { reader.source.text_of(node) } else { "" };
    let name = text.trim_matches(['"', '\'', '`']);
    name.len() > 2 && name.chars().all(|c| c.is_alphanumeric() || "._-".contains(c))
}

/// The node that names what is set here.
fn named<'t>(reader: &Reader<'_, 't>, node: Node<'t>) -> Option<(Node<'t>, Place)> {
    let parent = reader.parent()?;
    let field = |node: Node<'t>, names: &[&'static str]| names.iter().find_map(|name| node.field(name));
    let is_value = |parent: Node<'t>| field(parent, &["value", "right"]).is_some_and(|value| value == node);
    match parent.kind() {
        "pair" | "keyword_argument" | "field_initializer" | "element_value_pair" if is_value(parent) => {
            Some((field(parent, &["key", "name", "field"])?, Place::Option))
        }
        "default_parameter"
        | "typed_default_parameter"
        | "assignment_pattern"
        | "object_assignment_pattern"
        | "required_parameter"
        | "optional_parameter" => Some((field(parent, &["name", "left", "pattern"])?, Place::Default)),
        "public_field_definition" | "field_definition" | "const_item" | "static_item" => {
            Some((field(parent, &["name", "property"])?, Place::Constant))
        }
        "variable_declarator" | "let_declaration" => {
            Some((field(parent, &["name", "pattern"])?, variable(reader)))
        }
        "assignment" | "assignment_expression" if is_value(parent) => {
            assigned(reader, field(parent, &["left"])?)
        }
        "literal_element" => {
            let element = reader.ancestor(1).filter(|node| node.kind() == "keyed_element")?;
            let key = field(element, &["key"]).filter(|key| *key != parent)?;
            Some((key, Place::Option))
        }
        "expression_list" => listed(reader, parent),
        "jsx_expression" => {
            let attribute = reader.ancestor(1).filter(|node| node.kind() == "jsx_attribute")?;
            Some((attribute.named_child(0)?, Place::Option))
        }
        "arguments" | "argument_list" if parent.named_child_count() == 1 => {
            let call = reader.ancestor(1)?;
            let is_call = matches!(call.kind(), "call" | "call_expression" | "method_invocation");
            let callee = field(call, &["name", "function"]).filter(|_| is_call)?;
            Some((field(callee, &["property", "field", "attribute"]).unwrap_or(callee), Place::Call))
        }
        "arguments" | "argument_list" => {
            let name = node.prev_named_sibling().filter(|name| is_name(reader, *name))?;
            Some((name, Place::Option))
        }
        _ => None,
    }
}

/// `a = true` of Go, where both sides are lists.
fn listed<'t>(reader: &Reader<'_, 't>, list: Node<'t>) -> Option<(Node<'t>, Place)> {
    let statement = reader.ancestor(1).filter(|_| list.named_child_count() == 1)?;
    match statement.kind() {
        "const_spec" | "var_spec" => Some((statement.field("name")?, variable(reader))),
        "short_var_declaration" | "assignment_statement" => {
            let left = statement.field("left").filter(|left| left.named_child_count() == 1)?;
            assigned(reader, left.named_child(0)?)
        }
        _ => None,
    }
}

/// What is assigned to: a member of something is a setting, a plain name inside a function is its state.
fn assigned<'t>(reader: &Reader<'_, 't>, left: Node<'t>) -> Option<(Node<'t>, Place)> {
    let member = matches!(
        left.kind(),
        "attribute" | "member_expression" | "selector_expression" | "field_expression" | "field_access"
    );
    // Members of most objects are their state; those of settings are not.
    let place = if member && (is_of_settings(reader, left) || !reader.in_function()) {
        Place::Option
    } else {
        variable(reader)
    };
    matches!(left.kind(), "identifier" | "subscript" | "subscript_expression")
        .then_some(())
        .or(member.then_some(()))?;
    Some((left, place))
}

/// Words in the names of objects that hold settings.
const SETTINGS: [&str; 7] = ["config", "option", "setting", "opts", "cfg", "policy", "feature"];

fn is_of_settings(reader: &Reader<'_, '_>, left: Node<'_>) -> bool {
    let first = reader.scopes.iter().take(16).any(|scope| matches!(scope.name, "__init__" | "constructor"));
    let text = reader.one_line(left, 160).to_ascii_lowercase();
    let object = text.rsplit_once('.').map_or("", |(object, _)| object);
    first || SETTINGS.iter().any(|word| object.contains(word))
}

fn variable(reader: &Reader<'_, '_>) -> Place {
    if reader.in_function() { Place::Variable } else { Place::Constant }
}

/// `b` of `a.b`, `'b'`, `a["b"]` and `a::b`.
fn last_segment(text: &str) -> &str {
    let text = text.trim().trim_end_matches(']').trim_matches(['"', '\'', '`']);
    text.rsplit(['.', ':', '[', '"', '\'']).find(|part| !part.is_empty()).unwrap_or_default()
}

/// Operators that join a condition of several parts.
const AND: [&str; 2] = ["&&", "and"];

/// `false && shown && ...`, as templates have it.
pub fn joined(reader: &mut Reader<'_, '_>, node: Node<'_>) {
    let left = node.field("left");
    let operator = node.field("operator");
    let is_off = left.is_some_and(|left| is_false(reader, left))
        && operator.is_some_and(|operator| AND.contains(&operator.kind()));
    let line = line_of(node);
    // The condition of an `if` was met before its parts.
    let is_known = reader.signals.dead.last().is_some_and(|last| last.line == line);
    if is_off && !is_known && reader.signals.dead.len() < LIST_LIMIT {
        let (scope, text) = (reader.function(), reader.one_line(node, 60));
        reader.signals.dead.push(DeadCondition { scope, line, text });
    }
}

/// A condition that never holds: `false`, `false && a`, `a and False`.
pub fn condition(reader: &mut Reader<'_, '_>, node: Node<'_>) {
    let Some(condition) = node.field("condition") else { return };
    if reader.signals.dead.len() >= LIST_LIMIT || !never_holds(reader, condition, node) {
        return;
    }
    let (scope, text) = (reader.function(), reader.one_line(condition, 160));
    reader.signals.dead.push(DeadCondition { scope, line: line_of(node), text });
}

fn never_holds(reader: &Reader<'_, '_>, condition: Node<'_>, branch: Node<'_>) -> bool {
    let mut pending = vec![condition];
    // Conditions of more parts are not read by people either.
    for _ in 0..32 {
        let Some(node) = pending.pop() else { return false };
        match node.kind() {
            "parenthesized_expression" => pending.extend(node.named_child(0)),
            "binary_expression" | "boolean_operator" => {
                let operator = node.field("operator");
                if operator.is_some_and(|operator| AND.contains(&operator.kind())) {
                    pending.extend(node.field("left"));
                    pending.extend(node.field("right"));
                }
            }
            _ if is_false(reader, node) || is_set_off(reader, node, branch) => return true,
            _ => {}
        }
    }
    false
}

/// `bypass = True` right above `if not bypass and ...`, and `enabled = False` right above `if enabled ...`.
fn is_set_off(reader: &Reader<'_, '_>, node: Node<'_>, branch: Node<'_>) -> bool {
    const LONGEST: usize = 80;
    let source = reader.source;
    if node.byte_range().len() > LONGEST {
        return false;
    }
    let text = source.text_of(node);
    let denied = text.strip_prefix("not ").or_else(|| text.strip_prefix('!')).map(str::trim);
    let (name, off) = denied.map_or((text, ["false", "False"]), |name| (name, ["true", "True"]));
    let is_name =
        |name: &str| !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let above = branch.prev_named_sibling().filter(|above| above.byte_range().len() <= LONGEST);
    let set = above.and_then(|above| source.text_of(above).trim_end_matches(';').split_once('='));
    is_name(name)
        && set.is_some_and(|(target, value)| {
            let target = target.trim_end_matches(':').trim();
            target.rsplit(' ').next() == Some(name) && off.contains(&value.trim())
        })
}

fn is_false(reader: &Reader<'_, '_>, node: Node<'_>) -> bool {
    // Whole conditions are read once, not once for each of their parts.
    node.byte_range().len() <= 16
        && matches!(reader.source.text_of(node), "false" | "False" | "0" | "Boolean.FALSE")
}
