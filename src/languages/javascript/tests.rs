//! What the pack finds in small files, one inventory line a test.

use super::super::testing::inventory;
use super::super::{Source, analyze};
use crate::facts::{DefinitionKind, FileFacts, Health};

mod collection;
mod insides;
mod robustness;
mod sharing;
mod skipping;
mod strength;

fn facts(path: &str, text: &str) -> FileFacts {
    analyze(Source { path, text: text.as_bytes() })
}

/// Compares the inventory of a file with the lines expected.
#[track_caller]
fn check(path: &str, text: &str, expected: &[&str]) {
    let found = inventory(path, text);
    assert_eq!(found.lines().collect::<Vec<_>>(), expected);
}
