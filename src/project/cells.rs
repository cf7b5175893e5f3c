//! Where the tables of build servers have their cells: the values that a job is run with, one after the other.
//!
//! GitHub and CircleCI list the values of each axis, Azure and AppVeyor give each row its variables, GitLab has lists of
//! variables, and Travis a list at the top for each language it knows.

use super::document::Entry;
use super::pipeline::Tree;

/// One value of one axis.
pub struct Cell<'d> {
    pub job: String,
    pub axis: &'d str,
    pub value: &'d str,
    pub line: u32,
    /// Whether it stands in a row with others, and not in the list of its axis.
    pub is_row: bool,
}

/// Lists at the top of Travis's file, each of whose entries is a run of its own.
const TRAVIS: &[&str] = &[
    "os",
    "arch",
    "dist",
    "jdk",
    "node_js",
    "python",
    "rust",
    "go",
    "rvm",
    "ruby",
    "php",
    "perl",
    "scala",
    "compiler",
    "d",
    "julia",
    "elixir",
    "otp_release",
];

/// The cells of a file, in its order.
pub fn cells<'d>(tree: &Tree<'d>) -> Vec<Cell<'d>> {
    let entries = tree.document.entries.iter().filter(|entry| !entry.value.is_empty());
    entries.flat_map(|entry| of_entry(tree, entry)).collect()
}

fn of_entry<'d>(tree: &Tree<'d>, entry: &'d Entry) -> Vec<Cell<'d>> {
    let keys: Vec<&'d str> = entry.keys().collect();
    let is_listed = entry.path.last().is_some_and(|key| key.starts_with('#'));
    let cell = |job: &str, axis, is_row| {
        vec![Cell { job: job.to_owned(), axis, value: entry.value.as_str(), line: entry.line, is_row }]
    };
    match keys[..] {
        ["jobs", job, "strategy", "matrix", "include", axis] => cell(job, axis, true),
        ["jobs", _, "strategy", "matrix", "exclude", ..] => Vec::new(),
        ["jobs", job, "strategy", "matrix", axis] if is_listed => cell(job, axis, false),
        ["jobs", job, "runs-on"] => cell(job, "runs-on", false),
        // Azure: each row has a name and its variables.
        [.., "strategy", "matrix", _, axis] => cell(&job_above(tree, entry), axis, true),
        [job, "parallel", "matrix", axis] => cell(job, axis, !is_listed),
        ["workflows", _, "jobs", job, "matrix", "parameters", axis] if is_listed => cell(job, axis, false),
        ["matrix" | "jobs", "include", "env"] | ["env", "matrix" | "jobs"] => variables(entry),
        ["env"] if is_listed => variables(entry),
        ["matrix" | "jobs", "include", axis] if TRAVIS.contains(&axis) => cell("", axis, true),
        ["environment", "matrix", axis] => cell("", axis, true),
        ["image"] if is_listed => cell("", "image", false),
        [axis] if TRAVIS.contains(&axis) && (is_listed || axis == "os") => cell("", axis, false),
        _ => Vec::new(),
    }
}

/// The name of the job of Azure's that a row belongs to.
fn job_above(tree: &Tree<'_>, entry: &Entry) -> String {
    let length = entry.path.iter().position(|key| key == "strategy").unwrap_or_default();
    tree.value(&entry.path[..length], "job").unwrap_or_default().to_owned()
}

/// `NAME=value OTHER=value`
fn variables<'d>(entry: &'d Entry) -> Vec<Cell<'d>> {
    let words = entry.value.split_whitespace().filter_map(|word| word.split_once('='));
    let cell = |(axis, value): (&'d str, &'d str)| Cell {
        job: String::new(),
        axis,
        value: value.trim_matches(['"', '\'']),
        line: entry.line,
        is_row: true,
    };
    words.map(cell).filter(|cell| !cell.value.is_empty()).collect()
}
