//! Children by the name that a grammar has for them.
//!
//! A grammar goes through the names of all its fields each time it is asked for one. Which number a name has is
//! found out once here, which is most of the cost of asking.

use std::cell::RefCell;
use std::hash::{Hash, Hasher};

use tree_sitter::Node;

/// So many names in all grammars together; two that fall on the same place push each other out.
const PLACES: usize = 512;

/// A name of a field in a grammar, and the child it stands for there.
#[derive(Clone, Copy, Default)]
struct Known {
    grammar: u64,
    /// Where the name stands in the program, and how long it is: no other name does.
    name: (usize, usize),
    number: Option<std::num::NonZeroU16>,
}

thread_local! {
    static KNOWN: RefCell<Vec<Known>> = RefCell::new(vec![Known::default(); PLACES]);
}

/// Children by name.
pub(super) trait Fields<'t> {
    /// The first child of this name.
    fn field(self, name: &'static str) -> Option<Node<'t>>;
}

impl<'t> Fields<'t> for Node<'t> {
    fn field(self, name: &'static str) -> Option<Node<'t>> {
        self.child_by_field_id(number_of(self, name)?.get())
    }
}

fn number_of(node: Node<'_>, name: &'static str) -> Option<std::num::NonZeroU16> {
    let language = node.language();
    let grammar = address_of(&language);
    let address = (name.as_ptr().addr(), name.len());
    KNOWN.with_borrow_mut(|known| {
        let place = (address.0 ^ (grammar as usize >> 4)) % PLACES;
        let entry = &mut known[place];
        if (entry.grammar, entry.name) != (grammar, address) {
            *entry = Known { grammar, name: address, number: language.field_id_for_name(name) };
        }
        entry.number
    })
}

/// A grammar is known by where it stands, which only its hash tells.
fn address_of(grammar: &tree_sitter::Language) -> u64 {
    let mut address = Address(0);
    grammar.hash(&mut address);
    address.finish()
}

/// Takes what is hashed as it is.
struct Address(u64);

impl Hasher for Address {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_usize(&mut self, address: usize) {
        self.0 = address as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::{Source, language_of};

    fn tree(path: &str, text: &str) -> tree_sitter::Tree {
        let source = Source { path, text: text.as_bytes() };
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&(language_of(source.path).expect("a language").grammar)()).expect("a grammar");
        parser.parse(text, None).expect("a tree")
    }

    #[test]
    fn every_grammar_has_its_own_numbers() {
        let texts =
            [("a.py", "def f(a): pass"), ("a.go", "package a\nfunc f(a int) {}"), ("a.rs", "fn f(a: u8) {}")];
        for _ in 0..2 {
            for (path, text) in texts {
                let tree = tree(path, text);
                let mut cursor = tree.walk();
                let root = tree.root_node();
                let function = root.children(&mut cursor).last().expect("a function");
                for name in ["name", "parameters", "body", "nothing"] {
                    assert_eq!(function.field(name), function.child_by_field_name(name), "{path} {name}");
                }
            }
        }
    }
}
