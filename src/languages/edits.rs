//! What an edit did to a text, as the parser wants to hear it.

use tree_sitter::{InputEdit, Point};

/// The edits that lead from one text to the other, in lines, the last one first: so the places of the earlier ones still
/// hold when it is applied.
pub fn between(before: &[u8], after: &[u8]) -> Vec<InputEdit> {
    let (old, new): (Vec<&[u8]>, Vec<&[u8]>) = (lines(before), lines(after));
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let tail = old[head..].iter().rev().zip(new[head..].iter().rev()).take_while(|(a, b)| a == b).count();
    let (old, new_end) = (&old[..old.len() - tail], new.len() - tail);
    let mut edits = Vec::new();
    let mut byte: usize = old[..head].iter().map(|line| line.len()).sum();
    if old.len() != new_end {
        edits.push(edit(byte, head, &old[head..], &new[head..new_end]));
        return edits;
    }
    // As many lines as before: most likely each in its place.
    let mut row = head;
    while row < new_end {
        let length = (row..new_end).take_while(|&row| old[row] != new[row]).count();
        if length > 0 {
            edits.push(edit(byte, row, &old[row..row + length], &new[row..row + length]));
        }
        byte += old[row..row + length.max(1)].iter().map(|line| line.len()).sum::<usize>();
        row += length.max(1);
    }
    edits.reverse();
    edits
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|&byte| byte == b'\n').collect()
}

fn edit(byte: usize, row: usize, old: &[&[u8]], new: &[&[u8]]) -> InputEdit {
    let length = |lines: &[&[u8]]| lines.iter().map(|line| line.len()).sum::<usize>();
    InputEdit {
        start_byte: byte,
        old_end_byte: byte + length(old),
        new_end_byte: byte + length(new),
        start_position: Point { row, column: 0 },
        old_end_position: end(row, old),
        new_end_position: end(row, new),
    }
}

/// Where the last of some lines ends: at the start of the next one, unless it is the last of the text.
fn end(row: usize, lines: &[&[u8]]) -> Point {
    match lines.last() {
        Some(last) if !last.ends_with(b"\n") => Point { row: row + lines.len() - 1, column: last.len() },
        _ => Point { row: row + lines.len(), column: 0 },
    }
}
