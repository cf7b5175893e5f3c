//! One file and one row per framework: how to ask it for a report, and how to read what it left.

mod cargo;
mod cargo_words;
mod command;
mod go;
mod java_sources;
mod javascript;
mod jest;
mod junit;
mod mocha;
mod nextest;
mod node_test;
mod packages;
#[cfg(test)]
mod plan_tests;
mod pytest;
mod python;
mod settle;
mod table;
mod unittest;
mod vitest;

pub use table::{Adapter, Plan, Report, Request, adapter, recognize};
