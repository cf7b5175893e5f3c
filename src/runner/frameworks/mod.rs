//! One file and one row per framework: how to ask it for a report, and how to read what it left.

mod command;
mod table;

pub use table::{Adapter, Plan, Report, adapter, recognize};
