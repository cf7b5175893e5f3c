//! Conditions that decide whether a check runs: `if x: assert ...`, `if x: return` above it.
//!
//! Grammars agree on how an `if` is put together, so one reading serves all of them.

use std::ops::Range;

use tree_sitter::Node;

use super::Source;
use crate::languages::fields::Fields;

/// A condition without another way around it.
pub(super) struct Guard {
    pub condition: Range<usize>,
    /// Whether all it does is to leave the function, or the round of a loop.
    pub leaves: Option<Leaves>,
}

/// What a statement leaves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Leaves {
    Function,
    Round,
}

/// What an `if` without an `else`, `x && y`, or a `switch` that lets some cases pass, asks for.
pub(super) fn guard(node: Node<'_>, source: Source<'_>) -> Option<Guard> {
    if let Some(condition) = switched(node, source) {
        return Some(Guard { condition, leaves: None });
    }
    if node.kind() == "binary_expression" {
        let left = node.field("left")?;
        return Some(Guard { condition: left.byte_range(), leaves: None });
    }
    if !matches!(node.kind(), "if_statement" | "if_expression") || node.field("alternative").is_some() {
        return None;
    }
    let condition = node.field("condition")?;
    let leaves = node.field("consequence").and_then(|arm| leaves(arm, source));
    Some(Guard { condition: condition.byte_range(), leaves })
}

/// Nodes that choose one of several arms by a value.
const SWITCHES: &[&str] = &[
    "expression_switch_statement",
    "type_switch_statement",
    "match_expression",
    "switch_statement",
    "switch_expression",
    "match_statement",
];

/// What code says that checks, or fails.
const LOUD: &[&str] = &[
    "assert",
    "expect",
    "require",
    "Fatal",
    "Error",
    "Fail",
    "fail",
    "panic",
    "raise",
    "throw",
    "unreachable",
];

/// The value that a `switch` asks for, with the first arm that checks something, where another arm lets it pass.
fn switched(node: Node<'_>, source: Source<'_>) -> Option<Range<usize>> {
    if !SWITCHES.contains(&node.kind()) {
        return None;
    }
    let value = ["value", "subject", "condition"].iter().find_map(|field| node.child_by_field_name(field))?;
    let body = node.child_by_field_name("body").unwrap_or(node);
    let mut cursor = body.walk();
    let is_arm = |arm: &Node<'_>| {
        ["case", "arm", "default", "rule", "group"].iter().any(|part| arm.kind().contains(part))
    };
    let arms: Vec<Node<'_>> = body.named_children(&mut cursor).filter(is_arm).collect();
    // What an arm is chosen by may well be called an error.
    let start = |arm: &Node<'_>| {
        let head = ["pattern", "value"].iter().find_map(|field| arm.child_by_field_name(field));
        head.map_or(arm.start_byte(), |head| head.end_byte())
    };
    let is_loud = |arm: &&Node<'_>| {
        let text = source.text.get(start(arm)..arm.end_byte()).unwrap_or_default();
        let text = String::from_utf8_lossy(text);
        LOUD.iter().any(|word| text.contains(word))
    };
    let loud = arms.iter().find(is_loud)?;
    let quiet = arms.iter().any(|arm| !is_loud(&arm) && !falls_through(*arm));
    quiet.then(|| value.start_byte()..start(loud))
}

/// Whether nothing stands in an arm, which then shares the next one.
fn falls_through(arm: Node<'_>) -> bool {
    matches!(arm.kind(), "switch_case" | "switch_block_statement_group") && arm.named_child_count() <= 1
}

/// How statements start that only tell somebody.
const TELLING: &[&str] = &[
    "t.Log",
    "b.Log",
    "console.",
    "print",
    "eprint",
    "log.",
    "logger.",
    "logging.",
    "System.out.",
    "System.err.",
    "fmt.Print",
    "tracing::",
    "warn!",
    "info!",
];

/// What a statement, or the last one of a block, leaves without giving anything back; those before it say why at most.
fn leaves(arm: Node<'_>, source: Source<'_>) -> Option<Leaves> {
    let mut statement = arm;
    while matches!(statement.kind(), "block" | "statement_block" | "statement_list" | "expression_statement")
    {
        let mut cursor = statement.walk();
        let mut parts: Vec<Node<'_>> =
            statement.named_children(&mut cursor).filter(|part| !part.kind().contains("comment")).collect();
        let last = parts.pop()?;
        let tells = |part: &Node<'_>| TELLING.iter().any(|start| source.text_of(*part).starts_with(start));
        if !parts.iter().all(tells) {
            return None;
        }
        statement = last;
    }
    let returns = matches!(statement.kind(), "return_statement" | "return_expression");
    let nothing = |value: Node<'_>| {
        value.byte_range().len() < 16 && matches!(source.text_of(value), "None" | "Ok(())" | "undefined")
    };
    if returns && statement.named_child(0).is_none_or(nothing) {
        return Some(Leaves::Function);
    }
    let goes_on = matches!(statement.kind(), "continue_statement" | "continue_expression");
    goes_on.then_some(Leaves::Round)
}
