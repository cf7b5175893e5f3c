//! The change that is judged: which files differ, and how to read both sides.

use std::collections::BTreeSet;
use std::sync::Arc;

use anyhow::{Context, Result, bail};

use super::object::{Entry, ObjectId, RawChange, RepoPath};
use super::renames::{self, Candidate};
use super::repository::Repository;
use super::{blame, patch, worktree};
use crate::collections::HashMap;

/// Which change to look at.
#[derive(Clone, Debug)]
pub enum Selection {
    /// The index against HEAD, and against the heads of a merge under way.
    Staged,
    /// The index as the result of merging these commits into HEAD.
    StagedMerge(Vec<ObjectId>),
    Commit(String),
    /// `A..B`, judged as one change from their merge base.
    Range(String),
    /// The files on disk, tracked and untracked, against HEAD.
    Worktree,
    /// A unified diff; only the sides it shows are known.
    Patch(Vec<u8>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    Staged,
    Commit,
    Range,
    Worktree,
    Patch,
}

impl ChangeKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Staged => "staged",
            Self::Commit => "commit",
            Self::Range => "range",
            Self::Worktree => "worktree",
            Self::Patch => "patch",
        }
    }
}

/// One file on one side.
#[derive(Clone, Debug)]
pub struct File {
    pub path: RepoPath,
    pub content: Content,
}

impl File {
    /// Whether a language pack reads files of this name.
    pub fn is_source(&self) -> bool {
        crate::languages::language_of(&self.path.text()).is_some()
    }
}

/// Where the bytes of a file are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Content {
    Blob(ObjectId),
    Bytes(Arc<[u8]>),
    /// A symbolic link or a submodule: nothing to read.
    Opaque,
}

#[derive(Clone, Debug)]
pub enum Change {
    Added(File),
    /// Added, with the content of a file that the change keeps.
    Copied {
        source: RepoPath,
        after: File,
    },
    Deleted(File),
    /// The paths differ where the file was renamed.
    Modified {
        before: File,
        after: File,
    },
}

impl Change {
    pub fn before(&self) -> Option<&File> {
        match self {
            Self::Added(_) | Self::Copied { .. } => None,
            Self::Deleted(file) | Self::Modified { before: file, .. } => Some(file),
        }
    }

    pub fn after(&self) -> Option<&File> {
        match self {
            Self::Deleted(_) => None,
            Self::Added(file) | Self::Copied { after: file, .. } | Self::Modified { after: file, .. } => {
                Some(file)
            }
        }
    }
}

/// A further parent of a merge.
#[derive(Clone, Debug)]
pub struct Parent {
    pub commit: ObjectId,
    /// The list from it to the result, all paths.
    pub raw: Vec<RawChange>,
}

#[derive(Clone, Debug)]
pub struct ChangeSet {
    pub kind: ChangeKind,
    /// The commit the change starts from, which is also where policy and attributes are read.
    pub base: Option<ObjectId>,
    /// The commit that results, where there is one.
    pub head: Option<ObjectId>,
    /// Sorted by path. Of a merge only its own paths, against the first parent.
    pub changes: Vec<Change>,
    /// The list as git gives it, against the first parent, all paths.
    pub raw: Vec<RawChange>,
    /// What a merge has beyond an ordinary change.
    pub merge: Option<Merge>,
    /// The first line of the message of the commit, where there is one.
    pub message: Option<String>,
}

#[derive(Clone, Debug)]
pub struct Merge {
    /// All parents but the first.
    pub others: Vec<Parent>,
    /// The paths that are the merge's own doing, not merely taken over from a parent.
    pub own: BTreeSet<RepoPath>,
    /// Those in which the work of both parents stands together just as git puts it. What is missed elsewhere may be there.
    pub put_together: BTreeSet<RepoPath>,
}

impl ChangeSet {
    pub fn gather(repository: &Repository, selection: &Selection) -> Result<Self> {
        match selection {
            Selection::Staged => staged(repository, repository.merge_heads()),
            Selection::StagedMerge(heads) => staged(repository, heads.clone()),
            Selection::Commit(revision) => commit(repository, revision),
            Selection::Range(range) => self::range(repository, range),
            Selection::Worktree => worktree::gather(repository),
            Selection::Patch(diff) => patch::gather(repository, diff),
        }
    }

    /// From one commit, or from nothing, to another, as one change.
    pub fn between(repository: &Repository, base: Option<ObjectId>, head: ObjectId) -> Result<Self> {
        let raw = repository.diff(base.as_ref(), &head)?;
        let changes = with_renames(repository, &raw)?;
        let (merge, message) = (None, None);
        Ok(Self { kind: ChangeKind::Range, base, head: Some(head), changes, raw, merge, message })
    }

    /// The parents that the resulting commit has or will have.
    pub fn parents(&self) -> Vec<&ObjectId> {
        let others = self.merge.iter().flat_map(|merge| &merge.others);
        self.base.iter().chain(others.map(|parent| &parent.commit)).collect()
    }

    /// How many files are judged.
    pub fn files(&self) -> usize {
        self.merge.as_ref().map_or(self.changes.len(), |merge| merge.own.len())
    }
}

fn staged(repository: &Repository, merge_heads: Vec<ObjectId>) -> Result<ChangeSet> {
    if repository.is_bare() {
        bail!("a bare repository has no index: use --commit or --range");
    }
    let base = repository.head()?;
    let raw = repository.staged(base.as_ref())?;
    let against = |parent: &ObjectId| repository.staged(Some(parent));
    assemble(repository, ChangeKind::Staged, base, None, raw, &merge_heads, against)
}

fn commit(repository: &Repository, revision: &str) -> Result<ChangeSet> {
    let head = repository.resolve(revision)?;
    let mut parents = repository.parents(&head)?.into_iter();
    let base = parents.next();
    let raw = repository.diff(base.as_ref(), &head)?;
    let others: Vec<ObjectId> = parents.collect();
    let against = |parent: &ObjectId| repository.diff(Some(parent), &head);
    let message = repository.commit_head(&head)?.subject;
    let change = assemble(repository, ChangeKind::Commit, base, Some(head.clone()), raw, &others, against)?;
    Ok(ChangeSet { message: Some(message), ..change })
}

fn range(repository: &Repository, range: &str) -> Result<ChangeSet> {
    let (from, to) = range
        .split_once("...")
        .or_else(|| range.split_once(".."))
        .with_context(|| format!("`{range}` is not a range: write it as A..B"))?;
    let or_head = |revision: &str| if revision.is_empty() { "HEAD".to_owned() } else { revision.to_owned() };
    let (from, head) = (repository.resolve(&or_head(from))?, repository.resolve(&or_head(to))?);
    // From where the two parted: what only A has is not something that B removed.
    let base = repository
        .merge_base(&from, &head)?
        .with_context(|| format!("{} and {} have no common history", from.short(), head.short()))?;
    ChangeSet::between(repository, Some(base), head)
}

/// Each parent is compared with each other one; the largest merge that is known of has 66.
const MOST_PARENTS: usize = 70;

fn assemble(
    repository: &Repository,
    kind: ChangeKind,
    base: Option<ObjectId>,
    head: Option<ObjectId>,
    raw: Vec<RawChange>,
    others: &[ObjectId],
    against: impl Fn(&ObjectId) -> Result<Vec<RawChange>>,
) -> Result<ChangeSet> {
    let Some(first) = base.as_ref().filter(|_| !others.is_empty()) else {
        let changes = with_renames(repository, &raw)?;
        return Ok(ChangeSet { kind, base, head, changes, raw, merge: None, message: None });
    };
    if others.len() >= MOST_PARENTS {
        let count = others.len() + 1;
        bail!(
            "a merge of {count} parents cannot be judged, of {MOST_PARENTS} at most: merge in several steps"
        );
    }
    let mut parents = vec![(first.clone(), raw)];
    for other in others {
        parents.push((other.clone(), against(other)?));
    }
    let (own, put_together) = blame::own_paths(repository, &parents)?;
    let mut parents = parents.into_iter().map(|(commit, raw)| Parent { commit, raw });
    let raw = parents.next().map(|first| first.raw).unwrap_or_default();
    let merge = Merge { others: parents.collect(), own, put_together };
    let judged: Vec<RawChange> =
        raw.iter().filter(|change| merge.own.contains(&change.path)).cloned().collect();
    let changes = with_renames(repository, &judged)?;
    Ok(ChangeSet { kind, base, head, changes, raw, merge: Some(merge), message: None })
}

pub(super) fn file(path: &RepoPath, entry: &Entry) -> File {
    let content = if entry.is_file() { Content::Blob(entry.id.clone()) } else { Content::Opaque };
    File { path: path.clone(), content }
}

/// Turns a raw list into changes, renames and copies found.
pub fn with_renames(repository: &Repository, raw: &[RawChange]) -> Result<Vec<Change>> {
    let mut changes = Vec::new();
    let (mut deleted, mut added) = (Vec::new(), Vec::new());
    for change in raw {
        let side = |entry: &Option<Entry>| entry.as_ref().map(|entry| file(&change.path, entry));
        match (side(&change.before), side(&change.after)) {
            (Some(before), Some(after)) => changes.push(Change::Modified { before, after }),
            (Some(before), None) => deleted.push(before),
            (None, Some(after)) => added.push(after),
            (None, None) => {}
        }
    }
    let (old, new) =
        (read_for_renames(repository, &deleted, &added)?, read_for_renames(repository, &added, &deleted)?);
    let sources = renames::find(&candidates(&deleted, &old), &candidates(&added, &new));
    let mut renamed = vec![false; deleted.len()];
    let kept = kept_contents(raw);
    for (after, source) in added.into_iter().zip(sources) {
        changes.push(match source {
            Some(d) => {
                renamed[d] = true;
                Change::Modified { before: deleted[d].clone(), after }
            }
            None => match kept.get(&after.content) {
                Some(&source) => Change::Copied { source: source.clone(), after },
                None => Change::Added(after),
            },
        });
    }
    let gone = deleted.into_iter().zip(renamed).filter(|(_, renamed)| !renamed);
    changes.extend(gone.map(|(file, _)| Change::Deleted(file)));
    changes.sort_by(|a, b| sort_key(a).cmp(&sort_key(b)));
    Ok(changes)
}

fn sort_key(change: &Change) -> Option<&RepoPath> {
    change.after().or(change.before()).map(|file| &file.path)
}

/// What the files that the change keeps hold, before or after, with the first path that holds it.
fn kept_contents(raw: &[RawChange]) -> HashMap<Content, &RepoPath> {
    let mut kept = HashMap::new();
    for change in raw.iter().filter(|change| change.before.is_some() && change.after.is_some()) {
        for entry in [&change.before, &change.after].into_iter().flatten().filter(|entry| entry.is_file()) {
            kept.entry(Content::Blob(entry.id.clone())).or_insert(&change.path);
        }
    }
    kept
}

/// The texts of `files`, read only if there is something to compare them with, and only of sources: what else was
/// renamed is told by equal content.
fn read_for_renames(repository: &Repository, files: &[File], others: &[File]) -> Result<Vec<Vec<u8>>> {
    let wanted = |file: &File| match &file.content {
        Content::Blob(id) if !others.is_empty() && file.is_source() => Some(id.clone()),
        _ => None,
    };
    let ids: Vec<ObjectId> = files.iter().filter_map(wanted).collect();
    let mut contents = repository.blobs(&ids.iter().collect::<Vec<_>>())?.into_iter();
    let text = |file: &File| wanted(file).and_then(|_| contents.next()).unwrap_or_default();
    Ok(files.iter().map(text).collect())
}

fn candidates<'a>(files: &'a [File], texts: &'a [Vec<u8>]) -> Vec<Candidate<'a>> {
    let candidate = |(file, text): (&'a File, &'a Vec<u8>)| Candidate {
        key: match &file.content {
            Content::Blob(id) => Some(id.as_str()),
            _ => None,
        },
        path: file.path.as_bytes(),
        text,
    };
    files.iter().zip(texts).map(candidate).collect()
}
