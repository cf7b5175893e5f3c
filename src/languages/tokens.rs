//! Whether two texts of one file differ in nothing but white space and ordinary comments.
//!
//! Compared are the shape of the trees and the text of their leaves. Where there is doubt (errors, unknown
//! languages, comments that tools read) the answer is no.

use tree_sitter::{Node, Tree};

use super::Source;
use super::parse::read;
use super::source::readable;
use crate::text::contains;

/// Whether a program could tell the two apart.
pub fn same_tokens(path: &str, one: &[u8], other: &[u8]) -> bool {
    if one == other {
        return true;
    }
    let source = |text| Source { path, text };
    let (Ok(language), Ok(_)) = (readable(source(one)), readable(source(other))) else { return false };
    if (language.layout_is_code)(&source(one)) || (language.layout_is_code)(&source(other)) {
        return false;
    }
    let (Some(first), Some(second)) = (read(language, one), read(language, other)) else { return false };
    first.is_whole()
        && second.is_whole()
        && tokens(language.name, &first.tree, one) == tokens(language.name, &second.tree, other)
}

/// A node of the tree, or text that no node covers.
#[derive(PartialEq, Eq)]
struct Token<'t> {
    kind: Option<u16>,
    depth: u32,
    /// Empty for nodes that have children.
    text: &'t [u8],
}

fn tokens<'t>(language: &str, tree: &Tree, text: &'t [u8]) -> Vec<Token<'t>> {
    let mut tokens = Vec::new();
    let mut breaks = Breaks::default();
    let mut cursor = tree.walk();
    let mut covered = 0;
    loop {
        let (node, depth) = (cursor.node(), cursor.depth());
        let leaf = node.child_count() == 0 || is_text(node) || is_comment(node);
        if node.kind() == PACKAGE {
            let head = &text[..node.start_byte()];
            tokens.extend(gap(text, 0, head.len(), depth).map(|gap| Token { text: head, ..gap }));
        }
        if leaf {
            tokens.extend(gap(text, covered, node.start_byte(), depth));
            covered = covered.max(node.end_byte());
        }
        let own: &[u8] = if leaf { &text[node.byte_range()] } else { b"" };
        if leaf && is_javascript(language) && !is_comment(node) && breaks.one_before(node, text) {
            tokens.push(Token { kind: None, depth, text: b"\n" });
        }
        // To Go such a comment is the end of a line, and so perhaps of a statement.
        let ends_line = language == "go" && is_comment(node) && own.contains(&b'\n');
        if ends_line || matters(node, leaf, own) {
            tokens.push(Token { kind: Some(node.kind_id()), depth, text: own });
        }
        if !leaf && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                tokens.extend(gap(text, covered, text.len(), 0));
                return tokens;
            }
        }
    }
}

/// What stands between two leaves, should it be more than white space.
fn gap(text: &[u8], from: usize, to: usize, depth: u32) -> Option<Token<'_>> {
    let between = text.get(from..to)?.trim_ascii();
    (!between.is_empty()).then_some(Token { kind: None, depth, text: between })
}

/// In front of it, Go reads even the blank lines between comments.
const PACKAGE: &str = "package_clause";

fn is_javascript(language: &str) -> bool {
    matches!(language, "javascript" | "typescript")
}

/// Finds line breaks that end a statement of JavaScript, or would if the grammar were strict.
#[derive(Default)]
struct Breaks<'t> {
    end: usize,
    text: &'t [u8],
}

impl<'t> Breaks<'t> {
    const BEHIND: [&'static [u8]; 11] = [
        b"throw",
        b"return",
        b"break",
        b"continue",
        b"yield",
        b"async",
        b"get",
        b"set",
        b"static",
        b"accessor",
        b"abstract",
    ];
    const BEFORE: [&'static [u8]; 3] = [b"=>", b"++", b"--"];

    /// Whether one stands in front of this leaf that counts.
    fn one_before(&mut self, node: Node<'_>, text: &'t [u8]) -> bool {
        let own = &text[node.byte_range()];
        if own.is_empty() {
            return false;
        }
        let between = text.get(self.end..node.start_byte()).unwrap_or_default();
        let separators = [&b"\n"[..], b"\r", b"\xe2\x80\xa8", b"\xe2\x80\xa9"];
        let is_there = separators.iter().any(|separator| contains(between, separator));
        let counts = Self::BEHIND.contains(&self.text) || Self::BEFORE.contains(&own);
        (self.end, self.text) = (node.end_byte(), own);
        is_there && counts
    }
}

/// Text whose white space counts, whatever it is made of.
fn is_text(node: Node<'_>) -> bool {
    let kind = node.kind();
    let literal = kind.contains("string") || kind.contains("char_literal") || kind.contains("template");
    node.is_named()
        && ((literal && !kind.contains("concatenated") && !kind.contains("type"))
            || kind.starts_with("regex"))
}

fn is_comment(node: Node<'_>) -> bool {
    node.kind().contains("comment")
}

fn matters(node: Node<'_>, leaf: bool, text: &[u8]) -> bool {
    if is_comment(node) {
        return is_read_by_tools(text);
    }
    // Ends of lines are tokens in some grammars; what they mean shows in the shape.
    !leaf || node.is_named() || !text.trim_ascii().is_empty()
}

/// First words of comments that tools act on.
const DIRECTIVES: &[&str] = &[
    "biome",
    "c8 ",
    "checkstyle",
    "coding",
    "eslint",
    "export ",
    "flake8",
    "fmt:",
    "formatter:",
    "go:",
    "istanbul",
    "isort:",
    "jshint",
    "line ",
    "mypy",
    "noinspection",
    "nolint",
    "noqa",
    "nosec",
    "nosonar",
    "pragma",
    "prettier",
    "pylint",
    "pyright",
    "ruff:",
    "sourcemappingurl",
    "spotless",
    "ts-",
    "tslint",
    "type:",
    "v8 ",
    "webpack",
    "+build",
];

/// Comments that change what tools or tests do: directives, and documentation whose examples run.
fn is_read_by_tools(comment: &[u8]) -> bool {
    let starts = |marks: &[&str]| marks.iter().any(|mark| comment.starts_with(mark.as_bytes()));
    if starts(&["///", "//!", "/**", "/*!", "#!", "//#"])
        || comment.contains(&b'@')
        || contains(comment, b"\\u")
    {
        return true;
    }
    let body = String::from_utf8_lossy(comment).to_ascii_lowercase();
    let body = body.trim_start_matches(['/', '*', '#', ' ', '\t', '<', '!', '-']);
    DIRECTIVES.iter().any(|word| body.starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(path: &str, one: &str, other: &str) -> bool {
        same_tokens(path, one.as_bytes(), other.as_bytes())
    }

    #[test]
    fn white_space_and_ordinary_comments_change_nothing() {
        for (path, one, other) in [
            ("a.py", "def f(a,b):\n  return a+b\n", "# sums\n\ndef f(a, b):\n    return a + b  # both\n"),
            ("a.py", "x = [1,\n 2]\n", "x = [1, 2]\n"),
            ("a.js", "if(a){b()}\n", "if (a) {\n  b()\n}\n"),
            ("a.ts", "let a:number=1;// one\n", "let a: number = 1;\n"),
            (
                "a.go",
                "package a\nfunc f()int{return 1}\n",
                "package a\n\n// f is one.\nfunc f() int { return 1 }\n",
            ),
            ("a.rs", "fn f()->u8{1}\n", "// one\nfn f() -> u8 {\n    1\n}\n"),
            ("A.java", "class A{int f(){return 1;}}\n", "class A {\n  // one\n  int f() { return 1; }\n}\n"),
        ] {
            assert!(same(path, one, other), "{one}");
        }
    }

    #[test]
    fn one_changed_token_is_a_change() {
        for (path, one, other) in [
            ("a.py", "x = 1\n", "x = 2\n"),
            ("a.py", "x = 'a b'\n", "x = 'a  b'\n"),
            ("a.py", "x = f'a {b}'\n", "x = f'a  {b}'\n"),
            ("a.py", "x = \"\"\"a\n  b\"\"\"\n", "x = \"\"\"a\n b\"\"\"\n"),
            ("a.js", "x = `a ${b}  c`\n", "x = `a ${b} c`\n"),
            ("a.js", "x = /a b/\n", "x = /a  b/\n"),
            ("a.jsx", "x = <a>b <i/></a>\n", "x = <a>b<i/></a>\n"),
            ("a.rs", "/// Adds.\n/// assert!(true)\nfn f() {}\n", "/// Adds.\nfn f() {}\n"),
            ("a.rs", "m!(a b);\n", "m!(ab);\n"),
            ("a.go", "package a\n//go:embed x\nvar s string\n", "package a\n\nvar s string\n"),
            (
                "a_test.go",
                "package a\nfunc ExampleF() {\n\t// Output: 1\n}\n",
                "package a\nfunc ExampleF() {\n\t// Output: 2\n}\n",
            ),
            ("a.py", "x = 1  # type: ignore\n", "x = 1\n"),
            ("a.txt", "a b", "a  b"),
        ] {
            assert!(!same(path, one, other), "{one}");
        }
    }

    #[test]
    fn a_line_break_that_changes_meaning_is_a_change() {
        for (path, one, other) in [
            ("a.js", "function f(a) { return a }\n", "function f(a) { return\n a }\n"),
            ("a.js", "a\n++b\n", "a++\nb\n"),
            ("a.js", "a = b\n(c)\n", "a = b;\n(c)\n"),
            ("a.py", "x = 1\n-y\n", "x = 1 -y\n"),
            ("a.py", "if a:\n    b()\n    c()\n", "if a:\n    b()\nc()\n"),
            (
                "a.go",
                "package a\nfunc f() int {\n\treturn g(\n\t\t1)\n}\n",
                "package a\nfunc f() int {\n\treturn\n\tg(1)\n}\n",
            ),
        ] {
            assert!(!same(path, one, other), "{one}");
        }
    }

    #[test]
    fn layout_that_means_something_is_a_change() {
        for (path, one, other) in [
            ("a.py", "# coding: latin-1\nx = 'é'\n", "\n\n# coding: latin-1\nx = 'é'\n"),
            ("a.py", "if a:\n\tb()\n\tc()\n", "if a:\n\tb()\n        c()\n"),
            ("a.py", "# /// script\n# dependencies = ['a']\n# ///\nx = 1\n", "x = 1\n"),
            (
                "a.go",
                "package a\nfunc f() int { return /*\n*/ 1 }\n",
                "package a\nfunc f() int { return 1 }\n",
            ),
            ("a.go", "// +build linux\n\npackage a\n", "// +build linux\npackage a\n"),
            ("a.go", "//go:build linux\n\npackage a\n", "package a\n"),
            ("a.js", "function f(a) { throw a }\n", "function f(a) { throw\n a }\n"),
            ("a.js", "function* f(a) { yield a }\n", "function* f(a) { yield /*\n*/ a }\n"),
            ("a.js", "x = async a => a\n", "x = async\na => a\n"),
            ("a.js", "for (;;) { a: for (;;) break a }\n", "for (;;) { a: for (;;) break\na }\n"),
            ("a.ts", "let a = (b: number) => b\n", "let a = (b: number)\n=> b\n"),
            ("a.ts", "class A { static b() {} }\n", "class A { static\nb() {} }\n"),
            ("A.java", "class A { /* */ }\n", "class A { /* \\u002a/ int a = 1; /* */ }\n"),
            ("a.rs", "fn f() -> u32 { line!() }\n", "\nfn f() -> u32 { line!() }\n"),
        ] {
            assert!(!same(path, one, other), "{one} {other}");
        }
    }

    #[test]
    fn ordinary_layout_stays_free() {
        for (path, one, other) in [
            ("a.py", "# -*- coding: utf-8 -*-\nx = 1\n", "# -*- coding: utf-8 -*-\n\nx = 1  # one\n"),
            ("a.py", "if a:\n\tb()\n", "if a:\n    b()\n"),
            (
                "a.go",
                "// Package a is.\npackage a\nvar b = 1\n",
                "// Package a is.\npackage a\n\nvar b = 1 /* b */\n",
            ),
            ("a.go", "package a\n", "\n\npackage a\n"),
            ("a.js", "a(b => { return b })\n", "a(\n  b => {\n    return b\n  }\n)\n"),
            ("a.js", "async function f() { if (!a) i++ }\n", "async function f() {\n  if (!a)\n    i++\n}\n"),
            ("a.js", "return_(1)\n", "return_(\n  1\n)\n"),
        ] {
            assert!(same(path, one, other), "{one} {other}");
        }
    }

    #[test]
    fn files_with_errors_compare_exactly() {
        assert!(!same("a.py", "def f(:\n  pass\n", "def f(:\n    pass\n"));
    }
}
