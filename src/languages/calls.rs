//! What a file calls, by name: read only where a policy asks for it, apart from all other facts.
//!
//! One table serves every grammar, because grammars name calls alike.

use tree_sitter::Node;

use super::parse::{Reading, read};
use super::walk::Kinds;
use super::{Source, source};
use crate::facts::Call;

/// Kinds of nodes that call something, and the field that says what.
const CALLS: &[(&str, &str)] = &[
    ("call", "function"),
    ("call_expression", "function"),
    ("new_expression", "constructor"),
    ("macro_invocation", "macro"),
    ("method_invocation", "name"),
    ("object_creation_expression", "type"),
];

/// Longer names are expressions: only their last part is kept.
const NAME_LIMIT: usize = 200;

/// As many calls of a file are kept.
const MOST: usize = 10_000;

/// The calls of names that are wanted, in the order of the text. A name is wanted whole (`db.execute`) or by its last
/// part (`execute`).
pub fn calls(source: Source<'_>, wanted: impl Fn(&str) -> bool) -> Vec<Call> {
    let Ok(language) = source::readable(source) else { return Vec::new() };
    let Some(Reading { tree, .. }) = read(language, source.text) else { return Vec::new() };
    let kinds = Kinds::new(&(language.grammar)(), "", |kind| {
        CALLS.iter().find(|(name, _)| *name == kind).map(|(_, field)| *field)
    });
    let mut found = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let field = if node.is_named() { kinds.of(node) } else { "" };
        if !field.is_empty()
            && found.len() < MOST
            && let Some(name) = called(&source, node, field).filter(|name| matches(name, &wanted))
        {
            found.push(Call { name, line: super::line_of(node) });
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
}

/// Whether a name is wanted, whole or by its last part.
pub fn matches(name: &str, wanted: impl Fn(&str) -> bool) -> bool {
    wanted(name) || wanted(last_part(name))
}

fn called(source: &Source<'_>, node: Node<'_>, field: &str) -> Option<String> {
    let mut callee = node.child_by_field_name(field)?;
    // `parse::<u32>()` calls `parse`.
    if callee.kind() == "generic_function" {
        callee = callee.child_by_field_name("function")?;
    }
    let text = source.text_of(callee);
    let owner = node.child_by_field_name("object").filter(|_| field == "name");
    let owner = owner.map(|owner| source.text_of(owner)).filter(|owner| owner.len() <= NAME_LIMIT);
    let whole = match owner {
        Some(owner) => format!("{owner}.{text}"),
        None if text.len() <= NAME_LIMIT => text.to_owned(),
        None => last_part(text).chars().take(NAME_LIMIT).collect(),
    };
    let name: String = whole.split_whitespace().collect();
    (!name.is_empty()).then_some(name)
}

fn last_part(name: &str) -> &str {
    name.rsplit(['.', ':', '>']).next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(path: &str, text: &str) -> Vec<String> {
        let found = calls(Source { path, text: text.as_bytes() }, |_| true);
        found.into_iter().map(|call| call.name).collect()
    }

    #[test]
    fn calls_are_read_in_every_language() {
        assert_eq!(names("a.py", "def f():\n    db.execute_raw('x')\n    g()\n"), ["db.execute_raw", "g"]);
        assert_eq!(names("a.js", "new Pool(); db\n  .query(f(1));"), ["Pool", "db.query", "f"]);
        assert_eq!(names("a.ts", "run<number>(1)"), ["run"]);
        assert_eq!(names("a.go", "package a\nfunc f() { sql.Open(x); g() }\n"), ["sql.Open", "g"]);
        assert_eq!(names("a.rs", "fn f() { a::b::<u8>(); x.y(); panic!(\"\"); }"), ["a::b", "x.y", "panic"]);
        let java = "class A { void f() { db.run(g()); new File(\"\"); } }";
        assert_eq!(names("A.java", java), ["db.run", "g", "File"]);
        assert!(names("a.txt", "f()").is_empty());
    }

    #[test]
    fn only_what_is_wanted_is_kept_and_deep_nesting_costs_no_stack() {
        let wanted = calls(Source { path: "a.py", text: b"a.run()\nb.walk()\n" }, |name| name == "run");
        assert_eq!(wanted, [Call { name: "a.run".to_owned(), line: 1 }]);
        let deep = format!("{}x{}", "f(".repeat(50_000), ")".repeat(50_000));
        assert!(names("a.py", &deep).len() <= MOST);
    }
}
