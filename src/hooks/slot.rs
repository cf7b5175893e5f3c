//! One place for a hook file: who has it now, and whether a hook from before is kept beside it.

use std::io::Read;
use std::path::{Path, PathBuf};

use super::shim::{self, Written};
use super::table::{HOOKS, Hook};
use crate::platform::is_executable;

const KEPT: &str = "before-aiwg-gate";
/// Far more than a shim has; hooks can be large binaries.
const LONGEST_SHIM: u64 = 64 * 1024;

pub struct Slot {
    pub hook: &'static Hook,
    pub path: PathBuf,
    pub kept: PathBuf,
    pub occupant: Occupant,
    pub has_kept: bool,
    pub executable: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Occupant {
    Absent,
    /// A shim as it was written, of this or another version.
    Shim(Written),
    /// A shim that someone changed, or a link to one.
    Edited(Written),
    Foreign,
}

impl Slot {
    pub fn look(directory: &Path, hook: &'static Hook) -> Self {
        let path = directory.join(hook.name);
        let kept = directory.join(format!("{}.{KEPT}", hook.name));
        Self {
            occupant: occupant(&path),
            has_kept: std::fs::symlink_metadata(&kept).is_ok(),
            executable: may_run(&path),
            hook,
            path,
            kept,
        }
    }

    pub fn all(directory: &Path) -> impl Iterator<Item = Self> {
        HOOKS.iter().map(|hook| Self::look(directory, hook))
    }

    pub fn is_shim(&self) -> bool {
        matches!(self.occupant, Occupant::Shim(_))
    }

    /// Whether the file is the kept hook once more, as after a hook manager was set up again.
    pub fn is_kept_already(&self) -> bool {
        let content = |path: &Path| path.is_file().then(|| std::fs::read(path).ok()).flatten();
        let is_link = self.path.is_symlink() || self.kept.is_symlink();
        self.has_kept && !is_link && content(&self.path).is_some_and(|one| content(&self.kept) == Some(one))
    }

    /// The name that the kept hook has in its directory.
    pub fn kept_name(&self) -> String {
        format!("{}.{KEPT}", self.hook.name)
    }
}

fn occupant(path: &Path) -> Occupant {
    let Ok(metadata) = std::fs::symlink_metadata(path) else { return Occupant::Absent };
    match shim::read(&beginning(path)) {
        Some(written) if written.intact && metadata.is_file() => Occupant::Shim(written),
        Some(written) => Occupant::Edited(written),
        None => Occupant::Foreign,
    }
}

/// Unreadable files are someone else's, and so are pipes and directories, which are never opened.
fn beginning(path: &Path) -> Vec<u8> {
    let mut content = Vec::new();
    if path.is_file()
        && let Ok(file) = std::fs::File::open(path)
        && file.take(LONGEST_SHIM).read_to_end(&mut content).is_err()
    {
        content.clear();
    }
    content
}

/// Whether git would run the file.
pub fn may_run(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && is_executable(&metadata))
}
