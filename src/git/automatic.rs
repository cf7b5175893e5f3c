//! Whether a merge is nobody's doing: git alone makes of its parents just what it has.

use anyhow::Result;

use super::library;
use super::object::{ObjectId, RawChange};
use super::repository::Repository;

/// In front of all places where objects are kept, so that nothing reaches the disk.
const FIRST: i32 = 1000;

impl Repository {
    /// Whether the list from the first of two parents to their merge is what git makes of them by itself. `false` where
    /// nobody can tell.
    pub fn merges_by_itself(&self, ours: &ObjectId, theirs: &ObjectId, raw: &[RawChange]) -> bool {
        self.merged_alone(ours, theirs).ok().flatten().is_some_and(|mut alone| {
            let mut raw = raw.to_vec();
            raw.sort();
            alone.sort();
            raw == alone
        })
    }

    /// The list from the first commit to what git makes of both; `None` where they are in each other's way.
    fn merged_alone(&self, ours: &ObjectId, theirs: &ObjectId) -> Result<Option<Vec<RawChange>>> {
        // A handle of its own: what it puts together is kept in memory and goes with it.
        let repository = git2::Repository::open(self.git_dir())?;
        let objects = repository.odb()?;
        let _kept = objects.add_new_mempack_backend(FIRST)?;
        let (one, other) =
            (repository.find_commit(library::oid(ours)?)?, repository.find_commit(library::oid(theirs)?)?);
        let index = repository.merge_commits(&one, &other, None)?;
        if index.has_conflicts() {
            return Ok(None);
        }
        library::diff_to(&repository, ours, &index).map(Some)
    }
}
