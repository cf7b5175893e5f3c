//! The tree that a change results in: its base with the change put on top.

use std::sync::Arc;

use anyhow::Result;

use crate::collections::{HashMap, HashSet};
use crate::facts::FileFacts;
use crate::gate::facts::analyze_all;
use crate::gate::memo;
use crate::git::{ChangeSet, Content, File, ObjectId, RawChange, RepoPath, Repository};

/// So many files are looked through at most, and so many bytes of them, and so many at once.
const MAX_FILES: usize = 12_000;
const MAX_BYTES: usize = 48 << 20;
const CHUNK: usize = 256;

/// Where files can be looked for.
pub trait Source {
    /// The paths that there are.
    fn paths(&self) -> Vec<String>;

    /// Hands the texts of wanted files to `each` until it has enough; `false` where there are too many of them.
    fn read(
        &self,
        is_wanted: &dyn Fn(&str) -> bool,
        each: &mut dyn FnMut(&str, &[u8]) -> bool,
    ) -> Result<bool>;

    fn facts(&self, path: &str) -> Result<Option<Arc<FileFacts>>>;

    /// Whether it is the result of a merge: a parent may have moved any file.
    fn is_merged(&self) -> bool {
        false
    }
}

/// The result of a change in git, as far as it is kept there: what only stands on disk is in the comparison.
pub struct Outcome<'r> {
    repository: &'r Repository,
    files: Vec<(String, ObjectId)>,
    merged: bool,
}

impl<'r> Outcome<'r> {
    /// `None` where the change starts from nothing.
    pub fn of(repository: &'r Repository, change: &ChangeSet) -> Result<Option<Self>> {
        let Some(base) = &change.base else { return Ok(None) };
        let on_disk =
            change.changes.iter().flat_map(|change| change.before().into_iter().chain(change.after()));
        let gone: HashSet<&RepoPath> = match change.merge {
            Some(_) => HashSet::new(),
            None => on_disk.map(|file| &file.path).collect(),
        };
        let stays = |path: &RepoPath| !gone.contains(path);
        let outcome = Self::after(repository, base, &change.raw, stays)?;
        Ok(Some(Self { merged: change.merge.is_some(), ..outcome }))
    }

    /// What a list of changes makes of a commit.
    pub fn after(
        repository: &'r Repository,
        commit: &ObjectId,
        raw: &[RawChange],
        stays: impl Fn(&RepoPath) -> bool,
    ) -> Result<Self> {
        let changed: HashMap<&RepoPath, &RawChange> =
            raw.iter().map(|change| (&change.path, change)).collect();
        let kept = repository.list(commit)?.into_iter();
        // A patch names what it changes by its files alone.
        let kept = kept.filter(|(path, entry)| entry.is_file() && !changed.contains_key(path) && stays(path));
        let new = raw.iter().filter_map(|change| Some((change.path.clone(), change.after.clone()?)));
        let new = new.filter(|(path, entry)| entry.is_file() && stays(path));
        let files = kept.chain(new).map(|(path, entry)| (path.into_text(), entry.id)).collect();
        Ok(Self { repository, files, merged: false })
    }

    /// A commit as it is.
    pub fn at(repository: &'r Repository, commit: &ObjectId) -> Result<Self> {
        Self::after(repository, commit, &[], |_| true)
    }
}

impl Source for Outcome<'_> {
    fn paths(&self) -> Vec<String> {
        self.files.iter().map(|(path, _)| path.clone()).collect()
    }

    fn read(
        &self,
        is_wanted: &dyn Fn(&str) -> bool,
        each: &mut dyn FnMut(&str, &[u8]) -> bool,
    ) -> Result<bool> {
        let wanted: Vec<&(String, ObjectId)> =
            self.files.iter().filter(|(path, _)| is_wanted(path)).collect();
        if wanted.len() > MAX_FILES {
            return Ok(false);
        }
        let mut bytes = 0;
        for chunk in wanted.chunks(CHUNK) {
            let ids: Vec<&ObjectId> = chunk.iter().map(|(_, id)| id).collect();
            let texts = memo::texts(&ids, |ids| self.repository.blobs(ids))?;
            for ((path, _), text) in chunk.iter().zip(texts) {
                bytes += text.len();
                if !each(path, &text) {
                    return Ok(true);
                }
            }
            if bytes > MAX_BYTES {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn facts(&self, path: &str) -> Result<Option<Arc<FileFacts>>> {
        let Some((path, id)) = self.files.iter().find(|(other, _)| other == path) else { return Ok(None) };
        let file = File { path: RepoPath::new(path.as_str()), content: Content::Blob(id.clone()) };
        Ok(analyze_all(self.repository, &[&file])?.pop().map(|file| file.facts))
    }

    fn is_merged(&self) -> bool {
        self.merged
    }
}
