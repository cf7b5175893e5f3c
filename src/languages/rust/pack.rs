//! The walk over a Rust file: attributes wait for their item, macro tokens for what was planned for them.

use tree_sitter::Node;

use super::attributes::Meta;
use super::calls::{doubled, output_check};
use super::cfg::Truth;
use super::flow::Flow;
use super::functions::{define_named, function};
use super::kinds::{Kind, kind};
use super::marks::Marks;
use super::names::{is_assertion_function, is_assertion_macro, is_output_check, name_before};
use super::plans::Plans;
use crate::facts::{DefinitionKind, SkipKind};
use crate::languages::fields::Fields;
use crate::languages::{Builder, Descend, Pack, Source, line_of};
use crate::text::contains;

pub fn pack(_: &Source<'_>) -> Box<dyn Pack> {
    Box::new(Rust::default())
}

#[derive(Default)]
struct Rust {
    /// Attributes whose item has not come yet.
    pending: Marks,
    /// Up to here only comments matter: attributes, arguments of assertions.
    quiet_until: usize,
    /// Up to here the nodes are tokens of a macro.
    tokens_until: usize,
    /// An identifier that may begin an assertion: where, on which line, and whether a `!` followed.
    lead: Option<(usize, u32, bool)>,
    macros: Plans,
    flow: Flow,
}

impl Pack for Rust {
    fn enter(&mut self, node: Node<'_>, facts: &mut Builder<'_>) -> Descend {
        let kind = kind(node);
        if kind == Kind::Comment {
            facts.comment(node);
            return Descend::Over;
        }
        self.flow.enter(node, facts);
        let start = node.start_byte();
        if start < self.quiet_until {
            return Descend::Into;
        }
        if start < self.tokens_until {
            return self.enter_token(node, kind, facts);
        }
        match kind {
            Kind::Attribute => {
                self.pending.add(node, &facts.source());
                self.quiet_until = node.end_byte();
                return Descend::Into;
            }
            // The attributes before `name!(...);` stand before the statement.
            Kind::ExpressionStatement => return Descend::Into,
            _ => {}
        }
        let marks =
            if self.pending.is_empty() { Marks::default() } else { std::mem::take(&mut self.pending) };
        self.enter_item(node, kind, marks, facts)
    }

    /// A macro can be used before the function that defines it ends, and tells what later ones make.
    fn is_closed(&self, function: Node<'_>, source: Source<'_>) -> bool {
        !contains(&source.text[function.byte_range()], b"macro_rules!")
    }

    fn finish(&mut self, facts: &mut Builder<'_>) {
        self.macros.report_test_macros(facts);
    }
}

impl Rust {
    fn enter_item(&mut self, node: Node<'_>, kind: Kind, marks: Marks, facts: &mut Builder<'_>) -> Descend {
        match kind {
            Kind::InnerAttribute => self.inner_attribute(node, facts),
            Kind::Function => {
                self.flow.function(node);
                function(node, marks, facts);
            }
            Kind::Module => {
                if let (Some(name), None) = (node.field("name"), node.field("body")) {
                    facts.part(facts.text(name), line_of(node));
                }
                if let (Some(name), Some(_)) = (node.field("name"), node.field("body")) {
                    facts.open_suite(node, facts.text(name), marks.into_skip(), false);
                }
            }
            Kind::MacroDefinition => self.macros.define(node, facts),
            Kind::MacroInvocation => self.invoke(node, marks, facts),
            Kind::Tree => {
                self.tokens_until = node.end_byte();
                self.lead = None;
                self.enter_token(node, kind, facts);
                return Descend::IntoTokens;
            }
            Kind::Type => define_named(node, DefinitionKind::Type, facts),
            Kind::Constant => define_named(node, DefinitionKind::Constant, facts),
            Kind::Call => self.call(node, facts),
            Kind::Let | Kind::Block | Kind::If | Kind::Branch => self.flow.meet(node, kind, facts),
            Kind::Literal => return Descend::Over,
            _ => {}
        }
        Descend::Into
    }

    fn inner_attribute(&mut self, node: Node<'_>, facts: &mut Builder<'_>) {
        self.quiet_until = node.end_byte();
        let meta = Meta::of_item(facts.text(node));
        if meta.path != "cfg" || facts.in_function() {
            return;
        }
        match Truth::of(meta.arguments) {
            Truth::Always => {}
            Truth::Depends => facts.skip_suite(facts.mark(node, SkipKind::Conditional, None)),
            Truth::Never => facts.skip_suite(facts.mark(node, SkipKind::NotCollected, None)),
        }
    }

    fn call(&mut self, node: Node<'_>, facts: &mut Builder<'_>) {
        let text = facts.source().text;
        let chain = self.flow.chain(node);
        let callee = node.child(0).map_or(0, |callee| callee.end_byte());
        let name = name_before(text, callee);
        if is_assertion_function(name) {
            // `a.assert().b().assert()` is one check, and `b` says what it checks.
            facts.assertion_at(line_of(node), chain);
            self.quiet_until = callee;
        } else if is_output_check(name) && facts.in_function() {
            output_check(node, callee - name.len(), facts);
        } else if let Some(target) = doubled(text, callee, name) {
            facts.double(line_of(node), target);
        }
    }

    fn invoke(&mut self, node: Node<'_>, marks: Marks, facts: &mut Builder<'_>) {
        let Some(name) = node.field("macro") else { return };
        let name = name_before(facts.source().text, name.end_byte());
        if is_assertion_macro(name) && facts.in_function() {
            facts.assertion(node);
            self.quiet_until = node.end_byte();
        } else if !facts.in_function() {
            self.macros.expect_invocation(node, name, marks);
        }
    }

    /// Tokens have no structure but their groups: plans say which groups matter, the rest is looked through for
    /// assertions.
    fn enter_token(&mut self, node: Node<'_>, kind: Kind, facts: &mut Builder<'_>) -> Descend {
        let start = node.start_byte();
        self.macros.reach(node, facts);
        let text = facts.source().text;
        match (kind, self.lead) {
            (Kind::Identifier, _) => {
                let name = text.get(node.byte_range()).unwrap_or_default();
                let is_defined =
                    || text.get(..start).is_some_and(|head| head.trim_ascii_end().ends_with(b"fn"));
                let is_lead = (is_assertion_macro(name) || is_assertion_function(name)) && !is_defined();
                self.lead = is_lead.then(|| (start, line_of(node), false));
            }
            (Kind::Other, Some((from, line, false))) if text.get(node.byte_range()) == Some(b"!") => {
                self.lead = Some((from, line, true));
            }
            (Kind::Tree, Some((from, line, is_macro))) => {
                let name = text.get(from..start).unwrap_or_default().trim_ascii_end();
                if is_macro || is_assertion_function(name) && text.get(start) == Some(&b'(') {
                    facts.assertion_at(line, from..node.end_byte());
                    self.quiet_until = node.end_byte();
                }
                self.lead = None;
            }
            (Kind::Literal, _) => return Descend::Over,
            _ => self.lead = None,
        }
        Descend::Into
    }
}
