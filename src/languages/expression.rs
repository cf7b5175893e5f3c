//! Reads the text of an expression without a grammar: calls, chains, arguments, comparisons.
//!
//! Assertions are read from their text, because macros have no tree and because six grammars spell the same call in
//! six ways. Knows brackets and quotes, and nothing of any framework.

mod spacing;

use std::borrow::Cow;

pub use spacing::canonical;

/// One link of a chain: `expect(a)`, `.not`, `.toBe(b)`, `assert_eq!(a, b)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link<'a> {
    pub name: &'a str,
    /// What is between the brackets, where it is called.
    pub arguments: Option<Vec<&'a str>>,
}

impl<'a> Link<'a> {
    pub fn argument(&self, index: usize) -> Option<&'a str> {
        self.arguments.as_ref().and_then(|arguments| arguments.get(index).copied())
    }
}

/// Walks over a text in pieces: a byte that means something by itself, or a string or regular expression as a whole.
struct Pieces<'a> {
    text: &'a [u8],
    at: usize,
    /// The last byte that is no white space; 0 at the start.
    last: u8,
}

impl<'a> Pieces<'a> {
    fn of(text: &'a str) -> Self {
        Self { text: text.as_bytes(), at: 0, last: 0 }
    }
}

impl Iterator for Pieces<'_> {
    /// Where the piece starts, its first byte, its length.
    type Item = (usize, u8, usize);

    fn next(&mut self) -> Option<Self::Item> {
        let (at, byte) = (self.at, *self.text.get(self.at)?);
        let length = match byte {
            b'"' if hashes_before(&self.text[..at]) > 0 => {
                raw_length(&self.text[at..], hashes_before(&self.text[..at]))
            }
            b'"' | b'\'' | b'`' => string_length(&self.text[at..]),
            b'/' if may_precede_value(self.last) => regex_length(&self.text[at..]),
            _ => 1,
        };
        self.at += length;
        if !byte.is_ascii_whitespace() {
            self.last = byte;
        }
        Some((at, byte, length))
    }
}

/// Whether a `/` behind this byte opens a regular expression: there is nothing that could be divided.
fn may_precede_value(byte: u8) -> bool {
    matches!(byte, 0 | b'(' | b',' | b'=' | b':' | b'[' | b'!' | b'&' | b'|' | b'?' | b'{' | b';')
}

/// The length of the regular expression that starts here; 1 where there is none.
fn regex_length(text: &[u8]) -> usize {
    if matches!(text.get(1), None | Some(b'/' | b'*')) {
        return 1;
    }
    let (mut at, mut in_class) = (1, false);
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 1,
            b'[' => in_class = true,
            b']' => in_class = false,
            b'\n' => return 1,
            b'/' if !in_class => return at + 1,
            _ => {}
        }
        at += 1;
    }
    1
}

/// The places of `text` outside of brackets and strings, with the byte there.
struct Level0<'a> {
    pieces: Pieces<'a>,
    depth: usize,
}

impl<'a> Level0<'a> {
    fn of(text: &'a str) -> Self {
        Self { pieces: Pieces::of(text), depth: 0 }
    }
}

impl Iterator for Level0<'_> {
    type Item = (usize, u8);

    fn next(&mut self) -> Option<(usize, u8)> {
        loop {
            let (at, byte, _) = self.pieces.next()?;
            let outside = self.depth == 0;
            match byte {
                b'(' | b'[' | b'{' => self.depth += 1,
                b')' | b']' | b'}' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
            if outside {
                return Some((at, byte));
            }
        }
    }
}

/// How many `#` of a raw string of Rust stand before its quote.
fn hashes_before(text: &[u8]) -> usize {
    let hashes = text.iter().rev().take_while(|&&byte| byte == b'#').count();
    if text[..text.len() - hashes].ends_with(b"r") { hashes } else { 0 }
}

/// The length of a raw string of Rust, from its quote to the last `#`.
fn raw_length(text: &[u8], hashes: usize) -> usize {
    let mut at = 1;
    while let Some(quote) = text.get(at..).and_then(|rest| rest.iter().position(|&byte| byte == b'"')) {
        at += quote + 1;
        let closing = text[at..].iter().take(hashes).take_while(|&&byte| byte == b'#').count();
        if closing == hashes {
            return at + hashes;
        }
    }
    text.len()
}

/// The length of the string that starts here; 1 where the quote is no start of one, as in Rust's `'a`.
fn string_length(text: &[u8]) -> usize {
    let quote = text[0];
    let triple = [quote; 3];
    if text.starts_with(&triple) {
        let end = text[3..].windows(3).position(|window| window == triple);
        return end.map_or(text.len(), |end| end + 6);
    }
    let mut at = 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 1,
            b'\n' if quote == b'\'' => return 1,
            _ if byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    1
}

/// The parts between commas that are in no bracket or string.
pub fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, byte) in Level0::of(text) {
        if byte == b',' {
            parts.push(text[start..at].trim());
            start = at + 1;
        }
    }
    let last = text[start..].trim();
    if !last.is_empty() {
        parts.push(last);
    }
    parts
}

/// The links of a chain of calls and members, the first one first. Awaiting, `new` and a closing `;` or `?` do not
/// count. A head that is no name (`(a + b).should`) is a link of its own.
pub fn chain(text: &str) -> Vec<Link<'_>> {
    links(text).0
}

/// The same, where the expression is nothing but a chain.
pub fn whole_chain(text: &str) -> Option<Vec<Link<'_>>> {
    let (links, rest) = links(text);
    (rest.is_empty() && !links.is_empty()).then_some(links)
}

/// What stands in `text` before one of its links, without the dot between.
pub fn before<'a>(text: &'a str, link: &Link<'_>) -> &'a str {
    let at = (link.name.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    let head = text.get(..at).unwrap_or(text).trim_end();
    let head = head.strip_suffix("::").or_else(|| head.strip_suffix('.')).unwrap_or(head);
    head.trim()
}

/// The links of a chain, and what follows them.
fn links(text: &str) -> (Vec<Link<'_>>, &str) {
    let mut rest = text.trim().trim_end_matches([';', '?']);
    while let Some(inner) =
        ["await ", "new ", "return ", "yield "].iter().find_map(|word| rest.strip_prefix(word))
    {
        rest = inner.trim_start();
    }
    let mut links: Vec<Link<'_>> = Vec::new();
    while !rest.is_empty() {
        let joins = |c: char| c.is_whitespace() || matches!(c, '.' | '?' | '!' | ':' | '&');
        let after = rest.trim_start_matches(joins);
        let is_path = rest[..rest.len() - after.len()].contains("::");
        rest = after;
        // Java's `Assertions.<Object>assertThat(x)`.
        if !is_path && !links.is_empty() && rest.starts_with('<') {
            rest = closed_generics(rest).unwrap_or(rest).trim_start();
        }
        let name_end =
            rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$' || c == '@' || c == '#'));
        let name = &rest[..name_end.unwrap_or(rest.len())];
        rest = rest[name.len()..].trim_start();
        if name.is_empty() && is_path && rest.starts_with('<') && after_generics(rest) != rest {
            // Rust's `collect::<Vec<_>>()`: the brackets belong to the name before.
            let (inside, tail) = bracketed(after_generics(rest));
            if let Some(link) = links.last_mut() {
                link.arguments = Some(split(inside));
            }
            rest = tail.trim_start();
            continue;
        }
        rest = rest.strip_prefix('!').filter(|rest| rest.starts_with(['(', '[', '{'])).unwrap_or(rest);
        if rest.starts_with('<') && !name.is_empty() {
            rest = after_generics(rest);
        }
        let arguments = rest.starts_with(['(', '[', '{']).then(|| bracketed(rest));
        match arguments {
            Some((inside, tail)) => {
                links.push(Link { name, arguments: Some(split(inside)) });
                rest = tail;
            }
            None if name.is_empty() => return (links, rest),
            None => links.push(Link { name, arguments: None }),
        }
        rest = rest.trim_start();
        if !rest.starts_with(['.', '?', '!', ':', '(', '[']) || rest.starts_with("!=") {
            return (links, rest);
        }
    }
    (links, rest)
}

/// The text before a name that was read from it, without the dot between.
pub fn head_of<'a>(text: &'a str, name: &str) -> &'a str {
    let at = (name.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    text.get(..at).unwrap_or("").trim_end_matches(['.', '?', '!'])
}

/// What follows `<...>`, where that is a list of types before a call; the text itself where it is a comparison.
fn after_generics(text: &str) -> &str {
    closed_generics(text).filter(|rest| rest.starts_with('(')).unwrap_or(text)
}

/// What follows `<...>`.
fn closed_generics(text: &str) -> Option<&str> {
    let mut depth = 0usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'<' => depth += 1,
            b'>' => depth = depth.saturating_sub(1),
            b'(' | b')' | b'"' | b'\'' | b';' | b'&' | b'|' => return None,
            _ => {}
        }
        if depth == 0 {
            return text.get(at + 1..);
        }
    }
    None
}

/// What is inside the bracket that opens the text, and what follows it.
fn bracketed(text: &str) -> (&str, &str) {
    let mut inside = Level0::of(text);
    inside.next();
    // Back at depth 0, the next place outside is the one after the closing bracket.
    let end = inside.next().map_or(text.len(), |(at, _)| at);
    let closed = text[..end].trim_end();
    let inner = closed.get(1..).unwrap_or("");
    let inner = inner.strip_suffix([')', ']', '}']).unwrap_or(inner);
    (inner, &text[end..])
}

/// How two sides are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    In,
    NotIn,
    Is,
    IsNot,
    InstanceOf,
    And,
    Or,
}

/// Operators by their spelling, longer ones first.
const OPERATORS: &[(&str, Operator)] = &[
    ("===", Operator::Equal),
    ("!==", Operator::NotEqual),
    ("==", Operator::Equal),
    ("!=", Operator::NotEqual),
    ("<=", Operator::LessOrEqual),
    (">=", Operator::GreaterOrEqual),
    ("&&", Operator::And),
    ("||", Operator::Or),
    ("<", Operator::Less),
    (">", Operator::Greater),
];

/// Operators that are words.
const WORDS: &[(&str, Operator)] = &[
    ("not in ", Operator::NotIn),
    ("is not ", Operator::IsNot),
    ("instanceof ", Operator::InstanceOf),
    ("in ", Operator::In),
    ("is ", Operator::Is),
    ("and ", Operator::And),
    ("or ", Operator::Or),
];

/// The outermost comparison of an expression: the loosest binding operator, `or` before `and` before all others.
pub fn comparison(text: &str) -> Option<(&str, Operator, &str)> {
    let text = bare(text);
    let mut found: Option<(usize, usize, Operator)> = None;
    let mut skip_to = 0;
    for (at, _) in Level0::of(text) {
        if at < skip_to {
            continue;
        }
        let Some((length, operator)) = operator_at(text, at) else { continue };
        skip_to = at + length;
        let binds_looser = match operator {
            Operator::Or => true,
            Operator::And => !matches!(found, Some((_, _, Operator::And))),
            _ => found.is_none(),
        };
        if binds_looser {
            found = Some((at, length, operator));
        }
        if operator == Operator::Or {
            break;
        }
    }
    let (at, length, operator) = found?;
    let (left, right) = (text[..at].trim(), text[at + length..].trim());
    (!left.is_empty() && !right.is_empty()).then_some((left, operator, right))
}

fn operator_at(text: &str, at: usize) -> Option<(usize, Operator)> {
    let rest = text.get(at..)?;
    let before = text[..at].chars().next_back();
    // `->`, `=>`, `<<`, `>>` and `<T>` are no comparisons.
    if rest.starts_with("=>") || rest.starts_with("->") || rest.starts_with("<<") || rest.starts_with(">>") {
        return None;
    }
    if let Some((spelling, operator)) = OPERATORS.iter().find(|(spelling, _)| rest.starts_with(spelling)) {
        let is_arrow = matches!(before, Some('-' | '=' | '<' | '>')) && spelling.len() == 1;
        let is_generic = spelling.len() == 1 && !before.is_some_and(char::is_whitespace);
        return (!is_arrow && !is_generic).then_some((spelling.len(), *operator));
    }
    let is_start = before.is_none_or(|c| c.is_whitespace() || c == ')' || c == ']');
    let word = WORDS.iter().find(|(word, _)| is_start && rest.starts_with(word));
    word.map(|(word, operator)| (word.len(), *operator))
}

/// The two sides of a difference: `a - b`.
pub fn minus(text: &str) -> Option<(&str, &str)> {
    let at = Level0::of(text).filter(|&(at, byte)| byte == b'-' && text[at..].starts_with("- ")).last()?.0;
    let (left, right) = (text[..at].trim(), text[at + 1..].trim());
    (!left.is_empty() && !right.is_empty()).then_some((left, right))
}

/// What is inside the brackets that enclose all of the text.
pub fn enclosed(text: &str) -> Option<&str> {
    let (inside, rest) = text.starts_with(['(', '[', '{']).then(|| bracketed(text))?;
    (rest.is_empty() && text.ends_with([')', ']', '}'])).then_some(inside)
}

/// The expression inside parentheses that enclose all of it.
pub fn bare(text: &str) -> &str {
    let mut text = text.trim();
    while text.starts_with('(') {
        let (inside, rest) = bracketed(text);
        if !rest.trim().is_empty() || split(inside).len() != 1 || !text.ends_with(')') {
            return text;
        }
        text = inside.trim();
    }
    text
}

/// The operand of a leading `!` or `not`.
pub fn negation(text: &str) -> Option<&str> {
    let text = bare(text);
    let rest =
        text.strip_prefix("not ").or_else(|| text.strip_prefix('!').filter(|rest| !rest.starts_with('=')))?;
    Some(rest.trim())
}

/// A number as written in any of the languages: `1_000`, `1e-6`, `0.5f`, `10L`, `-3`, `5u32`.
pub fn number(text: &str) -> Option<f64> {
    let text = bare(text).replace('_', "");
    let digits = text.trim_start_matches(['-', '+']);
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let text = text.trim_end_matches(['f', 'F', 'L', 'l', 'd', 'D', 'n']);
    text.parse().ok().or_else(|| {
        let suffix = ["u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "isize", "f32", "f64"];
        let plain = suffix.iter().find_map(|suffix| text.strip_suffix(suffix));
        // The letter that was taken off above may have been the start of none of these.
        plain.and_then(|plain| plain.parse().ok())
    })
}

/// Whether the expression is a plain value: a number, a string, a word for true, false or nothing.
pub fn is_literal(text: &str) -> bool {
    let text = bare(text);
    let words = ["true", "false", "True", "False", "None", "null", "nil", "undefined", "NaN"];
    words.contains(&text) || number(text).is_some() || is_string(text) && !is_filled_in(text)
}

/// Whether the string is put together when it is read: `${a}` in backquotes, Python's f"{a}".
fn is_filled_in(text: &str) -> bool {
    let prefix = text.split(['"', '\'']).next().unwrap_or("");
    text.starts_with('`') && text.contains("${") || prefix.contains(['f', 'F']) && text.contains('{')
}

/// Whether the expression is one string, whatever its prefix.
pub fn is_string(text: &str) -> bool {
    let rest = text.trim().trim_start_matches(|c: char| c.is_ascii_alphabetic() || c == '#');
    rest.starts_with(['"', '\'', '`']) && string_length(rest.as_bytes()) == rest.len() && rest.len() > 1
}

/// The text without white space that only lines need: beside brackets, before a dot; nor the comma that closes a
/// list over several lines. So the same expression reads the same however it is broken into lines.
pub fn tidy(text: &str) -> String {
    let mut tidied = String::with_capacity(text.len());
    let mut rest = text.trim();
    let mut new_line = false;
    while !rest.is_empty() {
        let (word, tail) = rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len()));
        let closes = word.starts_with([')', ']', '}']);
        if closes && tidied.ends_with(',') {
            tidied.pop();
        }
        let opened = tidied.is_empty() || tidied.ends_with(['(', '[', '{']);
        if !(opened || closes || new_line && word.starts_with('.')) {
            tidied.push(' ');
        }
        tidied.push_str(word);
        rest = tail.trim_start();
        new_line = tail[..tail.len() - rest.len()].contains('\n');
    }
    tidied
}

/// The text without comments of the `//` and `/* */` kinds.
pub fn without_comments(text: &str) -> Cow<'_, str> {
    if !text.contains("//") && !text.contains("/*") {
        return Cow::Borrowed(text);
    }
    let bytes = text.as_bytes();
    let (mut kept, mut from, mut at) = (String::with_capacity(text.len()), 0, 0);
    while at < bytes.len() {
        let rest = &text[at..];
        let comment = match bytes[at] {
            b'"' | b'\'' | b'`' => {
                at += match hashes_before(&bytes[..at]) {
                    0 => string_length(&bytes[at..]),
                    hashes => raw_length(&bytes[at..], hashes),
                };
                at = at.min(bytes.len());
                continue;
            }
            b'/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            b'/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            _ => 0,
        };
        if comment > 0 {
            kept.push_str(&text[from..at]);
            from = at + comment;
            at = from;
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    kept.push_str(text.get(from..).unwrap_or(""));
    Cow::Owned(kept)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn names(text: &str) -> Vec<&str> {
        chain(text).iter().map(|link| link.name).collect()
    }

    #[test]
    fn arguments_are_split_outside_of_brackets_and_strings() {
        assert_eq!(split("a, f(b, c), \"d, e\", [1, 2],"), ["a", "f(b, c)", "\"d, e\"", "[1, 2]"]);
        assert_eq!(split("  "), Vec::<&str>::new());
        assert_eq!(split("'it\\'s, so', {a: 1, b: 2}"), ["'it\\'s, so'", "{a: 1, b: 2}"]);
        assert_eq!(split("&'a str, x"), ["&'a str", "x"]);
    }

    #[test]
    fn chains_are_taken_apart() {
        assert_eq!(names("await expect(load(a, b)).not.toBe(3);"), ["expect", "not", "toBe"]);
        assert_eq!(names("assert_eq!(a, b)"), ["assert_eq"]);
        assert_eq!(
            names("assertThat(x)\n    .isNotNull()\n    .isEqualTo(y)"),
            ["assertThat", "isNotNull", "isEqualTo"]
        );
        assert_eq!(chain("self.assertEqual(a, b)")[1].arguments, Some(vec!["a", "b"]));
        assert_eq!(names("(a + b).should.equal(3)"), ["", "should", "equal"]);
        assert_eq!(names("assertThrows<Foo>(() -> bar())"), ["assertThrows"]);
    }

    #[test]
    fn what_stands_before_a_name() {
        let text = "a.b(c)?.d(e)";
        assert_eq!(chain(text).last().map(|link| head_of(text, link.name)), Some("a.b(c)"));
    }

    #[test]
    fn the_loosest_operator_parts_an_expression() {
        assert_eq!(comparison("a == b"), Some(("a", Operator::Equal, "b")));
        assert_eq!(comparison("f(a == b) is not None"), Some(("f(a == b)", Operator::IsNot, "None")));
        assert_eq!(comparison("a == 1 and b == 2"), Some(("a == 1", Operator::And, "b == 2")));
        assert_eq!(comparison("(a <= b)"), Some(("a", Operator::LessOrEqual, "b")));
        assert_eq!(comparison("list.contains(a)"), None);
        assert_eq!(comparison("x => x"), None);
        assert_eq!(comparison("'a == b'"), None);
    }

    #[test]
    fn raw_strings_of_rust_are_one_piece() {
        assert_eq!(split("a, r#\"{\"b\", )\"#, c"), ["a", "r#\"{\"b\", )\"#", "c"]);
    }

    #[test]
    fn a_whole_chain_has_nothing_around_it() {
        assert!(whole_chain("a.b(c)").is_some());
        assert!(whole_chain("a.b(c) + 1").is_none());
        let text = "x.iter().collect::<Vec<_>>().contains(&1)";
        let links = whole_chain(text).unwrap_or_default();
        assert_eq!(
            links.iter().map(|link| link.name).collect::<Vec<_>>(),
            ["x", "iter", "collect", "contains"]
        );
        assert_eq!(before(text, &links[3]), "x.iter().collect::<Vec<_>>()");
    }

    #[test]
    fn lines_do_not_matter_to_a_tidy_text() {
        assert_eq!(tidy("f(\n    a,\n    b,\n)\n    .c()"), "f(a, b).c()");
        assert_eq!(tidy("Foo { a: 1 }"), tidy("Foo {\n  a: 1,\n}"));
    }

    #[test]
    fn comments_are_taken_out_but_not_of_strings() {
        assert_eq!(without_comments("a // it's\n.b(\"http://x\") /* c */"), "a \n.b(\"http://x\") ");
    }

    #[test]
    fn plain_values_are_recognised() {
        for text in ["1", "-2.5", "1_000u64", "0.1f", "'a'", "b\"x\"", "true", "None", "(3)"] {
            assert!(is_literal(text), "{text}");
        }
        for text in ["a", "f(1)", "'a' + 'b'", "[1]", "e5", "`a${b}`", "f'{a}'"] {
            assert!(!is_literal(text), "{text}");
        }
        assert_eq!(number("1e-6"), Some(1e-6));
    }

    #[test]
    fn or_binds_looser_than_and() {
        assert_eq!(comparison("a and b or c"), Some(("a and b", Operator::Or, "c")));
        assert_eq!(comparison("a and b and c"), Some(("a", Operator::And, "b and c")));
        assert_eq!(comparison("a === 1 && b"), Some(("a === 1", Operator::And, "b")));
    }

    #[test]
    fn brackets_and_quotes_in_regular_expressions_are_text() {
        assert_eq!(split("x, /a,[/,]\\)b/g, y"), ["x", "/a,[/,]\\)b/g", "y"]);
        assert_eq!(names("expect(a).toMatch(/\\)'/).and(b)"), ["expect", "toMatch", "and"]);
        assert_eq!(split("a / b, c / d"), ["a / b", "c / d"]);
    }

    proptest! {
        #[test]
        fn no_text_makes_a_reader_panic(text in "\\PC*") {
            chain(&text);
            split(&text);
            comparison(&text);
            number(&text);
            is_literal(&text);
            negation(&text);
            whole_chain(&text);
            tidy(&text);
            without_comments(&text);
        }

        #[test]
        fn no_code_makes_a_reader_panic(text in "[a(){}\\[\\]'\"`,.=<>! \n]*") {
            chain(&text);
            split(&text);
            comparison(&text);
            bare(&text);
            without_comments(&text);
        }

        #[test]
        fn no_raw_string_makes_a_reader_panic(text in "[ar#\"/*'\\n\\\\é(),]*") {
            split(&text);
            chain(&text);
            without_comments(&text);
        }
    }
}
