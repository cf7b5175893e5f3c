//! The index file: short heads of all session files first, then what is known of each.
//!
//! A first line tells the format and the sizes of both parts, so that a file that is not whole is known as such. A
//! head is `time size number newest kind lengths name`; the rest of a session is read only where it is asked for.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use anyhow::Result;

use super::extract;
use crate::memory::files::{Found, Stamp};
use crate::memory::reader::Read as Session;

const FORMAT: &str = "aiwg-gate memory index 2";

/// The first line has exactly this many bytes.
const FIRST: usize = 64;

/// Heads of a million sessions; more is no index of ours.
const MAX_HEADS: u64 = 256 << 20;

/// What is known of one file.
#[derive(Clone, Debug)]
pub struct Line {
    pub stamp: Stamp,
    /// When the last thing happened, in nanoseconds.
    pub newest: i64,
    pub kind: Kind,
    pub name: String,
    body: Body,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Session,
    /// A file beside the sessions that is none.
    Nothing,
    Unreadable,
}

const KINDS: [(Kind, &str); 3] = [(Kind::Session, "s"), (Kind::Nothing, "n"), (Kind::Unreadable, "u")];

/// Summary and records as JSON.
#[derive(Clone, Debug)]
enum Body {
    Stored { at: u64, summary: u64, records: u64 },
    Fresh { summary: String, records: String },
}

impl Line {
    /// The line of a file that was just read.
    pub fn of(file: &Found, read: &Result<Option<Session>>) -> Self {
        let json = |text: serde_json::Result<String>| text.unwrap_or_default();
        let (kind, newest, summary, records) = match read {
            Ok(Some(read)) => {
                let summary = json(serde_json::to_string(&extract::summary(read)));
                let records = json(serde_json::to_string(&extract::records(&read.session)));
                (Kind::Session, extract::newest(&read.session), summary, records)
            }
            Ok(None) => (Kind::Nothing, 0, String::new(), String::new()),
            Err(error) => {
                (Kind::Unreadable, 0, json(serde_json::to_string(&format!("{error:#}"))), String::new())
            }
        };
        let body = Body::Fresh { summary, records };
        Self { stamp: file.stamp, newest, kind, name: file.name.clone(), body }
    }

    pub fn summary(&self, stored: &Stored) -> String {
        match &self.body {
            Body::Stored { at, summary, .. } => stored.text(*at, *summary),
            Body::Fresh { summary, .. } => summary.clone(),
        }
    }

    pub fn records(&self, stored: &Stored) -> String {
        match &self.body {
            Body::Stored { at, summary, records } => stored.text(at + summary, *records),
            Body::Fresh { records, .. } => records.clone(),
        }
    }
}

/// An index file that was opened; another may have taken its place since.
#[derive(Debug, Default)]
pub struct Stored {
    file: Option<File>,
}

impl Stored {
    /// Opens an index and reads its heads; no lines where there is none that can be used.
    pub fn open(path: &Path) -> (Self, Vec<Line>) {
        // Opening a pipe would wait for whoever writes to it.
        let is_file = std::fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file());
        let Some(mut file) = is_file.then(|| File::open(path).ok()).flatten() else {
            return Default::default();
        };
        match read_heads(&mut file) {
            Some(lines) => (Self { file: Some(file) }, lines),
            None => Default::default(),
        }
    }

    /// A part of the file; empty where it cannot be read, which is no JSON.
    fn text(&self, at: u64, length: u64) -> String {
        let read = |mut file: &File| {
            file.seek(SeekFrom::Start(at)).ok()?;
            exactly(&mut file, length)
        };
        self.file.as_ref().and_then(read).unwrap_or_default()
    }
}

/// So many bytes, which are known to be there, in one call.
fn exactly(file: &mut impl Read, length: u64) -> Option<String> {
    let mut bytes = vec![0; usize::try_from(length).ok()?];
    file.read_exact(&mut bytes).ok()?;
    String::from_utf8(bytes).ok()
}

fn read_heads(file: &mut File) -> Option<Vec<Line>> {
    let size = file.metadata().ok()?.len();
    let mut first = [0; FIRST];
    file.read_exact(&mut first).ok()?;
    let first = std::str::from_utf8(&first).ok()?.trim_end().strip_prefix(FORMAT)?;
    let (heads, bodies) = first.trim().split_once(' ')?;
    let (heads, bodies): (u64, u64) = (heads.parse().ok()?, bodies.parse().ok()?);
    if heads > MAX_HEADS || (FIRST as u64).checked_add(heads)?.checked_add(bodies)? != size {
        return None;
    }
    let text = exactly(file, heads)?;
    let mut at = FIRST as u64 + heads;
    let lines: Option<Vec<Line>> = text.lines().map(|line| head(line, &mut at)).collect();
    lines.filter(|_| at == size)
}

fn head(line: &str, at: &mut u64) -> Option<Line> {
    let mut words = line.splitn(8, ' ');
    let stamp = Stamp {
        time: words.next()?.parse().ok()?,
        size: words.next()?.parse().ok()?,
        number: words.next()?.parse().ok()?,
    };
    let newest = words.next()?.parse().ok()?;
    let letter = words.next()?;
    let (kind, _) = *KINDS.iter().find(|(_, known)| *known == letter)?;
    let (summary, records): (u64, u64) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let body = Body::Stored { at: *at, summary, records };
    *at = at.checked_add(summary)?.checked_add(records)?;
    Some(Line { stamp, newest, kind, name: words.next()?.to_owned(), body })
}

/// A whole index file.
pub fn file(lines: &[Line], stored: &Stored) -> String {
    let (mut heads, mut bodies) = (String::new(), String::new());
    for line in lines {
        let (summary, records) = (line.summary(stored), line.records(stored));
        let Stamp { time, size, number } = line.stamp;
        let letter = KINDS.iter().find(|(kind, _)| *kind == line.kind).map_or("n", |(_, letter)| letter);
        // Writing to a string does not fail.
        let _ = writeln!(
            heads,
            "{time} {size} {number} {} {letter} {} {} {}",
            line.newest,
            summary.len(),
            records.len(),
            line.name
        );
        bodies.push_str(&summary);
        bodies.push_str(&records);
    }
    let first = format!("{FORMAT} {} {}", heads.len(), bodies.len());
    format!("{first:<width$}\n{heads}{bodies}", width = FIRST - 1)
}
