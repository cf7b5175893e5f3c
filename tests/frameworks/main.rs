//! Real runs of each test framework: what is recorded equals what the tool itself says.
//!
//! `tests/run` installs the tools. Without one its tests do nothing, and say so.

mod cargo_test;
mod go_test;
mod jest;
mod junit;
mod mocha;
mod nextest;
mod node_test;
mod project;
mod pytest;
mod unittest;
mod vitest;
