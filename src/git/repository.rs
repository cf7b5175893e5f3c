//! One repository: where it is, and its objects by whichever way can read them.

use std::cell::RefCell;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail};
use chrono::{DateTime, Utc};

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
    bare: bool,
    /// Where two commits parted, for those that were asked about last: a merge is asked about from each side.
    parted: RefCell<Option<Parted>>,
}

/// Two commits in order, and their best common ancestors.
type Parted = ([ObjectId; 2], Vec<ObjectId>);

impl Repository {
    /// Opens the repository around `directory`, or the one that git's own variables name.
    pub fn open(directory: &Path) -> Result<Self> {
        // As git does it: objects are hashed when they come in, not each time they are read.
        git2::opts::strict_hash_verification(false);
        let by_variable = std::env::var_os("GIT_DIR").is_some();
        let library = if by_variable {
            git2::Repository::open_from_env()
        } else {
            let flags = git2::RepositoryOpenFlags::FROM_ENV;
            git2::Repository::open_ext(directory, flags, &[] as &[&Path])
        };
        match library {
            Ok(library) => {
                // The library looks for HEAD and branches in the namespace of a server, which git itself does not.
                let _ = library.remove_namespace();
                Ok(Self::from_library(directory, library))
            }
            Err(_) => Self::from_program(directory),
        }
    }

    fn from_library(directory: &Path, library: git2::Repository) -> Self {
        Self {
            git: Git::at(directory),
            git_dir: library.path().to_owned(),
            common_dir: library.commondir().to_owned(),
            work_dir: library.workdir().map(Path::to_owned),
            bare: library.is_bare(),
            parted: RefCell::default(),
            library: Some(library),
        }
    }

    /// git itself decides whether this is a repository, and its words are the error if not.
    fn from_program(directory: &Path) -> Result<Self> {
        let git = Git::at(directory);
        let git_dir = absolute(&git, "--absolute-git-dir").map_err(|error| explain(directory, error))?;
        let common_dir = absolute(&git, "--git-common-dir")?;
        let bare = git.line(&["rev-parse", "--is-bare-repository"]).is_some_and(|answer| answer == "true");
        // Fails inside the git directory, and where there is no working tree.
        let work_dir = absolute(&git, "--show-toplevel").ok();
        Ok(Self { git, library: None, git_dir, common_dir, work_dir, bare, parted: RefCell::default() })
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

    pub fn is_bare(&self) -> bool {
        self.bare
    }

    /// The root of the working tree, `None` in a bare repository.
    pub fn work_dir(&self) -> Option<&Path> {
        self.work_dir.as_deref()
    }

    /// What people call it: its folder.
    pub fn name(&self) -> String {
        let home = self.work_dir.as_deref().unwrap_or(&self.common_dir);
        let home = std::fs::canonicalize(home).unwrap_or_else(|_| home.to_owned());
        let name = home.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.strip_suffix(".git").unwrap_or(&name).to_owned()
    }

    /// The root of the main working tree, which all linked ones share; `None` where the main repository is bare.
    pub fn main_work_dir(&self) -> Option<PathBuf> {
        let linked = self.git_dir != self.common_dir;
        if !linked {
            return self.work_dir.clone();
        }
        match git2::Repository::open(&self.common_dir) {
            Ok(main) => main.workdir().map(Path::to_owned),
            Err(_) => self.main_work_dir_by_git(),
        }
    }

    fn main_work_dir_by_git(&self) -> Option<PathBuf> {
        let setting = |name: &str| {
            let file = self.common_dir.join("config");
            self.git.line(&[OsStr::new("config"), OsStr::new("--file"), file.as_os_str(), OsStr::new(name)])
        };
        if setting("core.bare").is_some_and(|bare| bare == "true") {
            return None;
        }
        match setting("core.worktree") {
            Some(configured) => Some(self.common_dir.join(configured)),
            None => self.common_dir.parent().map(Path::to_owned),
        }
    }

    /// A path that a person gave, as the repository names it: from its root, empty for the root itself.
    pub fn path_from_root(&self, path: &str) -> Result<String> {
        let here = std::fs::canonicalize(self.git.directory())?;
        let root = self.work_dir.as_ref().and_then(|root| std::fs::canonicalize(root).ok());
        let root = root.filter(|root| here.starts_with(root)).unwrap_or_else(|| here.clone());
        let mut full = here.clone();
        for part in Path::new(path).components() {
            match part {
                Component::ParentDir => drop(full.pop()),
                Component::CurDir => {}
                part => full.push(part),
            }
        }
        let inside = full.strip_prefix(&root).ok().and_then(Path::to_str);
        inside.map(str::to_owned).with_context(|| format!("{path} is outside the repository"))
    }

    /// Whether a hook runs for `git commit <path>`, whose index is made for that one commit.
    pub fn commits_named_paths(&self) -> bool {
        let index = std::env::var_os("GIT_INDEX_FILE").unwrap_or_default();
        Path::new(&index).file_name().is_some_and(|name| name.to_string_lossy().starts_with("next-index-"))
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
            Some(library) => library::head(library).or_else(|_| plumbing::head(&self.git)),
            None => plumbing::head(&self.git),
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
        if self.shallow_ends().lines().any(|line| line == commit.as_str()) {
            bail!(
                "the history of this shallow clone ends at {}, so what it changed is not here; \
                 run `git fetch --deepen=1` and try again",
                commit.short()
            );
        }
        self.either(|library| library::parents(library, commit), |git| plumbing::parents(git, commit))
    }

    /// When a commit was made.
    pub fn commit_time(&self, commit: &ObjectId) -> Result<DateTime<Utc>> {
        let seconds = self.either(
            |library| library::commit_time(library, commit),
            |git| plumbing::commit_time(git, commit),
        )?;
        DateTime::from_timestamp(seconds, 0).with_context(|| format!("{commit} has no time that can be read"))
    }

    /// Who works here, as git would put it into a commit.
    pub fn identity(&self) -> Option<String> {
        let line = self.git.line(&["var", "GIT_COMMITTER_IDENT"])?;
        let (who, _) = line.rsplit_once('>')?;
        Some(format!("{who}>"))
    }

    /// The tree of a commit.
    pub fn tree_of(&self, commit: &ObjectId) -> Result<ObjectId> {
        self.either(
            |library| Ok(library::id(library::tree(library, commit)?.id())),
            |git| plumbing::tree(git, commit),
        )
    }

    pub fn merge_base(&self, one: &ObjectId, two: &ObjectId) -> Result<Option<ObjectId>> {
        Ok(self.merge_bases(one, two)?.into_iter().next())
    }

    /// The commits, one on a line, at which the history of a shallow clone ends.
    pub(super) fn shallow_ends(&self) -> String {
        std::fs::read_to_string(self.common_dir.join("shallow")).unwrap_or_default()
    }

    /// Whether commits have other parents here than they name: by a shallow clone, or by grafts.
    pub fn has_cut_history(&self) -> bool {
        !self.shallow_ends().is_empty() || self.common_dir.join("info/grafts").exists()
    }

    /// Every best common ancestor; several where histories crossed. Where a shallow clone may hide one this is an error.
    pub fn merge_bases(&self, one: &ObjectId, two: &ObjectId) -> Result<Vec<ObjectId>> {
        let mut asked = [one.clone(), two.clone()];
        asked.sort();
        if let Some((_, forks)) = self.parted.borrow().as_ref().filter(|(known, _)| *known == asked) {
            return Ok(forks.clone());
        }
        let forks = self.parting(one, two)?;
        self.parted.replace(Some((asked, forks.clone())));
        Ok(forks)
    }

    fn parting(&self, one: &ObjectId, two: &ObjectId) -> Result<Vec<ObjectId>> {
        let forks = self.either(
            |library| library::merge_bases(library, one, two),
            |git| plumbing::merge_bases(git, one, two),
        )?;
        // What leads to the other one is where they parted, whatever else was cut off.
        if !forks.contains(one) && !forks.contains(two) {
            self.see_parting(one, two)?;
        }
        Ok(forks)
    }

    /// By libgit2, or by git where libgit2 cannot: git fetches what a partial clone left out.
    fn either<T>(
        &self,
        by_library: impl FnOnce(&git2::Repository) -> Result<T>,
        by_git: impl FnOnce(&Git) -> Result<T>,
    ) -> Result<T> {
        match self.library.as_ref().map(by_library) {
            Some(Err(error)) if is_missing(&error) => by_git(&self.git),
            Some(answer) => answer,
            None => by_git(&self.git),
        }
    }

    /// The contents of blobs, in their order.
    pub fn blobs(&self, blobs: &[&ObjectId]) -> Result<Vec<Vec<u8>>> {
        let Some(library) = &self.library else { return plumbing::blobs(&self.git, blobs) };
        let contents = library::blobs(library, blobs)?;
        let missing: Vec<&ObjectId> = blobs
            .iter()
            .zip(&contents)
            .filter(|(_, content)| content.is_none())
            .map(|(blob, _)| *blob)
            .collect();
        let mut fetched = plumbing::blobs(&self.git, &missing)?.into_iter();
        Ok(contents
            .into_iter()
            .map(|content| content.or_else(|| fetched.next()).unwrap_or_default())
            .collect())
    }

    /// The content of a blob that is in this repository; nothing is fetched for it.
    pub fn blob_here(&self, blob: &ObjectId) -> Option<Vec<u8>> {
        match &self.library {
            Some(library) => library::blobs(library, &[blob]).ok()?.pop()?,
            None => plumbing::blobs(&self.git, &[blob]).ok()?.pop(),
        }
    }

    /// The content of one blob.
    pub fn blob(&self, blob: &ObjectId) -> Result<Vec<u8>> {
        let content = self.blobs(&[blob])?.pop();
        content.with_context(|| format!("cannot read blob {blob}"))
    }

    /// What a commit holds at a path.
    pub fn entry(&self, commit: &ObjectId, path: &RepoPath) -> Result<Option<Entry>> {
        self.either(|library| library::entry(library, commit, path), |git| plumbing::entry(git, commit, path))
    }

    /// The content of the file that a commit holds at a path.
    pub fn file_at(&self, commit: &ObjectId, path: &str) -> Result<Option<Vec<u8>>> {
        match self.entry(commit, &RepoPath::new(path))? {
            Some(entry) if entry.is_file() => Ok(Some(self.blob(&entry.id)?)),
            _ => Ok(None),
        }
    }

    /// What one folder holds, by name, given its tree or the commit whose root it is. Folders are entries too.
    pub fn children(&self, of: &ObjectId) -> Result<Vec<(RepoPath, Entry)>> {
        self.either(|library| library::children(library, of), |git| plumbing::children(git, of))
    }

    /// The content of a blob, or `None` where it is larger than wanted; then it is not even read.
    pub fn blob_up_to(&self, blob: &ObjectId, bytes: u64) -> Result<Option<Vec<u8>>> {
        let size =
            self.either(|library| library::blob_size(library, blob), |git| plumbing::blob_size(git, blob))?;
        if size > bytes { Ok(None) } else { self.blob(blob).map(Some) }
    }

    /// The blob whose id begins so, unless it is larger than wanted; nothing where there is none, or more than one.
    pub fn blob_called(&self, start: &str, bytes: u64) -> Option<Vec<u8>> {
        let is_id = start.len() >= 4 && start.bytes().all(|byte| byte.is_ascii_hexdigit());
        let library = self.library.as_ref().filter(|_| is_id)?;
        let blob = library::blob_called(library, start)?;
        self.blob_up_to(&blob, bytes).ok()?
    }

    /// Every file, link and submodule of a commit, sorted by path.
    pub fn list(&self, commit: &ObjectId) -> Result<Vec<(RepoPath, Entry)>> {
        self.list_under(commit, "")
    }

    /// The same below one folder, given without a slash at its end; the empty path is the root.
    pub fn list_under(&self, commit: &ObjectId, folder: &str) -> Result<Vec<(RepoPath, Entry)>> {
        let mut entries = self.either(
            |library| library::list_under(library, commit, folder),
            |git| plumbing::list(git, commit),
        )?;
        let prefix = format!("{folder}/");
        entries.retain(|(path, _)| folder.is_empty() || path.as_bytes().starts_with(prefix.as_bytes()));
        Ok(entries)
    }

    /// Paths that differ between two commits; no `before` means the empty tree.
    pub fn diff(&self, before: Option<&ObjectId>, after: &ObjectId) -> Result<Vec<RawChange>> {
        self.either(|library| library::diff(library, before, after), |git| plumbing::diff(git, before, after))
    }

    /// The parents that a merge under way will add to HEAD, as recorded in the repository.
    pub fn merge_heads(&self) -> Vec<ObjectId> {
        let recorded = std::fs::read_to_string(self.git_dir.join("MERGE_HEAD")).unwrap_or_default();
        recorded.lines().filter_map(ObjectId::parse).collect()
    }
}

/// Whether libgit2 did not find an object.
fn is_missing(error: &anyhow::Error) -> bool {
    error.downcast_ref::<git2::Error>().is_some_and(|error| error.code() == git2::ErrorCode::NotFound)
}

/// A place that `git rev-parse` names, whatever bytes its path has.
fn absolute(git: &Git, place: &str) -> Result<PathBuf> {
    let found = git.output(&["rev-parse", "--path-format=absolute", place])?;
    let path = crate::platform::path_from_bytes(found.strip_suffix(b"\n").unwrap_or(&found));
    path.filter(|path| !path.as_os_str().is_empty())
        .with_context(|| format!("git printed no path for {place}"))
}

fn explain(directory: &Path, error: anyhow::Error) -> anyhow::Error {
    if !error.to_string().contains("not a git repository") {
        return error;
    }
    let place = std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned());
    anyhow::anyhow!(
        "{} is not a git repository, nor is any folder above it: change to one, or name one with -C DIR",
        place.display()
    )
}
