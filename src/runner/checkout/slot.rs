//! Where a checkout lies: the same place for each run of a repository, so that caches which go by path are found again.
//!
//! Several runs at once take places with other numbers, each guarded by a lock that ends with its process. What a
//! killed run left in a place is removed by the next run.

use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::git::Repository;
use crate::{digest, platform};

/// More runs at once than this are refused.
const SLOTS: usize = 256;

pub struct Slot {
    base: PathBuf,
    place: PathBuf,
    root: PathBuf,
    lock: PathBuf,
    /// Held as long as the value lives.
    _held: File,
}

impl Slot {
    pub fn take(repository: &Repository) -> Result<Self> {
        let base = std::env::temp_dir().join(format!("aiwg-gate-{}", digest(repository.common_dir())?));
        // The name of the folder stays: some tools take it for the name of the project.
        let name = repository.work_dir().and_then(Path::file_name).unwrap_or("checkout".as_ref());
        for number in 0..SLOTS {
            let lock = base.join(format!("{number}.lock"));
            let Some(held) = lock_at(&base, &lock)? else { continue };
            let place = base.join(number.to_string());
            let root = place.join(name);
            let slot = Self { base, place, root, lock, _held: held };
            remove(&slot.place).with_context(|| format!("cannot remove {}", slot.place.display()))?;
            slot.clean_others();
            std::fs::create_dir_all(&slot.root)
                .with_context(|| format!("cannot make {}", slot.root.display()))?;
            return Ok(slot);
        }
        bail!(
            "{SLOTS} throw-away checkouts of this repository are in use: wait until some of the runs have ended"
        )
    }

    /// The root of the checkout.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A name for this place of this repository.
    pub fn name(&self) -> String {
        let part = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        format!("{}-{}", part(&self.base).trim_start_matches("aiwg-gate-"), part(&self.place))
    }

    /// A folder around it, for what is not part of the checkout.
    pub fn place(&self) -> &Path {
        &self.place
    }

    /// Removes what killed runs left in other places.
    fn clean_others(&self) {
        let Ok(entries) = std::fs::read_dir(&self.base) else { return };
        for entry in entries.flatten() {
            let place = entry.path();
            let number = entry.file_name().to_str().and_then(|name| name.parse::<usize>().ok());
            let Some(number) = number.filter(|_| place != self.place) else { continue };
            let lock = self.base.join(format!("{number}.lock"));
            if let Ok(Some(_held)) = lock_at(&self.base, &lock) {
                // What cannot be removed now is tried again by the next run.
                let _ = remove(&place);
                let _ = std::fs::remove_file(&lock);
            }
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        if remove(&self.place).is_ok() {
            // While the lock is held: who opened the file before sees that it has gone, and makes a new one.
            let _ = std::fs::remove_file(&self.lock);
            let _ = std::fs::remove_dir(&self.base);
        }
    }
}

fn digest(common_dir: &Path) -> Result<String> {
    let place = std::fs::canonicalize(common_dir)
        .with_context(|| format!("cannot read the repository {}", common_dir.display()))?;
    Ok(digest::hex(platform::path_to_bytes(&place)).chars().take(16).collect())
}

/// The lock of a place; `None` while another process holds it.
fn lock_at(base: &Path, lock: &Path) -> Result<Option<File>> {
    loop {
        platform::private_folder(base)?;
        let file = match File::options().create(true).truncate(false).write(true).open(lock) {
            // Another run that ended removed the folder in between.
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            file => file.with_context(|| format!("cannot write {}", lock.display()))?,
        };
        match file.try_lock() {
            Ok(()) if platform::is_same_file(&file, lock) => return Ok(Some(file)),
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => {
                return Err(error).with_context(|| format!("cannot lock {}", lock.display()));
            }
        }
    }
}

/// Removes a folder with all that is in it. Links are removed, never followed.
fn remove(place: &Path) -> std::io::Result<()> {
    const ATTEMPTS: usize = 5;
    let mut result = Ok(());
    for _ in 0..ATTEMPTS {
        result = match std::fs::remove_dir_all(place) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            result => result,
        };
        match &result {
            Ok(()) => return result,
            Err(error) if error.kind() == ErrorKind::PermissionDenied => platform::make_removable(place),
            // A process that a test left behind still writes.
            Err(_) => std::thread::sleep(std::time::Duration::from_millis(50)),
        }
    }
    result
}
