//! One file and one row per framework: how to ask it for a report, and how to read what it left.

mod table;

pub use table::{ADAPTERS, Adapter, Plan, Report, adapter};
