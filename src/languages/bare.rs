//! Source text without what only speaks: comments taken out, strings emptied, line by line.
//!
//! For rules that look for spellings in code which no walk of a tree made anything of. Told by the signs of a language
//! alone, so that also files in languages that nobody reads can be looked at.

use crate::facts::Remark;
use crate::text::lossy;

/// How a language writes strings.
struct Quotes {
    /// Three quotes open a string over many lines.
    triple: bool,
    /// A backtick opens one, too.
    backtick: bool,
    /// A single quote opens a string; else only a character.
    single: bool,
    /// A plain string may go over lines.
    over_lines: bool,
}

fn quotes_of(language: &str) -> Quotes {
    match language {
        "python" => Quotes { triple: true, backtick: false, single: true, over_lines: false },
        "javascript" | "typescript" => {
            Quotes { triple: false, backtick: true, single: true, over_lines: false }
        }
        "go" => Quotes { triple: false, backtick: true, single: false, over_lines: false },
        "rust" => Quotes { triple: false, backtick: false, single: false, over_lines: true },
        _ => Quotes { triple: true, backtick: false, single: false, over_lines: false },
    }
}

/// The lines of a text, numbered from 1 by their place: strings are empty, comments are gone.
pub fn bare_lines(language: &str, text: &[u8], remarks: &[Remark]) -> Vec<String> {
    let blank = without_comments(language, text, remarks);
    let quotes = quotes_of(language);
    let mut left = Vec::with_capacity(blank.len());
    let mut at = 0;
    while at < blank.len() {
        let raw = (language == "rust").then(|| end_of_raw(&blank[at..])).flatten();
        match raw.or_else(|| end_of_string(&quotes, &blank[at..])) {
            Some((open, end)) => {
                left.extend_from_slice(&blank[at..at + open]);
                let inside = &blank[at + open..at + end];
                left.extend(inside.iter().filter(|byte| **byte == b'\n'));
                left.extend_from_slice(&blank[at..at + open]);
                at += end;
            }
            None => {
                left.push(blank[at]);
                at += 1;
            }
        }
    }
    left.split(|byte| *byte == b'\n').map(|line| lossy(line).into_owned()).collect()
}

/// The text with comments turned into nothing but their line breaks.
fn without_comments(language: &str, text: &[u8], remarks: &[Remark]) -> Vec<u8> {
    let mut left = Vec::with_capacity(text.len());
    if language.is_empty() {
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            let is_comment = [&b"//"[..], b"#", b"*", b"/*", b"--"]
                .iter()
                .any(|mark| line.trim_ascii_start().starts_with(mark));
            let kept =
                if is_comment { &line[line.len() - usize::from(line.ends_with(b"\n"))..] } else { line };
            left.extend_from_slice(kept);
        }
        return left;
    }
    let mut at = 0;
    for remark in remarks {
        let (start, end) = (remark.start as usize, (remark.end as usize).min(text.len()));
        if start < at || start > end {
            continue;
        }
        left.extend_from_slice(&text[at..start]);
        left.extend(text[start..end].iter().filter(|byte| **byte == b'\n'));
        at = end;
    }
    left.extend_from_slice(&text[at.min(text.len())..]);
    left
}

/// How long the opening of the string is that a text starts with, and where the string ends.
fn end_of_string(quotes: &Quotes, text: &[u8]) -> Option<(usize, usize)> {
    let mark = text[0];
    let is_open = match mark {
        b'"' => true,
        b'\'' => quotes.single || is_character(text),
        b'`' => quotes.backtick,
        _ => false,
    };
    if !is_open {
        return None;
    }
    let is_triple = quotes.triple && text.len() > 2 && text[1] == mark && text[2] == mark;
    let open = if is_triple { 3 } else { 1 };
    let many = is_triple || mark == b'`' || quotes.over_lines;
    let mut at = open;
    while at < text.len() {
        match text[at] {
            b'\\' => at += 1,
            b'\n' if !many => return Some((open, at)),
            byte if byte == mark && text[at..].iter().take(open).all(|next| *next == mark) => {
                let closes = text.len() - at >= open;
                if closes {
                    return Some((open, at + open));
                }
            }
            _ => {}
        }
        at += 1;
    }
    Some((open, text.len()))
}

/// The same for `r#"..."#`, in which nothing is escaped.
fn end_of_raw(text: &[u8]) -> Option<(usize, usize)> {
    let rest = text.strip_prefix(b"r")?;
    let signs = rest.iter().take_while(|byte| **byte == b'#').count();
    if rest.get(signs) != Some(&b'"') {
        return None;
    }
    let mut close = vec![b'"'];
    close.resize(signs + 1, b'#');
    let open = signs + 2;
    let end = memchr::memmem::find(&text[open..], &close).map(|at| open + at + close.len());
    Some((open, end.unwrap_or(text.len())))
}

/// `'a'`, `'\n'`; not the lifetime `'a`.
fn is_character(text: &[u8]) -> bool {
    text.get(1) == Some(&b'\\') || text.iter().skip(2).take(4).any(|byte| *byte == b'\'')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn bare(language: &str, text: &str) -> String {
        bare_lines(language, text.as_bytes(), &[]).join("\n")
    }

    #[test]
    fn strings_are_emptied_and_lines_stay() {
        for (language, text, expected) in [
            ("python", "a('''x\ny''', \"skip\")", "a('''\n''', \"\")"),
            ("javascript", "f(`it.skip\n${a}`, 'x')", "f(`\n`, '')"),
            ("go", "t.Skip(\"no\", 'a')", "t.Skip(\"\", '')"),
            ("rust", "fn a<'a>(x: &'a str) { \"ignore\n\" }", "fn a<'a>(x: &'a str) { \"\n\" }"),
            ("rust", "f(r#\"a \"b\" #[ignore]\"#)", "f(r#\"r#\")"),
            ("", "// @Ignore\n@Ignore(\"x\")", "\n@Ignore(\"\")"),
        ] {
            assert_eq!(bare(language, text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in r#"[a'"`\\\n/#é]{0,40}"#, language in "python|go|rust|java|") {
            let lines = bare(&language, &text).split('\n').count();
            prop_assert_eq!(lines, text.split('\n').count());
        }
    }
}
