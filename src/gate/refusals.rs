//! What files beside a changed one still refuse, where that one refuses less: a check may be gone because another place
//! makes it too.

use std::sync::Arc;

use anyhow::Result;

use super::facts::Analyzed;
use super::surroundings::{Base, pairs};
use crate::collections::HashSet;
use crate::facts::{Exit, FileFacts, Refusal};
use crate::git::Change;
use crate::languages::language_of;
use crate::paths::{PathClass, class_by_name};

/// So many files of a folder are looked at, and so many of them read as a whole.
const MAX_FILES: usize = 60;
const MAX_READ: usize = 4;

/// So many refusals of a file beside are kept.
const MAX_KEPT: usize = 80;

/// Shorter names stand for many things.
const MIN_NAME: usize = 8;

/// Completes the before sides of production files that refuse less after the change; `files` in the order of the
/// changes, the before side first.
pub fn complete(
    changes: &[&Change],
    files: &mut [Analyzed],
    is_production: impl Fn(&str) -> bool,
    base: &dyn Base,
) -> Result<()> {
    let mut touched: Option<HashSet<String>> = None;
    for (before, after) in pairs(changes, files.len()) {
        let (Some(before), Some(after)) = (before, after) else { continue };
        // A refusal that is only reworded is no loss: most changes stop here.
        let fewer = refusing(&files[after].facts).count() < refusing(&files[before].facts).count();
        if !fewer || !is_production(&files[before].path) {
            continue;
        }
        let names = asked_by_lost(&files[before], &files[after].facts);
        if names.is_empty() {
            continue;
        }
        let touched = touched.get_or_insert_with(|| files.iter().map(|file| file.path.clone()).collect());
        let refusals = beside(&files[before].path, &names, touched, base)?;
        if !refusals.is_empty() {
            let facts = Arc::make_mut(&mut files[before].facts);
            facts.surroundings.get_or_insert_default().refusals = refusals;
        }
    }
    Ok(())
}

/// The names by which the checks that a file lost asked, those that are long enough to be looked for.
fn asked_by_lost(before: &Analyzed, after: &FileFacts) -> HashSet<String> {
    let kept: HashSet<&str> = refusing(after).map(|exit| exit.text.as_str()).collect();
    let mut names = HashSet::new();
    for exit in refusing(&before.facts).filter(|exit| !kept.contains(exit.text.as_str())) {
        let lines = before.text.split(|byte| *byte == b'\n');
        let (first, last) = (exit.span.start.max(1) as usize - 1, exit.span.end as usize);
        for line in lines.skip(first).take((last - first).min(8)) {
            let line = String::from_utf8_lossy(line);
            let parts = line.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            names.extend(parts.filter(|name| name.len() >= MIN_NAME).map(str::to_owned));
        }
    }
    names
}

fn refusing(facts: &FileFacts) -> impl Iterator<Item = &Exit> {
    facts.functions.iter().flat_map(|function| &function.exits).filter(|exit| exit.kind.refuses())
}

/// What the files of the same folder refuse that know one of the names.
fn beside(
    path: &str,
    names: &HashSet<String>,
    touched: &HashSet<String>,
    base: &dyn Base,
) -> Result<Vec<Refusal>> {
    let Some(language) = language_of(path) else { return Ok(Vec::new()) };
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let (mut found, mut read) = (Vec::new(), 0);
    for name in base.files_in(folder, MAX_FILES)? {
        let other = if folder.is_empty() { name } else { format!("{folder}/{name}") };
        let is_like = language_of(&other).is_some_and(|like| std::ptr::eq(like, language));
        if !is_like || touched.contains(&other) || class_by_name(&other) == PathClass::Test {
            continue;
        }
        let Some(words) = base.words(&other)? else { continue };
        if !names.iter().any(|name| words.contains(name)) {
            continue;
        }
        let Some(facts) = base.facts(&other)? else { continue };
        let told = refusing(&facts).filter(|exit| exit.text.contains(['"', '\'', '`'])).take(MAX_KEPT);
        found.extend(told.map(|exit| Refusal {
            path: other.clone(),
            line: exit.line,
            text: exit.text.clone(),
        }));
        read += 1;
        if read == MAX_READ {
            break;
        }
    }
    Ok(found)
}
