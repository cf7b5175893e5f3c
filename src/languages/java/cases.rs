//! Parameter rows, where they can be counted without running anything.

use std::ops::Range;

use tree_sitter::Node;

use super::annotations::{Annotation, Modifiers};
use super::constants::{integer, string};
use super::grammar::{self, Field, Kind, field, kind};
use super::names::TestKind;
use super::outline::Outline;
use crate::languages::Source;
use crate::languages::expression::tidy;
use crate::languages::stretches::excerpt;

/// The rows of one test method, not counting those of its class.
pub fn of_method(
    test: TestKind,
    name: &str,
    modifiers: &Modifiers<'_, '_>,
    outline: &Outline,
    source: Source<'_>,
) -> Option<u32> {
    match test {
        TestKind::Dynamic => None,
        TestKind::Parameterized => of_sources(name, modifiers, outline, source),
        TestKind::Repeated => {
            let repeated = modifiers.annotation("RepeatedTest")?;
            integer(repeated.argument("value", source)?, source)
        }
        TestKind::Plain => of_plain(modifiers, outline, source),
    }
}

/// A `@Test` of one row, unless TestNG or JUnitParams feeds it.
fn of_plain(modifiers: &Modifiers<'_, '_>, outline: &Outline, source: Source<'_>) -> Option<u32> {
    if let Some(rows) = modifiers.annotation("Parameters").or_else(|| modifiers.annotation("TestParameters"))
    {
        return elements(rows.argument("value", source)?);
    }
    let Some(test) = modifiers.annotation("Test") else { return Some(1) };
    let rows = match test.argument("dataProvider", source) {
        Some(provider) => outline.provider_rows(&string(provider, source)?)?,
        None => 1,
    };
    let times = match test.argument("invocationCount", source) {
        Some(count) => integer(count, source)?,
        None => 1,
    };
    rows.checked_mul(times)
}

/// The rows that a class puts on each of its tests: JUnit 4's `Parameterized`, JUnit's `@ParameterizedClass`.
pub fn of_class(
    name: &str,
    modifiers: &Modifiers<'_, '_>,
    outline: &Outline,
    source: Source<'_>,
) -> Option<u32> {
    let runner = modifiers.annotation("RunWith").and_then(|run_with| run_with.argument("value", source));
    if runner.is_some_and(|runner| source.text_of(runner).contains("Parameterized")) {
        return outline.class_rows(name);
    }
    match modifiers.annotation("ParameterizedClass") {
        Some(_) => of_sources(name, modifiers, outline, source),
        None => Some(1),
    }
}

/// The sum over all source annotations; unknown where one is, or where there is none.
fn of_sources(
    method: &str,
    modifiers: &Modifiers<'_, '_>,
    outline: &Outline,
    source: Source<'_>,
) -> Option<u32> {
    let mut sources = modifiers.annotations.iter().filter(|annotation| annotation.name.ends_with("Source"));
    let first = of_source(sources.next()?, method, outline, source)?;
    sources.try_fold(first, |sum, next| sum.checked_add(of_source(next, method, outline, source)?))
}

fn of_source(
    annotation: &Annotation<'_, '_>,
    method: &str,
    outline: &Outline,
    source: Source<'_>,
) -> Option<u32> {
    match annotation.name {
        "NullSource" | "EmptySource" => Some(1),
        "NullAndEmptySource" => Some(2),
        "ValueSource" => {
            let arguments = grammar::children(field(annotation.node, Field::Arguments)?);
            elements(field(*arguments.first()?, Field::Value)?)
        }
        "CsvSource" => csv_rows(annotation, source),
        "EnumSource" if annotation.argument("mode", source).is_none() => {
            elements(annotation.argument("names", source)?)
        }
        "MethodSource" => match annotation.argument("value", source) {
            None => outline.provider_rows(method),
            Some(names) => provided(names, outline, source),
        },
        _ => None,
    }
}

fn csv_rows(annotation: &Annotation<'_, '_>, source: Source<'_>) -> Option<u32> {
    if let Some(rows) = annotation.argument("value", source) {
        return elements(rows);
    }
    let text = string(annotation.argument("textBlock", source)?, source)?;
    let is_row = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let header = annotation.argument("useHeadersInDisplayName", source);
    let header = header.is_some_and(|value| kind(value) == Kind::True);
    let rows = text.lines().filter(is_row).count().saturating_sub(usize::from(header));
    u32::try_from(rows).ok()
}

/// One provider name, or a list of them.
fn provided(names: Node<'_>, outline: &Outline, source: Source<'_>) -> Option<u32> {
    let rows = |name| outline.provider_rows(&string(name, source)?);
    if kind(names) != Kind::Initializer {
        return rows(names);
    }
    grammar::children(names).into_iter().try_fold(0u32, |sum, name| sum.checked_add(rows(name)?))
}

/// The elements of `{a, b}`; a value without braces is a list of one.
fn elements(value: Node<'_>) -> Option<u32> {
    match kind(value) {
        Kind::Initializer => u32::try_from(grammar::children(value).len()).ok(),
        _ => Some(1),
    }
}

/// The rows of a method that does nothing but return them.
pub fn rows_returned(method: Node<'_>, source: Source<'_>) -> Option<u32> {
    let statements = grammar::children(field(method, Field::Body)?);
    let [statement] = statements[..] else { return None };
    if kind(statement) != Kind::Return {
        return None;
    }
    rows_of(*grammar::children(statement).first()?, source)
}

fn rows_of(expression: Node<'_>, source: Source<'_>) -> Option<u32> {
    /// Calls that hand on as many rows as they get.
    const KEEP_ROWS: &[&str] = &["stream", "iterator", "map", "mapToObj", "boxed", "toList", "toArray"];
    let mut expression = expression;
    loop {
        match kind(expression) {
            Kind::ArrayCreation => return elements(field(expression, Field::Value)?),
            Kind::Call => {}
            _ => return None,
        }
        let object = field(expression, Field::Object);
        match source.text_of(field(expression, Field::Name)?) {
            "of" | "asList" | "singletonList" | "copyOf" | "stream" if !object.is_some_and(is_call) => {
                return listed(&grammar::children(field(expression, Field::Arguments)?));
            }
            name if KEEP_ROWS.contains(&name) => expression = object?,
            _ => return None,
        }
    }
}

fn is_call(node: Node<'_>) -> bool {
    kind(node) == Kind::Call
}

/// The rows of `List.of(...)` and the like; a single argument may be an array of rows.
fn listed(arguments: &[Node<'_>]) -> Option<u32> {
    match arguments {
        [one] => match kind(*one) {
            Kind::ArrayCreation => elements(field(*one, Field::Value)?),
            Kind::Call | Kind::Creation | Kind::Text | Kind::Integer => Some(1),
            _ => None,
        },
        _ => u32::try_from(arguments.len()).ok(),
    }
}

/// As many rows of a test are kept.
const MAX_ROWS: usize = 256;

/// The rows of a test that its annotations or a provider of the file write out.
pub fn written_rows(
    method: &str,
    modifiers: &Modifiers<'_, '_>,
    outline: &Outline,
    source: Source<'_>,
) -> Vec<String> {
    let mut rows = Vec::new();
    for annotation in &modifiers.annotations {
        match annotation.name {
            "ValueSource" | "CsvSource" | "Parameters" | "TestParameters" => {
                rows.extend(listed_rows(annotation, source));
            }
            "MethodSource" => {
                let named = annotation.argument("value", source).and_then(|name| string(name, source));
                let name = named.as_deref().unwrap_or(method);
                rows.extend(outline.provider_places(name).iter().map(|row| excerpt(source, row.clone())));
            }
            _ => {}
        }
    }
    rows.truncate(MAX_ROWS);
    rows
}

fn listed_rows(annotation: &Annotation<'_, '_>, source: Source<'_>) -> Vec<String> {
    if let Some(block) = annotation.argument("textBlock", source).and_then(|block| string(block, source)) {
        return block.lines().filter(|line| !line.trim().is_empty()).take(MAX_ROWS).map(tidy).collect();
    }
    let arguments = field(annotation.node, Field::Arguments).map(grammar::children).unwrap_or_default();
    let values = arguments.first().map(|&first| field(first, Field::Value).unwrap_or(first));
    let values = values.map(|value| match kind(value) {
        Kind::Initializer => grammar::children(value),
        _ => vec![value],
    });
    values.unwrap_or_default().iter().take(MAX_ROWS).map(|row| excerpt(source, row.byte_range())).collect()
}

/// Where the rows stand that a provider returns.
pub fn row_places(method: Node<'_>) -> Vec<Range<usize>> {
    let statements = field(method, Field::Body).map(grammar::children).unwrap_or_default();
    let [statement] = statements[..] else { return Vec::new() };
    let mut next = grammar::children(statement).first().copied();
    while let Some(node) =
        next.filter(|&node| kind(node) == Kind::Call && field(node, Field::Object).is_some_and(is_call))
    {
        next = field(node, Field::Object);
    }
    let rows = next.and_then(|node| match kind(node) {
        Kind::ArrayCreation => field(node, Field::Value),
        _ => field(node, Field::Arguments),
    });
    let rows = rows.map(grammar::children).unwrap_or_default();
    rows.iter().take(MAX_ROWS).map(|row| row.byte_range()).collect()
}
