//! Runs one command of a suite: its own process group, a time limit, all of its output, no variables of git.
//!
//! The only user of process-wrap and ctrlc. Knows nothing of tests: it gives back how the command ended and what it
//! printed. A process that left the group (a daemon in a session of its own) is neither waited for nor ended.

mod capture;
mod environment;
mod group;
mod interrupt;
mod launch;
mod lines;
mod supervise;
#[cfg(test)]
mod tests;

pub use interrupt::{Interrupted, Interrupts};
pub use launch::Launch;
pub use supervise::{End, Ended, Watcher, run};
