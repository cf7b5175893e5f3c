//! Parameter rows: how many cases a parametrised test has, as far as the file tells.

use std::ops::Range;

use tree_sitter::Node;

use super::aliases::Aliases;
use super::syntax::{Arguments, Kind, bare, field, items, kind};
use crate::languages::expression::canonical;
use crate::languages::{Builder, Source};

/// As many rows of a table are remembered.
const MAX_ROWS: usize = 256;

/// Deeper sums of tables are not counted.
const MAX_DEPTH: usize = 16;

/// The rows that a decorator gives, where it parametrises: `Some(None)` if they cannot be counted.
pub fn of_mark(node: Node<'_>, aliases: &Aliases, source: Source<'_>) -> Option<Option<u32>> {
    if kind(node) != Kind::Call {
        return aliases.parameters(source.text_of(node));
    }
    let path = aliases.path(field(node, "function")?, source)?;
    let arguments = Arguments::of(node, source);
    let count = |values: Option<Node<'_>>| values.and_then(|values| rows(values, aliases, source));
    let mut parts = path.rsplit('.');
    Some(match (parts.next()?, parts.next()) {
        ("parametrize", _) => count(arguments.get(1, "argvalues")),
        ("expand", Some("parameterized")) => count(arguments.get(0, "input")),
        ("parameterized" | "parameterized_class", _) => count(arguments.get(0, "input")),
        ("parameters" | "named_parameters", Some("parameterized")) => listed(&arguments, aliases, source),
        ("data", None | Some("ddt")) if !arguments.positional.is_empty() => spelled_out(&arguments),
        ("parametrize_with_cases", _) | ("product", Some("parameterized")) => None,
        _ => return None,
    })
}

/// absl takes the rows as arguments, or as one list.
fn listed(arguments: &Arguments<'_, '_>, aliases: &Aliases, source: Source<'_>) -> Option<u32> {
    match arguments.positional.as_slice() {
        [only] if !matches!(kind(*only), Kind::Tuple | Kind::Dictionary) => rows(*only, aliases, source),
        _ => spelled_out(arguments),
    }
}

fn spelled_out(arguments: &Arguments<'_, '_>) -> Option<u32> {
    if arguments.open_ended { None } else { u32::try_from(arguments.positional.len()).ok() }
}

/// Where the rows that a decorator gives are written.
pub fn written_rows(node: Node<'_>, aliases: &Aliases, source: Source<'_>) -> Vec<Range<usize>> {
    let path = field(node, "function").and_then(|callee| aliases.path(callee, source));
    let arguments = Arguments::of(node, source);
    let table = match path.as_deref().and_then(|path| path.rsplit('.').next()) {
        Some("parametrize") => arguments.get(1, "argvalues"),
        Some("expand" | "parameterized" | "parameterized_class") => arguments.get(0, "input"),
        Some("parameters" | "named_parameters") if arguments.positional.len() == 1 => arguments.get(0, ""),
        Some("parameters" | "named_parameters" | "data") => {
            return arguments.positional.iter().map(Node::byte_range).collect();
        }
        _ => None,
    };
    table.map(|table| written(table, aliases, source)).unwrap_or_default()
}

pub fn written(table: Node<'_>, aliases: &Aliases, source: Source<'_>) -> Vec<Range<usize>> {
    let table = bare(table);
    match kind(table) {
        Kind::List | Kind::Tuple | Kind::Set | Kind::Dictionary => ranges(table),
        Kind::Identifier => aliases.written(source.text_of(table)).to_vec(),
        Kind::Subscript => {
            let whole = field(table, "value").filter(|whole| kind(*whole) != Kind::Subscript);
            let whole = whole.map(|whole| written(whole, aliases, source)).unwrap_or_default();
            slice(table, whole.len(), source).and_then(|part| whole.get(part)).unwrap_or_default().to_vec()
        }
        _ => Vec::new(),
    }
}

/// Where the first elements of a table stand; nobody reads endless lists.
pub fn ranges(table: Node<'_>) -> Vec<Range<usize>> {
    let mut cursor = table.walk();
    let elements = table.named_children(&mut cursor).filter(|element| kind(*element) != Kind::Comment);
    elements.take(MAX_ROWS).map(|element| element.byte_range()).collect()
}

/// How many elements a table has, where it is written down.
pub fn rows(values: Node<'_>, aliases: &Aliases, source: Source<'_>) -> Option<u32> {
    count(values, aliases, source, MAX_DEPTH)
}

fn count(values: Node<'_>, aliases: &Aliases, source: Source<'_>, depth: usize) -> Option<u32> {
    let depth = depth.checked_sub(1)?;
    let values = bare(values);
    match kind(values) {
        Kind::List | Kind::Tuple | Kind::Set | Kind::Dictionary => {
            let elements = items(values);
            let open_ended = elements.iter().any(|element| kind(*element) == Kind::Splat);
            if open_ended { None } else { u32::try_from(elements.len()).ok() }
        }
        Kind::Identifier => aliases.table(source.text_of(values)),
        Kind::BinaryOperator if source.text_of(field(values, "operator")?) == "+" => {
            let left = count(field(values, "left")?, aliases, source, depth)?;
            left.checked_add(count(field(values, "right")?, aliases, source, depth)?)
        }
        Kind::Call => count_call(values, aliases, source),
        Kind::Subscript => count_slice(values, aliases, source, depth),
        _ => None,
    }
}

/// `TABLE[:2]`, `TABLE[1:]`.
fn count_slice(values: Node<'_>, aliases: &Aliases, source: Source<'_>, depth: usize) -> Option<u32> {
    let all = count(field(values, "value")?, aliases, source, depth)?;
    u32::try_from(slice(values, all as usize, source)?.len()).ok()
}

/// Which of so many elements a slice takes.
fn slice(subscript: Node<'_>, all: usize, source: Source<'_>) -> Option<Range<usize>> {
    let slice = source.text_of(field(subscript, "subscript").filter(|it| it.kind() == "slice")?);
    let (start, end) = slice.split_once(':')?;
    let number = |text: &str, default: usize| match text.trim() {
        "" => Some(default),
        text => text.parse::<usize>().ok().map(|number| number.min(all)),
    };
    let (start, end) = (number(start, 0)?, number(end, all)?);
    Some(start..end.max(start))
}

/// `range(3)` and `TABLE.items()`.
fn count_call(call: Node<'_>, aliases: &Aliases, source: Source<'_>) -> Option<u32> {
    let callee = source.text_of(field(call, "function")?);
    let arguments = Arguments::of(call, source);
    let number = |node: &Node<'_>| source.text_of(*node).parse::<u32>().ok();
    match (callee.rsplit_once('.'), arguments.positional.as_slice()) {
        (None, [end]) if callee == "range" => number(end),
        (None, [start, end]) if callee == "range" => Some(number(end)?.saturating_sub(number(start)?)),
        (Some((table, "items" | "keys" | "values")), []) => aliases.table(table),
        _ => None,
    }
}

/// The cases of one parametrisation inside another.
pub fn product(outer: Option<u32>, inner: Option<u32>) -> Option<u32> {
    outer?.checked_mul(inner?)
}

/// As many bytes of a parameter row are read.
const MAX_ROW: usize = 1024;

/// Rows of the table that the open test goes through, as they are written.
pub fn report_rows(rows: Vec<Range<usize>>, facts: &mut Builder<'_>) {
    let source = facts.source();
    for row in rows {
        let end = row.end.min(row.start + MAX_ROW);
        let text = source.text.get(row.start..end).unwrap_or_default();
        facts.row(&canonical(&String::from_utf8_lossy(text), "#"));
    }
}
