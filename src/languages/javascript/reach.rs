//! Code whose checks cannot fail the test: forgotten errors, dead statements, loops over nothing, promises that nobody
//! waits for, functions that nobody calls.

use tree_sitter::Node;

use super::super::expression::canonical;
use super::super::{Builder, claiming, line_of};
use super::grammar::{Kind, Reader};
use super::pack::Script;
use super::skips::{self, first_parameter};
use crate::facts::Reach;

/// Longer queries are something else.
const MAX_QUERY: usize = 400;

/// Longer chains are not looked into.
const MAX_LINKS: usize = 64;

/// Links that make a check wait for a promise.
const WAITING: &[&str] = &["resolves", "rejects", "eventually", "rejected", "rejectedWith", "fulfilled"];

/// What calls a function when the test may be over.
const LATER: &[&str] = &["setTimeout", "setImmediate", "queueMicrotask", "requestAnimationFrame"];

/// Links that somebody gets to hear of the end by.
const TOLD: &[&str] = &["then", "catch", "finally", "notify"];

/// What gives promises the time to settle, or waits for one after all.
const SETTLES: &[&str] =
    &["await", "return", "flush", "tick", "runAll", "advance", "Timers", "done", "resolve"];

impl Script {
    /// What stands behind the statement that leaves a block never runs; functions are there before.
    pub(super) fn block(&mut self, block: Node<'_>, facts: &Builder<'_>) {
        let read = self.reader(facts);
        let mut left = false;
        let mut cursor = block.walk();
        for statement in block.named_children(&mut cursor) {
            match read.kind(statement) {
                Kind::Comment | Kind::FunctionDeclaration => {}
                _ if left => self.mutes.insert(statement, Reach::Dead),
                Kind::Return | Kind::Throw | Kind::Leave => left = true,
                _ => {}
            }
        }
    }

    /// What is tried may not run to its end, if errors are caught; if they are forgotten, its checks are too.
    pub(super) fn attempt(&mut self, node: Node<'_>, facts: &mut Builder<'_>) {
        let read = self.reader(facts);
        let fields = read.fields();
        let Some(handler) = node.child_by_field_id(fields.handler) else { return };
        let forgets = handler.child_by_field_id(fields.body).is_some_and(|body| is_idle(&read, body));
        if let Some(body) = node.child_by_field_id(fields.body).filter(|_| forgets) {
            self.mutes.insert(body, Reach::Swallowed);
        }
        facts.open_branch(node);
    }

    /// The arm of an `if` that its condition rules out.
    pub(super) fn dead_arm(&mut self, node: Node<'_>, truth: bool, facts: &Builder<'_>) {
        let fields = self.reader(facts).fields();
        let arm = if truth { fields.alternative } else { fields.consequence };
        if let Some(arm) = node.child_by_field_id(arm) {
            self.mutes.insert(arm, Reach::Dead);
        }
    }

    /// A statement that is a check of a promise, and drops the promise of it.
    pub(super) fn statement(&mut self, node: Node<'_>, facts: &mut Builder<'_>) {
        let read = self.reader(facts);
        if !self.is_test_file || !facts.in_test() {
            return;
        }
        if read.first_child(node).is_some_and(|expression| forgets_failure(&read, expression)) {
            return facts.open_muted(node, Reach::Swallowed);
        }
        if let Some(query) = read.first_child(node).and_then(|expression| asks_the_page(&read, expression)) {
            let claim = claiming::present(&canonical(read.text(query), "//"), "null");
            return facts.claim_at(line_of(node), query.byte_range(), claim);
        }
        if !self.waits_by_itself
            && read.first_child(node).is_some_and(|expression| drops_promise(&read, expression))
        {
            facts.open_muted(node, Reach::NotAwaited);
        }
    }

    /// `load().then((a) => expect(a).toBe(1))` in the body of a test that goes on, or ends, without it.
    pub(super) fn dropped_callbacks(&mut self, function: Node<'_>, facts: &Builder<'_>) {
        let read = self.reader(facts);
        let body = function.child_by_field_id(read.fields().body);
        let Some(body) = body.filter(|&body| read.kind(body) == Kind::Block) else { return };
        if first_parameter(&read, function).is_some() {
            return;
        }
        let statements = read.children(body);
        if !statements.iter().any(|&statement| drops_callback(&read, statement))
            || !self.may_search(body, facts)
        {
            return;
        }
        let settles = |node: Node<'_>| SETTLES.iter().any(|word| read.text(node).contains(word));
        for statement in statements.into_iter().rev().take_while(|&statement| !settles(statement)) {
            if drops_callback(&read, statement) {
                self.mutes.insert(statement, Reach::NotAwaited);
            }
        }
    }

    /// `[].forEach(() => expect(a).toBe(1))`.
    pub(super) fn over_nothing(&mut self, call: Node<'_>, callee: Node<'_>, facts: &Builder<'_>) {
        let read = self.reader(facts);
        let over = callee.child_by_field_id(read.fields().object);
        let is_nothing = over.is_some_and(|it| read.kind(it) == Kind::Array && read.children(it).is_empty());
        if let Some(&callback) = read.arguments(call).first().filter(|_| is_nothing) {
            self.mutes.insert(callback, Reach::Dead);
        }
    }

    /// Whether a text may be searched for words: tests inside tests could make that the square of the file.
    fn may_search(&mut self, node: Node<'_>, facts: &Builder<'_>) -> bool {
        self.searched = self.searched.saturating_add(node.byte_range().len());
        self.searched <= 4 * facts.source().text.len()
    }

    /// A function inside a test that nothing else in the test mentions.
    pub(super) fn is_never_called(&mut self, name: Option<Node<'_>>, facts: &Builder<'_>) -> bool {
        let name = name.map(|name| self.reader(facts).text(name));
        facts.in_test() && name.is_some_and(|name| self.names.is_lonely(name, facts.source().text))
    }

    /// `const check = () => {...}` in a test, and `check` is not mentioned again.
    pub(super) fn unused_variable(&mut self, name: Node<'_>, value: Node<'_>, facts: &Builder<'_>) {
        let read = self.reader(facts);
        if read.kind(value) == Kind::Function
            && read.kind(name) == Kind::Identifier
            && self.is_never_called(Some(name), facts)
        {
            self.mutes.insert(value, Reach::NeverCalled);
        }
    }

    /// Whether a loop surely runs: its rows are written down.
    pub(super) fn surely_runs(
        &mut self,
        node: Node<'_>,
        over: Option<Node<'_>>,
        rows: Option<u32>,
        facts: &Builder<'_>,
    ) -> bool {
        let read = self.reader(facts);
        // What has a name may have been filled since.
        let is_named = over.is_some_and(|over| read.kind(over) == Kind::Identifier);
        match (rows, node.child_by_field_id(read.fields().body)) {
            (Some(0), Some(body)) if !is_named => self.mutes.insert(body, Reach::Dead),
            (Some(rows), _) => return rows > 0,
            _ => return false,
        }
        true
    }
}

/// `await screen.findByText('Hi')`: testing-library's queries fail where they find nothing.
fn asks_the_page<'t>(read: &Reader<'_>, expression: Node<'t>) -> Option<Node<'t>> {
    let call = match read.kind(expression) {
        Kind::Await => read.first_child(expression)?,
        _ => expression,
    };
    if read.kind(call) != Kind::Call || call.byte_range().len() > MAX_QUERY {
        return None;
    }
    let callee = call.child_by_field_id(read.fields().function)?;
    let name = match read.kind(callee) {
        Kind::Identifier => read.text(callee),
        _ => read.property(callee)?,
    };
    let by =
        ["getBy", "getAllBy", "findBy", "findAllBy"].iter().find_map(|start| name.strip_prefix(start))?;
    by.starts_with(|c: char| c.is_ascii_uppercase()).then_some(call)
}

/// Whether a check hands its failure to a handler that forgets it: `expect(a).resolves.toBe(1).catch(() => {})`.
fn forgets_failure(read: &Reader<'_>, expression: Node<'_>) -> bool {
    let fields = read.fields();
    let expression = match read.kind(expression) {
        Kind::Await => read.first_child(expression).unwrap_or(expression),
        _ => expression,
    };
    if read.kind(expression) != Kind::Call {
        return false;
    }
    let (names, head) = links(read, expression);
    if !matches!(head, "expect" | "assert") || names.first() != Some(&"catch") {
        return false;
    }
    let handler = read.arguments(expression).first().copied().filter(|&it| read.kind(it) == Kind::Function);
    let body = handler.and_then(|handler| handler.child_by_field_id(fields.body));
    body.is_some_and(|body| match read.kind(body) {
        Kind::Block => is_idle(read, body),
        _ => skips::constant(read, body).is_some(),
    })
}

/// Whether a block does nothing, but for writing something down.
fn is_idle(read: &Reader<'_>, block: Node<'_>) -> bool {
    read.children(block).into_iter().all(|statement| match read.kind(statement) {
        Kind::EmptyStatement | Kind::Leave => true,
        Kind::Return => {
            read.first_child(statement).is_none_or(|value| skips::constant(read, value).is_some())
        }
        Kind::ExpressionStatement => {
            let text = read.source.text.get(statement.start_byte()..).unwrap_or_default();
            text.starts_with(b"console.")
        }
        _ => false,
    })
}

/// The names of the links of a chain, the last one first, and what it starts from.
fn links<'s>(read: &Reader<'s>, expression: Node<'_>) -> (Vec<&'s str>, &'s str) {
    let (mut node, mut names) = (expression, Vec::new());
    for _ in 0..MAX_LINKS {
        let inner = match read.kind(node) {
            Kind::Call => node.child_by_field_id(read.fields().function),
            Kind::Member => {
                names.extend(read.property(node));
                node.child_by_field_id(read.fields().object)
            }
            _ => None,
        };
        let Some(inner) = inner else { break };
        node = inner;
    }
    let head = if read.kind(node) == Kind::Identifier { read.text(node) } else { "" };
    (names, head)
}

fn drops_promise(read: &Reader<'_>, expression: Node<'_>) -> bool {
    if !matches!(read.kind(expression), Kind::Call | Kind::Member) {
        return false;
    }
    let (names, head) = links(read, expression);
    let has = |words: &[&str]| names.iter().any(|name| words.contains(name));
    match head {
        "expect" => has(WAITING) && !has(TOLD),
        "assert" => matches!(names.as_slice(), ["rejects" | "doesNotReject"]),
        _ => false,
    }
}

/// Whether a statement hands a callback to a promise, or to a timer, and drops what it gets.
fn drops_callback(read: &Reader<'_>, statement: Node<'_>) -> bool {
    let call =
        (read.kind(statement) == Kind::ExpressionStatement).then(|| read.first_child(statement)).flatten();
    let callee = call
        .filter(|&call| read.kind(call) == Kind::Call)
        .and_then(|call| call.child_by_field_id(read.fields().function));
    let Some(callee) = callee else { return false };
    match read.kind(callee) {
        Kind::Identifier => LATER.contains(&read.text(callee)),
        _ => matches!(read.property(callee), Some("then" | "catch" | "nextTick")),
    }
}
