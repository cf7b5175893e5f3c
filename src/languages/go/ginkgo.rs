//! Ginkgo's specs: containers, leaves, tables; pending and focused ones.

use tree_sitter::Node;

use super::super::{Builder, TestHead};
use super::index::Index;
use super::kinds::{Kind, kind_of};
use super::syntax::{Call, text_literal};
use crate::facts::{Level, Skip, SkipKind};
use crate::text::occurrences;

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

/// Opens what a call of a function that holds specs stands for, in a container: those specs, run with its set-up. They are
/// written and counted once, where the function is.
pub(super) fn enter_shared(call: &Call<'_, '_>, index: &Index, facts: &mut Builder<'_>) -> bool {
    let source = facts.source();
    if !index.is_ginkgo(None) || call.receiver_name(source).is_some() || facts.in_test() || !facts.in_suite()
    {
        return false;
    }
    let statement = call.node.parent().filter(|parent| parent.kind() == "expression_statement");
    let Some(container) = statement.and_then(|statement| statement.parent()) else { return false };
    if !holds_specs(call.name, source.text) {
        return false;
    }
    let name_node = call.node.child_by_field_name("function").unwrap_or(call.node);
    let head =
        TestHead { level: Level::Subtest, ..TestHead::new(call.name.to_owned(), name_node, container) };
    facts.open_test(call.node, head);
    true
}

/// Whether a function of the file, given its name, has specs in it.
fn holds_specs(name: &str, text: &[u8]) -> bool {
    let heads = [format!("{name} := func("), format!("{name} = func("), format!("func {name}(")];
    let at = heads.iter().find_map(|head| occurrences(text, head.as_bytes()).next());
    let Some(rest) = at.and_then(|at| text.get(at..)) else { return false };
    // Its end is the first line that is indented no more than its head.
    let start = text.len() - rest.len();
    let indent = text[..start].iter().rev().take_while(|byte| **byte != b'\n').count();
    let lines = rest.split(|byte| *byte == b'\n').skip(1);
    let body = lines.take_while(|line| {
        let depth = line.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        line.trim_ascii().is_empty() || depth > indent
    });
    body.into_iter().any(|line| {
        let line = line.trim_ascii_start();
        [&b"It("[..], b"Specify(", b"Entry("].iter().any(|spec| line.starts_with(spec))
    })
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
