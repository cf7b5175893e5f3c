//! What packs remember to tell whether a check can fail its test: nodes that are muted, names that nobody uses.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use tree_sitter::Node;

use crate::collections::HashMap;
use crate::facts::Reach;

/// Nodes that the walk has yet to reach, and why the checks in them do not count.
#[derive(Default)]
pub struct Mutes(HashMap<usize, Reach>);

impl Mutes {
    pub fn insert(&mut self, node: Node<'_>, why: Reach) {
        self.0.insert(node.id(), why);
    }

    pub fn take(&mut self, node: Node<'_>) -> Option<Reach> {
        if self.0.is_empty() { None } else { self.0.remove(&node.id()) }
    }
}

/// The names in the test at hand, counted when the first is asked for. Kept as hashes: should two names share one, a
/// function counts as used.
#[derive(Default)]
pub struct Names {
    test: Range<usize>,
    counts: Option<HashMap<u64, u32>>,
}

impl Names {
    /// Starts over for a test, unless it is inside the last one.
    pub fn of_test(&mut self, test: Range<usize>) {
        if test.start >= self.test.end {
            *self = Self { test, counts: None };
        }
    }

    /// Whether nothing in the test but its definition has this name.
    pub fn is_lonely(&mut self, name: &str, text: &[u8]) -> bool {
        let range = self.test.clone();
        let counts = self.counts.get_or_insert_with(|| count(text.get(range).unwrap_or_default()));
        // By these a function can be found without being named.
        let hidden = ["locals", "globals", "exec", "eval", "getsource", "vars"];
        let is_hidden = hidden.iter().any(|way| counts.contains_key(&hash(way.as_bytes())));
        counts.get(&hash(name.as_bytes())) == Some(&1) && !is_hidden
    }
}

fn count(text: &[u8]) -> HashMap<u64, u32> {
    let mut counts = HashMap::new();
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'$' || *byte >= 0x80;
    for word in text.split(|byte| !is_part(byte)).filter(|word| !word.is_empty()) {
        *counts.entry(hash(word)).or_insert(0) += 1;
    }
    counts
}

fn hash(word: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    word.hash(&mut hasher);
    hasher.finish()
}
