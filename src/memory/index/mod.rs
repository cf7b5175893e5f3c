//! What queries and proofs need of all sessions, without reading their files.
//!
//! Derived: a text file in the repository's own folder, one line per session file, checked against the files each
//! time by name, time, size and number. What changed is read again; a missing, broken or foreign index is made anew.
//! Where it cannot be written everything works, only slower.

mod extract;
mod line;
mod model;
mod records;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::files::{self as session_files, Found};
use super::reader;
use super::store::{Store, Unreadable};
use crate::files::{self, Replace};
use line::{Kind, Line};
pub use model::{Record, Summary, SummaryFailure};

/// An index that is larger is not read; it is made anew, and smaller once sessions are pruned.
const MAX_BYTES: u64 = 1 << 30;

pub struct Index {
    home: PathBuf,
    /// As it was stored, and lines of what changed since.
    texts: [String; 2],
    /// Of sessions, newest first.
    sessions: Vec<Line>,
    unreadable: Vec<Unreadable>,
}

impl Index {
    pub(super) fn load(store: &Store) -> Result<Self> {
        let (found, unreadable) = session_files::list(store)?;
        let file = store.index_file();
        let stored = stored(&file);
        let mut index = Self {
            home: store.home().to_owned(),
            texts: [stored, String::new()],
            sessions: Vec::new(),
            unreadable,
        };
        let (lines, changed) = index.refresh(found);
        if changed {
            index.save(&file, &lines);
        }
        index.settle(lines);
        Ok(index)
    }

    /// A line for each file, the stored one where the file is as it was; and whether anything is not as it was.
    fn refresh(&mut self, found: Vec<Found>) -> (Vec<Line>, bool) {
        let [stored, fresh] = &mut self.texts;
        let known: HashMap<&str, Line> =
            line::parse(stored, 0).map(|line| (&stored[line.name.clone()], line)).collect();
        let mut lines = Vec::with_capacity(found.len());
        for file in found {
            match known.get(file.name.as_str()).filter(|line| line.stamp == file.stamp) {
                Some(line) => lines.push(line.clone()),
                None => lines.extend(append(fresh, &file)),
            }
        }
        lines.sort_by(|one, two| {
            let name = |line: &Line| {
                if line.text == 0 { &stored[line.name.clone()] } else { &fresh[line.name.clone()] }
            };
            two.newest.cmp(&one.newest).then_with(|| name(one).cmp(name(two)))
        });
        let changed = !fresh.is_empty() || known.len() != lines.len();
        (lines, changed)
    }

    fn save(&self, file: &Path, lines: &[Line]) {
        let lines: Vec<&str> = lines.iter().map(|line| &self.texts[line.text][line.whole.clone()]).collect();
        // Without it the next one reads the files again, and that is all.
        let _ = Replace::default().derived().write(file, line::file(&lines).as_bytes());
        if let Some(folder) = file.parent() {
            files::sweep_old(folder);
        }
    }

    fn settle(&mut self, lines: Vec<Line>) {
        for line in lines {
            match line.kind {
                Kind::Session => self.sessions.push(line),
                Kind::Nothing => {}
                Kind::Unreadable => {
                    let reason = serde_json::from_str(self.part(&line, &line.summary));
                    let reason = reason.unwrap_or_else(|_| "it cannot be read".to_owned());
                    self.unreadable.push(Unreadable { path: self.path(&line), reason });
                }
            }
        }
        self.unreadable.sort_by(|one, two| one.path.cmp(&two.path));
    }

    fn part(&self, line: &Line, range: &std::ops::Range<usize>) -> &str {
        &self.texts[line.text][range.clone()]
    }

    fn path(&self, line: &Line) -> PathBuf {
        self.home.join(self.part(line, &line.name))
    }

    /// The runs of a suite, newest first. Sessions are looked into only as far as the caller goes.
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
        let mut summary: Summary = match serde_json::from_str(self.part(line, &line.summary)) {
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

/// The stored text, empty where there is none that can be used.
fn stored(file: &Path) -> String {
    let small = fs::metadata(file).is_ok_and(|metadata| metadata.len() <= MAX_BYTES);
    let text = if small { fs::read(file).ok() } else { None };
    text.and_then(|bytes| String::from_utf8(bytes).ok())
        .filter(|text| line::is_whole(text))
        .unwrap_or_default()
}

/// Reads a file and adds its line to `fresh`; nothing where it is gone by now.
fn append(fresh: &mut String, file: &Found) -> Option<Line> {
    let read = reader::read(&file.path);
    if read.is_err() && !file.path.exists() {
        return None;
    }
    let start = fresh.len();
    line::write(fresh, file, &read);
    line::parse_one(fresh, start, 1)
}

#[cfg(test)]
mod tests;
