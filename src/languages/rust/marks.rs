//! What the attributes before an item say together: is it a test, how many cases, is it skipped.

use std::ops::Range;

use tree_sitter::Node;

use super::attributes::{Meta, pieces, string_value};
use super::cfg::Truth;
use super::names::{is_conditional_attribute, is_test_attribute};
use crate::facts::{Scope, Skip, SkipKind};
use crate::languages::builder::one_line;
use crate::languages::expression::tidy;
use crate::languages::{Source, line_of};

/// Nested `cfg_attr`s beyond this depth are not read.
const MAX_DEPTH: u8 = 4;

/// As many rows are kept as written.
const MAX_ROWS: usize = 256;

/// The attributes of one item, read one by one.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// Where the first attribute stands: its line, and its first byte.
    pub line: Option<u32>,
    pub start: Option<usize>,
    /// When the test attribute applies, and what it looks like.
    test: Option<(Truth, Skip)>,
    rows: u32,
    /// The rows as written, as many as are kept.
    pub row_texts: Vec<String>,
    /// Rows that are written but do not run.
    idle: Option<(u32, Skip)>,
    factor: u32,
    rows_unknown: bool,
    /// Rows for other tests to apply, itself no test.
    template: bool,
    skip: Option<Skip>,
    /// `#[should_panic]`, which is a check.
    pub panics: Option<(u32, Range<usize>)>,
}

impl Marks {
    pub fn is_empty(&self) -> bool {
        self.line.is_none()
    }

    pub fn is_test(&self) -> bool {
        self.test.is_some() && !self.template
    }

    /// Reads one attribute; `node` spans it, with or without its `#`.
    pub fn add(&mut self, node: Node<'_>, source: &Source<'_>) {
        let attribute = Written { text: source.text_of(node), line: line_of(node), bytes: node.byte_range() };
        self.line.get_or_insert(attribute.line);
        self.start.get_or_insert(attribute.bytes.start);
        self.read(Meta::of_item(attribute.text), Truth::Always, &attribute, 0);
    }

    fn read(&mut self, meta: Meta<'_>, given: Truth, attribute: &Written<'_>, depth: u8) {
        let name = meta.last_name();
        match name {
            "cfg" => self.require(Truth::of(meta.arguments), attribute),
            "cfg_attr" | "attr" if depth < MAX_DEPTH => {
                let parts = pieces(meta.arguments);
                let Some((predicate, rest)) = parts.split_first() else { return };
                // `rustversion::attr` asks for a compiler version.
                let predicate = if name == "attr" { Truth::Depends } else { Truth::of(predicate) };
                let given = given.and(predicate);
                rest.iter().for_each(|part| self.read(Meta::parse(part), given, attribute, depth + 1));
            }
            "ignore" => self.ignore(meta, given, attribute),
            "should_panic" if given != Truth::Never => {
                self.panics = Some((attribute.line, attribute.bytes.clone()));
            }
            _ if meta.first_name() == "case" && given != Truth::Never => {
                self.rows += 1;
                self.keep_row(meta.arguments);
            }
            "template" => self.template = true,
            // The attribute of macro_rules_attribute: it depends on the macro it applies.
            "apply" if meta.arguments.contains('!') && !meta.arguments.contains("test") => {}
            // Other harnesses have a `bench` too, which does not run among the tests.
            "bench" if meta.path != "bench" => {}
            _ if is_test_attribute(name) => self.test(meta, given, attribute),
            _ if is_conditional_attribute(meta.path, name) => {
                self.add_skip(attribute.skip(SkipKind::Conditional, None));
            }
            _ => {}
        }
    }

    fn require(&mut self, predicate: Truth, attribute: &Written<'_>) {
        match predicate {
            Truth::Always => {}
            Truth::Depends => self.add_skip(attribute.skip(SkipKind::Conditional, None)),
            Truth::Never => self.add_skip(attribute.skip(SkipKind::NotCollected, None)),
        }
    }

    fn ignore(&mut self, meta: Meta<'_>, given: Truth, attribute: &Written<'_>) {
        let reason = meta.value.and_then(string_value);
        match given {
            Truth::Always => self.add_skip(attribute.skip(SkipKind::Unconditional, reason)),
            Truth::Depends => self.add_skip(attribute.skip(SkipKind::Conditional, reason)),
            Truth::Never => {}
        }
    }

    fn test(&mut self, meta: Meta<'_>, given: Truth, attribute: &Written<'_>) {
        let given = match &self.test {
            // One attribute for each platform: the test always runs somewhere.
            Some((Truth::Depends, _)) if given == Truth::Depends => Truth::Always,
            Some((old, _)) if given == Truth::Never => *old,
            _ => given,
        };
        let kind = if given == Truth::Never { SkipKind::NotCollected } else { SkipKind::Conditional };
        self.test = Some((given, attribute.skip(kind, None)));
        match meta.last_name() {
            "test_case" => self.test_case(meta, attribute),
            "test_matrix" => {
                pieces(meta.arguments).into_iter().for_each(|values| self.multiply(listed(values)));
            }
            "rstest" => {
                let old_style = pieces(meta.arguments).into_iter().map(Meta::parse);
                self.rows += old_style.filter(|piece| piece.first_name() == "case").count() as u32;
            }
            "apply" | "parameterized" | "test_cases" | "dir_test" | "test_all" => self.rows_unknown = true,
            _ => {}
        }
    }

    fn test_case(&mut self, meta: Meta<'_>, attribute: &Written<'_>) {
        self.rows += 1;
        self.keep_row(meta.arguments);
        let outcome = meta.arguments.rsplit_once("=>").map_or("", |(_, outcome)| outcome.trim_start());
        let Some(rest) = outcome.strip_prefix("ignore").or_else(|| outcome.strip_prefix("inconclusive"))
        else {
            return;
        };
        let reason =
            rest.trim_start().strip_prefix('[').and_then(|rest| string_value(rest.split(']').next()?));
        let idle = self.idle.as_ref().map_or(0, |(count, _)| *count);
        self.idle = Some((idle + 1, attribute.skip(SkipKind::Unconditional, reason)));
    }

    fn keep_row(&mut self, row: &str) {
        if self.row_texts.len() < MAX_ROWS {
            self.row_texts.push(one_line(&tidy(row)));
        }
    }

    /// A parameter that takes each of `count` values; none where that cannot be read.
    pub fn multiply(&mut self, count: Option<u32>) {
        match count {
            Some(count) => self.factor = self.factor.max(1).saturating_mul(count.max(1)),
            None => self.rows_unknown = true,
        }
    }

    pub fn cases(&self) -> Option<u32> {
        let idle = self.idle.as_ref().map_or(0, |(count, _)| *count);
        let rows = if idle < self.rows { self.rows - idle } else { self.rows };
        (!self.rows_unknown).then(|| rows.max(1).saturating_mul(self.factor.max(1)))
    }

    fn add_skip(&mut self, skip: Skip) {
        self.skip = Skip::stronger(self.skip.take(), Some(skip));
    }

    /// The marks of what stands inside something that is skipped.
    pub fn under(mut self, skip: Option<&Skip>) -> Self {
        if let Some(skip) = skip {
            self.add_skip(skip.clone());
        }
        self
    }

    /// The strongest skip of them all.
    pub fn into_skip(mut self) -> Option<Skip> {
        if let Some((Truth::Depends | Truth::Never, skip)) = self.test.take() {
            self.add_skip(skip);
        }
        if let Some((_, skip)) = self.idle.take().filter(|(idle, _)| *idle == self.rows) {
            self.add_skip(skip);
        }
        self.skip
    }
}

/// How many values a list such as `[1, 2, 3]` has.
fn listed(values: &str) -> Option<u32> {
    let inner = values.trim().strip_prefix('[')?.strip_suffix(']')?;
    u32::try_from(pieces(inner).len()).ok()
}

/// An attribute as it stands in the file.
struct Written<'a> {
    text: &'a str,
    line: u32,
    bytes: Range<usize>,
}

impl Written<'_> {
    fn skip(&self, kind: SkipKind, reason: Option<String>) -> Skip {
        let hash = if self.text.starts_with('#') { "" } else { "#" };
        let mark = format!("{hash}{}", one_line(self.text));
        Skip { kind, scope: Scope::Test, line: self.line, mark, reason, under: None }
    }
}
