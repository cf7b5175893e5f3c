//! What stands before a function or a request: annotations, and the steps of a route.

use std::ops::Range;

use tree_sitter::Node;

use super::super::dialect::Role;
use super::super::shape::{child, head, last_name, path_of, text};
use super::{FrameKind, MAX_DEPTH, Walker};
use crate::facts::Route;
use crate::languages::line_of;

/// Words that may stand between an annotation and what it is on.
const BETWEEN: &[&str] = &["export", "default", "abstract", "declare", "pub"];

/// Annotations stand close to what they are on.
const GAP: usize = 240;

/// How calls are named that give a path its steps.
const VERBS: &[&str] = &[
    "get",
    "post",
    "put",
    "patch",
    "delete",
    "all",
    "route",
    "use",
    "Use",
    "GET",
    "POST",
    "PUT",
    "PATCH",
    "DELETE",
    "Any",
    "Group",
    "group",
    "Get",
    "Post",
    "Put",
    "Patch",
    "Delete",
    "Handle",
    "HandleFunc",
];

/// So many steps of a route are looked at.
const STEPS: usize = 12;

impl Walker<'_> {
    pub(super) fn open_scope(&mut self, node: Node<'_>) {
        let name = (self.dialect.name)(&self.source, node);
        let body = child(node, "body").map_or(node.end_byte(), |body| body.start_byte());
        let annotations = self.waiting(node);
        self.push(node, FrameKind::Scope { name, body, annotations });
    }

    /// Keeps an annotation for what it stands on: what is open and has not begun, or what comes next.
    pub(super) fn annotate(&mut self, node: Node<'_>) {
        let range = node.byte_range();
        match self.frames.last_mut().map(|frame| &mut frame.kind) {
            Some(FrameKind::Function(index)) if range.start < self.functions[*index].body.start => {
                self.functions[*index].annotations.push(range);
            }
            Some(FrameKind::Scope { body, annotations, .. }) if range.start < *body => {
                annotations.push(range)
            }
            _ => self.annotations.push(range),
        }
    }

    /// The annotations right above a node.
    pub(super) fn waiting(&mut self, node: Node<'_>) -> Vec<Range<usize>> {
        let mut next = node.start_byte();
        let mut found = Vec::new();
        while let Some(range) = self.annotations.pop() {
            let gap = range.end..next;
            let is_near = gap.len() < GAP && {
                let text = head(&self.source, gap, GAP);
                let lines = text.lines().map(str::trim).filter(|line| !line.starts_with(['#', '/', '*']));
                lines.flat_map(str::split_whitespace).all(|word| BETWEEN.contains(&word))
            };
            if !is_near {
                break;
            }
            next = range.start;
            found.push(range);
        }
        self.annotations.clear();
        found.reverse();
        found
    }

    /// The annotations of the types around the current point.
    pub(super) fn inherited(&self) -> Vec<Range<usize>> {
        let around = self.frames.iter().rev().take(MAX_DEPTH);
        let within = around.take_while(|frame| !matches!(frame.kind, FrameKind::Function(_)));
        let annotations = within.filter_map(|frame| match &frame.kind {
            FrameKind::Scope { annotations, .. } => Some(annotations),
            _ => None,
        });
        annotations.flatten().cloned().collect()
    }

    /// Notes a call that gives a path, or all paths, its steps by name.
    pub(super) fn route(&mut self, node: Node<'_>, path: &str, name: &str) {
        if name.len() == path.len() || !VERBS.contains(&name) {
            return;
        }
        let is_all = matches!(name, "use" | "Use");
        let Some(arguments) = child(node, "arguments") else { return };
        let mut cursor = arguments.walk();
        let given: Vec<Node<'_>> = arguments.named_children(&mut cursor).take(STEPS).collect();
        let first = given.first().map(|first| text(&self.source, *first)).unwrap_or_default();
        let address = first.trim_start_matches(['"', '\'', '`']);
        let has_address = address.len() < first.len() && address.starts_with('/');
        if !has_address && !is_all {
            return;
        }
        let steps = given.iter().skip(usize::from(has_address)).flat_map(|step| self.steps(*step)).collect();
        let target = format!("{path} {}", if has_address { &first } else { "" });
        let line = line_of(node);
        self.function().routes.push(Route { line, target, steps });
    }

    /// The names of what one argument runs; those of a list one by one.
    fn steps(&self, node: Node<'_>) -> Vec<String> {
        if self.kinds.of(node) == Role::Closure || self.kinds.of(node) == Role::Comment {
            return Vec::new();
        }
        if node.kind().contains("array") {
            let mut cursor = node.walk();
            let inner = node.named_children(&mut cursor).take(STEPS);
            return inner.map(|step| self.step(step)).collect();
        }
        vec![self.step(node)]
    }

    fn step(&self, node: Node<'_>) -> String {
        let named = child(node, "function").unwrap_or(node);
        let text = text(&self.source, named);
        last_name(path_of(&text)).to_owned()
    }
}
