//! The gate under real hook managers, with the configuration that docs/hook-managers.md shows.
//!
//! `tests/run` installs the managers. Without them these tests do nothing, and say so.

mod beside;
mod document;
mod husky;
mod managed;
#[path = "../e2e/repo.rs"]
#[allow(dead_code)] // Other tests use the rest.
mod repo;
mod stage;
mod tools;
