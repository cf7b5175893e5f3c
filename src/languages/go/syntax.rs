//! Small readings of the tree: calls, statements, literals, conditions.

use tree_sitter::Node;

use super::super::Source;
use super::kinds::{Kind, kind_of};
use crate::languages::fields::Fields;

/// A call of a plain or selected function.
pub(super) struct Call<'t, 's> {
    pub node: Node<'t>,
    /// What stands before the dot.
    pub receiver: Option<Node<'t>>,
    pub name: &'s str,
    arguments: Option<Node<'t>>,
}

impl<'t, 's> Call<'t, 's> {
    pub fn read(node: Node<'t>, source: Source<'s>) -> Option<Self> {
        if kind_of(node) != Kind::Call {
            return None;
        }
        let function = node.field("function")?;
        let (receiver, name) = match kind_of(function) {
            Kind::Identifier => (None, function),
            Kind::Selector => (function.field("operand"), function.field("field")?),
            _ => return None,
        };
        let arguments = node.field("arguments");
        Some(Self { node, receiver, name: source.text_of(name), arguments })
    }

    pub fn argument(&self, at: usize) -> Option<Node<'t>> {
        self.arguments().nth(at)
    }

    pub fn arguments(&self) -> impl Iterator<Item = Node<'t>> + use<'t> {
        self.arguments.into_iter().flat_map(named_children)
    }

    /// The identifier before the dot, if it is nothing longer.
    pub fn receiver_name(&self, source: Source<'s>) -> Option<&'s str> {
        self.receiver.filter(|node| kind_of(*node) == Kind::Identifier).map(|node| source.text_of(node))
    }

    /// The function written in place among the arguments, the last one if there are several.
    pub fn closure(&self) -> Option<Node<'t>> {
        self.arguments().filter(|node| kind_of(*node) == Kind::FuncLiteral).last()
    }

    /// The first text among the arguments.
    pub fn text_argument(&self, source: Source<'s>) -> Option<String> {
        self.arguments().find_map(|node| text_literal(node, source)).map(str::to_owned)
    }
}

/// The named children but for comments.
pub(super) fn named_children<'t>(node: Node<'t>) -> impl Iterator<Item = Node<'t>> + use<'t> {
    let mut cursor = node.walk();
    let mut more = cursor.goto_first_child();
    std::iter::from_fn(move || {
        while more {
            let child = cursor.node();
            more = cursor.goto_next_sibling();
            if child.is_named() && kind_of(child) != Kind::Comment {
                return Some(child);
            }
        }
        None
    })
}

/// The statements of a block.
pub(super) fn statements<'t>(block: Node<'t>) -> impl Iterator<Item = Node<'t>> + use<'t> {
    let list = named_children(block).find(|child| kind_of(*child) == Kind::Statements);
    list.into_iter().flat_map(named_children)
}

/// The call that a statement consists of.
pub(super) fn statement_call<'t, 's>(statement: Node<'t>, source: Source<'s>) -> Option<Call<'t, 's>> {
    if kind_of(statement) != Kind::ExpressionStatement {
        return None;
    }
    named_children(statement).next().and_then(|node| Call::read(node, source))
}

/// What a string literal says, without its quotes.
pub(super) fn text_literal<'s>(node: Node<'_>, source: Source<'s>) -> Option<&'s str> {
    if kind_of(node) != Kind::String {
        return None;
    }
    let text = source.text_of(node);
    text.get(1..text.len().saturating_sub(1))
}

/// The value of a condition that is the same on each run.
pub(super) fn constant(node: Node<'_>, source: Source<'_>) -> Option<bool> {
    constant_within(node, source, 8)
}

fn constant_within(node: Node<'_>, source: Source<'_>, depth: u32) -> Option<bool> {
    let depth = depth.checked_sub(1)?;
    match kind_of(node) {
        Kind::True => Some(true),
        Kind::False => Some(false),
        Kind::Parenthesized => constant_within(named_children(node).next()?, source, depth),
        Kind::Unary => {
            let negated = source.text_of(node).starts_with('!');
            let value = constant_within(node.field("operand")?, source, depth)?;
            negated.then_some(!value)
        }
        Kind::Binary => {
            let operator = source.text_of(node.field("operator")?);
            let left = constant_within(node.field("left")?, source, depth);
            let right = constant_within(node.field("right")?, source, depth);
            let decides = match operator {
                "||" => true,
                "&&" => false,
                _ => return None,
            };
            match (left, right) {
                (Some(value), _) | (_, Some(value)) if value == decides => Some(decides),
                (Some(_), Some(_)) => Some(!decides),
                _ => None,
            }
        }
        _ => None,
    }
}
