//! Which files hold sessions: ours, and where other tools put theirs.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::store::{Store, Unreadable};

/// A file that may hold a session.
#[derive(Clone, Debug)]
pub struct Found {
    pub path: PathBuf,
    /// From the home of the memory, with forward slashes.
    pub name: String,
}

/// Every file that may hold a session, in no order, and those whose names cannot be told.
pub fn list(store: &Store) -> Result<(Vec<Found>, Vec<Unreadable>)> {
    let mut list = List { home: store.home(), found: Vec::new(), unreadable: Vec::new() };
    list.memory(store.directory())?;
    let loops = store.home().join("loops");
    for entry in entries(&loops)? {
        list.memory(&entry?.path().join("debug-memory"))?;
    }
    Ok((list.found, list.unreadable))
}

struct List<'l> {
    home: &'l Path,
    found: Vec<Found>,
    unreadable: Vec<Unreadable>,
}

impl List<'_> {
    fn memory(&mut self, folder: &Path) -> Result<()> {
        self.folder(folder)?;
        self.folder(&folder.join("sessions"))
    }

    fn folder(&mut self, folder: &Path) -> Result<()> {
        for entry in entries(folder)? {
            let path = entry?.path();
            if !is_candidate(&path) {
                continue;
            }
            match path.strip_prefix(self.home).ok().and_then(Path::to_str) {
                Some(name) if !name.contains(char::is_control) => {
                    let name = name.replace('\\', "/");
                    self.found.push(Found { path, name });
                }
                _ => {
                    let reason = "its name has characters that cannot be written down".to_owned();
                    self.unreadable.push(Unreadable { path, reason });
                }
            }
        }
        Ok(())
    }
}

fn is_candidate(path: &Path) -> bool {
    let hidden = path.file_name().is_none_or(|name| name.as_encoded_bytes().starts_with(b"."));
    let extension = path.extension().and_then(|extension| extension.to_str());
    !hidden && matches!(extension, Some("yaml" | "yml" | "json"))
}

/// What is in a folder; nothing where there is no such folder.
fn entries(folder: &Path) -> Result<Box<dyn Iterator<Item = io::Result<fs::DirEntry>>>> {
    match fs::read_dir(folder) {
        Ok(entries) => Ok(Box::new(entries)),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(Box::new(std::iter::empty()))
        }
        Err(error) => Err(error).with_context(|| format!("cannot read {}", folder.display())),
    }
}
