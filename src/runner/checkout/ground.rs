//! The working tree and the checkout beside each other: which place of the one is which of the other.

use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result};

use crate::git::Listed;
use crate::text::one_line;

pub struct Ground {
    /// The working tree, without links in its path, and as it was given.
    pub work: PathBuf,
    given: PathBuf,
    pub checkout: PathBuf,
    /// Folders of the working tree that the checkout borrows; a path in them stays as it is.
    borrowed: Vec<PathBuf>,
    /// The same from the root of the checkout.
    places: Vec<PathBuf>,
    pub doubts: Vec<String>,
}

impl Ground {
    pub fn new(work: &Path, checkout: &Path) -> Result<Self> {
        let given = plain(&std::path::absolute(work)?);
        let work = std::fs::canonicalize(work)
            .with_context(|| format!("cannot read the working tree {}", given.display()))?;
        let checkout = std::fs::canonicalize(checkout)?;
        let mut doubts = Vec::new();
        if checkout.starts_with(&work) {
            doubts.push("the temporary directory lies inside of the working tree".to_owned());
        }
        Ok(Self { work, given, checkout, borrowed: Vec::new(), places: Vec::new(), doubts })
    }

    /// The same place in the checkout, of a path that leads into the working tree and not to what is borrowed.
    pub fn counterpart(&self, path: &Path) -> Option<PathBuf> {
        let inside = self.inside(path)?;
        Some(plain(&self.checkout.join(inside)))
    }

    /// Such a path from the root of the working tree.
    pub fn inside(&self, path: &Path) -> Option<PathBuf> {
        let path = plain(path);
        let inside = path.strip_prefix(&self.work).or_else(|_| path.strip_prefix(&self.given)).ok()?;
        let whole = self.work.join(inside);
        let apart =
            whole.starts_with(&self.checkout) || self.borrowed.iter().any(|kept| whole.starts_with(kept));
        (!apart).then(|| inside.to_owned())
    }

    /// A folder, given from the root, that is really there on both sides: no part of it is a link.
    pub fn has_folder(&self, folder: &Path) -> bool {
        let mut here = PathBuf::new();
        folder.components().all(|part| {
            here.push(part);
            matches!(part, Component::Normal(_))
                && [&self.work, &self.checkout].iter().all(|root| is_folder(&root.join(&here)))
        })
    }

    pub fn borrow(&mut self, place: &Path) {
        self.borrowed.push(self.work.join(place));
        self.places.push(place.to_owned());
    }

    /// The working tree in the forms that paths have.
    pub fn roots(&self) -> Vec<&Path> {
        let mut roots = vec![self.work.as_path(), self.given.as_path()];
        roots.dedup();
        roots
    }

    pub fn borrowed(&self) -> &[PathBuf] {
        &self.borrowed
    }

    pub fn doubt(&mut self, doubt: String) {
        self.doubts.push(doubt);
    }

    /// Tracked links that leave the checkout: they show something else than what is checked out.
    pub fn doubt_tracked_links(&mut self, entries: &[Listed]) {
        for listed in entries.iter().filter(|listed| listed.is_link() && !listed.skipped) {
            let Some(path) = listed.path.to_os_path() else { continue };
            let Ok(target) = std::fs::read_link(self.checkout.join(&path)) else { continue };
            let folder = path.parent().unwrap_or(Path::new(""));
            let (link, shown) = (one_line(&path.to_string_lossy()), one_line(&target.to_string_lossy()));
            if target.is_absolute() {
                if self.inside(&target).is_some() {
                    self.doubt(format!("the tracked link {link} leads into the working tree: {shown}"));
                }
            } else if !plain(&self.checkout.join(folder).join(&target)).starts_with(&self.checkout) {
                self.doubt(format!("the tracked link {link} leads out of the repository: {shown}"));
            }
        }
    }

    /// Keeps what is borrowed out of `git status` in the checkout: patterns for folders do not match links.
    pub fn hide_borrowed(&self) -> Result<()> {
        let mut lines = String::from("\n");
        for place in self.places.iter().filter_map(|place| place.to_str()) {
            if !place.contains(['\n', '*', '?', '[', '\\']) {
                lines.push_str(&format!("/{place}\n"));
            }
        }
        let file = self.checkout.join(".git/info/exclude");
        let mut exclude = std::fs::read(&file).unwrap_or_default();
        exclude.extend(lines.into_bytes());
        std::fs::write(&file, exclude).with_context(|| format!("cannot write {}", file.display()))
    }
}

pub fn is_folder(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir())
}

/// Without `.` and `..`, by the words of the path alone.
pub fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}
