//! Modifiers and annotations of a declaration, with their arguments.

use tree_sitter::Node;

use super::grammar::{self, Field, Kind, field, kind};
use crate::languages::Source;

/// `@Name` or `@Name(arguments)`.
#[derive(Clone, Copy)]
pub struct Annotation<'t, 's> {
    pub node: Node<'t>,
    /// Without its package.
    pub name: &'s str,
}

impl<'t> Annotation<'t, '_> {
    /// The value of `key`; the argument without a key is called `value`.
    pub fn argument(&self, key: &str, source: Source<'_>) -> Option<Node<'t>> {
        self.argument_node(key, source).map(|node| field(node, Field::Value).unwrap_or(node))
    }

    /// The argument as written: `key = value`, or the value alone.
    pub fn argument_node(&self, key: &str, source: Source<'_>) -> Option<Node<'t>> {
        let arguments = field(self.node, Field::Arguments)?;
        grammar::children(arguments).into_iter().find(|&argument| match kind(argument) {
            Kind::Argument => field(argument, Field::Key).is_some_and(|name| source.text_of(name) == key),
            _ => key == "value",
        })
    }
}

/// What stands before a type, method or field.
#[derive(Default)]
pub struct Modifiers<'t, 's> {
    pub annotations: Vec<Annotation<'t, 's>>,
    pub is_abstract: bool,
    pub is_final: bool,
    pub is_public: bool,
    pub private: Option<Node<'t>>,
    pub static_: Option<Node<'t>>,
}

impl<'t, 's> Modifiers<'t, 's> {
    pub fn of(declaration: Node<'t>, source: Source<'s>) -> Self {
        let mut found = Self::default();
        let Some(modifiers) = grammar::modifiers(declaration) else { return found };
        let mut cursor = modifiers.walk();
        for modifier in modifiers.children(&mut cursor) {
            match modifier.kind() {
                "annotation" | "marker_annotation" => found.annotations.extend(annotation(modifier, source)),
                "abstract" => found.is_abstract = true,
                "final" => found.is_final = true,
                "public" => found.is_public = true,
                "private" => found.private = Some(modifier),
                "static" => found.static_ = Some(modifier),
                _ => {}
            }
        }
        found
    }

    pub fn annotation(&self, name: &str) -> Option<&Annotation<'t, 's>> {
        self.annotations.iter().find(|annotation| annotation.name == name)
    }

    pub fn has(&self, is: impl Fn(&str) -> bool) -> bool {
        self.annotations.iter().any(|annotation| is(annotation.name))
    }
}

fn annotation<'t, 's>(node: Node<'t>, source: Source<'s>) -> Option<Annotation<'t, 's>> {
    let name = source.text_of(field(node, Field::Name)?);
    Some(Annotation { node, name: last_segment(name) })
}

/// `TestCase` of `junit.framework.TestCase`.
pub fn last_segment(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name).trim()
}
