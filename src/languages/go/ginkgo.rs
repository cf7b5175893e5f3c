//! Ginkgo's specs: containers, leaves, tables; pending and focused ones.

use tree_sitter::Node;

use super::super::{Builder, TestHead};
use super::index::Index;
use super::kinds::{Kind, kind_of};
use super::syntax::{Call, text_literal};
use crate::facts::{Level, Skip, SkipKind};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Container,
    Leaf,
    Table,
    Entry,
    /// Runs before the specs around it.
    Fixture,
    Skip,
}

/// Tells the builder what a call of ginkgo's is. Gives the function whose statements count as the spec's own.
pub(super) fn enter<'t>(
    call: &Call<'t, '_>,
    index: &Index,
    facts: &mut Builder<'_>,
) -> Option<Option<Node<'t>>> {
    if !index.is_ginkgo(call.receiver_name(facts.source())) {
        return None;
    }
    let (part, prefix) = part_of(call.name)?;
    let body = call.closure();
    match part {
        Part::Skip => {
            let skip = facts.mark(call.node, SkipKind::Unconditional, call.text_argument(facts.source()));
            facts.skip_here(skip);
        }
        Part::Fixture => {}
        Part::Container => {
            let (skip, focused) = (pending(call, prefix, facts), is_focused(call, prefix, facts));
            facts.open_suite(call.node, title(call, facts), skip, focused);
        }
        Part::Leaf | Part::Table | Part::Entry => open_spec(call, part, prefix, body, facts),
    }
    Some(body)
}

fn open_spec(
    call: &Call<'_, '_>,
    part: Part,
    prefix: Option<char>,
    body: Option<Node<'_>>,
    facts: &mut Builder<'_>,
) {
    let missing = part == Part::Leaf && call.arguments().count() == 1;
    let prefix = if missing { Some('P') } else { prefix };
    let name_node = call.argument(0).unwrap_or(call.node);
    let head = TestHead {
        level: if part == Part::Entry { Level::Subtest } else { Level::Definition },
        cases: if part == Part::Table { entries(call, facts) } else { Some(1) },
        skip: pending(call, prefix, facts),
        focused: is_focused(call, prefix, facts),
        ..TestHead::new(title(call, facts), name_node, body.unwrap_or(call.node))
    };
    facts.open_test(call.node, head);
}

/// What the name stands for, and its `F`, `P` or `X` in front.
fn part_of(name: &str) -> Option<(Part, Option<char>)> {
    let plain = |name: &str| {
        Some(match name {
            "Describe" | "Context" | "When" | "DescribeTableSubtree" => Part::Container,
            "It" | "Specify" => Part::Leaf,
            "DescribeTable" => Part::Table,
            "Entry" => Part::Entry,
            _ => return None,
        })
    };
    match name {
        "Skip" => return Some((Part::Skip, None)),
        "BeforeEach" | "JustBeforeEach" | "BeforeAll" | "BeforeSuite" => return Some((Part::Fixture, None)),
        _ => {}
    }
    if let Some(part) = plain(name) {
        return Some((part, None));
    }
    let prefix = name.chars().next().filter(|first| matches!(first, 'F' | 'P' | 'X'))?;
    plain(&name[1..]).map(|part| (part, Some(prefix)))
}

fn title(call: &Call<'_, '_>, facts: &Builder<'_>) -> String {
    let Some(first) = call.argument(0) else { return String::new() };
    text_literal(first, facts.source()).map_or_else(|| facts.one_line(first), str::to_owned)
}

/// `PIt`, `XIt`, `It("...", Pending, ...)`.
fn pending(call: &Call<'_, '_>, prefix: Option<char>, facts: &Builder<'_>) -> Option<Skip> {
    let marked = matches!(prefix, Some('P' | 'X')) || has_decorator(call, "Pending", facts);
    let function = call.node.child_by_field_name("function").filter(|_| marked)?;
    Some(facts.mark(function, SkipKind::Unconditional, None))
}

fn is_focused(call: &Call<'_, '_>, prefix: Option<char>, facts: &Builder<'_>) -> bool {
    prefix == Some('F') || has_decorator(call, "Focus", facts)
}

fn has_decorator(call: &Call<'_, '_>, name: &str, facts: &Builder<'_>) -> bool {
    call.arguments().any(|argument| match kind_of(argument) {
        Kind::Identifier => facts.text(argument) == name,
        Kind::Selector => {
            argument.child_by_field_name("field").is_some_and(|field| facts.text(field) == name)
        }
        _ => false,
    })
}

/// How many `Entry(...)` a table has; not known if any are made elsewhere.
fn entries(call: &Call<'_, '_>, facts: &Builder<'_>) -> Option<u32> {
    let mut count = 0;
    for argument in call.arguments().skip(1) {
        match kind_of(argument) {
            Kind::Call => {
                let entry = Call::read(argument, facts.source()).and_then(|call| part_of(call.name));
                count += u32::from(matches!(entry, Some((Part::Entry, _))));
            }
            Kind::FuncLiteral | Kind::Identifier | Kind::Selector | Kind::String => {}
            _ => return None,
        }
    }
    (count > 0).then_some(count)
}
