//! How Python spells guards, handlers and failure.

use tree_sitter::Node;

use crate::facts::{ExitKind, Stub};
use crate::languages::Source;
use crate::languages::functions::{
    Asked, Dialect, Role, child, is_default, is_number, plain_error_check, says_unfinished, text,
};

pub static DIALECT: Dialect = Dialect {
    roles,
    name,
    caught,
    broad: &["Exception", "BaseException", "StandardError"],
    failing: &["sys.exit", "os._exit", "exit", "quit", "abort", "self.fail", "pytest.fail"],
    returned: |_| None::<ExitKind>,
    asks_for_error: asks,
    stub,
    discards: false,
    blocks_have_values: false,
};

fn roles(kind: &str) -> Option<Role> {
    Some(match kind {
        "comment" => Role::Comment,
        "class_definition" => Role::Scope,
        "function_definition" => Role::Function,
        "lambda" => Role::Closure,
        "if_statement" | "elif_clause" => Role::If,
        "case_clause" => Role::Case,
        "try_statement" => Role::Try,
        "except_clause" | "except_group_clause" => Role::Catch,
        "with_statement" => Role::With,
        "raise_statement" => Role::Throw,
        "return_statement" => Role::Return,
        "continue_statement" => Role::Continue,
        "pass_statement" | "ellipsis" | "break_statement" => Role::Pass,
        "call" => Role::Call,
        "assert_statement" => Role::Assert,
        "assignment" | "augmented_assignment" => Role::Assign,
        "expression_statement" => Role::Statement,
        "decorator" => Role::Annotation,
        _ => return None,
    })
}

fn name(source: &Source<'_>, node: Node<'_>) -> String {
    child(node, "name").map_or_else(String::new, |name| text(source, name).into_owned())
}

/// The types of an `except`, or of a `suppress` in a `with`.
fn caught(source: &Source<'_>, node: Node<'_>) -> Vec<String> {
    if node.kind() == "with_statement" {
        let head = text(source, node);
        let calls = ["suppress(", "ignoring(", "ignored(", "swallow("];
        let Some((_, rest)) = calls.iter().find_map(|call| head.split_once(call)) else {
            return Vec::new();
        };
        let is_head = head.find(":\n").is_none_or(|end| head.len() - rest.len() < end);
        let inside = rest.split(')').next().unwrap_or("");
        return if is_head { types(inside) } else { Vec::new() };
    }
    let value = child(node, "value").or_else(|| node.named_child(0).filter(|first| first.kind() != "block"));
    let Some(value) = value.filter(|value| value.kind() != "comment") else { return Vec::new() };
    let written = text(source, value);
    types(written.split(" as ").next().unwrap_or(""))
}

fn types(list: &str) -> Vec<String> {
    let list = list.trim().trim_start_matches('(').trim_end_matches(')');
    list.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

fn asks(condition: &str) -> Option<Asked> {
    plain_error_check(condition.strip_suffix(" is not None").unwrap_or(condition))
}

fn stub(statement: &str) -> Option<Stub> {
    if statement.starts_with("raise") && says_unfinished(statement) {
        return Some(Stub::Unfinished);
    }
    match statement {
        "pass" | "..." => Some(Stub::Empty),
        "return" => Some(Stub::Constant),
        // It hands itself back so that calls can be chained, and has done nothing.
        "return self" => Some(Stub::Empty),
        _ => statement
            .strip_prefix("return ")
            .filter(|value| is_default(value) || is_number(value))
            .map(|_| Stub::Constant),
    }
}
