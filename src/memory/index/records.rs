//! Runs in the order of time, over sessions whose attempts lie between each other.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::model::Record;
use super::{Index, extract};
use crate::memory::reader;

pub struct Records<'i> {
    index: &'i Index,
    /// Only of this one.
    suite: Option<String>,
    /// How the suite's name stands in the lines of sessions that have it.
    mark: String,
    /// The first session that was not looked into.
    next: usize,
    ready: BinaryHeap<Ready>,
}

impl<'i> Records<'i> {
    pub fn new(index: &'i Index, suite: Option<&str>) -> Self {
        let name = suite.map(|suite| serde_json::to_string(suite).unwrap_or_default());
        let mark = format!("\"suite\":{}", name.unwrap_or_default());
        Self { index, suite: suite.map(str::to_owned), mark, next: 0, ready: BinaryHeap::new() }
    }

    /// Looks into the next session.
    fn open(&mut self) {
        let line = &self.index.sessions[self.next];
        self.next += 1;
        let text = line.records(&self.index.stored);
        if is_whole(&text) && !text.contains(&self.mark) {
            return;
        }
        if self.suite.is_some() && self.index.is_tracked(line) {
            return;
        }
        let records: Vec<Record> = serde_json::from_str(&text).unwrap_or_else(|_| {
            let read = reader::read(&self.index.path(line)).ok().flatten();
            read.map(|read| extract::records(&read.session)).unwrap_or_default()
        });
        let of_suite = |record: &Record| self.suite.as_ref().is_none_or(|suite| record.proof.suite == *suite);
        let of_suite = records.into_iter().filter(of_suite);
        self.ready.extend(of_suite.map(|record| Ready(Box::new(record))));
    }
}

impl Iterator for Records<'_> {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        loop {
            let later = self.index.sessions.get(self.next).map(|line| line.newest);
            let settled =
                |ready: &Ready| later.is_none_or(|later| extract::nanoseconds(ready.0.timestamp) > later);
            if later.is_none() || self.ready.peek().is_some_and(settled) {
                return self.ready.pop().map(|ready| *ready.0);
            }
            self.open();
        }
    }
}

/// Whether a text is a list, and not what a power failure left of one.
fn is_whole(text: &str) -> bool {
    text.starts_with('[') && text.ends_with(']') && !text.contains('\0')
}

/// The newest comes out first.
struct Ready(Box<Record>);

impl Ready {
    fn rank(&self) -> (chrono::DateTime<chrono::Utc>, u32, &str) {
        (self.0.timestamp, self.0.attempt, &self.0.session_id)
    }
}

impl Ord for Ready {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Ready {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ready {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ready {}
