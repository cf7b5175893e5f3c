//! Reads what stands beside the tests: switches, marks for tools, probes for the test run, public names.
//!
//! One walk for all languages, over a table of node kinds: grammars name most of these things alike. Knows no rule.

mod booleans;
mod cases;
mod directives;
mod exports;
mod kinds;
mod probes;
mod remarks;
mod settings;
mod walk;

#[cfg(test)]
mod tests;

pub(super) use probes::LIMIT as PROBE_LIMIT;
pub use settings::is_settings_file;
pub(super) use settings::of_settings;
pub(super) use walk::{LIST_LIMIT, Reader};
