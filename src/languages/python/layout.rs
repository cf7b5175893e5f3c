//! Python files in which white space and comments mean more than they seem to.

use crate::languages::Source;
use crate::text::contains;

/// Whether a change of white space or of a comment may change what the file does.
pub fn layout_is_code(source: &Source<'_>) -> bool {
    has_encoding(source.text) || has_mixed_indentation(source.text) || contains(source.text, b"# /// ")
}

/// An encoding, in a comment of the first two lines, that changes what strings hold.
fn has_encoding(text: &[u8]) -> bool {
    text.split(|byte| *byte == b'\n').take(2).any(|line| {
        let comment = line.trim_ascii_start().strip_prefix(b"#").unwrap_or_default();
        let comment = String::from_utf8_lossy(comment);
        let name = comment.find("coding:").or_else(|| comment.find("coding=")).map(|at| &comment[at + 7..]);
        name.is_some_and(|name| {
            let name = name.trim_start().to_ascii_lowercase().replace('_', "-");
            // What is the case anyway.
            !name.starts_with("utf-8") && !name.starts_with("utf8")
        })
    })
}

/// How deep a tab is depends on what stands around it.
fn has_mixed_indentation(text: &[u8]) -> bool {
    let (mut tabs, mut spaces) = (false, false);
    for line in text.split(|byte| *byte == b'\n') {
        let end = line.iter().position(|byte| !matches!(byte, b' ' | b'\t' | 0x0c)).unwrap_or(line.len());
        // A form feed sets the column back.
        if end < line.len() && line[..end].contains(&0x0c) && end > 1 {
            return true;
        }
        tabs |= line[..end].contains(&b'\t');
        spaces |= line[..end].contains(&b' ');
    }
    tabs && spaces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_code(text: &str) -> bool {
        layout_is_code(&Source { path: "a.py", text: text.as_bytes() })
    }

    #[test]
    fn encodings_tabs_and_scripts_are_code() {
        assert!(is_code("#!/usr/bin/python\n# vim: set fileencoding=latin-1 :\nx = 1\n"));
        assert!(is_code("# coding: cp1252\n"));
        assert!(is_code("if a:\n\tb()\n        c()\n"));
        assert!(is_code("if a:\n \x0c b()\n"));
        assert!(is_code("# /// script\n# dependencies = []\n# ///\n"));
    }

    #[test]
    fn ordinary_files_are_not() {
        assert!(!is_code("# -*- coding: utf-8 -*-\nx = 1\n"));
        assert!(!is_code("x = 1\ny = 2\n# coding: cp1252 was here\n"));
        assert!(!is_code("if a:\n\tb()\n\tc()\n"));
        assert!(!is_code("if a:\n    b()\n\x0c\nc()\n"));
    }
}
