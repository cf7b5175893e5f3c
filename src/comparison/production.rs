//! What happened to the code that tests are about.

use super::code::LineStart;
use super::{FileComparison, FileSide};
use crate::collections::{HashMap, HashSet};
use crate::facts::{Definition, DefinitionKind, Health};
use crate::pairing::Candidates;
use crate::paths::PathClass;
use crate::policy::waivers::FILE_NAME as WAIVERS;
use crate::similarity::Body;

/// What happened to the code that tests are about.
#[derive(Debug, Default)]
pub struct Production {
    pub changed: bool,
    /// Names that were defined before and no longer are.
    pub removed_definitions: HashSet<String>,
    /// Names that are defined in fewer places than before: the getter of a pair, or one of two methods.
    pub fewer_definitions: HashSet<String>,
    /// Hashes of names that production code used before and no file of the change uses after.
    pub vanished: HashSet<u64>,
    /// Whether the change takes code away and puts next to nothing in its place.
    pub only_shrinks: bool,
    /// Whether lines of code go and none comes.
    pub only_loses: bool,
}

impl Production {
    /// Whether no name leaves the code.
    pub fn leaves_all(&self) -> bool {
        self.removed_definitions.is_empty() && self.vanished.is_empty()
    }

    pub(super) fn of(files: &[FileComparison]) -> Self {
        let production = || files.iter().filter(|file| file.class == PathClass::Production);
        let changed = production().any(|file| !is_setup(file) && !equal_code(file));
        let after_definitions: HashSet<&str> =
            files.iter().filter_map(|file| file.after.as_ref()).flat_map(defined_names).collect();
        let before_names = production().filter_map(|file| file.before.as_ref()).flat_map(defined_names);
        let mut removed_definitions: HashSet<String> =
            before_names.filter(|name| !after_definitions.contains(name)).map(str::to_owned).collect();
        let renamed = renamed_functions(files);
        removed_definitions.retain(|name| !renamed.contains(name));
        let mut fewer_definitions = fewer_definitions(files);
        fewer_definitions.retain(|name| !renamed.contains(name));
        let after_names: HashSet<u64> = files
            .iter()
            .filter_map(|file| file.after.as_ref())
            .flat_map(|side| side.facts.names.iter())
            .collect();
        let before_names =
            production().filter_map(|file| file.before.as_ref()).flat_map(|side| side.facts.names.iter());
        let mut vanished: HashSet<u64> = before_names.filter(|name| !after_names.contains(name)).collect();
        for name in &renamed {
            vanished.remove(&crate::similarity::hash(name.as_bytes()));
        }
        let (gone, new) =
            if changed { lines_moved(files.iter().filter(|file| is_code(file))) } else { (0, 0) };
        let (only_shrinks, only_loses) = (changed && gone >= SHRINKS * new.max(1), gone > 0 && new == 0);
        Self { changed, removed_definitions, fewer_definitions, vanished, only_shrinks, only_loses }
    }
}

fn fewer_definitions(files: &[FileComparison]) -> HashSet<String> {
    let mut counts: HashMap<&str, isize> = HashMap::new();
    for file in files.iter().filter(|file| file.class == PathClass::Production) {
        for name in file.before.iter().flat_map(defined_names) {
            *counts.entry(name).or_default() += 1;
        }
        for name in file.after.iter().flat_map(defined_names) {
            *counts.entry(name).or_default() -= 1;
        }
    }
    counts.into_iter().filter(|(_, gone)| *gone > 0).map(|(name, _)| name.to_owned()).collect()
}

/// So many lines go for each one that comes, where code is only taken away.
const SHRINKS: usize = 5;

/// Code that is no test: also what only helps tests.
fn is_code(file: &FileComparison) -> bool {
    let sides = || file.before.iter().chain(&file.after);
    let read = sides().any(|side| !side.facts.language.is_empty());
    read && (file.class == PathClass::Production || sides().all(|side| side.facts.tests.is_empty()))
}

/// How many lines of code go, and how many come.
fn lines_moved<'f>(files: impl Iterator<Item = &'f FileComparison>) -> (usize, usize) {
    let (mut gone, mut new) = (0, 0);
    for file in files {
        let (before, after) = (file.before.as_ref(), file.after.as_ref());
        let alike = before.zip(after).map_or((0, 0), |(before, after)| alike(&before.text, &after.text));
        let (before, after) = (line_counts(before, alike), line_counts(after, alike));
        gone += surplus(&before, &after);
        new += surplus(&after, &before);
    }
    (gone, new)
}

/// How many lines two texts have in common at their beginning, and how many bytes of whole lines at their end.
fn alike(one: &[u8], other: &[u8]) -> (usize, usize) {
    let lines = |text| <[u8]>::split_inclusive(text, |&byte| byte == b'\n');
    let same = lines(one).zip(lines(other)).take_while(|(one, other)| one == other);
    let (head, bytes) = same.fold((0, 0), |(lines, bytes), (line, _)| (lines + 1, bytes + line.len()));
    let rest = lines(&one[bytes..]).rev().zip(lines(&other[bytes..]).rev());
    let tail = rest.take_while(|(one, other)| one == other).map(|(line, _)| line.len()).sum();
    (head, tail)
}

/// How often each line that is not blank stands in the code of a side, its tests aside, and what is alike at the ends.
fn line_counts(side: Option<&FileSide>, (head, tail): (usize, usize)) -> HashMap<&[u8], usize> {
    let mut counts = HashMap::new();
    let Some(side) = side else { return counts };
    let mut tests = side.facts.tests.iter().peekable();
    let text = &side.text[..side.text.len() - tail];
    for (number, line) in (1..).zip(text.split(|&byte| byte == b'\n')).skip(head) {
        while tests.next_if(|test| test.span.end < number).is_some() {}
        let in_test = tests.peek().is_some_and(|test| test.span.start <= number);
        let line = line.trim_ascii();
        if !line.is_empty() && !in_test {
            *counts.entry(line).or_default() += 1;
        }
    }
    counts
}

/// How many lines one side has and the other has not.
fn surplus(of: &HashMap<&[u8], usize>, over: &HashMap<&[u8], usize>) -> usize {
    of.iter().map(|(line, count)| count.saturating_sub(over.get(line).copied().unwrap_or(0))).sum()
}

/// The old names of functions that live on under a new name.
fn renamed_functions(files: &[FileComparison]) -> HashSet<String> {
    let production = || files.iter().filter(|file| file.class == PathClass::Production);
    let old = || production().filter_map(|file| file.before.as_ref()).flat_map(functions);
    let new = || production().filter_map(|file| file.after.as_ref()).flat_map(functions);
    let old_names: HashSet<&str> = old().map(|function| function.name.as_str()).collect();
    let new_names: HashSet<&str> = new().map(|function| function.name.as_str()).collect();
    let added: Vec<&Body> = new()
        .filter(|function| !old_names.contains(function.name.as_str()))
        .map(|function| &function.body)
        .collect();
    if added.is_empty() {
        return HashSet::new();
    }
    let candidates = Candidates::new(added);
    let lives_on = |body: &Body| candidates.like(body).first().is_some_and(|&(_, alike)| alike >= RENAMED);
    let gone = old().filter(|function| !new_names.contains(function.name.as_str()));
    gone.filter(|function| lives_on(&function.body)).map(|function| function.name.clone()).collect()
}

fn functions(side: &FileSide) -> impl Iterator<Item = &Definition> {
    let worth_comparing = |definition: &&Definition| {
        definition.kind == DefinitionKind::Function && definition.body.len() >= MIN_BODY
    };
    side.facts.definitions.iter().filter(worth_comparing)
}

/// How alike the bodies of a function under two names are.
const RENAMED: f64 = 0.8;
/// Shorter bodies are alike by chance.
const MIN_BODY: usize = 8;

/// Whether the file says how things are built, run and checked: no test is about that.
pub(super) fn is_setup(file: &FileComparison) -> bool {
    let is_hidden = |path: &str| path.split('/').any(|part| part.starts_with('.'));
    let is_one =
        |side: &FileSide| side.facts.project.is_some() || side.path == WAIVERS || is_hidden(&side.path);
    file.before.iter().chain(&file.after).all(is_one) && !changes_versions(file)
}

/// Whether a line with the number of a version differs: other versions of what the code is built on change what it does.
fn changes_versions(file: &FileComparison) -> bool {
    let (Some(before), Some(after)) = (&file.before, &file.after) else { return false };
    let versions = |side: &FileSide| -> Vec<Vec<u8>> {
        let lines = side.text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
        lines.filter(|line| has_version(line)).map(<[u8]>::to_vec).collect()
    };
    versions(before) != versions(after)
}

/// `1.2` in a line.
fn has_version(line: &[u8]) -> bool {
    line.windows(3).any(|three| matches!(three, [a, b'.', b] if a.is_ascii_digit() && b.is_ascii_digit()))
}

/// Whether two sides of a file say the same, comments and tests aside. What no language reads differs, or it would not be
/// in the change.
fn equal_code(file: &FileComparison) -> bool {
    let read = |side: &FileSide| matches!(side.facts.health, Health::Clean | Health::Partial);
    match (&file.before, &file.after) {
        (Some(before), Some(after)) if read(before) && read(after) => {
            let same = crate::similarity::same_code;
            same(&before.text, &after.text)
                || before.has_tests() && same(&before.without_tests(), &after.without_tests())
                || code_is_equal(before, after)
        }
        _ => false,
    }
}

fn code_is_equal(before: &FileSide, after: &FileSide) -> bool {
    let from = LineStart::of_difference(&before.text, &after.text);
    before.code_alone(from).eq(after.code_alone(from))
}

fn defined_names(side: &FileSide) -> impl Iterator<Item = &str> {
    let production = side.facts.definitions.iter().filter(|definition| !definition.in_suite);
    production.map(|definition| definition.name.as_str()).filter(|name| name.len() >= MIN_NAME)
}

/// Shorter names say too little: `T`, `fn`, `x1`.
const MIN_NAME: usize = 3;
