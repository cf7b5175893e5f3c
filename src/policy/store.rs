//! The policy file and the file of waivers on disk: read whole, replaced whole, one writer at a time.
//!
//! Refuses what is no ordinary file: git would hand the gate a link's target name instead.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::{FILE_NAME, MAX_BYTES, waivers};
use crate::files;

pub struct Store {
    directory: PathBuf,
    lock: PathBuf,
    name: &'static str,
    limit: usize,
}

impl Store {
    /// The policy file in the root of a working tree; `state` is a folder that only this program writes to.
    pub fn new(work_dir: &Path, state: &Path) -> Self {
        let (directory, lock) = (work_dir.to_owned(), state.join("policy.lock"));
        Self { directory, lock, name: FILE_NAME, limit: MAX_BYTES }
    }

    /// The file of waivers beside it.
    pub fn waivers(work_dir: &Path, state: &Path) -> Self {
        let (directory, lock) = (work_dir.to_owned(), state.join("waivers.lock"));
        Self { directory, lock, name: waivers::FILE_NAME, limit: waivers::MAX_BYTES }
    }

    fn file(&self) -> PathBuf {
        self.directory.join(self.name)
    }

    /// The text of the file, `None` where there is none.
    pub fn read(&self) -> Result<Option<String>> {
        let (file, name, limit) = (self.file(), self.name, self.limit);
        let metadata = match fs::symlink_metadata(&file) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", file.display())),
        };
        if !metadata.is_file() {
            bail!("{name} is no ordinary file: put the file itself there, not a link or a folder");
        }
        if metadata.len() > limit as u64 {
            bail!("{name} has {} bytes, {limit} is the limit: keep only what counts in it", metadata.len());
        }
        let bytes = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let text = String::from_utf8(bytes);
        Ok(Some(text.with_context(|| format!("{name} is not UTF-8: save it as UTF-8 text"))?))
    }

    /// Replaces the text by what `edit` makes of it; tells whether that is another text.
    pub fn update(&self, edit: impl FnOnce(Option<&str>) -> Result<Option<String>>) -> Result<bool> {
        let lock = files::lock(&self.lock)?;
        let before = self.read()?;
        let Some(after) = edit(before.as_deref())?.filter(|after| before.as_ref() != Some(after)) else {
            return Ok(false);
        };
        files::sweep(&self.directory);
        files::replace(&self.file(), after.as_bytes())?;
        drop(lock);
        Ok(true)
    }
}
