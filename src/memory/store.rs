//! Where sessions are kept: finds, reads and writes their files.
//!
//! Never rewrites or removes a file of another tool. Ids are data: they choose among the files that are there, and
//! never make a path.

use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::files::{self as session_files, Found};
use super::format::Session;
use super::index::{Index, Summary};
use super::learned::LearnedPatterns;
use super::{limits, reader, writer};
use crate::files;
use crate::git::Repository;
use crate::text::one_line;

/// The debug memory of one repository.
#[derive(Clone, Debug)]
pub struct Store {
    /// `.aiwg/ralph`, the home of debug memory and of loops.
    home: PathBuf,
    directory: PathBuf,
    /// What is derived, and the lock.
    state: PathBuf,
    /// The working tree that the home lies in, if git knows it.
    work_dir: Option<PathBuf>,
}

/// A file of the memory that cannot be read. It is left alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    pub path: PathBuf,
    pub reason: String,
}

/// What is kept beside a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    /// What the attempt printed.
    Log(u32),
    /// One line for each test of the attempt: `outcome<TAB>id`.
    Tests(u32),
    /// The report for a person.
    Escalation,
}

/// The least of an id that may be typed for the whole.
const MIN_PREFIX: usize = 4;

impl Store {
    pub fn of(repository: &Repository) -> Result<Self> {
        let root = repository.main_work_dir().unwrap_or_else(|| repository.common_dir().to_owned());
        let root = std::path::absolute(&root).with_context(|| format!("cannot find {}", root.display()))?;
        let work_dir = repository.main_work_dir().map(|_| root.clone());
        Ok(Self { work_dir, ..Self::at(&root, &files::state_folder(repository.common_dir())) })
    }

    /// A memory below `root`, with what is derived in `state`.
    pub fn at(root: &Path, state: &Path) -> Self {
        let home = root.join(".aiwg").join("ralph");
        Self { directory: home.join("debug-memory"), home, state: state.to_owned(), work_dir: None }
    }

    /// `.aiwg/ralph/debug-memory`
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    pub(super) fn home(&self) -> &Path {
        &self.home
    }

    pub(super) fn work_dir(&self) -> Option<&Path> {
        self.work_dir.as_deref()
    }

    /// Where the derived index is.
    pub(super) fn index_file(&self) -> PathBuf {
        self.state.join("memory").join("index")
    }

    fn sessions_folder(&self) -> PathBuf {
        self.directory.join("sessions")
    }

    /// The first folder of the memory that is a link. What is above the memory may be one: that is the user's choice,
    /// while these can come with a commit and lead anywhere.
    fn linked(&self) -> Option<PathBuf> {
        let above = self.home.parent().map(Path::to_owned);
        let within = ["sessions", "runs", "patterns"].map(|name| self.directory.join(name));
        let folders = above.into_iter().chain([self.home.clone(), self.directory.clone()]).chain(within);
        folders.into_iter().find(|folder| session_files::is_link(folder))
    }

    /// An error where something written to the memory would end elsewhere.
    pub fn refuse_links(&self) -> Result<()> {
        match self.linked() {
            None => Ok(()),
            Some(folder) => bail!(
                "{} is a symbolic link, and nothing is written through it: make it a folder, or remove it",
                one_line(&folder.display().to_string())
            ),
        }
    }

    /// Where a session of ours is written.
    pub fn session_file(&self, id: &str) -> Result<PathBuf> {
        Ok(self.sessions_folder().join(format!("session-{}.yaml", own_id(id)?)))
    }

    /// Where something beside a session of ours is written.
    pub fn beside_file(&self, session_id: &str, kind: Beside) -> Result<PathBuf> {
        let id = own_id(session_id)?;
        Ok(match kind {
            Beside::Log(attempt) => self.directory.join("runs").join(format!("{id}-{attempt}.log")),
            Beside::Tests(attempt) => self.directory.join("runs").join(format!("{id}-{attempt}.tests")),
            Beside::Escalation => self.sessions_folder().join(format!("session-{id}.escalation.md")),
        })
    }

    /// The session with this id, or the only one whose id begins so. A session of ours is preferred.
    pub fn session(&self, id: &str) -> Result<Option<Session>> {
        if let Ok(path) = self.session_file(id)
            && self.linked().is_none()
            && path.is_file()
        {
            return self.read(&path);
        }
        let index = self.index()?;
        let mut fits: Vec<Summary> = index.summaries().filter(|summary| summary.session_id == id).collect();
        if fits.is_empty() && id.chars().count() >= MIN_PREFIX {
            fits = index.summaries().filter(|summary| summary.session_id.starts_with(id)).collect();
        }
        fits.sort_by_key(|summary| !summary.own);
        let mut ids: Vec<String> = fits.iter().map(|summary| one_line(&summary.session_id)).collect();
        ids.sort();
        ids.dedup();
        if ids.len() > 1 {
            let (count, id) = (ids.len(), one_line(id));
            ids.truncate(5);
            bail!("{count} sessions begin with `{id}`: {}; give more of the id", ids.join(", "));
        }
        fits.first().map_or(Ok(None), |summary| self.read(&summary.path))
    }

    fn read(&self, path: &Path) -> Result<Option<Session>> {
        let read = reader::read(path).with_context(|| format!("cannot read the session {}", path.display()));
        Ok(read?.map(|read| read.session))
    }

    /// Every session, newest first, and the files that could not be read.
    pub fn sessions(&self) -> Result<(Vec<Session>, Vec<Unreadable>)> {
        let (found, mut unreadable) = session_files::list(self);
        let mut sessions = Vec::new();
        for Found { name, .. } in found {
            let path = self.home.join(name);
            match reader::read(&path) {
                Ok(Some(read)) => sessions.push(read.session),
                Ok(None) => {}
                Err(error) => unreadable.push(Unreadable { path, reason: format!("{error:#}") }),
            }
        }
        sessions.sort_by(|one, two| newest(two).cmp(&newest(one)).then(one.session_id.cmp(&two.session_id)));
        Ok((sessions, unreadable))
    }

    /// Waits until no other process writes to the memory. One process must not lock it twice.
    pub fn lock(&self) -> Result<Locked<'_>> {
        self.refuse_links()?;
        let lock = files::lock(&self.state.join("memory.lock"))?;
        let locked = Locked { store: self, _lock: lock };
        for folder in [self.sessions_folder(), self.directory.join("runs"), self.directory.join("patterns")] {
            files::sweep(&folder);
        }
        Ok(locked)
    }

    pub fn index(&self) -> Result<Index> {
        Index::load(self)
    }

    fn patterns_file(&self) -> PathBuf {
        self.directory.join("patterns").join("learned-patterns.yaml")
    }

    /// What is in learned-patterns.yaml; nothing where there is none.
    pub fn read_patterns(&self) -> Result<LearnedPatterns> {
        let path = self.patterns_file();
        if self.linked().is_some() {
            return Ok(LearnedPatterns::default());
        }
        if fs::symlink_metadata(&path).is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound) {
            return Ok(LearnedPatterns::default());
        }
        reader::read_patterns(&path).with_context(|| format!("cannot read {}", path.display()))
    }
}

/// The time of the last thing that happened in a session.
pub(super) fn newest(session: &Session) -> Option<chrono::DateTime<chrono::Utc>> {
    let attempts = session.executions.iter().map(|execution| execution.timestamp);
    attempts.chain(session.updated_at).chain(session.created_at).max()
}

/// Ids of what we write are UUIDs, so that a name made of one stays in its folder.
fn own_id(id: &str) -> Result<String> {
    let parsed = uuid::Uuid::parse_str(id).ok().map(|uuid| uuid.to_string());
    parsed
        .filter(|written| written == id)
        .with_context(|| format!("`{}` is no id of a session that aiwg-gate writes", one_line(id)))
}

/// The memory while nobody else can write to it.
pub struct Locked<'s> {
    store: &'s Store,
    _lock: files::Lock,
}

impl Deref for Locked<'_> {
    type Target = Store;

    fn deref(&self) -> &Store {
        self.store
    }
}

impl Locked<'_> {
    /// Creates or replaces a session of ours.
    pub fn write(&self, session: &Session) -> Result<()> {
        let path = self.session_file(&session.session_id)?;
        let text = writer::to_yaml(session)?;
        if path.exists() && !self.is_own(&path)? {
            bail!(
                "{} was not written by aiwg-gate, or was changed by hand, and is left alone: start a new session",
                path.display()
            );
        }
        files::replace(&path, text.as_bytes())?;
        self.refresh_index();
        Ok(())
    }

    /// Whether a file can be written again without loss.
    fn is_own(&self, path: &Path) -> Result<bool> {
        let read =
            reader::read(path).with_context(|| format!("cannot read the session {}", path.display()))?;
        Ok(read.is_some_and(|read| read.own))
    }

    /// The next reader finds the index up to date. It can do without.
    pub(super) fn refresh_index(&self) {
        let _ = self.index();
    }

    /// Writes something beside a session; gives the path.
    pub fn write_beside(&self, session_id: &str, kind: Beside, bytes: &[u8]) -> Result<PathBuf> {
        let path = self.beside_file(session_id, kind)?;
        files::replace(&path, bytes)?;
        Ok(path)
    }

    pub fn write_patterns(&self, patterns: &LearnedPatterns) -> Result<()> {
        let text = writer::patterns_to_yaml(patterns)?;
        let path = self.patterns_file();
        // What another tool wrote there may say more than we keep.
        if let Some(before) = reader::foreign_patterns(&path)? {
            files::replace(&path.with_file_name("learned-patterns.before-aiwg-gate.yaml"), &before)?;
        }
        files::replace(&path, text.as_bytes())
    }
}

/// Whether a session has no room for many more attempts: the next one belongs in a new session.
pub fn is_full(session: &Session) -> bool {
    writer::to_yaml(session).map_or(true, |text| text.len() as u64 > limits::MAX_FILE / 2)
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;

#[cfg(all(test, unix))]
#[path = "store_crash_tests.rs"]
mod crash_tests;
