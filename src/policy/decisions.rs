//! The log of what people decided, `.aiwg/gates/decisions.log`: one JSON object on each line, in the order of time.
//!
//! Each line carries a digest over its content and the digest of the line before, so that an edit shows. Lines of other
//! tools are kept and passed over.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::Waiver;
use crate::{digest, files};

/// The log from the root of the working tree.
const FILE: [&str; 3] = [".aiwg", "gates", "decisions.log"];

/// A larger log is no log of decisions.
const MAX_BYTES: u64 = 64 << 20;

const WAIVE: (&str, &str) = ("aiwg-gate.waive", "Waive a finding");
const APPROVED: &str = "approved";

/// One line. Other tools write the first six fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    pub gate_id: String,
    pub gate_name: String,
    pub decision: String,
    pub timestamp: DateTime<Utc>,
    pub user: String,
    pub context: Circumstances,
    /// The digest of the line before, of those that have one.
    pub previous: Option<String>,
    pub digest: String,
}

/// What was decided about, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Circumstances {
    pub waiver: Waiver,
    /// What the finding is about, for people.
    pub symbol: String,
    /// Whether a person could be asked.
    pub terminal: bool,
    pub agent: Option<String>,
}

pub struct DecisionLog {
    file: PathBuf,
    lock: PathBuf,
}

impl DecisionLog {
    /// The log below `root`; `state` is a folder that only this program writes to.
    pub fn new(root: &Path, state: &Path) -> Self {
        let file = FILE.iter().fold(root.to_owned(), |path, part| path.join(part));
        Self { file, lock: state.join("decisions.lock") }
    }

    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Puts a waiver that a person decided on at a terminal on record.
    pub fn record_waiver(&self, waiver: &Waiver, symbol: &str, at: DateTime<Utc>) -> Result<()> {
        let _lock = files::lock(&self.lock)?;
        let mut text = self.read()?;
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        let mut decision = Decision {
            gate_id: WAIVE.0.to_owned(),
            gate_name: WAIVE.1.to_owned(),
            decision: APPROVED.to_owned(),
            timestamp: at,
            user: waiver.by.clone(),
            context: Circumstances {
                waiver: waiver.clone(),
                symbol: symbol.to_owned(),
                terminal: true,
                agent: None,
            },
            previous: chained(&text).last().map(|decision| decision.digest.clone()),
            digest: String::new(),
        };
        decision.digest = digest_of(&decision);
        text.push_str(&serde_json::to_string(&decision)?);
        text.push('\n');
        files::replace(&self.file, text.as_bytes())
    }

    /// The waivers that people decided on, of lines that nobody changed afterwards.
    pub fn waivers(&self) -> Result<Vec<Waiver>> {
        let text = self.read()?;
        let mut previous: Option<String> = None;
        let mut waivers = Vec::new();
        for decision in chained(&text) {
            let intact = decision.digest == digest_of(&decision) && decision.previous == previous;
            let by_a_person = decision.context.terminal && decision.context.agent.is_none();
            if intact && by_a_person && decision.gate_id == WAIVE.0 && decision.decision == APPROVED {
                waivers.push(decision.context.waiver);
            }
            previous = Some(decision.digest);
        }
        Ok(waivers)
    }

    fn read(&self) -> Result<String> {
        let links = self.file.ancestors().take(FILE.len());
        if let Some(link) = links.into_iter().find(|path| path.is_symlink()) {
            bail!("{} is a symbolic link, which is not followed", link.display());
        }
        if !self.file.exists() {
            return Ok(String::new());
        }
        let (bytes, _) = files::read_bounded(&self.file, MAX_BYTES)
            .with_context(|| format!("the log of decisions cannot be read: {}", self.file.display()))?;
        String::from_utf8(bytes).with_context(|| format!("{} is not UTF-8", self.file.display()))
    }
}

/// The lines of this program.
fn chained(text: &str) -> impl Iterator<Item = Decision> {
    text.lines().filter_map(|line| serde_json::from_str(line).ok())
}

fn digest_of(decision: &Decision) -> String {
    let bare = Decision { digest: String::new(), ..decision.clone() };
    // Fields are written in the order of the type: one decision has one text.
    digest::named(serde_json::to_vec(&bare).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn waiver(reason: &str) -> Waiver {
        let day = "2026-01-02".parse().unwrap();
        Waiver {
            fingerprint: format!("sha256:{}", "a".repeat(64)),
            rule: "test-removed".to_owned(),
            reason: reason.to_owned(),
            by: "Ann".to_owned(),
            created: day,
            expires: day,
        }
    }

    fn log(folder: &tempfile::TempDir) -> DecisionLog {
        DecisionLog::new(folder.path(), &folder.path().join("state"))
    }

    fn record(log: &DecisionLog, reason: &str) {
        log.record_waiver(&waiver(reason), "a", DateTime::UNIX_EPOCH).unwrap();
    }

    #[test]
    fn decisions_read_back_beside_lines_of_other_tools() {
        let folder = tempfile::tempdir().unwrap();
        let log = log(&folder);
        assert!(log.waivers().unwrap().is_empty() && !log.file().exists());
        record(&log, "one");
        let text = fs::read_to_string(log.file()).unwrap();
        fs::write(log.file(), format!("{{\"gate_id\": \"other\"}}\n{text}not json")).unwrap();
        record(&log, "two");
        assert_eq!(log.waivers().unwrap(), [waiver("one"), waiver("two")]);
        assert!(fs::read_to_string(log.file()).unwrap().contains("\"other\""));
    }

    #[test]
    fn a_line_that_was_changed_or_taken_out_shows() {
        let folder = tempfile::tempdir().unwrap();
        let log = log(&folder);
        for reason in ["one", "two", "three"] {
            record(&log, reason);
        }
        let text = fs::read_to_string(log.file()).unwrap();
        fs::write(log.file(), text.replace("\"two\"", "\"all\"")).unwrap();
        assert_eq!(log.waivers().unwrap(), [waiver("one"), waiver("three")]);
        let without_second: String = text.lines().step_by(2).map(|line| format!("{line}\n")).collect();
        fs::write(log.file(), without_second).unwrap();
        assert_eq!(log.waivers().unwrap(), [waiver("one")]);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("elsewhere")).unwrap();
        std::os::unix::fs::symlink("elsewhere", folder.path().join(".aiwg")).unwrap();
        let log = log(&folder);
        assert!(log.waivers().is_err());
        assert!(log.record_waiver(&waiver("one"), "a", DateTime::UNIX_EPOCH).is_err());
    }
}
