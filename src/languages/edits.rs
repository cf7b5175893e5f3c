//! What an edit did to a text, as the parser wants to hear it.

use std::ops::Range;

use tree_sitter::{InputEdit, Point};

use crate::collections::HashMap;

/// The edits that lead from one text to the other, in lines, the last one first: so the places of the earlier ones still
/// hold when it is applied.
pub fn between(before: &[u8], after: &[u8]) -> Vec<InputEdit> {
    let (old, new) = (lines(before), lines(after));
    let mut edits = Vec::new();
    let (mut byte, mut row) = (0, 0);
    for (gone, come) in differing(&old, &new) {
        byte += length(&old[row..gone.start]);
        edits.push(edit(byte, gone.start, &old[gone.clone()], &new[come]));
        byte += length(&old[gone.clone()]);
        row = gone.end;
    }
    edits.reverse();
    edits
}

/// So many steps the parser may take over comments while it puts the old tree aside.
const MAX_STEPS: usize = 16_000_000;

/// Whether a parser that is given the old tree is sure to be quick: for each token that is gone it goes back over all
/// comments in a row before it. To comment out a whole file would take the square of its length.
pub fn are_worth_following(edits: &[InputEdit], after: &[u8]) -> bool {
    let gone: usize = edits.iter().map(|edit| edit.old_end_byte - edit.start_byte).sum();
    let opens = |pair: &&[u8]| matches!(pair, [b'#', _] | [b'/', b'/' | b'*']);
    gone.saturating_mul(after.windows(2).filter(opens).count()) <= MAX_STEPS
}

/// Whether two texts are the same but for what the edits touch.
pub fn lead(edits: &[InputEdit], before: &[u8], after: &[u8]) -> bool {
    let (mut old, mut new) = (0, 0);
    let mut are_equal = true;
    for edit in edits.iter().rev() {
        let kept = edit.start_byte - old;
        are_equal &= before.get(old..old + kept) == after.get(new..new + kept);
        new += kept + edit.new_end_byte - edit.start_byte;
        old = edit.old_end_byte;
    }
    are_equal && before.get(old..) == after.get(new..)
}

type Hunk = (Range<usize>, Range<usize>);

/// The stretches of lines that differ. Lines that stand once in each text tell which parts belong together; what is
/// equal around them is found from there.
fn differing(old: &[&[u8]], new: &[&[u8]]) -> Vec<Hunk> {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old_end, new_end) = (old.len() - tail, new.len() - tail);
    let mut hunks = Vec::new();
    let (mut at_old, mut at_new) = (head, head);
    for (a, b) in anchors(&old[head..old_end], &new[head..new_end]) {
        let (a, b) = (a + head, b + head);
        // What is equal just before it was already taken together with it.
        if a < at_old || b < at_new {
            continue;
        }
        let back = (1..=(a - at_old).min(b - at_new)).take_while(|&n| old[a - n] == new[b - n]).count();
        hunks.push((at_old..a - back, at_new..b - back));
        let on = old[a..old_end].iter().zip(&new[b..new_end]).take_while(|(a, b)| a == b).count();
        (at_old, at_new) = (a + on, b + on);
    }
    hunks.push((at_old..old_end, at_new..new_end));
    hunks.retain(|(gone, come)| !gone.is_empty() || !come.is_empty());
    hunks
}

/// Pairs of equal lines that stand once in each text, in an order that both texts have.
fn anchors(old: &[&[u8]], new: &[&[u8]]) -> Vec<(usize, usize)> {
    let mut places: HashMap<&[u8], (u32, usize, u32, usize)> = HashMap::with_capacity(old.len());
    for (at, line) in old.iter().enumerate() {
        let place = places.entry(line).or_default();
        (place.0, place.1) = (place.0 + 1, at);
    }
    for (at, line) in new.iter().enumerate() {
        if let Some(place) = places.get_mut(line) {
            (place.2, place.3) = (place.2 + 1, at);
        }
    }
    let mut pairs: Vec<(usize, usize)> = places
        .into_values()
        .filter(|&(in_old, _, in_new, _)| in_old == 1 && in_new == 1)
        .map(|(_, at_old, _, at_new)| (at_old, at_new))
        .collect();
    pairs.sort_unstable();
    longest_rising(&pairs)
}

/// The longest run of pairs, sorted by their first number, whose second number rises too.
fn longest_rising(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // For each length the pair that ends a run of it lowest, and for each pair the one before it in its run.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (index, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|&end| pairs[end].1 < pair.1);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        if length == ends.len() {
            ends.push(index);
        } else {
            ends[length] = index;
        }
    }
    let mut run: Vec<(usize, usize)> = std::iter::successors(ends.last().copied(), |&index| before[index])
        .map(|index| pairs[index])
        .collect();
    run.reverse();
    run
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|&byte| byte == b'\n').collect()
}

fn length(lines: &[&[u8]]) -> usize {
    lines.iter().map(|line| line.len()).sum()
}

fn edit(byte: usize, row: usize, old: &[&[u8]], new: &[&[u8]]) -> InputEdit {
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Applies edits as the parser would: the last one first.
    fn applied(before: &[u8], after: &[u8]) -> Vec<u8> {
        let mut text = before.to_vec();
        let edits = between(before, after);
        // Where the new text of an edit starts once all that come before it have been applied.
        let mut shift: Vec<isize> = Vec::new();
        for edit in edits.iter().rev() {
            let last = shift.last().copied().unwrap_or(0);
            shift.push(last + edit.new_end_byte as isize - edit.old_end_byte as isize);
        }
        for (index, edit) in edits.iter().enumerate() {
            let moved = (edits.len() - 1 - index).checked_sub(1).map_or(0, |earlier| shift[earlier]);
            let start = edit.start_byte.checked_add_signed(moved).expect("a place in the text");
            let new = &after[start..start + (edit.new_end_byte - edit.start_byte)];
            text.splice(edit.start_byte..edit.old_end_byte, new.iter().copied());
        }
        text
    }

    #[test]
    fn far_apart_changes_are_edits_of_their_own() {
        let before: String = (0..100).map(|n| format!("line {n}\n")).collect();
        let after = before.replace("line 3\n", "").replace("line 80\n", "line 80\nmore\n");
        let edits = between(before.as_bytes(), after.as_bytes());
        assert_eq!(edits.len(), 2);
        assert_eq!((edits[0].start_position.row, edits[1].start_position.row), (81, 3));
        assert_eq!(applied(before.as_bytes(), after.as_bytes()), after.as_bytes());
    }

    #[test]
    fn a_file_that_is_commented_out_is_read_afresh() {
        let before = "it('a', () => {\n  expect(f(1)).toBe(1)\n})\n".repeat(1000);
        let commented: String = before.lines().map(|line| format!("// {line}\n")).collect();
        let edited = commented.replacen("it('a'", "it('b'", 1);
        let follows = |before: &str, after: &str| {
            let (before, after) = (before.as_bytes(), after.as_bytes());
            are_worth_following(&between(before, after), after)
        };
        assert!(!follows(&before, &commented));
        assert!(follows(&commented, &edited), "a small edit beside many comments");
        assert!(follows(&before, &before.replace("f(1)", "f(2)")), "a large edit without comments");
    }

    proptest! {
        #[test]
        fn the_edits_lead_from_one_text_to_the_other(before in "[a-e\n]{0,60}", after in "[a-e\n]{0,60}") {
            prop_assert_eq!(applied(before.as_bytes(), after.as_bytes()), after.as_bytes());
            let edits = between(before.as_bytes(), after.as_bytes());
            prop_assert!(lead(&edits, before.as_bytes(), after.as_bytes()));
            let other = format!("{before}f");
            prop_assert!(!lead(&edits, other.as_bytes(), after.as_bytes()));
        }
    }
}
