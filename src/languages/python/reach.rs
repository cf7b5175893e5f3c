//! Code whose checks cannot fail the test: forgotten errors, dead statements, loops over nothing, unused functions.

use tree_sitter::Node;

use super::syntax::{Kind, field, is_string_statement, items, kind, last_name};
use crate::facts::Reach;
use crate::languages::Source;
use crate::languages::mutes::Mutes;

/// What stands behind the statement that leaves a block never runs.
pub fn block(mutes: &mut Mutes, block: Node<'_>) {
    let mut left = false;
    let mut cursor = block.walk();
    for statement in block.named_children(&mut cursor) {
        match kind(statement) {
            Kind::Comment => {}
            _ if left => mutes.insert(statement, Reach::Dead),
            Kind::Return | Kind::Raise | Kind::Break => left = true,
            _ => {}
        }
    }
}

/// Whether a method of a class written inside a test is what the class does to its input, as models have it: what it
/// asserts is the code under test, and no check of the test.
pub fn is_validator(outer: Node<'_>, source: Source<'_>) -> bool {
    let decorators = items(outer).into_iter().filter(|item| kind(*item) == Kind::Decorator);
    let named = |decorator: Node<'_>| {
        let mark = items(decorator).first().copied()?;
        let callee = if kind(mark) == Kind::Call { field(mark, "function")? } else { mark };
        last_name(callee, source)
    };
    decorators.filter_map(named).any(|name| name.contains("validator") || name == "validates")
}

/// The body of a `try` whose handlers forget what they catch.
pub fn attempt(mutes: &mut Mutes, node: Node<'_>, source: Source<'_>) {
    let forgets = |clause: &Node<'_>| {
        kind(*clause) == Kind::Except && catches_checks(*clause, source) && forgets(*clause, source)
    };
    if let Some(body) = field(node, "body").filter(|_| items(node).iter().any(forgets)) {
        mutes.insert(body, Reach::Swallowed);
    }
}

/// `with suppress(Exception):`
pub fn with(mutes: &mut Mutes, node: Node<'_>, source: Source<'_>) {
    let Some(body) = field(node, "body") else { return };
    let head = source.text.get(node.start_byte()..body.start_byte()).unwrap_or_default();
    let head = String::from_utf8_lossy(head);
    if let Some((_, arguments)) = head.split_once("suppress(")
        && words(arguments).any(is_broad)
    {
        mutes.insert(body, Reach::Swallowed);
    }
}

/// Whether a failed check is among the errors that a handler catches.
fn catches_checks(clause: Node<'_>, source: Source<'_>) -> bool {
    let parts = items(clause);
    match parts.as_slice() {
        [caught, _, ..] => words(source.text_of(*caught).split(" as ").next().unwrap_or("")).any(is_broad),
        _ => true,
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

fn is_broad(name: &str) -> bool {
    matches!(name, "Exception" | "BaseException" | "AssertionError")
}

/// Whether a handler does nothing with what it caught, but for writing it down somewhere.
fn forgets(clause: Node<'_>, source: Source<'_>) -> bool {
    let body = items(clause).into_iter().find(|part| kind(*part) == Kind::Block);
    body.is_some_and(|body| items(body).into_iter().all(|statement| is_idle(statement, source)))
}

fn is_idle(statement: Node<'_>, source: Source<'_>) -> bool {
    match kind(statement) {
        Kind::Pass | Kind::Break | Kind::Continue => true,
        Kind::Return => items(statement).iter().all(|value| matches!(kind(*value), Kind::None | Kind::True)),
        Kind::ExpressionStatement => is_string_statement(statement) || is_note(statement, source),
        _ => false,
    }
}

/// `...`, `print(...)`, `logger.info(...)`.
fn is_note(statement: Node<'_>, source: Source<'_>) -> bool {
    let Some(expression) = statement.named_child(0) else { return true };
    let text = source.text.get(expression.start_byte()..).unwrap_or_default();
    let name = field(expression, "function").and_then(|callee| last_name(callee, source));
    let logs = ["log.", "logger.", "logging.", "_logger.", "LOG.", "warnings."];
    text.starts_with(b"...")
        || name == Some("print")
        || logs.iter().any(|log| text.starts_with(log.as_bytes()))
}
