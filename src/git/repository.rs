//! One repository: where it is, and its objects by whichever way can read them.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::object::{Entry, ObjectId, RawChange, RepoPath};
use super::program::Git;
use super::{library, plumbing};

pub struct Repository {
    git: Git,
    /// Absent where libgit2 does not know the repository's format.
    library: Option<git2::Repository>,
    git_dir: PathBuf,
    common_dir: PathBuf,
    work_dir: Option<PathBuf>,
}

impl Repository {
    /// Opens the repository around `directory`, or the one that git's own variables name.
    pub fn open(directory: &Path) -> Result<Self> {
        let by_variable = std::env::var_os("GIT_DIR").is_some();
        let library = if by_variable {
            git2::Repository::open_from_env()
        } else {
            let flags = git2::RepositoryOpenFlags::FROM_ENV;
            git2::Repository::open_ext(directory, flags, &[] as &[&Path])
        };
        match library {
            Ok(library) => Ok(Self::from_library(directory, library)),
            Err(_) => Self::from_program(directory),
        }
    }

    fn from_library(directory: &Path, library: git2::Repository) -> Self {
        Self {
            git: Git::at(directory),
            git_dir: library.path().to_owned(),
            common_dir: library.commondir().to_owned(),
            work_dir: library.workdir().map(Path::to_owned),
            library: Some(library),
        }
    }

    /// git itself decides whether this is a repository, and its words are the error if not.
    fn from_program(directory: &Path) -> Result<Self> {
        let git = Git::at(directory);
        let found = git.output(&["rev-parse", "--absolute-git-dir", "--git-common-dir"])?;
        let text = String::from_utf8(found).context("the path of the repository is not UTF-8")?;
        let mut lines = text.lines();
        let git_dir = PathBuf::from(lines.next().context("git named no repository")?);
        let common_dir = directory.join(lines.next().context("git named no common directory")?);
        let work_dir = git.line(&["rev-parse", "--show-toplevel"]).filter(|line| !line.is_empty());
        Ok(Self { git, library: None, git_dir, common_dir, work_dir: work_dir.map(PathBuf::from) })
    }

    pub fn git(&self) -> &Git {
        &self.git
    }

    pub(super) fn library(&self) -> Option<&git2::Repository> {
        self.library.as_ref()
    }

    pub fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    /// Shared by all linked worktrees.
    pub fn common_dir(&self) -> &Path {
        &self.common_dir
    }

    /// The root of the working tree, `None` in a bare repository.
    pub fn work_dir(&self) -> Option<&Path> {
        self.work_dir.as_deref()
    }

    /// The index that is being committed: hooks name it by variable.
    pub fn index_file(&self) -> PathBuf {
        match std::env::var_os("GIT_INDEX_FILE") {
            Some(file) => self.git.directory().join(file),
            None => self.git_dir.join("index"),
        }
    }

    pub fn head(&self) -> Result<Option<ObjectId>> {
        match &self.library {
            // With a reference format that libgit2 does not know, HEAD looks broken to it.
            Some(library) => library::head(library).or_else(|_| Ok(plumbing::head(&self.git))),
            None => Ok(plumbing::head(&self.git)),
        }
    }

    /// The commit that a revision names.
    pub fn resolve(&self, revision: &str) -> Result<ObjectId> {
        let found = match &self.library {
            Some(library) => {
                library::resolve(library, revision).or_else(|_| plumbing::resolve(&self.git, revision))
            }
            None => plumbing::resolve(&self.git, revision),
        };
        found.map_err(|_| anyhow::anyhow!("there is no commit `{revision}` in this repository"))
    }

    /// The parents of a commit. Where a shallow clone cuts them off this is an error, not "none".
    pub fn parents(&self, commit: &ObjectId) -> Result<Vec<ObjectId>> {
        let shallow = std::fs::read_to_string(self.common_dir.join("shallow")).unwrap_or_default();
        if shallow.lines().any(|line| line == commit.as_str()) {
            bail!(
                "the history of this shallow clone ends at {}, so what it changed is not here; \
                 run `git fetch --deepen=1` and try again",
                commit.short()
            );
        }
        match &self.library {
            Some(library) => library::parents(library, commit),
            None => plumbing::parents(&self.git, commit),
        }
    }

    pub fn merge_base(&self, one: &ObjectId, two: &ObjectId) -> Result<Option<ObjectId>> {
        match &self.library {
            Some(library) => library::merge_base(library, one, two),
            None => Ok(plumbing::merge_base(&self.git, one, two)),
        }
    }

    /// The contents of blobs, in their order.
    pub fn blobs(&self, blobs: &[&ObjectId]) -> Result<Vec<Vec<u8>>> {
        match &self.library {
            Some(library) => blobs.iter().map(|blob| library::blob(library, blob)).collect(),
            None => plumbing::blobs(&self.git, blobs),
        }
    }

    /// The content of one blob.
    pub fn blob(&self, blob: &ObjectId) -> Result<Vec<u8>> {
        let content = self.blobs(&[blob])?.pop();
        content.with_context(|| format!("cannot read blob {blob}"))
    }

    /// What a commit holds at a path.
    pub fn entry(&self, commit: &ObjectId, path: &RepoPath) -> Result<Option<Entry>> {
        match &self.library {
            Some(library) => library::entry(library, commit, path),
            None => plumbing::entry(&self.git, commit, path),
        }
    }

    /// The content of the file that a commit holds at a path.
    pub fn file_at(&self, commit: &ObjectId, path: &str) -> Result<Option<Vec<u8>>> {
        match self.entry(commit, &RepoPath::new(path))? {
            Some(entry) if entry.is_file() => Ok(Some(self.blob(&entry.id)?)),
            _ => Ok(None),
        }
    }

    /// Every file, link and submodule of a commit, sorted by path.
    pub fn list(&self, commit: &ObjectId) -> Result<Vec<(RepoPath, Entry)>> {
        match &self.library {
            Some(library) => library::list_under(library, commit, ""),
            None => plumbing::list(&self.git, commit),
        }
    }

    /// The same below one folder, given without a slash at its end; the empty path is the root.
    pub fn list_under(&self, commit: &ObjectId, folder: &str) -> Result<Vec<(RepoPath, Entry)>> {
        let mut entries = match &self.library {
            Some(library) => library::list_under(library, commit, folder)?,
            None => plumbing::list(&self.git, commit)?,
        };
        let prefix = format!("{folder}/");
        entries.retain(|(path, _)| folder.is_empty() || path.as_bytes().starts_with(prefix.as_bytes()));
        Ok(entries)
    }

    /// Paths that differ between two commits; no `before` means the empty tree.
    pub fn diff(&self, before: Option<&ObjectId>, after: &ObjectId) -> Result<Vec<RawChange>> {
        match &self.library {
            Some(library) => library::diff(library, before, after),
            None => plumbing::diff(&self.git, before, after),
        }
    }

    /// The parents that a merge under way will add to HEAD, as recorded in the repository.
    pub fn merge_heads(&self) -> Vec<ObjectId> {
        let recorded = std::fs::read_to_string(self.git_dir.join("MERGE_HEAD")).unwrap_or_default();
        recorded.lines().filter_map(ObjectId::parse).collect()
    }
}
