//! Error messages without what differs from run to run: paths, numbers, addresses and quoted values.

/// Longer patterns say too much to be met again.
const MAX_CHARS: usize = 200;

/// The first line of a message that says something, generalised.
pub fn error_pattern(message: &str) -> String {
    let line = message.lines().map(str::trim).find(|line| line.chars().any(char::is_alphanumeric));
    let mut scanner = Scanner { rest: line.unwrap_or_default(), out: String::new() };
    while scanner.step() {}
    let words: Vec<&str> = scanner.out.split_whitespace().collect();
    words.join(" ").chars().take(MAX_CHARS).collect()
}

struct Scanner<'t> {
    rest: &'t str,
    out: String,
}

impl Scanner<'_> {
    /// Takes one quoted value, one word or one character.
    fn step(&mut self) -> bool {
        let Some(first) = self.rest.chars().next() else { return false };
        if matches!(first, '"' | '\'' | '`' | '‘' | '“')
            && let Some(length) = quoted_length(self.rest, first)
            && !self.out.ends_with(char::is_alphanumeric)
        {
            return self.take(length, "<value>");
        }
        let length = self.rest.find(|c: char| !is_word(c)).unwrap_or(self.rest.len());
        if length == 0 {
            self.out.push(first);
            self.rest = &self.rest[first.len_utf8()..];
            return true;
        }
        // A dot or a colon at the end belongs to the sentence, not to the word.
        let word = self.rest[..length].trim_end_matches(['.', ':', '-', '+']);
        let word = if word.is_empty() { &self.rest[..length] } else { word };
        match general(word) {
            Some(name) => self.take(word.len(), name),
            None => {
                self.out.push_str(word);
                self.rest = &self.rest[word.len()..];
                true
            }
        }
    }

    fn take(&mut self, length: usize, name: &str) -> bool {
        self.rest = &self.rest[length..];
        // What stands in brackets of its own gets no second pair: `<3>`.
        if let Some(rest) = self.rest.strip_prefix('>').filter(|_| self.out.ends_with('<')) {
            self.out.pop();
            self.rest = rest;
        }
        self.out.push_str(name);
        true
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '/' | '\\' | '.' | '-' | '+' | ':' | '@' | '~')
}

/// The length of a quoted value in bytes, quotes included.
fn quoted_length(text: &str, open: char) -> Option<usize> {
    let close = match open {
        '‘' => '’',
        '“' => '”',
        // Old tools quote `so'.
        '`' if !text[1..].contains('`') => '\'',
        same => same,
    };
    let inside = &text[open.len_utf8()..];
    let end = inside.find(close)?;
    let after = inside[end + close.len_utf8()..].chars().next();
    let apostrophe = close == '\'' && after.is_some_and(char::is_alphanumeric);
    (!apostrophe).then_some(open.len_utf8() + end + close.len_utf8())
}

/// What a word is an instance of.
fn general(word: &str) -> Option<&'static str> {
    let hex = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let digits = word.bytes().any(|byte| byte.is_ascii_digit());
    if word.strip_prefix("0x").is_some_and(hex) {
        return Some("<address>");
    }
    if digits && word.len() >= 7 && hex(&word.replace('-', "")) && !is_number(word) {
        return Some("<id>");
    }
    if is_number(word) {
        return Some("<number>");
    }
    is_path(word).then_some("<path>")
}

/// `3`, `-1.5e3`, `12ms`, `2026-01-02`, `12:30:01`, `1_000`
fn is_number(word: &str) -> bool {
    let word = word.trim_start_matches(['-', '+']);
    let unit = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let short = word.len() - unit.len() <= 2;
    let body = if short { unit } else { word };
    let mut bytes = body.bytes();
    bytes.next().is_some_and(|byte| byte.is_ascii_digit())
        && bytes.all(|byte| byte.is_ascii_digit() || b".-:_eE+".contains(&byte))
}

/// A path has a slash between names, or an extension and a line: `src/a.py`, `C:\a`, `a.rs:10:5`. A fraction, `and/or`
/// and a qualified name are none.
fn is_path(word: &str) -> bool {
    let slashes = word.matches(['/', '\\']).count();
    let place = word.split_once(':').is_some_and(|(file, line)| {
        file.contains('.') && line.bytes().next().is_some_and(|byte| byte.is_ascii_digit())
    });
    let rooted = word.starts_with(['/', '~']) || word.starts_with("./") || word.starts_with("../");
    let extension = word.rsplit(['/', '\\']).next().is_some_and(|name| name.contains('.'));
    place || slashes >= 2 || (slashes == 1 && word.len() > 1 && (rooted || extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_from_run_to_run_is_generalised() {
        for (message, pattern) in [
            ("Cannot read property 'length' of null", "Cannot read property <value> of null"),
            ("assert 3 == 4", "assert <number> == <number>"),
            ("AssertionError: assert -1.50 == 12ms", "AssertionError: assert <number> == <number>"),
            ("<Cart object at 0x7f3a2c> is not empty", "<Cart object at <address>> is not empty"),
            ("<1> != <22> in <'a'>", "<number> != <number> in <value>"),
            ("a <3 and 4> b", "a <<number> and <number>> b"),
            ("no such file: /tmp/x1/data.json", "no such file: <path>"),
            ("src/cart.py:12: KeyError: \"sku-9\"", "<path>: KeyError: <value>"),
            ("commit 9f86d081884c7d65 not found.", "commit <id> not found."),
            ("id 6f9619ff-8b86-4d01-b42d-00cf4fc964ff.", "id <id>."),
            ("C:\\work\\a.cs is missing", "<path> is missing"),
            ("took 2026-01-02 12:30:01", "took <number> <number>"),
            ("undefined name `tax_rate'", "undefined name <value>"),
            ("\n\n  boom 7 \nsecond line", "boom <number>"),
        ] {
            assert_eq!(error_pattern(message), pattern, "{message}");
        }
    }

    #[test]
    fn quiet_where_words_only_resemble_values() {
        for message in [
            "it doesn't match what isn't there",
            "read and/or write",
            "module os.path has no attribute",
            "crate::cart::total panicked",
            "decade of facade",
            "std::vec::Vec<T> is empty",
        ] {
            assert_eq!(error_pattern(message), message);
        }
    }

    #[test]
    fn two_runs_of_one_failure_give_one_pattern() {
        let one = error_pattern("expected 'Ann' at /tmp/a/1.txt after 31 ms");
        assert_eq!(one, error_pattern("expected 'Bob' at /tmp/b/22.txt after 7 ms"));
    }

    #[test]
    fn any_text_has_a_pattern() {
        for message in ["", "'", "''", "`", "…'é", "\u{202e}", "///", "0x", "é'é'é", "-", "a:", "::", "`é'"]
        {
            error_pattern(message);
        }
        assert!(error_pattern(&"word ".repeat(10_000)).chars().count() <= MAX_CHARS);
    }
}
