//! Functions and other named items of the tree: tests where their attributes say so, else definitions.

use tree_sitter::Node;

use super::attributes::{Meta, pieces};
use super::items::tokens;
use super::kinds::{Kind, kind};
use super::marks::Marks;
use crate::facts::{DefinitionKind, Skip, SkipKind, Span};
use crate::languages::fields::Fields;
use crate::languages::stretches::excerpt;
use crate::languages::{Builder, TestHead, line_of, span_of};

pub fn function(node: Node<'_>, mut marks: Marks, facts: &mut Builder<'_>) {
    let Some(name) = node.field("name") else { return };
    let body = node.field("body");
    // The runner cannot reach a test inside another function.
    let Some(body) = body.filter(|_| marks.is_test() && !facts.in_function()) else {
        return facts.open_definition(node, facts.text(name), DefinitionKind::Function, body);
    };
    parameter_values(node, &mut marks, facts);
    let span = Span { start: marks.line.unwrap_or_else(|| line_of(node)), end: span_of(node).end };
    let whole = marks.start.unwrap_or_else(|| node.start_byte())..node.end_byte();
    let (cases, panics) = (marks.cases(), marks.panics.take());
    let rows = std::mem::take(&mut marks.row_texts);
    let skip = Skip::stronger(marks.into_skip(), early_return(body, facts));
    facts.open_test(node, TestHead { cases, skip, ..TestHead::new(facts.text(name), name, body) });
    facts.relocate(span, line_of(name), body.byte_range(), whole);
    rows.iter().for_each(|row| facts.row(row));
    if let Some((line, bytes)) = panics {
        facts.assertion_at(line, bytes);
    }
}

/// Types everywhere but in functions, constants of modules and types.
pub fn define_named(node: Node<'_>, kind: DefinitionKind, facts: &mut Builder<'_>) {
    if let Some(name) = node.field("name")
        && !facts.in_function()
    {
        facts.open_definition(node, facts.text(name), kind, None);
        if let Some(value) = node.field("value").filter(|_| kind == DefinitionKind::Constant) {
            facts.value(&excerpt(facts.source(), value.byte_range()));
        }
    }
}

/// rstest: `#[values(1, 2)] x: u32` among the parameters.
fn parameter_values(function: Node<'_>, marks: &mut Marks, facts: &Builder<'_>) {
    let Some(parameters) = function.field("parameters") else { return };
    let mut cursor = parameters.walk();
    for attribute in parameters.children(&mut cursor).filter(|&child| kind(child) == Kind::Attribute) {
        let meta = Meta::of_item(facts.text(attribute));
        match meta.path {
            "values" => marks.multiply(u32::try_from(pieces(meta.arguments).len()).ok()),
            "files" => marks.multiply(None),
            _ => {}
        }
    }
}

/// A `return` before everything else in the body.
fn early_return(body: Node<'_>, facts: &Builder<'_>) -> Option<Skip> {
    let mut cursor = body.walk();
    let is_idle = |node: Node<'_>| {
        kind(node) == Kind::Comment || matches!(node.kind(), "use_declaration" | "empty_statement")
    };
    let mut statements = body.named_children(&mut cursor).filter(|&node| !is_idle(node));
    let first = statements.next().filter(|&node| kind(node) == Kind::ExpressionStatement)?;
    statements.next()?;
    let returned = first.named_child(0).filter(|node| node.kind() == "return_expression")?;
    Some(facts.mark(returned, SkipKind::Unconditional, None))
}

/// The same in a body of macro tokens.
pub fn early_return_token(body: Node<'_>, facts: &Builder<'_>) -> Option<Skip> {
    let first = body.child(1).filter(|first| first.kind() == "return")?;
    let tokens = tokens(body);
    let end = tokens.iter().position(|token| token.kind() == ";")?;
    tokens.get(end + 1)?;
    Some(facts.mark(first, SkipKind::Unconditional, None))
}
