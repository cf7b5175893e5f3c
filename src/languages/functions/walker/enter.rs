//! What each node means where it stands.

use tree_sitter::Node;

use super::super::answers::{answers_no, is_answer};
use super::super::collector::Collector;
use super::super::dialect::Role;
use super::super::names;
use super::super::refusals::{fails_by_name, makes_error};
use super::super::shape::{child, first_named, path_of, tail, text};
use super::super::values::{is_default, is_fixed_text, is_made_of_nothing};
use super::{FrameKind, MAX_FUNCTIONS, Walker};
use crate::facts::{Context, ExitKind, Function, HandlerKind, Stub};
use crate::languages::builder::one_line;
use crate::languages::{line_of, span_of};

/// As much of a callee is looked at.
const CALLEE: usize = 160;

/// So many statements of a body are counted.
const STATEMENTS: usize = 4;

impl Walker<'_> {
    /// Notes what a node means; whether the walk goes on into it.
    pub(super) fn note(&mut self, node: Node<'_>) -> bool {
        self.at = node.start_byte();
        if self.settled == Some(node.id()) {
            return false;
        }
        match self.kinds.of(node) {
            Role::Other => {}
            Role::Comment => {
                self.comments.push(node.byte_range());
                return false;
            }
            Role::Scope => self.open_scope(node),
            Role::Annotation => self.annotate(node),
            Role::Function => self.open_function(node, (self.dialect.name)(&self.source, node)),
            Role::Closure => self.open_closure(node),
            Role::Naming => self.assign(node, true),
            Role::Assign => self.assign(node, false),
            Role::If => self.open_if(node),
            Role::Case => self.open_case(node),
            Role::Match => {
                let value = child(node, "value").map_or(0..0, |value| value.byte_range());
                self.push(node, FrameKind::Match { value, asked: false });
            }
            Role::Try => {
                let body = child(node, "body").map_or(0..0, |body| body.byte_range());
                self.push(node, FrameKind::Try { body });
            }
            Role::Catch => self.open_catch(node),
            Role::With => self.open_with(node),
            Role::Throw => self.exit(node, ExitKind::Fails),
            Role::Return => self.returned(node),
            Role::Continue => self.exit(node, ExitKind::Continue),
            Role::Pass => self.collect(|collector| collector.passes += 1),
            Role::Call | Role::Macro => return self.call(node),
            Role::Statement => {
                let inner = first_named(node);
                let handed_on = inner.filter(|inner| self.kinds.of(*inner) == Role::Question);
                let inner = handed_on.and_then(first_named).or(inner);
                let awaited = inner.filter(|inner| inner.kind().starts_with("await")).and_then(first_named);
                self.statement = awaited.or(inner).map(|inner| inner.id());
            }
            Role::Assert => self.check(node, node),
            Role::Question => self.question(node),
            Role::Block => self.block(node),
        }
        self.settled != Some(node.id())
    }

    pub(super) fn open_function(&mut self, node: Node<'_>, name: String) {
        let Some(body) = child(node, "body") else { return };
        let (name, annotations) = (self.qualified(name), self.waiting(node));
        if self.take_over(node, &name, &annotations) {
            return;
        }
        let parameters = child(node, "parameters").or_else(|| child(node, "parameter"));
        let statements = self.statements(body, STATEMENTS);
        let cut = self.cut(body);
        let function = Function {
            name,
            span: span_of(node),
            line: line_of(child(node, "name").unwrap_or(node)),
            whole: node.byte_range(),
            body: body.byte_range(),
            parameters: parameters.map_or_else(String::new, |node| self.line_of_text(node.byte_range())),
            annotations,
            inherited: self.inherited(),
            statements: statements.len(),
            stub: self.stub(body, &statements),
            cut,
            bare: self.is_bare(),
            ..Function::default()
        };
        self.functions.push(function);
        let index = self.functions.len() - 1;
        self.open.push(index);
        self.push(node, FrameKind::Function(index));
        self.forget();
    }

    /// The name with those of the functions and scopes around it.
    fn qualified(&self, name: String) -> String {
        if self.open.len() > MAX_FUNCTIONS {
            return name;
        }
        let outer = self.frames.iter().rev().take(super::MAX_DEPTH).find_map(|frame| match &frame.kind {
            FrameKind::Function(index) => Some(self.functions[*index].name.clone()),
            _ => None,
        });
        let within = |frame: &&super::Frame| !matches!(frame.kind, FrameKind::Function(_));
        let around = self.frames.iter().rev().take(super::MAX_DEPTH).take_while(within);
        let mut parts: Vec<&str> = around
            .filter_map(|frame| match &frame.kind {
                FrameKind::Scope { name, .. } if !name.is_empty() => Some(name.as_str()),
                _ => None,
            })
            .collect();
        parts.extend(outer.as_deref());
        parts.reverse();
        parts.push(&name);
        parts.join(".")
    }

    /// A function without a name of its own: one that is given a name, the handler of a promise, or part of what is
    /// around it.
    fn open_closure(&mut self, node: Node<'_>) {
        if let Some((_, handler)) = self.callback.take_if(|(closure, _)| *closure == node.id()) {
            self.push(node, FrameKind::Closure(node.end_byte()));
            let body = child(node, "body");
            let collector = self.collector_of(body);
            // A call that makes an empty value does nothing else.
            if collector.statements == 1 && collector.defaults == 1 {
                self.settled = body.map(|body| body.id());
            }
            if let Some(frame) = self.frames.last_mut() {
                frame.handler = Some((collector, handler));
            }
            return;
        }
        let top_level = self.open.len() == 1;
        let near = self.frames.iter().rev().take(if top_level { super::MAX_DEPTH } else { 1 });
        let name = near.filter_map(|frame| match &frame.kind {
            FrameKind::Naming { named, value } if top_level || *value == node.id() => Some(named.clone()),
            _ => None,
        });
        match name.clone().next() {
            Some(range) => {
                let name = one_line(&tail(&self.source, range, CALLEE));
                self.open_function(node, path_of(&name).trim_start_matches("exports.").to_owned());
            }
            None => self.push(node, FrameKind::Closure(node.end_byte())),
        }
    }

    fn stub(&self, body: Node<'_>, statements: &[Node<'_>]) -> Option<Stub> {
        match *statements {
            [] => Some(Stub::Empty),
            [only] if only.id() == body.id() => {
                is_default(&text(&self.source, only)).then_some(Stub::Constant)
            }
            [only] => (self.dialect.stub)(text(&self.source, only).trim()),
            _ => None,
        }
    }

    /// The statements of a block, at most `limit`; a body that is no block is its own only statement.
    pub(super) fn statements<'t>(&self, body: Node<'t>, limit: usize) -> Vec<Node<'t>> {
        let kind = body.kind();
        if !kind.ends_with("block") && !kind.ends_with("body") && kind != "statement_list" {
            return vec![body];
        }
        let body = first_named(body).filter(|inner| inner.kind() == "statement_list").unwrap_or(body);
        let mut cursor = body.walk();
        let counts = |node: &Node<'t>| self.kinds.of(*node) != Role::Comment && !self.is_docstring(*node);
        body.named_children(&mut cursor).filter(counts).take(limit).collect()
    }

    /// The line on which a body always leaves before its end.
    fn cut(&self, body: Node<'_>) -> Option<u32> {
        let body = first_named(body).filter(|inner| inner.kind() == "statement_list").unwrap_or(body);
        let mut cursor = body.walk();
        let mut left = None;
        for node in body.named_children(&mut cursor).filter(|node| self.kinds.of(*node) != Role::Comment) {
            if left.is_some() {
                // Functions are known before they stand, and some words are there for the compiler only.
                let idle = node.kind().ends_with("function_declaration") || node.kind().ends_with("_item");
                if idle || node.kind() == "class_declaration" {
                    continue;
                }
                return left.filter(|_| !self.is_yield(node) && !node.kind().contains("label"));
            }
            let inner = if self.kinds.of(node) == Role::Statement { first_named(node) } else { None };
            let leaves = |node: Node<'_>| matches!(self.kinds.of(node), Role::Return);
            left = (leaves(node) || inner.is_some_and(leaves)).then(|| line_of(node));
        }
        None
    }

    fn is_yield(&self, node: Node<'_>) -> bool {
        text(&self.source, node).trim_start().starts_with("yield")
    }

    fn is_docstring(&self, node: Node<'_>) -> bool {
        node.kind() == "expression_statement"
            && first_named(node).is_some_and(|inner| inner.kind() == "string")
    }

    fn open_if(&mut self, node: Node<'_>) {
        let range = |field: &'static str| child(node, field).map_or(0..0, |child| child.byte_range());
        let (condition, then) = (range("condition"), range("consequence"));
        // What is asked for may be made on the spot: `if item, ok := items[key]; !ok {`.
        let made = range("initializer");
        let condition = if made.is_empty() { condition } else { made.start..condition.end };
        let kind = FrameKind::If { condition: condition.clone(), then, span: span_of(node) };
        let asked = child(node, "condition").and_then(|condition| {
            let text = text(&self.source, condition);
            (self.dialect.asks_for_error)(crate::languages::expression::bare(&text))
        });
        self.push(node, kind);
        match asked {
            Some(asked) => self.open_check(node, &asked),
            None => self.only_success(node, condition),
        }
    }

    fn open_case(&mut self, node: Node<'_>) {
        let pattern = child(node, "pattern").or_else(|| child(node, "value")).or_else(|| first_named(node));
        let pattern = pattern.map_or(0..0, |pattern| pattern.byte_range());
        self.push(node, FrameKind::Case { pattern: pattern.clone(), span: span_of(node) });
        if self.dialect.blocks_have_values {
            self.open_arm(node, pattern);
        }
    }

    fn returned(&mut self, node: Node<'_>) {
        let value = first_named(node);
        if value.is_none() && self.gives_named_error() {
            self.collect(|collector| collector.handles = true);
            return;
        }
        let given = value.map(|value| text(&self.source, value)).unwrap_or_default();
        let kind =
            (self.dialect.returned)(given.trim()).or_else(|| is_default(&given).then_some(ExitKind::Default));
        // An answer that refuses, where something decides about it.
        let kind = kind.or_else(|| {
            // Where errors are wrapped, the wrapping itself is told.
            let answers = !self.dialect.blocks_have_values && (makes_error(&given) || answers_no(&given));
            (answers && self.is_conditional()).then_some(ExitKind::Fails)
        });
        match kind {
            Some(kind) => self.exit(node, kind),
            // A fixed text in place of a result; what stands in a handler may tell of the error.
            None if is_fixed_text(&given) && !self.in_handler() => self.exit(node, ExitKind::Default),
            None if is_fixed_text(&given) => self.collect(|collector| collector.defaults += 1),
            // So does a thing that is made of nothing.
            None if is_made_of_nothing(&given) && self.in_handler() => {
                self.collect(|collector| collector.defaults += 1)
            }
            // A variable that is given back in place of a result says nothing of the error either.
            None if is_variable(&given) => self.collect(|collector| collector.defaults += 1),
            None => self.collect(|collector| collector.handles = true),
        }
    }

    fn in_handler(&self) -> bool {
        self.frames.iter().rev().take(super::MAX_DEPTH).any(|frame| frame.handler.is_some())
    }

    /// The last expression of a block that is what the block gives back.
    fn block(&mut self, node: Node<'_>) {
        let count = node.named_child_count();
        let last = u32::try_from(count)
            .ok()
            .and_then(|count| count.checked_sub(1))
            .and_then(|at| node.named_child(at));
        let Some(last) = last.filter(|last| !last.kind().ends_with("statement")) else { return };
        let is_value = !last.kind().ends_with("declaration") && !last.kind().ends_with("_item");
        if is_value && is_default(&text(&self.source, last)) {
            self.exit(last, ExitKind::Default);
        }
    }

    /// A call or macro; whether the walk goes on into it.
    fn call(&mut self, node: Node<'_>) -> bool {
        let Some(range) = self.callee(node) else { return true };
        let callee = tail(&self.source, range.clone(), CALLEE);
        let path = path_of(&callee);
        let name = super::super::shape::last_name(path);
        self.route(node, path, name);
        let alone = self.statement == Some(node.id());
        let answers =
            || alone && is_answer(path) && self.is_conditional() && answers_no(&text(&self.source, node));
        if self.is_failing(path) || self.hands_on(node, name) || (alone && fails_by_name(name)) || answers() {
            self.exit(node, ExitKind::Fails);
        } else if names::is_log(path) || (name == "error" && self.kinds.of(node) == Role::Macro) {
            self.collect(|collector| collector.logs += 1);
            if self.statement == Some(node.id()) {
                self.function().logs.push(span_of(node));
            }
            return false;
        } else if names::is_pause(path) {
            // To wait tells nobody either.
            self.collect(|collector| collector.logs += 1);
            return false;
        } else if (matches!(
            name,
            "catch" | "exceptionally" | "onErrorResume" | "onErrorReturn" | "onErrorResumeNext"
        ) || self.takes_failure(node, name))
            && range.end - range.start > name.len()
        {
            self.open_promise(node, name, range);
        } else if name == "catchError" && range.end - range.start == name.len() {
            self.open_operator(node, name);
        } else if self.settles_quietly(node, name) {
            self.exit(node, ExitKind::Default);
        } else if let Some(place) = self.listens(node, name) {
            self.open_listener(node, place);
        } else if name == "recover" && alone && self.dialect.discards && !self.dialect.blocks_have_values {
            self.drops_panics(node);
        } else if (matches!(name, "push" | "append" | "add") && self.is_note(path))
            || (self.is_conditional() && (names::reports_error(path) || self.tells_of_error(node)))
        {
            self.exit(node, ExitKind::Notes);
        } else if names::is_known_check(path) || (self.statement == Some(node.id()) && names::is_check(path))
        {
            self.check(node, child(node, "arguments").unwrap_or(node));
        } else {
            let of = self.unwrapping(node, name, range);
            self.drops(node, path);
            self.catches_panics(node, name);
            // What a condition asks for does nothing by itself, nor does a log that may fail.
            let asks =
                ["is", "has", "get"].iter().any(|start| name.starts_with(start)) && self.in_condition();
            if !asks && !of.is_some_and(|callee| names::is_log(&callee)) {
                self.collect(|collector| collector.handles = true);
            }
        }
        true
    }

    /// The bytes that name what is called.
    fn callee(&self, node: Node<'_>) -> Option<std::ops::Range<usize>> {
        if let Some(function) = child(node, "function").or_else(|| child(node, "macro")) {
            return Some(function.byte_range());
        }
        let name = child(node, "name")?;
        let start = child(node, "object").map_or(name.start_byte(), |object| object.start_byte());
        Some(start..name.end_byte())
    }

    fn is_failing(&self, path: &str) -> bool {
        let ends = |failing: &str| {
            let rest = path.strip_suffix(failing);
            rest.is_some_and(|rest| rest.is_empty() || rest.ends_with(['.', ':']))
        };
        self.dialect.failing.iter().any(|failing| ends(failing))
    }

    fn is_note(&self, path: &str) -> bool {
        let list = path.rsplit_once('.').map_or("", |(list, _)| list);
        names::is_list_of_errors(list) && self.is_conditional()
    }

    /// A check that fails by itself, unless it only answers a question.
    fn check(&mut self, node: Node<'_>, asked: Node<'_>) {
        if self.in_condition() {
            return;
        }
        let condition = self.line_of_text(asked.byte_range());
        self.exit_in(node, ExitKind::Fails, Context::Check, condition, span_of(node));
    }

    /// What stands directly in the body of a handler.
    pub(super) fn collector_of(&self, body: Option<Node<'_>>) -> Collector {
        let Some(body) = body else { return Collector::default() };
        let statements = self.statements(body, 16);
        let value = matches!(statements[..], [only] if only.id() == body.id());
        let defaults = usize::from(value && is_default(&text(&self.source, body)));
        Collector { statements: statements.len(), defaults, ..Collector::default() }
    }

    pub(super) fn open_handler(
        &mut self,
        node: Node<'_>,
        body: Option<Node<'_>>,
        kind: HandlerKind,
    ) -> usize {
        let collector = self.collector_of(body);
        let index = self.new_handler(node, kind);
        if let Some(frame) = self.frames.last_mut() {
            frame.handler = Some((collector, index));
        }
        index
    }
}

/// Whether an expression is the name of a variable that holds no error.
fn is_variable(expression: &str) -> bool {
    let is_name = expression.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_name && !names::is_error(expression) && expression.starts_with(|c: char| c.is_lowercase() || c == '_')
}
