//! One file per output format; each turns a report or an inventory into text.

pub mod audit_html;
pub mod audit_text;
pub mod inventory_json;
pub mod inventory_text;
pub mod json;
pub mod memory_json;
pub mod memory_noted_text;
pub mod memory_prune_text;
pub mod memory_query_text;
pub mod memory_recorded_text;
pub mod memory_show_text;
pub mod memory_stats_text;
pub mod next_text;
pub mod run_json;
pub mod run_text;
pub mod status_json;
pub mod status_text;
pub mod text;
pub mod waivers_json;
pub mod waivers_text;
