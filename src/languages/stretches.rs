//! Stretches of a file whose checks are muted though no single node spans them: what follows a `return` in its block.

use std::borrow::Cow;
use std::ops::Range;

use tree_sitter::Node;

use super::expression::tidy;
use super::{Builder, Source};
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

/// The beginning of a stretch of the file, as much of it as anybody reads of a value, on one line. What is longer is not
/// even looked at: values can be nested in values.
pub fn excerpt(source: Source<'_>, bytes: Range<usize>) -> String {
    tidy(&clipped(source, bytes, 400))
}

/// The beginning of a stretch of the file.
pub fn clipped<'a>(source: Source<'a>, bytes: Range<usize>, limit: usize) -> Cow<'a, str> {
    let end = bytes.end.min(bytes.start.saturating_add(limit));
    String::from_utf8_lossy(source.text.get(bytes.start..end).unwrap_or_default())
}

/// Whether a text has `name` as a word of its own.
pub fn is_named_in(text: &[u8], name: &str) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..);
    text.split(|byte| !is_part(byte)).any(|word| word == name.as_bytes())
}
