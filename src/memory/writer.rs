//! Sessions as YAML, strictly to the schema.

use anyhow::{Context, Result, bail};

use super::format::Session;
use super::learned::LearnedPatterns;
use super::limits;

pub fn to_yaml(session: &Session) -> Result<String> {
    let text = serde_yaml::to_string(session).context("cannot write the session as YAML")?;
    if text.len() as u64 > limits::MAX_FILE {
        bail!("the session has more than {} MiB: start a new one", limits::MAX_FILE >> 20);
    }
    Ok(text)
}

pub fn patterns_to_yaml(patterns: &LearnedPatterns) -> Result<String> {
    serde_yaml::to_string(patterns).context("cannot write the patterns as YAML")
}
