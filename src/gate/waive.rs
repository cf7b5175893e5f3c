//! Accepts one finding: which one is meant, and the two places where the decision is written down.

use anyhow::{Context, Result, bail};
use chrono::{DateTime, NaiveDate, Utc};

use super::waivers::decisions;
use crate::finding::{Finding, short};
use crate::git::{ChangeKind, ChangeSet, Repository, Selection};
use crate::policy::waivers::{self, FILE_NAME, REASON_LIMIT};
use crate::policy::{Store, Waiver};
use crate::text::{clipped, one_line, plural};
use crate::verdict::{Action, Judged, Report};
use crate::{files, hooks};

/// The least of a fingerprint that may be typed for the whole.
const MIN_PREFIX: usize = 4;

/// More candidates are only counted.
const MAX_SHOWN: usize = 10;

/// What a person decided.
pub struct Request {
    pub reason: String,
    pub expires: NaiveDate,
    pub at: DateTime<Utc>,
}

impl Request {
    /// Refuses what would make no waiver.
    pub fn new(reason: &str, expires: NaiveDate, at: DateTime<Utc>) -> Result<Self> {
        let reason = reason.trim();
        if reason.is_empty() {
            bail!("--reason is empty: say why this is fine, for those who read it later");
        }
        // The report shows the command with three dots in its place.
        if !reason.chars().any(char::is_alphabetic) {
            bail!("--reason {reason} says nothing: write why this is fine, for those who read it later");
        }
        if reason.chars().any(char::is_control) || reason.chars().count() > REASON_LIMIT {
            bail!("--reason must be one line of at most {REASON_LIMIT} characters");
        }
        if expires < at.date_naive() {
            bail!("{expires} is in the past: a waiver that has expired does not count");
        }
        Ok(Self { reason: reason.to_owned(), expires, at })
    }
}

/// The change that waivers are listed for: with nothing staged, the last commit is what they were meant for.
pub fn last_change(repository: &Repository, selection: &Selection) -> Result<ChangeSet> {
    let change = ChangeSet::gather(repository, selection)?;
    if change.kind == ChangeKind::Staged && change.changes.is_empty() && repository.head()?.is_some() {
        return ChangeSet::gather(repository, &Selection::Commit("HEAD".to_owned()));
    }
    Ok(change)
}

/// The finding of a report that the beginning of a fingerprint names.
pub fn find_finding<'r>(report: &'r Report, prefix: &str) -> Result<&'r Judged> {
    let digits = prefix.strip_prefix("sha256:").unwrap_or(prefix).to_ascii_lowercase();
    if digits.len() < MIN_PREFIX || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        bail!(
            "`{prefix}` is no fingerprint: write at least {MIN_PREFIX} of its hexadecimal digits, as the report shows them"
        );
    }
    let wanted = format!("sha256:{digits}");
    let found: Vec<&Judged> =
        report.findings.iter().filter(|judged| judged.finding.fingerprint().starts_with(&wanted)).collect();
    match found[..] {
        [one] => waivable(one),
        [] => {
            bail!("no finding of this change has a fingerprint that begins with {digits}{}", others(report))
        }
        _ => bail!("{digits} is the beginning of several fingerprints:{}", listed(&found)),
    }
}

fn waivable(judged: &Judged) -> Result<&Judged> {
    if let Some(waiver) = &judged.waiver {
        bail!("this finding is waived already, until {}: {}", waiver.expires, one_line(&waiver.reason));
    }
    if judged.action == Action::Log {
        bail!(
            "this finding is only logged, so there is nothing to waive: {}",
            one_line(&judged.finding.message)
        );
    }
    Ok(judged)
}

/// What could have been meant.
fn others(report: &Report) -> String {
    let loud: Vec<&Judged> = report.findings.iter().filter(|judged| judged.action > Action::Log).collect();
    match loud[..] {
        [] => "; nothing blocks or warns in it. Is the change staged? (--worktree looks at what is not, --commit and --range elsewhere)"
            .to_owned(),
        _ => format!("; it has:{}", listed(&loud)),
    }
}

fn listed(findings: &[&Judged]) -> String {
    let line = |judged: &&Judged| {
        let Finding { rule, message, .. } = &judged.finding;
        let print = judged.finding.fingerprint();
        format!("\n  {}  {}: {}", short(&print), rule.name, clipped(&one_line(message), 100))
    };
    let mut out: String = findings.iter().take(MAX_SHOWN).map(line).collect();
    if let Some(more) = findings.len().checked_sub(MAX_SHOWN).filter(|more| *more > 0) {
        out.push_str(&format!("\n  ... and {}", plural(more, "other")));
    }
    out
}

/// Refuses a finding that a decision on record waives already: there is nothing to ask a person about.
pub fn refuse_known(repository: &Repository, finding: &Finding, at: DateTime<Utc>) -> Result<()> {
    let recorded = decisions(repository)?.waivers()?;
    let text = store(repository)?.read()?;
    let known = text.as_deref().map(waivers::parse).transpose()?.unwrap_or_default();
    refuse(&known, &recorded, &finding.fingerprint(), at.date_naive())
}

fn refuse(known: &[Waiver], recorded: &[Waiver], fingerprint: &str, today: NaiveDate) -> Result<()> {
    let holds = |waiver: &&Waiver| {
        waiver.fingerprint == fingerprint && !waiver.has_expired(today) && recorded.contains(waiver)
    };
    if let Some(waiver) = known.iter().find(holds) {
        bail!(
            "{FILE_NAME} has a waiver for this finding already, until {}: `git add` it and commit again",
            waiver.expires
        );
    }
    Ok(())
}

/// The file of waivers in the working tree.
fn store(repository: &Repository) -> Result<Store> {
    let work_dir = repository.work_dir().with_context(|| {
        format!(
            "this repository has no working tree: run `waive` in a clone that has {FILE_NAME} checked out"
        )
    })?;
    Ok(Store::waivers(work_dir, &files::state_folder(repository.common_dir())))
}

/// Writes the waiver into the tracked file and the decision into the log. Only for a person at a terminal.
pub fn waive(repository: &Repository, finding: &Finding, request: &Request) -> Result<Waiver> {
    let store = store(repository)?;
    let by = repository.identity().unwrap_or_else(|| "unknown".to_owned());
    let waiver = Waiver {
        fingerprint: finding.fingerprint(),
        rule: finding.rule.name.to_string(),
        reason: request.reason.clone(),
        by: clipped(&one_line(&by), 200),
        created: request.at.date_naive(),
        expires: request.expires,
    };
    let log = decisions(repository)?;
    let recorded = log.waivers()?;
    // Where the gate is not installed, its records would otherwise end in the next commit.
    hooks::exclude_records(repository)?;
    store.update(|text| {
        let known = text.map(waivers::parse).transpose()?.unwrap_or_default();
        refuse(&known, &recorded, &waiver.fingerprint, waiver.created)?;
        let edited = waivers::append(text, &waiver, &finding.message)?;
        let edited = edited.map_err(|lines| by_hand(&lines))?;
        log.record_waiver(&waiver, &finding.symbol, request.at)?;
        Ok(Some(edited))
    })?;
    Ok(waiver)
}

fn by_hand(lines: &str) -> anyhow::Error {
    anyhow::anyhow!(
        "cannot add to {FILE_NAME} without touching something else in it: nothing was written. Write its list with one \
         key on each line, as in\n{lines}"
    )
}
