//! Callbacks: promises and what is told of their failure, and errors that are handed on by a call.

use std::ops::Range;

use tree_sitter::Node;

use super::super::dialect::Role;
use super::super::names;
use super::super::refusals::makes_error;
use super::super::shape::{child, first_named, head, text};
use super::super::values::is_default;
use super::Walker;
use crate::facts::{Action, Context, HandlerKind};
use crate::languages::builder::one_line;
use crate::languages::{line_of, span_of};

/// As much of a callee is looked at.
const CALLEE: usize = 160;

/// The head of a function is no longer.
const HEAD: usize = 1000;

/// An error is among the first things that a call is given.
const GIVEN: usize = 4;

impl Walker<'_> {
    /// `.catch(...)` of a promise.
    pub(super) fn open_promise(&mut self, node: Node<'_>, name: &str, callee: Range<usize>) {
        let arguments = child(node, "arguments");
        // `then` is told what to do about a failure after what to do about a success.
        let place = u32::from(name == "then");
        let Some(handler) = arguments.and_then(|given| given.named_child(place)) else { return };
        let index = self.new_handler(node, HandlerKind::Callback);
        let given = text(&self.source, handler);
        let text = given.to_lowercase();
        let is_closure = self.kinds.of(handler) == Role::Closure;
        let known = &mut self.function().handlers[index];
        known.protected = callee.start..callee.end.saturating_sub(name.len() + 1);
        known.line = line_of(handler);
        known.span = span_of(handler);
        known.action = match text.as_str() {
            "noop" | "undefined" | "null" | "_.noop" => Action::Swallows,
            text if names::is_log(text) => Action::LogsOnly,
            _ if !is_closure && is_default(&given) => Action::Defaults,
            _ => Action::Handles,
        };
        if is_closure {
            self.callback = Some((handler.id(), index));
        }
    }

    /// `source.pipe(catchError(...))`: the handler is one of the steps that the source is given.
    pub(super) fn open_operator(&mut self, node: Node<'_>, name: &str) {
        let around = node.parent().and_then(|given| given.parent());
        let source =
            around.and_then(|call| child(call, "function")).and_then(|callee| child(callee, "object"));
        let Some(source) = source else { return };
        let protected = source.byte_range();
        self.open_promise(node, name, protected.start..protected.end + name.len() + 1);
    }

    /// `resolve(null)` where something failed.
    pub(super) fn settles_quietly(&self, node: Node<'_>, name: &str) -> bool {
        if name != "resolve" || self.context().0 != Context::Handler {
            return false;
        }
        let given = child(node, "arguments").and_then(first_named);
        given.is_none_or(|given| is_default(&text(&self.source, given)))
    }

    /// Whether a constant is made that nothing outside of its block can see: what is not used there only feeds a log.
    pub(super) fn only_for_the_block(&self, node: Node<'_>, given: &str) -> bool {
        let declares = node.kind() == "variable_declarator"
            && node.parent().is_some_and(|parent| text(&self.source, parent).starts_with("const "));
        let acts = ["=>", "function", "await", "throw", "new "].iter().any(|word| given.contains(word));
        declares && !acts && self.context().0 == Context::Handler
    }

    /// Whether a callback gets an error as its first argument.
    pub(super) fn hands_on(&self, node: Node<'_>, name: &str) -> bool {
        if !matches!(name, "next" | "cb" | "callback" | "done" | "reject") {
            return false;
        }
        let argument = child(node, "arguments").and_then(first_named);
        let argument = argument.map(|argument| text(&self.source, argument)).unwrap_or_default();
        names::is_error(&argument) || argument.starts_with("new ") || argument.contains("Error")
    }

    /// `.then(done, failed)`
    pub(super) fn takes_failure(&self, node: Node<'_>, name: &str) -> bool {
        name == "then" && child(node, "arguments").is_some_and(|given| given.named_child_count() == 2)
    }

    /// Whether a call that is a statement, or all that a variable is set to, is given an error that is made for it:
    /// `context.onError(createError(...))`, `result = multierror.Append(result, fmt.Errorf(...))`.
    pub(super) fn tells_of_error(&self, node: Node<'_>) -> bool {
        let counts = self.statement == Some(node.id()) || self.assigned == Some(node.id());
        let Some(given) = child(node, "arguments").filter(|_| counts) else { return false };
        let start = head(&self.source, given.byte_range(), 2 * CALLEE);
        if !["rror", "Err", "xception", "ailure"].iter().any(|word| start.contains(word)) {
            return false;
        }
        let mut cursor = given.walk();
        given
            .named_children(&mut cursor)
            .take(GIVEN)
            .any(|given| makes_error(&head(&self.source, given.byte_range(), CALLEE)))
    }

    /// Whether the function names the error that it gives back, so that a bare return may well give one:
    /// `func load() (err error)`.
    pub(super) fn gives_named_error(&self) -> bool {
        if !self.dialect.discards || self.dialect.blocks_have_values {
            return false;
        }
        let function = &self.functions[self.open.last().copied().unwrap_or_default()];
        let head = head(&self.source, function.whole.start..function.body.start, HEAD);
        let only_takes = one_line(&head).trim_end().ends_with(&function.parameters);
        head.trim_end().strip_suffix(')').filter(|_| !only_takes).is_some_and(|head| {
            let given = head.rsplit(['(', ',']).next().unwrap_or_default().trim();
            given.ends_with(" error")
        })
    }
}
