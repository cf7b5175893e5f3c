//! Sessions from files: ours as they are, those of other tools with every field under every name it is known by.
//!
//! Reads only ordinary files of a bounded size. What it cannot read is an error in words; what has no field of its
//! own is kept as [`Foreign`](super::Foreign). Nothing here writes.

mod execution;
mod failures;
mod fields;
mod node;
mod patterns;
mod proof;
mod scan;
mod session;
mod words;

use std::path::Path;

use anyhow::{Context, Result, bail};
use chrono::{DateTime, Utc};

use super::format::Session;
use super::learned::LearnedPatterns;
use super::limits;
use crate::files;
use node::Node;

/// A session and what its file is.
#[derive(Debug)]
pub struct Read {
    pub session: Session,
    /// Whether it can be written again without loss.
    pub own: bool,
}

/// What a file holds; `None` where it does not look like a session at all.
pub fn read(path: &Path) -> Result<Option<Read>> {
    let (bytes, metadata) = files::read_bounded(path, limits::MAX_FILE)?;
    let changed = metadata.modified().map_or(DateTime::UNIX_EPOCH, DateTime::<Utc>::from);
    parse(path, &bytes, changed)
}

/// The same from bytes. `changed` stands for times that a file does not tell.
pub fn parse(path: &Path, bytes: &[u8], changed: DateTime<Utc>) -> Result<Option<Read>> {
    let text = std::str::from_utf8(bytes).context("it is not UTF-8 text")?;
    let json = path.extension().is_some_and(|extension| extension == "json");
    if !json && let Some(session) = strict(text)? {
        return Ok(Some(Read { session, own: true }));
    }
    let node = tree(text, json)?;
    let stem = path.file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
    Ok(session::read(node, &stem, changed).map(|session| Read { session, own: false }))
}

/// A session in exactly our format.
fn strict(text: &str) -> Result<Option<Session>> {
    scan::check(text).map_err(anyhow::Error::msg)?;
    Ok(serde_yaml::from_str(text).ok())
}

fn tree(text: &str, json: bool) -> Result<Node> {
    let read = if json { node::from_json(text) } else { node::from_yaml(text) };
    read.map_err(anyhow::Error::msg)
}

pub fn read_patterns(path: &Path) -> Result<LearnedPatterns> {
    let (bytes, metadata) = files::read_bounded(path, limits::MAX_FILE)?;
    let text = std::str::from_utf8(&bytes).context("it is not UTF-8 text")?;
    let changed = metadata.modified().map_or(DateTime::UNIX_EPOCH, DateTime::<Utc>::from);
    let Some(patterns) = patterns::read(tree(text, false)?, changed) else {
        bail!("there is no list `patterns` in it")
    };
    Ok(patterns)
}

/// The bytes of a list of patterns that is not in exactly our format.
pub fn foreign_patterns(path: &Path) -> Result<Option<Vec<u8>>> {
    if !path.exists() {
        return Ok(None);
    }
    let (bytes, _) = files::read_bounded(path, limits::MAX_FILE)
        .with_context(|| format!("cannot read {}", path.display()))?;
    let text = std::str::from_utf8(&bytes).ok().filter(|text| scan::check(text).is_ok());
    let own = text.is_some_and(|text| serde_yaml::from_str::<LearnedPatterns>(text).is_ok());
    Ok((!own).then_some(bytes))
}

#[cfg(test)]
mod tests;
