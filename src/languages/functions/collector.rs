//! Gathers what a handler does while the walk is inside it.

use crate::facts::Action;

#[derive(Clone, Copy, Debug, Default)]
pub struct Collector {
    /// How many statements stand directly in it.
    pub statements: usize,
    pub fails: bool,
    pub handles: bool,
    pub logs: usize,
    pub defaults: usize,
    pub passes: usize,
}

impl Collector {
    pub fn action(&self) -> Action {
        let idle = self.logs + self.defaults + self.passes;
        if self.fails {
            Action::Fails
        } else if self.handles || idle < self.statements {
            Action::Handles
        } else if self.defaults > 0 {
            Action::Defaults
        } else if self.logs > 0 {
            Action::LogsOnly
        } else {
            Action::Swallows
        }
    }
}
