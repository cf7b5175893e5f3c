//! Handlers of errors in all their spellings, and calls whose error is handed on or dropped.

use std::ops::Range;

use tree_sitter::Node;

use super::super::dialect::{Asked, Role};
use super::super::names;
use super::super::shape::{child, first_named, head, last_name, path_of, tail, text};
use super::super::values::is_default;
use super::{FrameKind, Pending, Walker};
use crate::facts::{Action, Breadth, ErrorUse, ExitKind, Fortune, Handler, HandlerKind};
use crate::languages::{line_of, span_of};

/// As much of an expression is looked at for the name of what it calls.
const EXPRESSION: usize = 240;

impl Walker<'_> {
    /// A handler of which only the place is known yet.
    pub(super) fn new_handler(&mut self, node: Node<'_>, kind: HandlerKind) -> usize {
        let handler = Handler {
            kind,
            line: line_of(node),
            span: span_of(node),
            text: self.line_of_text(node.byte_range()),
            caught: Vec::new(),
            breadth: Breadth::Broad,
            action: Action::Handles,
            protected: 0..0,
        };
        let handlers = &mut self.function().handlers;
        handlers.push(handler);
        handlers.len() - 1
    }

    pub(super) fn open_catch(&mut self, node: Node<'_>) {
        let protected = match self.frames.last().map(|frame| &frame.kind) {
            Some(FrameKind::Try { body }) => body.clone(),
            _ => 0..0,
        };
        let caught = (self.dialect.caught)(&self.source, node);
        let broad =
            caught.is_empty() || caught.iter().any(|name| self.dialect.broad.contains(&last_name(name)));
        self.push(node, FrameKind::Catch);
        let body = child(node, "body").or_else(|| last_block(node));
        let index = self.open_handler(node, body, HandlerKind::Clause);
        let handler = &mut self.function().handlers[index];
        handler.protected = protected;
        handler.breadth = if broad { Breadth::Broad } else { Breadth::Narrow };
        handler.caught = caught;
    }

    /// `with suppress(...)`: a handler that does nothing.
    pub(super) fn open_with(&mut self, node: Node<'_>) {
        let caught = (self.dialect.caught)(&self.source, node);
        if caught.is_empty() {
            return;
        }
        let broad = caught.iter().any(|name| self.dialect.broad.contains(&last_name(name)));
        let protected = child(node, "body").map_or(0..0, |body| body.byte_range());
        let index = self.new_handler(node, HandlerKind::Clause);
        let handler = &mut self.function().handlers[index];
        handler.action = Action::Swallows;
        handler.breadth = if broad { Breadth::Broad } else { Breadth::Narrow };
        (handler.caught, handler.protected) = (caught, protected);
    }

    /// A branch that runs when something failed.
    pub(super) fn open_check(&mut self, node: Node<'_>, asked: &Asked) {
        let first = child(node, "initializer").map(|first| first.byte_range());
        let start = first.map(|range| (head(&self.source, range.clone(), EXPRESSION).into_owned(), range));
        let recovers = start.as_ref().is_some_and(|(text, _)| text.contains("recover()"));
        let (callee, call) = match (start, &self.pending) {
            (Some((text, range)), _) => (called_name(&text), range),
            (None, Some(pending)) if pending.variable == asked.variable => {
                (pending.callee.clone(), pending.call.clone())
            }
            _ => {
                let condition = child(node, "condition").map_or(0..0, |condition| condition.byte_range());
                let text = head(&self.source, condition.clone(), EXPRESSION);
                let value = text.split_once('=').map_or("", |(_, value)| value);
                (called_name(value), if value.is_empty() { 0..0 } else { condition })
            }
        };
        let kind = if recovers { HandlerKind::Clause } else { HandlerKind::Check };
        let index = self.open_handler(node, child(node, "consequence"), kind);
        let body = self.function().body.clone();
        let handler = &mut self.function().handlers[index];
        handler.breadth = if asked.all { Breadth::Broad } else { Breadth::Narrow };
        handler.protected = if recovers { body } else { call };
        self.error_use(node, callee, Fortune::Checked);
    }

    /// `if let Ok(x) = call() { ... }` that does nothing otherwise, and after which things go on.
    pub(super) fn only_success(&mut self, node: Node<'_>, condition: Range<usize>) {
        if !self.dialect.blocks_have_values || child(node, "alternative").is_some() {
            return;
        }
        let asked = head(&self.source, condition, EXPRESSION);
        let Some((_, call)) = asked.strip_prefix("let Ok(").and_then(|asked| asked.split_once('=')) else {
            return;
        };
        let last = child(node, "consequence").and_then(last_block);
        let last = last.map(|last| text(&self.source, last)).unwrap_or_default();
        let leaves = ["return", "break", "continue"].iter().any(|word| last.starts_with(word));
        if !leaves && call.trim_end().ends_with(')') {
            self.error_use(node, called_name(call), Fortune::Discarded);
        }
    }

    /// A case of a `match` that is for errors.
    pub(super) fn open_arm(&mut self, node: Node<'_>, pattern: Range<usize>) {
        let text = head(&self.source, pattern, EXPRESSION);
        let value = child(node, "value");
        if !text.contains("Err(") {
            if let Some(value) = value.filter(|value| is_default(&text_of(self, *value)))
                && self.kinds.of(value) != Role::Block
            {
                self.exit(value, ExitKind::Default);
            }
            return;
        }
        let protected = self.frames.iter().rev().nth(1).and_then(|frame| match &frame.kind {
            FrameKind::Match { value } => Some(value.clone()),
            _ => None,
        });
        let inside = text.split("Err(").nth(1).unwrap_or("").trim_end_matches(')');
        let all = inside.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let index = self.open_handler(node, value, HandlerKind::Check);
        let handler = &mut self.function().handlers[index];
        handler.breadth = if all { Breadth::Broad } else { Breadth::Narrow };
        handler.protected = protected.unwrap_or(0..0);
    }

    /// `.catch(...)` of a promise.
    pub(super) fn open_promise(&mut self, node: Node<'_>, name: &str, callee: Range<usize>) {
        let Some(handler) = child(node, "arguments").and_then(first_named) else { return };
        let index = self.new_handler(node, HandlerKind::Callback);
        let text = text(&self.source, handler).to_lowercase();
        let is_closure = self.kinds.of(handler) == Role::Closure;
        let known = &mut self.function().handlers[index];
        known.protected = callee.start..callee.end.saturating_sub(name.len() + 1);
        known.line = line_of(handler);
        known.span = span_of(handler);
        known.action = match text.as_str() {
            "noop" | "undefined" | "null" | "_.noop" => Action::Swallows,
            text if names::is_log(text) => Action::LogsOnly,
            _ => Action::Handles,
        };
        if is_closure {
            self.callback = Some((handler.id(), index));
        }
    }

    /// `call()?`
    pub(super) fn question(&mut self, node: Node<'_>) {
        let callee = called_name(&tail(&self.source, node.byte_range(), EXPRESSION));
        self.error_use(node, callee, Fortune::Propagated);
        self.collect(|collector| collector.handles = true);
    }

    /// Calls on a result that decide what becomes of its error.
    pub(super) fn unwrapping(&mut self, node: Node<'_>, name: &str, callee: Range<usize>) {
        if !self.dialect.blocks_have_values {
            return;
        }
        let how = match name {
            "unwrap" | "expect" => Fortune::Propagated,
            "ok" => Fortune::Discarded,
            "unwrap_or_default" | "unwrap_or" => Fortune::Defaulted,
            _ => return,
        };
        let end = callee.end.saturating_sub(name.len() + 1).max(callee.start);
        let callee = called_name(&tail(&self.source, callee.start..end, EXPRESSION));
        self.error_use(node, callee, how);
    }

    pub(super) fn error_use(&mut self, node: Node<'_>, callee: String, how: Fortune) {
        if callee.is_empty() {
            return;
        }
        let text = self.line_of_text(node.byte_range());
        self.function().errors.push(ErrorUse { line: line_of(node), callee, how, text });
    }

    /// A name is given to a value: it may note a failure, hold an error, or drop one.
    pub(super) fn assign(&mut self, node: Node<'_>, names_functions: bool) {
        let field = |names: [&str; 5]| names.into_iter().find_map(|name| child(node, name));
        let Some(target) = field(["left", "name", "key", "pattern", "property"]) else { return };
        let Some(value) = field(["right", "value", "value", "value", "value"]) else { return };
        let (name, given) = (text(&self.source, target), text(&self.source, value));
        if names::notes_failure(&name, &given) && self.is_conditional() {
            self.exit(node, ExitKind::Notes);
        } else if is_default(&given) {
            self.collect(|collector| collector.defaults += 1);
            self.settled = Some(value.id());
        } else {
            self.collect(|collector| collector.handles = true);
        }
        self.follow_error(node, &name, value);
        if names_functions {
            self.push(node, FrameKind::Naming { named: target.byte_range(), value: value.id() });
        }
    }

    fn follow_error(&mut self, node: Node<'_>, target: &str, value: Node<'_>) {
        let call = if value.kind() == "expression_list" { first_named(value) } else { Some(value) };
        let is_call =
            |call: &Node<'_>| matches!(self.kinds.of(*call), Role::Call) || call.kind().contains("await");
        let Some(call) = call.filter(is_call) else { return };
        let last = target.rsplit(',').next().unwrap_or("").trim();
        let callee = called_name(&tail(&self.source, call.byte_range(), EXPRESSION));
        let ends = tail(&self.source, call.byte_range(), EXPRESSION);
        let failed = ends.ends_with(".unwrap()") || ends.contains(".expect(");
        if last == "_" && !callee.is_empty() && self.dialect.discards && !failed {
            self.error_use(node, callee, Fortune::Discarded);
        } else if names::is_error(last) {
            self.pending = Some(Pending { variable: last.to_owned(), callee, call: call.byte_range() });
        }
    }
}

fn text_of<'a>(walker: &Walker<'a>, node: Node<'_>) -> std::borrow::Cow<'a, str> {
    text(&walker.source, node)
}

fn last_block(node: Node<'_>) -> Option<Node<'_>> {
    let count = u32::try_from(node.named_child_count()).ok()?;
    node.named_child(count.checked_sub(1)?)
}

/// The name of the last call of an expression: `load` of `self.store.load(id).await?`.
fn called_name(expression: &str) -> String {
    let trimmed = expression.trim().trim_end_matches([';', '?']).trim_end();
    let trimmed = trimmed.strip_suffix(".await").unwrap_or(trimmed).trim_end_matches('?');
    let Some(close) = trimmed.strip_suffix(')') else { return last_name(path_of(trimmed)).to_owned() };
    let mut depth = 1usize;
    for (at, byte) in close.bytes().enumerate().rev() {
        match byte {
            b')' => depth += 1,
            b'(' => depth -= 1,
            _ => continue,
        }
        if depth == 0 {
            let name = last_name(path_of(&close[..at]));
            // What wraps an error is not what fails.
            return match name {
                "context" | "with_context" | "ok_or" | "ok_or_else" | "or_else" | "and_then" | "map_err"
                | "expect" | "unwrap" | "ok" | "unwrap_or_default" | "await" => {
                    called_name_before(&close[..at], name)
                }
                name => name.to_owned(),
            };
        }
    }
    String::new()
}

/// The call before the last link of a chain.
fn called_name_before(chain: &str, link: &str) -> String {
    let rest = chain.trim_end().strip_suffix(link).unwrap_or("").trim_end().trim_end_matches(['.', ':']);
    if rest.len() + link.len() >= chain.len() || rest.is_empty() {
        String::new()
    } else {
        called_name(rest.trim_end())
    }
}
