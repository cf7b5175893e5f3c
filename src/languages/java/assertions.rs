//! Which calls check something.
//!
//! A chain such as `assertThat(x).isNotNull().isEqualTo(y)` is one check.

use tree_sitter::Node;

use super::annotations::last_segment;
use super::grammar::{self, Field, Kind, field, kind};
use super::names::has_prefix;
use crate::languages::Builder;

/// What the calls of one chain say, collected from the last call to the first.
#[derive(Default)]
pub struct Chain<'t> {
    checks: bool,
    /// EasyMock's `expect(x).andReturn(y)` prepares and checks nothing.
    stubs: bool,
    waits: bool,
    calls: u32,
    /// The call by which the chain may skip the test.
    pub assumption: Option<Node<'t>>,
}

impl<'t> Chain<'t> {
    /// Reads the chain that ends with `call`.
    pub fn of(call: Node<'t>, facts: &Builder<'_>) -> Self {
        let mut chain = Self::default();
        let mut next = Some(call);
        while let Some(node) = next {
            let object = field(node, Field::Object);
            if kind(node) == Kind::Call {
                chain.add(node, object, facts);
                chain.calls += 1;
            }
            next = object.filter(|&object| matches!(kind(object), Kind::Call | Kind::FieldAccess));
        }
        chain
    }

    pub fn is_check(&self) -> bool {
        self.checks && !self.stubs
    }

    fn add(&mut self, call: Node<'t>, object: Option<Node<'t>>, facts: &Builder<'_>) {
        let Some(name) = field(call, Field::Name).map(|name| facts.text(name)) else { return };
        let is_last = self.calls == 0;
        self.checks |= match name {
            "assertAll" | "untilAsserted" => !holds_functions(call),
            "fail" => object.is_none_or(|owner| is_fail_owner(last_segment(facts.text(owner)))),
            "andExpect"
            | "andExpectAll"
            | "checkThat"
            | "checkSucceeds"
            | "failBecauseExceptionWasNotThrown" => true,
            "that" | "withMessage" => object.is_some_and(|owner| facts.text(owner) == "expect"),
            // AssertJ's and Mockito's `then(x)`, or REST Assured's `.then()`.
            "then" => !is_last && (object.is_none() || !has_arguments(call)),
            "await" => self.waits,
            "expectLastCall" => false,
            // Helpers of a class are often named with an underscore.
            _ if has_prefix(name.trim_start_matches('_'), "assert") || has_prefix(name, "verify") => true,
            // Without an owner it is EasyMock's.
            _ if has_prefix(name, "expect") || has_prefix(name, "should") => object.is_some(),
            _ => false,
        };
        self.stubs |= matches!(
            name,
            "andReturn" | "andThrow" | "andAnswer" | "andStubReturn" | "andStubThrow" | "andStubAnswer"
        );
        self.waits |= has_prefix(name, "until") && name != "untilAsserted";
        if name == "abort" || name.starts_with("assume") {
            self.assumption = Some(call);
        }
    }
}

fn is_fail_owner(name: &str) -> bool {
    matches!(name, "Assert" | "Assertions" | "TestCase" | "Fail" | "softly" | "this" | "super")
}

fn has_arguments(call: Node<'_>) -> bool {
    field(call, Field::Arguments).is_some_and(|arguments| arguments.named_child_count() > 0)
}

/// Whether the checks are inside the arguments, to be counted one by one.
fn holds_functions(call: Node<'_>) -> bool {
    let arguments = field(call, Field::Arguments).map(grammar::children).unwrap_or_default();
    arguments.into_iter().any(|argument| kind(argument) == Kind::Lambda)
}
