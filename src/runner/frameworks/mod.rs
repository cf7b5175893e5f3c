//! One file and one row per framework: how to ask it for a report, and how to read what it left.

mod cargo;
mod cargo_words;
mod command;
mod table;

pub use table::{ADAPTERS, Adapter, Plan, Report, Request, adapter, recognize};
