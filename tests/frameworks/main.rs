//! Real runs of each test framework: what is recorded equals what the tool itself says.
//!
//! `tests/run` installs the tools. Without one its tests do nothing, and say so.

mod jest;
mod junit;
mod mocha;
mod node_test;
mod project;
mod vitest;
