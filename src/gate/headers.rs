//! Files of which a change touches the licence header and nothing else.
//!
//! Such changes go through a whole repository at once, and say nothing about code: the files are left out as if the change
//! had not touched them.

use anyhow::Result;

use super::facts::{is_read, read_all};
use crate::git::{Change, Content, File, Repository};

/// A header is no longer than this.
const MAX_BYTES: usize = 4096;

/// Fewer files are compared before it is found out that there is nothing to compare.
const MANY: usize = 50;

/// The texts of so many changes are in memory at once.
const AT_ONCE: usize = 256;

/// The changes that are about more than licence headers, where there are many.
pub fn without_headers<'c>(repository: &Repository, changes: Vec<&'c Change>) -> Result<Vec<&'c Change>> {
    if changes.len() < MANY {
        return Ok(changes);
    }
    let mut kept = Vec::new();
    for changes in changes.chunks(AT_ONCE) {
        let sides: Vec<Option<[&File; 2]>> = changes.iter().map(|change| readable(change)).collect();
        let files: Vec<&File> = sides.iter().flatten().flatten().copied().collect();
        let texts = read_all(repository, &files)?;
        let mut pairs = texts.chunks_exact(2);
        for (change, sides) in changes.iter().zip(&sides) {
            let pair = sides.and_then(|_| pairs.next());
            if !pair.is_some_and(|pair| differ_in_header(&pair[0], &pair[1])) {
                kept.push(*change);
            }
        }
    }
    Ok(kept)
}

/// Both sides of a file that stays where it is and whose text can be compared.
fn readable(change: &Change) -> Option<[&File; 2]> {
    let (before, after) = (change.before()?, change.after()?);
    let has_text = |file: &File| is_read(file) && !matches!(file.content, Content::Opaque);
    (before.path == after.path && has_text(before) && has_text(after)).then_some([before, after])
}

/// Whether two texts differ in a comment at their beginning that speaks of rights alone.
fn differ_in_header(before: &[u8], after: &[u8]) -> bool {
    let end = crate::text::common_end(before, after);
    let (old, new) = (&before[..before.len() - end], &after[..after.len() - end]);
    if old.len() > MAX_BYTES || new.len() > MAX_BYTES {
        return false;
    }
    // A line in which the common end begins belongs to the header, too.
    let ends_line = |head: &[u8]| head.last().is_none_or(|byte| *byte == b'\n');
    let rest = before[before.len() - end..].split(|byte| *byte == b'\n').next().unwrap_or_default();
    let rest = if ends_line(old) && ends_line(new) { b"" } else { rest };
    let whole = |head: &[u8]| [head, rest].concat().to_ascii_lowercase();
    let (old, new) = (whole(old), whole(new));
    let is_header = |text: &[u8]| text.split(|byte| *byte == b'\n').all(is_remark);
    let of_rights = |text: &[u8]| RIGHTS.iter().any(|word| crate::text::contains(text, word));
    is_header(&old) && is_header(&new) && (of_rights(&old) || of_rights(&new))
}

/// What headers speak of.
const RIGHTS: &[&[u8]] = &[b"copyright", b"license", b"licence", b"all rights reserved"];

/// Marks that are read by tools, which may stand at the beginning of a file, too.
const FOR_TOOLS: &[&[u8]] = &[
    b"go:",
    b"+build",
    b"#!",
    b"coding",
    b"eslint",
    b"jshint",
    b"@ts-",
    b"@jest",
    b"@vitest",
    b"flow",
    b"noqa",
    b"type:",
    b"pragma",
    b"pylint",
    b"mypy",
    b"ruff",
    b"nolint",
    b"istanbul",
    b"c8",
    b"generated",
    b"<reference",
];

/// Whether a line is empty or a comment for people.
fn is_remark(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let is_comment = line.starts_with(b"//") || line.starts_with(b"#") || is_in_block(line);
    (line.is_empty() || is_comment) && !FOR_TOOLS.iter().any(|mark| crate::text::contains(line, mark))
}

/// A line of a block comment that carries a mark of it, and ends nowhere but at its own end.
fn is_in_block(line: &[u8]) -> bool {
    let begins = line.starts_with(b"/*") || line.starts_with(b"*");
    begins && crate::text::occurrences(line, b"*/").all(|at| at + 2 == line.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_year_or_another_licence_is_a_header() {
        let code = "package a\n\nfunc f() {}\n";
        let header = "// Copyright (c) ACME, Inc.\n// SPDX-License-Identifier: MPL-2.0\n\n";
        let other = header.replace("MPL-2.0", "BUSL-1.1");
        let with = |header: &str| format!("{header}{code}").into_bytes();
        assert!(differ_in_header(&with(""), &with(header)));
        assert!(differ_in_header(&with(header), &with(&other)));
        let block = |year| format!("/*\n * Copyright {year} ACME.\n */\n\nclass A {{}}\n").into_bytes();
        assert!(differ_in_header(&block(2025), &block(2026)));
    }

    #[test]
    fn anything_else_at_the_beginning_is_code() {
        let with = |head: &str| format!("{head}package a\n").into_bytes();
        for head in [
            "//go:build never\n// Copyright ACME\n",
            "// Copyright ACME\n/* */ var a = 1 /* */\n",
            "/* Copyright ACME */ import \"b\"\n",
            "# Copyright ACME\nskip = True\n",
            "// A word of explanation.\n",
        ] {
            assert!(!differ_in_header(&with(""), &with(head)), "{head}");
        }
        let (one, other) = (b"// Copyright ACME\nf(1)\n", b"// Copyright ACME\nf(2)\n");
        assert!(!differ_in_header(one, other));
        assert!(!differ_in_header(b"f() // Copyright A\n", b"g() // Copyright B\n"));
    }
}
