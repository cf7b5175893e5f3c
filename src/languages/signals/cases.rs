//! Hard-coded answers: an input compared with a literal, and a literal given back.

use tree_sitter::Node;

use super::walk::{LIST_LIMIT, Reader};
use crate::facts::SpecialCase;
use crate::languages::fields::Fields;
use crate::languages::line_of;

/// Literals longer than this are templates, not cases.
const LITERAL_LIMIT: usize = 120;

pub fn read(reader: &mut Reader<'_, '_>, node: Node<'_>) {
    if reader.signals.cases.len() >= LIST_LIMIT {
        return;
    }
    let field = |name| node.field(name);
    let (Some(condition), Some(branch)) = (field("condition"), field("consequence")) else { return };
    let Some(input) = compared_literal(condition) else { return };
    let Some(result) = returned_literal(branch, node.kind() == "ternary_expression") else { return };
    let (input, result) = (reader.source.text_of(input).to_owned(), reader.source.text_of(result).to_owned());
    if input.len() <= LITERAL_LIMIT && result.len() <= LITERAL_LIMIT {
        let (scope, line) = (reader.function(), line_of(node));
        reader.signals.cases.push(SpecialCase { scope, line, input, result });
    }
}

/// The literal of `input == literal` and `"literal".equals(input)`.
fn compared_literal(condition: Node<'_>) -> Option<Node<'_>> {
    let condition = inside(condition);
    match condition.kind() {
        "binary_expression" => {
            let operator = condition.field("operator")?.kind();
            let (left, right) = (condition.field("left")?, condition.field("right")?);
            matches!(operator, "==" | "===").then_some(())?;
            one_literal(left, right)
        }
        "comparison_operator" => {
            let operator = condition.field("operators")?.kind();
            let (left, right) = (condition.named_child(0)?, condition.named_child(1)?);
            (matches!(operator, "==" | "is") && condition.named_child_count() == 2).then_some(())?;
            one_literal(left, right)
        }
        "method_invocation" => {
            let object = condition.field("object")?;
            let arguments = condition.field("arguments")?;
            (arguments.named_child_count() == 1).then_some(())?;
            one_literal(object, arguments.named_child(0)?)
        }
        _ => None,
    }
}

fn inside(mut node: Node<'_>) -> Node<'_> {
    for _ in 0..4 {
        let inner = node.named_child(0).filter(|_| node.kind() == "parenthesized_expression");
        let Some(inner) = inner else { return node };
        node = inner;
    }
    node
}

fn one_literal<'t>(left: Node<'t>, right: Node<'t>) -> Option<Node<'t>> {
    match (is_literal(left), is_literal(right)) {
        (true, false) => Some(left),
        (false, true) => Some(right),
        _ => None,
    }
}

/// The literal that a branch gives back, where it does nothing else.
fn returned_literal(branch: Node<'_>, is_value: bool) -> Option<Node<'_>> {
    if is_value {
        return Some(branch).filter(|branch| is_literal(*branch));
    }
    let mut node = branch;
    for _ in 0..6 {
        if is_literal(node) {
            return Some(node);
        }
        let mut children = (0..node.named_child_count() as u32).filter_map(|at| node.named_child(at));
        let is_code = |child: &Node<'_>| !child.kind().ends_with("comment");
        let first = children.find(is_code)?;
        if children.any(|child| is_code(&child)) {
            return None;
        }
        let passes = matches!(
            node.kind(),
            "block"
                | "statement_block"
                | "statement_list"
                | "return_statement"
                | "expression_list"
                | "expression_statement"
                | "return_expression"
                | "parenthesized_expression"
        );
        node = Some(first).filter(|_| passes)?;
    }
    None
}

fn is_literal(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "string"
            | "string_literal"
            | "interpreted_string_literal"
            | "raw_string_literal"
            | "char_literal"
            | "character_literal"
            | "rune_literal"
            | "number"
            | "integer"
            | "float"
            | "integer_literal"
            | "float_literal"
            | "int_literal"
            | "decimal_integer_literal"
            | "decimal_floating_point_literal"
            | "true"
            | "false"
            | "boolean_literal"
            | "unary_operator"
            | "negative_literal"
    ) && node.byte_range().len() < LITERAL_LIMIT
}
