//! What the names of one file stand for: imports, skip marks, parameter marks, literal tables.

use std::ops::Range;

use tree_sitter::Node;

use super::marks::Reading;
use super::syntax::{Kind, bare, dotted, field, items, kind};
use super::{cases, marks};
use crate::collections::HashMap;
use crate::facts::SkipKind;
use crate::languages::Source;

#[derive(Default)]
pub struct Aliases {
    paths: HashMap<String, String>,
    /// Nothing where the name surely holds no skip.
    marks: HashMap<String, Option<Reading>>,
    parameters: HashMap<String, Option<u32>>,
    tables: HashMap<String, Option<u32>>,
    written: HashMap<String, Vec<Range<usize>>>,
}

impl Aliases {
    /// The dotted name that an expression stands for, its first part looked up.
    pub fn path(&self, node: Node<'_>, source: Source<'_>) -> Option<String> {
        dotted(node, source).map(|path| self.resolve(path))
    }

    pub fn resolve(&self, path: &str) -> String {
        let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
        match (self.paths.get(first), rest) {
            (Some(known), Some(rest)) => format!("{known}.{rest}"),
            (Some(known), None) => known.clone(),
            (None, _) => path.to_owned(),
        }
    }

    pub fn mark(&self, name: &str) -> Option<&Option<Reading>> {
        self.marks.get(name)
    }

    pub fn parameters(&self, name: &str) -> Option<Option<u32>> {
        self.parameters.get(name).copied()
    }

    /// How many rows a literal table of this name has.
    pub fn table(&self, name: &str) -> Option<u32> {
        self.tables.get(name).copied().flatten()
    }

    /// Where the rows of a literal table of this name stand.
    pub fn written(&self, name: &str) -> &[Range<usize>] {
        self.written.get(name).map_or(&[], Vec::as_slice)
    }

    /// `import a.b as c` and `from a import b as c`.
    pub fn import(&mut self, node: Node<'_>, source: Source<'_>) {
        let module = field(node, "module_name").map(|module| source.text_of(module));
        let mut cursor = node.walk();
        for name in node.children_by_field_name("name", &mut cursor) {
            let (real, local) = match (field(name, "name"), field(name, "alias")) {
                (Some(real), Some(local)) => (source.text_of(real), source.text_of(local)),
                _ => (source.text_of(name), source.text_of(name)),
            };
            match module {
                Some(module) => self.paths.insert(local.to_owned(), format!("{module}.{real}")),
                None if real != local => self.paths.insert(local.to_owned(), real.to_owned()),
                None => None,
            };
        }
    }

    /// `name = value` outside functions; `branched` where only some runs get there.
    pub fn assign(&mut self, name: &str, value: Node<'_>, branched: bool, source: Source<'_>) {
        let value = bare(value);
        if let Some(path) = dotted(value, source)
            && !(branched && self.paths.contains_key(name))
        {
            self.paths.insert(name.to_owned(), self.resolve(path));
        }
        if let Some(rows) = cases::of_mark(value, self, source) {
            self.parameters.insert(name.to_owned(), rows);
        }
        if matches!(kind(value), Kind::List | Kind::Tuple | Kind::Set | Kind::Dictionary) {
            let rows = cases::rows(value, self, source).filter(|_| !self.tables.contains_key(name));
            self.tables.insert(name.to_owned(), rows);
            self.written.insert(name.to_owned(), cases::ranges(value));
        }
        self.assign_mark(name, value, branched, source);
    }

    fn assign_mark(&mut self, name: &str, value: Node<'_>, branched: bool, source: Source<'_>) {
        // A bare `pytest.mark.skipif` is another name for it, yet to be called.
        if !branched && dotted(value, source).is_some_and(|path| !self.marks.contains_key(path)) {
            return;
        }
        let reading = marks::read_all(value, self, source).map(|reading| match branched {
            true => Reading { kind: SkipKind::Conditional, ..reading },
            false => reading,
        });
        let is_mark = reading.is_some() || marks::is_mark(value, self, source);
        if is_mark && !(branched && self.marks.contains_key(name)) {
            self.marks.insert(name.to_owned(), reading);
        }
    }

    /// A statement that changes a table after it was written down.
    pub fn mutate(&mut self, statement: Node<'_>, source: Source<'_>) {
        let target = match kind(statement) {
            Kind::AugmentedAssignment => field(statement, "left"),
            _ => field(statement, "function").and_then(|method| field(method, "object")),
        };
        if let Some(rows) = target.and_then(|target| self.tables.get_mut(source.text_of(target))) {
            *rows = None;
        }
    }
}

/// The elements of a list or tuple, or the expression itself.
pub fn elements(node: Node<'_>) -> Vec<Node<'_>> {
    match kind(node) {
        Kind::List | Kind::Tuple => items(node),
        _ => vec![node],
    }
}
