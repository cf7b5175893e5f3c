//! Which methods the runner takes for tests, and in which classes.

use tree_sitter::Node;

use super::annotations::Modifiers;
use super::grammar::{self, Field, Kind, field, kind};
use super::names::{self, TestKind};
use super::outline::{Outline, base_of};
use crate::facts::{Scope, Skip, SkipKind};
use crate::languages::{Builder, line_of};

/// How the tests of a class are found, beside annotated methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Annotated,
    /// JUnit 3: public methods called `test...`.
    Named,
    /// JUnit 3 by a base in another file; overriding methods are left to that base.
    NamedByGuess,
    /// TestNG: all public methods of a `@Test` class.
    Public,
}

pub fn style_of(
    class: Node<'_>,
    name: &str,
    modifiers: &Modifiers<'_, '_>,
    outline: &Outline,
    facts: &Builder<'_>,
) -> Style {
    if modifiers.annotation("Test").is_some() {
        return Style::Public;
    }
    let Some(base) = base_of(class, facts) else { return Style::Annotated };
    // Only the suffix tells that a foreign base is a JUnit 3 one; a file that imports `@Test` tells otherwise.
    let is_case =
        |base: &str| base == "TestCase" || names::is_test_case(base) && !outline.imports.test_annotation;
    if outline.inherits(base, |base, is_public| !is_public && is_case(base) && !outline.declares_type(base)) {
        return Style::Named;
    }
    if outline.inherits(base, |_, is_public| is_public) {
        return Style::Public;
    }
    let foreign_base = base.contains("Test") && !outline.declares_type(base);
    let guess = foreign_base && outline.in_test_path && !outline.imports.test_annotation;
    if guess && names::is_test_class(name) { Style::NamedByGuess } else { Style::Annotated }
}

/// A method that is a test, and the annotation that made it one.
pub struct Role<'s> {
    pub kind: TestKind,
    pub annotation: &'s str,
}

pub fn role_of<'s>(
    method: Node<'_>,
    modifiers: &Modifiers<'_, 's>,
    style: Style,
    outline: &Outline,
    facts: &Builder<'_>,
) -> Option<Role<'s>> {
    for annotation in &modifiers.annotations {
        if let Some(kind) = outline.test_kind(annotation.name) {
            return Some(Role { kind, annotation: annotation.name });
        }
    }
    if is_void(method) && modifiers.static_.is_none() && modifiers.private.is_none() {
        let by_style = match style {
            Style::Annotated => false,
            Style::Named => is_named_test(method, modifiers, facts),
            Style::NamedByGuess => {
                is_named_test(method, modifiers, facts) && modifiers.annotation("Override").is_none()
            }
            Style::Public => modifiers.is_public && !modifiers.has(names::is_configuration),
        };
        if by_style {
            return Some(Role { kind: TestKind::Plain, annotation: "" });
        }
        return composed(modifiers, outline);
    }
    None
}

/// An annotation declared elsewhere that by its name is composed of a test annotation.
fn composed<'s>(modifiers: &Modifiers<'_, 's>, outline: &Outline) -> Option<Role<'s>> {
    if !outline.in_test_path {
        return None;
    }
    let foreign = modifiers.annotations.iter().filter(|found| !outline.declares_annotation(found.name));
    let mut roles = foreign.filter_map(|found| {
        names::composed_kind(found.name).map(|kind| Role { kind, annotation: found.name })
    });
    roles.next()
}

fn is_void(method: Node<'_>) -> bool {
    field(method, Field::Type).is_some_and(|returned| kind(returned) == Kind::VoidType)
}

fn is_named_test(method: Node<'_>, modifiers: &Modifiers<'_, '_>, facts: &Builder<'_>) -> bool {
    modifiers.is_public
        && field(method, Field::Name).is_some_and(|name| facts.text(name).starts_with("test"))
        && field(method, Field::Parameters).is_some_and(|parameters| parameters.named_child_count() == 0)
}

/// Whether a type holds tests of its own or in `@Nested` classes; else it is a definition like any other.
pub fn holds_tests(class: Node<'_>, style: Style, outline: &Outline, facts: &Builder<'_>) -> bool {
    grammar::members(class).into_iter().any(|member| match kind(member) {
        Kind::Method => {
            let modifiers = Modifiers::of(member, facts.source());
            role_of(member, &modifiers, style, outline, facts).is_some()
        }
        Kind::Class => Modifiers::of(member, facts.source()).annotation("Nested").is_some(),
        _ => false,
    })
}

/// JUnit 5 runs an inner class only as `@Nested`, or through a class that extends it.
pub fn lost_inner_class(
    class: Node<'_>,
    name: &str,
    modifiers: &Modifiers<'_, '_>,
    outline: &Outline,
) -> Option<Skip> {
    let is_lost = kind(class) == Kind::Class
        && outline.imports.jupiter
        && modifiers.static_.is_none()
        && !modifiers.is_abstract
        && !modifiers.has(|annotation| annotation.contains("Nested"))
        && !outline.is_extended(name);
    is_lost.then(|| Skip {
        kind: SkipKind::NotCollected,
        scope: Scope::Suite,
        line: line_of(class),
        mark: format!("class {name} without @Nested"),
        reason: None,
        under: None,
    })
}
