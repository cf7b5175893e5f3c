//! Items that stand in macro tokens, where the grammar sees no items: functions, modules, macro calls.

use tree_sitter::Node;

use super::kinds::{Kind, is_name, kind};
use super::marks::Marks;
use crate::languages::{Source, line_of};

/// One item and the attributes before it.
pub struct Item<'t> {
    pub marks: Marks,
    /// The line of its first attribute or token.
    pub line: u32,
    pub part: Part<'t>,
}

pub enum Part<'t> {
    Function {
        name: Node<'t>,
        body: Node<'t>,
    },
    Module {
        name: Node<'t>,
        body: Node<'t>,
    },
    Call {
        name: Node<'t>,
        tree: Node<'t>,
    },
    /// Braces or a repetition that belong to no item; there may be items inside.
    Block(Node<'t>),
}

/// The children of a group of tokens, without its brackets and comments.
pub fn tokens(tree: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = tree.walk();
    let is_bracket = |node: Node<'_>| matches!(node.kind(), "(" | ")" | "[" | "]" | "{" | "}");
    let mut tokens: Vec<Node<'_>> =
        tree.children(&mut cursor).filter(|&node| kind(node) != Kind::Comment).collect();
    tokens.retain(|&node| node.is_named() || !is_bracket(node));
    tokens
}

/// Whether the node is a group of tokens in this kind of brackets.
pub fn is_tree(node: Node<'_>, bracket: u8, source: &Source<'_>) -> bool {
    kind(node) == Kind::Tree && source.text.get(node.start_byte()) == Some(&bracket)
}

/// Takes the attributes off the front.
pub fn split_marks<'n, 't>(mut tokens: &'n [Node<'t>], source: &Source<'_>) -> (Marks, &'n [Node<'t>]) {
    let mut marks = Marks::default();
    while let [hash, tree, rest @ ..] = tokens
        && hash.kind() == "#"
        && is_tree(*tree, b'[', source)
    {
        marks.add(*tree, source);
        tokens = rest;
    }
    (marks, tokens)
}

/// The items among the direct children of a group of tokens.
pub fn items<'t>(container: Node<'t>, source: &Source<'_>) -> Vec<Item<'t>> {
    let tokens = tokens(container);
    let mut scan = Scan { source, items: Vec::new(), marks: Marks::default() };
    let mut rest = tokens.as_slice();
    while let Some(&first) = rest.first() {
        let used = scan.step(first, rest);
        rest = rest.get(used.max(1)..).unwrap_or_default();
    }
    scan.items
}

struct Scan<'s, 'a, 't> {
    source: &'s Source<'a>,
    items: Vec<Item<'t>>,
    marks: Marks,
}

impl<'t> Scan<'_, '_, 't> {
    /// Reads one item or token and says how many tokens it took.
    fn step(&mut self, first: Node<'t>, rest: &[Node<'t>]) -> usize {
        match kind(first) {
            Kind::Identifier => return self.call(rest),
            Kind::Repetition => {
                // `$(#[$attribute])*` may stand between an attribute and its function.
                let line = line_of(first);
                self.items.push(Item { marks: Marks::default(), line, part: Part::Block(first) });
                return 1;
            }
            Kind::Tree if is_tree(first, b'{', self.source) => {
                self.push(first, Part::Block(first));
                return 1;
            }
            Kind::Metavariable | Kind::Tree | Kind::Literal => return 1,
            _ => {}
        }
        match first.kind() {
            "#" => self.attribute(rest),
            "fn" => self.function(rest),
            "mod" => self.module(rest),
            "const" if rest.get(1).is_some_and(|next| next.kind() == "fn" || next.kind() == "unsafe") => 1,
            "struct" | "enum" | "union" | "trait" | "impl" | "const" | "static" | "type" | "use" | "let" => {
                self.marks = Marks::default();
                self.length(rest)
            }
            "pub" | "async" | "unsafe" | "default" | "extern" => 1,
            _ => {
                self.marks = Marks::default();
                1
            }
        }
    }

    fn push(&mut self, first: Node<'t>, part: Part<'t>) {
        let marks = std::mem::take(&mut self.marks);
        let line = marks.line.unwrap_or_else(|| line_of(first));
        self.items.push(Item { marks, line, part });
    }

    fn attribute(&mut self, rest: &[Node<'t>]) -> usize {
        match rest {
            [_, bang, ..] if bang.kind() == "!" => 3,
            [_, tree, ..] if is_tree(*tree, b'[', self.source) => {
                self.marks.add(*tree, self.source);
                2
            }
            _ => 1,
        }
    }

    fn function(&mut self, rest: &[Node<'t>]) -> usize {
        let end = self.length(rest);
        // In an expansion the body may be a variable: `fn $name() -> $type $body`.
        let is_body = |pair: &[Node<'t>]| {
            kind(pair[1]) == Kind::Metavariable && (pair[0].is_named() || pair[0].kind() == ">")
        };
        let length =
            rest.get(2..end).and_then(|rest| rest.windows(2).position(is_body)).map_or(end, |at| at + 4);
        if let (Some(&name), Some(&body)) = (rest.get(1), rest.get(length - 1))
            && length > 2
            && (is_tree(body, b'{', self.source) || kind(body) == Kind::Metavariable)
            && (is_name(name) || kind(name) == Kind::Metavariable || is_tree(name, b'[', self.source))
        {
            self.push(name, Part::Function { name, body });
        }
        self.marks = Marks::default();
        length
    }

    fn module(&mut self, rest: &[Node<'t>]) -> usize {
        if let [_, name, body, ..] = rest
            && is_tree(*body, b'{', self.source)
        {
            self.push(*name, Part::Module { name: *name, body: *body });
            return 3;
        }
        self.marks = Marks::default();
        self.length(rest)
    }

    fn call(&mut self, rest: &[Node<'t>]) -> usize {
        if let [name, bang, next, ..] = rest
            && bang.kind() == "!"
        {
            if kind(*next) == Kind::Tree {
                self.push(*name, Part::Call { name: *name, tree: *next });
                return 3;
            }
            // `macro_rules! name { ... }`
            self.marks = Marks::default();
            return 4;
        }
        self.marks = Marks::default();
        1
    }

    /// How many tokens there are up to the braces or semicolon that end an item.
    fn length(&self, rest: &[Node<'t>]) -> usize {
        let is_end = |node: &Node<'t>| node.kind() == ";" || is_tree(*node, b'{', self.source);
        rest.iter().position(is_end).map_or(rest.len(), |at| at + 1)
    }
}
