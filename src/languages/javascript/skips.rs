//! What keeps a test from running: options, conditions, statements in its body, early returns.

use tree_sitter::Node;

use super::super::Builder;
use super::grammar::{Kind, Reader};
use super::shape::entry_name;
use crate::facts::{Skip, SkipKind};

/// Whether an expression is always true or always false.
pub fn constant(read: &Reader<'_>, node: Node<'_>) -> Option<bool> {
    let mut node = read.unwrap(node);
    let mut negated = false;
    while read.kind(node) == Kind::Unary && read.text(node).starts_with('!') {
        negated = !negated;
        node = read.unwrap(node.child_by_field_id(read.fields().argument)?);
    }
    let value = match read.kind(node) {
        Kind::True => true,
        Kind::False | Kind::Nothing => false,
        Kind::Number => read.text(node) != "0",
        Kind::String => read.text(node).len() > 2,
        _ => return None,
    };
    Some(value != negated)
}

/// What an options object says: `{ skip: true }`, `{ todo: 'reason' }`, `{ only: true }`.
#[derive(Default)]
pub struct Options {
    pub skip: Option<Skip>,
    pub focused: bool,
}

pub fn options(read: &Reader<'_>, facts: &Builder<'_>, object: Option<Node<'_>>) -> Options {
    let mut found = Options::default();
    let entries = object.map(|object| read.children(object)).unwrap_or_default();
    for entry in entries {
        let kind = match entry_name(read, entry) {
            Some("skip" | "todo" | "ignore") => SkipKind::Unconditional,
            Some("fails" | "failing") => SkipKind::ExpectedFailure,
            Some("only") => {
                let value = entry.child_by_field_id(read.fields().value);
                found.focused |= value.and_then(|value| constant(read, value)) == Some(true);
                continue;
            }
            _ => continue,
        };
        let Some(value) = entry.child_by_field_id(read.fields().value) else { continue };
        let kind = match constant(read, value) {
            Some(true) => kind,
            Some(false) => continue,
            None if read.kind(value) == Kind::Template => kind,
            None => SkipKind::Conditional,
        };
        let reason = read.literal(value).map(str::to_owned);
        found.skip = Skip::stronger(found.skip, Some(facts.mark(entry, kind, reason)));
    }
    found
}

/// A call that skips the test it stands in: `this.skip()`, `t.skip('why')`, `test.skip(condition, 'why')`.
pub fn statement(read: &Reader<'_>, facts: &Builder<'_>, call: Node<'_>, kind: SkipKind) -> Option<Skip> {
    let arguments = read.arguments(call);
    let reason = arguments.iter().find_map(|&argument| read.literal(argument)).map(str::to_owned);
    let kind = match arguments.first() {
        None => kind,
        Some(&first) if read.literal(first).is_some() => kind,
        // `ctx.skip(undefined, 'why')` has no condition.
        Some(&first) if read.kind(first) == Kind::Nothing => kind,
        Some(&first) => match constant(read, first) {
            Some(true) => kind,
            Some(false) => return None,
            None => SkipKind::Conditional,
        },
    };
    Some(facts.mark(call, kind, reason))
}

/// A `return` before anything else in a body that goes on after it.
pub fn early_return(read: &Reader<'_>, facts: &Builder<'_>, function: Node<'_>) -> Option<Skip> {
    let body = function.child_by_field_id(read.fields().body)?;
    if read.kind(body) != Kind::Block {
        return None;
    }
    let mut cursor = body.walk();
    let says = |node: &Node<'_>| read.text(*node).starts_with("console.");
    let mut statements = body.named_children(&mut cursor).filter(|&node| is_real(read, node));
    let first = statements.find(|node| !says(node))?;
    let (leave, kind) = match read.kind(first) {
        Kind::Return => (first, SkipKind::Unconditional),
        Kind::If => guarded_return(read, first)?,
        _ => return None,
    };
    statements.next()?;
    returns_nothing(read, function, leave).then(|| facts.mark(first, kind, None))
}

/// `if (condition) return`.
fn guarded_return<'t>(read: &Reader<'_>, node: Node<'t>) -> Option<(Node<'t>, SkipKind)> {
    let fields = read.fields();
    let consequence = node.child_by_field_id(fields.consequence)?;
    let leave = match read.kind(consequence) {
        Kind::Block => {
            let mut statements = read.children(consequence);
            let last = statements.pop()?;
            // A branch that does more than to say why it leaves may well check something.
            statements.iter().all(|&node| read.text(node).starts_with("console.")).then_some(last)?
        }
        _ => consequence,
    };
    let kind = match constant(read, node.child_by_field_id(fields.condition)?) {
        Some(true) => SkipKind::Unconditional,
        Some(false) => return None,
        None => SkipKind::Conditional,
    };
    (read.kind(leave) == Kind::Return).then_some((leave, kind))
}

/// Whether a `return` ends the test without doing anything: no value, a literal, `done()`, `Promise.resolve()`.
fn returns_nothing(read: &Reader<'_>, function: Node<'_>, leave: Node<'_>) -> bool {
    let Some(value) = read.first_child(leave).map(|value| read.unwrap(value)) else { return true };
    match read.kind(value) {
        Kind::Nothing | Kind::True | Kind::False | Kind::Number | Kind::String => true,
        Kind::Call => {
            let Some(callee) = value.child_by_field_id(read.fields().function) else { return false };
            let callee = read.text(callee);
            let ends = first_parameter(read, function).is_some_and(|done| read.text(done) == callee);
            callee == "Promise.resolve" || ends && read.arguments(value).is_empty()
        }
        _ => false,
    }
}

/// Whether a statement does something: no directive, no stray semicolon.
fn is_real(read: &Reader<'_>, node: Node<'_>) -> bool {
    match read.kind(node) {
        Kind::Comment | Kind::EmptyStatement => false,
        Kind::ExpressionStatement => {
            read.first_child(node).is_none_or(|child| read.kind(child) != Kind::String)
        }
        _ => true,
    }
}

/// What a callback calls its first argument.
pub fn first_parameter<'t>(read: &Reader<'_>, function: Node<'t>) -> Option<Node<'t>> {
    let fields = read.fields();
    if let Some(parameter) = function.child_by_field_id(fields.parameter) {
        return Some(parameter);
    }
    let first = read.first_child(function.child_by_field_id(fields.parameters)?)?;
    match read.kind(first) {
        Kind::Parameter => first.child_by_field_id(fields.pattern),
        _ => Some(first),
    }
}
