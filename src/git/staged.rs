//! The staged list: what differs between the index and a commit.
//!
//! libgit2 is faster for small indexes, because no process has to start; git is far faster for large ones.

use std::fs::File;
use std::io::Read;

use anyhow::Result;

use super::object::{ObjectId, RawChange};
use super::program::finish;
use super::repository::Repository;
use super::{library, plumbing};

/// Up to here libgit2 lists the index faster than git starts.
const LIBRARY_LIMIT: u32 = 20_000;

impl Repository {
    /// Paths whose index entry differs from `base`; no base means the very first commit.
    pub fn staged(&self, base: Option<&ObjectId>) -> Result<Vec<RawChange>> {
        if let Some(library) = self.library()
            && self.index_entries().is_some_and(|count| count <= LIBRARY_LIMIT)
            && !has_conflicts(library)
            // Fails on split and sparse indexes, which git can read.
            && let Ok(changes) = library::diff_index(library, base)
        {
            return Ok(changes);
        }
        self.staged_by_git(base)
    }

    /// The same list, by the git program.
    pub fn staged_by_git(&self, base: Option<&ObjectId>) -> Result<Vec<RawChange>> {
        let base = match base {
            Some(base) => base.as_str().to_owned(),
            None => self.empty_tree()?,
        };
        let args = plumbing::diff_index_args(&base);
        plumbing::raw_changes(&finish(self.git().start(&args)?, &args)?)
    }

    pub(super) fn empty_tree(&self) -> Result<String> {
        let id = self.git().filter(&["hash-object", "-t", "tree", "--stdin"], b"")?;
        Ok(String::from_utf8_lossy(&id).trim().to_owned())
    }

    /// The number in the index header; `None` where there is no index to read.
    fn index_entries(&self) -> Option<u32> {
        let mut header = [0; 12];
        match File::open(self.index_file()) {
            Ok(mut file) => file.read_exact(&mut header).ok()?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Some(0),
            Err(_) => return None,
        }
        let count = header.strip_prefix(b"DIRC")?.get(4..8)?;
        Some(u32::from_be_bytes(count.try_into().ok()?))
    }
}

fn has_conflicts(library: &git2::Repository) -> bool {
    library.index().is_ok_and(|index| index.has_conflicts())
}
