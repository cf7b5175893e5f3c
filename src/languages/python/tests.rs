//! What the pack reads from Python files, one line a test.

use super::super::testing::inventory;
use super::super::{Source, analyze};
use crate::facts::{FileFacts, Health};

mod cases;
mod checks;
mod collection;
mod definitions;
mod insides;
mod robustness;
mod skips;

/// The inventory of a file that pytest collects from.
fn pytest(text: &str) -> String {
    inventory("tests/test_cart.py", text)
}

fn facts(path: &str, text: &str) -> FileFacts {
    analyze(Source { path, text: text.as_bytes() })
}

/// The skip of the only test, as `kind/scope "reason"`.
fn skip_of(text: &str) -> String {
    let line = pytest(text);
    line.trim_end().split_once("test_x").map_or_else(String::new, |(_, rest)| rest.to_owned())
}
