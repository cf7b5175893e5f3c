//! Values that are taken apart into several names: `key, value = pair`.

use tree_sitter::Node;

use super::syntax::items;
use crate::languages::expression::canonical;
use crate::languages::{Builder, line_of};

/// As many names are given by one assignment.
const NAMES: usize = 16;

/// Each name stands for an element; all of them together for a value that has exactly so many.
pub fn read(left: Node<'_>, right: Node<'_>, facts: &mut Builder<'_>) {
    let is_pattern = matches!(left.kind(), "pattern_list" | "tuple_pattern" | "list_pattern");
    if !is_pattern || !facts.keeps_bindings() || right.kind() == "lambda" {
        return;
    }
    let names = items(left);
    if names.len() > NAMES || names.iter().any(|name| name.kind() == "list_splat_pattern") {
        return;
    }
    let value = canonical(&facts.opening(right), "#");
    let values = if matches!(right.kind(), "expression_list" | "tuple") { items(right) } else { Vec::new() };
    for (place, name) in names.iter().enumerate().filter(|(_, name)| name.kind() == "identifier") {
        let element = match values.get(place) {
            Some(&one) if values.len() == names.len() => canonical(&facts.opening(one), "#"),
            _ => format!("{value}[{place}]"),
        };
        facts.binding(line_of(left), facts.text(*name), &element);
    }
    if values.is_empty() {
        let all: Vec<&str> = names.iter().map(|name| facts.text(*name)).collect();
        facts.binding(line_of(left), &format!("{},", all.join(",")), &value);
    }
}
