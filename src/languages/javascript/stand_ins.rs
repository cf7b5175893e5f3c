//! What a test puts in place of real code: mocks, stubs, spies.

use tree_sitter::Node;

use super::super::expression::canonical;
use super::super::{Builder, line_of};
use super::grammar::{Kind, Reader};
use super::pack::Script;
use super::shape::entry_name;

impl Script {
    /// `jest.spyOn(mailer, 'send')`, `vi.fn()`, `sinon.stub(db, 'query')`.
    pub(super) fn stand_in(&self, call: Node<'_>, callee: Node<'_>, facts: &mut Builder<'_>) {
        let read = self.reader(facts);
        if read.kind(callee) != Kind::Member {
            return;
        }
        let (Some(object), Some(name)) =
            (callee.child_by_field_id(read.fields().object), read.property(callee))
        else {
            return;
        };
        if !makes_stand_in(read.text(object), name) {
            return;
        }
        let (line, target) = (line_of(call), target(&read, call));
        let members = if facts.in_test() { Vec::new() } else { members(&read, call) };
        match name {
            "spyOn" | "spy" if !is_told_what_to_give(&read, call) => facts.spy(line, &target),
            _ if members.is_empty() => facts.double(line, &target),
            _ => members.iter().for_each(|member| facts.double(line, &format!("{target}.{member}"))),
        }
    }
}

/// `jest.mock('./cart', () => ({ total: () => 12 }))` replaces one member of the module.
fn members<'s>(read: &Reader<'s>, call: Node<'_>) -> Vec<&'s str> {
    let factory = read.arguments(call).get(1).copied().filter(|&it| read.kind(it) == Kind::Function);
    let body = factory.and_then(|factory| factory.child_by_field_id(read.fields().body));
    let Some(mut given) = body.map(|body| read.unwrap(body)) else { return Vec::new() };
    if read.kind(given) == Kind::Block {
        let leave = read.children(given).into_iter().find(|&it| read.kind(it) == Kind::Return);
        let Some(value) = leave.and_then(|leave| read.first_child(leave)) else { return Vec::new() };
        given = read.unwrap(value);
    }
    read.children(given).into_iter().filter_map(|entry| entry_name(read, entry)).collect()
}

/// `spyOn(cart, 'total').mockReturnValue(12)`, and not `spyOn(cart, 'total')` alone.
fn is_told_what_to_give(read: &Reader<'_>, call: Node<'_>) -> bool {
    let next = call.parent().filter(|&parent| read.kind(parent) == Kind::Member);
    next.and_then(|member| read.property(member)).is_some_and(|name| name.starts_with("mock"))
}

fn makes_stand_in(object: &str, name: &str) -> bool {
    match object {
        "jest" | "vi" | "vitest" => {
            matches!(
                name,
                "fn" | "mock" | "doMock" | "spyOn" | "unstable_mockModule" | "stubGlobal" | "replaceProperty"
            )
        }
        "sinon" | "sandbox" => {
            matches!(name, "stub" | "mock" | "fake" | "spy" | "replace" | "createStubInstance")
        }
        "td" => matches!(name, "replace" | "func" | "object" | "replaceEsm" | "instance"),
        "mock" | "t.mock" => matches!(name, "method" | "fn" | "module" | "getter" | "setter"),
        _ => false,
    }
}

/// What is replaced: a module, a member of an object; empty where it is a function of its own.
fn target(read: &Reader<'_>, call: Node<'_>) -> String {
    let arguments = read.arguments(call);
    let text = |node: &Node<'_>| match (read.literal(*node), read.kind(*node)) {
        (Some(literal), _) => Some(literal.to_owned()),
        (None, Kind::Identifier | Kind::Member | Kind::This) => Some(canonical(read.text(*node), "//")),
        _ => None,
    };
    match (arguments.first().and_then(text), arguments.get(1).and_then(text)) {
        (Some(object), Some(member)) => format!("{object}.{member}"),
        (only, _) => only.unwrap_or_default(),
    }
}
