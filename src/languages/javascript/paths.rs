//! Which files the runners collect tests from, judged by their path alone.

use super::super::Source;

/// Folders whose files are tests, as whole path components.
const FOLDERS: &[&str] = &["__tests__", "__test__", "test", "tests", "spec", "specs", "e2e", "cypress"];

/// Parts between dots of a file name: `cart.test.ts`, `types.test-d.ts`, `login.cy.js`.
const PARTS: &[&str] =
    &["test", "tests", "spec", "specs", "test-d", "spec-d", "cy", "e2e", "e2e-spec", "e2e-test"];

/// How a stem may end: `cart_test`, `cart-spec`.
const ENDINGS: &[&str] = &["_test", "_tests", "_spec", "-test", "-tests", "-spec", "Test", "Tests", "Spec"];

pub fn is_test_path(source: &Source<'_>) -> bool {
    if source.folders().any(|folder| folder == "node_modules") {
        return false;
    }
    source.folders().any(|folder| FOLDERS.contains(&folder)) || is_test_name(source.stem())
}

fn is_test_name(stem: &str) -> bool {
    let first = stem.split('.').next().unwrap_or(stem);
    stem.split('.').any(|part| PARTS.contains(&part))
        || stem.starts_with("test-")
        || ENDINGS.iter().any(|ending| first.len() > ending.len() && first.ends_with(ending))
}
