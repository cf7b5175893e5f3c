//! One walk over a syntax tree, without recursion: depth of nesting costs no stack.

use tree_sitter::{Node, Tree};

use super::Builder;

/// What a language knows: it looks at each node once and tells the builder what it found.
pub trait Pack {
    /// Whether punctuation and keywords are entered too. Few languages need them, and they are half of all nodes.
    fn reads_tokens(&self) -> bool {
        false
    }

    /// Called for each node before its children. Scopes opened here close when the node is left.
    fn enter(&mut self, node: Node<'_>, facts: &mut Builder<'_>) -> Descend;

    /// Called once after the walk, for what only the whole file can tell.
    fn finish(&mut self, _facts: &mut Builder<'_>) {}
}

/// Whether the walk goes on into a node's children.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Descend {
    Into,
    Over,
}

pub(super) fn walk(tree: &Tree, pack: &mut dyn Pack, facts: &mut Builder<'_>) {
    let mut cursor = tree.walk();
    let tokens = pack.reads_tokens();
    loop {
        let node = cursor.node();
        if tokens || node.is_named() {
            let descend = pack.enter(node, facts) == Descend::Into;
            // Most nodes are leaves: to ask them costs less than to try.
            let is_leaf = if tokens { node.child_count() == 0 } else { node.named_child_count() == 0 };
            if descend && !is_leaf && cursor.goto_first_child() {
                continue;
            }
            facts.leave(node);
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                pack.finish(facts);
                return;
            }
            facts.leave(cursor.node());
        }
    }
}

/// Node kinds of one grammar, looked up by number: comparing names on each node would cost more than the walk.
pub struct Kinds<K>(Vec<K>);

impl<K: Copy> Kinds<K> {
    /// `name` maps the grammar's kind names (named nodes only) to what the pack calls them.
    pub fn new(grammar: &tree_sitter::Language, other: K, name: impl Fn(&str) -> Option<K>) -> Self {
        let count = u16::try_from(grammar.node_kind_count()).unwrap_or(u16::MAX);
        let kind = |id| {
            let known = grammar.node_kind_is_named(id).then(|| grammar.node_kind_for_id(id)).flatten();
            known.and_then(&name).unwrap_or(other)
        };
        Self((0..count).map(kind).collect())
    }

    pub fn of(&self, node: Node<'_>) -> K {
        // Error nodes have a number beyond the table; the first entry is the end-of-file symbol, never named.
        self.0.get(usize::from(node.kind_id())).copied().unwrap_or(self.0[0])
    }
}
