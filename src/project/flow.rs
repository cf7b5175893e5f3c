//! Values in braces and brackets inside of YAML: `[a, b]`, `{ key: value }`.

use super::document::{Document, MAX_DEPTH};
use super::yaml::unquoted;

/// How many more brackets a text opens than it closes, quotes left out.
pub fn balance(text: &str) -> i64 {
    let mut quote = None;
    let mut open = 0;
    for c in text.chars() {
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (Some(start), _) if start == c => quote = None,
            (None, '[' | '{') => open += 1,
            (None, ']' | '}') => open -= 1,
            _ => {}
        }
    }
    open
}

/// Reads a value that starts at `line` below `path`; `false` where it gives up.
pub fn read(text: &str, path: &[String], line: u32, document: &mut Document) -> bool {
    let mut reader = Reader { path: path.to_vec(), frames: Vec::new(), line, document };
    let mut word = String::new();
    let mut quote = None;
    for c in text.chars() {
        match (quote, c) {
            (Some(start), _) => {
                word.push(c);
                quote = quote.filter(|_| start != c);
            }
            (None, '"' | '\'') => {
                word.push(c);
                quote = Some(c);
            }
            // `${{ ... }}` and the like are text.
            (None, '{') if word.ends_with('$') || word.ends_with("${") => word.push(c),
            (None, '}') if word.contains("${") && word.matches('{').count() > word.matches('}').count() => {
                word.push(c);
            }
            (None, '[' | '{') => {
                word.clear();
                if !reader.open(c) {
                    return false;
                }
            }
            (None, ',' | ']' | '}') => {
                if !reader.end(&mut word, c) {
                    return false;
                }
            }
            (None, ':') if !word.starts_with(['"', '\'']) && word.is_empty() => word.push(c),
            (None, ' ' | '\n') if word.ends_with(':') && !word.contains("${") => reader.key(&mut word),
            (None, '\n') => reader.line += 1,
            (None, _) if c.is_whitespace() && word.is_empty() => {}
            _ => word.push(c),
        }
    }
    true
}

struct Reader<'d> {
    path: Vec<String>,
    /// For each open bracket: whether it is a list, its next place, and whether a key is open.
    frames: Vec<Frame>,
    line: u32,
    document: &'d mut Document,
}

struct Frame {
    is_list: bool,
    next: usize,
    has_key: bool,
}

impl Reader<'_> {
    fn open(&mut self, bracket: char) -> bool {
        self.place_item();
        self.frames.push(Frame { is_list: bracket == '[', next: 0, has_key: false });
        self.path.len() <= MAX_DEPTH && self.frames.len() <= MAX_DEPTH
    }

    /// In a list, what comes next gets a place of its own.
    fn place_item(&mut self) {
        if let Some(frame) = self.frames.last_mut().filter(|frame| frame.is_list && !frame.has_key) {
            self.path.push(format!("#{}", frame.next));
            frame.next += 1;
            frame.has_key = true;
        }
    }

    fn key(&mut self, word: &mut String) {
        let name = unquoted(word.trim().trim_end_matches(':'));
        word.clear();
        if let Some(frame) = self.frames.last_mut().filter(|frame| !frame.is_list && !frame.has_key) {
            self.path.push(name);
            frame.has_key = true;
        }
    }

    /// Ends a value, and with a bracket the list or mapping around it.
    fn end(&mut self, word: &mut String, by: char) -> bool {
        let value = word.trim().to_owned();
        word.clear();
        let mut goes_on = true;
        if !value.is_empty() {
            self.place_item();
            let (name, value) = match self.frames.last() {
                Some(frame) if !frame.is_list && !frame.has_key => (Some(value), String::new()),
                _ => (None, value),
            };
            let path = self.path.iter().cloned().chain(name.map(|name| unquoted(&name))).collect();
            goes_on = self.document.push(path, unquoted(&value), self.line);
        }
        if let Some(frame) = self.frames.last_mut().filter(|frame| frame.has_key) {
            frame.has_key = false;
            self.path.pop();
        }
        if by != ',' {
            self.frames.pop();
        }
        goes_on
    }
}
