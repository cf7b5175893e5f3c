//! The walk itself: open scopes, the nodes above, and what each node adds.

use tree_sitter::{Node, Tree};

use super::kinds::{Role, table};
use super::{booleans, cases, directives, exports, probes, remarks};
use crate::facts::{Signals, Span};
use crate::languages::{Kinds, Language, Source, line_of, span_of};

/// Lists longer than this say nothing more, and cost time.
pub const LIST_LIMIT: usize = 4096;

/// Names of scopes deeper than this are left out.
const MAX_SCOPES: usize = 16;

/// A function, type or key around the current point.
pub struct Scope<'a> {
    node: usize,
    pub name: &'a str,
    pub is_function: bool,
}

/// What the walk knows at the current point.
pub struct Reader<'a, 't> {
    pub source: Source<'a>,
    pub language: &'static str,
    pub kinds: &'static Kinds<Role>,
    pub scopes: Vec<Scope<'a>>,
    /// The nodes above the current one, the root first.
    pub above: Vec<Node<'t>>,
    pub signals: Signals,
}

pub fn of_source(language: &'static Language, source: Source<'_>, tree: &Tree) -> Signals {
    let mut reader = Reader {
        source,
        language: language.name,
        kinds: table(language),
        scopes: Vec::new(),
        above: Vec::new(),
        signals: Signals::default(),
    };
    reader.walk(tree);
    reader.signals
}

impl<'a, 't> Reader<'a, 't> {
    fn walk(&mut self, tree: &'t Tree) {
        let mut cursor = tree.walk();
        loop {
            let node = cursor.node();
            if node.is_named() {
                self.enter(node);
                if cursor.goto_first_child() {
                    self.above.push(node);
                    continue;
                }
                self.leave(node);
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
                self.above.pop();
                self.leave(cursor.node());
            }
        }
    }

    fn enter(&mut self, node: Node<'t>) {
        match self.kinds.of(node) {
            Role::Other => {}
            Role::Comment => remarks::comment(self, node),
            Role::Statement => remarks::text_statement(self, node),
            Role::Function | Role::Type => {
                exports::declared(self, node);
                self.note_test_code(node);
                let is_function = self.kinds.of(node) == Role::Function;
                self.open(node, exports::name_of(self, node), is_function);
            }
            Role::Named => self.enter_named(node),
            Role::Declaration => exports::declared(self, node),
            Role::Boolean => booleans::read(self, node),
            Role::Text => probes::text(self, node),
            Role::Word => probes::word(self, node),
            Role::Macro => probes::invocation(self, node),
            Role::If => {
                booleans::condition(self, node);
                cases::read(self, node);
            }
            Role::Joined => booleans::joined(self, node),
            Role::Attribute => {
                directives::attribute(self, node);
                probes::attribute(self, node);
            }
            Role::Import => exports::import(self, node),
            Role::Export => exports::list(self, node),
        }
    }

    /// A key or variable is a scope where it holds more than a word.
    fn enter_named(&mut self, node: Node<'t>) {
        let field = |name| node.child_by_field_name(name);
        let is_plain = |value: &Node<'_>| value.child_count() == 0 || value.byte_range().len() <= 5;
        let Some(value) = field("value").filter(|value| !is_plain(value)) else { return };
        let Some(name) = field("key").or_else(|| field("name")).or_else(|| field("field")) else { return };
        let is_function = matches!(value.kind(), "arrow_function" | "function_expression" | "function");
        if is_function {
            exports::bound(self, node, name);
        }
        let text = self.source.text_of(name).trim_matches(['"', '\'', '`']);
        let is_word = |c: char| c.is_alphanumeric() || "_-$.".contains(c);
        if text.len() <= 64 && text.chars().all(is_word) {
            self.open(node, text, is_function);
        }
    }

    fn open(&mut self, node: Node<'t>, name: &'a str, is_function: bool) {
        self.scopes.push(Scope { node: node.id(), name, is_function });
    }

    fn leave(&mut self, node: Node<'t>) {
        if self.scopes.last().is_some_and(|scope| scope.node == node.id()) {
            self.scopes.pop();
        }
    }

    /// Modules and functions of Rust that only a test build has.
    fn note_test_code(&mut self, node: Node<'t>) {
        if self.language != "rust" || self.signals.test_code.len() >= LIST_LIMIT {
            return;
        }
        let mut before = node.prev_named_sibling();
        for _ in 0..8 {
            let Some(attribute) = before.filter(|node| node.kind() == "attribute_item") else { return };
            let text = self.source.text_of(attribute);
            if text.contains("cfg(test)") || text.contains("cfg(any(test") || text.contains("cfg(all(test") {
                let start = line_of(attribute);
                return self.signals.test_code.push(Span { start, end: span_of(node).end });
            }
            before = attribute.prev_named_sibling();
        }
    }

    /// The names of the scopes around, joined by dots.
    pub fn scope(&self) -> String {
        let names: Vec<&str> = self.scopes.iter().take(MAX_SCOPES).map(|scope| scope.name).collect();
        names.join(".")
    }

    /// The functions and types around, without keys.
    pub fn function(&self) -> String {
        let last = self.scopes.iter().rposition(|scope| scope.is_function).map_or(0, |last| last + 1);
        let names: Vec<&str> =
            self.scopes.iter().take(last.min(MAX_SCOPES)).map(|scope| scope.name).collect();
        names.join(".")
    }

    pub fn in_function(&self) -> bool {
        self.scopes.iter().any(|scope| scope.is_function)
    }

    pub fn parent(&self) -> Option<Node<'t>> {
        self.above.last().copied()
    }

    /// The node so many steps above: 0 is the parent.
    pub fn ancestor(&self, steps: usize) -> Option<Node<'t>> {
        self.above.len().checked_sub(steps + 1).map(|at| self.above[at])
    }

    /// The start of a node's text on one line.
    pub fn one_line(&self, node: Node<'_>, limit: usize) -> String {
        let bytes = node.byte_range();
        let end = bytes.end.min(bytes.start + limit);
        let text = String::from_utf8_lossy(&self.source.text[bytes.start..end]);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}
