//! Reading through libgit2.

use anyhow::{Context, Result};
use git2::{
    Delta, DiffOptions, ErrorCode, MergeFileInput, ObjectType, Oid, Repository, Tree, TreeWalkMode,
    TreeWalkResult,
};
use rayon::prelude::*;

use super::object::{Entry, ObjectId, RawChange, RepoPath};
use super::trees;

pub fn id(oid: Oid) -> ObjectId {
    ObjectId::from_bytes(oid.as_bytes())
}

pub fn oid(id: &ObjectId) -> Result<Oid> {
    Oid::from_str(id.as_str()).with_context(|| format!("{id} is not an id this repository can have"))
}

/// The commit that `HEAD` points to, `None` on an unborn branch.
pub fn head(repository: &Repository) -> Result<Option<ObjectId>> {
    match repository.head() {
        Ok(head) => Ok(Some(id(head.peel_to_commit().context("HEAD is not a commit")?.id()))),
        Err(error) if matches!(error.code(), ErrorCode::UnbornBranch | ErrorCode::NotFound) => Ok(None),
        Err(error) => Err(error).context("cannot read HEAD"),
    }
}

pub fn resolve(repository: &Repository, revision: &str) -> Result<ObjectId> {
    let object = repository.revparse_single(revision)?;
    Ok(id(object.peel(ObjectType::Commit)?.id()))
}

pub fn parents(repository: &Repository, commit: &ObjectId) -> Result<Vec<ObjectId>> {
    Ok(repository.find_commit(oid(commit)?)?.parent_ids().map(id).collect())
}

pub fn commit_time(repository: &Repository, commit: &ObjectId) -> Result<i64> {
    Ok(repository.find_commit(oid(commit)?)?.time().seconds())
}

pub fn merge_bases(repository: &Repository, one: &ObjectId, two: &ObjectId) -> Result<Vec<ObjectId>> {
    match repository.merge_bases(oid(one)?, oid(two)?) {
        Ok(bases) => Ok(bases.iter().copied().map(id).collect()),
        Err(error) if error.code() == ErrorCode::NotFound => Ok(Vec::new()),
        Err(error) => Err(error.into()),
    }
}

/// What becomes of a text that two sides changed; `None` where they are in each other's way.
pub fn merged(fork: &[u8], ours: &[u8], theirs: &[u8]) -> Option<Vec<u8>> {
    let [mut base, mut one, mut other] = [(); 3].map(|()| MergeFileInput::new());
    let result = git2::merge_file(base.content(fork), one.content(ours), other.content(theirs), None).ok()?;
    result.is_automergeable().then(|| result.content().to_vec())
}

/// From so many blobs on, several threads read them.
const PARALLEL: usize = 32;

/// Nobody reads larger ones, and they would take memory several times their size.
const LARGEST: usize = 16 << 20;

/// The contents of blobs, in their order; `None` for those that are not here. What is larger than anybody reads stands as
/// so many empty lines.
pub fn blobs(repository: &Repository, blobs: &[&ObjectId]) -> Result<Vec<Option<Vec<u8>>>> {
    let objects = repository.odb()?;
    let is_huge = |blob: git2::Oid| objects.read_header(blob).is_ok_and(|(size, _)| size > LARGEST);
    let read = |blob: &&ObjectId| match oid(blob)? {
        blob if is_huge(blob) => Ok(Some(vec![b'\n'; LARGEST + 1])),
        id => match objects.read(id) {
            Ok(object) => Ok(Some(object.data().to_vec())),
            Err(error) if error.code() == ErrorCode::NotFound => Ok(None),
            Err(error) => Err(error).with_context(|| format!("cannot read blob {blob}")),
        },
    };
    if blobs.len() < PARALLEL {
        return blobs.iter().map(read).collect();
    }
    blobs.par_iter().map(read).collect()
}

/// The tree of a commit, or the tree itself.
pub fn tree<'r>(repository: &'r Repository, content: &ObjectId) -> Result<Tree<'r>> {
    Ok(repository.find_object(oid(content)?, None)?.peel_to_tree()?)
}

/// What the tree of `commit` holds at `path`.
pub fn entry(repository: &Repository, commit: &ObjectId, path: &RepoPath) -> Result<Option<Entry>> {
    let mut at = tree(repository, commit)?;
    let mut parts = path.as_bytes().split(|&byte| byte == b'/').peekable();
    while let Some(part) = parts.next() {
        let Some(found) = at.get_name_bytes(part) else { return Ok(None) };
        if parts.peek().is_none() {
            return Ok(Some(Entry { mode: found.filemode().cast_unsigned(), id: id(found.id()) }));
        }
        if found.kind() != Some(ObjectType::Tree) {
            return Ok(None);
        }
        let next = repository.find_tree(found.id())?;
        drop(found);
        at = next;
    }
    Ok(None)
}

/// What one folder holds, given its tree or the commit whose root it is; in the order of the tree.
pub fn children(repository: &Repository, of: &ObjectId) -> Result<Vec<(RepoPath, Entry)>> {
    let tree = repository.find_object(oid(of)?, None)?.peel_to_tree()?;
    let child = |entry: git2::TreeEntry<'_>| {
        let mode = entry.filemode().cast_unsigned();
        (RepoPath::new(entry.name_bytes()), Entry { mode, id: id(entry.id()) })
    };
    Ok(tree.iter().map(child).collect())
}

/// The id of the one blob whose id begins so.
pub fn blob_called(repository: &Repository, start: &str) -> Option<ObjectId> {
    let objects = repository.odb().ok()?;
    let found = objects.exists_prefix(Oid::from_str(start).ok()?, start.len()).ok()?;
    let (_, kind) = objects.read_header(found).ok()?;
    (kind == ObjectType::Blob).then(|| id(found))
}

/// How many bytes a blob has.
pub fn blob_size(repository: &Repository, blob: &ObjectId) -> Result<u64> {
    Ok(repository.odb()?.read_header(oid(blob)?)?.0 as u64)
}

/// Every file, link and submodule of a commit below a folder.
pub fn list_under(
    repository: &Repository,
    commit: &ObjectId,
    folder: &str,
) -> Result<Vec<(RepoPath, Entry)>> {
    let mut entries = Vec::new();
    let mut pending = Vec::new();
    if folder.is_empty() {
        pending.push((Vec::new(), tree(repository, commit)?.id()));
    } else if let Some(found) = entry(repository, commit, &RepoPath::new(folder))? {
        pending.push((format!("{folder}/").into_bytes(), oid(&found.id)?));
    }
    while let Some((prefix, tree)) = pending.pop() {
        repository.find_tree(tree)?.walk(TreeWalkMode::PreOrder, |_, entry| {
            let mut path: Vec<u8> = prefix.clone();
            path.extend_from_slice(entry.name_bytes());
            if entry.kind() == Some(ObjectType::Tree) {
                path.push(b'/');
                pending.push((path, entry.id()));
                return TreeWalkResult::Skip;
            }
            let mode = entry.filemode().cast_unsigned();
            entries.push((RepoPath::new(path), Entry { mode, id: id(entry.id()) }));
            TreeWalkResult::Ok
        })?;
    }
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(entries)
}

/// Paths that differ between two commits; no `before` means the empty tree.
pub fn diff(repository: &Repository, before: Option<&ObjectId>, after: &ObjectId) -> Result<Vec<RawChange>> {
    let before = before.map(|commit| tree(repository, commit)).transpose()?.map(|tree| tree.id());
    trees::differing(repository, before, tree(repository, after)?.id())
}

/// Paths that differ between a commit and the index, leaving out entries that are only intended (`add -N`).
pub fn diff_index(repository: &Repository, before: Option<&ObjectId>) -> Result<Vec<RawChange>> {
    let before = before.map(|commit| tree(repository, commit)).transpose()?;
    let index = repository.index()?;
    let diff = repository.diff_tree_to_index(before.as_ref(), Some(&index), Some(&mut options()))?;
    let mut changes = raw_changes(&diff);
    for change in &mut changes {
        let intended = |path: &RepoPath| {
            let entry = index.get_path(&path.to_os_path()?, 0)?;
            let flags = git2::IndexEntryExtendedFlag::from_bits_truncate(entry.flags_extended);
            Some(flags.contains(git2::IndexEntryExtendedFlag::INTENT_TO_ADD))
        };
        if change.after.is_some() && intended(&change.path) == Some(true) {
            change.after = None;
        }
    }
    changes.retain(|change| change.before.is_some() || change.after.is_some());
    Ok(changes)
}

/// Paths that differ between a commit and an index that is at hand.
pub fn diff_to(repository: &Repository, before: &ObjectId, index: &git2::Index) -> Result<Vec<RawChange>> {
    let before = tree(repository, before)?;
    let diff = repository.diff_tree_to_index(Some(&before), Some(index), Some(&mut options()))?;
    Ok(raw_changes(&diff))
}

fn options() -> DiffOptions {
    let mut options = DiffOptions::new();
    options.include_typechange(true).ignore_submodules(false).skip_binary_check(true).context_lines(0);
    options
}

fn raw_changes(diff: &git2::Diff<'_>) -> Vec<RawChange> {
    let entry = |file: git2::DiffFile<'_>| {
        let mode: u32 = u32::from(file.mode());
        (!file.id().is_zero()).then(|| Entry { mode, id: id(file.id()) })
    };
    let change = |delta: git2::DiffDelta<'_>| {
        let file = if delta.status() == Delta::Deleted { delta.old_file() } else { delta.new_file() };
        let path = RepoPath::new(file.path_bytes().unwrap_or_default());
        let before = if delta.status() == Delta::Added { None } else { entry(delta.old_file()) };
        let after = if delta.status() == Delta::Deleted { None } else { entry(delta.new_file()) };
        RawChange { path, before, after }
    };
    let mut changes: Vec<RawChange> = diff.deltas().map(change).collect();
    changes.sort();
    changes
}
