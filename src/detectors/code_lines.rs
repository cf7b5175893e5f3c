//! The lines of a file as code: without comments and white space, so that two sides can be compared line by line.

use std::collections::HashMap;

use crate::comparison::{Comparison, FileComparison, FileSide};
use crate::facts::{Definition, DefinitionKind, Span};
use crate::paths::PathClass;

/// One line of a side that has code on it, or a comment.
pub struct CodeLine {
    pub number: u32,
    /// The code alone, white space taken out; empty where there is none.
    pub code: String,
    /// The line with the marks of its comments taken off, white space taken out; empty where it has no comment.
    pub bared: String,
    /// Whether its comment was written for a documentation tool.
    pub documents: bool,
    /// Whether the comment has code beside it on the line.
    pub beside: bool,
}

/// The lines of a side that are not blank.
pub fn lines(side: &FileSide) -> Vec<CodeLine> {
    let text = &side.text;
    let mut found = Vec::new();
    let mut remarks = side.facts.signals.remarks.iter().peekable();
    let mut start = 0;
    for (index, line) in text.split(|&byte| byte == b'\n').enumerate() {
        let end = start + line.len();
        while remarks.peek().is_some_and(|remark| (remark.end as usize) <= start) {
            remarks.next();
        }
        let mut code = Vec::new();
        let mut bared = Vec::new();
        let mut documents = false;
        let mut at = start;
        let mut has_remark = false;
        for remark in remarks.clone().take_while(|remark| (remark.start as usize) < end) {
            let (from, to) = ((remark.start as usize).max(start), (remark.end as usize).min(end));
            push_visible(&mut code, &text[at.min(from)..from]);
            push_visible(&mut bared, &text[at.min(from)..from]);
            push_visible(&mut bared, without_marks(&text[from..to.max(from)]));
            documents |= remark.documents;
            has_remark = true;
            at = at.max(to);
        }
        push_visible(&mut code, &text[at.min(end)..end]);
        if has_remark {
            push_visible(&mut bared, &text[at.min(end)..end]);
        }
        let beside = has_remark && !code.is_empty();
        if !code.is_empty() || !bared.is_empty() {
            let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
            found.push(CodeLine {
                number: index as u32 + 1,
                code: text(code),
                bared: text(bared),
                documents,
                beside,
            });
        }
        start = end + 1;
    }
    found
}

fn push_visible(into: &mut Vec<u8>, text: &[u8]) {
    into.extend(text.iter().filter(|byte| !byte.is_ascii_whitespace()));
}

/// A stretch of comment as the code it may have been: the marks at its ends taken off.
fn without_marks(comment: &[u8]) -> &[u8] {
    let mut text = comment.trim_ascii();
    for mark in [&b"\"\"\""[..], b"'''", b"<!--", b"/*", b"//", b"#", b"*"] {
        if let Some(rest) = text.strip_prefix(mark) {
            let more = rest.iter().take_while(|&&byte| byte == mark[mark.len() - 1] && mark != b"*").count();
            text = rest[more..].trim_ascii_start();
            break;
        }
    }
    for mark in [&b"*/"[..], b"\"\"\"", b"'''", b"-->"] {
        text = text.strip_suffix(mark).unwrap_or(text);
    }
    text.trim_ascii()
}

/// How often each code line stands on a side.
pub fn counts(lines: &[CodeLine]) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    for line in lines.iter().filter(|line| !line.code.is_empty()) {
        *counts.entry(line.code.as_str()).or_default() += 1;
    }
    counts
}

/// The code lines of one side that the other has not, or not as often.
pub fn vanished<'l>(before: &'l [CodeLine], after: &[CodeLine]) -> HashMap<&'l str, usize> {
    let mut gone = counts(before);
    for line in after.iter().filter(|line| !line.code.is_empty()) {
        if let Some(count) = gone.get_mut(line.code.as_str()) {
            *count = count.saturating_sub(1);
        }
    }
    gone.retain(|_, count| *count > 0);
    gone
}

/// Both sides of a production file that a language reads; what is new or gone is nobody's existing code.
pub fn existing(file: &FileComparison) -> Option<(&FileSide, &FileSide)> {
    let sides = file.before.as_ref().zip(file.after.as_ref());
    sides.filter(|_| file.class == PathClass::Production)
}

/// The lines of a side that serve tests alone.
pub struct TestCode(Vec<Span>);

impl TestCode {
    pub fn of(side: &FileSide) -> Self {
        let tests = side.facts.tests.iter().map(|test| test.span);
        let mut spans: Vec<Span> = tests.chain(side.facts.signals.test_code.iter().copied()).collect();
        spans.sort_unstable();
        let mut joined: Vec<Span> = Vec::new();
        for span in spans {
            match joined.last_mut() {
                Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
                _ => joined.push(span),
            }
        }
        Self(joined)
    }

    pub fn contains(&self, line: u32) -> bool {
        let at = self.0.partition_point(|span| span.end < line);
        self.0.get(at).is_some_and(|span| span.start <= line)
    }
}

/// Whether the change is a rework, in which a line or a switch is but a detail.
pub fn is_rework(comparison: &Comparison) -> bool {
    comparison.files.iter().filter(|file| file.class == PathClass::Production).count() > REWORK
}

/// More production files than this are more than one thing.
const REWORK: usize = 20;

/// The functions around a line, outermost first, as `outer::inner`; empty outside of any.
pub fn function_at(side: &FileSide, line: u32) -> String {
    let mut around: Vec<&Definition> =
        side.facts.definitions.iter().filter(|definition| is_around(definition, line)).collect();
    around.sort_by_key(|definition| std::cmp::Reverse(definition.span.end - definition.span.start));
    let names: Vec<&str> = around.iter().map(|definition| definition.name.as_str()).take(MAX_DEPTH).collect();
    names.join("::")
}

fn is_around(definition: &Definition, line: u32) -> bool {
    definition.kind == DefinitionKind::Function
        && definition.span.start <= line
        && line <= definition.span.end
}

/// Names of functions nested deeper are left out.
const MAX_DEPTH: usize = 8;

/// Folders and files whose code is there to be played with.
const SCRATCH: &[&str] = &[
    "playground",
    "playgrounds",
    "scratch",
    "sandbox",
    "examples",
    "example",
    "demo",
    "demos",
    "benchmarks",
    "benches",
    "bench",
];

/// Whether nobody depends on what the file does.
pub fn is_scratch(path: &str) -> bool {
    let parts = path.split('/').flat_map(|part| part.split(['.', '-', '_']).next().into_iter().chain([part]));
    parts.into_iter().any(|part| SCRATCH.contains(&part.to_ascii_lowercase().as_str()))
}

/// Whether the file configures, builds or releases: it may well ask where it runs.
pub fn is_tooling(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let folders = [
        "scripts",
        "script",
        "tools",
        "tool",
        "build",
        "ci",
        ".github",
        "hack",
        "config",
        "bin",
        "reporters",
    ];
    let stems = [
        "setup",
        "build",
        "noxfile",
        "gulpfile",
        "gruntfile",
        "rollup",
        "webpack",
        "vite",
        "vitest",
        "jest",
        "babel",
    ];
    let stem = name.split('.').next().unwrap_or(name).to_ascii_lowercase();
    name.contains(".config.")
        || name.starts_with('.')
        || stems.contains(&stem.as_str())
        || path.split('/').rev().skip(1).any(|folder| folders.contains(&folder.to_ascii_lowercase().as_str()))
}
