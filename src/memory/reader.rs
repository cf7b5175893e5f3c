//! Sessions from files.

use std::path::Path;

use anyhow::{Context, Result};

use super::format::Session;
use super::learned::LearnedPatterns;
use super::limits;
use crate::files;

pub fn read(path: &Path) -> Result<Session> {
    let (bytes, _) = files::read_bounded(path, limits::MAX_FILE)?;
    serde_yaml::from_slice(&bytes).context("it is no session")
}

pub fn read_patterns(path: &Path) -> Result<LearnedPatterns> {
    let (bytes, _) = files::read_bounded(path, limits::MAX_FILE)?;
    serde_yaml::from_slice(&bytes).context("it is no list of patterns")
}
