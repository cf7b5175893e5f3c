//! Where the code of a test goes: branches, code after its end, closures nobody calls, and names given to values.

use std::ops::Range;

use tree_sitter::Node;

use super::kinds::{Kind, kind};
use super::names::name_before;
use crate::facts::Reach;
use crate::languages::fields::Fields;
use crate::languages::stretches::{Stretches, excerpt, is_named_in};
use crate::languages::{Builder, Source, line_of};

/// As many bytes of a file are looked through for uses of closures.
const SEARCH_LIMIT: usize = 4 * 1024 * 1024;

#[derive(Default)]
pub struct Flow {
    stretches: Stretches,
    /// The outermost function that was entered last ends here.
    function_end: usize,
    /// The outermost call of the chain that was met last.
    chain: Range<usize>,
    searched: usize,
}

impl Flow {
    /// To be called for each node.
    pub fn enter(&mut self, node: Node<'_>, facts: &mut Builder<'_>) {
        self.stretches.enter(node, facts);
    }

    pub fn function(&mut self, node: Node<'_>) {
        self.function_end = self.function_end.max(node.end_byte());
    }

    /// The whole chain of calls that this call is a link of.
    pub fn chain(&mut self, call: Node<'_>) -> Range<usize> {
        if self.chain.start != call.start_byte() || self.chain.end < call.end_byte() {
            self.chain = call.byte_range();
        }
        self.chain.clone()
    }

    pub fn meet(&mut self, node: Node<'_>, kind: Kind, facts: &mut Builder<'_>) {
        match kind {
            Kind::Let => self.bind(node, facts),
            Kind::Block => self.stretches.mute(after_the_end(node, facts.source()), Reach::Dead),
            Kind::If => {
                if facts.in_test() {
                    unwrapped(node, facts);
                }
                facts.open_branch(node);
                let condition = node.field("condition").map(|condition| condition.byte_range());
                let never = condition.and_then(|bytes| facts.source().text.get(bytes)) == Some(b"false");
                let arm = node.field("consequence").filter(|_| never);
                self.stretches.mute(arm.map_or(0..0, |arm| arm.byte_range()), Reach::Dead);
            }
            Kind::Branch if ranges_over_nothing(node, facts.source()) => facts.open_muted(node, Reach::Dead),
            _ => facts.open_branch(node),
        }
    }

    fn bind(&mut self, node: Node<'_>, facts: &mut Builder<'_>) {
        let (Some(pattern), Some(value)) = (node.field("pattern"), node.field("value")) else {
            return;
        };
        if !facts.keeps_bindings() {
            return;
        }
        let source = facts.source();
        let name = if pattern.byte_range().len() > 64 { "" } else { source.text_of(pattern) };
        if name == "_" {
            if facts.in_test() && calls_catch_unwind(value, source) {
                facts.open_muted(node, Reach::Swallowed);
            }
        } else if kind(pattern) == Kind::Identifier {
            if value.kind() == "closure_expression" {
                if facts.in_test() {
                    self.closure(node, name, facts);
                }
            } else {
                facts.binding(line_of(node), name, &excerpt(source, value.byte_range()));
            }
        }
    }

    /// A closure that gets a name which nothing after it names.
    fn closure(&mut self, node: Node<'_>, name: &str, facts: &mut Builder<'_>) {
        let rest = facts.source().text.get(node.end_byte()..self.function_end).unwrap_or_default();
        self.searched = self.searched.saturating_add(rest.len());
        if self.searched < SEARCH_LIMIT && !is_named_in(rest, name) {
            facts.open_muted(node, Reach::NeverCalled);
        }
    }
}

/// `if let Some(name) = value` names what is in the value.
fn unwrapped(node: Node<'_>, facts: &mut Builder<'_>) {
    let condition = node.field("condition").filter(|it| it.kind() == "let_condition");
    let Some(condition) = condition else { return };
    let pattern = condition.field("pattern").filter(|it| it.kind() == "tuple_struct_pattern");
    let name = pattern.and_then(|pattern| pattern.named_child(1)).filter(|it| kind(*it) == Kind::Identifier);
    if let (Some(name), Some(value)) = (name, condition.field("value")) {
        let value = excerpt(facts.source(), value.byte_range());
        facts.binding(line_of(node), facts.text(name), &value);
    }
}

/// What stands after a statement that always leaves the block.
fn after_the_end(block: Node<'_>, source: Source<'_>) -> Range<usize> {
    let mut cursor = block.walk();
    let leaves = |statement: &Node<'_>| {
        let inner = match kind(*statement) {
            Kind::ExpressionStatement => statement.named_child(0),
            _ => None,
        };
        inner.is_some_and(|inner| match inner.kind() {
            "return_expression" => true,
            "macro_invocation" => inner.field("macro").is_some_and(|name| {
                matches!(source.text_of(name), "panic" | "unreachable" | "todo" | "unimplemented")
            }),
            _ => false,
        })
    };
    let last = block.named_children(&mut cursor).find(leaves);
    last.map_or(0..0, |last| last.end_byte()..block.end_byte())
}

/// `for x in [] { ... }`.
fn ranges_over_nothing(node: Node<'_>, source: Source<'_>) -> bool {
    let over = node.field("value").filter(|_| node.kind() == "for_expression");
    over.is_some_and(|over| {
        over.byte_range().len() < 16 && matches!(source.text_of(over), "[]" | "&[]" | "vec![]")
    })
}

fn calls_catch_unwind(value: Node<'_>, source: Source<'_>) -> bool {
    let callee = value.child(0).filter(|_| kind(value) == Kind::Call);
    callee.is_some_and(|callee| name_before(source.text, callee.end_byte()) == b"catch_unwind")
}
