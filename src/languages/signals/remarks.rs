//! Comments: where they stand, what is left to do, and strings that serve as comments.

use tree_sitter::Node;

use super::directives;
use super::walk::{LIST_LIMIT, Reader};
use crate::facts::{Remark, Todo};
use crate::languages::line_of;

/// Words that mark work left for later. They count in capitals only: "todo" is also a word of prose.
const MARKS: [&str; 4] = ["TODO", "FIXME", "HACK", "XXX"];

/// As much of a todo is kept.
const TEXT_LIMIT: usize = 120;

/// As many comments of a file are looked at.
const REMARK_LIMIT: usize = 200_000;

pub fn comment(reader: &mut Reader<'_, '_>, node: Node<'_>) {
    if reader.signals.remarks.len() >= REMARK_LIMIT {
        return;
    }
    let text = reader.source.text_of(node);
    add(reader, node, is_documentation(text));
    todos(reader, node, text);
    directives::comment(reader, node, text);
}

/// Comments that documentation tools read.
fn is_documentation(text: &str) -> bool {
    let block = text.starts_with("/**") && !text.starts_with("/**/");
    block || text.starts_with("///") || text.starts_with("//!") || text.starts_with("/*!")
}

fn add(reader: &mut Reader<'_, '_>, node: Node<'_>, documents: bool) {
    let (start, end) = (node.start_byte() as u32, node.end_byte() as u32);
    reader.signals.remarks.push(Remark { start, end, documents });
}

fn todos(reader: &mut Reader<'_, '_>, node: Node<'_>, text: &str) {
    if !says_mark(text.as_bytes()) {
        return;
    }
    for (offset, line) in text.lines().enumerate() {
        if is_todo(line) && reader.signals.todos.len() < LIST_LIMIT {
            let words = line.trim().trim_start_matches(['/', '#', '*', '!', ' ', '{']);
            let text = crate::text::clipped(words.trim_end_matches(['*', '/', '}']).trim(), TEXT_LIMIT);
            reader.signals.todos.push(Todo { line: line_of(node) + offset as u32, text });
        }
    }
}

/// Whether any mark may stand in a comment. Nearly none has one, and there are more comments than anything else.
fn says_mark(text: &[u8]) -> bool {
    let begins = |at: usize| MARKS.iter().any(|mark| text[at..].starts_with(mark.as_bytes()));
    text.iter().enumerate().any(|(at, byte)| matches!(byte, b'T' | b'F' | b'H' | b'X') && begins(at))
}

/// Whether a mark stands in the line as a word of its own.
fn is_todo(line: &str) -> bool {
    MARKS.iter().any(|mark| {
        line.match_indices(mark).any(|(at, _)| {
            let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
            !line[..at].ends_with(is_name) && !line[at + mark.len()..].starts_with(is_name)
        })
    })
}

/// A string that nothing uses: a docstring of Python, or code that was quoted away.
pub fn text_statement(reader: &mut Reader<'_, '_>, node: Node<'_>) {
    if reader.language == "python"
        && node.named_child_count() == 1
        && node.named_child(0).is_some_and(|child| child.kind() == "string")
    {
        let first = reader.parent().and_then(|parent| parent.named_child(0)) == Some(node);
        add(reader, node, first);
    }
}
