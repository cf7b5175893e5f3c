//! Goes over a text without looking into strings, regular expressions and brackets.

/// Walks over a text in pieces: a byte that means something by itself, or a string or regular expression as a whole.
pub(super) struct Pieces<'a> {
    text: &'a [u8],
    pub(super) at: usize,
    /// The last byte that is no white space; 0 at the start.
    last: u8,
}

impl<'a> Pieces<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self { text: text.as_bytes(), at: 0, last: 0 }
    }
}

impl Iterator for Pieces<'_> {
    /// Where the piece starts, its first byte, its length.
    type Item = (usize, u8, usize);

    fn next(&mut self) -> Option<Self::Item> {
        let (at, byte) = (self.at, *self.text.get(self.at)?);
        let length = match byte {
            b'"' if hashes_before(&self.text[..at]) > 0 => {
                raw_length(&self.text[at..], hashes_before(&self.text[..at]))
            }
            b'"' | b'\'' | b'`' => string_length(&self.text[at..]),
            b'/' if may_precede_value(self.last) => regex_length(&self.text[at..]),
            _ => 1,
        };
        self.at += length;
        if !byte.is_ascii_whitespace() {
            self.last = byte;
        }
        Some((at, byte, length))
    }
}

/// Whether a `/` behind this byte opens a regular expression: there is nothing that could be divided.
fn may_precede_value(byte: u8) -> bool {
    matches!(byte, 0 | b'(' | b',' | b'=' | b':' | b'[' | b'!' | b'&' | b'|' | b'?' | b'{' | b';')
}

/// The length of the regular expression that starts here; 1 where there is none.
fn regex_length(text: &[u8]) -> usize {
    if matches!(text.get(1), None | Some(b'/' | b'*')) {
        return 1;
    }
    let (mut at, mut in_class) = (1, false);
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 1,
            b'[' => in_class = true,
            b']' => in_class = false,
            b'\n' => return 1,
            b'/' if !in_class => return at + 1,
            _ => {}
        }
        at += 1;
    }
    1
}

/// The places of `text` outside of brackets and strings, with the byte there.
pub(super) struct Level0<'a> {
    pieces: Pieces<'a>,
    depth: usize,
}

impl<'a> Level0<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self { pieces: Pieces::of(text), depth: 0 }
    }
}

impl Iterator for Level0<'_> {
    type Item = (usize, u8);

    fn next(&mut self) -> Option<(usize, u8)> {
        loop {
            let (at, byte, _) = self.pieces.next()?;
            let outside = self.depth == 0;
            match byte {
                b'(' | b'[' | b'{' => self.depth += 1,
                b')' | b']' | b'}' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
            if outside {
                return Some((at, byte));
            }
        }
    }
}

/// How many `#` of a raw string of Rust stand before its quote.
pub(super) fn hashes_before(text: &[u8]) -> usize {
    let hashes = text.iter().rev().take_while(|&&byte| byte == b'#').count();
    if text[..text.len() - hashes].ends_with(b"r") { hashes } else { 0 }
}

/// The length of a raw string of Rust, from its quote to the last `#`.
pub(super) fn raw_length(text: &[u8], hashes: usize) -> usize {
    let mut at = 1;
    while let Some(quote) = text.get(at..).and_then(|rest| rest.iter().position(|&byte| byte == b'"')) {
        at += quote + 1;
        let closing = text[at..].iter().take(hashes).take_while(|&&byte| byte == b'#').count();
        if closing == hashes {
            return at + hashes;
        }
    }
    text.len()
}

/// The length of the string that starts here; 1 where the quote is no start of one, as in Rust's `'a`.
pub(super) fn string_length(text: &[u8]) -> usize {
    let quote = text[0];
    let triple = [quote; 3];
    if text.starts_with(&triple) {
        let end = text[3..].windows(3).position(|window| window == triple);
        return end.map_or(text.len(), |end| end + 6);
    }
    let mut at = 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 1,
            b'\n' if quote == b'\'' => return 1,
            _ if byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    1
}
