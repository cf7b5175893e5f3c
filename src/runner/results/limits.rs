//! How much of a text a result keeps.

/// The longest message, and the longest stack.
pub const MESSAGE: usize = 16 * 1024;
pub const STACK: usize = 64 * 1024;
/// The longest name.
pub const NAME: usize = 4 * 1024;

/// The beginning of a text, at most so many bytes.
pub fn cut(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_between_characters() {
        assert_eq!(cut("aé", 2), "a");
        assert_eq!(cut("ab", 9), "ab");
    }
}
