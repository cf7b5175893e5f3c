//! Git settings that decide about hooks, and what installing remembers in the repository's own configuration.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::git::{Git, Repository};
use crate::platform::path_from_bytes;

pub const HOOKS_PATH: &str = "core.hooksPath";
/// Holds the value that installing gave to the local `core.hooksPath`.
pub const HOOKS_PATH_SET: &str = "aiwg-gate.hooksPathSet";
/// Holds each directory that installing had to make.
pub const MADE_DIRECTORY: &str = "aiwg-gate.madeDirectory";

const CANNOT_RUN: &str = "cannot run git: is it installed and on PATH?";

/// Who set a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The user or the machine.
    Outer,
    /// The repository or the linked worktree.
    Local,
    /// `git -c` or an environment variable, which no file can override.
    Command,
}

/// Git's settings as seen from the root of a working tree.
pub struct Settings<'a> {
    repository: &'a Repository,
    work_dir: &'a Path,
}

impl<'a> Settings<'a> {
    /// Refuses bare repositories: nothing is committed there.
    pub fn of(repository: &'a Repository) -> Result<Self> {
        let Some(work_dir) = repository.work_dir() else {
            bail!(
                "this is a bare repository: nothing is committed here, so its hooks would never run; \
                 install aiwg-gate in the clones instead"
            );
        };
        Ok(Self { repository, work_dir })
    }

    pub fn work_dir(&self) -> &'a Path {
        self.work_dir
    }

    /// Where git looks for hooks now.
    pub fn hooks_directory(&self) -> Result<PathBuf> {
        let mut bytes = self.output(&["rev-parse", "--path-format=absolute", "--git-path", "hooks"])?;
        bytes.truncate(bytes.trim_ascii_end().len());
        path_from_bytes(&bytes).context("git names a hooks directory that this system cannot have")
    }

    /// Every value of `core.hooksPath`, the one in force last.
    pub fn hooks_paths(&self) -> Result<Vec<(Scope, PathBuf)>> {
        let args = ["config", "--show-scope", "--null", "--type=path", "--get-all", HOOKS_PATH];
        let bytes = self.listing(&args)?;
        let fields: Vec<_> = bytes.split(|byte| *byte == 0).collect();
        let (pairs, _) = fields.as_chunks::<2>();
        pairs.iter().map(|[scope, value]| Ok((scope_named(scope), path(value)?))).collect()
    }

    /// The values of a key that installing wrote.
    pub fn remembered(&self, key: &str) -> Result<Vec<PathBuf>> {
        let bytes = self.listing(&["config", "--local", "--null", "--get-all", key])?;
        let values = bytes.split(|byte| *byte == 0).filter(|value| !value.is_empty());
        values.map(path).collect()
    }

    pub fn set(&self, key: &str, value: &Path) -> Result<()> {
        self.write("--replace-all", key, value)
    }

    pub fn add(&self, key: &str, value: &Path) -> Result<()> {
        self.write("--add", key, value)
    }

    fn write(&self, how: &str, key: &str, value: &Path) -> Result<()> {
        let [config, local, how, key] = ["config", "--local", how, key].map(OsStr::new);
        self.output(&[config, local, how, key, value.as_os_str()]).map(drop)
    }

    /// Also where it is not set, which git reports with 5.
    pub fn unset(&self, key: &str) -> Result<()> {
        let output = self.command(&["config", "--local", "--unset-all", key]).output().context(CANNOT_RUN)?;
        match output.status.code() {
            Some(0 | 5) => Ok(()),
            _ => bail!("git refused: {}", String::from_utf8_lossy(&output.stderr).trim()),
        }
    }

    /// What `git config` lists; it fails with 1 where there is nothing.
    fn listing(&self, args: &[&str]) -> Result<Vec<u8>> {
        let output = self.command(args).output().context(CANNOT_RUN)?;
        match output.status.code() {
            Some(0) => Ok(output.stdout),
            Some(1) => Ok(Vec::new()),
            _ => bail!("`git {}` failed: {}", args.join(" "), String::from_utf8_lossy(&output.stderr).trim()),
        }
    }

    fn output<A: AsRef<OsStr>>(&self, args: &[A]) -> Result<Vec<u8>> {
        let output = self.command(args).output().context(CANNOT_RUN)?;
        if !output.status.success() {
            bail!("git refused: {}", String::from_utf8_lossy(&output.stderr).trim());
        }
        Ok(output.stdout)
    }

    /// Relative settings count from the root of the working tree, even for a user inside `.git`.
    fn command<A: AsRef<OsStr>>(&self, args: &[A]) -> Command {
        let mut command = Git::at(self.work_dir).command(args);
        command.env("GIT_DIR", self.repository.git_dir()).env("GIT_WORK_TREE", self.work_dir);
        command
    }
}

fn scope_named(name: &[u8]) -> Scope {
    match name {
        b"local" | b"worktree" => Scope::Local,
        b"command" => Scope::Command,
        _ => Scope::Outer,
    }
}

fn path(bytes: &[u8]) -> Result<PathBuf> {
    path_from_bytes(bytes).context("git's configuration names a path that this system cannot have")
}
