//! What the adapters of JavaScript runners share.

use std::path::{Path, PathBuf};

use super::table::Report;
use crate::runner::results::{Failure, Results, event_lines, junit};

/// The marks before the titles of tests that ended.
const MARKS: [char; 9] = ['✓', '✔', '√', '✕', '✖', '×', '○', '✗', '﹣'];

/// Tests that a line tells to have ended, by the mark before the title.
pub fn ended_in(line: &str) -> u64 {
    let line = line.trim_start();
    let failed = || line.split_once(") ").is_some_and(|(number, _)| number.parse::<u32>().is_ok());
    u64::from(line.starts_with(MARKS) || line.starts_with("- ") || failed())
}

pub fn text<'r>(report: &Report<'r>) -> std::borrow::Cow<'r, str> {
    String::from_utf8_lossy(report.output)
}

pub fn no_results(tool: &str) -> String {
    format!("{tool} left no report, and its output has no summary: it did not get to its end")
}

/// Writes a reporter of this tool for a run.
pub fn write_reporter(scratch: &Path, name: &str, content: &str) -> Option<PathBuf> {
    std::fs::create_dir_all(scratch).ok()?;
    let file = scratch.join(name);
    std::fs::write(&file, content).ok()?;
    Some(file)
}

/// What the reporters of several processes wrote. Whoever did not get to its end is a problem of its own.
pub fn read_events(reports: &[Vec<u8>], tool: &str) -> Result<Results, String> {
    let mut all = Vec::new();
    for bytes in reports {
        let (mut results, ended) = event_lines::read(bytes)?;
        if !ended {
            let message = format!("{tool} did not get to its end");
            results.problems.push(Failure { kind: "crash".to_owned(), message, ..Failure::default() });
        }
        all.push(results);
    }
    Ok(junit::merge(all))
}
