//! Tests that attributes newly mark as others' code or as generated: from the next commit on nobody would see them go.

use std::sync::Arc;

use anyhow::Result;

use super::facts::Analyzed;
use super::surroundings::{Base, pairs};
use crate::comparison::is_generated;
use crate::facts::{About, ProjectFacts, SettingValue, Unreached};
use crate::git::{Attributes, Change};
use crate::languages::{Source, analyze, language_of};
use crate::paths::{PathClass, class_by_name, is_source, is_vendored_by_name};
use crate::text::lossy;

/// So many of the files that a pattern hides are looked into for tests.
const MAX_FILES: usize = 32;

/// Longer lists are no work of hands.
const MAX_PATTERNS: usize = 50;

/// Completes the after sides of attributes that hide more than before; `files`, in the order of the changes, the before
/// side first. `paths` gives the paths that are there on both sides, and is only asked where needed.
pub fn complete(
    changes: &[&Change],
    files: &mut [Analyzed],
    base: &dyn Base,
    paths: impl FnOnce() -> Result<Vec<String>>,
) -> Result<()> {
    let sides = pairs(changes, files.len());
    let facts = |at: usize| files[at].facts.project.as_deref();
    let mut more: Vec<(usize, Vec<String>)> = Vec::new();
    for &(before, after) in &sides {
        let Some(after) = after else { continue };
        let known = before.and_then(facts).map(hidden).unwrap_or_default();
        let fresh = facts(after).map(hidden).unwrap_or_default().into_iter();
        let fresh: Vec<String> = fresh.filter(|one| !known.contains(one)).map(str::to_owned).collect();
        if !fresh.is_empty() && fresh.len() <= MAX_PATTERNS {
            more.push((after, fresh));
        }
    }
    if more.is_empty() {
        return Ok(());
    }
    let mut kept = paths()?;
    kept.retain(|path| !path.ends_with(".gitattributes"));
    for (at, patterns) in more {
        let path = &files[at].path;
        let folder = path.strip_suffix(".gitattributes").unwrap_or(path);
        let taken =
            patterns.iter().map(|pattern| taken(folder, pattern, &lossy(&files[at].text), &kept, base));
        let taken: Vec<Unreached> = taken.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect();
        if let Some(facts) = &mut Arc::make_mut(&mut files[at].facts).project {
            facts.unreached = taken;
        }
    }
    Ok(())
}

/// The patterns by which attributes take files out of sight.
fn hidden(facts: &ProjectFacts) -> Vec<&str> {
    let attributes = facts.settings.iter().filter(|setting| setting.about == About::Attributes);
    let patterns = attributes.filter_map(|setting| match &setting.value {
        SettingValue::LeavesOut(pattern) => Some(pattern.as_str()),
        _ => None,
    });
    patterns.collect()
}

/// The files with tests that a pattern hides, as the whole file has the last word on them; none of them where all that it
/// hides are data, and what programs write. Nothing where that cannot be told.
fn taken(
    folder: &str,
    pattern: &str,
    text: &str,
    paths: &[String],
    base: &dyn Base,
) -> Result<Option<Unreached>> {
    let whole = Attributes::from_files([(folder, text)]);
    let line = format!("{pattern} linguist-vendored\n");
    let own = Attributes::from_files([(folder, line.as_str())]);
    let hides =
        |path: &&String| own.is_vendored(path) && (whole.is_vendored(path) || whole.is_generated(path));
    let hidden: Vec<&String> = paths.iter().filter(hides).collect();
    let sources: Vec<&String> = hidden.iter().copied().filter(|path| is_source(path)).collect();
    let is_test = |path: &&String| {
        class_by_name(path) == PathClass::Test && language_of(path).is_some() && !is_vendored_by_name(path)
    };
    let tests: Vec<&String> = sources.iter().copied().filter(is_test).collect();
    let found = |files, first: Option<&String>| {
        Ok(Some(Unreached { key: pattern.to_owned(), files, first: first.cloned() }))
    };
    for path in tests.iter().take(MAX_FILES) {
        if has_tests(path, base)? {
            return found(tests.len(), Some(path));
        }
    }
    let written = |path: &&String| Ok(!base.text(path)?.is_some_and(|text| is_generated(&text)));
    let by_hand = sources.iter().take(MAX_FILES).map(written).collect::<Result<Vec<bool>>>()?;
    if hidden.is_empty() || sources.len() > MAX_FILES || by_hand.contains(&true) {
        return Ok(None);
    }
    found(0, None)
}

/// Whether people wrote tests there.
fn has_tests(path: &str, base: &dyn Base) -> Result<bool> {
    let Some(text) = base.text(path)? else { return Ok(false) };
    Ok(!is_generated(&text) && !analyze(Source { path, text: &text }).tests.is_empty())
}
