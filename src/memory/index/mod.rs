//! What queries and proofs need of all sessions, without reading their files.
//!
//! Derived: a text file in the repository's own folder, one line per session file, checked against the files each
//! time by name, time, size and number. What changed is read again; a missing, broken or foreign index is made anew.
//! Where it cannot be written everything works, only slower.

mod extract;
mod line;
mod model;
mod records;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use anyhow::Result;

use super::files::{self as session_files, Found};
use super::reader;
use super::store::{Store, Unreadable};
use crate::collections::HashMap;
use crate::files::{self, Replace};
use crate::git::committed_under;
use line::{Kind, Line, Stored};
pub use model::{Record, Summary, SummaryFailure};

/// From the root of the working tree.
const HOME: &str = ".aiwg/ralph";

pub struct Index {
    home: PathBuf,
    work_dir: Option<PathBuf>,
    /// What git tracks where sessions are; asked for when a record would count.
    tracked: OnceLock<BTreeSet<String>>,
    stored: Stored,
    /// Of sessions, newest first.
    sessions: Vec<Line>,
    unreadable: Vec<Unreadable>,
}

impl Index {
    pub(super) fn load(store: &Store) -> Result<Self> {
        let (found, unreadable) = session_files::list(store);
        let file = store.index_file();
        let (stored, known) = Stored::open(&file);
        let (lines, changed) = refresh(store.home(), known, found);
        if changed {
            save(&file, &lines, &stored);
        }
        let mut index = Self {
            home: store.home().to_owned(),
            work_dir: store.work_dir().map(Path::to_owned),
            tracked: OnceLock::new(),
            stored,
            sessions: Vec::new(),
            unreadable,
        };
        lines.into_iter().for_each(|line| index.add(line));
        index.unreadable.sort_by(|one, two| one.path.cmp(&two.path));
        Ok(index)
    }

    fn add(&mut self, line: Line) {
        match line.kind {
            Kind::Session => self.sessions.push(line),
            Kind::Nothing => {}
            Kind::Unreadable => {
                let reason = serde_json::from_str(&line.summary(&self.stored));
                let reason = reason.unwrap_or_else(|_| "it cannot be read".to_owned());
                self.unreadable.push(Unreadable { path: self.path(&line), reason });
            }
        }
    }

    fn path(&self, line: &Line) -> PathBuf {
        self.home.join(&line.name)
    }

    /// Whether a session came with a checkout: it tells what others went through, and proves nothing here.
    fn is_tracked(&self, line: &Line) -> bool {
        let Some(root) = &self.work_dir else { return false };
        let tracked = self.tracked.get_or_init(|| committed_under(root, HOME));
        let path = format!("{HOME}/{}", line.name);
        // A link in place of a folder brings everything in it.
        let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
        !tracked.is_empty() && ends.into_iter().any(|end| tracked.contains(&path[..end]))
    }

    /// The runs of a suite that took place here, newest first. Sessions are looked into only as far as the caller goes.
    pub fn records(&self, suite: &str) -> impl Iterator<Item = Record> + '_ {
        records::Records::new(self, Some(suite))
    }

    /// The runs of all suites, newest first.
    pub fn all_records(&self) -> impl Iterator<Item = Record> + '_ {
        records::Records::new(self, None)
    }

    /// Every session, newest first.
    pub fn summaries(&self) -> impl Iterator<Item = Summary> + '_ {
        self.sessions.iter().filter_map(|line| self.summary(line))
    }

    fn summary(&self, line: &Line) -> Option<Summary> {
        let mut summary: Summary = match serde_json::from_str(&line.summary(&self.stored)) {
            Ok(summary) => summary,
            Err(_) => extract::summary(&reader::read(&self.path(line)).ok()??),
        };
        summary.path = self.path(line);
        Some(summary)
    }

    /// Files that could not be read.
    pub fn unreadable(&self) -> &[Unreadable] {
        &self.unreadable
    }
}

/// A line for each file, the known one where the file is as it was; and whether anything is not as it was.
fn refresh(home: &Path, known: Vec<Line>, found: Vec<Found>) -> (Vec<Line>, bool) {
    let count = known.len();
    let mut known: HashMap<String, Line> = known.into_iter().map(|line| (line.name.clone(), line)).collect();
    let (mut lines, mut changed) = (Vec::with_capacity(found.len()), count != found.len());
    for file in found {
        match known.remove(&file.name).filter(|line| line.stamp == file.stamp) {
            Some(line) => lines.push(line),
            None => {
                changed = true;
                lines.extend(read(home, &file));
            }
        }
    }
    lines.sort_by(|one, two| two.newest.cmp(&one.newest).then_with(|| one.name.cmp(&two.name)));
    (lines, changed)
}

/// The line of a file; nothing where it is gone by now.
fn read(home: &Path, file: &Found) -> Option<Line> {
    let path = home.join(&file.name);
    let read = reader::read(&path);
    (read.is_ok() || path.exists()).then(|| Line::of(file, &read))
}

/// Without it the next one reads the files again, and that is all.
fn save(file: &Path, lines: &[Line], stored: &Stored) {
    let _ = Replace::default().derived().write(file, line::file(lines, stored).as_bytes());
    if let Some(folder) = file.parent() {
        files::sweep_old(folder);
    }
}

#[cfg(test)]
mod tests;
