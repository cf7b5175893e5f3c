//! A text of which some places are written in another way, byte for byte as long: a tree of the one fits the other.

use crate::text::occurrences;

pub(super) struct Respelled<'t> {
    text: &'t [u8],
    mended: Option<Vec<u8>>,
}

impl<'t> Respelled<'t> {
    pub fn new(text: &'t [u8]) -> Self {
        Self { text, mended: None }
    }

    /// The text once more, where anything of it is written in another way.
    pub fn finish(self) -> Option<Vec<u8>> {
        self.mended
    }

    /// Writes over what stands at a place.
    pub fn put(&mut self, at: usize, bytes: &[u8]) {
        let mended = self.mended.get_or_insert_with(|| self.text.to_vec());
        if let Some(place) = mended.get_mut(at..at + bytes.len()) {
            place.copy_from_slice(bytes);
        }
    }

    /// Leaves white space from one place up to another; line breaks stay.
    pub fn blank(&mut self, from: usize, to: usize) {
        let mended = self.mended.get_or_insert_with(|| self.text.to_vec());
        let place = mended.get_mut(from..to).unwrap_or_default();
        place.iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
    }

    /// Where a part starts, each time that it is not the end of a longer word.
    pub fn words(&self, part: &'static str) -> impl Iterator<Item = usize> + use<'t> {
        let text = self.text;
        occurrences(text, part.as_bytes()).filter(move |&at| at == 0 || !is_word(text[at - 1]))
    }

    pub fn text(&self) -> &'t [u8] {
        self.text
    }
}

pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$'
}
