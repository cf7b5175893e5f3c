//! Which files came with a checkout, as opposed to those that were made here.

use std::collections::BTreeSet;
use std::path::Path;

use super::program::Git;

/// What the last commit holds below a folder of the working tree at `root`. A symlink in place of the folder, or of one
/// above it, is told as well. Nothing where git cannot say.
///
/// The index is left alone: to read it costs as much as a whole check, and what is only staged was made here.
pub fn committed_under(root: &Path, folder: &str) -> BTreeSet<String> {
    let top = folder.split('/').next().unwrap_or(folder);
    if is_surely_absent(root, top) {
        return BTreeSet::new();
    }
    let mut command =
        Git::at(root).command(&["ls-tree", "-r", "-z", "--name-only", "--full-tree", "HEAD", "--", top]);
    // A hook has these set for the working tree that it runs in, which may be another one.
    for name in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_PREFIX"] {
        command.env_remove(name);
    }
    let output = command.stderr(std::process::Stdio::null()).output();
    let listed = output.ok().filter(|output| output.status.success()).map(|output| output.stdout);
    let listed = listed.unwrap_or_default();
    let paths = listed.split(|byte| *byte == 0).filter(|path| !path.is_empty());
    paths.map(|path| String::from_utf8_lossy(path).into_owned()).collect()
}

/// Whether the last commit has nothing of this name; saves a process in nearly every repository.
fn is_surely_absent(root: &Path, name: &str) -> bool {
    let Ok(repository) = git2::Repository::open(root) else { return false };
    let tree = repository.head().and_then(|head| head.peel_to_tree());
    tree.is_ok_and(|tree| tree.get_name(name).is_none())
}
