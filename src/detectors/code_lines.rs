//! What rules about lines of production code have in common.

use crate::comparison::{Comparison, FileComparison, FileSide};
use crate::facts::{Definition, DefinitionKind, Span};
use crate::paths::PathClass;

/// Both sides of a production file that a language reads; what is new or gone is nobody's existing code.
pub fn existing(file: &FileComparison) -> Option<(&FileSide, &FileSide)> {
    let sides = file.before.as_ref().zip(file.after.as_ref());
    sides.filter(|_| file.class == PathClass::Production)
}

/// The lines of a side that serve tests alone.
pub struct TestCode(Vec<Span>);

impl TestCode {
    pub fn of(side: &FileSide) -> Self {
        let tests = side.facts.tests.iter().map(|test| test.span);
        let mut spans: Vec<Span> = tests.chain(side.facts.signals.test_code.iter().copied()).collect();
        spans.sort_unstable();
        let mut joined: Vec<Span> = Vec::new();
        for span in spans {
            match joined.last_mut() {
                Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
                _ => joined.push(span),
            }
        }
        Self(joined)
    }

    pub fn contains(&self, line: u32) -> bool {
        let at = self.0.partition_point(|span| span.end < line);
        self.0.get(at).is_some_and(|span| span.start <= line)
    }
}

/// Whether the change is a rework, in which a line or a switch is but a detail.
pub fn is_rework(comparison: &Comparison) -> bool {
    comparison.files.iter().filter(|file| file.class == PathClass::Production).count() > REWORK
}

/// More production files than this are more than one thing.
const REWORK: usize = 20;

/// The functions around a line, outermost first, as `outer::inner`; empty outside of any.
pub fn function_at(side: &FileSide, line: u32) -> String {
    let mut around: Vec<&Definition> =
        side.facts.definitions.iter().filter(|definition| is_around(definition, line)).collect();
    around.sort_by_key(|definition| std::cmp::Reverse(definition.span.end - definition.span.start));
    let names: Vec<&str> = around.iter().map(|definition| definition.name.as_str()).take(MAX_DEPTH).collect();
    names.join("::")
}

fn is_around(definition: &Definition, line: u32) -> bool {
    definition.kind == DefinitionKind::Function
        && definition.span.start <= line
        && line <= definition.span.end
}

/// Names of functions nested deeper are left out.
const MAX_DEPTH: usize = 8;

/// Folders and files whose code is there to be played with.
const SCRATCH: &[&str] = &[
    "playground",
    "playgrounds",
    "scratch",
    "examples",
    "example",
    "demo",
    "demos",
    "benchmarks",
    "benches",
    "bench",
];

/// Whether nobody depends on what the file does.
pub fn is_scratch(path: &str) -> bool {
    let is_word = |part: &str| SCRATCH.contains(&part.to_ascii_lowercase().as_str());
    // `examples-python`, `demo_app`
    let is_one = |part: &str| is_word(part) || part.split(['-', '_', '.']).next().is_some_and(is_word);
    // Inside of a source tree a sandbox is what keeps code from doing harm, and `org/example` is a package like others.
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let mut outside = folders.split('/').take_while(|part| *part != "src");
    let sandbox = outside.clone().next().is_some_and(|folder| folder.eq_ignore_ascii_case("sandbox"));
    let stem = name.split('.').next().unwrap_or_default();
    let lower = stem.to_ascii_lowercase();
    let alone = folders.is_empty() && is_one(stem) || matches!(lower.as_str(), "playground" | "scratch");
    sandbox || alone || outside.any(is_one)
}

/// Whether the file configures, builds or releases: it may well ask where it runs.
pub fn is_tooling(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let folders = [
        "scripts",
        "script",
        "tools",
        "tool",
        "build",
        "ci",
        ".github",
        "hack",
        "config",
        "bin",
        "reporters",
    ];
    let stems = [
        "setup",
        "build",
        "noxfile",
        "gulpfile",
        "gruntfile",
        "rollup",
        "webpack",
        "vite",
        "vitest",
        "jest",
        "babel",
    ];
    let stem = name.split('.').next().unwrap_or(name).to_ascii_lowercase();
    name.contains(".config.")
        || name.starts_with('.')
        || stems.contains(&stem.as_str())
        || path.split('/').rev().skip(1).any(|folder| folders.contains(&folder.to_ascii_lowercase().as_str()))
}
