//! The identity of a change before and after it is committed.

use crate::digest::Hasher;
use crate::git::{ChangeSet, ObjectId, RawChange, Repository};

/// Equal for the index about to be committed and for the commit it becomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// The key of a change on top of its parents; `raw` is the list against the first of them.
    fn new(parents: &[&ObjectId], raw: &[RawChange]) -> Self {
        // Before a merge is committed git tells its further parents in no order.
        let mut parents = parents.to_vec();
        if let Some((_, others)) = parents.split_first_mut() {
            others.sort();
        }
        let mut digest = Hasher::default();
        let mut add = |part: &[u8]| {
            digest.add((part.len() as u64).to_le_bytes()).add(part);
        };
        add(&(parents.len() as u64).to_le_bytes());
        for parent in parents {
            add(parent.as_str().as_bytes());
        }
        for change in raw {
            add(change.path.as_bytes());
            // What was there before follows from the first parent.
            match &change.after {
                Some(entry) => add(format!("{:o} {}", entry.mode, entry.id).as_bytes()),
                None => add(b"gone"),
            }
        }
        Self(digest.hex())
    }

    pub fn of(change: &ChangeSet) -> Self {
        Self::new(&change.parents(), &change.raw)
    }

    pub fn of_commit(
        repository: &Repository,
        commit: &ObjectId,
        parents: &[ObjectId],
    ) -> anyhow::Result<Self> {
        let raw = repository.diff(parents.first(), commit)?;
        Ok(Self::new(&parents.iter().collect::<Vec<_>>(), &raw))
    }

    /// The key under which the amending of `old` to `new` was judged: as a change on top of `old`.
    pub fn of_amending(repository: &Repository, old: &ObjectId, new: &ObjectId) -> anyhow::Result<Self> {
        Ok(Self::new(&[old], &repository.diff(Some(old), new)?))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}
