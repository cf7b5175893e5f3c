//! What keeps a test from running: annotations, assumptions, skip exceptions, an early return.

use tree_sitter::Node;

use super::annotations::{Annotation, Modifiers, last_segment};
use super::constants::{string, truth};
use super::grammar::{self, Field, Kind, field, kind};
use super::names;
use super::outline::Outline;
use crate::facts::{Skip, SkipKind};
use crate::languages::Builder;

/// The strongest skip among the annotations of a type or method.
pub fn of_declaration(modifiers: &Modifiers<'_, '_>, outline: &Outline, facts: &Builder<'_>) -> Option<Skip> {
    let skips = modifiers.annotations.iter().map(|annotation| of_annotation(annotation, outline, facts));
    skips.fold(None, Skip::stronger)
}

fn of_annotation(annotation: &Annotation<'_, '_>, outline: &Outline, facts: &Builder<'_>) -> Option<Skip> {
    let kind = match annotation.name {
        "Test" => enabled_kind(annotation, outline, facts)?,
        "Tag" | "Tags" if is_set_apart(annotation, facts) => SkipKind::Conditional,
        // Only some of the constants are tried.
        "EnumSource" if annotation.argument("names", facts.source()).is_some() => SkipKind::Conditional,
        "EnabledIf" => condition_kind(annotation, false, facts)?,
        "DisabledIf" => condition_kind(annotation, true, facts)?,
        // An annotation of the file is what it is composed of, not what it is called.
        name if outline.declares_annotation(name) => outline.own_skip(name)?,
        name if names::is_disabling(name) => SkipKind::Unconditional,
        name if names::is_expected_failure(name) => SkipKind::ExpectedFailure,
        name if names::is_conditional(name) => SkipKind::Conditional,
        _ => return None,
    };
    Some(facts.mark(annotation.node, kind, reason_of(annotation, facts)))
}

/// `@Tag("flaky")`.
fn is_set_apart(annotation: &Annotation<'_, '_>, facts: &Builder<'_>) -> bool {
    let value = annotation.argument("value", facts.source()).and_then(|value| string(value, facts.source()));
    value.is_some_and(|value| names::sets_apart(&value))
}

/// TestNG's `@Test(enabled = false)`.
fn enabled_kind(test: &Annotation<'_, '_>, outline: &Outline, facts: &Builder<'_>) -> Option<SkipKind> {
    let enabled = test.argument("enabled", facts.source())?;
    kind_unless(truth(enabled, facts.source(), &outline.flags), true)
}

/// `@EnabledIf("...")` and its opposite, which name a method or hold an expression.
fn condition_kind(annotation: &Annotation<'_, '_>, skips_if: bool, facts: &Builder<'_>) -> Option<SkipKind> {
    let source = facts.source();
    let value = annotation.argument("value", source).or_else(|| annotation.argument("expression", source));
    let text = value.and_then(|value| string(value, source)).unwrap_or_default();
    let constant = match text.trim_start_matches("#{").trim_end_matches('}').trim() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    };
    kind_unless(constant, !skips_if)
}

/// No skip where the condition surely is as the test needs it.
fn kind_unless(condition: Option<bool>, needed: bool) -> Option<SkipKind> {
    match condition {
        None => Some(SkipKind::Conditional),
        Some(is) if is == needed => None,
        Some(_) => Some(SkipKind::Unconditional),
    }
}

fn reason_of(annotation: &Annotation<'_, '_>, facts: &Builder<'_>) -> Option<String> {
    let source = facts.source();
    let keys: &[&str] = match annotation.name {
        "EnabledIf" | "DisabledIf" => &["disabledReason", "reason"],
        "Test" => &["description"],
        _ => &["disabledReason", "reason", "value"],
    };
    keys.iter().find_map(|key| string(annotation.argument(key, source)?, source))
}

/// A method that takes the place of an inherited test and keeps it from running: switched off by its annotations, or with
/// nothing in it under a name that only tests have.
pub fn of_override(
    method: Node<'_>,
    modifiers: &Modifiers<'_, '_>,
    outline: &Outline,
    facts: &Builder<'_>,
) -> Option<Skip> {
    let over = modifiers.annotation("Override")?;
    if modifiers.has(names::is_disabling) {
        return of_declaration(modifiers, outline, facts);
    }
    let name = facts.text(field(method, Field::Name)?);
    let is_test = ["test", "should"]
        .iter()
        .any(|word| names::has_prefix(name, word) || name.starts_with(&format!("{word}_")));
    let is_empty = field(method, Field::Body).is_some_and(|body| grammar::children(body).is_empty());
    (is_test && is_empty).then(|| facts.mark(over.node, SkipKind::Unconditional, None))
}

/// `assumeTrue(...)` and its relatives, or JUnit's `abort()`.
pub fn of_call(call: Node<'_>, name: &str, outline: &Outline, facts: &Builder<'_>) -> Option<Skip> {
    let source = facts.source();
    let arguments = field(call, Field::Arguments).map(grammar::children).unwrap_or_default();
    let kind = match name {
        "abort" if is_junit_abort(call, outline, facts) => SkipKind::Unconditional,
        "assumeTrue" | "assumeFalse" => {
            let constant = arguments.iter().find_map(|&argument| truth(argument, source, &outline.flags));
            kind_unless(constant, name == "assumeTrue")?
        }
        _ if name != "assume" && names::has_prefix(name, "assume") => SkipKind::Conditional,
        _ => return None,
    };
    let reason = arguments.iter().find_map(|&argument| string(argument, source));
    Some(facts.mark(call, kind, reason))
}

fn is_junit_abort(call: Node<'_>, outline: &Outline, facts: &Builder<'_>) -> bool {
    match field(call, Field::Object) {
        Some(owner) => last_segment(facts.text(owner)) == "Assumptions",
        None => outline.imports.jupiter,
    }
}

/// `throw new SkipException("...")`.
pub fn of_throw(statement: Node<'_>, facts: &Builder<'_>) -> Option<Skip> {
    let thrown = *grammar::children(statement).first()?;
    if kind(thrown) != Kind::Creation {
        return None;
    }
    let name = last_segment(facts.text(field(thrown, Field::Type)?));
    if !names::is_skip_exception(name) {
        return None;
    }
    let arguments = field(thrown, Field::Arguments).map(grammar::children).unwrap_or_default();
    let reason = arguments.iter().find_map(|&argument| string(argument, facts.source()));
    Some(facts.mark(statement, SkipKind::Unconditional, reason))
}

/// A return before anything else, with more to come. The compiler accepts it only as `if (true) return;`.
pub fn early_return(body: Node<'_>, outline: &Outline, facts: &Builder<'_>) -> Option<Skip> {
    let mut cursor = body.walk();
    let mut statements = body.named_children(&mut cursor).filter(|&child| kind(child) != Kind::Comment);
    let first = statements.next()?;
    statements.next()?;
    let mut statement = first;
    if kind(first) == Kind::If {
        let condition = field(first, Field::Condition)?;
        if truth(condition, facts.source(), &outline.flags) != Some(true) {
            return None;
        }
        statement = field(first, Field::Consequence)?;
    }
    if kind(statement) == Kind::Block {
        statement = *grammar::children(statement).first()?;
    }
    (kind(statement) == Kind::Return).then(|| facts.mark(statement, SkipKind::Unconditional, None))
}

/// A method that carries a test annotation but has a shape the runner refuses.
pub fn of_shape(
    method: Node<'_>,
    modifiers: &Modifiers<'_, '_>,
    annotation: &str,
    facts: &Builder<'_>,
) -> Option<Skip> {
    if !names::is_strict(annotation) {
        return None;
    }
    let returned = field(method, Field::Type).filter(|&returned| kind(returned) != Kind::VoidType);
    let offender = modifiers.private.or(modifiers.static_).or(returned)?;
    Some(facts.mark(offender, SkipKind::NotCollected, None))
}
