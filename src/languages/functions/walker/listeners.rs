//! Listeners: what is told of errors that nobody else takes, as events or for a whole process.

use std::ops::Range;

use tree_sitter::Node;

use super::super::dialect::Role;
use super::super::names;
use super::super::shape::{child, first_named, text};
use super::{FrameKind, Walker};
use crate::facts::{Action, HandlerKind};
use crate::languages::{line_of, span_of};

/// Calls that add a listener for an event that is named first.
const EVENTS: &[&str] =
    &["on", "once", "addListener", "prependListener", "prependOnceListener", "addEventListener"];

/// Events that tell of errors.
const ERRORS: &[&str] = &["error", "uncaughtException", "unhandledRejection", "unhandledrejection"];

/// Calls that say what is told of every error that nobody takes.
const HOOKS: &[&str] = &[
    "setDefaultUncaughtExceptionHandler",
    "setUncaughtExceptionHandler",
    "setUncaughtExceptionCaptureCallback",
    "set_exception_handler",
    "set_hook",
];

/// Variables that hold what is told of them.
const VARIABLES: &[&str] = &["excepthook", "unraisablehook", "onerror", "onunhandledrejection"];

/// Whether a variable of this name holds what is told of errors.
pub(super) fn is_hook(name: &str) -> bool {
    VARIABLES.contains(&name)
}

impl Walker<'_> {
    /// Which argument of a call is told of errors, if one is.
    pub(super) fn listens(&self, node: Node<'_>, name: &str) -> Option<u32> {
        if HOOKS.contains(&name) {
            return Some(0);
        }
        let first = || child(node, "arguments").and_then(first_named);
        let event = if EVENTS.contains(&name) { first() } else { None }?;
        let event = text(&self.source, event);
        ERRORS.contains(&event.trim_matches(['"', '\'', '`'])).then_some(1)
    }

    /// A call that adds a listener.
    pub(super) fn open_listener(&mut self, node: Node<'_>, place: u32) {
        self.collect(|collector| collector.handles = true);
        if let Some(told) = child(node, "arguments").and_then(|given| given.named_child(place)) {
            self.listener(node, told);
        }
    }

    /// A listener of which the code may be written out on the spot.
    pub(super) fn listener(&mut self, node: Node<'_>, told: Node<'_>) {
        let told = self.boxed(told);
        let is_closure = self.kinds.of(told) == Role::Closure;
        let given = text(&self.source, told).to_lowercase();
        let index = self.new_handler(node, HandlerKind::Listener);
        let handler = &mut self.function().handlers[index];
        (handler.line, handler.span) = (line_of(node), span_of(node));
        handler.action = match given.as_str() {
            "noop" | "_.noop" | "() => {}" => Action::Swallows,
            given if !is_closure && names::is_log(given) => Action::LogsOnly,
            _ => Action::Handles,
        };
        if is_closure {
            self.callback = Some((told.id(), index));
        }
    }

    /// What stands in a box: `Box::new(|_| {})`.
    fn boxed<'t>(&self, node: Node<'t>) -> Node<'t> {
        let is_box = self.kinds.of(node) == Role::Call && text(&self.source, node).starts_with("Box::new(");
        let inner = child(node, "arguments").filter(|_| is_box).and_then(first_named);
        inner.unwrap_or(node)
    }

    /// `defer func() { recover() }()`: whatever panics after it is forgotten.
    pub(super) fn drops_panics(&mut self, node: Node<'_>) {
        let protected = self.after_closure();
        let index = self.new_handler(node, HandlerKind::Clause);
        let handler = &mut self.function().handlers[index];
        handler.action = Action::Swallows;
        handler.protected = protected;
    }

    /// The rest of the function after the closure around the current point: what a deferred one looks after.
    pub(super) fn after_closure(&mut self) -> Range<usize> {
        let end = self.frames.iter().rev().take(super::MAX_DEPTH).find_map(|frame| match frame.kind {
            FrameKind::Closure(end) => Some(end),
            _ => None,
        });
        let body = self.function().body.clone();
        end.unwrap_or(body.start).clamp(body.start, body.end)..body.end
    }
}
