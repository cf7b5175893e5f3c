//! What the Go pack finds in small files.

use super::super::testing::inventory;
use super::super::{Source, analyze};
use crate::facts::FileFacts;

mod cases;
mod checks;
mod claims;
mod collection;
mod ginkgo;
mod robustness;
mod skips;

fn found(body: &str) -> String {
    inventory("pkg/cart_test.go", &format!("package cart\n\n{body}"))
}

fn facts(path: &str, text: &str) -> FileFacts {
    analyze(Source { path, text: text.as_bytes() })
}

fn definitions(facts: &FileFacts) -> String {
    facts
        .definitions
        .iter()
        .map(|definition| format!("{:?} {}\n", definition.kind, definition.name))
        .collect()
}
