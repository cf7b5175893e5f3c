//! The JSON of waivers, in reports and in their own list. Fields may be added, never renamed or dropped.

use chrono::NaiveDate;
use serde::Serialize;

use crate::policy::Waiver;
use crate::policy::waivers::{Listed, Place};

#[derive(Serialize)]
pub struct WaiverJson<'a> {
    fingerprint: &'a str,
    rule: &'a str,
    reason: &'a str,
    by: &'a str,
    created: NaiveDate,
    expires: NaiveDate,
    /// `used`, `unused`, `expired` or `refused`.
    state: &'a str,
    /// Whether the change itself adds it.
    added: bool,
    /// Why it does not count.
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<&'a str>,
}

impl<'a> WaiverJson<'a> {
    pub fn of(listed: &'a Listed) -> Self {
        let Waiver { fingerprint, rule, reason, by, created, expires } = &listed.waiver;
        Self {
            fingerprint,
            rule,
            reason,
            by,
            created: *created,
            expires: *expires,
            state: listed.state.name(),
            added: listed.place == Place::Change,
            explanation: listed.state.explanation(),
        }
    }
}

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    waivers: Vec<WaiverJson<'a>>,
}

pub fn render(waivers: &[Listed]) -> serde_json::Result<String> {
    let document = Document { version: 1, waivers: waivers.iter().map(WaiverJson::of).collect() };
    super::json::pretty(&document)
}
