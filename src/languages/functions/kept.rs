//! What an edit left alone: functions of another version of a file that stand in this one as they were, some lines further
//! up or down. What is known of them need not be found out again.

use std::ops::Range;

use tree_sitter::{InputEdit, Node};

use crate::facts::{Function, Shift};

/// The functions of another version, and how its text became this one.
pub(in crate::languages) struct Kept<'a> {
    functions: &'a [Function],
    stretches: Vec<Stretch>,
}

/// Bytes of the new text that the old one has, too, as whole lines.
struct Stretch {
    new: Range<usize>,
    shift: Shift,
}

impl<'a> Kept<'a> {
    /// `edits` lead from the old text to the new one, the last one first.
    pub fn new(functions: &'a [Function], edits: &[InputEdit]) -> Self {
        let (mut stretches, mut at) = (Vec::with_capacity(edits.len() + 1), 0);
        let mut shift = Shift::default();
        for edit in edits.iter().rev() {
            stretches.push(Stretch { new: at..edit.start_byte.saturating_add_signed(shift.bytes), shift });
            shift.bytes += edit.new_end_byte as isize - edit.old_end_byte as isize;
            shift.lines += edit.new_end_position.row as i64 - edit.old_end_position.row as i64;
            at = edit.old_end_byte.saturating_add_signed(shift.bytes);
        }
        stretches.push(Stretch { new: at..usize::MAX, shift });
        Self { functions, stretches }
    }

    /// The function that stood where a node stands now, with those inside of it, and how far they moved.
    pub fn at(&self, node: Node<'_>, name: &str) -> Option<(&'a [Function], Shift)> {
        let new = node.byte_range();
        let before = self.stretches.partition_point(|stretch| stretch.new.start <= new.start);
        let stretch = self.stretches[..before].last().filter(|stretch| new.end <= stretch.new.end)?;
        let back = |byte: usize| byte.saturating_add_signed(-stretch.shift.bytes);
        let whole = back(new.start)..back(new.end);
        // The first one is the file itself.
        let listed = self.functions.get(1..)?;
        let from = &listed[listed.partition_point(|one| one.whole.start < whole.start)..];
        from.first().filter(|one| one.whole == whole && one.name == name)?;
        let inside = from.iter().take_while(|one| one.whole.start < whole.end).count();
        Some((&from[..inside], stretch.shift))
    }

    /// The comments of the old text within some of its bytes.
    pub fn comments(&self, within: &Range<usize>) -> &'a [Range<usize>] {
        let all = self.functions.first().map_or(&[][..], |file| &file.comments);
        let first = all.partition_point(|comment| comment.start < within.start);
        let count = all[first..].iter().take_while(|comment| comment.start < within.end).count();
        &all[first..first + count]
    }
}
