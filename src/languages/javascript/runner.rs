//! What a callee means: `it`, `describe.skip`, `(cond ? it : it.skip)`, `test.each(rows)`, or an alias of these.

use tree_sitter::Node;

use super::super::Builder;
use super::bindings::{Binding, Bindings};
use super::cases::{self, Rows};
use super::grammar::{Kind, Reader};
use super::names::{self, Curry, Mark, Modifier, Role};
use super::skips::constant;
use crate::facts::{Skip, SkipKind};

/// Longer callees than this are nothing a runner offers.
const DEPTH: u8 = 12;

/// A function that defines a test or a suite, and what it does to it.
#[derive(Clone)]
pub struct Runner {
    pub role: Role,
    pub skip: Option<Skip>,
    pub focused: bool,
    pub cases: Option<u32>,
    /// Set while the function must be called once more before it defines anything.
    pub curry: Option<Curry>,
    /// Defined in another file, and taken for a runner because of its name.
    pub guessed: bool,
}

impl Runner {
    pub fn plain(role: Role) -> Self {
        Self { role, skip: None, focused: false, cases: Some(1), curry: None, guessed: false }
    }

    fn skipped(self, skip: Option<Skip>) -> Self {
        Self { skip: Skip::stronger(self.skip, skip), ..self }
    }

    fn marked(self, mark: Mark, node: Node<'_>, facts: &Builder<'_>) -> Self {
        match mark {
            Mark::Plain => self,
            Mark::Focused => Self { focused: true, ..self },
            Mark::Skipped => self.skipped(Some(facts.mark(node, SkipKind::Unconditional, None))),
        }
    }
}

/// Reads callees with the names that are known so far.
pub struct Resolver<'r, 's, 'b> {
    pub read: Reader<'s>,
    pub bindings: &'r Bindings,
    pub rows: &'r Rows,
    pub facts: &'r Builder<'b>,
}

impl Resolver<'_, '_, '_> {
    pub fn resolve(&self, node: Node<'_>) -> Option<Runner> {
        self.expression(node, DEPTH)
    }

    fn expression(&self, node: Node<'_>, depth: u8) -> Option<Runner> {
        let depth = depth.checked_sub(1)?;
        match self.read.kind(node) {
            Kind::Identifier => self.name(node),
            Kind::Parenthesized | Kind::Cast | Kind::Await => {
                self.expression(self.read.first_child(node)?, depth)
            }
            Kind::Member | Kind::Subscript => self.member(node, depth),
            Kind::Call => self.call(node, depth),
            Kind::Ternary => self.choice(node, depth),
            _ => None,
        }
    }

    fn name(&self, node: Node<'_>) -> Option<Runner> {
        let name = self.read.text(node);
        match self.bindings.get(name) {
            Some(Binding::Runner(runner)) => return Some(runner.clone()),
            Some(Binding::Local) => return None,
            _ => {}
        }
        let (role, mark) = names::root(name)?;
        Some(Runner::plain(role).marked(mark, node, self.facts))
    }

    fn member(&self, node: Node<'_>, depth: u8) -> Option<Runner> {
        let runner = self.expression(node.child_by_field_id(self.read.fields().object)?, depth)?;
        if runner.curry.is_some() {
            return None;
        }
        match names::modifier(self.read.property(node)?)? {
            Modifier::Neutral => Some(runner),
            Modifier::Skip(kind) => Some(runner.skipped(Some(self.facts.mark(node, kind, None)))),
            Modifier::Focus => Some(Runner { focused: true, ..runner }),
            Modifier::Curry(curry) => Some(Runner { curry: Some(curry), ..runner }),
            Modifier::Become(role, mark) => Some(Runner { role, ..runner }.marked(mark, node, self.facts)),
        }
    }

    fn call(&self, node: Node<'_>, depth: u8) -> Option<Runner> {
        let callee = node.child_by_field_id(self.read.fields().function)?;
        let runner = self.expression(callee, depth)?;
        let first = || self.read.arguments(node).first().copied();
        let condition = |skips_when: bool| match first().and_then(|node| constant(&self.read, node)) {
            Some(value) => (value == skips_when).then_some(SkipKind::Unconditional),
            None => Some(SkipKind::Conditional),
        };
        let mark = |kind: SkipKind| self.facts.mark(node, kind, None);
        let cases = runner.cases;
        let curry = runner.curry;
        let called = Runner { curry: None, ..runner };
        match curry {
            Some(Curry::Rows) => {
                Some(Runner { cases: cases::product(cases, self.rows.of_call(&self.read, node)), ..called })
            }
            Some(Curry::SkipIf) => Some(called.skipped(condition(true).map(mark))),
            Some(Curry::RunIf) => Some(called.skipped(condition(false).map(mark))),
            Some(Curry::Same) => Some(called),
            // `itIf(condition)('title', fn)`.
            None if called.guessed => Some(called),
            None => self.named_suite(node, &called),
        }
    }

    /// uvu's `suite('name')` gives a function that defines tests.
    fn named_suite(&self, node: Node<'_>, runner: &Runner) -> Option<Runner> {
        let arguments = self.read.arguments(node);
        let is_name = |node: &Node<'_>| self.read.literal(*node).is_some();
        let named = runner.role == Role::Suite && arguments.len() == 1 && arguments.iter().all(is_name);
        named.then(|| Runner { role: Role::Test, ..runner.clone() })
    }

    /// `condition ? it : it.skip`, also where one side is no runner at all.
    fn choice(&self, node: Node<'_>, depth: u8) -> Option<Runner> {
        let fields = self.read.fields();
        let condition = node.child_by_field_id(fields.condition)?;
        let side = |field| node.child_by_field_id(field).and_then(|node| self.expression(node, depth));
        let (yes, no) = (side(fields.consequence), side(fields.alternative));
        match constant(&self.read, condition) {
            Some(true) => return yes,
            Some(false) => return no,
            None => {}
        }
        let (yes, no) = match (yes, no) {
            (Some(yes), Some(no)) => (yes, no),
            (Some(only), None) | (None, Some(only)) => {
                return Some(only.skipped(Some(self.facts.mark(node, SkipKind::Conditional, None))));
            }
            (None, None) => return None,
        };
        let mark = |kind| Some(self.facts.mark(node, kind, None));
        let skip = match (&yes.skip, &no.skip) {
            (None, None) => None,
            (Some(yes), Some(no)) => mark(yes.kind.min(no.kind)),
            _ => mark(SkipKind::Conditional),
        };
        Some(Runner { skip, focused: yes.focused && no.focused, ..yes })
    }
}
