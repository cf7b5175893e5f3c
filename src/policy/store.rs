//! The policy file on disk: read whole, replaced whole, one writer at a time.
//!
//! Refuses what is no ordinary file: git would hand the gate a link's target name instead of a policy.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::{FILE_NAME, MAX_BYTES};
use crate::files;

pub struct Store {
    directory: PathBuf,
    lock: PathBuf,
}

impl Store {
    /// The policy file in the root of a working tree; `state` is a folder that only this program writes to.
    pub fn new(work_dir: &Path, state: &Path) -> Self {
        Self { directory: work_dir.to_owned(), lock: state.join("policy.lock") }
    }

    fn file(&self) -> PathBuf {
        self.directory.join(FILE_NAME)
    }

    /// The text of the file, `None` where there is none.
    pub fn read(&self) -> Result<Option<String>> {
        let file = self.file();
        let metadata = match fs::symlink_metadata(&file) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", file.display())),
        };
        if !metadata.is_file() {
            bail!("{FILE_NAME} is no ordinary file: put the policy itself there, not a link or a folder");
        }
        if metadata.len() > MAX_BYTES as u64 {
            bail!(
                "{FILE_NAME} has {} bytes, {MAX_BYTES} is the limit: keep only settings in it",
                metadata.len()
            );
        }
        let bytes = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let text = String::from_utf8(bytes);
        Ok(Some(text.with_context(|| format!("{FILE_NAME} is not UTF-8: save it as UTF-8 text"))?))
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
