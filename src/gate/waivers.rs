//! The waivers of a change: from the base side they count; those of the change itself need a person's decision.

use anyhow::Result;
use chrono::{NaiveDate, Utc};

use super::check::{BadPolicy, is_to_be_committed, new_file};
use crate::detectors;
use crate::files;
use crate::git::{ChangeKind, ChangeSet, Repository};
use crate::policy::waivers::{self, FILE_NAME, Place, Standing, Waivers};
use crate::policy::{AcceptWaivers, DecisionLog, Policy, Store, Waiver, nearest};
use crate::verdict::Inconclusive;

/// Every waiver that could count for a change, and why some do not.
pub fn waivers(
    repository: &Repository,
    policy: &Policy,
    change: &ChangeSet,
    inconclusive: &mut Vec<Inconclusive>,
) -> Result<Waivers> {
    let known = of_parents(repository, change, inconclusive)?;
    let added = added(repository, change, &known, inconclusive)?;
    let unstaged = unstaged(repository, change, [&known[..], &added[..]]);
    if known.is_empty() && added.is_empty() && unstaged.is_empty() {
        return Ok(Waivers::default());
    }
    let refused = refusals(repository, policy, &added)?;
    let of_base = known.into_iter().map(|waiver| Standing { waiver, place: Place::Base, refused: None });
    let of_change = added.into_iter().zip(refused);
    let of_change = of_change.map(|(waiver, refused)| Standing { waiver, place: Place::Change, refused });
    let of_disk = unstaged.into_iter().map(|waiver| {
        let refused = Some(format!("it is not staged yet: `git add :/{FILE_NAME}`"));
        Standing { waiver, place: Place::Unstaged, refused }
    });
    let mut all: Vec<Standing> = of_base.chain(of_change).chain(of_disk).collect();
    for standing in &mut all {
        standing.refused = unknown_rule(policy, &standing.waiver.rule).or(standing.refused.take());
    }
    Ok(Waivers { all, today: day(repository, change)? })
}

/// Why a waiver waives nothing whose rule nobody knows.
fn unknown_rule(policy: &Policy, rule: &str) -> Option<String> {
    let added = policy.patterns.iter().map(|pattern| pattern.name.as_str());
    let names: Vec<&str> = detectors::names().into_iter().chain(added).collect();
    if names.contains(&rule) {
        return None;
    }
    Some(match nearest(rule, &names) {
        Some(meant) => format!("there is no rule `{rule}`: did you mean `{meant}`?"),
        None => format!("there is no rule `{rule}`; `aiwg-gate explain` lists the rules"),
    })
}

/// What is written and not staged. One that cannot be read is told once it is.
fn unstaged(repository: &Repository, change: &ChangeSet, known: [&[Waiver]; 2]) -> Vec<Waiver> {
    let Some(work_dir) = repository.work_dir().filter(|_| change.kind == ChangeKind::Staged) else {
        return Vec::new();
    };
    let store = Store::waivers(work_dir, &files::state_folder(repository.common_dir()));
    let text = store.read().ok().flatten().unwrap_or_default();
    let mut written = waivers::parse(&text).unwrap_or_default();
    written.retain(|waiver| !known.iter().any(|known| known.contains(waiver)));
    written
}

/// The log of decisions, which linked working trees share.
pub fn decisions(repository: &Repository) -> Result<DecisionLog> {
    let root = repository.main_work_dir().unwrap_or_else(|| repository.common_dir().to_owned());
    Ok(DecisionLog::new(&std::path::absolute(root)?, &files::state_folder(repository.common_dir())))
}

/// The day on which a waiver must still hold: today, and for a commit the day it was made on, so that looking back
/// says what was said then.
fn day(repository: &Repository, change: &ChangeSet) -> Result<NaiveDate> {
    let today = Utc::now().date_naive();
    match &change.head {
        Some(head) => Ok(repository.commit_time(head)?.date_naive().min(today)),
        None => Ok(today),
    }
}

/// What all parents have: what a branch brings into a merge was judged there. A broken file counts as none, and is told.
fn of_parents(
    repository: &Repository,
    change: &ChangeSet,
    inconclusive: &mut Vec<Inconclusive>,
) -> Result<Vec<Waiver>> {
    let mut known: Vec<Waiver> = Vec::new();
    for parent in change.parents() {
        let Some(text) = repository.file_at(parent, FILE_NAME)? else { continue };
        match waivers::parse_bytes(&text) {
            Ok(waivers) => known.extend(waivers),
            Err(error) => {
                let reason = format!("the waivers of the base side are not valid, so none counts: {error}");
                inconclusive.push(Inconclusive { path: FILE_NAME.to_owned(), reason });
            }
        }
    }
    let mut seen = crate::collections::HashSet::new();
    known.retain(|waiver| seen.insert((waiver.fingerprint.clone(), waiver.expires)));
    Ok(known)
}

/// What the change adds. A file that cannot be read is a fault of a change that is not committed yet.
fn added(
    repository: &Repository,
    change: &ChangeSet,
    known: &[Waiver],
    inconclusive: &mut Vec<Inconclusive>,
) -> Result<Vec<Waiver>> {
    // A patch shows parts of files only.
    if change.kind == ChangeKind::Patch {
        return Ok(Vec::new());
    }
    let Some(file) = new_file(repository, change, FILE_NAME)? else { return Ok(Vec::new()) };
    let read = match file {
        Some(text) => waivers::parse_bytes(&text).map_err(|error| error.to_string()),
        None => Err(format!("{FILE_NAME}: this is no ordinary file: put the waivers themselves there")),
    };
    match read {
        Ok(waivers) => Ok(waivers.into_iter().filter(|waiver| !known.contains(waiver)).collect()),
        Err(reason) if is_to_be_committed(change) => {
            Err(BadPolicy(format!("the waivers in this change are not valid: {reason}")).into())
        }
        Err(reason) => {
            let reason =
                format!("the waivers in this change are not valid, so none of them counts: {reason}");
            inconclusive.push(Inconclusive { path: FILE_NAME.to_owned(), reason });
            Ok(Vec::new())
        }
    }
}

/// Why each added waiver does not count; `None` for those that do.
fn refusals(repository: &Repository, policy: &Policy, added: &[Waiver]) -> Result<Vec<Option<String>>> {
    let all = |reason: Option<&str>| vec![reason.map(str::to_owned); added.len()];
    Ok(match policy.accept_waivers() {
        _ if added.is_empty() => Vec::new(),
        AcceptWaivers::Any => all(None),
        AcceptWaivers::Base => all(Some(FROM_BASE_ONLY)),
        AcceptWaivers::Recorded => match decisions(repository)?.waivers() {
            Ok(recorded) => {
                let refusal = |waiver| (!recorded.contains(waiver)).then(|| NOT_RECORDED.to_owned());
                added.iter().map(refusal).collect()
            }
            Err(error) => all(Some(&format!("{error:#}"))),
        },
    })
}

const FROM_BASE_ONLY: &str = "waivers count from the base side only here: commit it on its own first";

const NOT_RECORDED: &str = "\
no decision of a person at a terminal is on record here for it: it counts once it is on the base side, or where the \
policy says `waivers.accept: any`";
