//! Expressions whose value can be read without running anything.

use tree_sitter::Node;

use super::grammar::{self, Field, Kind, field, kind};
use crate::languages::Source;

/// Nesting that a person would write; deeper conditions count as unknown.
const MAX_DEPTH: u32 = 8;

/// The value of a condition made of literals and of the named `flags`.
pub fn truth(condition: Node<'_>, source: Source<'_>, flags: &[(String, bool)]) -> Option<bool> {
    truth_at(condition, source, flags, MAX_DEPTH)
}

fn truth_at(node: Node<'_>, source: Source<'_>, flags: &[(String, bool)], depth: u32) -> Option<bool> {
    let depth = depth.checked_sub(1)?;
    let value = |node| truth_at(node, source, flags, depth);
    match kind(node) {
        Kind::True => Some(true),
        Kind::False => Some(false),
        Kind::Parenthesized => value(*grammar::children(node).first()?),
        Kind::Unary if operator(node, source) == "!" => value(field(node, Field::Operand)?).map(|is| !is),
        Kind::Binary => {
            let (left, right) = (field(node, Field::Left)?, field(node, Field::Right)?);
            match operator(node, source) {
                "&&" => join(value(left), value(right), false),
                "||" => join(value(left), value(right), true),
                "==" if kind(left) == Kind::Integer && kind(right) == Kind::Integer => {
                    Some(source.text_of(left) == source.text_of(right))
                }
                _ => None,
            }
        }
        _ => match source.text_of(node) {
            "Boolean.TRUE" => Some(true),
            "Boolean.FALSE" => Some(false),
            name => flags.iter().find(|flag| flag.0 == name).map(|flag| flag.1),
        },
    }
}

/// Two operands of which one alone decides if it is `decisive`.
fn join(left: Option<bool>, right: Option<bool>, decisive: bool) -> Option<bool> {
    match (left, right) {
        (Some(one), _) | (_, Some(one)) if one == decisive => Some(decisive),
        (Some(_), Some(_)) => Some(!decisive),
        _ => None,
    }
}

fn operator<'s>(node: Node<'_>, source: Source<'s>) -> &'s str {
    field(node, Field::Operator).map_or("", |operator| source.text_of(operator))
}

/// The text of a string literal, or of literals joined by `+`.
pub fn string(node: Node<'_>, source: Source<'_>) -> Option<String> {
    let mut parts = Vec::new();
    let mut left = node;
    while kind(left) == Kind::Binary {
        parts.push(literal(field(left, Field::Right)?, source)?);
        left = field(left, Field::Left)?;
    }
    parts.push(literal(left, source)?);
    parts.reverse();
    Some(parts.concat())
}

fn literal<'s>(node: Node<'_>, source: Source<'s>) -> Option<&'s str> {
    if kind(node) != Kind::Text {
        return None;
    }
    let text = source.text_of(node);
    let block = text.strip_prefix("\"\"\"").and_then(|text| text.strip_suffix("\"\"\""));
    block.map(str::trim).or_else(|| text.strip_prefix('"')?.strip_suffix('"'))
}

pub fn integer(node: Node<'_>, source: Source<'_>) -> Option<u32> {
    if kind(node) != Kind::Integer {
        return None;
    }
    source.text_of(node).replace('_', "").parse().ok()
}
