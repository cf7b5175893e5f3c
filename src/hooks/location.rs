//! Where the hooks of a repository belong, and why there.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::husky;
use super::settings::{HOOKS_PATH_SET, Scope, Settings};
use crate::git::Repository;
use crate::text::{printable, shell_quote};

/// How the directory was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The repository's own hooks directory, which git uses unless told otherwise.
    Default,
    /// The repository or the worktree sets `core.hooksPath`.
    Configured,
    /// The user or the machine sets `core.hooksPath`. That directory serves other repositories too and is
    /// never written to: the repository's own one takes its place and passes on to it.
    Redirected { outer: PathBuf },
    /// husky has `core.hooksPath` and writes the files in it; people write the files that it calls.
    Husky(husky::Layout),
}

impl Choice {
    /// Why the hooks are where they are, in a few words.
    pub fn reason(&self) -> String {
        match self {
            Self::Default => "the repository's own hooks directory".to_owned(),
            Self::Configured => "core.hooksPath of the repository".to_owned(),
            Self::Redirected { outer } => {
                format!("the repository's own hooks directory, which passes on to {}", shown(outer))
            }
            Self::Husky(_) => "the files that husky calls".to_owned(),
        }
    }
}

pub struct Location {
    /// Where the files belong that carry the gate; for husky the directory that people edit.
    pub directory: PathBuf,
    pub choice: Choice,
    /// Where git looks now, which differs where nothing is installed yet or settings changed afterwards.
    pub in_force: PathBuf,
    /// The repository's own hooks directory.
    pub own: PathBuf,
    /// Whether `git -c` or the environment sets `core.hooksPath`.
    pub overridden: bool,
    /// What installing once set `core.hooksPath` to.
    pub redirect: Option<PathBuf>,
    /// Whether `core.hooksPath` still has that value.
    pub redirect_in_force: bool,
}

impl Location {
    pub fn find(repository: &Repository) -> Result<Self> {
        let settings = Settings::of(repository)?;
        let own = std::path::absolute(repository.common_dir().join("hooks"))?;
        let paths = settings.hooks_paths()?;
        let last = |scope| paths.iter().rfind(|(of, _)| *of == scope).map(|(_, path)| path.clone());
        let redirect = settings.remembered(HOOKS_PATH_SET)?.pop();
        let local = last(Scope::Local);
        let redirect_in_force = redirect.is_some() && local == redirect;
        let local = if redirect_in_force { None } else { local };
        let (directory, choice) = choose(settings.work_dir(), &own, local, last(Scope::Outer))?;
        let in_force = settings.hooks_directory()?;
        let overridden = last(Scope::Command).is_some();
        Ok(Self { directory, choice, in_force, own, overridden, redirect, redirect_in_force })
    }

    /// Whether git runs what is written to the directory.
    pub fn is_in_force(&self) -> bool {
        match &self.choice {
            Choice::Husky(layout) => same(&layout.called(&self.directory), &self.in_force),
            _ => same(&self.directory, &self.in_force),
        }
    }

    pub fn outer(&self) -> Option<&Path> {
        match &self.choice {
            Choice::Redirected { outer } => Some(outer),
            _ => None,
        }
    }
}

fn choose(
    work_dir: &Path,
    own: &Path,
    local: Option<PathBuf>,
    outer: Option<PathBuf>,
) -> Result<(PathBuf, Choice)> {
    if [&local, &outer].into_iter().flatten().any(|path| path.as_os_str().is_empty()) {
        bail!(
            "core.hooksPath is set to nothing, so git looks for hooks in the root of the file system; \
             see `git config --show-origin --get-all core.hooksPath` and remove that line"
        );
    }
    Ok(match (local, outer) {
        (Some(local), _) => configured(work_dir.join(local)),
        // `.git/hooks` in the user's settings is what git uses anyway.
        (None, Some(outer)) if !same(&work_dir.join(&outer), own) => {
            (own.to_owned(), Choice::Redirected { outer })
        }
        _ => (own.to_owned(), Choice::Default),
    })
}

fn configured(directory: PathBuf) -> (PathBuf, Choice) {
    match husky::Layout::of(&directory) {
        Some((layout, edited)) => (edited, Choice::Husky(layout)),
        None => (directory, Choice::Configured),
    }
}

/// Whether two paths name the same directory, by whatever way.
pub fn same(one: &Path, two: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().or_else(|_| std::path::absolute(path));
    matches!((real(one), real(two)), (Ok(one), Ok(two)) if one == two)
}

/// A path as messages show it.
pub fn shown(path: &Path) -> String {
    printable(&path.display().to_string()).into_owned()
}

/// A path as commands in messages name it.
pub fn typed(path: &Path) -> String {
    shell_quote(&shown(path))
}
