//! Content as a tree and what differs from it, and how two contents differ.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};

use crate::collections::HashMap;
use crate::git::{Entry, ObjectId, RawChange, RepoPath, Repository};

/// What stands at these paths instead of what the tree has; `None` where the file is gone.
pub type Delta = BTreeMap<RepoPath, Option<Entry>>;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Content {
    /// `None` is the empty tree.
    pub tree: Option<ObjectId>,
    pub delta: Delta,
}

impl Content {
    pub fn new(tree: Option<ObjectId>, changes: &[RawChange]) -> Self {
        let delta = changes.iter().map(|change| (change.path.clone(), change.after.clone())).collect();
        Self { tree, delta }
    }
}

/// A path at which two contents differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub path: RepoPath,
    pub tested: Option<Entry>,
    pub wanted: Option<Entry>,
}

/// What two trees hold at a path.
type Sides = (Option<Entry>, Option<Entry>);

/// Compares contents with one that is wanted; trees are compared once.
pub struct Comparer<'a> {
    repository: &'a Repository,
    wanted: &'a Content,
    /// How trees differ from the wanted one, wanted side first; `None` for trees that are no longer here.
    trees: HashMap<Option<ObjectId>, Option<BTreeMap<RepoPath, Sides>>>,
}

impl<'a> Comparer<'a> {
    pub fn new(repository: &'a Repository, wanted: &'a Content) -> Self {
        Self { repository, wanted, trees: HashMap::new() }
    }

    /// How many trees were compared so far.
    pub fn compared(&self) -> usize {
        self.trees.len()
    }

    /// Where `tested` differs from what is wanted, among the paths that count. `None` where that can no longer be told.
    pub fn differences(
        &mut self,
        tested: &Content,
        counts: &dyn Fn(&str) -> bool,
    ) -> Result<Option<Vec<Difference>>> {
        let (repository, wanted) = (self.repository, self.wanted);
        let trees = self
            .trees
            .entry(tested.tree.clone())
            .or_insert_with(|| between(repository, wanted.tree.as_ref(), tested.tree.as_ref()));
        let Some(trees) = trees else { return Ok(None) };
        let paths: BTreeSet<&RepoPath> =
            tested.delta.keys().chain(wanted.delta.keys()).chain(trees.keys()).collect();
        let mut found = Vec::new();
        for path in paths.into_iter().filter(|path| counts(&path.text())) {
            let base = || base_entry(repository, wanted.tree.as_ref(), path);
            let sides = trees.get(path);
            let wanted = match (wanted.delta.get(path), sides) {
                (Some(entry), _) => entry.clone(),
                (None, Some((entry, _))) => entry.clone(),
                (None, None) => base()?,
            };
            let tested = match (tested.delta.get(path), sides) {
                (Some(entry), _) => entry.clone(),
                (None, Some((_, entry))) => entry.clone(),
                (None, None) => base()?,
            };
            if tested != wanted {
                found.push(Difference { path: path.clone(), tested, wanted });
            }
        }
        Ok(Some(found))
    }
}

fn base_entry(repository: &Repository, tree: Option<&ObjectId>, path: &RepoPath) -> Result<Option<Entry>> {
    match tree {
        Some(tree) => repository.entry(tree, path),
        None => Ok(None),
    }
}

fn between(
    repository: &Repository,
    wanted: Option<&ObjectId>,
    tested: Option<&ObjectId>,
) -> Option<BTreeMap<RepoPath, Sides>> {
    let changes = match (wanted, tested) {
        (one, other) if one == other => Vec::new(),
        (_, Some(tested)) => repository.diff(wanted, tested).ok()?,
        (Some(wanted), None) => {
            let added = repository.diff(None, wanted).ok()?;
            added
                .into_iter()
                .map(|change| RawChange { before: change.after, after: None, ..change })
                .collect()
        }
        (None, None) => Vec::new(),
    };
    Some(changes.into_iter().map(|change| (change.path, (change.before, change.after))).collect())
}

/// One line for each path: `mode id path`, or `- path` for one that is gone.
pub fn delta_to_lines(delta: &Delta) -> Vec<String> {
    let line = |(path, entry): (&RepoPath, &Option<Entry>)| match entry {
        Some(entry) => format!("{:06o} {} {}", entry.mode, entry.id, escape(path)),
        None => format!("- {}", escape(path)),
    };
    delta.iter().map(line).collect()
}

pub fn delta_from_lines(lines: &[String]) -> Result<Delta> {
    let parse = |line: &String| {
        if let Some(path) = line.strip_prefix("- ") {
            return Some((unescape(path)?, None));
        }
        let (mode, rest) = line.split_once(' ')?;
        let (id, path) = rest.split_once(' ')?;
        let entry = Entry { mode: u32::from_str_radix(mode, 8).ok()?, id: ObjectId::parse(id)? };
        Some((unescape(path)?, Some(entry)))
    };
    lines.iter().map(|line| parse(line).with_context(|| format!("`{line}` is no line of a delta"))).collect()
}

/// A path as text that a line can hold, whatever bytes it has.
fn escape(path: &RepoPath) -> String {
    let mut out = String::new();
    for chunk in path.as_bytes().utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' => out.push_str("\\\\"),
                c if c.is_control() => out.extend(c.to_string().bytes().map(|byte| format!("\\x{byte:02x}"))),
                c => out.push(c),
            }
        }
        out.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    out
}

fn unescape(text: &str) -> Option<RepoPath> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'\\' {
            bytes.push(byte);
        } else if let Some(after) = rest.strip_prefix(b"\\") {
            bytes.push(b'\\');
            rest = after;
        } else {
            let (digits, after) = rest.strip_prefix(b"x")?.split_at_checked(2)?;
            bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
            rest = after;
        }
    }
    Some(RepoPath::new(bytes))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_delta_survives_its_lines(paths in prop::collection::btree_map(prop::collection::vec(any::<u8>(), 1..20), any::<bool>(), 0..10)) {
            let id = ObjectId::parse(&"a".repeat(40)).unwrap();
            let entry = |there: bool| there.then(|| Entry { mode: 0o100_644, id: id.clone() });
            let delta: Delta = paths.into_iter().map(|(path, there)| (RepoPath::new(path), entry(there))).collect();
            let lines = delta_to_lines(&delta);
            prop_assert!(lines.iter().all(|line| !line.contains(|c: char| c.is_control())));
            prop_assert_eq!(delta_from_lines(&lines).unwrap(), delta);
        }
    }

    #[test]
    fn a_line_that_is_none_is_an_error() {
        for line in ["", "100644 nonsense a.py", "100644", "- \\x", "- \\xzz"] {
            assert!(delta_from_lines(&[line.to_owned()]).is_err(), "{line}");
        }
    }
}
