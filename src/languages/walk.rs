//! One walk over a syntax tree, without recursion: depth of nesting costs no stack.

use std::sync::OnceLock;

use tree_sitter::{Node, Tree};

use super::{Builder, LANGUAGES, Language, Source};

/// What a language knows: it looks at each node once and tells the builder what it found.
pub trait Pack {
    /// Called for each node before its children. Scopes opened here close when the node is left.
    fn enter(&mut self, node: Node<'_>, facts: &mut Builder<'_>) -> Descend;

    /// Whether what stands in a function that neither is a test nor has to do with any says nothing about what stands
    /// outside of it. Then it is passed over where it is known from another version of the file.
    fn is_closed(&self, _function: Node<'_>, _source: Source<'_>) -> bool {
        false
    }

    /// Called once after the walk, for what only the whole file can tell.
    fn finish(&mut self, _facts: &mut Builder<'_>) {}
}

/// Whether the walk goes on into a node's children.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Descend {
    /// Into what the grammar has names for: punctuation and keywords are half of all nodes, and say little.
    Into,
    /// Into everything, all the way down.
    IntoTokens,
    Over,
}

/// Somebody who reads a tree while it is walked.
pub(super) trait Reader<'t> {
    /// Called for each node before its children.
    fn enter(&mut self, node: Node<'t>) -> Descend;

    /// Called for each node that was entered, after its children.
    fn leave(&mut self, node: Node<'t>);
}

/// Somebody who reads nothing, for a seat that is not taken.
pub(super) struct Nobody;

impl<'t> Reader<'t> for Nobody {
    fn enter(&mut self, _: Node<'t>) -> Descend {
        Descend::Over
    }

    fn leave(&mut self, _: Node<'t>) {}
}

/// A reader and how it goes on.
struct Seat<'r, R> {
    reader: &'r mut R,
    /// How deep the node is that it goes over.
    over: Option<usize>,
    /// How deep the node is from which on it wants everything.
    tokens: Option<usize>,
}

impl<'r, R> Seat<'r, R> {
    fn new(reader: &'r mut R) -> Self {
        Self { reader, over: None, tokens: None }
    }

    fn sees(&self, is_named: bool) -> bool {
        self.over.is_none() && (is_named || self.tokens.is_some())
    }

    fn enter<'t>(&mut self, node: Node<'t>, is_named: bool, depth: usize)
    where
        R: Reader<'t>,
    {
        if self.sees(is_named) {
            match self.reader.enter(node) {
                Descend::Into => {}
                Descend::IntoTokens => drop(self.tokens.get_or_insert(depth)),
                Descend::Over => self.over = Some(depth),
            }
        }
    }

    fn leave<'t>(&mut self, node: Node<'t>, is_named: bool, depth: usize)
    where
        R: Reader<'t>,
    {
        self.over.take_if(|over| *over == depth);
        if self.sees(is_named) {
            self.reader.leave(node);
        }
        self.tokens.take_if(|tokens| *tokens == depth);
    }
}

/// Deeper trees are not read to their end. A level of nesting is one to five nodes deep, and people write a few dozen.
const MAX_DEPTH: usize = 5000;

/// The three seats of a walk. Each reader is known by its type: to ask it costs a node no call that is not needed.
struct Seats<'r, A, B, C>(Seat<'r, A>, Seat<'r, B>, Seat<'r, C>);

impl<'t, A: Reader<'t>, B: Reader<'t>, C: Reader<'t>> Seats<'_, A, B, C> {
    fn any_sees(&self, is_named: bool) -> bool {
        self.0.sees(is_named) || self.1.sees(is_named) || self.2.sees(is_named)
    }

    fn enter(&mut self, node: Node<'t>, is_named: bool, depth: usize) {
        self.0.enter(node, is_named, depth);
        self.1.enter(node, is_named, depth);
        self.2.enter(node, is_named, depth);
    }

    fn leave(&mut self, node: Node<'t>, is_named: bool, depth: usize) {
        self.0.leave(node, is_named, depth);
        self.1.leave(node, is_named, depth);
        self.2.leave(node, is_named, depth);
    }
}

/// Walks a tree once for several readers: finding the way costs more than most of them. Whether it came to the end: a
/// tree that is too deep is given up.
pub(super) fn walk<'t>(
    tree: &'t Tree,
    one: &mut impl Reader<'t>,
    two: &mut impl Reader<'t>,
    three: &mut impl Reader<'t>,
) -> bool {
    let mut seats = Seats(Seat::new(one), Seat::new(two), Seat::new(three));
    let mut cursor = tree.walk();
    let mut above: Vec<Node<'t>> = Vec::new();
    loop {
        let node = cursor.node();
        let is_named = node.is_named();
        if seats.any_sees(is_named) {
            let depth = above.len();
            seats.enter(node, is_named, depth);
            // Most nodes are leaves: to ask them costs less than to try.
            let has_more = seats.any_sees(true) && node.named_child_count() > 0
                || seats.any_sees(false) && node.child_count() > 0;
            if has_more && cursor.goto_first_child() {
                if depth == MAX_DEPTH {
                    return false;
                }
                above.push(node);
                continue;
            }
            seats.leave(node, is_named, depth);
        }
        while !cursor.goto_next_sibling() {
            let Some(node) = above.pop().filter(|_| cursor.goto_parent()) else { return true };
            let (is_named, depth) = (node.is_named(), above.len());
            seats.leave(node, is_named, depth);
        }
    }
}

/// A pack at work.
pub(super) struct Tests<'a> {
    pack: Box<dyn Pack>,
    facts: Builder<'a>,
}

impl<'a> Tests<'a> {
    pub fn new(pack: Box<dyn Pack>, facts: Builder<'a>) -> Self {
        Self { pack, facts }
    }

    pub fn finish(mut self) -> Builder<'a> {
        self.pack.finish(&mut self.facts);
        self.facts
    }
}

impl<'t> Reader<'t> for Tests<'_> {
    fn enter(&mut self, node: Node<'t>) -> Descend {
        let depth = self.facts.depth();
        let descend = self.pack.enter(node, &mut self.facts);
        let opens_one = descend == Descend::Into && self.facts.depth() == depth + 1;
        let (pack, source) = (&self.pack, self.facts.source());
        if opens_one && self.facts.take_over(node, depth, || pack.is_closed(node, source)) {
            return Descend::Over;
        }
        descend
    }

    fn leave(&mut self, node: Node<'t>) {
        self.facts.leave(node);
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

/// The kinds of each grammar as one reader sees them, found out for a grammar when it is first needed.
pub(super) struct Tables<K>(OnceLock<Vec<OnceLock<Kinds<K>>>>);

impl<K: Copy> Tables<K> {
    pub const fn new() -> Self {
        Self(OnceLock::new())
    }

    pub fn of(&self, language: &Language, other: K, name: impl Fn(&str) -> Option<K>) -> &Kinds<K> {
        let tables = self.0.get_or_init(|| LANGUAGES.iter().map(|_| OnceLock::new()).collect());
        let row = LANGUAGES.iter().position(|row| std::ptr::eq(row, language)).unwrap_or_default();
        tables[row].get_or_init(|| Kinds::new(&(language.grammar)(), other, name))
    }
}
