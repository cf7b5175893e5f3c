//! A look at the text before the YAML parser sees it.
//!
//! Refuses what this file never needs and what makes YAML dangerous or surprising: anchors, aliases, tags, block
//! text, quotes over several lines, directives, several documents, deep nesting. It reads just enough YAML to tell
//! these from text in quotes, comments and the middle of values; everything else is left to the parser.

use super::PolicyError;

/// The file has five levels; more are a mistake, and thousands make the parser slow.
const MAX_NESTING: usize = 16;

/// Finds the first thing that has no place in a policy file, or that there is nothing in it.
pub fn check(text: &str) -> Result<(), PolicyError> {
    let mut scan = Scan::new(text);
    while let Some(c) = scan.peek() {
        scan.step(c)?;
    }
    if scan.content {
        return Ok(());
    }
    Err(PolicyError::at(1, 1, "the file is empty: its first line must be `version: 1`"))
}

struct Scan<'t> {
    chars: std::iter::Peekable<std::str::Chars<'t>>,
    line: usize,
    column: usize,
    /// The character before this one.
    previous: char,
    /// A value may start here: nothing of one has been seen since the last indicator.
    fresh: bool,
    /// The last value ended with a quote, after which `:` needs no space in a flow mapping.
    quoted: bool,
    /// Open `[` and `{`.
    flow: usize,
    /// `- ` and `? ` since the start of the line.
    dashes: usize,
    content: bool,
    /// A `...` has ended the document.
    ended: bool,
}

impl<'t> Scan<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            chars: text.chars().peekable(),
            line: 1,
            column: 1,
            previous: '\n',
            fresh: true,
            quoted: false,
            flow: 0,
            dashes: 0,
            content: false,
            ended: false,
        }
    }

    fn peek(&mut self) -> Option<char> {
        self.chars.peek().copied()
    }

    fn advance(&mut self) {
        let Some(c) = self.chars.next() else { return };
        self.previous = c;
        if c == '\n' {
            self.line += 1;
            self.column = 1;
            self.dashes = 0;
        } else {
            self.column += 1;
        }
    }

    fn error(&self, message: impl Into<String>) -> PolicyError {
        PolicyError::at(self.line, self.column, message)
    }

    /// Whether the character after the current one ends an indicator.
    fn next_is_blank(&self) -> bool {
        let mut ahead = self.chars.clone();
        ahead.next();
        ahead.next().is_none_or(char::is_whitespace)
    }

    fn step(&mut self, c: char) -> Result<(), PolicyError> {
        if c.is_whitespace() {
            self.fresh |= c == '\n';
            self.advance();
            return Ok(());
        }
        if c == '#' && self.previous.is_whitespace() {
            while self.peek().is_some_and(|c| c != '\n') {
                self.advance();
            }
            return Ok(());
        }
        if self.column == 1 && self.marker()? {
            return Ok(());
        }
        if self.ended {
            return Err(self.several_documents());
        }
        self.content = true;
        if !self.punctuation(c)? && self.fresh {
            self.start_of_value(c)?;
        } else {
            self.quoted = false;
            self.advance();
        }
        Ok(())
    }

    fn several_documents(&self) -> PolicyError {
        self.error("a second document starts here: a policy is one document, remove the `---` or `...`")
    }

    /// `---` and `...` at the start of a line.
    fn marker(&mut self) -> Result<bool, PolicyError> {
        let mut ahead = self.chars.clone();
        let three: String = ahead.by_ref().take(3).collect();
        if !matches!(three.as_str(), "---" | "...") || ahead.next().is_some_and(|c| !c.is_whitespace()) {
            return Ok(false);
        }
        if self.ended || (three == "---" && self.content) {
            return Err(self.several_documents());
        }
        self.ended = three == "...";
        for _ in 0..3 {
            self.advance();
        }
        self.fresh = true;
        // A second `---` would start a second document even if the first one is empty.
        self.content |= three == "---";
        Ok(true)
    }

    /// Whether `c` is an indicator that stands between values; `fresh` and the nesting follow it.
    fn punctuation(&mut self, c: char) -> Result<bool, PolicyError> {
        let in_flow = self.flow > 0;
        match c {
            '[' | '{' if self.fresh || in_flow => {
                self.flow += 1;
                self.fresh = true;
            }
            ']' | '}' if in_flow => {
                self.flow -= 1;
                self.fresh = false;
            }
            ',' if in_flow => self.fresh = true,
            ':' if self.next_is_blank() || self.quoted => self.fresh = true,
            '-' | '?' if self.fresh && self.next_is_blank() => self.dashes += 1,
            _ => return Ok(false),
        }
        if self.flow > MAX_NESTING || self.dashes > MAX_NESTING {
            return Err(
                self.error("nested too deep: a policy has `key: value`, and lists and settings below a key")
            );
        }
        Ok(true)
    }

    fn start_of_value(&mut self, c: char) -> Result<(), PolicyError> {
        self.fresh = false;
        self.quoted = false;
        match c {
            '"' | '\'' => self.quoted_text(c)?,
            '*' | '&' => {
                return Err(self.error(format!(
                    "`{c}` starts a YAML {} here, and these are not allowed: put a glob in quotes, as in \"*.py\", \
                     and write repeated values out",
                    if c == '*' { "alias" } else { "anchor" }
                )));
            }
            '!' => {
                return Err(self.error(
                    "`!` starts a YAML tag here, and these are not allowed: put the value in quotes",
                ));
            }
            '|' | '>' => {
                return Err(
                    self.error(format!("`{c}` starts a block of text here: write the value on one line"))
                );
            }
            '%' | '@' | '`' => {
                return Err(self.error(format!("a value cannot start with `{c}` in YAML: put it in quotes")));
            }
            _ => self.advance(),
        }
        Ok(())
    }

    /// Skips to the closing quote. It must stand on the same line, so that no quote can hide what follows.
    fn quoted_text(&mut self, quote: char) -> Result<(), PolicyError> {
        let unclosed =
            self.error(format!("the quote {quote} is not closed on this line: add the closing one"));
        self.advance();
        while let Some(c) = self.peek().filter(|&c| c != '\n') {
            self.advance();
            if c == '\\' && quote == '"' && self.peek() != Some('\n') {
                self.advance();
            } else if c == quote {
                if quote == '\'' && self.peek() == Some('\'') {
                    self.advance();
                    continue;
                }
                self.quoted = true;
                return Ok(());
            }
        }
        Err(unclosed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(text: &str, line: usize, column: usize, words: &str) {
        let error = check(text).expect_err(text);
        assert!(error.message.contains(words), "{error}");
        assert_eq!((error.line, error.column), (line, column), "{error}");
    }

    #[test]
    fn fires_on_what_has_no_place_in_a_policy() {
        refused("paths: {tests: [*.py]}", 1, 17, "alias");
        refused("paths:\n  tests:\n    - *.py", 3, 7, "alias");
        refused("paths:\n  tests: &all\n    - a", 2, 10, "anchor");
        refused("{\"a\":*b}", 1, 6, "alias");
        refused("profile: !!str strict", 1, 10, "tag");
        refused("profile: |\n  strict", 1, 10, "block of text");
        refused("%YAML 1.2\n---\nversion: 1", 1, 1, "%");
        refused("a:\n- b\n  \"c\n- *d\n  \"", 3, 3, "not closed");
        refused("a: 'b\n", 1, 4, "not closed");
        refused("a: \"b\\\n c\"", 1, 4, "not closed");
        refused("version: 1\n---\nversion: 1", 2, 1, "second document");
        refused("version: 1\n...\nversion: 1", 3, 1, "second document");
        refused(&"[".repeat(60_000), 1, 17, "too deep");
        refused(&"- ".repeat(30_000), 1, 33, "too deep");
        refused("", 1, 1, "empty");
        refused("# only words\n\n", 1, 1, "empty");
    }

    #[test]
    fn quiet_inside_quotes_comments_and_values() {
        for text in [
            "version: 1 # *not* an &alias",
            "# *a\n---\nversion: 1\n...\n# &b\n",
            "a: \"*.py\"",
            "a: '*.py'",
            "a: 'it''s *fine*'",
            "a: \"say \\\"*hi\\\" &\"",
            "a: x*y&z|w>!%@",
            "a: [tests/*.py, b/**]",
            "a: src/**",
            "{\"a\":\"*b\"}",
            "a: b#*c",
            "a: --- b",
            "a: [b[0-9].py, '[x]']",
        ] {
            assert_eq!(check(text), Ok(()), "{text}");
        }
    }
}
