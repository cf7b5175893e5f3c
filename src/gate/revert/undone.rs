//! Whether what a change takes out of some files, and out of production code, came with one and the same earlier commit. Unlike
//! whole files that go back to what they were, lines are compared: both may have been edited since.

use std::collections::BTreeSet;

use anyhow::Result;

use super::BACK;
use crate::collections::HashMap;
use crate::comparison::{Comparison, FileComparison, FileSide};
use crate::git::{ChangeSet, Entry, ObjectId, RepoPath, Repository};
use crate::paths::PathClass;

/// So much of what changes in the files in question, and in the production code, is the opposite of what the commit did.
const OPPOSITE: f64 = 0.8;
/// So much of what the commit brought to that production code goes.
const TAKEN_BACK: f64 = 0.5;

/// The commit that brought what goes from each path, of those where there is one.
pub fn find(
    repository: &Repository,
    change: &ChangeSet,
    comparison: &Comparison,
    wanted: &BTreeSet<String>,
) -> HashMap<String, ObjectId> {
    let edits: HashMap<&str, Edit> = comparison.files.iter().filter_map(Edit::of_file).collect();
    let is_code = |file: &&FileComparison| {
        file.class == PathClass::Production && file.before.iter().any(|side| !side.facts.language.is_empty())
    };
    let code = comparison.files.iter().filter(is_code).filter_map(|file| file.before.as_ref());
    let code: Vec<&str> = code.map(|side| side.path.as_str()).collect();
    let mut open: Vec<&str> = wanted.iter().map(String::as_str).collect();
    open.retain(|path| edits.contains_key(path));
    let mut found = HashMap::new();
    let Some(mut commit) = change.base.clone() else { return found };
    for _ in 0..BACK {
        if open.is_empty() || code.is_empty() {
            break;
        }
        let Some(parent) = repository.parents(&commit).ok().and_then(|parents| parents.into_iter().next())
        else {
            break;
        };
        let step = Step { repository, parent: &parent, commit: &commit };
        open.retain(|path| {
            let undone = step.brought(path, &edits).unwrap_or(false)
                && step.brought_most(&code, &edits).unwrap_or(false);
            if undone {
                found.insert((*path).to_owned(), commit.clone());
            }
            !undone
        });
        commit = parent;
    }
    found
}

/// One earlier commit.
struct Step<'s> {
    repository: &'s Repository,
    parent: &'s ObjectId,
    commit: &'s ObjectId,
}

impl Step<'_> {
    /// Whether the change does the opposite of what the commit did to a file.
    fn brought(&self, path: &str, edits: &HashMap<&str, Edit>) -> Result<bool> {
        let (Some(now), Some(then)) = (edits.get(path), self.edit(path)?) else { return Ok(false) };
        Ok(now.undone(&then) as f64 >= OPPOSITE * now.len() as f64)
    }

    /// The same of all files of production code together, and most of what the commit brought to them goes.
    fn brought_most(&self, paths: &[&str], edits: &HashMap<&str, Edit>) -> Result<bool> {
        let (mut undone, mut now_all, mut then_all) = (0, 0, 0);
        for path in paths {
            let Some(now) = edits.get(path) else { continue };
            now_all += now.len();
            if let Some(then) = self.edit(path)? {
                undone += now.undone(&then);
                then_all += then.len();
            }
        }
        let undone = undone as f64;
        Ok(undone > 0.0 && undone >= OPPOSITE * now_all as f64 && undone >= TAKEN_BACK * then_all as f64)
    }

    /// What the commit did to a file; `None` where it left it alone.
    fn edit(&self, path: &str) -> Result<Option<Edit>> {
        let entry = |commit| self.repository.entry(commit, &RepoPath::new(path));
        let (before, after) = (entry(self.parent)?, entry(self.commit)?);
        let id = |entry: &Option<Entry>| entry.as_ref().map(|entry| entry.id.clone());
        if id(&before) == id(&after) {
            return Ok(None);
        }
        // What would have to be fetched is not worth it.
        let text =
            |id: Option<ObjectId>| id.and_then(|id| self.repository.blob_here(&id)).unwrap_or_default();
        Ok(Some(Edit::between(&text(id(&before)), &text(id(&after)))))
    }
}

/// The lines that go and those that come, blank ones aside, with how often.
#[derive(Default)]
struct Edit {
    gone: HashMap<Vec<u8>, usize>,
    new: HashMap<Vec<u8>, usize>,
}

impl Edit {
    fn of_file(file: &FileComparison) -> Option<(&str, Self)> {
        let before = file.before.as_ref()?;
        let after = file.after.as_ref().map_or(&[][..], |side: &FileSide| &side.text);
        Some((before.path.as_str(), Self::between(&before.text, after)))
    }

    fn between(before: &[u8], after: &[u8]) -> Self {
        let (before, after) = (counts(before), counts(after));
        Self { gone: surplus(&before, &after), new: surplus(&after, &before) }
    }

    fn len(&self) -> usize {
        self.gone.values().chain(self.new.values()).sum()
    }

    /// How many lines of this edit are the opposite of an earlier one.
    fn undone(&self, then: &Self) -> usize {
        common(&self.gone, &then.new) + common(&self.new, &then.gone)
    }
}

fn counts(text: &[u8]) -> HashMap<&[u8], usize> {
    let mut counts = HashMap::new();
    for line in text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty()) {
        *counts.entry(line).or_default() += 1;
    }
    counts
}

fn surplus(of: &HashMap<&[u8], usize>, over: &HashMap<&[u8], usize>) -> HashMap<Vec<u8>, usize> {
    let left =
        of.iter().map(|(line, count)| (line, count.saturating_sub(over.get(line).copied().unwrap_or(0))));
    left.filter(|(_, count)| *count > 0).map(|(line, count)| (line.to_vec(), count)).collect()
}

fn common(one: &HashMap<Vec<u8>, usize>, other: &HashMap<Vec<u8>, usize>) -> usize {
    one.iter().map(|(line, count)| (*count).min(other.get(line).copied().unwrap_or(0))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_is_undone_line_by_line() {
        let then = Edit::between(b"a\nb\n", b"a\nc\n\nd\n");
        let now = Edit::between(b"a\nc\nd\ne\n", b"a\n  b\ne\n");
        assert_eq!((now.len(), now.undone(&then)), (3, 3));
        assert_eq!(Edit::between(b"a\ne\n", b"a\n").undone(&then), 0);
    }
}
