//! One file per output format; each turns a report or an inventory into text.

pub mod inventory_json;
pub mod inventory_text;
pub mod json;
pub mod run_json;
pub mod run_text;
pub mod status_json;
pub mod status_text;
pub mod text;
