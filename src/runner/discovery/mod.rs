//! Which suites there are: those of the policy, or those that a person would find by looking at the project.
//!
//! One file per ecosystem and one row in `table`. Looks at trees through [`Tree`] alone, so that both sides of a
//! change are seen the same way, and only where a path leads: no listing of the whole tree. What is found follows
//! from tracked content alone, never from what is installed; see `resolve` for that.

mod cargo;
mod finder;
mod go;
mod gradle;
mod ground;
mod look;
mod maven;
mod node;
mod places;
mod policy_suites;
mod python;
mod script;
mod search;
mod table;
#[cfg(test)]
mod tests;
mod trees;
mod vanished;

pub use finder::Finder;
pub use table::is_manifest;
pub use trees::{CommitTree, DiskTree, StagedTree, Tree};
pub use vanished::vanished;
