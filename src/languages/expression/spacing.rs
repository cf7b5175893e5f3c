//! One way of spacing: what formatters and comments do to a text makes no difference.

use std::borrow::Cow;

use super::Pieces;

/// The text without comments, on one line, in one way of spacing and with one kind of quotes; `comment` opens a
/// comment up to the end of its line.
pub fn canonical(text: &str, comment: &str) -> String {
    let text = uncommented(text, comment);
    let mut spacing = Spacing::new(text.len());
    spacing.write(&text);
    spacing.out
}

/// A text being put into one way of spacing.
struct Spacing {
    out: String,
    /// For each open bracket whether a comma before its end means nothing, and the commas so far.
    open: Vec<(bool, usize)>,
    /// White space has been read and not been written.
    blank: bool,
}

impl Spacing {
    fn new(length: usize) -> Self {
        Self { out: String::with_capacity(length), open: Vec::new(), blank: false }
    }

    fn write(&mut self, text: &str) {
        for (at, byte, length) in Pieces::of(text) {
            match byte {
                _ if length > 1 => self.string(&text[at..at + length]),
                b' ' | b'\t' | b'\r' | b'\n' => self.blank = true,
                _ => self.byte(text, at, byte),
            }
        }
    }

    fn string(&mut self, text: &str) {
        self.space(text.as_bytes()[0], None);
        if let Some(inside) = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''))
            && !inside.contains(['"', '\\', '\'', '\n'])
        {
            self.out.push('"');
            self.out.push_str(inside);
            self.out.push('"');
            return;
        }
        let mut lines = text.split('\n');
        self.out.push_str(lines.next().unwrap_or_default());
        for line in lines {
            self.out.truncate(self.out.trim_end().len());
            self.out.push(' ');
            self.out.push_str(line.trim());
        }
    }

    fn byte(&mut self, text: &str, at: usize, byte: u8) {
        let next = text.as_bytes().get(at + 1).copied();
        match byte {
            b'(' | b'[' | b'{' => {
                let is_call =
                    !self.blank && self.last().is_some_and(|c| c.is_alphanumeric() || "_)]!>".contains(c));
                self.space(byte, next);
                self.open.push((byte != b'(' || is_call, 0));
            }
            b')' | b']' | b'}' => {
                let (free, mut commas) = self.open.pop().unwrap_or((false, 0));
                while (free || commas > 1) && self.last() == Some(',') {
                    self.out.pop();
                    commas = commas.saturating_sub(1);
                }
                self.space(byte, next);
            }
            b',' => {
                if let Some((_, commas)) = self.open.last_mut() {
                    *commas += 1;
                }
                self.space(byte, next);
            }
            _ => self.space(byte, next),
        }
        // Bytes of one letter follow each other; the letter is written with its first.
        if let Some(letter) = text.get(at..).and_then(|rest| rest.chars().next()) {
            self.out.push(letter);
        }
    }

    fn last(&self) -> Option<char> {
        self.out.chars().next_back()
    }

    /// Writes the blank that belongs before `byte`, if any.
    fn space(&mut self, byte: u8, next: Option<u8>) {
        let blank = std::mem::take(&mut self.blank);
        let Some(last) = self.last() else { return };
        let closes = matches!(byte, b')' | b']' | b'}' | b',' | b';');
        let is_member = byte == b'.' || byte == b'?' && next == Some(b'.');
        let follows = is_member && (last.is_alphanumeric() || "_)]}'\"`!".contains(last));
        if last == ',' && !closes || blank && !closes && !follows && !"([{".contains(last) {
            self.out.push(' ');
        }
    }
}

/// The text without comments and joined lines, `line` being what opens a comment up to the end of its line.
fn uncommented<'a>(text: &'a str, line: &str) -> Cow<'a, str> {
    if !text.contains(line) && !text.contains("/*") && !text.contains("\\\n") {
        return text.into();
    }
    let (mut out, mut skip_to) = (String::with_capacity(text.len()), 0);
    let mut pieces = Pieces::of(text);
    while let Some((at, _, length)) = pieces.next() {
        let rest = text.get(at..).unwrap_or_default();
        let end = match () {
            () if length > 1 => None,
            () if rest.starts_with(line) => Some(rest.find('\n').unwrap_or(rest.len())),
            () if line == "//" && rest.starts_with("/*") => {
                Some(rest.find("*/").map_or(rest.len(), |end| end + 2))
            }
            () if rest.starts_with("\\\n") => Some(2),
            () => None,
        };
        if let Some(end) = end {
            out.push_str(&text[skip_to..at]);
            out.push(' ');
            skip_to = at + end;
            pieces.at = skip_to;
        }
    }
    out.push_str(text.get(skip_to..).unwrap_or_default());
    out.into()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn spacing_does_not_matter() {
        for (text, expected) in [
            ("f(\n    a,\n    b,\n)", "f(a, b)"),
            ("f( a,b )", "f(a, b)"),
            ("client\n  .get('/')\n  ?.body", "client.get(\"/\")?.body"),
            ("{ a: 1, ...b }", "{a: 1, ...b}"),
            ("x in (a,)", "x in (a,)"),
            ("'a  b,c'", "\"a  b,c\""),
            ("`one\n    two`", "`one two`"),
            ("a  ==\n b", "a == b"),
            ("größe( é )", "größe(é)"),
        ] {
            assert_eq!(canonical(text, "//"), expected);
        }
    }

    #[test]
    fn comments_are_no_part_of_an_expression() {
        assert_eq!(uncommented("f(a, # it's\n b)", "#"), "f(a,  \n b)");
        assert_eq!(uncommented("f('#a') # b", "#"), "f('#a')  ");
        assert_eq!(uncommented("f('http://a', /* b */ c) // d", "//"), "f('http://a',   c)  ");
        assert_eq!(uncommented("a \\\n b", "#"), "a   b");
    }

    #[test]
    fn quotes_and_comments_are_settled() {
        assert_eq!(canonical("f('a', # why\n  'b\"', b'c')", "#"), "f(\"a\", 'b\"', b\"c\")");
        assert_eq!(canonical("f(a /* b */, 'it\\'s')", "//"), "f(a, 'it\\'s')");
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "\\PC*") {
            canonical(&text, "//");
        }

        #[test]
        fn spacing_is_settled_at_once(text in "[a(){}\\[\\],. \n]*") {
            let once = canonical(&text, "//");
            prop_assert_eq!(canonical(&once, "//"), once);
        }
    }
}
