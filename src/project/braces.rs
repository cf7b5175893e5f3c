//! Reads what stands in braces: JSON with or without comments, and the object literals of JavaScript and TypeScript
//! configuration files.
//!
//! Works on tokens, not on a grammar: `key: value` inside braces is an entry, calls around an object are looked
//! through, and everything else is passed over.

use super::document::{Document, MAX_DEPTH};

pub fn read(text: &str) -> Document {
    let mut reader = Reader { document: Document::default(), frames: vec![Frame::new('(')], line: 1 };
    let mut tokens = Tokens { text, at: 0, before: '(' };
    while let Some(token) = tokens.next() {
        if !reader.token(&token) {
            break;
        }
        reader.line += token.text.matches('\n').count() as u32;
    }
    reader.document
}

struct Frame {
    /// The bracket that opened it.
    by: char,
    key: Option<String>,
    /// Whether the key is the name of a variable, which holds for one list.
    is_assigned: bool,
    next: usize,
    /// What was read of the value so far.
    value: String,
    line: u32,
}

impl Frame {
    fn new(by: char) -> Self {
        Self { by, key: None, is_assigned: false, next: 0, value: String::new(), line: 0 }
    }
}

/// `browsers = [`: lists of what a runner goes through have names that say so, and stand in variables.
fn assigned(value: &str) -> Option<String> {
    const LISTS: &[&str] = &["browsers", "specs", "launchers", "projects", "capabilities"];
    let name = value.strip_suffix('=')?.trim_end().rsplit(' ').next()?;
    LISTS.contains(&name).then(|| name.to_owned())
}

struct Reader {
    document: Document,
    frames: Vec<Frame>,
    line: u32,
}

impl Reader {
    fn token(&mut self, token: &Token<'_>) -> bool {
        match (token.kind, token.text) {
            (Kind::Space, _) => {}
            (Kind::Comment, text) => {
                for (index, line) in text.lines().enumerate() {
                    let line = line.trim().trim_matches(['/', '*']);
                    self.document.remark(line, self.line + index as u32);
                }
            }
            (Kind::Mark, "{" | "[" | "(") => return self.open(token.text.chars().next().unwrap_or('(')),
            (Kind::Mark, "}" | "]" | ")") => {
                let goes_on = self.end();
                if self.frames.len() > 1 {
                    self.frames.pop();
                }
                if let Some(frame) = self.frames.last_mut().filter(|frame| frame.is_assigned) {
                    frame.is_assigned = false;
                    frame.key = None;
                }
                return goes_on;
            }
            (Kind::Mark, "," | ";") => return self.end(),
            (Kind::Mark, ":") => self.key(),
            (Kind::Text, text) => self.value(unescaped(text), token.line_shift + self.line),
            (_, text) => self.value(text.to_owned(), self.line),
        }
        true
    }

    fn value(&mut self, text: String, line: u32) {
        let Some(frame) = self.frames.last_mut() else { return };
        if frame.value.is_empty() {
            frame.line = line;
        } else {
            frame.value.push(' ');
        }
        frame.value.push_str(&text);
    }

    /// What was read so far turns out to be a key.
    fn key(&mut self) {
        let line = self.line;
        let Some(frame) = self.frames.last_mut().filter(|frame| frame.by == '{' && frame.key.is_none())
        else {
            return;
        };
        let name = std::mem::take(&mut frame.value);
        let name = name.rsplit(' ').next().unwrap_or_default().to_owned();
        frame.line = line;
        frame.key = Some(name);
        let path = self.path();
        self.document.push(path, "", line);
    }

    fn open(&mut self, by: char) -> bool {
        if let Some(frame) = self.frames.last_mut() {
            if by == '[' && frame.key.is_none() {
                frame.key = assigned(&frame.value);
                frame.is_assigned = frame.key.is_some();
            }
            frame.value.clear();
            if frame.by == '[' && frame.key.is_none() {
                frame.key = Some(format!("#{}", frame.next));
                frame.next += 1;
            }
        }
        self.frames.push(Frame::new(by));
        self.frames.len() <= 4 * MAX_DEPTH
    }

    fn end(&mut self) -> bool {
        let Some(frame) = self.frames.last_mut() else { return true };
        let value = std::mem::take(&mut frame.value);
        if frame.by == '[' && frame.key.is_none() && !value.is_empty() {
            frame.key = Some(format!("#{}", frame.next));
            frame.next += 1;
        }
        let mut goes_on = true;
        let line = frame.line;
        if frame.key.is_some() && !value.is_empty() {
            let path = self.path();
            // The key alone was noted when it was met.
            match self.document.entries.last_mut() {
                Some(last) if last.path == path && last.value.is_empty() => last.value = value,
                _ => goes_on = self.document.push(path, value, line),
            }
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.key = None;
        }
        goes_on
    }

    fn path(&self) -> Vec<String> {
        let keys = self.frames.iter().filter_map(|frame| frame.key.clone());
        keys.take(MAX_DEPTH).collect()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Space,
    Comment,
    Text,
    Word,
    Mark,
}

struct Token<'t> {
    kind: Kind,
    text: &'t str,
    line_shift: u32,
}

struct Tokens<'t> {
    text: &'t str,
    at: usize,
    /// The last character that was neither space nor comment.
    before: char,
}

impl<'t> Tokens<'t> {
    fn next(&mut self) -> Option<Token<'t>> {
        let rest = &self.text[self.at..];
        let first = rest.chars().next()?;
        let (kind, length) = self.measure(rest, first);
        let text = &rest[..length];
        self.at += length;
        if !matches!(kind, Kind::Space | Kind::Comment) {
            self.before = text.chars().next_back().unwrap_or(self.before);
        }
        Some(Token { kind, text, line_shift: 0 })
    }

    fn measure(&self, rest: &str, first: char) -> (Kind, usize) {
        match first {
            _ if first.is_whitespace() => (Kind::Space, length_of(rest, char::is_whitespace)),
            '/' if rest.starts_with("//") => (Kind::Comment, rest.find('\n').unwrap_or(rest.len())),
            '/' if rest.starts_with("/*") => {
                (Kind::Comment, rest[2..].find("*/").map_or(rest.len(), |end| end + 4))
            }
            '/' if "(,=:[!&|?{};".contains(self.before) => (Kind::Word, pattern(rest)),
            '"' | '\'' | '`' => (Kind::Text, quoted(rest, first)),
            '{' | '}' | '[' | ']' | '(' | ')' | ',' | ';' | ':' => (Kind::Mark, 1),
            _ if is_word(first) => (Kind::Word, length_of(rest, is_word)),
            _ => (Kind::Word, first.len_utf8()),
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | '-' | '+' | '*' | '!' | '@')
}

fn length_of(text: &str, is_part: impl Fn(char) -> bool) -> usize {
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

/// The length of a string. One in single or double quotes ends with its line at the latest.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' if quote != '`' => return at,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of a regular expression, or of the one stroke if it is none.
fn pattern(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' => break,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '/' => return at + 1 + length_of(&text[at + 1..], char::is_alphanumeric),
            _ => {}
        }
    }
    1
}

fn unescaped(text: &str) -> String {
    let inner = text.get(1..text.len().saturating_sub(1)).unwrap_or_default();
    inner.replace("\\\"", "\"").replace("\\\\", "\\").replace("\\n", "\n")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(text: &str) -> String {
        let show =
            |entry: &super::super::document::Entry| format!("{}={}", entry.path.join("."), entry.value);
        read(text).entries.iter().map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn json_and_object_literals_give_entries() {
        for (text, expected) in [
            (r#"{"a": {"b": [1, "x y"]}, "c": true}"#, "a= a.b= a.b.#0=1 a.b.#1=x y c=true"),
            ("module.exports = { a: 'x', /* no */ b: [/x\\/[y\"]/, z], };", "a=x b= b.#0=/x\\/[y\"]/ b.#1=z"),
            ("export default defineConfig({\n test: { on: f(1) },\n})", "test= test.on="),
            ("{ \"a\": \"it's // no comment\" }", "a=it's // no comment"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn lines_are_those_of_the_keys_and_items() {
        let lines: Vec<u32> =
            read("{\n a: [\n  'x',\n  // c\n  'y'\n ]\n}").entries.iter().map(|e| e.line).collect();
        assert_eq!(lines, [2, 3, 5]);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in r#"[a:'"`{}\[\](),;/\\* \né]{0,60}"#) {
            read(&text);
        }
    }
}
