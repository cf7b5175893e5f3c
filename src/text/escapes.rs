//! What another program printed, without what commands a terminal.

use std::iter::Peekable;
use std::str::Chars;

/// What a terminal would show of a line, with its colours. Tabs stay.
pub fn only_colours(line: &str) -> String {
    // A carriage return begins the line again: what came last is seen.
    let last = line.rsplit('\r').find(|part| !part.is_empty()).unwrap_or_default();
    let mut shown = String::with_capacity(last.len());
    let mut coloured = false;
    let mut chars = last.chars().peekable();
    while let Some(c) = chars.next() {
        match escape(c, &mut chars) {
            Some(Escape::Control) => {
                if let Some(colour) = control_sequence(&mut chars) {
                    coloured = true;
                    shown.push_str(&format!("\x1b[{colour}m"));
                }
            }
            Some(Escape::Text) => skip_text(&mut chars),
            Some(Escape::Other) => {}
            None if c.is_control() && c != '\t' => {}
            None if super::is_unsafe(c) => shown.push('\u{fffd}'),
            None => shown.push(c),
        }
    }
    if coloured {
        shown.push_str("\x1b[0m");
    }
    shown
}

/// A text without colours and other escape sequences. Line ends become `\n`.
pub fn plain(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match escape(c, &mut chars) {
            Some(Escape::Control) => drop(control_sequence(&mut chars)),
            Some(Escape::Text) => skip_text(&mut chars),
            Some(Escape::Other) => {}
            None if c == '\r' => shown.extend((chars.peek() != Some(&'\n')).then_some('\n')),
            None => shown.push(c),
        }
    }
    shown
}

enum Escape {
    /// `ESC [`: parameters and one letter.
    Control,
    /// `ESC ]` and its kind: any text up to a terminator, such as the title of the window.
    Text,
    /// Two or three characters.
    Other,
}

/// Which escape begins with `c`, read up to its kind.
fn escape(c: char, chars: &mut Peekable<Chars<'_>>) -> Option<Escape> {
    match c {
        '\u{9b}' => Some(Escape::Control),
        '\u{90}' | '\u{98}' | '\u{9d}' | '\u{9e}' | '\u{9f}' => Some(Escape::Text),
        '\x1b' => {
            while chars.next_if(|c| (' '..='/').contains(c)).is_some() {}
            Some(match chars.next_if(|c| ('0'..='~').contains(c)) {
                Some('[') => Escape::Control,
                Some(']' | 'P' | 'X' | '^' | '_') => Escape::Text,
                _ => Escape::Other,
            })
        }
        _ => None,
    }
}

/// The parameters of a colour; `None` of any other sequence.
fn control_sequence(chars: &mut Peekable<Chars<'_>>) -> Option<String> {
    let mut parameters = String::new();
    while let Some(c) = chars.next_if(|c| (' '..='?').contains(c)) {
        parameters.push(c);
    }
    let last = chars.next_if(|c| ('@'..='~').contains(c))?;
    let simple = parameters.chars().all(|c| c.is_ascii_digit() || c == ';' || c == ':');
    (last == 'm' && simple).then_some(parameters)
}

fn skip_text(chars: &mut Peekable<Chars<'_>>) {
    while let Some(c) = chars.next() {
        match c {
            '\x07' | '\u{9c}' => return,
            '\x1b' if chars.next_if_eq(&'\\').is_some() => return,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn colours_stay_and_are_closed() {
        assert_eq!(only_colours("\x1b[1;31mFAIL\x1b[0m a"), "\x1b[1;31mFAIL\x1b[0m a\x1b[0m");
        assert_eq!(only_colours("\x1b[38:2:1:2:3mx"), "\x1b[38:2:1:2:3mx\x1b[0m");
        assert_eq!(only_colours("a\tb"), "a\tb");
    }

    #[test]
    fn plain_text_has_neither_colours_nor_links() {
        assert_eq!(plain("\x1b[31m\x1b[1mexpect\x1b[22m(1)\x1b[39m"), "expect(1)");
        assert_eq!(plain("a\x1b]8;;file:///x\x07b\x1b]8;;\x1b\\c"), "abc");
        assert_eq!(plain("a\r\nb\rc"), "a\nb\nc");
        assert_eq!(plain("[1] [31m"), "[1] [31m");
        assert_eq!(plain("\x1b["), "");
    }

    #[test]
    fn whatever_else_commands_a_terminal_goes() {
        assert_eq!(only_colours("\x1b[2J\x1b[Hgone\x1b[3A"), "gone");
        assert_eq!(only_colours("\x1b]0;title\x07one\x1b]8;;http://x\x1b\\two"), "onetwo");
        assert_eq!(only_colours("\x1b[?25lhidden\x1b(B\x1bc"), "hidden");
        assert_eq!(only_colours("\u{9b}2Jx\u{9d}0;t\u{9c}y"), "xy");
        assert_eq!(only_colours("bell\x07 back\x08"), "bell back");
        assert_eq!(only_colours("\x1b]0;never closed"), "");
        assert_eq!(only_colours("a\u{202e}b"), "a\u{fffd}b");
        assert_eq!(only_colours("cut\x1b["), "cut");
    }

    #[test]
    fn a_line_that_was_written_again_shows_its_last_state() {
        assert_eq!(only_colours("10 %\r50 %\r100 %\r"), "100 %");
        assert_eq!(only_colours("\r\r"), "");
    }

    #[test]
    fn commands_to_a_build_server_are_the_childs_own() {
        assert_eq!(only_colours("::error::x ##vso[y]"), "::error::x ##vso[y]");
    }

    proptest! {
        #[test]
        fn no_other_escape_is_left(line in "[\\x1b\\x07\\r\\u{9b}\\]\\[;m0-9A-Ka-c?\\\\ ]{0,40}") {
            let shown = only_colours(&line);
            for part in shown.split('\x1b').skip(1) {
                let parameters = part.strip_prefix('[').and_then(|rest| rest.split_once('m'));
                prop_assert!(parameters.is_some_and(|(p, _)| p.chars().all(|c| c.is_ascii_digit() || c == ';')));
            }
            let escapes = ['\x1b', '\u{9b}'];
            prop_assert!(!plain(&line).contains(escapes));
        }
    }
}
