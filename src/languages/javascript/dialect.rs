//! How JavaScript and TypeScript spell guards, handlers and failure.

use tree_sitter::Node;

use crate::facts::{ExitKind, Stub};
use crate::languages::Source;
use crate::languages::functions::{
    Asked, Dialect, Role, child, is_default, is_number, plain_error_check, says_unfinished, text,
};

pub static DIALECT: Dialect = Dialect {
    roles,
    name,
    caught: |_, _| Vec::new(),
    broad: &[],
    failing: &["exit", "Promise.reject", "reject", "ctx.throw", "this.error", "process.abort"],
    returned,
    asks_for_error: asks,
    stub,
    discards: false,
    blocks_have_values: false,
};

fn roles(kind: &str) -> Option<Role> {
    Some(match kind {
        "comment" => Role::Comment,
        "class_declaration" | "class" | "abstract_class_declaration" | "internal_module" => Role::Scope,
        "function_declaration" | "generator_function_declaration" | "method_definition" => Role::Function,
        "arrow_function" | "function_expression" | "generator_function" => Role::Closure,
        "variable_declarator"
        | "pair"
        | "assignment_expression"
        | "field_definition"
        | "public_field_definition" => Role::Naming,
        "if_statement" => Role::If,
        "switch_case" | "switch_default" => Role::Case,
        "try_statement" => Role::Try,
        "catch_clause" => Role::Catch,
        "throw_statement" => Role::Throw,
        "return_statement" => Role::Return,
        "continue_statement" => Role::Continue,
        "empty_statement" | "break_statement" => Role::Pass,
        "call_expression" => Role::Call,
        "expression_statement" => Role::Statement,
        "decorator" => Role::Annotation,
        _ => return None,
    })
}

fn name(source: &Source<'_>, node: Node<'_>) -> String {
    child(node, "name").map_or_else(String::new, |name| text(source, name).into_owned())
}

fn returned(value: &str) -> Option<ExitKind> {
    value.starts_with("new Error(").then_some(ExitKind::Fails)
}

fn asks(condition: &str) -> Option<Asked> {
    let tests = ["!== null", "!= null", "!== undefined", "!= undefined"];
    let plain = tests.iter().find_map(|test| condition.strip_suffix(test)).unwrap_or(condition);
    plain_error_check(plain.trim())
}

fn stub(statement: &str) -> Option<Stub> {
    let statement = statement.trim_end_matches(';');
    if statement.starts_with("throw ") && says_unfinished(statement) {
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
