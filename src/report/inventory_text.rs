//! The inventory for people: one line per test below its file, totals at the end.

use crate::facts::{Health, SkipKind, Test};
use crate::inventory::Inventory;
use crate::text::{line_start, one_line, plural};

pub fn render(inventory: &Inventory) -> String {
    let mut out = String::new();
    for file in &inventory.files {
        out.push_str(&format!("{} ({})\n", line_start(&file.path), file.facts.language));
        match file.facts.health {
            Health::Clean => {}
            Health::Partial => out.push_str("  ! has syntax errors: only parts of it were read\n"),
            Health::TooLarge => out.push_str("  ! too large to be read\n"),
            Health::TooDeep => out.push_str("  ! nested too deeply to be read\n"),
            Health::Unsupported => out.push_str("  ! could not be read\n"),
        }
        for test in file.facts.listed_tests() {
            out.push_str(&line(test));
        }
    }
    let totals = inventory.totals();
    out.push_str(&format!(
        "{} in {}, {} skipped, {}\n",
        plural(totals.tests, "test"),
        plural(totals.files, "file"),
        totals.skipped,
        plural(totals.assertions, "assertion")
    ));
    out
}

fn line(test: &Test) -> String {
    let mut line = format!("  {:>5}  {}", test.line, one_line(&test.qualified_name()));
    match test.cases {
        Some(1) => {}
        Some(count) => line.push_str(&format!("  [{count} cases]")),
        None => line.push_str("  [cases unknown]"),
    }
    if let Some(skip) = &test.skip {
        let kind = match skip.kind {
            SkipKind::Conditional => "skipped on a condition",
            SkipKind::ExpectedFailure => "expected to fail",
            SkipKind::Focus => "left out by a focused test",
            SkipKind::NotCollected => "not collected",
            SkipKind::Unconditional => "skipped",
        };
        line.push_str(&format!("  ({kind}"));
        if let Some(reason) = &skip.reason {
            line.push_str(&format!(": {}", one_line(reason)));
        }
        line.push(')');
    }
    line.push('\n');
    line
}
