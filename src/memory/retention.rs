//! How long sessions are kept: 30 days, 60 once something was learned, 90 once escalated.
//!
//! Removes only what we wrote. A session is never removed while it is the only one with a proof that somebody still
//! needs; the caller says which those are, because only the caller knows what branches can reach.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use chrono::{DateTime, TimeDelta, Utc};

use super::format::{Session, Status, Verification};
use super::index::{Record, Summary};
use super::store::{Beside, Locked, Unreadable};

const DAYS: i64 = 30;
const DAYS_LEARNED: i64 = 60;
const DAYS_ESCALATED: i64 = 90;

/// Whether a session taught something: lessons, or a fix that a later run verified.
pub fn has_learned(session: &Session) -> bool {
    let mut fixes = session.executions.iter().filter_map(|execution| execution.fix_applied.as_ref());
    let lessons = session.learnings.as_ref().is_some_and(|learnings| *learnings != Default::default());
    lessons || fixes.any(|fix| fix.verification == Some(Verification::Passed))
}

/// What `prune` removed, or would remove.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// The sessions, oldest first.
    pub sessions: Vec<PrunedSession>,
    /// Every file that went, beside the sessions' own too.
    pub files: Vec<PathBuf>,
    /// Sessions that are old enough, and stay because a proof in them is still needed.
    pub needed: Vec<String>,
    /// Files of other tools, which are never removed, however old.
    pub foreign: usize,
    /// Files that cannot be read, and so are left alone.
    pub unreadable: Vec<Unreadable>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrunedSession {
    pub session_id: String,
    pub updated_at: DateTime<Utc>,
    /// Attempts whose trees need no reference any more.
    pub attempts: Vec<u32>,
}

/// The last day of a session.
fn end(summary: &Summary) -> Option<DateTime<Utc>> {
    let days = match (summary.status, summary.learned) {
        (Status::Escalated, _) => DAYS_ESCALATED,
        (_, true) => DAYS_LEARNED,
        _ => DAYS,
    };
    summary.updated_at?.checked_add_signed(TimeDelta::days(days))
}

/// Removes sessions whose time is over. Of the runs for which `keep` says yes, the newest of each suite and tree that
/// it names stays: `keep` gives a name to what a run proves and is still needed, `None` where it is not.
pub fn prune(
    memory: &Locked<'_>,
    now: DateTime<Utc>,
    keep: impl Fn(&Record) -> Option<String>,
    dry_run: bool,
) -> Result<Pruned> {
    let index = memory.index()?;
    let needed = needed(index.all_records(), keep);
    let mut pruned = Pruned { unreadable: index.unreadable().to_vec(), ..Pruned::default() };
    let mut summaries: Vec<Summary> = index.summaries().collect();
    summaries.reverse();
    for summary in summaries {
        if !summary.own {
            pruned.foreign += 1;
            continue;
        }
        let Some(updated_at) = summary.updated_at.filter(|_| end(&summary).is_some_and(|end| end < now))
        else {
            continue;
        };
        if needed.contains(&summary.session_id) {
            pruned.needed.push(summary.session_id);
            continue;
        }
        let files = files_of(memory, &summary)?;
        if !dry_run {
            files.iter().try_for_each(|file| remove(file))?;
        }
        pruned.files.extend(files);
        let Summary { session_id, attempt_numbers: attempts, .. } = summary;
        pruned.sessions.push(PrunedSession { session_id, updated_at, attempts });
    }
    if !dry_run && !pruned.sessions.is_empty() {
        memory.refresh_index();
    }
    Ok(pruned)
}

/// Sessions with the newest run of something that is still needed.
fn needed(
    records: impl Iterator<Item = Record>,
    keep: impl Fn(&Record) -> Option<String>,
) -> std::collections::BTreeSet<String> {
    let mut seen = std::collections::BTreeSet::new();
    let mut sessions = std::collections::BTreeSet::new();
    for record in records.filter(|record| record.intact) {
        let Some(name) = keep(&record) else { continue };
        if seen.insert((record.proof.suite.clone(), name)) {
            sessions.insert(record.session_id);
        }
    }
    sessions
}

/// The session's file comes first: without it nothing beside it counts.
fn files_of(memory: &Locked<'_>, summary: &Summary) -> Result<Vec<PathBuf>> {
    let mut files = vec![summary.path.clone()];
    let attempts =
        summary.attempt_numbers.iter().flat_map(|attempt| [Beside::Log(*attempt), Beside::Tests(*attempt)]);
    for kind in attempts.chain([Beside::Escalation]) {
        files.push(memory.beside_file(&summary.session_id, kind)?);
    }
    files.retain(|file| fs::symlink_metadata(file).is_ok());
    Ok(files)
}

fn remove(file: &Path) -> Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", file.display()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
#[path = "retention_tests.rs"]
mod tests;
