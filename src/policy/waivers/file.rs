//! The file format, version 1. Unknown keys are refused, and so is what could not be a waiver.

use std::fmt;

use chrono::NaiveDate;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use crate::policy::{PolicyError, scan};

/// The file of waivers, in the root of the repository.
pub const FILE_NAME: &str = "aiwg-gate.waivers.yaml";

/// Larger files are refused before they are parsed.
pub const MAX_BYTES: usize = 1024 * 1024;

/// What a new file starts with.
pub const NEW_FILE: &str = "\
# Findings that somebody decided to accept. `aiwg-gate waive` adds to it, `aiwg-gate waive --list` shows where each stands.
# A waiver counts once it is committed; in the very change that it waives, only if `waive` wrote it here.
version: 1
waivers:
";

/// A reason is a sentence or two.
pub const REASON_LIMIT: usize = 1000;

/// Longer names are a mistake.
const NAME_LIMIT: usize = 300;

/// One accepted finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Waiver {
    #[serde(deserialize_with = "fingerprint")]
    pub fingerprint: String,
    #[serde(deserialize_with = "rule")]
    pub rule: String,
    #[serde(deserialize_with = "reason")]
    pub reason: String,
    #[serde(deserialize_with = "by")]
    pub by: String,
    #[serde(deserialize_with = "created")]
    pub created: NaiveDate,
    /// The last day on which it counts.
    #[serde(deserialize_with = "expires")]
    pub expires: NaiveDate,
}

impl Waiver {
    pub fn has_expired(&self, today: NaiveDate) -> bool {
        today > self.expires
    }
}

/// Where the file is wrong, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaiversError(PolicyError);

impl fmt::Display for WaiversError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{FILE_NAME}:{}:{}: {}", self.0.line, self.0.column, self.0.message)
    }
}

impl std::error::Error for WaiversError {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(deserialize_with = "version")]
    version: (),
    #[serde(default)]
    waivers: Option<Vec<Waiver>>,
}

pub fn parse_bytes(bytes: &[u8]) -> Result<Vec<Waiver>, WaiversError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count() + 1;
        WaiversError(PolicyError::at(line, 1, "the file is not UTF-8 here: save it as UTF-8 text"))
    })?;
    parse(text)
}

pub fn parse(text: &str) -> Result<Vec<Waiver>, WaiversError> {
    if text.len() > MAX_BYTES {
        let message = format!("the file has more than {MAX_BYTES} bytes: take out what has expired");
        return Err(WaiversError(PolicyError::at(1, 1, message)));
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    scan::check(text).map_err(WaiversError)?;
    let document: Document = serde_yaml::from_str(text).map_err(|error| explain(&error))?;
    let () = document.version;
    Ok(document.waivers.unwrap_or_default())
}

fn explain(error: &serde_yaml::Error) -> WaiversError {
    let (line, column) = error.location().map_or((1, 1), |at| (at.line(), at.column()));
    let words = error.to_string().replacen(&format!(" at line {line} column {column}"), "", 1);
    WaiversError(PolicyError::at(line, column, words))
}

fn version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
    match u64::deserialize(deserializer)? {
        1 => Ok(()),
        other => Err(D::Error::custom(format!(
            "version {other} is not known to this aiwg-gate: write `version: 1`, or update it"
        ))),
    }
}

fn fingerprint<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    let digits = text.strip_prefix("sha256:").unwrap_or_default();
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    if digits.len() == 64 && digits.bytes().all(is_digit) {
        return Ok(text);
    }
    Err(D::Error::custom(
        "`fingerprint` is `sha256:` and 64 hexadecimal digits, as `check --format json` prints it",
    ))
}

fn rule<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    one_line(deserializer, "rule", NAME_LIMIT)
}

fn by<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    one_line(deserializer, "by", NAME_LIMIT)
}

fn reason<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    one_line(deserializer, "reason", REASON_LIMIT)
}

fn one_line<'de, D: Deserializer<'de>>(
    deserializer: D,
    field: &str,
    limit: usize,
) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text.trim().is_empty() {
        return Err(D::Error::custom(format!("`{field}` is empty: write one line of text")));
    }
    if text.chars().any(char::is_control) || text.chars().count() > limit {
        return Err(D::Error::custom(format!("`{field}` is one line of at most {limit} characters")));
    }
    Ok(text)
}

fn created<'de, D: Deserializer<'de>>(deserializer: D) -> Result<NaiveDate, D::Error> {
    date(deserializer, "created")
}

fn expires<'de, D: Deserializer<'de>>(deserializer: D) -> Result<NaiveDate, D::Error> {
    date(deserializer, "expires")
}

fn date<'de, D: Deserializer<'de>>(deserializer: D, field: &str) -> Result<NaiveDate, D::Error> {
    let text = String::deserialize(deserializer)?;
    let plain = NaiveDate::parse_from_str(&text, "%Y-%m-%d");
    plain.map_err(|_| {
        D::Error::custom(format!("`{field}: {text}` is no day: a day is written as in 2026-12-31"))
    })
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
