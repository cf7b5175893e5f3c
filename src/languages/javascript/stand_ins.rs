//! What a test puts in place of real code: mocks, stubs, spies.

use tree_sitter::Node;

use super::super::expression::canonical;
use super::super::{Builder, line_of};
use super::grammar::{Kind, Reader};
use super::pack::Script;

impl Script {
    /// `jest.spyOn(mailer, 'send')`, `vi.fn()`, `sinon.stub(db, 'query')`.
    pub(super) fn stand_in(&self, call: Node<'_>, callee: Node<'_>, facts: &mut Builder<'_>) {
        let read = self.reader(facts);
        if !facts.in_test() || read.kind(callee) != Kind::Member {
            return;
        }
        let (Some(object), Some(name)) =
            (callee.child_by_field_id(read.fields().object), read.property(callee))
        else {
            return;
        };
        if makes_stand_in(read.text(object), name) {
            facts.double(line_of(call), &target(&read, call));
        }
    }
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
