//! What is known inside one top-level function: which names stand for the test, for checks, for tables.

use tree_sitter::Node;

use super::super::Source;
use super::cases::Table;
use super::kinds::{Kind, kind_of};
use super::names::{CHECK_PACKAGES, CHECKER_TYPES, GOMEGA_MAKERS, HANDLE_TYPES, POINTED_HANDLES};
use super::signature::type_name;
use super::syntax::{Call, named_children};

#[derive(Default)]
pub(super) struct Scope {
    /// Variables of type `*testing.T` and the like.
    handles: Vec<String>,
    /// Variables whose methods are checks: `is := is.New(t)`.
    checkers: Vec<String>,
    /// The receiver of a suite's method.
    suite: Option<String>,
    tables: Vec<(String, Table)>,
}

impl Scope {
    /// Forgets everything; a new function begins.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// Whether nothing stands for a test so far.
    pub fn is_empty(&self) -> bool {
        self.handles.is_empty() && self.checkers.is_empty() && self.suite.is_none()
    }

    pub fn learn_suite(&mut self, receiver: &str) {
        self.suite = Some(receiver.to_owned());
    }

    pub fn learn_parameters(&mut self, function: Node<'_>, source: Source<'_>) {
        let Some(parameters) = function.child_by_field_name("parameters") else { return };
        for parameter in named_children(parameters) {
            let Some(kind) = parameter.child_by_field_name("type") else { continue };
            let (is_pointer, kind) = (kind_of(kind) == Kind::PointerType, type_name(kind, source));
            let list = if HANDLE_TYPES.contains(&kind) || is_pointer && POINTED_HANDLES.contains(&kind) {
                &mut self.handles
            } else if CHECKER_TYPES.contains(&kind) {
                &mut self.checkers
            } else {
                continue;
            };
            let names = named_children(parameter).filter(|child| kind_of(*child) == Kind::Identifier);
            list.extend(names.map(|name| source.text_of(name).to_owned()));
        }
    }

    /// Notes `t := s.T()`, `is := is.New(t)`, `g := NewWithT(t)`, `require := s.Require()`.
    pub fn learn_variable(&mut self, declaration: Node<'_>, source: Source<'_>) {
        let first =
            |field| declaration.child_by_field_name(field).and_then(|list| named_children(list).next());
        let (Some(left), Some(right)) = (first("left"), first("right")) else { return };
        let Some(call) = Call::read(right, source) else { return };
        let list = if self.makes_handle(&call) {
            &mut self.handles
        } else if self.makes_checker(&call, source) {
            &mut self.checkers
        } else {
            return;
        };
        list.push(source.text_of(left).to_owned());
    }

    fn makes_handle(&self, call: &Call<'_, '_>) -> bool {
        matches!(call.name, "T" | "GinkgoT") && call.arguments().next().is_none()
    }

    fn makes_checker(&self, call: &Call<'_, '_>, source: Source<'_>) -> bool {
        match call.name {
            "New" => {
                let package = call.receiver_name(source);
                package.is_some_and(|package| CHECK_PACKAGES.iter().any(|known| package.ends_with(known)))
                    && call.argument(0).is_some_and(|argument| self.is_handle(argument, source))
            }
            "Require" | "Assert" => call.arguments().next().is_none(),
            name => GOMEGA_MAKERS.contains(&name),
        }
    }

    /// Whether an expression stands for the running test: `t`, `s.T()`, `env.t`.
    pub fn is_handle(&self, node: Node<'_>, source: Source<'_>) -> bool {
        match kind_of(node) {
            Kind::Identifier => contains(&self.handles, source.text_of(node)),
            Kind::Selector => {
                let field = node.child_by_field_name("field").map(|field| source.text_of(field));
                matches!(field, Some("t" | "T" | "tb" | "TB"))
            }
            Kind::Call => Call::read(node, source).is_some_and(|call| self.makes_handle(&call)),
            _ => false,
        }
    }

    /// Whether the call is given the running test first.
    pub fn is_given_test(&self, call: &Call<'_, '_>, source: Source<'_>) -> bool {
        call.argument(0).is_some_and(|argument| self.is_handle(argument, source))
    }

    /// Whether the call is given the running test in whatever place.
    pub fn takes_test(&self, call: &Call<'_, '_>, source: Source<'_>) -> bool {
        call.arguments().any(|argument| self.is_handle(argument, source))
    }

    pub fn is_on_handle(&self, call: &Call<'_, '_>, source: Source<'_>) -> bool {
        call.receiver.is_some_and(|receiver| self.is_handle(receiver, source))
    }

    pub fn is_on_checker(&self, call: &Call<'_, '_>, source: Source<'_>) -> bool {
        call.receiver_name(source).is_some_and(|name| contains(&self.checkers, name))
    }

    pub fn is_on_suite(&self, call: &Call<'_, '_>, source: Source<'_>) -> bool {
        self.suite.is_some() && call.receiver_name(source) == self.suite.as_deref()
    }

    /// `t.Run(name, function)`, also on a benchmark, a suite or a checker.
    pub fn is_run(&self, call: &Call<'_, '_>, source: Source<'_>) -> bool {
        call.name == "Run"
            && (self.is_on_handle(call, source)
                || self.is_on_suite(call, source)
                || self.is_on_checker(call, source))
            && call.arguments().count() == 2
    }

    pub fn learn_table(&mut self, name: &str, table: Table) {
        self.tables.push((name.to_owned(), table));
    }

    pub fn table(&self, name: &str) -> Option<&Table> {
        self.tables.iter().rev().find(|(known, _)| known == name).map(|(_, table)| table)
    }
}

fn contains(names: &[String], name: &str) -> bool {
    names.iter().any(|known| known == name)
}
