//! The code hash: one digest for everything that decides what the tests of a suite do.

use std::collections::BTreeMap;

use anyhow::Result;

use super::Content;
use crate::digest::Hasher;
use crate::git::{Entry, RepoPath, Repository};

/// SHA-256 over the sorted manifest (path, mode, blob) of the files that count.
pub fn code_hash(
    repository: &Repository,
    content: &Content,
    counts: &dyn Fn(&str) -> bool,
) -> Result<String> {
    let listed = match &content.tree {
        Some(tree) => repository.list(tree)?,
        None => Vec::new(),
    };
    let mut files: BTreeMap<RepoPath, Option<Entry>> =
        listed.into_iter().map(|(path, entry)| (path, Some(entry))).collect();
    files.extend(content.delta.clone());
    let mut manifest = Hasher::default();
    let there = files.iter().filter_map(|(path, entry)| Some((path, entry.as_ref()?)));
    for (path, entry) in there.filter(|(path, _)| counts(&path.text())) {
        manifest.part(path.as_bytes()).part(format!("{:06o}", entry.mode)).part(entry.id.as_str());
    }
    Ok(manifest.named())
}
