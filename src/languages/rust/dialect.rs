//! How Rust spells guards, handlers and failure.

use tree_sitter::Node;

use crate::facts::{ExitKind, Stub};
use crate::languages::Source;
use crate::languages::functions::{
    Asked, Dialect, Role, child, is_default, is_number, says_unfinished, text,
};

pub static DIALECT: Dialect = Dialect {
    roles,
    name,
    caught: |_, _| Vec::new(),
    broad: &[],
    failing: &[
        "Err",
        "bail",
        "panic",
        "process::exit",
        "process::abort",
        "unreachable",
        "todo",
        "unimplemented",
        "resume_unwind",
        "panic_any",
    ],
    returned: |_| None::<ExitKind>,
    asks_for_error: asks,
    stub,
    discards: true,
    blocks_have_values: true,
};

fn roles(kind: &str) -> Option<Role> {
    Some(match kind {
        "line_comment" | "block_comment" => Role::Comment,
        "impl_item" | "trait_item" | "mod_item" => Role::Scope,
        "function_item" => Role::Function,
        "closure_expression" => Role::Closure,
        "if_expression" => Role::If,
        "match_expression" => Role::Match,
        "match_arm" => Role::Case,
        "return_expression" => Role::Return,
        "continue_expression" => Role::Continue,
        "call_expression" => Role::Call,
        "macro_invocation" => Role::Macro,
        "let_declaration" | "assignment_expression" => Role::Assign,
        "try_expression" => Role::Question,
        "block" => Role::Block,
        "expression_statement" => Role::Statement,
        "attribute_item" => Role::Annotation,
        _ => return None,
    })
}

/// A trait leads the names of its implementation, so that two of them stay apart.
fn name(source: &Source<'_>, node: Node<'_>) -> String {
    let part = |field: &'static str| child(node, field).map(|part| text(source, part).into_owned());
    let of_type = |written: String| written.split('<').next().unwrap_or("").trim().to_owned();
    match (part("trait").map(of_type), part("type").map(of_type), part("name")) {
        (Some(name), Some(of), _) => format!("{of}.{name}"),
        (None, Some(of), _) => of,
        (_, _, name) => name.unwrap_or_default(),
    }
}

/// `let Err(e) = call()`, `result.is_err()`.
fn asks(condition: &str) -> Option<Asked> {
    let (pattern, _) = match condition.strip_prefix("let ") {
        Some(condition) => condition.split_once('=')?,
        None => {
            let value = condition.strip_suffix(".is_err()")?;
            return Some(Asked { variable: value.to_owned(), all: true });
        }
    };
    let inside = pattern.trim().strip_prefix("Err(")?.trim_end_matches(')');
    let all = inside.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    Some(Asked { variable: String::new(), all })
}

fn stub(statement: &str) -> Option<Stub> {
    let statement = statement.trim_end_matches(';');
    if ["todo!", "unimplemented!"].iter().any(|name| statement.starts_with(name)) {
        return Some(Stub::Unfinished);
    }
    let failing = ["panic!", "Err(", "bail!", "return Err("];
    if failing.iter().any(|name| statement.starts_with(name)) && says_unfinished(statement) {
        return Some(Stub::Unfinished);
    }
    let value = statement.strip_prefix("return ").unwrap_or(statement);
    (is_default(value) || is_number(value)).then_some(Stub::Constant)
}
