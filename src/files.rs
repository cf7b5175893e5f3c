//! Files that other processes read and write at the same time: replaced whole or not at all, one writer at a time.
//!
//! Owns temporary files and locks. A reader sees the old bytes or the new ones, whenever a writer is killed; what a
//! killed writer leaves is a temporary file, which readers pass over and the next writer removes.

use std::fs::{self, File, Permissions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, Result, bail};

use crate::text::printable;

const PREFIX: &str = ".aiwg-gate-";
const SUFFIX: &str = ".tmp";

/// A writer holds a lock for milliseconds; one that holds it so long is stuck.
const PATIENCE: Duration = Duration::from_secs(60);

/// A temporary file that is so old has no writer any more.
const ABANDONED: Duration = Duration::from_secs(60 * 60);

/// How a file is replaced.
#[derive(Clone, Debug, Default)]
pub struct Replace {
    permissions: Option<Permissions>,
    derived: bool,
}

impl Replace {
    /// The permissions of a new file, less what the user's mask takes away. Without them an existing file keeps
    /// what it has, and a new one gets what any new file gets.
    pub fn permissions(mut self, permissions: Option<Permissions>) -> Self {
        self.permissions = permissions;
        self
    }

    /// The content can be made again, so that it need not survive a power failure.
    pub fn derived(mut self) -> Self {
        self.derived = true;
        self
    }

    /// Gives the file new content, making its folder where there is none.
    pub fn write(&self, path: &Path, bytes: &[u8]) -> Result<()> {
        self.try_write(path, bytes).map_err(|error| explain("write", path, error))
    }

    fn try_write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        fs::create_dir_all(folder_of(path))?;
        let mut new = self.temporary(folder_of(path))?;
        new.write_all(bytes)?;
        self.persist(new, path)
    }

    fn persist(&self, new: tempfile::NamedTempFile, path: &Path) -> io::Result<()> {
        if self.permissions.is_none()
            && let Ok(before) = fs::metadata(path)
        {
            new.as_file().set_permissions(before.permissions())?;
        }
        if !self.derived {
            new.as_file().sync_all()?;
        }
        new.persist(path)?;
        if !self.derived {
            sync_folder(folder_of(path))?;
        }
        Ok(())
    }

    fn temporary(&self, folder: &Path) -> io::Result<tempfile::NamedTempFile> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        if let Some(permissions) = &self.permissions {
            return builder.permissions(permissions.clone()).tempfile_in(folder);
        }
        // Opened by hand, so that a new file gets the permissions that any new file gets.
        let new = builder.make_in(folder, |path| File::options().write(true).create_new(true).open(path))?;
        let (file, path) = new.into_parts();
        Ok(tempfile::NamedTempFile::from_parts(file, path))
    }
}

/// Gives a file new content, which survives a power failure from then on.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    Replace::default().write(path, bytes)
}

/// A file that is written bit by bit and takes its place when it is whole. Dropped before, it leaves nothing.
pub struct Pending {
    new: io::BufWriter<tempfile::NamedTempFile>,
    path: PathBuf,
}

impl Pending {
    pub fn begin(path: &Path) -> Result<Self> {
        let new = Replace::default().temporary(folder_of(path));
        let new = new.map_err(|error| explain("write", path, error))?;
        Ok(Self { new: io::BufWriter::new(new), path: path.to_owned() })
    }

    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.new.write_all(bytes).map_err(|error| explain("write", &self.path, error))
    }

    pub fn finish(self) -> Result<()> {
        let path = self.path;
        let new = self.new.into_inner().map_err(io::IntoInnerError::into_error);
        let persisted = new.and_then(|new| Replace::default().persist(new, &path));
        persisted.map_err(|error| explain("write", &path, error))
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The name of a file survives a power failure only once its folder is written.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Whether a file is one that a writer has not finished, or never will.
pub fn is_temporary(name: &str) -> bool {
    name.starts_with(PREFIX) && name.ends_with(SUFFIX)
}

/// Removes what killed writers left in a folder. Only for a writer that holds the folder's lock.
pub fn sweep(folder: &Path) {
    remove_temporary(folder, |_| true);
}

/// The same where writers take no lock: only what is too old to have a writer.
pub fn sweep_old(folder: &Path) {
    remove_temporary(folder, |file| {
        let age = file.metadata().and_then(|metadata| metadata.modified()).map(age);
        age.is_ok_and(|age| age > ABANDONED)
    });
}

fn age(time: SystemTime) -> Duration {
    time.elapsed().unwrap_or_default()
}

fn remove_temporary(folder: &Path, which: impl Fn(&fs::DirEntry) -> bool) {
    let Ok(files) = fs::read_dir(folder) else { return };
    let left = files.flatten().filter(|file| file.file_name().to_str().is_some_and(is_temporary));
    for file in left.filter(which) {
        // One that cannot be removed is in nobody's way.
        let _ = fs::remove_file(file.path());
    }
}

/// An exclusive lock between processes, given back when dropped or when the process ends, however it ends.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

/// Waits for the lock that a file stands for. One process must not take the same lock twice.
pub fn lock(path: &Path) -> Result<Lock> {
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        let file = open_lock(path).map_err(|error| explain("lock", path, error))?;
        match file.try_lock() {
            // Somebody may have removed the file since it was opened; then the next one locks another.
            Ok(()) if is_still(path, &file) => return Ok(Lock { _file: file }),
            Ok(()) | Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(error)) => return Err(explain("lock", path, error)),
        }
        if start.elapsed() > PATIENCE {
            bail!(
                "{} has been locked by another process for {} seconds; end that process and try again",
                shown(path),
                PATIENCE.as_secs()
            );
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

fn open_lock(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    // To open a pipe would wait for somebody who reads it.
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return Err(io::Error::other("it is no ordinary file; remove it and try again"));
    }
    File::options().write(true).create(true).truncate(false).open(path)
}

#[cfg(unix)]
fn is_still(path: &Path, file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    let same = |one: &fs::Metadata, two: &fs::Metadata| (one.dev(), one.ino()) == (two.dev(), two.ino());
    matches!((fs::metadata(path), file.metadata()), (Ok(one), Ok(two)) if same(&one, &two))
}

#[cfg(not(unix))]
fn is_still(path: &Path, _file: &File) -> bool {
    path.exists()
}

/// Which file, what failed, and what a person can do about it.
fn explain(verb: &str, path: &Path, error: io::Error) -> anyhow::Error {
    let what = format!("cannot {verb} {}", shown(path));
    match advice(error.kind()) {
        Some(advice) => anyhow::Error::new(error).context(advice).context(what),
        None => anyhow::Error::new(error).context(what),
    }
}

fn advice(kind: io::ErrorKind) -> Option<&'static str> {
    use io::ErrorKind::{PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    Some(match kind {
        StorageFull => {
            "the disk is full; nothing was lost, what was written before is intact: free some space and try again"
        }
        QuotaExceeded => {
            "your disk quota is used up; nothing was lost, what was written before is intact: free some space and try again"
        }
        ReadOnlyFilesystem => {
            "the file system is read-only; nothing was lost, what was written before is intact: make it writable and try again"
        }
        PermissionDenied => {
            "this user may not write there; look at the permissions of the file and its folder"
        }
        _ => return None,
    })
}

fn shown(path: &Path) -> String {
    printable(&path.display().to_string()).into_owned()
}

/// Reads a file that is no larger than `limit`, and refuses what is no ordinary file.
pub fn read_bounded(path: &Path, limit: u64) -> Result<(Vec<u8>, fs::Metadata)> {
    use io::Read;
    let failed = || format!("cannot read {}", shown(path));
    if !fs::symlink_metadata(path).with_context(failed)?.is_file() {
        bail!("it is no ordinary file");
    }
    let file = File::open(path).with_context(failed)?;
    let metadata = file.metadata().with_context(failed)?;
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len().min(limit)).unwrap_or(0) + 1);
    file.take(limit + 1).read_to_end(&mut bytes).with_context(failed)?;
    if bytes.len() as u64 > limit {
        bail!("it has more than {} MiB, which is the limit", limit >> 20);
    }
    Ok((bytes, metadata))
}

/// Where a repository keeps what is derived, and its locks.
pub fn state_folder(common_dir: &Path) -> PathBuf {
    common_dir.join("aiwg-gate")
}

#[cfg(test)]
#[path = "files_tests.rs"]
mod tests;
