//! The name of what an expression calls, past what only wraps its error.

use tree_sitter::Node;

use super::shape::{child, first_named, last_name, path_of, tail};
use crate::languages::Source;

/// Calls on a result that only say more of its error, or make it another one.
const WRAPS: &[&str] = &[
    "context",
    "with_context",
    "ok_or",
    "ok_or_else",
    "or_else",
    "and_then",
    "map_err",
    "expect",
    "unwrap",
    "ok",
    "unwrap_or_default",
    "await",
    "wrap_err",
    "wrap_err_with",
    "as_ref",
    "as_mut",
    "as_deref",
    "inspect_err",
    "chain_err",
];

/// The same by the tree, for chains that are too long to be read as text: `stat` of `stat().map_err(|e| { ... })?`.
pub fn called_in_chain(source: &Source<'_>, node: Node<'_>) -> String {
    let mut node = node;
    for _ in 0..LINKS {
        let inner = match node.kind() {
            "try_expression" | "await_expression" | "parenthesized_expression" => first_named(node),
            "call_expression" => {
                let Some(function) = child(node, "function") else { return String::new() };
                let name =
                    last_name(path_of(without_types(&tail(source, function.byte_range(), NAME)))).to_owned();
                if !WRAPS.contains(&name.as_str()) {
                    return name;
                }
                child(function, "value")
            }
            _ => return called_name(&tail(source, node.byte_range(), NAME)),
        };
        let Some(inner) = inner else { return String::new() };
        node = inner;
    }
    String::new()
}

/// As much of a path is looked at, and as many links of a chain.
const NAME: usize = 160;
const LINKS: usize = 16;

/// The name of the last call of an expression: `load` of `self.store.load(id).await?`.
pub fn called_name(expression: &str) -> String {
    let trimmed = expression.trim().trim_end_matches([';', '?']).trim_end();
    let trimmed = trimmed.strip_suffix(".await").unwrap_or(trimmed).trim_end().trim_end_matches('?');
    let Some(close) = trimmed.strip_suffix(')') else { return last_name(path_of(trimmed)).to_owned() };
    let mut depth = 1usize;
    for (at, byte) in close.bytes().enumerate().rev() {
        match byte {
            b')' => depth += 1,
            b'(' => depth -= 1,
            _ => continue,
        }
        if depth == 0 {
            let name = last_name(path_of(without_types(&close[..at])));
            // What wraps an error is not what fails.
            return if WRAPS.contains(&name) {
                called_name_before(&close[..at], name)
            } else {
                name.to_owned()
            };
        }
    }
    String::new()
}

/// A path without the types that its last name is given: `collect` of `collect::<Vec<_>>`.
fn without_types(path: &str) -> &str {
    match path.rfind("::<").filter(|_| path.ends_with('>')) {
        Some(at) => path
            [..path[..at].rfind("::<").filter(|inner| !path[*inner..at].contains('(')).unwrap_or(at)]
            .trim_end(),
        None => path,
    }
}

/// The call before the last link of a chain.
fn called_name_before(chain: &str, link: &str) -> String {
    let rest = chain.trim_end().strip_suffix(link).unwrap_or("").trim_end().trim_end_matches(['.', ':']);
    if rest.len() + link.len() >= chain.len() || rest.is_empty() {
        String::new()
    } else {
        called_name(rest.trim_end())
    }
}
