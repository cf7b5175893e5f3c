//! The walk itself: open scopes, the nodes above, and what each node adds.

use tree_sitter::Node;

use super::kinds::{Role, table};
use super::{booleans, cases, directives, exports, probes, remarks};
use crate::facts::{Signals, Span};
use crate::languages::fields::Fields;
use crate::languages::kept::Kept;
use crate::languages::walk::{self, Descend};
use crate::languages::{Kinds, Language, Source, line_of, span_of};

/// Lists longer than this say nothing more, and cost time.
pub const LIST_LIMIT: usize = 4096;

/// Names of scopes deeper than this are left out.
const MAX_SCOPES: usize = 16;

/// A function, type or key around the current point.
pub struct Scope<'a> {
    node: usize,
    pub name: &'a str,
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
    /// Which of the scopes are functions.
    functions: Vec<usize>,
    /// A mark of test code that waits for what it stands on: its depth and line.
    pending: Option<(usize, u32)>,
    /// What is known from another version of the file.
    kept: Option<&'a Kept<'a>>,
}

impl<'t> walk::Reader<'t> for Reader<'_, 't> {
    fn enter(&mut self, node: Node<'t>) -> Descend {
        let around = self.functions.len();
        self.note(node);
        self.above.push(node);
        let opens_first = around == 0 && self.functions.len() == 1;
        if opens_first && self.take_over(node) { Descend::Over } else { Descend::Into }
    }

    fn leave(&mut self, node: Node<'t>) {
        self.above.pop();
        if self.scopes.last().is_some_and(|scope| scope.node == node.id()) {
            self.scopes.pop();
            if self.functions.last() == Some(&self.scopes.len()) {
                self.functions.pop();
            }
        }
    }
}

impl<'a, 't> Reader<'a, 't> {
    pub fn new(language: &'static Language, source: Source<'a>, kept: Option<&'a Kept<'a>>) -> Self {
        Self {
            source,
            language: language.name,
            kinds: table(language),
            scopes: Vec::new(),
            above: Vec::new(),
            signals: Signals::default(),
            functions: Vec::new(),
            pending: None,
            kept,
        }
    }

    pub fn finish(self) -> Signals {
        self.signals
    }

    fn note(&mut self, node: Node<'t>) {
        let role = self.kinds.of(node);
        if self.language == "rust" {
            self.note_test_code(node, role);
        }
        match role {
            Role::Other => {}
            Role::Comment => remarks::comment(self, node),
            Role::Statement => remarks::text_statement(self, node),
            Role::Function | Role::Type => {
                exports::declared(self, node);
                self.open(node, exports::name_of(self, node), role == Role::Function);
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
        let field = |name| node.field(name);
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
        if is_function {
            self.functions.push(self.scopes.len());
        }
        self.scopes.push(Scope { node: node.id(), name });
    }

    /// Takes over what is known of an outermost function that stands as it stood; whether it did.
    fn take_over(&mut self, node: Node<'t>) -> bool {
        let known = self.kept.and_then(|kept| kept.signals(node, self.source.text));
        let Some((signals, lines, bytes, shift)) = known else { return false };
        let scope = self.scope();
        self.signals.take_over(signals, lines, &bytes, &scope, shift)
    }

    /// Items of Rust that only a test build has: the mark comes first, and then what it stands on.
    fn note_test_code(&mut self, node: Node<'t>, role: Role) {
        if role == Role::Attribute {
            let text = self.one_line(node, 80);
            let is_mark =
                ["cfg(test)", "cfg(any(test", "cfg(all(test"].iter().any(|mark| text.contains(mark));
            if is_mark && self.pending.is_none() {
                self.pending = Some((self.above.len(), line_of(node)));
            }
        } else if role != Role::Comment
            && let Some((depth, start)) = self.pending
            && depth >= self.above.len()
        {
            self.pending = None;
            if depth == self.above.len() && self.signals.test_code.len() < LIST_LIMIT {
                self.signals.test_code.push(Span { start, end: span_of(node).end });
            }
        }
    }

    /// The names of the scopes around, joined by dots.
    pub fn scope(&self) -> String {
        let names: Vec<&str> = self.scopes.iter().take(MAX_SCOPES).map(|scope| scope.name).collect();
        names.join(".")
    }

    /// The functions and types around, without keys.
    pub fn function(&self) -> String {
        let last = self.functions.last().map_or(0, |last| last + 1);
        let names: Vec<&str> =
            self.scopes.iter().take(last.min(MAX_SCOPES)).map(|scope| scope.name).collect();
        names.join(".")
    }

    pub fn in_function(&self) -> bool {
        !self.functions.is_empty()
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
