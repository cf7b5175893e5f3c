//! Text from the repository made safe to print: names are data, never terminal commands.

use std::borrow::Cow;

/// Replaces control characters, except line breaks and tabs, and characters that reorder text.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_unsafe) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(|c| if is_unsafe(c) { '\u{fffd}' } else { c }).collect())
}

/// The same for text that must stay on one line.
pub fn one_line(text: &str) -> String {
    let flat = |c: char| if is_unsafe(c) || c == '\n' || c == '\t' { ' ' } else { c };
    text.chars().map(flat).collect()
}

/// `1 test`, `3 tests`
pub fn plural(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// Whether bytes stand somewhere in a text.
pub fn contains(text: &[u8], part: &[u8]) -> bool {
    part.is_empty() || text.windows(part.len()).any(|window| window == part)
}

fn is_unsafe(c: char) -> bool {
    let control = c.is_control() && c != '\n' && c != '\t';
    // Bidirectional overrides can make a name read as another one.
    let reorders = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}');
    control || reorders
}

/// A word as a POSIX shell reads it back, quoted only where it must be.
pub fn shell_quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:@%+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_do_not_reach_the_terminal() {
        assert_eq!(printable("a\x1b[31mb"), "a\u{fffd}[31mb");
        assert_eq!(printable("plain\tname\n"), "plain\tname\n");
    }

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(shell_quote("tests/test_a.py"), "tests/test_a.py");
        assert_eq!(shell_quote("it's; rm"), r"'it'\''s; rm'");
    }
}
