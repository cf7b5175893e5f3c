//! Verdicts whose commit does not exist yet, one small file each.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::{Entry, Key};
use crate::files::{self, Replace};
use crate::git::{ChangeSet, ObjectId, Repository};

/// Verdicts of commits that never came to be are dropped after this time.
const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

const VERSION: u32 = 1;

/// What a file holds.
#[derive(Serialize, Deserialize)]
struct Kept<E> {
    version: u32,
    /// What HEAD was; `None` before the first commit.
    head: Option<String>,
    entry: E,
}

fn read(file: &Path) -> Option<Kept<Entry>> {
    let kept: Kept<Entry> = serde_json::from_str(&fs::read_to_string(file).ok()?).ok()?;
    (kept.version == VERSION).then_some(kept)
}

pub struct Waiting {
    directory: PathBuf,
}

/// Removes everything that is kept beside the notes; all of it is derived.
pub fn forget(repository: &Repository) -> Result<()> {
    let directory = files::state_folder(repository.common_dir());
    match fs::remove_dir_all(&directory) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", directory.display()))
        }
        _ => Ok(()),
    }
}

impl Waiting {
    pub fn of(repository: &Repository) -> Self {
        Self { directory: files::state_folder(repository.common_dir()).join("verdicts") }
    }

    /// Keeps the verdict on a change until its commit is there.
    pub fn put(&self, change: &ChangeSet, entry: &Entry) -> Result<()> {
        let directory = &self.directory;
        let kept = Kept { version: VERSION, head: change.base.as_ref().map(ToString::to_string), entry };
        let text = serde_json::to_string(&kept)? + "\n";
        let file = directory.join(Key::of(change).as_str());
        Replace::default().derived().write(&file, text.as_bytes()).context("cannot keep the verdict")?;
        self.drop_old();
        Ok(())
    }

    /// Whether no verdict waits.
    pub fn is_empty(&self) -> bool {
        let waits = |file: &fs::DirEntry| !file.file_name().to_str().is_some_and(files::is_temporary);
        fs::read_dir(&self.directory).map_or(true, |files| !files.flatten().any(|file| waits(&file)))
    }

    /// A verdict, left where it is.
    pub fn get(&self, key: &Key) -> Option<Entry> {
        read(&self.directory.join(key.as_str())).map(|kept| kept.entry)
    }

    /// Takes a verdict out.
    pub fn take(&self, key: &Key) -> Option<Entry> {
        let entry = self.get(key)?;
        // Found but not removed: it is dropped by age.
        let _ = fs::remove_file(self.directory.join(key.as_str()));
        Some(entry)
    }

    /// The commits on top of which changes were judged that are not committed, so far as anyone knows.
    pub fn heads(&self) -> Vec<ObjectId> {
        let Ok(files) = fs::read_dir(&self.directory) else { return Vec::new() };
        let head = |file: fs::DirEntry| ObjectId::parse(&read(&file.path())?.head?);
        let mut heads: Vec<ObjectId> = files.flatten().filter_map(head).collect();
        heads.sort();
        heads.dedup();
        heads
    }

    fn drop_old(&self) {
        files::sweep_old(&self.directory);
        let Ok(files) = fs::read_dir(&self.directory) else { return };
        let is_old = |file: &fs::DirEntry| {
            let modified =
                file.metadata().and_then(|metadata| metadata.modified()).unwrap_or(SystemTime::now());
            modified.elapsed().is_ok_and(|age| age > KEPT)
        };
        for file in files.flatten().filter(is_old) {
            let _ = fs::remove_file(file.path());
        }
    }
}
