//! A copy of the index that git may write to, and that holds what is on disk whatever the real one was told to hide.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tempfile::TempDir;

use crate::git::object::RepoPath;
use crate::git::program::Git;
use crate::git::repository::Repository;

/// Settings by which git would take a changed file for the same, or leave one out that is there.
const LOOK: [&str; 10] = [
    "-c",
    "core.ignoreStat=false",
    "-c",
    "core.trustctime=true",
    "-c",
    "core.checkStat=default",
    "-c",
    "core.untrackedCache=false",
    "-c",
    "core.sparseCheckout=false",
];

#[derive(Debug)]
pub struct IndexCopy {
    /// In the root of the working tree, from which paths count; where there is none, where the user is.
    git: Git,
    root: Option<PathBuf>,
    /// Removed with the value.
    _folder: TempDir,
}

impl IndexCopy {
    pub fn of(repository: &Repository) -> Result<Self> {
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
        let git = repository.git().clone().with_index(&file);
        Ok(Self { git, root: repository.work_dir().map(Path::to_owned), _folder: folder })
    }

    pub fn git<A: AsRef<OsStr>>(&self, args: &[A]) -> Result<Vec<u8>> {
        self.feed(args, b"")
    }

    fn feed<A: AsRef<OsStr>>(&self, args: &[A], input: &[u8]) -> Result<Vec<u8>> {
        let mut all: Vec<OsString> = LOOK.iter().map(OsString::from).collect();
        if let Some(root) = &self.root {
            all.extend([OsString::from("-C"), std::path::absolute(root)?.into_os_string()]);
        }
        let plain = all.len();
        all.extend(args.iter().map(|word| word.as_ref().to_owned()));
        self.git.filter_named(&all, plain, input)
    }

    /// Lets git look at the files that it was told to pass over. Those that are not there stay as they are: a sparse
    /// checkout leaves them out. Gives the submodules.
    pub fn unhide(&self) -> Result<Vec<RepoPath>> {
        let listed = self.git(&["ls-files", "-v", "--stage", "-z", "--full-name", ":/"])?;
        let (mut assumed, mut skipped, mut submodules) = (Vec::new(), Vec::new(), Vec::new());
        for record in listed.split(|&byte| byte == 0) {
            let Some(tab) = record.iter().position(|&byte| byte == b'\t') else { continue };
            let (tag, path) = (record[0], RepoPath::new(&record[tab + 1..]));
            if record[1..tab].starts_with(b" 160000 ") {
                submodules.push(path.clone());
            }
            if tag.eq_ignore_ascii_case(&b'S') && self.is_there(&path) {
                skipped.push(path.clone());
            }
            if tag.is_ascii_lowercase() {
                assumed.push(path);
            }
        }
        self.update("--no-assume-unchanged", &assumed)?;
        self.update("--no-skip-worktree", &skipped)?;
        Ok(submodules)
    }

    fn is_there(&self, path: &RepoPath) -> bool {
        let place = self.root.as_ref().zip(path.to_os_path()).map(|(root, path)| root.join(path));
        place.is_some_and(|place| fs::symlink_metadata(place).is_ok())
    }

    /// Takes files in that git does not track.
    pub fn add(&self, paths: &BTreeSet<RepoPath>) -> Result<()> {
        self.update("--add", paths).context("cannot read untracked files")
    }

    fn update<'p>(&self, how: &str, paths: impl IntoIterator<Item = &'p RepoPath>) -> Result<()> {
        let names: Vec<u8> = paths.into_iter().flat_map(|path| [path.as_bytes(), b"\0"].concat()).collect();
        if !names.is_empty() {
            self.feed(&["update-index", how, "-z", "--stdin"], &names)?;
        }
        Ok(())
    }
}
