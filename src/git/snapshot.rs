//! The content of a moment as a tree object: what was tested, to compare with and to go back to.
//!
//! Works on a copy of the index. Writes objects, and references of its own; never the index or the working tree.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use super::attempts::ATTEMPTS_REF;
use super::object::{ObjectId, RawChange, RepoPath};
use super::repository::Repository;

/// Untracked files larger than this are not taken in.
const MAX_UNTRACKED: u64 = 32 * 1024 * 1024;

#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The commit that HEAD was, and its tree; `None` before the first commit.
    pub base: Option<Base>,
    pub tree: ObjectId,
    /// From the tree of the base to `tree`, all paths.
    pub delta: Vec<RawChange>,
    /// Paths of `delta` that git does not track.
    pub untracked: BTreeSet<RepoPath>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Base {
    pub commit: ObjectId,
    pub tree: ObjectId,
}

impl Repository {
    /// The files on disk: tracked ones as they are, and the untracked, unignored ones that `counts` wants.
    pub fn snapshot_worktree(&self, counts: impl Fn(&str) -> bool) -> Result<Snapshot> {
        let root = self.work_dir().context("a bare repository has no files to run")?;
        let index = IndexCopy::of(self)?;
        let found =
            index.git(self, &["ls-files", "--others", "--exclude-standard", "--full-name", "-z", ":/"])?;
        let paths = found.split(|&byte| byte == 0).filter(|path| !path.is_empty()).map(RepoPath::new);
        let untracked: BTreeSet<RepoPath> =
            paths.filter(|path| counts(&path.text()) && is_small_file(root, path)).collect();
        // Without a path, because git finds none in an empty index.
        index.git(self, &["add", "--update"])?;
        index.add(self, root, &untracked)?;
        self.snapshot(&index, untracked)
    }

    /// The index that is being committed.
    pub fn snapshot_index(&self) -> Result<Snapshot> {
        self.snapshot(&IndexCopy::of(self)?, BTreeSet::new())
    }

    /// HEAD itself.
    pub fn snapshot_head(&self) -> Result<Snapshot> {
        let base = self.base()?.context("there is no commit yet: make the first one, then try again")?;
        let tree = base.tree.clone();
        Ok(Snapshot { base: Some(base), tree, delta: Vec::new(), untracked: BTreeSet::new() })
    }

    fn snapshot(&self, index: &IndexCopy, untracked: BTreeSet<RepoPath>) -> Result<Snapshot> {
        // Blobs that a partial clone left out are where they were.
        let written = index.git(self, &["write-tree", "--missing-ok"])?;
        let tree = ObjectId::parse(String::from_utf8_lossy(&written).trim()).context("git gave no tree")?;
        let base = self.base()?;
        let delta = self.diff(base.as_ref().map(|base| &base.tree), &tree)?;
        Ok(Snapshot { base, tree, delta, untracked })
    }

    /// HEAD with its tree.
    pub fn base(&self) -> Result<Option<Base>> {
        let Some(commit) = self.head()? else { return Ok(None) };
        let tree = self.tree_of(&commit)?;
        Ok(Some(Base { commit, tree }))
    }

    /// Keeps the tree of an attempt from being collected.
    pub fn keep_tree(&self, session: &str, attempt: u32, tree: &ObjectId) -> Result<()> {
        let name = format!("{ATTEMPTS_REF}/{session}/{attempt}");
        self.git().output(&["update-ref", "--no-deref", &name, tree.as_str()])?;
        Ok(())
    }
}

fn is_small_file(root: &Path, path: &RepoPath) -> bool {
    let Some(relative) = path.to_os_path() else { return false };
    fs::symlink_metadata(root.join(relative)).is_ok_and(|data| !data.is_dir() && data.len() <= MAX_UNTRACKED)
}

/// A copy of the index that git may write to.
struct IndexCopy {
    file: PathBuf,
    /// Removed with the value.
    _folder: TempDir,
}

impl IndexCopy {
    fn of(repository: &Repository) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("aiwg-gate-index-").tempdir();
        let folder = folder.context("cannot make a temporary folder for a copy of the index")?;
        let (original, file) = (repository.index_file(), folder.path().join("index"));
        match fs::copy(&original, &file) {
            // Entries as new as the index itself are compared by content; a newer index would hide that.
            Ok(_) => {
                let modified = fs::metadata(&original)?.modified()?;
                fs::File::options().write(true).open(&file)?.set_modified(modified)?;
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(error).context("cannot copy the index"),
        }
        Ok(Self { file, _folder: folder })
    }

    fn git<A: AsRef<OsStr>>(&self, repository: &Repository, args: &[A]) -> Result<Vec<u8>> {
        let mut command = repository.git().command(args);
        let output = command.env("GIT_INDEX_FILE", &self.file).output().context("cannot run git")?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let what = args.first().map(|word| word.as_ref().to_string_lossy().into_owned()).unwrap_or_default();
        bail!("`git {what}` failed: {}", String::from_utf8_lossy(&output.stderr).trim())
    }

    /// Takes files in that git does not track.
    fn add(&self, repository: &Repository, root: &Path, paths: &BTreeSet<RepoPath>) -> Result<()> {
        if paths.is_empty() {
            return Ok(());
        }
        let mut command = repository.git().command(&["update-index", "--add", "-z", "--stdin"]);
        command.current_dir(root).env("GIT_INDEX_FILE", &self.file);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().context("cannot run git")?;
        let names: Vec<u8> = paths.iter().flat_map(|path| [path.as_bytes(), b"\0"].concat()).collect();
        if let Some(mut stdin) = child.stdin.take() {
            std::io::Write::write_all(&mut stdin, &names).context("cannot write to `git update-index`")?;
        }
        let output = child.wait_with_output()?;
        if !output.status.success() {
            bail!("cannot read untracked files: {}", String::from_utf8_lossy(&output.stderr).trim());
        }
        Ok(())
    }
}
