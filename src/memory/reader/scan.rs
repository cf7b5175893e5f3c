//! What must be known of YAML before a parser may see it.
//!
//! The parser is quadratic in nesting, keeps every event in memory and follows aliases as often as they occur, so
//! this refuses aliases, anchors, deep nesting and an excess of values first. It also puts numbers into quotes, so
//! that what a tool wrote as `1e3` or `20.10` is read as written, and not as 1000 or 20.1.

/// Open brackets, or dashes on one line. Our files have seven levels.
const MAX_DEPTH: usize = 64;

/// Values of one file, counted generously.
pub const MAX_VALUES: usize = 1_000_000;

/// The text with numbers in quotes, or why it must not be parsed.
pub fn prepare(text: &str) -> Result<String, String> {
    let mut scan = Scan { text, at: 0, out: String::with_capacity(text.len() + text.len() / 16), ..START };
    while scan.at < text.len() {
        scan.step()?;
    }
    Ok(scan.out)
}

/// Whether a parser may see the text.
pub fn check(text: &str) -> Result<(), String> {
    prepare(text).map(drop)
}

struct Scan<'t> {
    text: &'t str,
    at: usize,
    out: String,
    line: usize,
    line_start: usize,
    /// A value may start here.
    fresh: bool,
    /// The innermost collection of the line stands at this column; -1 before anything.
    indent: isize,
    /// Open `[` and `{`.
    flow: usize,
    /// `- `, `? ` and `: ` since the start of the line.
    dashes: usize,
    values: usize,
}

const START: Scan<'static> = Scan {
    text: "",
    at: 0,
    out: String::new(),
    line: 1,
    line_start: 0,
    fresh: true,
    indent: -1,
    flow: 0,
    dashes: 0,
    values: 0,
};

impl<'t> Scan<'t> {
    fn step(&mut self) -> Result<(), String> {
        let rest = self.rest();
        let Some(c) = rest.chars().next() else { return Ok(()) };
        match c {
            c if is_break(c) => self.new_line(c),
            c if is_blank(c) => self.copy(c.len_utf8()),
            '#' if self.after_blank() => self.copy(line_of(rest).len()),
            '-' | '?' | ':' if self.fresh && self.flow == 0 && blank_after(rest) => {
                self.indent = self.column();
                self.dashes += 1;
                self.deep(self.dashes)?;
                self.value(1)?;
            }
            '[' | '{' if self.fresh => {
                self.flow += 1;
                self.deep(self.flow)?;
                self.value(1)?;
            }
            ']' | '}' | ',' if self.flow > 0 => {
                self.flow -= usize::from(c != ',');
                self.fresh = c == ',';
                self.value(1)?;
            }
            '"' | '\'' if self.fresh => self.quoted(c)?,
            '*' | '&' if self.fresh && !blank_after(rest) => {
                return Err(self.refusal("it has YAML aliases or anchors, which are not followed"));
            }
            // A tag stands before a value, which may be anything.
            '!' if self.fresh => {
                let ends = |c: char| is_blank(c) || is_break(c) || ",[]{}".contains(c);
                self.copy(rest.find(ends).unwrap_or(rest.len()));
            }
            '|' | '>' if self.fresh && self.flow == 0 => {
                self.value(line_of(rest).len())?;
                self.skip_deeper();
            }
            _ => self.plain()?,
        }
        Ok(())
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn refusal(&self, what: &str) -> String {
        format!("{what} (line {})", self.line)
    }

    fn deep(&self, depth: usize) -> Result<(), String> {
        if depth > MAX_DEPTH { Err(self.refusal("it is nested too deep")) } else { Ok(()) }
    }

    fn column(&self) -> isize {
        (self.at - self.line_start) as isize
    }

    fn after_blank(&self) -> bool {
        self.at == self.line_start || self.text[..self.at].ends_with(is_blank)
    }

    fn copy(&mut self, length: usize) {
        self.out.push_str(&self.text[self.at..self.at + length]);
        self.at += length;
    }

    /// Copies what makes a value or an end of one.
    fn value(&mut self, length: usize) -> Result<(), String> {
        self.values += 1;
        if self.values > MAX_VALUES {
            return Err(self.refusal("it has too many values"));
        }
        self.copy(length);
        Ok(())
    }

    fn new_line(&mut self, end: char) {
        self.copy(end.len_utf8());
        self.line += usize::from(end == '\n');
        self.line_start = self.at;
        self.dashes = 0;
        if self.flow == 0 {
            self.fresh = true;
            self.indent = -1;
        }
    }

    /// Copies following lines that belong to the value before.
    fn skip_deeper(&mut self) {
        let deeper = self.deeper();
        self.line += deeper.matches('\n').count();
        let length = deeper.len();
        self.copy(length);
    }

    /// Following lines that are deeper than the collection of the value before, and empty ones.
    fn deeper(&self) -> &'t str {
        let rest = self.rest();
        let mut length = 0;
        while let Some(end) = rest[length..].chars().next().filter(|c| is_break(*c)) {
            let line = line_of(&rest[length + end.len_utf8()..]);
            let depth = line.len() - line.trim_start_matches(' ').len();
            if !line.trim_matches(is_blank).is_empty() && depth as isize <= self.indent {
                break;
            }
            length += end.len_utf8() + line.len();
        }
        &rest[..length]
    }

    fn quoted(&mut self, quote: char) -> Result<(), String> {
        let column = self.column();
        let bytes = self.text.as_bytes();
        let mut end = self.at + 1;
        while end < bytes.len() {
            match bytes[end] {
                b'\\' if quote == '"' => end += 1,
                b'\'' if quote == '\'' && bytes.get(end + 1) == Some(&b'\'') => end += 1,
                byte if byte == quote as u8 => break,
                b'\n' => {
                    self.line += 1;
                    self.line_start = end + 1;
                }
                _ => {}
            }
            end += 1;
        }
        // An escape may end in the middle of a character.
        let mut end = (end + 1).min(bytes.len());
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        self.value(end - self.at)?;
        self.after_scalar(column);
        Ok(())
    }

    /// A scalar that is followed by `:` was a key, and a value follows.
    fn after_scalar(&mut self, column: isize) {
        let rest = self.rest();
        let ahead = rest.trim_start_matches(is_blank);
        self.fresh = false;
        if ahead.starts_with(':') && (self.flow > 0 || blank_after(ahead)) {
            self.copy(rest.len() - ahead.len() + 1);
            self.fresh = true;
            if self.flow == 0 {
                self.indent = column;
            }
        }
    }

    fn plain(&mut self) -> Result<(), String> {
        let column = self.column();
        let was_fresh = self.fresh;
        let start = self.out.len();
        self.value(self.end_of_plain())?;
        let number = was_fresh && is_number(&self.out[start..]) && self.ends_here();
        if number {
            self.out.insert(start, '\'');
            self.out.push('\'');
        }
        self.after_scalar(column);
        // What is deeper than the collection of a plain value can only go on with it.
        if !self.fresh && self.flow == 0 {
            self.copy(line_of(self.rest()).len());
            self.skip_deeper();
        }
        Ok(())
    }

    /// Whether the scalar that was just copied does not go on in another line.
    fn ends_here(&self) -> bool {
        let rest = self.rest().trim_start_matches(is_blank);
        if self.flow > 0 {
            return rest.starts_with([',', ']', '}', ':']);
        }
        if rest.starts_with(':') {
            return true;
        }
        let after =
            Scan { text: self.text, at: self.at + line_of(self.rest()).len(), indent: self.indent, ..START };
        after.deeper().trim_matches(|c| is_blank(c) || is_break(c)).is_empty()
    }

    /// How long the plain scalar here is, on this line.
    fn end_of_plain(&self) -> usize {
        let line = line_of(self.rest());
        let ends = |(at, c): &(usize, char)| match c {
            ',' | ']' | '}' | '[' | '{' => self.flow > 0,
            ':' => {
                let flow = |next: char| self.flow > 0 && ",[]{}".contains(next);
                blank_after(&line[*at..]) || line[at + 1..].starts_with(flow)
            }
            '#' => line[..*at].ends_with(is_blank),
            _ => false,
        };
        let end = line.char_indices().skip(1).find(ends).map_or(line.len(), |(at, _)| at);
        let first = line.chars().next().map_or(0, char::len_utf8);
        line[..end].trim_end_matches(is_blank).len().max(first)
    }
}

/// As the parser has it, which is older than the present YAML.
fn is_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t')
}

/// Up to the end of the line.
fn line_of(text: &str) -> &str {
    &text[..text.find(is_break).unwrap_or(text.len())]
}

fn blank_after(rest: &str) -> bool {
    rest.chars().nth(1).is_none_or(|c| is_blank(c) || is_break(c))
}

/// Whether the parser would read a number, in the widest sense.
fn is_number(word: &str) -> bool {
    let start = word.trim_start_matches(['-', '+', '.']);
    let known = |c: char| c.is_ascii_alphanumeric() || "+-._".contains(c);
    word != "-" && start.starts_with(|c: char| c.is_ascii_digit()) && word.chars().all(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(text: &str, words: &str) {
        let error = prepare(text).expect_err(text);
        assert!(error.contains(words), "{error}");
    }

    #[test]
    fn fires_on_what_could_make_the_parser_slow_or_large() {
        refused("a: &x [1]\nb: *x", "line 1");
        refused("b: [*x, *x]", "aliases");
        refused("a:\n  - *x", "line 2");
        refused("? *x\n: b", "aliases");
        refused("? a\n: *x", "aliases");
        refused("a: !t &x [1]", "aliases");
        refused(&format!("a: !t {}", "[".repeat(100)), "too deep");
        refused(&"[".repeat(100_000), "too deep");
        refused(&format!("a: {}", "{a: ".repeat(100_000)), "too deep");
        refused(&"[1,".repeat(100), "too deep");
        refused(&"- ".repeat(5000), "too deep");
        refused(&"- \n".repeat(MAX_VALUES + 1), "too many values");
        refused("a: |\n  text\nb: *x", "line 3");
        refused("- a: |\n    text\n  b: *x", "line 3");
        refused("a: 'it''s\n  two lines'\nb: *x", "line 3");
        refused("a: plain\n  goes on\nb: *x", "line 3");
        refused("a: b\u{2028}c: *x", "aliases");
        refused("a: b\rc: *x", "aliases");
    }

    #[test]
    fn quiet_inside_texts() {
        for text in [
            "a: |\n  *not an alias\n  [[[[\n\n  &x\nb: c",
            "- a: |-\n    *x\n    &y\n  b: >\n    *z\n- c",
            "a: \"*x\n  *y \\\" *z\"",
            "a: plain text that a tool folded\n  *here, and [[ here\nb: c",
            "a: x * y & z",
            "# *x\na: b # &c",
            "a: {b: 'c, *d', \"e\": f*g}",
            "--- \n*: b",
        ] {
            assert_eq!(prepare(text), Ok(text.to_owned()), "{text}");
        }
    }

    #[test]
    fn numbers_are_read_as_they_are_written() {
        for (before, after) in [
            ("a: 20.10", "a: '20.10'"),
            ("a: 1e3 # c", "a: '1e3' # c"),
            ("- 12\n- -3", "- '12'\n- '-3'"),
            ("{a: 1, b: [2, 3.0]}", "{a: '1', b: ['2', '3.0']}"),
            ("8: 9", "'8': '9'"),
            ("a: 2026-01-25T10:00:00Z", "a: 2026-01-25T10:00:00Z"),
            ("a: 3 tests", "a: 3 tests"),
            ("a: \"1e3\"", "a: \"1e3\""),
            ("a: -", "a: -"),
            ("a: |\n  1\nb: 2", "a: |\n  1\nb: '2'"),
            ("a: é1", "a: é1"),
            ("a: 1\n  2\nb: 3\n\nc: 4", "a: 1\n  2\nb: '3'\n\nc: '4'"),
            ("[1\n 2, 3]", "[1\n 2, '3']"),
            ("a: 1\r\nb: 2\r\n", "a: '1'\r\nb: '2'\r\n"),
        ] {
            assert_eq!(prepare(before).as_deref(), Ok(after), "{before}");
        }
    }
}
