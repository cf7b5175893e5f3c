//! One side of a change as a tree in which suites are looked for: a commit, the index, or the files on disk.
//!
//! Symbolic links and submodules are there but hold nothing, on every kind of tree, so that all of them agree.
//! What cannot be read is not there.

mod commit;
mod disk;
mod staged;

pub use commit::CommitTree;
pub use disk::DiskTree;
pub use staged::StagedTree;

/// Larger files are not read: no manifest is that large.
pub const MAX_BYTES: u64 = 1024 * 1024;

/// Paths are from the root of the repository, with forward slashes; the root itself is the empty path.
pub trait Tree {
    fn exists(&self, path: &str) -> bool;

    /// The content of a regular file of at most [`MAX_BYTES`].
    fn read(&self, path: &str) -> Option<Vec<u8>>;

    /// The entries of one folder, sorted; folders with a slash at the end.
    fn names(&self, folder: &str) -> Vec<String>;
}

/// The folder of a path and the name in it.
pub fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}
