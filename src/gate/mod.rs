//! The flow from a change to a report: gather, understand, detect, judge.

mod check;
mod facts;
mod macros;
mod merge;
mod shared;

pub use check::check;
pub use facts::{Analyzed, analyze_all};
pub use macros::resolve_macro_tests;
pub use shared::resolve_in_tree;
