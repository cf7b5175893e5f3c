//! Lost tests of what had left the code before: an option, a message or a member that one of the last commits took away.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;

use super::said::{Kind, ROW, Said, said};
use super::{Lost, Outcome, Source, blocking};
use crate::comparison::Comparison;
use crate::detectors::checked_nothing;
use crate::finding::{Finding, Severity};
use crate::git::{ChangeSet, ObjectId, RawChange, Repository, Step, Walk};
use crate::languages::language_of;
use crate::paths::{PathClass, class_by_name};
use crate::text::contains;

/// So many commits back a subject may have gone.
const BACK: usize = 32;

/// A commit that touches more files is left out: it renames or reformats.
const MAX_FILES: usize = 400;

/// So many tests of one finding are looked at, and so much of what they say.
const MAX_TESTS: usize = 40;
const MAX_PARTS: usize = 1500;

pub fn lower(
    repository: &Repository,
    change: &ChangeSet,
    comparison: &Comparison,
    findings: &mut [Finding],
    outcome: &Outcome<'_>,
) -> Result<()> {
    let lost = blocking(comparison, findings);
    let Some(base) = change.base.as_ref().filter(|_| !lost.is_empty()) else { return Ok(()) };
    let about: Vec<Vec<Vec<Said>>> = lost.iter().map(of_tests).collect();
    let parts: BTreeSet<&str> =
        about.iter().flatten().flatten().flat_map(|said| said.parts.iter().map(String::as_str)).collect();
    if parts.is_empty() || parts.len() > MAX_PARTS {
        return Ok(());
    }
    let mut left = taken_away(repository, base, &parts)?;
    if left.is_empty() {
        return Ok(());
    }
    // What was said somewhere else, or is said again, is not gone; nor is a message of which another part is still said.
    let mut asked: BTreeSet<&str> = left.keys().map(String::as_str).collect();
    let is_of_left = |said: &&Said| said.parts.iter().any(|part| left.contains_key(part));
    for test in about.iter().flatten().filter(|test| test.iter().any(|said| is_of_left(&said))) {
        asked.extend(
            test.iter()
                .filter(|said| said.kind == Kind::Message)
                .flat_map(|said| said.parts.iter().map(String::as_str)),
        );
    }
    let Some(alive) = alive(comparison, outcome, &asked)? else { return Ok(()) };
    left.retain(|part, _| !alive.contains(part));
    for (lost, tests) in lost.iter().zip(&about) {
        if let Some((severity, why)) = verdict(lost, tests, &left, &alive) {
            findings[lost.finding].lower(severity, why);
        }
    }
    Ok(())
}

fn of_tests(lost: &Lost<'_>) -> Vec<Vec<Said>> {
    lost.tests.iter().take(MAX_TESTS).map(|test| said(lost.side, test)).collect()
}

/// What the last commits took out of production files, with the commit that did.
fn taken_away(
    repository: &Repository,
    base: &ObjectId,
    parts: &BTreeSet<&str>,
) -> Result<BTreeMap<String, ObjectId>> {
    let walk =
        Walk { revisions: Some(base.to_string()), max_count: Some(BACK), no_merges: true, ..Walk::default() };
    let mut found = BTreeMap::new();
    for Step { commit, parent } in repository.walk(&walk)? {
        // A clone may be cut off here: nothing is known of what was there before.
        let Some(parent) = parent else { break };
        let Ok(raw) = repository.diff(Some(&parent), &commit) else { break };
        if raw.len() > MAX_FILES {
            continue;
        }
        for change in raw.iter().filter(|change| is_code(change)) {
            let text = |entry: &Option<crate::git::Entry>| {
                entry.as_ref().and_then(|entry| repository.blob_here(&entry.id)).unwrap_or_default()
            };
            let (before, after) = (text(&change.before), text(&change.after));
            for part in parts {
                if contains(&before, part.as_bytes()) && !contains(&after, part.as_bytes()) {
                    found.entry((*part).to_owned()).or_insert_with(|| commit.clone());
                }
            }
        }
    }
    Ok(found)
}

/// Whether a change takes something out of production code.
fn is_code(change: &RawChange) -> bool {
    let path = change.path.text();
    let is_file = change.before.as_ref().is_some_and(|entry| entry.is_file());
    is_file && language_of(&path).is_some() && class_by_name(&path) == PathClass::Production
}

/// Those of some texts that production code says after the change; `None` where it is too large to tell.
fn alive(
    comparison: &Comparison,
    outcome: &Outcome<'_>,
    parts: &BTreeSet<&str>,
) -> Result<Option<BTreeSet<String>>> {
    let mut alive: BTreeSet<String> = BTreeSet::new();
    let mut look = |text: &[u8]| {
        for part in parts {
            if !alive.contains(*part) && contains(text, part.as_bytes()) {
                alive.insert((*part).to_owned());
            }
        }
        alive.len() < parts.len()
    };
    for file in comparison.files.iter().filter(|file| file.class == PathClass::Production) {
        file.after.iter().for_each(|side| {
            look(&side.text);
        });
    }
    let is_wanted = |path: &str| class_by_name(path) == PathClass::Production;
    let read = outcome.read(&is_wanted, &mut |_, text| look(text))?;
    Ok(read.then_some(alive))
}

/// How severe a loss is where what its tests are about is gone, and why.
fn verdict(
    lost: &Lost<'_>,
    tests: &[Vec<Said>],
    left: &BTreeMap<String, ObjectId>,
    alive: &BTreeSet<String>,
) -> Option<(Severity, String)> {
    let checking: Vec<usize> =
        (0..tests.len()).filter(|&at| checked_nothing(lost.tests[at]).is_none()).collect();
    let mut severity = Severity::Low;
    let mut why = None;
    let mut explained = 0;
    for &at in &checking {
        let Some((found, commit)) = gone(&tests[at], left, alive) else { continue };
        let still = |said: &Said| {
            let whole = |part: &&String| part.split(' ').count() >= ROW;
            said.own
                && said.kind == Kind::Message
                && said.parts.iter().filter(whole).any(|part| alive.contains(part))
        };
        let is_sure = match found.kind {
            Kind::Message => !tests[at].iter().any(still),
            Kind::Option | Kind::Name => found.is_in_name(lost.tests[at]),
        };
        severity = severity.max(if is_sure { Severity::Low } else { Severity::Medium });
        explained += 1;
        why.get_or_insert_with(|| {
            let what = if found.kind == Kind::Message { "quotes" } else { "uses" };
            format!("`{}`, which it {what}, left the production code with {}", found.text, commit.short())
        });
    }
    (2 * explained >= checking.len()).then_some((severity, why?))
}

/// The first thing of a test that is gone as a whole: a message before an option before a name.
fn gone<'s>(
    test: &'s [Said],
    left: &'s BTreeMap<String, ObjectId>,
    alive: &BTreeSet<String>,
) -> Option<(&'s Said, &'s ObjectId)> {
    let is_gone = |said: &'s Said| {
        let commit = said.parts.iter().find_map(|part| left.get(part))?;
        let still = said.parts.iter().any(|part| alive.contains(part));
        (!still).then_some((said, commit))
    };
    test.iter().filter_map(is_gone).min_by_key(|(said, _)| said.kind)
}
