//! Output of tools without what only a terminal wants.

/// The longest message, and the longest stack, that a result keeps.
pub const MESSAGE: usize = 16 * 1024;
pub const STACK: usize = 64 * 1024;
/// The longest name.
pub const NAME: usize = 4 * 1024;

/// A text without colours and other escape sequences. Line ends become `\n`.
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\u{1b}' => skip_escape(&mut rest),
            '\u{9b}' => skip_parameters(&mut rest),
            '\r' => {
                if rest.peek() != Some(&'\n') {
                    out.push('\n');
                }
            }
            _ => out.push(c),
        }
    }
    out
}

fn skip_escape(rest: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    match rest.next() {
        Some('[') => skip_parameters(rest),
        // Titles and links end with a bell or with escape and backslash.
        Some(']') => {
            while let Some(c) = rest.next() {
                if c == '\u{7}' || (c == '\u{1b}' && rest.next_if_eq(&'\\').is_some()) {
                    return;
                }
            }
        }
        Some('(' | ')') => {
            rest.next();
        }
        _ => (),
    }
}

fn skip_parameters(rest: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    while rest.next_if(|c| (' '..='?').contains(c)).is_some() {}
    rest.next_if(|c| ('@'..='~').contains(c));
}

/// The beginning of a text, at most so many bytes.
pub fn cut(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_and_links_are_dropped_and_the_text_stays() {
        assert_eq!(plain("\u{1b}[31m\u{1b}[1mexpect\u{1b}[22m(1)\u{1b}[39m"), "expect(1)");
        assert_eq!(plain("a\u{1b}]8;;file:///x\u{7}b\u{1b}]8;;\u{1b}\\c"), "abc");
        assert_eq!(plain("a\r\nb\rc"), "a\nb\nc");
        assert_eq!(plain("[1] [31m"), "[1] [31m");
        assert_eq!(plain("\u{1b}["), "");
    }

    #[test]
    fn a_text_is_cut_between_characters() {
        assert_eq!(cut("aé", 2), "a");
        assert_eq!(cut("ab", 9), "ab");
    }
}
