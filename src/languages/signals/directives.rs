//! Marks that tell a tool to look away: in comments, in attributes, in annotations.

use tree_sitter::Node;

use super::walk::{LIST_LIMIT, Reader};
use crate::facts::{Directive, DirectiveKind};
use crate::languages::line_of;

use DirectiveKind::{Coverage, Suppression};

/// How a comment begins that is read by a tool, in lower case and without the marker of the comment.
const COMMENTS: &[(&str, DirectiveKind)] = &[
    ("eslint-disable", Suppression),
    ("@ts-ignore", Suppression),
    ("@ts-expect-error", Suppression),
    ("@ts-nocheck", Suppression),
    ("tslint:disable", Suppression),
    ("biome-ignore", Suppression),
    ("oxlint-disable", Suppression),
    ("deno-lint-ignore", Suppression),
    ("jshint ignore", Suppression),
    ("standard:disable", Suppression),
    ("$flowfixme", Suppression),
    ("type: ignore", Suppression),
    ("type:ignore", Suppression),
    ("pyright: ignore", Suppression),
    ("pyrefly: ignore", Suppression),
    ("mypy: ignore", Suppression),
    ("ty: ignore", Suppression),
    ("noqa", Suppression),
    ("flake8: noqa", Suppression),
    ("ruff: noqa", Suppression),
    ("pylint: disable", Suppression),
    ("pylint:disable", Suppression),
    ("nosec", Suppression),
    ("nolint", Suppression),
    ("lint:ignore", Suppression),
    ("checkstyle:off", Suppression),
    ("checkstyle.off", Suppression),
    ("nosonar", Suppression),
    ("nopmd", Suppression),
    ("noinspection", Suppression),
    ("pragma: no cover", Coverage),
    ("pragma:no cover", Coverage),
    ("pragma: no branch", Coverage),
    ("istanbul ignore", Coverage),
    ("c8 ignore", Coverage),
    ("v8 ignore", Coverage),
    ("node:coverage disable", Coverage),
    ("node:coverage ignore", Coverage),
    ("lcov_excl", Coverage),
    ("grcov-excl", Coverage),
    ("tarpaulin::skip", Coverage),
    ("coverage-ignore", Coverage),
    ("cover:ignore", Coverage),
];

/// The letters, in lower case, that one of those begins with: most comments are none of them.
const FIRST: [bool; 256] = {
    let mut first = [false; 256];
    let mut at = 0;
    while at < COMMENTS.len() {
        first[COMMENTS[at].0.as_bytes()[0] as usize] = true;
        at += 1;
    }
    first
};

/// Marks that may also follow other words of the comment, as in `# pragma: no cover  # noqa: E501`.
const BEHIND: &[&str] = &["noqa", "nosec", "nosonar", "type: ignore", "pylint: disable", "pragma: no cover"];

pub fn comment(reader: &mut Reader<'_, '_>, node: Node<'_>, text: &str) {
    let body = text.trim_start_matches(['/', '#', '*', '!', '{', ' ', '\t']);
    let head = &body[..body.floor_char_boundary(HEAD)];
    let may_lead = head.bytes().next().is_some_and(|byte| FIRST[usize::from(byte.to_ascii_lowercase())]);
    let leads = COMMENTS.iter().filter(|(mark, _)| may_lead && starts_with_mark(head, mark));
    if let Some((mark, kind)) = leads.max_by_key(|(mark, _)| mark.len()) {
        if ends_region(head) {
            return;
        }
        add(reader, node, *kind, mark);
    }
    for part in head.split('#').skip(1) {
        let part = part.trim_start();
        let behind = BEHIND.iter().find(|mark| starts_with_mark(part, mark));
        if let Some((mark, kind)) = behind.and_then(|mark| COMMENTS.iter().find(|(known, _)| known == mark)) {
            add(reader, node, *kind, mark);
        }
    }
}

/// As much of a comment is looked at.
const HEAD: usize = 200;

/// Whether the text begins with the mark as a whole word, in any case: `nosecret` is none.
fn starts_with_mark(text: &str, mark: &str) -> bool {
    let head = text.as_bytes().get(..mark.len());
    head.is_some_and(|head| head.eq_ignore_ascii_case(mark.as_bytes()))
        && !text[mark.len()..].starts_with(|c: char| c.is_alphanumeric())
}

/// The comment that ends a region is no further mark.
fn ends_region(head: &str) -> bool {
    let head = head.to_ascii_lowercase();
    ["ignore stop", "ignore end", "excl_stop"].iter().any(|end| head.contains(end))
}

pub fn attribute(reader: &mut Reader<'_, '_>, node: Node<'_>) {
    let text = reader.one_line(node, 200);
    let known = if reader.language == "rust" { of_rust(&text) } else { of_java(&text) };
    if let Some((mark, kind)) = known {
        add(reader, node, kind, mark);
    }
}

fn of_rust(text: &str) -> Option<(&'static str, DirectiveKind)> {
    let inside = text.trim_start_matches(['#', '!', '[', ' ']);
    if inside.starts_with("allow(") || inside.starts_with("expect(") {
        return Some(("#[allow]", Suppression));
    }
    let off =
        ["coverage(off)", "no_coverage", "cfg_attr(coverage_nightly, coverage(off)", "cfg(not(tarpaulin"];
    off.iter().any(|mark| inside.starts_with(mark)).then_some(("#[coverage(off)]", Coverage))
}

fn of_java(text: &str) -> Option<(&'static str, DirectiveKind)> {
    let name = text.trim_start_matches('@').split('(').next().unwrap_or_default().trim();
    match name.rsplit('.').next().unwrap_or_default() {
        "SuppressWarnings" | "SuppressFBWarnings" => Some(("@SuppressWarnings", Suppression)),
        "ExcludeFromJacocoGeneratedReport" | "ExcludeFromCodeCoverage" | "CoverageIgnore" => {
            Some(("@Generated", Coverage))
        }
        _ => None,
    }
}

fn add(reader: &mut Reader<'_, '_>, node: Node<'_>, kind: DirectiveKind, mark: &str) {
    if reader.signals.directives.len() >= LIST_LIMIT {
        return;
    }
    let (start, end) = (node.start_byte() as u32, node.end_byte() as u32);
    let directive = Directive { kind, mark: mark.to_owned(), line: line_of(node), start, end };
    reader.signals.directives.push(directive);
}
