//! Who outside of the change still imports what it takes away.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use anyhow::Result;

use super::facts::Analyzed;
use super::surroundings::{Base, pairs};
use crate::collections::HashSet;
use crate::facts::{FileFacts, Importer};
use crate::git::Change;
use crate::languages::language_of;

/// A change that takes away more is a rework, and to look for each name would take long.
const MAX_NAMES: usize = 40;

/// Shorter names stand for many things.
const MIN_NAME: usize = 4;

/// Completes the before sides of production files from which public names are gone; `files` in the order of the
/// changes, the before side first.
pub fn complete(
    changes: &[&Change],
    files: &mut [Analyzed],
    is_production: impl Fn(&str) -> bool,
    base: &dyn Base,
) -> Result<()> {
    let sides = pairs(changes, files.len());
    let kept: HashSet<&str> =
        sides.iter().filter_map(|&(_, after)| after).flat_map(|after| names(&files[after].facts)).collect();
    let mut gone: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    for before in sides.iter().filter_map(|&(before, _)| before) {
        let file = &files[before];
        if is_production(&file.path) {
            let names = exported(&file.facts).filter(|name| !kept.contains(name)).map(str::to_owned);
            gone.entry(before).or_default().extend(names);
        }
    }
    drop(kept);
    let all: BTreeSet<&str> = gone.values().flatten().map(String::as_str).collect();
    if all.is_empty() || all.len() > MAX_NAMES {
        return Ok(());
    }
    let touched: HashSet<String> = files.iter().map(|file| file.path.clone()).collect();
    let mut found: BTreeMap<usize, Vec<Importer>> = BTreeMap::new();
    for (&before, names) in gone.iter().filter(|(_, names)| !names.is_empty()) {
        let Some(language) = language_of(&files[before].path) else { continue };
        // There, imports bring packages and no names: nobody can be asked.
        if language.package_is_folder {
            continue;
        }
        for (path, facts) in base.naming(language.name, names, &touched)? {
            let imports = facts.signals.imports.iter().filter(|import| names.contains(&import.name));
            let importer = |import: &crate::facts::Import| Importer {
                path: path.clone(),
                line: import.line,
                name: import.name.clone(),
                module: import.module.clone(),
            };
            found.entry(before).or_default().extend(imports.map(importer));
        }
    }
    for (at, importers) in found.into_iter().filter(|(_, importers)| !importers.is_empty()) {
        let facts = Arc::make_mut(&mut files[at].facts);
        facts.surroundings.get_or_insert_default().importers = importers;
    }
    Ok(())
}

/// Public names that stand for themselves, not for a part of something.
fn exported(facts: &FileFacts) -> impl Iterator<Item = &str> {
    let exports = facts.signals.exports.iter().filter(|export| export.owner.is_empty());
    exports.map(|export| export.name.as_str()).filter(|name| name.len() >= MIN_NAME)
}

/// Everything that a side defines, exports or passes on.
fn names(facts: &FileFacts) -> impl Iterator<Item = &str> {
    let exports = facts.signals.exports.iter().map(|export| export.name.as_str());
    let definitions = facts.definitions.iter().map(|definition| definition.name.as_str());
    exports.chain(definitions)
}
