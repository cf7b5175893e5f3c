//! Skip marks: decorators, `pytestmark`, and names that hold them.

use tree_sitter::Node;

use super::aliases::{Aliases, elements};
use super::conditions::{constant, constant_or_quoted};
use super::names;
use super::syntax::{Arguments, Kind, bare, field, items, kind, string_value};
use crate::facts::SkipKind;
use crate::languages::Source;
use crate::text::contains;

/// What a mark does to a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    pub kind: SkipKind,
    pub reason: Option<String>,
}

/// The marks that are known by their name.
enum Form {
    Skip,
    SkipIf,
    SkipUnless,
    Xfail,
    ExpectedFailure,
    /// Not known, but named as one that depends on the surroundings.
    Guess,
}

impl Form {
    fn of(path: &str) -> Option<Self> {
        Some(match path.rsplit('.').next().unwrap_or(path) {
            "skip" | "nottest" => Self::Skip,
            "skipif" | "skipIf" | "skip_if" => Self::SkipIf,
            "skipUnless" | "skipunless" | "skip_unless" => Self::SkipUnless,
            "xfail" => Self::Xfail,
            "expectedFailure" | "expected_failure" | "XFAIL" => Self::ExpectedFailure,
            _ if path.split('.').any(names::is_condition) => Self::Guess,
            _ => return None,
        })
    }
}

/// The strongest mark of an expression or of a list of them.
pub fn read_all(node: Node<'_>, aliases: &Aliases, source: Source<'_>) -> Option<Reading> {
    let readings = elements(node).into_iter().filter_map(|mark| read(mark, aliases, source));
    readings.reduce(|best, next| if next.kind > best.kind { next } else { best })
}

/// Whether the expression is a skip mark, be it one that never applies.
pub fn is_mark(node: Node<'_>, aliases: &Aliases, source: Source<'_>) -> bool {
    let callee = if kind(node) == Kind::Call { field(node, "function") } else { Some(node) };
    let path = callee.and_then(|callee| aliases.path(callee, source));
    path.is_some_and(|path| Form::of(&path).is_some())
}

/// What one mark does, if it is one and applies at all.
pub fn read(node: Node<'_>, aliases: &Aliases, source: Source<'_>) -> Option<Reading> {
    if kind(node) == Kind::ConditionalExpression {
        return read_either(node, aliases, source);
    }
    // `skipIf(...)(function)` is the mark applied by hand.
    let (mut mark, mut callee) = (node, node);
    while kind(callee) == Kind::Call {
        mark = callee;
        callee = field(callee, "function")?;
    }
    if let Some(known) = aliases.mark(source.text_of(callee)) {
        return known.clone();
    }
    let form = Form::of(&aliases.path(callee, source)?)?;
    apply(&form, &Arguments::of(mark, source), source)
}

/// The first row of a table that never runs or may fail, with the reason: `pytest.param(1, marks=pytest.mark.skip)`.
pub fn skipped_row<'t>(
    parametrize: Node<'t>,
    aliases: &Aliases,
    source: Source<'_>,
) -> Option<(Node<'t>, Option<String>)> {
    let table = Arguments::of(parametrize, source).get(1, "argvalues").map(bare)?;
    let bytes = source.text.get(table.byte_range())?;
    if !matches!(kind(table), Kind::List | Kind::Tuple) || !contains(bytes, b"marks") {
        return None;
    }
    items(table).into_iter().filter(|row| kind(*row) == Kind::Call).find_map(|row| {
        let marks = Arguments::of(row, source).keyword("marks")?;
        let reading = read_all(marks, aliases, source)?;
        (reading.kind != SkipKind::Conditional).then_some((row, reading.reason))
    })
}

/// `mark if condition else nothing`.
fn read_either(node: Node<'_>, aliases: &Aliases, source: Source<'_>) -> Option<Reading> {
    let parts = items(node);
    let [yes, condition, no] = parts.as_slice() else { return None };
    let side = |side: Node<'_>| match kind(side) {
        Kind::ConditionalExpression => None,
        _ => read(side, aliases, source),
    };
    match constant(*condition, source) {
        Some(true) => side(*yes),
        Some(false) => side(*no),
        None => side(*yes).or_else(|| side(*no)).map(|mark| Reading { kind: SkipKind::Conditional, ..mark }),
    }
}

fn apply(form: &Form, arguments: &Arguments<'_, '_>, source: Source<'_>) -> Option<Reading> {
    let kind = match form {
        Form::Skip => SkipKind::Unconditional,
        Form::SkipIf => kind_if(arguments, SkipKind::Unconditional, source)?,
        Form::SkipUnless => kind_unless(arguments, source)?,
        Form::Xfail => kind_of_xfail(arguments, source)?,
        Form::ExpectedFailure => SkipKind::ExpectedFailure,
        Form::Guess => SkipKind::Conditional,
    };
    // Where each form takes its reason without naming it.
    let place = match form {
        Form::Skip => Some(0),
        Form::SkipIf | Form::SkipUnless => Some(1),
        _ => None,
    };
    Some(Reading { kind, reason: reason(arguments, place, source) })
}

/// The reason given by name, or else at a place.
pub fn reason(arguments: &Arguments<'_, '_>, place: Option<usize>, source: Source<'_>) -> Option<String> {
    let named = arguments.keyword("reason").or_else(|| arguments.keyword("msg"));
    let placed = || place.and_then(|place| arguments.positional.get(place).copied());
    named.or_else(placed).and_then(|node| string_value(node, source))
}

fn kind_if(arguments: &Arguments<'_, '_>, always: SkipKind, source: Source<'_>) -> Option<SkipKind> {
    let condition = arguments.get(0, "condition");
    match condition.and_then(|condition| constant_or_quoted(condition, source)) {
        Some(true) => Some(always),
        Some(false) => None,
        None => Some(SkipKind::Conditional),
    }
}

fn kind_unless(arguments: &Arguments<'_, '_>, source: Source<'_>) -> Option<SkipKind> {
    match arguments.get(0, "condition").and_then(|condition| constant(condition, source)) {
        Some(true) => None,
        Some(false) => Some(SkipKind::Unconditional),
        None => Some(SkipKind::Conditional),
    }
}

fn kind_of_xfail(arguments: &Arguments<'_, '_>, source: Source<'_>) -> Option<SkipKind> {
    let runs = arguments.keyword("run").and_then(|run| constant(run, source)) != Some(false);
    let always = if runs { SkipKind::ExpectedFailure } else { SkipKind::Unconditional };
    match arguments.get(0, "condition") {
        Some(_) => kind_if(arguments, always, source),
        None => Some(always),
    }
}
