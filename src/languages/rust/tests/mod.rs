//! Tests of the Rust pack, by subject.

use super::super::testing::inventory;
use super::super::{Source, analyze};
use crate::facts::FileFacts;

mod assertions;
mod claims;
mod collection;
mod macros;
mod robustness;
mod skips;

/// The inventory of a file in `src`.
fn tests_of(text: &str) -> String {
    inventory("src/cart.rs", text)
}

fn facts_of(text: &str) -> FileFacts {
    analyze(Source { path: "src/cart.rs", text: text.as_bytes() })
}
