//! Tests that are still written down, at a place or in a form that their runner passes over.
//!
//! Folders and names that the runner does not take, places that its settings do not reach, files that nothing makes a part
//! of the build any more, types that nobody can make.

use super::ID;
use crate::comparison::{At, Comparison, FileComparison, FileSide};
use crate::detectors::report::{Draft, excerpt};
use crate::facts::{Astray, Named, Span};
use crate::finding::{Finding, Severity, Side};
use crate::pairing::Fate;
use crate::text::{contains, plural};

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let files =
        comparison.files.iter().filter_map(|file| Some((file.before.as_ref()?, file.after.as_ref()?)));
    let moved = files.clone().filter_map(|(before, after)| moved(before, after));
    let cut_out = comparison.files.iter().enumerate().filter_map(|(at, file)| cut_out(comparison, at, file));
    let undeclared = files.clone().flat_map(|(before, after)| undeclared(comparison, before, after));
    let abstracted = files.filter_map(|(before, after)| made_abstract(comparison, before, after));
    moved.chain(cut_out).chain(undeclared).chain(abstracted).collect()
}

/// A file with tests that went to where its runner does not look.
fn moved(before: &FileSide, after: &FileSide) -> Option<Finding> {
    let tests = after.facts.tests.len();
    if before.path == after.path || tests == 0 || before.facts.tests.is_empty() {
        return None;
    }
    let collection = &after.facts.collection;
    let told = collection.astray.as_ref().map(|it| it.why.as_str());
    let why = told.or(collection.unseen.as_deref())?;
    // Tests that ran in some places only still do.
    let was_limited = before.facts.tests.iter().all(|test| test.skip.is_some());
    if before.facts.collection.unseen.is_some() || was_limited {
        return None;
    }
    let message = format!("{} became {}, {why}: {}", before.path, after.path, plural(tests, "test"));
    Some(astray(message, &before.path, after))
}

/// A new file with tests that ran elsewhere before, at a place where their runner does not look.
fn cut_out(comparison: &Comparison, at: usize, file: &FileComparison) -> Option<Finding> {
    let (None, Some(after)) = (&file.before, &file.after) else { return None };
    let Astray { from, why } = after.facts.collection.astray.as_ref()?;
    let is_moved = |(before, fate): &&(At, Fate)| {
        let came = matches!(fate, Fate::Same { after, .. } if after.file == at);
        came && comparison.before(*before).1.skip.is_none()
    };
    let tests = comparison.pairing.fates.iter().filter(is_moved).count();
    let message = format!("{} moved from {from} to {}, {why}", plural(tests, "test"), after.path);
    (tests > 0).then(|| astray(message, from, after))
}

fn astray(message: String, from: &str, after: &FileSide) -> Finding {
    let draft = Draft {
        rule: ID,
        severity: Severity::High,
        confidence: 0.85,
        message,
        help: format!("move the tests back to {from}"),
    };
    let line = after.facts.tests.first().map_or(1, |test| test.line);
    let mut finding = draft.on(Side::After, after, line, from.to_owned());
    finding.after = excerpt(after, Span { start: line, end: line }, line, "this no longer runs everywhere");
    finding.lower(Severity::Medium, "settings of the runner may say otherwise");
    finding
}

/// Modules of tests that are no longer a part of the build while their file stays.
fn undeclared(comparison: &Comparison, before: &FileSide, after: &FileSide) -> Vec<Finding> {
    let named_after_tests = |part: &&Named| {
        let name = part.name.as_str();
        matches!(name, "test" | "tests") || name.ends_with("_test") || name.ends_with("_tests")
    };
    let gone = before.facts.collection.parts.iter().filter(named_after_tests).filter(|part| {
        // Nearly every file has tests of its own: only one that comes to declare the module takes it over.
        let stays = has(after, part) || comparison.files.iter().any(|file| comes_to_declare(file, part));
        !stays && !comparison.files.iter().any(|file| leaves(file, &part.name))
    });
    let finding = |Named { name, line }: &Named| {
        let draft = Draft {
            rule: ID,
            severity: Severity::High,
            confidence: 0.85,
            message: format!(
                "{} no longer declares the module {name}, so its tests are not built",
                after.path
            ),
            help: format!("declare {name} again in {}, or delete its file and say why", after.path),
        };
        let mut finding = draft.on(Side::Before, before, *line, format!("{}::{name}", before.path));
        finding.before = excerpt(before, Span { start: *line, end: *line }, *line, "this built the tests");
        finding
    };
    gone.map(finding).collect()
}

fn comes_to_declare(file: &FileComparison, part: &Named) -> bool {
    let declares = |side: &Option<FileSide>| {
        side.as_ref().is_some_and(|side| side.facts.collection.parts.iter().any(|it| it.name == part.name))
    };
    declares(&file.after) && !declares(&file.before)
}

/// Whether a file declares a module, or has its tests itself.
fn has(side: &FileSide, part: &Named) -> bool {
    side.facts.collection.parts.iter().any(|other| other.name == part.name)
        || side.facts.tests.iter().any(|test| test.suite.contains(&part.name))
}

/// Whether the file of a module goes, moves or changes its name.
fn leaves(file: &FileComparison, module: &str) -> bool {
    let path = |side: &Option<FileSide>| side.as_ref().map(|side| side.path.clone());
    let (before, after) = (path(&file.before), path(&file.after));
    before.as_ref().is_some_and(|path| is_file_of(path, module)) && before != after
}

/// `tests.rs` and `tests/mod.rs` are files of the module `tests`.
fn is_file_of(path: &str, module: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let folder = folders.rsplit('/').next().unwrap_or_default();
    stem == module || stem == "mod" && folder == module
}

/// A type with tests that nobody can make any more.
fn made_abstract(comparison: &Comparison, before: &FileSide, after: &FileSide) -> Option<Finding> {
    let known = |name: &str| before.facts.collection.abstract_types.iter().any(|old| old.name == name);
    let had_tests = |name: &String| {
        before.facts.tests.iter().any(|test| test.suite.contains(name) && test.skip.is_none())
    };
    let mut types = after.facts.collection.abstract_types.iter();
    let Named { name, line } = types.find(|new| !known(&new.name) && had_tests(&new.name))?;
    let others = comparison.files.iter().filter_map(|file| file.after.as_ref());
    if others.filter(|side| side.path != after.path).any(|side| contains(&side.text, name.as_bytes())) {
        return None;
    }
    let tests = after.facts.tests.iter().filter(|test| test.suite.contains(name)).count();
    let draft = Draft {
        rule: ID,
        severity: Severity::High,
        confidence: 0.85,
        message: format!(
            "{name} became abstract, so its {} only run in classes that extend it",
            plural(tests, "test")
        ),
        help: format!("take `abstract` out at {}:{line}, or add a class that extends it", after.path),
    };
    let mut finding = draft.on(Side::After, after, *line, format!("{}::{name}", after.path));
    finding.after = excerpt(after, Span { start: *line, end: *line }, *line, "nobody makes one of these");
    finding.lower(Severity::Medium, "classes outside of the change may extend it");
    Some(finding)
}
