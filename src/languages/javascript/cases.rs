//! How many rows a parametrised test has, as far as that can be read.

use std::collections::HashMap;

use tree_sitter::Node;

use super::grammar::{Kind, Reader};

/// Lengths of the arrays that variables of the file hold.
#[derive(Default)]
pub struct Rows(HashMap<String, u32>);

impl Rows {
    /// Remembers `const rows = [...]`.
    pub fn learn(&mut self, read: &Reader<'_>, name: Node<'_>, value: Node<'_>) {
        let value = read.unwrap(value);
        if read.kind(value) == Kind::Array
            && let Some(count) = self.of(read, value)
        {
            self.0.insert(read.text(name).to_owned(), count);
        }
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
            Kind::Identifier => self.0.get(read.text(node)).copied(),
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
