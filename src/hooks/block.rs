//! Marked lines in a file that belongs to someone else: put in, found and taken out again byte by byte.

use std::ops::Range;

/// What taking the lines out again must undo besides; written into the first line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Began {
    Plain,
    /// The text before had no line break at its end.
    Joined,
    /// There was no file.
    Made,
}

const BEGINNINGS: [(&str, Began); 3] = [
    ("# >>> aiwg-gate >>>", Began::Plain),
    ("# >>> aiwg-gate (and the line break before) >>>", Began::Joined),
    ("# >>> aiwg-gate (and this file) >>>", Began::Made),
];
const END: &str = "# <<< aiwg-gate <<<";

/// A block has lost one of its marks.
#[derive(Debug, PartialEq, Eq)]
pub struct Unfinished;

/// What is left of a file.
#[derive(Debug, PartialEq, Eq)]
pub enum Rest {
    /// There was no block.
    Untouched,
    Text(Vec<u8>),
    /// The file was made for the block and holds nothing else.
    Nothing,
}

#[derive(Debug)]
struct Block {
    whole: Range<usize>,
    body: Range<usize>,
    began: Began,
}

/// The text with `body` as its block: in the old place, or at the end. A new file starts with `preamble`.
pub fn put(text: Option<&[u8]>, preamble: &str, body: &str) -> Result<Vec<u8>, Unfinished> {
    let Some(text) = text else { return Ok(join(preamble.as_bytes(), Began::Made, body)) };
    if let Some(block) = find(text)? {
        let before = text[..block.body.start].to_vec();
        return Ok([&before, body.as_bytes(), &text[block.body.end..]].concat());
    }
    match text.last() {
        None | Some(b'\n') => Ok(join(text, Began::Plain, body)),
        Some(_) => Ok(join(&[text, b"\n"].concat(), Began::Joined, body)),
    }
}

fn join(before: &[u8], began: Began, body: &str) -> Vec<u8> {
    let first = BEGINNINGS.iter().find(|(_, of)| *of == began).map_or("", |(line, _)| line);
    [before, first.as_bytes(), b"\n", body.as_bytes(), END.as_bytes(), b"\n"].concat()
}

/// The text without its block, as it was before.
pub fn take(text: &[u8], preamble: &str) -> Result<Rest, Unfinished> {
    let Some(block) = find(text)? else { return Ok(Rest::Untouched) };
    let (before, after) = (&text[..block.whole.start], &text[block.whole.end..]);
    Ok(match block.began {
        Began::Made if before == preamble.as_bytes() && after.is_empty() => Rest::Nothing,
        // With lines added behind, the line break has become theirs.
        Began::Joined if after.is_empty() => {
            Rest::Text(before.strip_suffix(b"\n").unwrap_or(before).to_vec())
        }
        _ => Rest::Text([before, after].concat()),
    })
}

/// The lines between the marks.
pub fn body(text: &[u8]) -> Result<Option<&[u8]>, Unfinished> {
    Ok(find(text)?.map(|block| &text[block.body]))
}

/// The lines before the marks, or all where there is no block.
pub fn before(text: &[u8]) -> &[u8] {
    match find(text) {
        Ok(Some(block)) => &text[..block.whole.start],
        _ => text,
    }
}

fn find(text: &[u8]) -> Result<Option<Block>, Unfinished> {
    let mut open: Option<(usize, usize, Began)> = None;
    let mut start = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let end = start + line.len();
        let content = line.trim_ascii_end();
        if let Some((_, began)) = BEGINNINGS.iter().find(|(mark, _)| mark.as_bytes() == content) {
            open = Some((start, end, *began));
        } else if content == END.as_bytes() {
            let (whole, body, began) = open.ok_or(Unfinished)?;
            return Ok(Some(Block { whole: whole..end, body: body..start, began }));
        }
        start = end;
    }
    if open.is_some() { Err(Unfinished) } else { Ok(None) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_comes_back_byte_by_byte() {
        for text in ["", "\n", "one", "one\n", "one\n\n", "one\r\ntwo", "# <<<\n"] {
            let with = put(Some(text.as_bytes()), "#!/bin/sh\n", "body\n").expect("a block");
            let again = put(Some(&with), "#!/bin/sh\n", "other body\n").expect("a block");
            assert_eq!(body(&again), Ok(Some(&b"other body\n"[..])));
            assert_eq!(take(&again, "#!/bin/sh\n"), Ok(Rest::Text(text.as_bytes().to_vec())));
        }
    }

    #[test]
    fn a_file_made_for_the_block_goes_with_it_unless_someone_added_lines() {
        let made = put(None, "#!/bin/sh\n", "body\n").expect("a block");
        assert_eq!(take(&made, "#!/bin/sh\n"), Ok(Rest::Nothing));
        let added = [&made[..], b"more\n"].concat();
        assert_eq!(take(&added, "#!/bin/sh\n"), Ok(Rest::Text(b"#!/bin/sh\nmore\n".to_vec())));
    }

    #[test]
    fn lines_added_behind_stay_lines_of_their_own() {
        let with = put(Some(b"one"), "", "body\n").expect("a block");
        let added = [&with[..], b"two\n"].concat();
        assert_eq!(take(&added, ""), Ok(Rest::Text(b"one\ntwo\n".to_vec())));
    }

    #[test]
    fn half_a_block_is_nobodys_to_remove() {
        assert_eq!(take(b"# >>> aiwg-gate >>>\nbody\n", ""), Err(Unfinished));
        assert_eq!(take(b"body\n# <<< aiwg-gate <<<\n", ""), Err(Unfinished));
        assert_eq!(take(b"no block\n", ""), Ok(Rest::Untouched));
    }
}
