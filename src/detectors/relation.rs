//! Whether the production code that changes has anything to do with a test: only then can it explain what becomes of it.
//!
//! A test has to do with code if it names a function that differs, or one of the same files that leads to it, if the
//! changed assertion has a word of the lines that differ, or if it is the test of a file of which no single function can be
//! told to differ.

use super::context::context;
use super::evidence::is_word_of_checks;
use crate::collections::HashSet;
use crate::comparison::{Comparison, FileSide, Touched};
use crate::facts::Test;
use crate::finding::{Finding, Severity};
use crate::similarity::hash;
use crate::text::{contains, name_words};

/// What a finding is about.
#[derive(Clone, Copy)]
pub struct About<'a> {
    /// The file of the test as it was.
    pub side: &'a FileSide,
    pub test: Option<&'a Test>,
    /// What the lost or changed lines said.
    pub text: &'a str,
}

pub const EXPLAINS: &str = "production code changes with it, so what is right may have changed too";
const UNRELATED: &str = "the production code that changes with it names nothing that the test speaks of";

/// Lowers a finding for the production code that changes with it: to `with_code` where that code may explain it, to a
/// warning where it cannot.
pub fn lower(comparison: &Comparison, finding: &mut Finding, with_code: Severity, about: About<'_>) {
    match explains(comparison.touched(), about) {
        true => finding.lower(with_code, EXPLAINS),
        false => finding.lower(with_code.max(Severity::Medium), UNRELATED),
    }
}

/// Files that say how a module is built, and with what it is delivered.
pub const BUILD_FILES: &[&str] = &[
    "pom.xml",
    "Cargo.toml",
    "package.json",
    "go.mod",
    "build.gradle",
    "build.gradle.kts",
    "pyproject.toml",
    "setup.py",
];

/// Shorter texts stand in many places of a build.
const QUOTED: usize = 8;

/// Whether a text that some lines of a test quote stands where the files of the build differ.
pub fn is_built_otherwise(comparison: &Comparison, text: &str) -> bool {
    let quoted = text.split(['"', '\'', '`']).skip(1).step_by(2).filter(|quoted| quoted.len() >= QUOTED);
    let quoted: Vec<&str> = quoted.filter(|quoted| !quoted.contains(' ')).collect();
    let is_build =
        |side: &FileSide| BUILD_FILES.contains(&side.path.rsplit('/').next().unwrap_or(&side.path));
    let builds = comparison.files.iter().filter_map(|file| file.before.as_ref().zip(file.after.as_ref()));
    !quoted.is_empty()
        && builds.filter(|(before, _)| is_build(before)).any(|(before, after)| {
            let unlike = [before.lines_unlike(after), after.lines_unlike(before)];
            unlike.iter().any(|lines| quoted.iter().any(|quoted| contains(lines, quoted.as_bytes())))
        })
}

/// Whether production code in other files than that of a test loses lines in what it names, and none come.
pub fn loses_subject(comparison: &Comparison, about: About<'_>) -> bool {
    let touched = comparison.touched();
    comparison.production.only_loses
        && !touched.is_open
        && !touched.paths.contains(&about.side.path)
        && names_touched(touched, about)
}

/// Names of files and folders that say nothing about what is in them.
const ANY: &[&str] = &[
    "src", "lib", "main", "index", "mod", "init", "core", "common", "util", "utils", "helper", "helpers",
    "types", "base", "internal", "packages", "java", "org", "com", "app", "api", "pkg", "crates",
];

/// Shorter words of a changed line are found anywhere.
const MIN_WORD: usize = 4;

/// Words of many assertions and of much code.
const USUAL: &str = "\
    await async class code content contains count equal equals exists false file files first format have input into item \
    items json kind last line lines main message method node none null only output parse part raises read response root \
    pytest unittest jest vitest mocha junit testing run self should some source start state status super target text that then this token true update user version with";

/// More words on the lines that differ are a rework, which may reach any test.
const REWORK: usize = 300;

fn explains(touched: &Touched, about: About<'_>) -> bool {
    if touched.is_open || touched.words.len() > REWORK || names_touched(touched, about) {
        return true;
    }
    let near = touched.paths.iter().any(|path| is_near(path, about.side));
    if near && touched.definitions.is_empty() {
        return true;
    }
    // In the test of a file, any word will do; elsewhere only those of what is asserted.
    let spoken = |word: &str| touched.words.contains(&hash(word.as_bytes()));
    let words = about.text.split(|c: char| !is_name_part(c));
    words.filter(|word| word.len() >= MIN_WORD && !is_usual(word)).any(spoken)
        || near
            && about.test.is_none_or(|test| {
                touched.words.iter().filter(|word| test.words.has_hash(**word)).count() >= MANY
            })
}

/// Whether a test, what is around it or its title names a definition that differs, or one that leads to it.
fn names_touched(touched: &Touched, about: About<'_>) -> bool {
    let lines = about.test.map(|test| context(about.side, test)).unwrap_or_default();
    let around: Vec<&str> = lines.iter().flat_map(|line| line.split(|c: char| !is_name_part(c))).collect();
    let says = |name: &String| match about.test {
        Some(test) => test.words.contains(name) || around.contains(&name.as_str()),
        None => about.side.facts.names.contains(name),
    };
    let title = title(about);
    let is_in_title = |name: &String| {
        name_words(name).iter().any(|word| word.len() >= MIN_WORD && !is_usual(word) && title.contains(word))
    };
    let mut definitions = touched.definitions.iter().filter(|name| !is_usual(name));
    definitions.any(|name| says(name) || is_in_title(name))
}

/// So many words that the test of a file has in common with the lines of it that differ are no coincidence.
const MANY: usize = 6;

/// The words of the name of a test and of its file.
fn title(about: About<'_>) -> HashSet<String> {
    let file = about.side.path.rsplit('/').next().unwrap_or_default();
    let mut words = name_words(file.split('.').next().unwrap_or_default());
    words.extend(about.test.iter().flat_map(|test| name_words(&test.qualified_name())));
    words
}

fn is_usual(word: &str) -> bool {
    let lower = word.to_lowercase();
    is_word_of_checks(word)
        || word.starts_with(|c: char| c.is_ascii_digit())
        || USUAL.split_whitespace().any(|usual| usual == lower)
}

/// Whether a file of code is what a test file is about, by its place, its name or an import.
fn is_near(path: &str, side: &FileSide) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let (own_folder, own_name) = side.path.rsplit_once('/').unwrap_or(("", &side.path));
    if path == side.path || folder == own_folder {
        return true;
    }
    let stem = |name: &str| name.split('.').next().unwrap_or_default().to_owned();
    let says_nothing = |stem: &str| ANY.contains(&stem.trim_matches('_').to_lowercase().as_str());
    let own = name_words(&stem(own_name));
    let parents = folder.rsplit('/').next().map(str::to_owned);
    let Some(stem) = std::iter::once(stem(name)).chain(parents).find(|stem| !says_nothing(stem)) else {
        return false;
    };
    let code = name_words(&stem);
    !code.is_empty() && code.is_subset(&own) || side.facts.names.contains(&stem)
}

fn is_name_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}
