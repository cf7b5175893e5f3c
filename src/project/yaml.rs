//! Reads YAML line by line: keys by their indentation, with line numbers and comments.
//!
//! A full parser would lose the comments, in which disabled steps stand, and would expand aliases, which can be
//! made to explode. This reader keeps aliases as they are written and never looks ahead further than a value goes.

use serde::Deserialize;

use super::document::{Document, MAX_DEPTH};
use super::flow;

/// A key or a place in a list that lines further in belong to.
struct Level {
    indent: usize,
    name: String,
    is_item: bool,
    /// How many items it has so far.
    items: usize,
    /// A key with a value of its own has nothing below it.
    has_value: bool,
}

struct Reader<'t> {
    lines: Vec<&'t str>,
    at: usize,
    levels: Vec<Level>,
    document: Document,
}

pub fn read(text: &str) -> Document {
    let root = Level { indent: 0, name: String::new(), is_item: false, items: 0, has_value: false };
    let mut reader =
        Reader { lines: text.lines().collect(), at: 0, levels: vec![root], document: Document::default() };
    while reader.at < reader.lines.len() {
        if !reader.line() {
            break;
        }
    }
    reader.document
}

/// Brackets inside each other, more than which no person writes and a parser takes long for.
const MAX_BRACKETS: i64 = 64;

/// The line at which a parser gives up; `None` where the text is YAML, or nobody wrote it.
pub fn broken_at(text: &str) -> Option<u32> {
    let mut open = 0_i64;
    for c in text.chars() {
        open += i64::from(matches!(c, '[' | '{')) - i64::from(matches!(c, ']' | '}'));
        if open > MAX_BRACKETS {
            return None;
        }
    }
    // Tabs before a comment are fine for some parsers, and say nothing.
    let bare = |line: &str| line.trim_start().is_empty() || line.trim_start().starts_with('#');
    let lines = text.lines().map(|line| if bare(line) { "" } else { line });
    let text = lines.collect::<Vec<_>>().join("\n");
    let mut documents = serde_yaml::Deserializer::from_str(&text);
    let error = documents.find_map(|document| serde::de::IgnoredAny::deserialize(document).err())?;
    Some(error.location().map_or(1, |place| place.line() as u32))
}

impl<'t> Reader<'t> {
    /// Reads one line and what belongs to its value; `false` where it gives up.
    fn line(&mut self) -> bool {
        let line = self.lines[self.at];
        let number = self.at as u32 + 1;
        self.at += 1;
        let content = line.trim_start_matches([' ', '\t']);
        let indent = line.len() - content.len();
        let (content, comment) = split_comment(content);
        if let Some(comment) = comment {
            self.document.remark(comment, number);
        }
        let content = content.trim_end();
        if content.is_empty() || content == "---" || content == "..." || content.starts_with('%') {
            return true;
        }
        self.content(content, indent, number)
    }

    fn content(&mut self, mut content: &'t str, mut indent: usize, line: u32) -> bool {
        while let Some(rest) =
            content.strip_prefix('-').filter(|rest| rest.is_empty() || rest.starts_with(' '))
        {
            self.open_item(indent);
            if self.levels.len() > MAX_DEPTH {
                return false;
            }
            let inner = rest.trim_start();
            indent += content.len() - inner.len();
            content = inner;
            if content.is_empty() {
                return true;
            }
        }
        // A key may stand on a line of its own, and its value on the next.
        if let Some(key) = content.strip_prefix("? ") {
            self.open_key(key.trim(), indent);
            return self.levels.len() <= MAX_DEPTH;
        }
        if let Some(value) = content.strip_prefix(": ")
            && self.levels.last().is_some_and(|level| !level.is_item && level.indent == indent)
        {
            return self.value(value.trim(), indent, line);
        }
        match split_key(content) {
            Some((key, value)) => {
                self.open_key(key, indent);
                self.levels.len() <= MAX_DEPTH && self.value(value, indent, line)
            }
            None if self.levels.last().is_some_and(|level| level.is_item && level.indent < indent) => {
                self.value(content, indent, line)
            }
            None => self.go_on(content),
        }
    }

    /// A line without a key goes on with the value before it.
    fn go_on(&mut self, content: &str) -> bool {
        if let Some(last) = self.document.entries.last_mut() {
            if !last.value.is_empty() {
                last.value.push(' ');
            }
            last.value.push_str(&unquoted(content));
        }
        true
    }

    fn open_item(&mut self, indent: usize) {
        let keeps = |level: &Level| level.indent < indent || (level.indent == indent && !level.is_item);
        while self.levels.len() > 1 && !self.levels.last().is_some_and(keeps) {
            self.levels.pop();
        }
        let Some(parent) = self.levels.last_mut() else { return };
        parent.items += 1;
        let name = format!("#{}", parent.items - 1);
        self.levels.push(Level { indent, name, is_item: true, items: 0, has_value: false });
    }

    fn open_key(&mut self, key: &str, indent: usize) {
        let ends = |level: &Level| level.indent >= indent || level.has_value;
        while self.levels.len() > 1 && self.levels.last().is_some_and(ends) {
            self.levels.pop();
        }
        self.levels.push(Level { indent, name: unquoted(key), is_item: false, items: 0, has_value: false });
    }

    fn path(&self) -> Vec<String> {
        self.levels[1..].iter().map(|level| level.name.clone()).collect()
    }

    fn value(&mut self, value: &str, indent: usize, line: u32) -> bool {
        let value = without_properties(value);
        if value.starts_with(['|', '>']) && value[1..].chars().all(|c| matches!(c, '+' | '-' | '0'..='9')) {
            return self.block(indent, value.starts_with('>'));
        }
        if value.starts_with(['[', '{']) {
            let text = self.whole_flow(value);
            let path = self.path();
            return flow::read(&text, &path, line, &mut self.document);
        }
        let path = self.path();
        let value = unquoted(&self.whole_quoted(value));
        if let Some(level) = self.levels.last_mut().filter(|level| !level.is_item) {
            level.has_value = !value.is_empty();
        }
        self.document.push(path, value, line)
    }

    /// The text of a `|` or `>` value: all lines that are further in. Where it is folded, lines that stand at its edge are one.
    fn block(&mut self, indent: usize, folded: bool) -> bool {
        let parent = match self.levels.last() {
            Some(level) if level.is_item => level.indent,
            _ => indent,
        };
        let first = self.at;
        let mut text = String::new();
        let mut base = None;
        let mut at_edge = false;
        while let Some(line) = self.lines.get(self.at) {
            let content = line.trim_start_matches([' ', '\t']);
            let depth = line.len() - content.len();
            if !content.is_empty() && depth <= parent {
                break;
            }
            let base = *base.get_or_insert(depth);
            let was_at_edge = std::mem::replace(&mut at_edge, depth == base && !content.is_empty());
            if folded && was_at_edge && at_edge {
                text.pop();
                text.push(' ');
            }
            text.push_str(line.get(base.min(depth)..).unwrap_or_default());
            text.push('\n');
            self.at += 1;
        }
        let path = self.path();
        self.document.push(path, text.trim_end(), first as u32 + 1)
    }

    /// A flow value with the lines it goes on over.
    fn whole_flow(&mut self, value: &str) -> String {
        let mut text = value.to_owned();
        let mut open = flow::balance(&text);
        while open > 0 && self.at < self.lines.len() {
            let (line, comment) = split_comment(self.lines[self.at].trim());
            if let Some(comment) = comment {
                self.document.remark(comment, self.at as u32 + 1);
            }
            self.at += 1;
            open += flow::balance(line);
            text.push('\n');
            text.push_str(line);
        }
        text
    }

    /// A quoted value with the lines it goes on over.
    fn whole_quoted(&mut self, value: &str) -> String {
        let mut text = value.to_owned();
        let Some(quote) = value.chars().next().filter(|c| matches!(c, '"' | '\'')) else { return text };
        while !ends_quoted(&text, quote) && self.at < self.lines.len() {
            text.push(' ');
            text.push_str(self.lines[self.at].trim());
            self.at += 1;
        }
        text
    }
}

fn ends_quoted(text: &str, quote: char) -> bool {
    text.len() > 1 && text.ends_with(quote) && !text.ends_with("\\\"")
}

/// Takes a comment off; `#` starts one at the start and behind white space, outside of quotes.
pub fn split_comment(line: &str) -> (&str, Option<&str>) {
    let mut quote = None;
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (None, '#') if before.is_whitespace() => return (&line[..at], Some(&line[at + 1..])),
            // A quote inside a word is an apostrophe.
            (None, '"' | '\'') if !before.is_alphanumeric() => quote = Some(c),
            (Some(open), _) if open == c && before != '\\' => quote = None,
            _ => {}
        }
        before = c;
    }
    (line, None)
}

/// `key: value`, unless the colon is part of a plain value.
fn split_key(content: &str) -> Option<(&str, &str)> {
    if let Some(quote) = content.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        let end = content[1..].find(quote)? + 2;
        let rest = content[end..].trim_start().strip_prefix(':')?;
        return (rest.is_empty() || rest.starts_with(' ')).then(|| (&content[..end], rest.trim()));
    }
    if content.starts_with(['[', '{']) {
        return None;
    }
    let at = content.find(": ").or_else(|| content.ends_with(':').then(|| content.len() - 1))?;
    let key = content[..at].trim_end();
    (!key.is_empty()).then(|| (key, content[at + 1..].trim()))
}

/// Takes anchors and tags off the front of a value.
fn without_properties(mut value: &str) -> &str {
    while value.starts_with(['&', '!']) && !value.starts_with("!=") {
        let Some((_, rest)) = value.split_once(' ') else { return "" };
        value = rest.trim_start();
    }
    value
}

pub fn unquoted(value: &str) -> String {
    let value = value.trim();
    let inner = |quote: char| value.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    match (inner('"'), inner('\'')) {
        (Some(text), _) => unescaped(text),
        (_, Some(text)) => text.replace("''", "'"),
        _ => value.to_owned(),
    }
}

/// Text between double quotes as it is meant: another way to write a letter changes nothing.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        plain.push_str(before);
        let mut letters = after.chars();
        let digits = match letters.next() {
            Some('x') => 2,
            Some('u') => 4,
            Some('U') => 8,
            other => {
                match other {
                    Some('n') => plain.push('\n'),
                    Some('t') => plain.push('\t'),
                    Some(own @ ('"' | '\\' | '/' | ' ')) => plain.push(own),
                    Some(own) => plain.extend(['\\', own]),
                    None => plain.push('\\'),
                }
                rest = letters.as_str();
                continue;
            }
        };
        let code = letters.as_str().get(..digits).and_then(|code| u32::from_str_radix(code, 16).ok());
        match code.and_then(char::from_u32) {
            Some(letter) => {
                plain.push(letter);
                rest = &letters.as_str()[digits..];
            }
            None => {
                plain.push('\\');
                rest = after;
            }
        }
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(text: &str) -> String {
        let document = read(text);
        let show = |entry: &super::super::document::Entry| {
            format!("{}={}@{}", entry.path.join("."), entry.value.replace('\n', "/"), entry.line)
        };
        document.entries.iter().map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn keys_lists_blocks_and_flows_are_read_with_their_lines() {
        for (text, expected) in [
            ("a: 1\nb:\n  c: 'x y' # no\n", "a=1@1 b=@2 b.c=x y@3"),
            ("a:\n- x\n- y: 1\n  z: 2\n", "a=@1 a.#0=x@2 a.#1.y=1@3 a.#1.z=2@4"),
            (
                "a:\n  - run: |\n      one\n        two\n\n    if: x\n",
                "a=@1 a.#0.run=one/  two@3 a.#0.if=x@6",
            ),
            ("a: >\n  one\n  two\n    three\n\n  four\n", "a=one two/  three//four@2"),
            ("a: \"x \\x7c\\u007C y\\\\n \\q \\x7\"\n", r"a=x || y\n \q \x7@1"),
            ("a:\n  ? b\n  : 1\n  c: 2\n", "a=@1 a.b=1@3 a.c=2@4"),
            ("on: [push, pull_request]\n", "on.#0=push@1 on.#1=pull_request@1"),
            ("m: { os: [a,\n  b], n: 1 }\n", "m.os.#0=a@1 m.os.#1=b@2 m.n=1@2"),
            ("a: one\n  two\nb: &x 3\nc: *x\n", "a=one two@1 b=3@3 c=*x@4"),
            ("- # gone\n- b\n", "#1=b@2"),
            ("a:\n  - \"q: r\"\n  - s: t: u\n", "a=@1 a.#0=q: r@2 a.#1.s=t: u@3"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn what_no_parser_reads_is_told_with_its_line() {
        for (text, expected) in [
            ("a: 1\nb: [x, y]\n---\nc: &d e\nf: *d\n", None),
            ("on: push\njobs:\n  a: ${{ b }}\n", None),
            ("a:\n\t# why\n  b: 1\n", None),
            ("script: !reference [.test, script]\n", None),
            ("a:\n  b: 1\n c: 2\n", Some(3)),
            ("a: [x\nb: y\n", Some(2)),
            ("a: b: c\n", Some(1)),
        ] {
            assert_eq!(broken_at(text).is_some(), expected.is_some(), "{text}");
        }
    }

    #[test]
    fn comments_are_kept_apart() {
        let document = read("a: 1 # one\n# two\n#three\nb: 'x # y'\nc: don't # four\n");
        let texts: Vec<&str> = document.remarks.iter().map(|remark| remark.text.as_str()).collect();
        assert_eq!(texts, ["one", "two", "three", "four"]);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in r#"[a:\- #'"|>\[\]{},&*!\n\té]{0,60}"#) {
            read(&text);
        }
    }
}
