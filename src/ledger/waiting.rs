//! Verdicts whose commit does not exist yet, one small file each.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};

use super::{Entry, Key};
use crate::git::Repository;

/// Verdicts of commits that never came to be are dropped after this time.
const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

pub struct Waiting {
    directory: PathBuf,
}

impl Waiting {
    pub fn of(repository: &Repository) -> Self {
        Self { directory: repository.common_dir().join("aiwg-gate").join("verdicts") }
    }

    /// Keeps a verdict until its commit is there.
    pub fn put(&self, key: &Key, entry: &Entry) -> Result<()> {
        let directory = &self.directory;
        let write = || -> Result<()> {
            fs::create_dir_all(directory)?;
            let mut file = tempfile::NamedTempFile::new_in(directory)?;
            writeln!(file, "{}", entry.to_line()?)?;
            file.persist(directory.join(key.as_str()))?;
            Ok(())
        };
        write().with_context(|| format!("cannot keep the verdict in {}", directory.display()))?;
        self.drop_old();
        Ok(())
    }

    /// Takes a verdict out.
    pub fn take(&self, key: &Key) -> Option<Entry> {
        let file = self.directory.join(key.as_str());
        let entry = Entry::parse(&fs::read_to_string(&file).ok()?)?;
        // Found but not removed: it is dropped by age.
        let _ = fs::remove_file(file);
        Some(entry)
    }

    fn drop_old(&self) {
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
