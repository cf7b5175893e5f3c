//! How many cases a test has: rows of the tables it ranges over with `t.Run`, and its named subtests.

use std::ops::Range;
use std::rc::Rc;

use tree_sitter::Node;

use super::super::Builder;
use super::index::Index;
use super::kinds::{Kind, kind_of};
use super::names::ROW_SKIPS;
use super::scope::Scope;
use super::syntax::{named_children, statement_call, statements, text_literal};
use crate::facts::{Skip, SkipKind};
use crate::languages::fields::Fields;
use crate::text::contains;

/// Deeper blocks are not searched for subtests.
const MAX_DEPTH: u32 = 6;

/// As many rows of a test are kept.
const MAX_ROWS: usize = 256;

/// A literal slice, array or map.
#[derive(Clone, Default)]
pub(super) struct Table {
    pub rows: Option<u32>,
    /// Set when a row says that it is skipped.
    pub skip: Option<Skip>,
    /// Where its rows stand, as many as are kept.
    places: Rc<[Range<usize>]>,
}

impl Table {
    pub fn read(node: Node<'_>, facts: &Builder<'_>) -> Self {
        let Some(body) = literal_body(node) else { return Self::default() };
        let rows = u32::try_from(named_children(body).count()).ok();
        let places = named_children(body).take(MAX_ROWS).map(|row| row.byte_range()).collect();
        Self { rows, skip: skipped_row(body, facts), places }
    }
}

/// The first row that has a field such as `skip: true` or `skip: "reason"`.
fn skipped_row(table: Node<'_>, facts: &Builder<'_>) -> Option<Skip> {
    let text = facts.source().text.get(table.byte_range())?;
    if !ROW_SKIPS.iter().any(|word| contains(text, word.as_bytes())) {
        return None;
    }
    named_children(table).find_map(|row| {
        let value = if kind_of(row) == Kind::KeyedElement { row.field("value")? } else { row };
        let fields = literal_body(named_children(value).next()?)?;
        let reason = named_children(fields).find_map(|field| skip_field(field, facts))?;
        Some(facts.mark(row, SkipKind::Conditional, reason))
    })
}

/// The reason, if there is one, of a field that skips its row.
fn skip_field(field: Node<'_>, facts: &Builder<'_>) -> Option<Option<String>> {
    let key = field.field("key")?;
    if !ROW_SKIPS.contains(&facts.text(key)) {
        return None;
    }
    let value = named_children(field.field("value")?).next()?;
    match kind_of(value) {
        Kind::True => Some(None),
        _ => text_literal(value, facts.source())
            .filter(|text| !text.is_empty())
            .map(|text| Some(text.to_owned())),
    }
}

/// The braces of a composite literal, also behind `&` or where its type is left out.
fn literal_body(node: Node<'_>) -> Option<Node<'_>> {
    match kind_of(node) {
        Kind::LiteralValue => Some(node),
        Kind::Composite => node.field("body"),
        Kind::Unary => node.field("operand")?.field("body"),
        _ => None,
    }
}

/// What the statements of a test say about its cases.
#[derive(Default)]
pub(super) struct Plan {
    pub cases: Option<u32>,
    pub skip: Option<Skip>,
    /// Where the rows stand that the test ranges over.
    pub rows: Vec<Range<usize>>,
}

/// Reads the statements of a test's body. Tables met on the way stay known to `scope`.
pub(super) fn plan(body: Node<'_>, scope: &mut Scope, index: &Index, facts: &Builder<'_>) -> Plan {
    let mut reader = Reader { scope, index, facts, skip: None, rows: Vec::new() };
    let runs = reader.block(body, MAX_DEPTH);
    let cases = if runs.any { runs.rows } else { Some(1) };
    Plan { cases, skip: reader.skip, rows: reader.rows }
}

/// How often `t.Run` is called, as far as it can be read.
#[derive(Clone, Copy)]
struct Runs {
    any: bool,
    rows: Option<u32>,
}

impl Runs {
    const NONE: Self = Self { any: false, rows: Some(0) };

    fn and(self, other: Self) -> Self {
        let rows = self.rows.zip(other.rows).and_then(|(a, b)| a.checked_add(b));
        Self { any: self.any || other.any, rows }
    }

    fn times(self, rows: Option<u32>) -> Self {
        if !self.any {
            return self;
        }
        Self { any: true, rows: self.rows.zip(rows).and_then(|(a, b)| a.checked_mul(b)) }
    }
}

struct Reader<'r, 'a> {
    scope: &'r mut Scope,
    index: &'r Index,
    facts: &'r Builder<'a>,
    skip: Option<Skip>,
    rows: Vec<Range<usize>>,
}

impl Reader<'_, '_> {
    fn block(&mut self, block: Node<'_>, depth: u32) -> Runs {
        let Some(depth) = depth.checked_sub(1) else { return Runs::NONE };
        statements(block).fold(Runs::NONE, |runs, statement| runs.and(self.statement(statement, depth)))
    }

    fn statement(&mut self, statement: Node<'_>, depth: u32) -> Runs {
        match kind_of(statement) {
            Kind::ShortVar | Kind::Assignment => self.assignment(statement),
            Kind::VarDeclaration => {
                for (name, value) in declared(statement) {
                    self.scope.learn_table(self.facts.text(name), Table::read(value, self.facts));
                }
            }
            Kind::ExpressionStatement => {
                let source = self.facts.source();
                let call = statement_call(statement, source);
                if call.is_some_and(|call| self.scope.is_run(&call, source)) {
                    return Runs { any: true, rows: Some(1) };
                }
            }
            Kind::Block => return self.block(statement, depth),
            Kind::If => {
                let arms = ["consequence", "alternative"].map(|field| statement.field(field));
                return arms.into_iter().flatten().fold(Runs::NONE, |runs, arm| {
                    let Some(depth) = depth.checked_sub(1) else { return runs };
                    let more = if kind_of(arm) == Kind::If {
                        self.statement(arm, depth)
                    } else {
                        self.block(arm, depth)
                    };
                    runs.and(more)
                });
            }
            Kind::Loop => return self.repeat(statement, depth),
            _ => {}
        }
        Runs::NONE
    }

    fn assignment(&mut self, statement: Node<'_>) {
        let (Some(left), Some(right)) = (statement.field("left"), statement.field("right")) else {
            return;
        };
        for (name, value) in named_children(left).zip(named_children(right)) {
            let name = self.facts.text(name);
            if kind_of(value) == Kind::Composite || self.table(name).is_some() {
                self.scope.learn_table(name, Table::read(value, self.facts));
            }
        }
    }

    fn repeat(&mut self, statement: Node<'_>, depth: u32) -> Runs {
        let range = named_children(statement).find(|child| kind_of(*child) == Kind::RangeClause);
        let table = range.and_then(|range| range.field("right")).map(|over| self.ranged(over));
        let table = table.unwrap_or_default();
        if self.skip.is_none() {
            self.skip = table.skip;
        }
        let room = MAX_ROWS.saturating_sub(self.rows.len());
        self.rows.extend(table.places.iter().take(room).cloned());
        let Some(body) = statement.field("body") else { return Runs::NONE };
        self.block(body, depth).times(table.rows)
    }

    fn ranged(&self, over: Node<'_>) -> Table {
        match kind_of(over) {
            Kind::Identifier => self.table(self.facts.text(over)).cloned().unwrap_or_default(),
            Kind::Composite => Table::read(over, self.facts),
            Kind::Slice => self.part(over),
            Kind::Integer => Table { rows: self.facts.text(over).parse().ok(), ..Table::default() },
            _ => Table::default(),
        }
    }

    /// The rows that a slice of a table leaves: `cases[1:3]`.
    fn part(&self, slice: Node<'_>) -> Table {
        let Some(operand) = slice.field("operand").filter(|node| kind_of(*node) == Kind::Identifier) else {
            return Table::default();
        };
        let whole = self.table(self.facts.text(operand)).cloned().unwrap_or_default();
        let Some(rows) = whole.rows else { return Table::default() };
        let bound = |field, otherwise: u32| match slice.field(field) {
            Some(node) => self.facts.text(node).parse().ok().filter(|bound| *bound <= rows),
            None => Some(otherwise),
        };
        let (Some(from), Some(to)) = (bound("start", 0), bound("end", rows)) else { return Table::default() };
        let places = whole.places.get(from as usize..(to as usize).min(whole.places.len()));
        Table { rows: to.checked_sub(from), places: places.unwrap_or_default().into(), ..whole }
    }

    fn table(&self, name: &str) -> Option<&Table> {
        self.scope.table(name).or_else(|| self.index.table(name))
    }
}

/// The names of a `var` declaration that are given a composite literal.
pub(super) fn declared<'t>(declaration: Node<'t>) -> Vec<(Node<'t>, Node<'t>)> {
    let specs = named_children(declaration).flat_map(|child| match kind_of(child) {
        Kind::VarList => named_children(child).collect(),
        _ => vec![child],
    });
    let pair = |spec: Node<'t>| {
        let value = named_children(spec.field("value")?).next()?;
        (kind_of(value) == Kind::Composite).then_some((spec.field("name")?, value))
    };
    specs.filter_map(pair).collect()
}
