//! Which files came with a checkout, as opposed to those that were made here.

use std::collections::BTreeSet;
use std::path::Path;

use super::program::Git;

/// What git tracks below a folder of the working tree at `root`, in its index or its last commit. A symlink in place of
/// the folder, or of one above it, is told as well. Nothing where git cannot say.
pub fn tracked_under(root: &Path, folder: &str) -> BTreeSet<String> {
    let list = |tree: &[&str]| {
        let top = folder.split('/').next().unwrap_or(folder);
        let args = [&["ls-files", "-z", "--cached", "--full-name"], tree, &["--", top]].concat();
        let mut command = Git::at(root).command(&args);
        // A hook has these set for the working tree that it runs in, which may be another one.
        for name in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_PREFIX"] {
            command.env_remove(name);
        }
        let output = command.stderr(std::process::Stdio::null()).output().ok()?;
        output.status.success().then_some(output.stdout)
    };
    // Before the first commit there is no HEAD.
    let listed = list(&["--with-tree=HEAD"]).or_else(|| list(&[])).unwrap_or_default();
    let paths = listed.split(|byte| *byte == 0).filter(|path| !path.is_empty());
    paths.map(|path| String::from_utf8_lossy(path).into_owned()).collect()
}
