//! Conditions that can be judged without running anything.

use tree_sitter::Node;

use super::syntax::{Kind, bare, dotted, field, items, kind, string_value};
use crate::languages::Source;

/// Deeper conditions are not judged.
const MAX_DEPTH: usize = 16;

/// The truth of an expression, where it is constant.
pub fn constant(node: Node<'_>, source: Source<'_>) -> Option<bool> {
    judge(node, source, MAX_DEPTH)
}

/// As [`constant`], for a condition that may be a string which pytest evaluates.
pub fn constant_or_quoted(node: Node<'_>, source: Source<'_>) -> Option<bool> {
    match string_value(node, source).as_deref().map(str::trim) {
        Some("True" | "1") => Some(true),
        Some("False" | "0") => Some(false),
        Some(_) => None,
        None => constant(node, source),
    }
}

/// As [`constant`], for a branch around definitions while a runner imports the file.
pub fn constant_on_import(node: Node<'_>, source: Source<'_>) -> Option<bool> {
    let is_main = kind(node) == Kind::Comparison
        && items(node).first().is_some_and(|left| source.text_of(*left) == "__name__")
        && source.text_of(node).contains("==");
    if is_main { Some(false) } else { constant(node, source) }
}

fn judge(node: Node<'_>, source: Source<'_>, depth: usize) -> Option<bool> {
    let depth = depth.checked_sub(1)?;
    let node = bare(node);
    match kind(node) {
        Kind::Identifier | Kind::Attribute => {
            let path = dotted(node, source)?;
            (path.rsplit('.').next() == Some("TYPE_CHECKING")).then_some(false)
        }
        Kind::True => Some(true),
        Kind::False | Kind::None => Some(false),
        Kind::Integer => source.text_of(node).parse::<u64>().ok().map(|number| number != 0),
        Kind::Not => judge(field(node, "argument")?, source, depth).map(|truth| !truth),
        Kind::BooleanOperator => {
            let left = judge(field(node, "left")?, source, depth);
            let right = judge(field(node, "right")?, source, depth);
            // The operand that settles the matter whatever the other is.
            let settles = source.text_of(field(node, "operator")?) == "or";
            match (left, right) {
                _ if left == Some(settles) || right == Some(settles) => Some(settles),
                (Some(_), Some(_)) => Some(!settles),
                _ => None,
            }
        }
        Kind::Comparison => {
            let operands = items(node);
            let [left, right] = operands.as_slice() else { return None };
            let literal = |side: Node<'_>| matches!(kind(side), Kind::Integer | Kind::String);
            if !literal(*left) || !literal(*right) {
                return None;
            }
            let same = source.text_of(*left) == source.text_of(*right);
            match source.text_of(field(node, "operators")?) {
                "==" => Some(same),
                "!=" => Some(!same),
                _ => None,
            }
        }
        _ => None,
    }
}
