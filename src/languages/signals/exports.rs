//! Names that other files can use, and names taken from other files.

use tree_sitter::Node;

use super::walk::{LIST_LIMIT, Reader};
use crate::facts::{Export, Import};
use crate::languages::fields::Fields;
use crate::languages::line_of;

/// The name of a declaration; of an implementation the type it is for.
pub fn name_of<'a>(reader: &Reader<'a, '_>, node: Node<'_>) -> &'a str {
    let name = node.field("name").or_else(|| node.field("type"));
    let name = name.map(|name| reader.source.text_of(name)).unwrap_or_default();
    name.split(['<', '(']).next().unwrap_or_default().trim()
}

/// A function, a type, a constant.
pub fn declared(reader: &mut Reader<'_, '_>, node: Node<'_>) {
    let name = name_of(reader, node);
    if !reader.in_function() && is_public(reader, node, name) {
        add(reader, name, line_of(node));
    }
}

/// A function given to a name: `export const f = () => ...`.
pub fn bound(reader: &mut Reader<'_, '_>, node: Node<'_>, name: Node<'_>) {
    if node.kind() == "variable_declarator" && is_exported(reader, 1) {
        add(reader, reader.source.text_of(name), line_of(node));
    }
}

fn is_public(reader: &Reader<'_, '_>, node: Node<'_>, name: &str) -> bool {
    match reader.language {
        "python" => !name.starts_with('_'),
        "go" => name.starts_with(|c: char| c.is_uppercase()),
        "rust" => {
            let modifier = (0..2)
                .filter_map(|at| node.named_child(at))
                .find(|child| child.kind() == "visibility_modifier");
            modifier.is_some_and(|modifier| reader.source.text_of(modifier) == "pub")
        }
        "java" => {
            let modifiers = node.named_child(0).filter(|child| child.kind() == "modifiers");
            modifiers.is_some_and(|modifiers| {
                reader.one_line(modifiers, 400).split(' ').any(|word| word == "public")
            })
        }
        _ => is_exported(reader, 0),
    }
}

fn is_exported(reader: &Reader<'_, '_>, steps: usize) -> bool {
    reader.ancestor(steps).is_some_and(|above| above.kind() == "export_statement")
}

fn add(reader: &mut Reader<'_, '_>, name: &str, line: u32) {
    if reader.signals.exports.len() < LIST_LIMIT && !name.is_empty() {
        let export = Export { name: name.to_owned(), owner: reader.scope(), line };
        reader.signals.exports.push(export);
    }
}

/// `export { a, b as c }`, `export { a } from './b'`
pub fn list(reader: &mut Reader<'_, '_>, node: Node<'_>) {
    let clause = (0..node.named_child_count() as u32).filter_map(|at| node.named_child(at));
    let clauses: Vec<Node<'_>> = clause.filter(|child| child.kind() == "export_clause").collect();
    for clause in clauses {
        let mut cursor = clause.walk();
        let names: Vec<Node<'_>> = clause.named_children(&mut cursor).collect();
        for specifier in names {
            let name = specifier.field("alias").or_else(|| specifier.field("name"));
            if let Some(name) = name {
                add(reader, reader.source.text_of(name), line_of(specifier));
            }
        }
    }
}

/// The names that an import brings, each with where it comes from.
pub fn import(reader: &mut Reader<'_, '_>, node: Node<'_>) {
    let text = reader.one_line(node, 4096);
    let line = line_of(node);
    let module = ["source", "module_name", "path"].iter().find_map(|field| node.field(field));
    let module = module.map(|module| reader.source.text_of(module).trim_matches(['"', '\'', '`']).to_owned());
    let list = match reader.language {
        "python" => text.split_once(" import ").map(|(_, list)| list).unwrap_or(&text),
        "javascript" | "typescript" => {
            text.split_once('{').and_then(|(_, rest)| rest.split_once('}')).map_or("", |(list, _)| list)
        }
        _ => &text,
    };
    let module = module.unwrap_or_else(|| text.clone());
    for name in list.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')) {
        if name.len() > 2 && reader.signals.imports.len() < LIST_LIMIT {
            let import = Import { name: name.to_owned(), module: crate::text::clipped(&module, 200), line };
            reader.signals.imports.push(import);
        }
    }
}
