//! The JSON of `tests`, version 1. Fields may be added, never renamed or dropped.

use serde::Serialize;

use crate::facts::{Health, Test};
use crate::inventory::{Inventory, InventoryFile};

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    rev: Option<&'a str>,
    totals: Totals,
    files: Vec<File<'a>>,
}

#[derive(Serialize)]
struct Totals {
    files: usize,
    tests: usize,
    skipped: usize,
    assertions: usize,
}

#[derive(Serialize)]
struct File<'a> {
    path: &'a str,
    language: &'a str,
    health: &'a str,
    tests: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Entry<'a> {
    id: String,
    name: &'a str,
    suite: &'a [String],
    line: u32,
    skipped: bool,
    skip_reason: Option<&'a str>,
    assertions: usize,
    cases: Option<u32>,
}

pub fn render(inventory: &Inventory) -> serde_json::Result<String> {
    let totals = inventory.totals();
    let document = Document {
        version: 1,
        rev: inventory.revision.as_ref().map(|id| id.as_str()),
        totals: Totals {
            files: totals.files,
            tests: totals.tests,
            skipped: totals.skipped,
            assertions: totals.assertions,
        },
        files: inventory.files.iter().map(file).collect(),
    };
    super::json::pretty(&document)
}

fn file(file: &InventoryFile) -> File<'_> {
    let health = match file.facts.health {
        Health::Clean => "clean",
        Health::Partial => "partial",
        Health::Unsupported => "unsupported",
        Health::TooLarge => "too_large",
        Health::TooDeep => "too_deep",
    };
    let tests = file.facts.listed_tests().map(|test| entry(&file.path, test)).collect();
    File { path: &file.path, language: file.facts.language, health, tests }
}

fn entry<'a>(path: &str, test: &'a Test) -> Entry<'a> {
    Entry {
        id: format!("{path}::{}", test.qualified_name()),
        name: &test.name,
        suite: &test.suite,
        line: test.line,
        skipped: test.is_skipped(),
        skip_reason: test.skip.as_ref().and_then(|skip| skip.reason.as_deref()),
        assertions: test.assertions.len(),
        cases: test.cases,
    }
}
