//! Calls that mean something to a test though they assert nothing by name: expectations of a program's output, doubles.

use tree_sitter::Node;

use super::names::name_before;
use crate::facts::{Claim, ClaimKind, Strength};
use crate::languages::expression::tidy;
use crate::languages::stretches::clipped;
use crate::languages::{Builder, line_of};

/// cargo's `execs().with_stderr_data(str![...])`: the output as written, or part of it.
pub fn output_check(call: Node<'_>, name_start: usize, facts: &mut Builder<'_>) {
    let source = facts.source();
    let Some(arguments) = call.child_by_field_name("arguments") else { return };
    let name = source.text.get(name_start..arguments.start_byte()).unwrap_or_default();
    let name = String::from_utf8_lossy(name);
    let contains =
        ["contain", "line", "unordered", "partial", "starts"].iter().any(|part| name.contains(part));
    let text = clipped(source, call.byte_range(), 400);
    let head = text.split(".with_").next().unwrap_or(&text);
    let stream = ["stderr", "json"].into_iter().find(|stream| name.contains(stream)).unwrap_or("stdout");
    let inside = arguments.start_byte() + 1..arguments.end_byte().saturating_sub(1);
    let expected = clipped(source, inside, 2048);
    let claim = Claim {
        kind: if contains { ClaimKind::Value } else { ClaimKind::Snapshot },
        strength: if contains { Strength::Pattern } else { Strength::Value },
        subject: format!("{}.{stream}", tidy(head)),
        expected: Some(tidy(&expected)),
        pattern: None,
        negated: name.contains("does_not"),
        limit: None,
        room: None,
        parts: Vec::new(),
    };
    let line = arguments.start_position().row as u32 + 1;
    facts.claim_at(line.max(line_of(call)), name_start..call.end_byte(), claim);
}

/// What a stand-in replaces: `MockStore::new()` of mockall, `server.mock("GET", "/")` of mockito.
pub fn doubled<'a>(text: &'a [u8], callee: usize, name: &[u8]) -> Option<&'a str> {
    let before = callee.checked_sub(name.len())?;
    let owner = match name {
        b"new" | b"default" => name_before(text, before.checked_sub(2)?),
        b"mock" | b"given" => return std::str::from_utf8(name_before(text, callee)).ok(),
        _ => return None,
    };
    let target = owner.strip_prefix(b"Mock").filter(|target| !target.is_empty())?;
    std::str::from_utf8(target).ok()
}
