//! What a test puts in place of real code: patches, mocks.

use tree_sitter::Node;

use super::syntax::{Arguments, string_value};
use crate::languages::Source;
use crate::languages::expression::canonical;

/// The calls that make stand-ins, by their last names.
const MAKERS: &[&str] = &[
    "AsyncMock",
    "MagicMock",
    "Mock",
    "NonCallableMock",
    "PropertyMock",
    "async_patch",
    "create_autospec",
    "delattr",
    "dict",
    "multiple",
    "object",
    "patch",
    "setattr",
    "setitem",
    "spy",
    "stub",
];

/// What a call replaces, where it makes a stand-in; empty if it does not say.
pub fn target(call: Node<'_>, name: &str, owner: Option<&str>, source: Source<'_>) -> Option<String> {
    let owner = owner.unwrap_or("");
    let last = owner.rsplit('.').next().unwrap_or(owner);
    if !MAKERS.contains(&name) {
        return None;
    }
    let arguments = Arguments::of(call, source);
    let text = |node: Node<'_>| string_value(node, source).unwrap_or_else(|| brief(node, source));
    let at = |place: usize| arguments.positional.get(place).copied().map(text);
    let member = || match (at(0), at(1)) {
        (Some(object), Some(member)) => Some(format!("{object}.{member}")),
        (only, _) => only,
    };
    match name {
        "patch" | "async_patch" if matches!(last, "" | "mock" | "mocker") => at(0),
        "object" if last == "patch" => member(),
        "multiple" | "dict" if last == "patch" => at(0),
        "spy" | "stub" if last == "mocker" => Some(member().unwrap_or_default()),
        "setattr" | "setitem" | "delattr" if last.contains("monkeypatch") || last == "mp" => {
            let dotted =
                arguments.positional.first().is_some_and(|first| string_value(*first, source).is_some());
            if dotted && name == "setattr" { at(0) } else { member() }
        }
        "Mock" | "MagicMock" | "AsyncMock" | "NonCallableMock" | "PropertyMock" | "create_autospec" => {
            let spec = arguments.keyword("spec").or_else(|| arguments.keyword("spec_set")).map(text);
            Some(spec.or_else(|| at(0)).unwrap_or_default())
        }
        _ => None,
    }
}

/// Whether the real code still runs: `mocker.spy(cart, "total")`, `patch("cart.total", wraps=total)`.
pub fn passes_through(call: Node<'_>, name: &str, source: Source<'_>) -> bool {
    name == "spy" || Arguments::of(call, source).keyword("wraps").is_some()
}

fn brief(node: Node<'_>, source: Source<'_>) -> String {
    let bytes = source.text.get(node.start_byte()..node.end_byte().min(node.start_byte() + 200));
    canonical(&String::from_utf8_lossy(bytes.unwrap_or_default()), "#")
}
