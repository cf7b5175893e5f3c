//! Tests that are still written down, at a place or in a form that their runner passes over.
//!
//! Only what is sure without the settings of the project: the folders pytest does not enter, systems in the names of
//! Go files, Rust modules nothing declares, Java classes nobody can make.

use super::ID;
use crate::comparison::{Comparison, FileComparison, FileSide};
use crate::detectors::report::{Draft, excerpt};
use crate::facts::Span;
use crate::finding::{Finding, Severity, Side};
use crate::text::plural;

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let files =
        comparison.files.iter().filter_map(|file| Some((file.before.as_ref()?, file.after.as_ref()?)));
    let moved = files.clone().filter_map(|(before, after)| moved(comparison, before, after));
    let undeclared = files.clone().flat_map(|(before, after)| undeclared(comparison, before, after));
    let abstracted = files.flat_map(|(before, after)| made_abstract(comparison, before, after));
    moved.chain(undeclared).chain(abstracted).collect()
}

/// A file with tests that went to where its runner does not look.
fn moved(comparison: &Comparison, before: &FileSide, after: &FileSide) -> Option<Finding> {
    let tests = after.facts.tests.len();
    if before.path == after.path || tests == 0 || before.facts.tests.is_empty() {
        return None;
    }
    let why = match after.facts.language {
        "python" => newly(before, after, hidden_folder)?,
        "go" if !limits_itself(before) => newly(before, after, system_of)?,
        "rust" if !is_declared(comparison, after) => newly(before, after, below_tests)?,
        _ => return None,
    };
    let draft = Draft {
        rule: ID,
        severity: Severity::High,
        confidence: 0.85,
        message: format!("{} became {}, {why}: {}", before.path, after.path, plural(tests, "test")),
        help: format!("move the tests back to {}", before.path),
    };
    let line = after.facts.tests.first().map_or(1, |test| test.line);
    let mut finding = draft.on(Side::After, after, line, before.path.clone());
    finding.after = excerpt(after, Span { start: line, end: line }, line, "this no longer runs everywhere");
    finding.lower(Severity::Medium, "settings of the runner may say otherwise");
    Some(finding)
}

type Place = fn(&str) -> Option<String>;

fn newly(before: &FileSide, after: &FileSide, place: Place) -> Option<String> {
    place(&after.path).filter(|_| place(&before.path).is_none())
}

/// Folders that pytest does not enter unless it is told to.
fn hidden_folder(path: &str) -> Option<String> {
    let mut folders = path.split('/').rev().skip(1);
    let folder = folders.find(|folder| {
        matches!(*folder, "build" | "dist" | "venv" | "node_modules" | "CVS" | "_darcs")
            || folder.starts_with('.')
            || folder.ends_with(".egg")
    })?;
    Some(format!("and pytest does not enter {folder}"))
}

/// Systems and processors that Go takes from the name of a file.
fn system_of(path: &str) -> Option<String> {
    const SYSTEMS: &[&str] = &[
        "aix",
        "android",
        "darwin",
        "dragonfly",
        "freebsd",
        "illumos",
        "ios",
        "js",
        "linux",
        "netbsd",
        "openbsd",
        "plan9",
        "solaris",
        "wasip1",
        "windows",
        "386",
        "amd64",
        "arm",
        "arm64",
        "loong64",
        "mips",
        "mips64",
        "mips64le",
        "mipsle",
        "ppc64",
        "ppc64le",
        "riscv64",
        "s390x",
        "wasm",
    ];
    let stem = path.rsplit('/').next()?.strip_suffix("_test.go")?;
    let (_, system) = stem.rsplit_once('_')?;
    SYSTEMS.contains(&system).then(|| format!("and Go only builds it for {system}"))
}

/// Whether a Go file says itself where it is built.
fn limits_itself(file: &FileSide) -> bool {
    crate::text::contains(&file.text, b"//go:build") || crate::text::contains(&file.text, b"// +build")
}

/// `tests/old/a.rs` is no test target of cargo's, `tests/a.rs` and `tests/old/main.rs` are.
fn below_tests(path: &str) -> Option<String> {
    let (folders, name) = path.rsplit_once('/')?;
    let mut folders = folders.rsplit('/');
    let below = folders.next() != Some("tests") && folders.next() == Some("tests");
    let is_module = !matches!(name, "main.rs" | "mod.rs");
    (below && is_module).then(|| "which cargo does not build as a test".to_owned())
}

fn stem_of(path: &str) -> &str {
    let stem = |name: &'static str| path.strip_suffix(name);
    let path = stem("/mod.rs").or_else(|| stem(".rs")).unwrap_or(path);
    path.rsplit('/').next().unwrap_or(path)
}

/// Whether something in the change declares the module that a file holds, or names the file.
fn is_declared(comparison: &Comparison, file: &FileSide) -> bool {
    let module = format!("mod{}", stem_of(&file.path));
    let sides = comparison.files.iter().filter_map(|file| file.after.as_ref());
    sides.filter(|side| side.path != file.path).any(|side| {
        side.path.ends_with("Cargo.toml") && crate::text::contains(&side.text, file.path.as_bytes())
            || side.path.ends_with(".rs") && side.code().iter().any(|line| declares(&line.code, &module))
    })
}

/// `modtests;` or `modtests{`, behind what makes it public; white space is taken out of lines of code.
fn declares(code: &str, module: &str) -> bool {
    code.split_once(module).is_some_and(|(_, rest)| rest.starts_with([';', '{']))
}

/// Modules of tests that are no longer declared while their file stays.
fn undeclared(comparison: &Comparison, before: &FileSide, after: &FileSide) -> Vec<Finding> {
    if after.facts.language != "rust" {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for (line, name) in modules(before) {
        let module = format!("mod{name}");
        let is_test = matches!(name, "test" | "tests") || name.ends_with("_test") || name.ends_with("_tests");
        let sides = || comparison.files.iter().filter_map(|file| file.after.as_ref());
        let kept = || {
            let rust = sides().filter(|side| side.facts.language == "rust");
            rust.flat_map(|side| side.code()).any(|line| declares(&line.code, &module))
        };
        if !is_test || kept() || comparison.files.iter().any(|file| leaves(file, name)) {
            continue;
        }
        let draft = Draft {
            rule: ID,
            severity: Severity::High,
            confidence: 0.85,
            message: format!(
                "{} no longer declares the module {name}, so its tests are not built",
                after.path
            ),
            help: format!("put `mod {name};` back in {}, or delete the file and say why", after.path),
        };
        let mut finding = draft.on(Side::Before, before, line, format!("{}::{name}", before.path));
        finding.before = excerpt(before, Span { start: line, end: line }, line, "this built the tests");
        findings.push(finding);
    }
    findings
}

/// The modules of a Rust file that have a file of their own, each with its line.
fn modules(file: &FileSide) -> impl Iterator<Item = (u32, &str)> {
    file.code().iter().filter_map(|line| {
        let (_, rest) = line.code.split_once("mod")?;
        let name = rest.strip_suffix(';')?;
        let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !name.is_empty();
        is_name.then_some((line.number, name))
    })
}

/// Whether the file of a module goes, moves or changes its name.
fn leaves(file: &FileComparison, module: &str) -> bool {
    let path = |side: &Option<FileSide>| side.as_ref().map(|side| side.path.clone());
    let (before, after) = (path(&file.before), path(&file.after));
    before.as_ref().is_some_and(|path| stem_of(path) == module) && before != after
}

/// Java classes with tests that nobody can make any more.
fn made_abstract(comparison: &Comparison, before: &FileSide, after: &FileSide) -> Option<Finding> {
    let (name, ending) = after.path.rsplit('/').next()?.rsplit_once('.')?;
    if ending != "java" || before.facts.tests.is_empty() || after.facts.tests.is_empty() {
        return None;
    }
    let class = format!("class{name}");
    let find = |side: &FileSide, wanted: bool| {
        let is_head = |code: &str| {
            let (modifiers, rest) = code.split_once(&class)?;
            let whole = !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
            (whole && modifiers.contains("abstract") == wanted && !modifiers.contains(['(', '"']))
                .then_some(())
        };
        side.code().iter().find(|line| is_head(&line.code).is_some()).map(|line| line.number)
    };
    find(before, false)?;
    let line = find(after, true)?;
    let extends = format!("extends{name}");
    let sides = comparison.files.iter().filter_map(|file| file.after.as_ref());
    if sides.flat_map(|side| side.code()).any(|line| line.code.contains(&extends)) {
        return None;
    }
    let draft = Draft {
        rule: ID,
        severity: Severity::High,
        confidence: 0.85,
        message: format!(
            "{name} became abstract, so its {} only run in classes that extend it",
            plural(after.facts.tests.len(), "test")
        ),
        help: format!("take `abstract` out at {}:{line}, or add a class that extends it", after.path),
    };
    let mut finding = draft.on(Side::After, after, line, format!("{}::{name}", after.path));
    finding.after = excerpt(after, Span { start: line, end: line }, line, "nobody makes one of these");
    finding.lower(Severity::Medium, "classes outside of the change may extend it");
    Some(finding)
}
