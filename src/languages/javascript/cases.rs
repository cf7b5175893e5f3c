//! How many rows a parametrised test has, as far as that can be read.

use std::ops::Range;

use tree_sitter::Node;

use super::grammar::{Kind, Reader};
use crate::collections::HashMap;

/// Lengths of the arrays that variables of the file hold.
#[derive(Default)]
pub struct Rows {
    counts: HashMap<String, u32>,
    /// Where the elements of the arrays stand.
    places: HashMap<String, Vec<Range<usize>>>,
}

/// As many rows of an array are remembered.
const MAX_ROWS: usize = 256;

/// And as many bytes of each.
const MAX_ROW: usize = 1024;

impl Rows {
    /// Remembers `const rows = [...]`.
    pub fn learn(&mut self, read: &Reader<'_>, name: Node<'_>, value: Node<'_>) {
        let value = read.unwrap(value);
        if read.kind(value) == Kind::Array
            && let Some(count) = self.of(read, value)
        {
            self.counts.insert(read.text(name).to_owned(), count);
            self.places.insert(read.text(name).to_owned(), places(read, value));
        }
    }

    /// The rows of `it.each(...)` as they are written, given what is called with title and function.
    pub fn written(&self, read: &Reader<'_>, callee: Node<'_>) -> Vec<String> {
        let arguments =
            (read.kind(callee) == Kind::Call).then(|| callee.child_by_field_id(read.fields().arguments));
        let Some(arguments) = arguments.flatten() else { return Vec::new() };
        if read.kind(arguments) == Kind::Template {
            let lines = read.text(arguments).lines().map(str::trim).skip(1);
            return lines.filter(|line| line.len() > 1).take(MAX_ROWS).map(str::to_owned).collect();
        }
        let Some(table) = read.first_child(arguments).map(|table| read.unwrap(table)) else {
            return Vec::new();
        };
        let found = match read.kind(table) {
            Kind::Array => places(read, table),
            Kind::Identifier => self.places.get(read.text(table)).cloned().unwrap_or_default(),
            _ => Vec::new(),
        };
        let text = |place: Range<usize>| {
            let end = place.end.min(place.start + MAX_ROW);
            String::from_utf8_lossy(read.source.text.get(place.start..end).unwrap_or_default()).into_owned()
        };
        found.into_iter().map(text).collect()
    }

    /// The rows given to `each`: an array, or a table in a template.
    pub fn of_call(&self, read: &Reader<'_>, call: Node<'_>) -> Option<u32> {
        let arguments = call.child_by_field_id(read.fields().arguments)?;
        if read.kind(arguments) == Kind::Template {
            return table_rows(read, arguments);
        }
        self.of(read, read.first_child(arguments)?)
    }

    /// The length of what a loop runs over.
    pub fn of(&self, read: &Reader<'_>, node: Node<'_>) -> Option<u32> {
        let node = read.unwrap(node);
        match read.kind(node) {
            Kind::Array => count(read, node),
            Kind::Identifier => self.counts.get(read.text(node)).copied(),
            Kind::Call => self.of_entries(read, node),
            _ => None,
        }
    }

    /// `Object.entries({...})` and its kin.
    fn of_entries(&self, read: &Reader<'_>, call: Node<'_>) -> Option<u32> {
        let callee = read.text(call.child_by_field_id(read.fields().function)?);
        let argument = read.arguments(call).first().copied()?;
        let lists = matches!(callee, "Object.entries" | "Object.keys" | "Object.values");
        (lists && read.kind(argument) == Kind::Object).then(|| count(read, argument))?
    }
}

fn places(read: &Reader<'_>, array: Node<'_>) -> Vec<Range<usize>> {
    let mut cursor = array.walk();
    let elements = array.named_children(&mut cursor).filter(|&element| read.kind(element) != Kind::Comment);
    elements.take(MAX_ROWS).map(|element| element.byte_range()).collect()
}

/// The elements of a literal, unless some are spread in from elsewhere.
fn count(read: &Reader<'_>, literal: Node<'_>) -> Option<u32> {
    let elements = read.children(literal);
    let readable = elements.iter().all(|&element| read.kind(element) != Kind::Spread);
    readable.then(|| u32::try_from(elements.len()).ok())?
}

/// Rows of a table whose first line names the columns and whose cells are substitutions.
fn table_rows(read: &Reader<'_>, template: Node<'_>) -> Option<u32> {
    let cells: Vec<Node<'_>> = read.children(template);
    let cells: Vec<&Node<'_>> = cells.iter().filter(|cell| read.kind(**cell) == Kind::Substitution).collect();
    let Some(first) = cells.first() else { return Some(0) };
    let head = read.source.text.get(template.start_byte()..first.start_byte())?;
    let columns = head.iter().filter(|&&byte| byte == b'|').count() + 1;
    u32::try_from(cells.len() / columns).ok()
}

pub fn product(a: Option<u32>, b: Option<u32>) -> Option<u32> {
    Some(a?.saturating_mul(b?))
}

/// Loops and parametrised suites around the current point; each test inside runs once a row.
#[derive(Default)]
pub struct Repetitions(Vec<(usize, Option<u32>)>);

impl Repetitions {
    pub fn open(&mut self, node: Node<'_>, rows: Option<u32>) {
        self.close_before(node);
        self.0.push((node.end_byte(), rows));
    }

    pub fn at(&mut self, node: Node<'_>) -> Option<u32> {
        self.close_before(node);
        self.0.iter().try_fold(1u32, |all, &(_, rows)| product(Some(all), rows))
    }

    fn close_before(&mut self, node: Node<'_>) {
        while self.0.last().is_some_and(|&(end, _)| end <= node.start_byte()) {
            self.0.pop();
        }
    }
}
