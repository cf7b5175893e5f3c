//! Installing and removing the git hooks, with a stand-in for the program that they call.

mod directories;
mod existing;
mod husky;
mod inspecting;
mod program;
pub mod stage;
mod worktrees;
