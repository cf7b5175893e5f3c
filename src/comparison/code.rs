//! The lines of a file as code: without comments and white space, so that two sides can be compared line by line.

use std::ops::Range;

use crate::collections::HashMap;
use crate::facts::Remark;
use crate::text::{common_start, line_breaks};

/// One line of a side that has code on it, or a comment.
#[derive(Clone, Debug)]
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

/// Where a line starts: its first byte and its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineStart {
    pub byte: usize,
    pub number: u32,
}

impl LineStart {
    const FIRST: Self = Self { byte: 0, number: 1 };

    /// The start of the first line that two texts do not have in common.
    pub fn of_difference(one: &[u8], other: &[u8]) -> Self {
        let same = &one[..common_start(one, other)];
        let byte = line_breaks(same).next_back().map_or(0, |at| at + 1);
        let number = 1 + line_breaks(same).count();
        Self { byte, number: u32::try_from(number).unwrap_or(u32::MAX) }
    }
}

/// The lines of a text that are not blank, given where its comments stand. Who stops early pays for no more.
pub(super) fn lines<'t>(text: &'t [u8], remarks: &'t [Remark]) -> impl Iterator<Item = CodeLine> + use<'t> {
    lines_from(text, remarks, LineStart::FIRST)
}

/// The same from a line on.
pub(super) fn lines_from<'t>(
    text: &'t [u8],
    remarks: &'t [Remark],
    from: LineStart,
) -> impl Iterator<Item = CodeLine> + use<'t> {
    let mut start = from.byte;
    let mut remarks =
        remarks[remarks.partition_point(|remark| (remark.end as usize) <= start)..].iter().peekable();
    let lines = text[start..].split(|&byte| byte == b'\n').zip(from.number..);
    lines.filter_map(move |(line, number)| {
        let end = start + line.len();
        while remarks.peek().is_some_and(|remark| (remark.end as usize) <= start) {
            remarks.next();
        }
        let here = remarks.clone().take_while(|remark| (remark.start as usize) < end);
        let found = code_line(text, start..end, here, number);
        start = end + 1;
        found
    })
}

/// One line with the comments that reach into it.
fn code_line<'t>(
    text: &[u8],
    line: Range<usize>,
    remarks: impl Iterator<Item = &'t Remark>,
    number: u32,
) -> Option<CodeLine> {
    let Range { start, end } = line;
    let (mut code, mut bared) = (Vec::new(), Vec::new());
    let mut documents = false;
    let mut at = start;
    let mut has_remark = false;
    for remark in remarks {
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
    if code.is_empty() && bared.is_empty() {
        return None;
    }
    let beside = has_remark && !code.is_empty();
    Some(CodeLine { number, code: into_text(code), bared: into_text(bared), documents, beside })
}

fn into_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

fn push_visible(into: &mut Vec<u8>, text: &[u8]) {
    let text = text.trim_ascii();
    into.reserve(text.len());
    let mut start = 0;
    for (at, byte) in text.iter().enumerate() {
        // One comparison tells most bytes: every line of both sides comes through here.
        if *byte <= b' ' && byte.is_ascii_whitespace() {
            into.extend_from_slice(&text[start..at]);
            start = at + 1;
        }
    }
    into.extend_from_slice(&text[start..]);
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
pub fn counts<'l>(lines: impl IntoIterator<Item = &'l CodeLine>) -> HashMap<&'l str, usize> {
    let mut counts = HashMap::new();
    for line in lines.into_iter().filter(|line| !line.code.is_empty()) {
        *counts.entry(line.code.as_str()).or_default() += 1;
    }
    counts
}

/// The code lines of one side that the other has not, or not as often.
pub fn vanished<'l>(
    before: impl IntoIterator<Item = &'l CodeLine>,
    after: impl IntoIterator<Item = &'l CodeLine>,
) -> HashMap<&'l str, usize> {
    let mut gone = counts(before);
    for line in after.into_iter().filter(|line| !line.code.is_empty()) {
        if let Some(count) = gone.get_mut(line.code.as_str()) {
            *count = count.saturating_sub(1);
        }
    }
    gone.retain(|_, count| *count > 0);
    gone
}
