//! The lines of the index file: `time size number newest kind name<TAB>summary<TAB>records`.
//!
//! Summary and records are JSON, which has no tabs and line breaks of its own. A first line names the format, a last
//! one says that the file is whole.

use std::fmt::Write;
use std::ops::Range;

use anyhow::Result;

use super::extract;
use crate::memory::files::{Found, Stamp};
use crate::memory::reader::Read;

const FIRST: &str = "aiwg-gate memory index 1\n";
const LAST: &str = "end\n";

/// Where the parts of one line are.
#[derive(Clone, Debug)]
pub struct Line {
    pub stamp: Stamp,
    /// When the last thing happened, in nanoseconds.
    pub newest: i64,
    pub kind: Kind,
    /// Which text the ranges are of.
    pub text: usize,
    pub whole: Range<usize>,
    pub name: Range<usize>,
    pub summary: Range<usize>,
    pub records: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Session,
    /// A file beside the sessions that is none.
    Nothing,
    Unreadable,
}

impl Kind {
    const ALL: [(Self, &str); 3] = [(Self::Session, "s"), (Self::Nothing, "n"), (Self::Unreadable, "u")];

    fn letter(self) -> &'static str {
        Self::ALL.iter().find(|(kind, _)| *kind == self).map_or("n", |(_, letter)| letter)
    }

    fn parse(letter: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| *known == letter).map(|(kind, _)| *kind)
    }
}

pub fn is_whole(text: &str) -> bool {
    text.starts_with(FIRST) && text.ends_with(LAST)
}

pub fn file(lines: &[&str]) -> String {
    let mut text = String::with_capacity(lines.iter().map(|line| line.len()).sum::<usize>() + 64);
    text.push_str(FIRST);
    text.extend(lines.iter().copied());
    text.push_str(LAST);
    text
}

/// Adds the line of a file that was just read.
pub fn write(text: &mut String, file: &Found, read: &Result<Option<Read>>) {
    let (kind, newest, summary, records) = match read {
        Ok(Some(read)) => {
            let records = serde_json::to_string(&extract::records(&read.session));
            let summary = serde_json::to_string(&extract::summary(read));
            (Kind::Session, extract::newest(&read.session), summary, records)
        }
        Ok(None) => (Kind::Nothing, 0, Ok(String::new()), Ok(String::new())),
        Err(error) => (Kind::Unreadable, 0, serde_json::to_string(&format!("{error:#}")), Ok(String::new())),
    };
    let Stamp { time, size, number } = file.stamp;
    let (summary, records) = (summary.unwrap_or_default(), records.unwrap_or_default());
    // Writing to a string does not fail.
    let _ = writeln!(
        text,
        "{time} {size} {number} {newest} {} {}\t{summary}\t{records}",
        kind.letter(),
        file.name
    );
}

/// The lines of a whole index; those that cannot be read are passed over.
pub fn parse(text: &str, which: usize) -> impl Iterator<Item = Line> + '_ {
    let body = if is_whole(text) { FIRST.len()..text.len() - LAST.len() } else { 0..0 };
    let mut start = body.start;
    std::iter::from_fn(move || {
        while start < body.end {
            let line = parse_one(text, start, which);
            start = line.as_ref().map_or_else(|| after(text, start), |line| line.whole.end);
            if line.is_some() {
                return line;
            }
        }
        None
    })
}

fn after(text: &str, start: usize) -> usize {
    text[start..].find('\n').map_or(text.len(), |end| start + end + 1)
}

/// The line that begins at `start`.
pub fn parse_one(text: &str, start: usize, which: usize) -> Option<Line> {
    let end = after(text, start);
    let line = text[start..end].strip_suffix('\n')?;
    let (head, rest) = line.split_once('\t')?;
    let (summary, _) = rest.split_once('\t')?;
    let mut words = head.splitn(6, ' ');
    let stamp = Stamp {
        time: words.next()?.parse().ok()?,
        size: words.next()?.parse().ok()?,
        number: words.next()?.parse().ok()?,
    };
    let newest = words.next()?.parse().ok()?;
    let kind = Kind::parse(words.next()?)?;
    let name = words.next()?;
    let summary_start = start + head.len() + 1;
    let records_start = summary_start + summary.len() + 1;
    Some(Line {
        stamp,
        newest,
        kind,
        text: which,
        whole: start..end,
        name: start + head.len() - name.len()..start + head.len(),
        summary: summary_start..records_start - 1,
        records: records_start..start + line.len(),
    })
}
