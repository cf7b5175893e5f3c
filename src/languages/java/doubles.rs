//! Stand-ins that Mockito and its relatives make.

use tree_sitter::Node;

use super::grammar::{self, Field, field};
use crate::languages::Builder;
use crate::languages::stretches::excerpt;

/// What the last call of a chain replaces: `mock(Mailer.class)`, `when(mailer.send())`, `doReturn(1).when(mailer).send()`.
pub fn target(call: Node<'_>, facts: &Builder<'_>) -> Option<String> {
    if !facts.in_test() {
        return None;
    }
    let mut next = Some(call);
    // Stubs are made by the first calls of short chains: `when(x).thenReturn(y)`.
    for _ in 0..4 {
        let node = next?;
        let name = field(node, Field::Name).map(|name| facts.text(name))?;
        if matches!(
            name,
            "mock" | "spy" | "mockStatic" | "mockConstruction" | "when" | "given" | "createMock"
        ) {
            let arguments = grammar::children(field(node, Field::Arguments)?);
            let first = arguments.first()?;
            return Some(excerpt(facts.source(), first.byte_range()));
        }
        next = field(node, Field::Object);
    }
    None
}
