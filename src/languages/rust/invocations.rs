//! Which tests an invocation of a macro stands for, read from its tokens.

use std::ops::Range;

use tree_sitter::Node;

use super::items::{split_marks, tokens};
use super::kinds::{Kind, is_name, kind};
use super::marks::Marks;
use super::patterns::by_followers;
use super::shapes::{Name, Piece, Rule, Shape, Template};
use crate::facts::{Skip, Span};
use crate::languages::{Source, line_of};

/// A test that an invocation, or one element of it, makes if its macro makes tests.
pub struct Made {
    pub name: String,
    pub suites: Vec<String>,
    pub macro_name: String,
    pub skip: Option<Skip>,
    pub cases: Option<u32>,
    pub span: Span,
    pub line: u32,
    pub body: Range<usize>,
    /// The lines of the macro that say what it does, where they are known.
    pub written: Option<Span>,
    /// Where the node starts that the test is open on; none for the whole invocation.
    pub opens_at: Option<usize>,
}

/// The tests of an invocation whose macro this file defines.
pub fn by_shape(shape: &Shape, name: &str, tree: Node<'_>, source: &Source<'_>) -> Vec<Made> {
    let invocation = tokens(tree);
    let Some(rule) = shape.rule_for(&invocation, source) else { return Vec::new() };
    let elements = rule.pattern.elements(&invocation, source);
    let whole = Stretch { tree, invocation: &invocation, element: None };
    let reading = Reading { rule, macro_name: name, source };
    let mut made = Vec::new();
    for template in &rule.templates {
        let mut variables = template.suites.iter().chain([&template.name]).flat_map(Name::variables);
        if !variables.any(|variable| rule.pattern.is_repeated(variable)) {
            made.extend(reading.test(template, &whole));
            continue;
        }
        for element in &elements {
            made.extend(reading.test(template, &Stretch { element: Some(element), ..whole }));
        }
    }
    made.sort_by_key(|test| test.opens_at);
    made
}

/// The tests of an invocation whose macro is not known: by its first identifier, or a list of them.
pub fn by_look(name: &str, tree: Node<'_>, source: &Source<'_>) -> Vec<Made> {
    let invocation = tokens(tree);
    let (_, arguments) = split_marks(&invocation, source);
    let Some(&first) = arguments.first() else { return Vec::new() };
    let follower = arguments.get(1).map_or("", |next| next.kind());
    if !is_name(first) || matches!(follower, "!" | "::" | "." | "<") {
        return Vec::new();
    }
    let whole = Stretch { tree, invocation: &invocation, element: None };
    let is_list =
        matches!(follower, ":" | "=>") || arguments.get(1).is_some_and(|&next| kind(next) == Kind::Tree);
    let elements = if is_list { by_followers(&invocation, source) } else { Vec::new() };
    let made = |stretch: &Stretch<'_, '_>| {
        let (marks, tokens) = split_marks(stretch.tokens(), source);
        let first = tokens.first().copied()?;
        Some(stretch.made(source.text_of(first).to_owned(), Some(first), name, marks))
    };
    match elements.len() {
        0 | 1 => made(&whole).into_iter().collect(),
        _ => {
            elements.iter().filter_map(|element| made(&Stretch { element: Some(element), ..whole })).collect()
        }
    }
}

/// The part of an invocation that one test comes from.
#[derive(Clone, Copy)]
struct Stretch<'n, 't> {
    tree: Node<'t>,
    invocation: &'n [Node<'t>],
    element: Option<&'n [Node<'t>]>,
}

impl<'n, 't> Stretch<'n, 't> {
    fn tokens(&self) -> &'n [Node<'t>] {
        self.element.unwrap_or(self.invocation)
    }

    fn made(&self, name: String, name_node: Option<Node<'t>>, macro_name: &str, marks: Marks) -> Made {
        let (first, last) = match self.element {
            Some([first, .., last]) => (*first, *last),
            Some([only]) => (*only, *only),
            _ => (self.tree, self.tree),
        };
        let named = name_node.unwrap_or(first);
        let body_start = name_node.map_or(first.start_byte(), |node| node.end_byte());
        // Where an element ends with a group, checks inside are its own.
        let anchor = if kind(last) == Kind::Tree && last != self.tree { last } else { named };
        Made {
            name,
            suites: Vec::new(),
            macro_name: macro_name.to_owned(),
            skip: marks.into_skip(),
            cases: Some(1),
            span: Span { start: line_of(first), end: last.end_position().row as u32 + 1 },
            line: line_of(named),
            body: body_start.min(last.end_byte())..last.end_byte(),
            written: None,
            opens_at: self.element.map(|_| anchor.start_byte()),
        }
    }
}

/// One rule at work on one invocation.
struct Reading<'r, 's> {
    rule: &'r Rule,
    macro_name: &'r str,
    source: &'r Source<'s>,
}

impl Reading<'_, '_> {
    fn test(&self, template: &Template, stretch: &Stretch<'_, '_>) -> Option<Made> {
        let (marks, tokens) = split_marks(stretch.tokens(), self.source);
        let (name, node) = self.resolve(&template.name, stretch, tokens)?;
        let macro_name = template.via.as_deref().unwrap_or(self.macro_name);
        let mut made = stretch.made(name, node, macro_name, marks);
        let suites = template.suites.iter().filter_map(|suite| self.resolve(suite, stretch, tokens));
        made.suites = suites.map(|(suite, _)| suite).collect();
        made.cases = template.cases;
        made.written = template.body;
        if let Some(skip) = &template.skip
            && made.skip.as_ref().is_none_or(|own| own.kind < skip.kind)
        {
            made.skip = Some(skip.clone());
        }
        Some(made)
    }

    /// The name as it reads here, and the token it comes from if there is one.
    fn resolve<'t>(
        &self,
        name: &Name,
        stretch: &Stretch<'_, 't>,
        tokens: &[Node<'t>],
    ) -> Option<(String, Option<Node<'t>>)> {
        let (mut text, mut node) = (String::new(), None);
        for piece in &name.0 {
            match piece {
                Piece::Text(fixed) => text.push_str(fixed),
                Piece::Variable(variable) => {
                    let element = stretch.element.unwrap_or_default();
                    let bound = self.rule.pattern.lookup(variable, stretch.invocation, element, self.source);
                    // Alone it must be an identifier; pasted it may be a type or a number.
                    let bound = bound.filter(|token| name.0.len() > 1 || is_name(*token));
                    let token = bound.or_else(|| tokens.iter().copied().find(|&token| is_name(token)))?;
                    text.push_str(self.source.text_of(token));
                    node.get_or_insert(token);
                }
            }
        }
        (!text.is_empty()).then_some((text, node))
    }
}
