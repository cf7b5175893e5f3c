//! What differs between operating systems, in one place.

use std::path::{Path, PathBuf};

/// A path on disk from git's bytes; `None` where the platform has no such path.
#[cfg(unix)]
pub fn path_from_bytes(bytes: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    Some(PathBuf::from(std::ffi::OsStr::from_bytes(bytes)))
}

#[cfg(not(unix))]
pub fn path_from_bytes(bytes: &[u8]) -> Option<PathBuf> {
    std::str::from_utf8(bytes).ok().map(PathBuf::from)
}

/// Git's bytes of a path on disk.
#[cfg(unix)]
pub fn path_to_bytes(path: &Path) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt;
    path.as_os_str().as_bytes().to_vec()
}

#[cfg(not(unix))]
pub fn path_to_bytes(path: &Path) -> Vec<u8> {
    path.to_string_lossy().replace('\\', "/").into_bytes()
}

/// How long this thread has run on a processor so far; `None` where the system does not tell.
pub fn time_of_thread() -> Option<std::time::Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(std::time::Duration::from_nanos)
}

/// Whether the file may be executed; everything may where there is no such bit.
#[cfg(unix)]
pub fn is_executable(metadata: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
pub fn is_executable(_metadata: &std::fs::Metadata) -> bool {
    true
}

/// A folder for this user alone, made if it is not there. In a directory that all users share, somebody else could
/// have made one of that name before.
#[cfg(unix)]
pub fn private_folder(folder: &Path) -> anyhow::Result<()> {
    use anyhow::{Context, bail};
    use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
    match std::fs::DirBuilder::new().mode(0o700).create(folder) {
        Ok(()) => return Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error).with_context(|| format!("cannot make {}", folder.display())),
    }
    let metadata = match std::fs::symlink_metadata(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return private_folder(folder),
        metadata => metadata.with_context(|| format!("cannot read {}", folder.display()))?,
    };
    let me =
        tempfile::tempfile().and_then(|file| file.metadata()).context("cannot make a temporary file")?.uid();
    if !metadata.is_dir() || metadata.uid() != me || metadata.permissions().mode() & 0o077 != 0 {
        bail!(
            "{} is not a folder of yours alone: remove it, or set TMPDIR to another directory",
            folder.display()
        );
    }
    Ok(())
}

#[cfg(not(unix))]
pub fn private_folder(folder: &Path) -> anyhow::Result<()> {
    use anyhow::Context;
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
}

/// Whether an open file is still the one that a path names.
#[cfg(unix)]
pub fn is_same_file(file: &std::fs::File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (Ok(open), Ok(named)) = (file.metadata(), std::fs::symlink_metadata(path)) else { return false };
    (open.dev(), open.ino()) == (named.dev(), named.ino())
}

#[cfg(not(unix))]
pub fn is_same_file(_file: &std::fs::File, path: &Path) -> bool {
    path.exists()
}

/// Gives back the rights that are needed to remove a folder and all folders in it; links are not followed.
#[cfg(unix)]
pub fn make_removable(folder: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let _ = std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o700));
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(entry.path());
            }
        }
    }
}

#[cfg(not(unix))]
pub fn make_removable(_folder: &Path) {}

#[cfg(unix)]
pub fn symlink(target: &Path, link: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

#[cfg(windows)]
pub fn symlink(target: &Path, link: &Path) -> std::io::Result<()> {
    if target.is_dir() {
        std::os::windows::fs::symlink_dir(target, link)
    } else {
        std::os::windows::fs::symlink_file(target, link)
    }
}

#[cfg(not(any(unix, windows)))]
pub fn symlink(_target: &Path, _link: &Path) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}
