//! Small looks at nodes that never cost more than a bounded piece of text.

use std::borrow::Cow;
use std::ops::Range;

use tree_sitter::Node;

use crate::languages::Source;
use crate::languages::fields::Fields;
use crate::text::lossy;

/// As much of a node's text is looked at.
const LOOK: usize = 512;

pub fn child<'t>(node: Node<'t>, field: &'static str) -> Option<Node<'t>> {
    node.field(field)
}

pub fn first_named<'t>(node: Node<'t>) -> Option<Node<'t>> {
    node.named_child(0)
}

/// The start of a node's text; the rest of long ones is nobody's business.
pub fn text<'a>(source: &Source<'a>, node: Node<'_>) -> Cow<'a, str> {
    head(source, node.byte_range(), LOOK)
}

pub fn head<'a>(source: &Source<'a>, range: Range<usize>, limit: usize) -> Cow<'a, str> {
    let end = range.end.min(range.start.saturating_add(limit));
    lossy(source.text.get(range.start..end).unwrap_or_default())
}

/// The end of a stretch: of a chain of calls, the last name stands there.
pub fn tail<'a>(source: &Source<'a>, range: Range<usize>, limit: usize) -> Cow<'a, str> {
    let start = range.start.max(range.end.saturating_sub(limit));
    lossy(source.text.get(start..range.end).unwrap_or_default())
}

/// The names of a callee after its last bracket: `a.b` of `f(x).a.b`.
pub fn path_of(callee: &str) -> &str {
    let start = callee.rfind([')', ']', '}', '"', '\'', '`']).map_or(0, |at| at + 1);
    callee[start..].trim_matches(|c: char| matches!(c, '.' | '?' | '!' | ':') || c.is_whitespace())
}

/// The last name of a path.
pub fn last_name(path: &str) -> &str {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let end = path.trim_end_matches(|c: char| !is_part(c));
    let start = end
        .rfind(|c: char| !is_part(c))
        .map_or(0, |at| at + end[at..].chars().next().map_or(1, char::len_utf8));
    &end[start..]
}
