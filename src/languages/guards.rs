//! Conditions that decide whether a check runs: `if x: assert ...`, `if x: return` above it.
//!
//! Grammars agree on how an `if` is put together, so one reading serves all of them.

use std::ops::Range;

use tree_sitter::Node;

use super::Source;
use crate::languages::fields::Fields;

/// A condition without another way around it.
pub(super) struct Guard {
    pub condition: Range<usize>,
    /// Whether all it does is to leave the function, or the round of a loop.
    pub leaves: Option<Leaves>,
}

/// What a statement leaves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Leaves {
    Function,
    Round,
}

/// What an `if` without an `else`, or `x && y`, asks for.
pub(super) fn guard(node: Node<'_>, source: Source<'_>) -> Option<Guard> {
    if node.kind() == "binary_expression" {
        let left = node.field("left")?;
        return Some(Guard { condition: left.byte_range(), leaves: None });
    }
    if !matches!(node.kind(), "if_statement" | "if_expression") || node.field("alternative").is_some() {
        return None;
    }
    let condition = node.field("condition")?;
    let leaves = node.field("consequence").and_then(|arm| leaves(arm, source));
    Some(Guard { condition: condition.byte_range(), leaves })
}

/// What a statement, or the only one of a block, leaves without giving anything back.
fn leaves(arm: Node<'_>, source: Source<'_>) -> Option<Leaves> {
    let mut statement = arm;
    while matches!(statement.kind(), "block" | "statement_block" | "statement_list" | "expression_statement")
    {
        let mut cursor = statement.walk();
        let mut parts = statement.named_children(&mut cursor).filter(|part| !part.kind().contains("comment"));
        let (Some(only), None) = (parts.next(), parts.next()) else { return None };
        statement = only;
    }
    let returns = matches!(statement.kind(), "return_statement" | "return_expression");
    let nothing = |value: Node<'_>| {
        value.byte_range().len() < 16 && matches!(source.text_of(value), "None" | "Ok(())" | "undefined")
    };
    if returns && statement.named_child(0).is_none_or(nothing) {
        return Some(Leaves::Function);
    }
    let goes_on = matches!(statement.kind(), "continue_statement" | "continue_expression");
    goes_on.then_some(Leaves::Round)
}
