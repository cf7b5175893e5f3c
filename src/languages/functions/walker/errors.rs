//! Handlers of errors in all their spellings, and calls whose error is handed on or dropped.

use std::ops::Range;

use tree_sitter::Node;

use super::super::callee::{called_in_chain, called_name};
use super::super::dialect::{Asked, Role};
use super::super::names;
use super::super::shape::{child, first_named, head, last_name, tail, text};
use super::super::values::{is_default, is_fallback};
use super::{FrameKind, Pending, Walker, listeners};
use crate::facts::{Action, Breadth, Context, ErrorUse, Exit, ExitKind, Fortune, Handler, HandlerKind};
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
            callee: String::new(),
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
                let asked = if value.is_empty() { asked.variable.as_str() } else { value };
                (self.callee_of(asked), if value.is_empty() { 0..0 } else { condition })
            }
        };
        let kind = if recovers { HandlerKind::Clause } else { HandlerKind::Check };
        let index = self.open_handler(node, child(node, "consequence"), kind);
        let body = self.after_closure();
        let handler = &mut self.function().handlers[index];
        handler.breadth = if asked.all { Breadth::Broad } else { Breadth::Narrow };
        handler.protected = if recovers { body } else { call };
        handler.callee = callee.clone();
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
            if let Some(empty) = value.filter(|value| text_of(self, *value) == "{}") {
                self.exit(empty, ExitKind::Default);
            }
            if let Some(value) = value.filter(|value| is_default(&text_of(self, *value)))
                && self.kinds.of(value) != Role::Block
            {
                self.exit(value, ExitKind::Default);
            }
            return;
        }
        let inside = text.split("Err(").nth(1).unwrap_or("").trim_end_matches(')').to_owned();
        let all = inside.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let (protected, first) = self.matched();
        let matched = head(&self.source, protected.clone(), EXPRESSION);
        let callee = self.callee_of(&matched);
        if first {
            self.error_use(node, callee.clone(), Fortune::Checked);
        }
        let index = self.open_handler(node, value, HandlerKind::Check);
        self.stand_in(value, &inside);
        let handler = &mut self.function().handlers[index];
        handler.breadth = if all { Breadth::Broad } else { Breadth::Narrow };
        (handler.protected, handler.callee) = (protected, callee);
    }

    /// What the `match` around the current arm chooses by, and whether no arm of it was for errors so far.
    fn matched(&mut self) -> (Range<usize>, bool) {
        match self.frames.iter_mut().rev().nth(1).map(|frame| &mut frame.kind) {
            Some(FrameKind::Match { value, asked }) => (value.clone(), !std::mem::replace(asked, true)),
            _ => (0..0, false),
        }
    }

    /// Notes that an arm, or the last expression of its block, gives back something in place of the value that failed.
    fn stand_in(&mut self, value: Option<Node<'_>>, error: &str) {
        let Some(value) = value else { return };
        let last = if self.kinds.of(value) == Role::Block { last_block(value) } else { Some(value) };
        let is_value = |last: &Node<'_>| {
            let kind = last.kind();
            !["statement", "macro_invocation", "block", "match_expression", "if_expression"]
                .iter()
                .any(|end| kind.ends_with(end))
                && !matches!(self.kinds.of(*last), Role::Return | Role::Continue)
        };
        let last = last.filter(is_value);
        let Some(last) = last.filter(|last| is_fallback(&text(&self.source, *last), error)) else { return };
        if let Some((collector, _)) = self.frames.last_mut().and_then(|frame| frame.handler.as_mut()) {
            collector.defaults = collector.defaults.max(1);
            // A call that only wraps the value, such as `Ok(0)`, does nothing of its own.
            self.settled = Some(last.id());
        }
    }

    /// What a result comes from, be it the call itself or a variable that holds what a call gave back.
    fn callee_of(&self, expression: &str) -> String {
        let name = expression.trim();
        let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if !is_name {
            return called_name(expression);
        }
        let held = self.held.iter().rev().find(|held| held.variable == name);
        held.map(|held| held.callee.clone()).unwrap_or_default()
    }

    /// `let Ok(x) = call() else { ... }`: what follows `else` handles the error.
    fn let_else(&mut self, node: Node<'_>, pattern: &str, value: Node<'_>) {
        let Some(otherwise) = child(node, "alternative").filter(|_| pattern.starts_with("Ok(")) else {
            return;
        };
        let callee = self.callee_of(&tail(&self.source, value.byte_range(), EXPRESSION));
        let (condition, then) = (value.byte_range(), otherwise.byte_range());
        self.push(node, FrameKind::If { condition: condition.clone(), then, span: span_of(node) });
        let index = self.open_handler(node, Some(otherwise), HandlerKind::Check);
        let handler = &mut self.function().handlers[index];
        (handler.protected, handler.callee) = (condition, callee.clone());
        self.error_use(node, callee, Fortune::Checked);
    }

    /// `call()?`
    pub(super) fn question(&mut self, node: Node<'_>) {
        let callee = called_in_chain(&self.source, node);
        if !names::is_log(&callee) {
            self.collect(|collector| collector.handles = true);
        }
        self.error_use(node, callee, Fortune::Propagated);
    }

    /// Calls on a result that decide what becomes of its error; what it is the result of.
    pub(super) fn unwrapping(&mut self, node: Node<'_>, name: &str, callee: Range<usize>) -> Option<String> {
        if !self.dialect.blocks_have_values {
            return None;
        }
        let how = match name {
            "unwrap" | "expect" => Fortune::Propagated,
            "ok" => Fortune::Discarded,
            "unwrap_or_default" | "unwrap_or" => Fortune::Defaulted,
            "unwrap_or_else" if self.closure_fails(node) => Fortune::Propagated,
            "unwrap_or_else" => Fortune::Defaulted,
            _ => return None,
        };
        let end = callee.end.saturating_sub(name.len() + 1).max(callee.start);
        let callee = called_name(&tail(&self.source, callee.start..end, EXPRESSION));
        // A lock that was poisoned is taken all the same: nothing is lost.
        let locks = matches!(callee.as_str(), "lock" | "read" | "write" | "get_mut");
        if name == "unwrap_or_else" && locks && self.is_given(node, &["into_inner"]) {
            return None;
        }
        self.error_use(node, callee.clone(), how);
        Some(callee)
    }

    /// Whether what is called in place of a missing value ends the program.
    fn closure_fails(&self, node: Node<'_>) -> bool {
        self.is_given(node, &["panic!", "exit(", "unreachable!", "resume_unwind", "bail!"])
    }

    /// Whether what a call is given has one of some words.
    fn is_given(&self, node: Node<'_>, words: &[&str]) -> bool {
        let given = child(node, "arguments").map(|given| text(&self.source, given)).unwrap_or_default();
        words.iter().any(|word| given.contains(word))
    }

    /// `drop(call())`
    pub(super) fn drops(&mut self, node: Node<'_>, path: &str) {
        if !self.dialect.blocks_have_values || !matches!(path, "drop" | "mem::drop" | "std::mem::drop") {
            return;
        }
        let given = child(node, "arguments")
            .and_then(first_named)
            .filter(|given| self.kinds.of(*given) == Role::Call);
        if let Some(given) = given {
            let callee = called_name(&tail(&self.source, given.byte_range(), EXPRESSION));
            self.error_use(node, callee, Fortune::Discarded);
        }
    }

    /// `catch_unwind(|| call())`: what panicked goes on as a value.
    pub(super) fn catches_panics(&mut self, node: Node<'_>, name: &str) {
        let given = child(node, "arguments").filter(|_| name == "catch_unwind");
        let Some(given) = given else { return };
        let index = self.new_handler(node, HandlerKind::Callback);
        let handler = &mut self.function().handlers[index];
        handler.protected = given.byte_range();
        handler.action = Action::Defaults;
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
        let field = |names: [&'static str; 5]| names.into_iter().find_map(|name| child(node, name));
        let Some(target) = field(["left", "name", "key", "pattern", "property"]) else { return };
        let Some(value) = field(["right", "value", "value", "value", "value"]) else { return };
        let only = first_named(value).filter(|_| value.kind() == "expression_list");
        self.assigned = Some(only.unwrap_or(value).id());
        let (name, given) = (text(&self.source, target), text(&self.source, value));
        let handled = self.context().0 == Context::Handler;
        if (names::notes_failure(&name, &given) && self.is_conditional())
            || (handled && names::keeps_error(&name, &given))
        {
            self.exit(node, ExitKind::Notes);
        } else if is_default(&given) {
            self.collect(|collector| collector.defaults += 1);
            self.settled = Some(value.id());
        } else if names::is_log_itself(&name) {
            self.collect(|collector| collector.logs += 1);
            self.settled = Some(value.id());
        } else if self.only_for_the_block(node, &given) {
            self.collect(|collector| collector.passes += 1);
            self.settled = Some(value.id());
        } else if name == "_" && names::is_error(&given) {
            self.collect(|collector| collector.passes += 1);
        } else {
            self.collect(|collector| collector.handles = true);
        }
        if listeners::is_hook(last_name(&name)) {
            self.listener(node, value);
        }
        self.follow_error(node, &name, value);
        if self.dialect.blocks_have_values {
            self.let_else(node, &name, value);
        }
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
        } else if self.dialect.blocks_have_values && !ends.ends_with('?') {
            self.hold(last, callee, call.byte_range());
        } else if names::is_error(last) {
            self.pending = Some(Pending { variable: last.to_owned(), callee, call: call.byte_range() });
        }
    }
}

impl Walker<'_> {
    /// Remembers what a variable was given by a call, the last few of them.
    fn hold(&mut self, variable: &str, callee: String, call: Range<usize>) {
        if self.held.len() == HELD {
            self.held.remove(0);
        }
        self.held.push(Pending { variable: variable.to_owned(), callee, call });
    }
}

impl Walker<'_> {
    /// Notes a branch that hands on the error of a call as a check, where the call is there to check: by its name, or
    /// because nobody takes what else it gives.
    pub(super) fn check_by_call(&mut self, index: usize) {
        let Some(handler) = self.function().handlers.get(index) else { return };
        let calls = handler.kind == HandlerKind::Check && handler.action == Action::Fails;
        let (call, line, span) = (handler.protected.clone(), handler.line, handler.span);
        let is_check = calls && names::is_check(&handler.callee);
        let unused = self.source.text.get(call.clone()).is_some_and(|text| text.starts_with(b"_,"));
        if call.is_empty() || !calls || !(is_check || unused) {
            return;
        }
        let text = self.line_of_text(call);
        let set = text.split_once(":=").or_else(|| text.split_once('=').filter(|_| text.starts_with("let ")));
        let call = set.map_or(text.as_str(), |(_, call)| call).trim();
        let parses = text.starts_with("_,") && call.to_lowercase().contains("parse");
        let Some(at) = call.find('(').filter(|_| is_check || parses) else { return };
        let exit = Exit {
            line,
            kind: ExitKind::Fails,
            text: call.to_owned(),
            context: Context::Check,
            condition: call[at..].to_owned(),
            span,
            deciders: Vec::new(),
        };
        self.function().exits.push(exit);
    }
}

/// A result is looked at soon after it was got.
const HELD: usize = 8;

fn text_of<'a>(walker: &Walker<'a>, node: Node<'_>) -> std::borrow::Cow<'a, str> {
    text(&walker.source, node)
}

fn last_block(node: Node<'_>) -> Option<Node<'_>> {
    let count = u32::try_from(node.named_child_count()).ok()?;
    node.named_child(count.checked_sub(1)?)
}
