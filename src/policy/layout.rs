//! Where things stand in the text of a policy file: byte ranges of keys, values and list items.
//!
//! Knows the YAML that people write in such a file: mappings and lists in block and flow style, plain and quoted
//! values, comments. Anything else gives `None`, and the file is then edited by hand. It decodes no values: what
//! they mean is the reader's business, and every edit is read again before it counts.

use std::ops::Range;

#[derive(Debug)]
pub enum Value {
    /// Nothing stands after the colon, which ends at this place.
    Empty(usize),
    /// With its quotes.
    Scalar(Range<usize>),
    /// Ranges of a flow list or mapping run from bracket to bracket.
    FlowList {
        range: Range<usize>,
        items: Vec<Range<usize>>,
    },
    FlowMap {
        range: Range<usize>,
        entries: Vec<Entry>,
    },
    BlockList {
        colon: usize,
        items: Vec<Range<usize>>,
    },
    BlockMap {
        entries: Vec<Entry>,
    },
    /// A block list with more in it than single values, which ends at this place. Nothing below it is edited.
    Opaque(usize),
}

#[derive(Debug)]
pub struct Entry {
    pub key: String,
    pub start: usize,
    pub value: Value,
}

impl Entry {
    pub fn range(&self) -> Range<usize> {
        self.start..self.value.end().max(self.start)
    }
}

impl Value {
    /// The end of the last thing that belongs to the value.
    pub fn end(&self) -> usize {
        match self {
            Self::Empty(at) | Self::Opaque(at) => *at,
            Self::Scalar(range) | Self::FlowList { range, .. } | Self::FlowMap { range, .. } => range.end,
            Self::BlockList { colon, items } => items.last().map_or(*colon, |item| item.end),
            Self::BlockMap { entries } => entries.last().map_or(0, |entry| entry.value.end()),
        }
    }

    /// The entries of a mapping.
    pub fn entries(&self) -> Option<&[Entry]> {
        match self {
            Self::FlowMap { entries, .. } | Self::BlockMap { entries } => Some(entries),
            _ => None,
        }
    }

    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries()?.iter().find(|entry| entry.key == key)
    }
}

/// The mapping that is the whole document.
pub fn document(text: &str) -> Option<Value> {
    let lines = lines(text);
    let mut significant = lines.iter().enumerate().filter(|(_, line)| line.is_significant(text)).peekable();
    significant.next_if(|(_, line)| line.text(text).split_whitespace().next() == Some("---"));
    let (first, line) = significant.next()?;
    let parser = Parser { text, lines: &lines };
    if line.byte(text) == b'{' {
        let (value, end) = parser.flow(line.content)?;
        let rest = parser.line_after(end)?;
        return lines[rest..].iter().all(|line| !line.is_significant(text)).then_some(value);
    }
    let (entries, next) = parser.block_map(first, line.indent())?;
    let ended = |line: &Line| line.indent() == 0 && line.text(text).starts_with("...");
    let rest = lines[next..].iter().find(|line| line.is_significant(text));
    rest.is_none_or(ended).then_some(Value::BlockMap { entries })
}

/// One line without its line break.
struct Line {
    start: usize,
    /// The first character that is no space.
    content: usize,
    end: usize,
}

impl Line {
    fn indent(&self) -> usize {
        self.content - self.start
    }

    fn text<'t>(&self, text: &'t str) -> &'t str {
        &text[self.content..self.end]
    }

    fn byte(&self, text: &str) -> u8 {
        text.as_bytes().get(self.content).copied().unwrap_or(0)
    }

    /// Neither blank nor a comment.
    fn is_significant(&self, text: &str) -> bool {
        !self.text(text).trim().is_empty() && self.byte(text) != b'#'
    }

    fn is_item(&self, text: &str) -> bool {
        let mut bytes = self.text(text).bytes();
        bytes.next() == Some(b'-') && bytes.next().is_none_or(|byte| byte == b' ')
    }
}

fn lines(text: &str) -> Vec<Line> {
    // A mark at the start of the file is no part of the first line.
    let mut start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut lines = Vec::new();
    for line in text[start..].split_inclusive('\n') {
        let end = start + line.trim_end_matches(['\n', '\r']).len();
        let content = start + line[..end - start].len() - line[..end - start].trim_start_matches(' ').len();
        lines.push(Line { start, content, end });
        start += line.len();
    }
    lines
}

struct Parser<'p> {
    text: &'p str,
    lines: &'p [Line],
}

impl Parser<'_> {
    fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(0)
    }

    /// The first significant line from `at` on.
    fn significant(&self, at: usize) -> Option<(usize, &Line)> {
        let mut lines = self.lines.iter().enumerate().skip(at);
        lines.find(|(_, line)| line.is_significant(self.text))
    }

    /// The number of the line after the one that holds `at`, if only a comment follows on it.
    fn line_after(&self, at: usize) -> Option<usize> {
        let number = self.lines.iter().position(|line| at <= line.end)?;
        let rest = &self.text[at..self.lines[number].end];
        let comment =
            rest.trim_start().is_empty() || (rest.starts_with([' ', '\t']) && rest.trim().starts_with('#'));
        comment.then_some(number + 1)
    }

    /// The entries from line `at` on that stand at `indent`, and the line after them.
    fn block_map(&self, mut at: usize, indent: usize) -> Option<(Vec<Entry>, usize)> {
        let mut entries = Vec::new();
        while let Some((number, line)) = self.significant(at) {
            let ends = line.indent() == 0 && line.text(self.text).starts_with("...");
            if line.indent() < indent || ends {
                break;
            }
            if line.indent() > indent || line.is_item(self.text) {
                return None;
            }
            let (key, colon) = self.key(line.content, line.end)?;
            let (value, next) = self.block_value(number, indent, colon)?;
            entries.push(Entry { key, start: line.content, value });
            at = next;
        }
        (!entries.is_empty()).then_some((entries, at))
    }

    /// A key and the end of its colon.
    fn key(&self, start: usize, line_end: usize) -> Option<(String, usize)> {
        let quote = self.byte(start);
        let end = if matches!(quote, b'"' | b'\'') {
            // Quotes that go on below are refused when the file is read; layouts are also made of other texts.
            self.quoted_end(start).filter(|&end| end <= line_end)?
        } else {
            let rest = &self.text[start..line_end];
            let colon = rest.char_indices().find(|&(at, c)| c == ':' && self.ends_key(start + at));
            start + colon?.0
        };
        let key = self.text[start..end].trim_end().trim_matches(['"', '\'']);
        let colon = end + self.text[end..line_end].find(|c| c != ' ')?;
        // An escape in a quoted key would have to be decoded.
        (self.byte(colon) == b':' && !key.contains('\\')).then(|| (key.to_owned(), colon + 1))
    }

    fn ends_key(&self, colon: usize) -> bool {
        matches!(self.byte(colon + 1), 0 | b' ' | b'\t' | b'\r' | b'\n' | b',' | b'[' | b']' | b'{' | b'}')
    }

    /// What stands after the colon of a key on line `number`, and the line after it.
    fn block_value(&self, number: usize, indent: usize, colon: usize) -> Option<(Value, usize)> {
        let line = &self.lines[number];
        let rest = &self.text[colon..line.end];
        let start = colon + rest.len() - rest.trim_start().len();
        if start >= line.end || (self.byte(start) == b'#' && start > colon) {
            return self.value_below(number + 1, indent, colon);
        }
        if matches!(self.byte(start), b'[' | b'{') {
            let (value, end) = self.flow(start)?;
            return Some((value, self.line_after(end)?));
        }
        let end = self.scalar_end(start, line.end)?;
        Some((Value::Scalar(start..end), self.line_after(end)?))
    }

    fn value_below(&self, at: usize, indent: usize, colon: usize) -> Option<(Value, usize)> {
        let empty = Some((Value::Empty(colon), at));
        let Some((first, line)) = self.significant(at) else { return empty };
        if line.is_item(self.text) && line.indent() >= indent {
            return match self.block_list(first, line.indent()) {
                Some((items, next)) => Some((Value::BlockList { colon, items }, next)),
                None => Some(self.opaque_list(first, line.indent())),
            };
        }
        if line.indent() <= indent {
            return empty;
        }
        let (entries, next) = self.block_map(first, line.indent())?;
        Some((Value::BlockMap { entries }, next))
    }

    fn block_list(&self, mut at: usize, indent: usize) -> Option<(Vec<Range<usize>>, usize)> {
        let mut items = Vec::new();
        while let Some((number, line)) = self.significant(at) {
            if line.indent() != indent || !line.is_item(self.text) {
                break;
            }
            let rest = &self.text[line.content + 1..line.end];
            let start = line.content + 1 + rest.len() - rest.trim_start().len();
            if matches!(self.byte(start), b'[' | b'{' | b'#') {
                return None;
            }
            let end = self.scalar_end(start, line.end)?;
            items.push(start..end);
            at = self.line_after(end).filter(|&next| next == number + 1)?;
        }
        let goes_on = self.significant(at).is_some_and(|(_, line)| line.indent() > indent);
        (!goes_on).then_some((items, at))
    }

    /// All lines of a list whose dashes stand at `indent`, unread.
    fn opaque_list(&self, first: usize, indent: usize) -> (Value, usize) {
        let belongs =
            |line: &Line| line.indent() > indent || (line.indent() == indent && line.is_item(self.text));
        let (mut next, mut end) = (first, self.lines[first].end);
        while let Some((number, line)) = self.significant(next).filter(|(_, line)| belongs(line)) {
            (next, end) = (number + 1, line.end);
        }
        (Value::Opaque(end), next)
    }

    /// The end of a value that stands on one line, outside brackets.
    fn scalar_end(&self, start: usize, line_end: usize) -> Option<usize> {
        if matches!(self.byte(start), b'"' | b'\'') {
            return self.quoted_end(start).filter(|&end| end <= line_end);
        }
        let rest = &self.text[start..line_end];
        let comment = rest.find(" #").into_iter().chain(rest.find("\t#")).min().unwrap_or(rest.len());
        let end = start + rest[..comment].trim_end().len();
        (end > start).then_some(end)
    }

    /// The place after the closing quote.
    fn quoted_end(&self, start: usize) -> Option<usize> {
        let quote = self.byte(start);
        let mut at = start + 1;
        loop {
            match self.byte(at) {
                0 | b'\n' => return None,
                b'\\' if quote == b'"' => at += 2,
                b'\'' if quote == b'\'' && self.byte(at + 1) == b'\'' => at += 2,
                byte if byte == quote => return Some(at + 1),
                _ => at += 1,
            }
        }
    }

    /// The first place from `at` on that is neither white space nor comment.
    fn skip(&self, mut at: usize) -> usize {
        loop {
            match self.byte(at) {
                b' ' | b'\t' | b'\r' | b'\n' => at += 1,
                b'#' if at > 0 && self.byte(at - 1).is_ascii_whitespace() => {
                    at = self.text[at..].find('\n').map_or(self.text.len(), |end| at + end);
                }
                _ => return at,
            }
        }
    }

    /// A list or mapping in brackets, and the place after it.
    fn flow(&self, start: usize) -> Option<(Value, usize)> {
        let close = if self.byte(start) == b'[' { b']' } else { b'}' };
        let (mut items, mut entries) = (Vec::new(), Vec::new());
        let mut at = self.skip(start + 1);
        while self.byte(at) != close {
            let end = if close == b']' {
                let nested = matches!(self.byte(at), b'[' | b'{');
                let end = if nested { self.flow(at)?.1 } else { self.flow_scalar_end(at)? };
                items.push(at..end);
                end
            } else {
                let entry = self.flow_entry(at)?;
                let end = entry.value.end();
                entries.push(entry);
                end
            };
            at = self.skip(end);
            match self.byte(at) {
                b',' => at = self.skip(at + 1),
                byte if byte == close => {}
                _ => return None,
            }
        }
        let range = start..at + 1;
        let value =
            if close == b']' { Value::FlowList { range, items } } else { Value::FlowMap { range, entries } };
        Some((value, at + 1))
    }

    fn flow_entry(&self, start: usize) -> Option<Entry> {
        let line_end = self.text[start..].find('\n').map_or(self.text.len(), |end| start + end);
        let (key, colon) = self.key(start, line_end)?;
        let at = self.skip(colon);
        let value = match self.byte(at) {
            b'[' | b'{' => self.flow(at)?.0,
            b',' | b'}' => Value::Empty(colon),
            _ => Value::Scalar(at..self.flow_scalar_end(at)?),
        };
        Some(Entry { key, start, value })
    }

    fn flow_scalar_end(&self, start: usize) -> Option<usize> {
        if matches!(self.byte(start), b'"' | b'\'') {
            return self.quoted_end(start);
        }
        let rest = &self.text[start..];
        let length = rest.find([',', '[', ']', '{', '}', '\r', '\n'])?;
        let length = rest[..length].find(" #").unwrap_or(length);
        let end = start + rest[..length].trim_end().len();
        (end > start).then_some(end)
    }
}

#[cfg(test)]
#[path = "layout_tests.rs"]
mod tests;
