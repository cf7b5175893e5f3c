//! How Java spells guards, handlers and failure.

use tree_sitter::Node;

use crate::facts::{ExitKind, Stub};
use crate::languages::Source;
use crate::languages::functions::{
    Dialect, Role, child, first_named, is_default, is_number, says_unfinished, text,
};

pub static DIALECT: Dialect = Dialect {
    roles,
    name,
    caught,
    broad: &["Exception", "Throwable", "RuntimeException", "Error"],
    failing: &[
        "System.exit",
        "Runtime.halt",
        "Assertions.fail",
        "Validate.fail",
        "Validate.wtf",
        "completeExceptionally",
    ],
    returned: |_| None::<ExitKind>,
    asks_for_error: |_| None,
    stub,
    discards: false,
    blocks_have_values: false,
};

fn roles(kind: &str) -> Option<Role> {
    Some(match kind {
        "line_comment" | "block_comment" => Role::Comment,
        "class_declaration" | "interface_declaration" | "enum_declaration" | "record_declaration" => {
            Role::Scope
        }
        "method_declaration" | "constructor_declaration" | "compact_constructor_declaration" => {
            Role::Function
        }
        "lambda_expression" => Role::Closure,
        "if_statement" => Role::If,
        "switch_block_statement_group" | "switch_rule" => Role::Case,
        "try_statement" | "try_with_resources_statement" => Role::Try,
        "catch_clause" => Role::Catch,
        "throw_statement" => Role::Throw,
        "return_statement" => Role::Return,
        "continue_statement" => Role::Continue,
        "break_statement" => Role::Pass,
        "method_invocation" => Role::Call,
        "assert_statement" => Role::Assert,
        "assignment_expression" | "variable_declarator" => Role::Assign,
        "expression_statement" => Role::Statement,
        "marker_annotation" | "annotation" => Role::Annotation,
        _ => return None,
    })
}

fn name(source: &Source<'_>, node: Node<'_>) -> String {
    child(node, "name").map_or_else(String::new, |name| text(source, name).into_owned())
}

/// `IOException | TimeoutException e`
fn caught(source: &Source<'_>, node: Node<'_>) -> Vec<String> {
    let Some(parameter) = first_named(node) else { return Vec::new() };
    let mut cursor = parameter.walk();
    let kinds = parameter.named_children(&mut cursor).find(|child| child.kind() == "catch_type");
    let written = kinds.map(|kinds| text(source, kinds)).unwrap_or_default();
    written.split('|').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

fn stub(statement: &str) -> Option<Stub> {
    let statement = statement.trim_end_matches(';');
    let unsupported = statement.strip_prefix("throw new UnsupportedOperationException(");
    let for_now =
        |told: &str| told == ")" || [" yet", "temporar", "for now"].iter().any(|word| told.contains(word));
    let unfinished = says_unfinished(statement) || unsupported.is_some_and(for_now);
    if statement.starts_with("throw ") && unfinished {
        return Some(Stub::Unfinished);
    }
    match statement {
        "return" => Some(Stub::Constant),
        // It hands itself back so that calls can be chained, and has done nothing.
        "return this" => Some(Stub::Empty),
        _ => statement
            .strip_prefix("return ")
            .filter(|value| is_default(value) || is_number(value))
            .map(|_| Stub::Constant),
    }
}
