//! Which definitions of a file are tests, suites and set-up, known before the walk meets them.

use tree_sitter::Node;

use super::aliases::Aliases;
use super::fixtures::Fixtures;
use crate::collections::HashMap;
use crate::facts::{Scope, Skip, SkipKind};
use crate::languages::Source;

/// What the walk has to know of a node when it meets it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Test,
    Suite,
    /// A function that runs before the tests of its class or module.
    Setup,
    /// `__test__ = False`, and it counts.
    Mute,
    /// `TestName = Machine.TestCase`, a stateful test of hypothesis.
    Machine,
}

#[derive(Default)]
pub struct Outline {
    pub roles: HashMap<usize, Role>,
    pub aliases: Aliases,
    /// Definitions that are taken away again under a condition, by their nodes.
    pub withdrawn: HashMap<usize, Withdrawal>,
    pub fixtures: Fixtures,
}

/// A statement that takes a name away: `del TestTls`.
pub struct Withdrawal {
    pub line: u32,
    pub text: String,
}

impl Outline {
    pub fn role(&self, id: usize) -> Option<Role> {
        self.roles.get(&id).copied()
    }

    /// What keeps a test or a suite from running without standing in it: a fixture that it asks for, a statement that
    /// takes its name away again.
    pub fn skips_elsewhere(&self, definition: Node<'_>, source: Source<'_>) -> Vec<Skip> {
        let skip = |kind, line, mark: &str, reason| {
            let (scope, mark) = (Scope::Test, mark.to_owned());
            Skip { kind, scope, line, mark, reason, under: None }
        };
        let fixture = self
            .fixtures
            .skip_of(definition, source)
            .map(|found| skip(SkipKind::Unconditional, found.line, &found.mark, found.reason.clone()));
        let taken = self.withdrawn.get(&definition.id());
        let taken = taken.map(|taken| skip(SkipKind::Conditional, taken.line, &taken.text, None));
        fixture.into_iter().chain(taken).collect()
    }
}
