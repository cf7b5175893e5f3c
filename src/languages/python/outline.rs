//! Which definitions of a file are tests, suites and set-up, known before the walk meets them.

use std::collections::HashMap;

use super::aliases::Aliases;

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
}

impl Outline {
    pub fn role(&self, id: usize) -> Option<Role> {
        self.roles.get(&id).copied()
    }
}
