//! Stretches of a file whose checks are muted though no single node spans them: what follows a `return` in its block.

use std::ops::Range;

use tree_sitter::Node;

use super::Builder;
use crate::facts::Reach;

#[derive(Default)]
pub struct Stretches(Vec<(Range<usize>, Reach)>);

impl Stretches {
    /// Mutes what stands in these bytes. To be told before the walk gets there, outer stretches first.
    pub fn mute(&mut self, bytes: Range<usize>, why: Reach) {
        if !bytes.is_empty() {
            self.0.push((bytes, why));
        }
    }

    /// To be called for each node: opens the scope on the topmost nodes of a stretch.
    pub fn enter(&mut self, node: Node<'_>, facts: &mut Builder<'_>) {
        let start = node.start_byte();
        while self.0.last().is_some_and(|(bytes, _)| bytes.end <= start) {
            self.0.pop();
        }
        if let Some((bytes, why)) = self.0.last_mut()
            && bytes.start <= start
        {
            bytes.start = node.end_byte();
            facts.open_muted(node, *why);
        }
    }
}

/// The beginning of a text, as much of it as anybody reads of a value.
pub fn clipped(text: &str) -> &str {
    const LIMIT: usize = 400;
    if text.len() <= LIMIT {
        return text;
    }
    let end = (0..=LIMIT).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    &text[..end]
}
