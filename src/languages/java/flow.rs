//! Where the code of a test goes: handlers that forget failures, code that never runs, lambdas nobody calls; and the
//! names given to values.

use std::ops::Range;

use tree_sitter::Node;

use super::annotations::last_segment;
use super::constants::truth;
use super::grammar::{self, Field, Kind, field, kind};
use crate::facts::{Claim, Reach};
use crate::languages::expression::without_comments;
use crate::languages::predicate::raises;
use crate::languages::stretches::{Stretches, clipped, excerpt, is_named_in};
use crate::languages::{Builder, line_of};

/// As many bytes of a file are looked through for uses of lambdas.
const SEARCH_LIMIT: usize = 4 * 1024 * 1024;

#[derive(Default)]
pub struct Flow {
    stretches: Stretches,
    /// The test that was entered last ends here.
    method_end: usize,
    searched: usize,
    /// Bodies of `try` around the current point, with the last statement of each.
    guarded: Vec<Guarded>,
}

struct Guarded {
    body: Range<usize>,
    last: Range<usize>,
    /// What is caught.
    types: String,
}

impl Flow {
    /// To be called for each node.
    pub fn enter(&mut self, node: Node<'_>, facts: &mut Builder<'_>) {
        self.stretches.enter(node, facts);
    }

    pub fn method(&mut self, node: Node<'_>) {
        self.method_end = node.end_byte();
    }

    /// A part that no run gets to.
    pub fn never(&mut self, part: Option<Node<'_>>) {
        self.stretches.mute(part.map_or(0..0, |part| part.byte_range()), Reach::Dead);
    }

    /// The compiler accepts code after a return only where that is `if (true) return;`.
    pub fn block(&mut self, node: Node<'_>, flags: &[(String, bool)], facts: &Builder<'_>) {
        let mut cursor = node.walk();
        let leaves = |statement: &Node<'_>| {
            kind(*statement) == Kind::If
                && field(*statement, Field::Consequence).is_some_and(returns)
                && field(*statement, Field::Condition)
                    .is_some_and(|condition| truth(condition, facts.source(), flags) == Some(true))
        };
        let last = node.named_children(&mut cursor).find(leaves);
        self.stretches.mute(last.map_or(0..0, |last| last.end_byte()..node.end_byte()), Reach::Dead);
    }

    /// `for (X x : List.of()) { ... }`.
    pub fn repeated(&mut self, node: Node<'_>, facts: &mut Builder<'_>) {
        const NOTHING: &[&str] =
            &["List.of()", "Set.of()", "Collections.emptyList()", "Arrays.asList()", "ImmutableList.of()"];
        let over = field(node, Field::Value).filter(|over| over.byte_range().len() < 64);
        let is_nothing =
            |text: &str| NOTHING.contains(&text) || text.ends_with("[] {}") || text.ends_with("[]{}");
        if over.is_some_and(|over| is_nothing(facts.text(over))) {
            facts.open_muted(node, Reach::Dead);
        }
    }

    /// A variable of a test: a name for a value, or for a lambda that somebody should call.
    pub fn local(&mut self, node: Node<'_>, facts: &mut Builder<'_>) {
        let declarator = field(node, Field::Declarator).filter(|_| facts.keeps_bindings());
        let Some(declarator) = declarator else { return };
        let (Some(name), Some(value)) = (field(declarator, Field::Name), field(declarator, Field::Value))
        else {
            return;
        };
        let name = facts.text(name);
        if kind(value) != Kind::Lambda {
            let value = excerpt(facts.source(), value.byte_range());
            return facts.binding(line_of(node), name, &value);
        }
        if !facts.in_test() {
            return;
        }
        let rest = facts.source().text.get(node.end_byte()..self.method_end).unwrap_or_default();
        self.searched = self.searched.saturating_add(rest.len());
        if self.searched < SEARCH_LIMIT && !is_named_in(rest, name) {
            facts.open_muted(node, Reach::NeverCalled);
        }
    }

    /// A `try` with handlers.
    pub fn guarded(&mut self, node: Node<'_>, facts: &Builder<'_>) {
        let Some(body) = field(node, Field::Body) else { return };
        let handlers: Vec<Node<'_>> =
            grammar::children(node).into_iter().filter(|&part| kind(part) == Kind::CatchClause).collect();
        if handlers.iter().any(|&handler| forgets_failures(handler, facts)) {
            self.stretches.mute(body.byte_range(), Reach::Swallowed);
        }
        let last = grammar::children(body).last().map_or(0..0, |last| last.byte_range());
        let types: Vec<String> = handlers.iter().map(|&handler| caught(handler, facts).0).collect();
        while self.guarded.last().is_some_and(|outer| outer.body.end <= node.start_byte()) {
            self.guarded.pop();
        }
        self.guarded.push(Guarded { body: body.byte_range(), last, types: types.join(", ") });
    }

    /// `try { run(); fail(); } catch (A expected) {}` claims that `run()` throws an `A`.
    pub fn expected_error(&self, call: Node<'_>, facts: &Builder<'_>) -> Option<Claim> {
        let name = field(call, Field::Name).map(|name| facts.text(name))?;
        if !matches!(name, "fail" | "failBecauseExceptionWasNotThrown" | "assertThrowsNothing") {
            return None;
        }
        let at = call.start_byte();
        let guarded = self.guarded.iter().rev().find(|guarded| guarded.body.contains(&at))?;
        if !guarded.last.contains(&at) {
            return None;
        }
        let code = clipped(facts.source(), guarded.body.start + 1..guarded.last.start, 400);
        let code = without_comments(&code);
        Some(raises(code.trim().trim_end_matches(';'), Some(&guarded.types)))
    }
}

fn returns(statement: Node<'_>) -> bool {
    match kind(statement) {
        Kind::Return => true,
        Kind::Block => statement.named_child(0).is_some_and(|first| kind(first) == Kind::Return),
        _ => false,
    }
}

/// The types that a handler catches, and its body.
fn caught<'t>(handler: Node<'t>, facts: &Builder<'_>) -> (String, Option<Node<'t>>) {
    let parameter =
        grammar::children(handler).into_iter().find(|part| part.kind() == "catch_formal_parameter");
    let types = parameter.and_then(|parameter| {
        grammar::children(parameter).into_iter().find(|part| part.kind() == "catch_type")
    });
    let text = types.map_or(String::new(), |types| excerpt(facts.source(), types.byte_range()));
    let names: Vec<&str> = text.split('|').map(|name| last_segment(name.trim())).collect();
    (names.join(", "), field(handler, Field::Body))
}

/// Whether a failed check is caught here and nobody hears of it: what is thrown is at most printed.
fn forgets_failures(handler: Node<'_>, facts: &Builder<'_>) -> bool {
    let (types, body) = caught(handler, facts);
    let catches = types.split(", ").any(|name| matches!(name, "AssertionError" | "Throwable" | "Error"));
    let Some(body) = body.filter(|_| catches) else { return false };
    grammar::children(body).into_iter().all(|statement| {
        let text = clipped(facts.source(), statement.byte_range(), 200);
        let text = text.to_ascii_lowercase();
        let head = text.split('(').next().unwrap_or("");
        head.ends_with("printstacktrace")
            || head.starts_with("system.")
            || head.starts_with("log")
            || text == ";"
    })
}
