//! Lists of tests that no longer reach what is still there.

use std::sync::Arc;

use anyhow::Result;
use hashbrown::HashSet;

use super::facts::Analyzed;
use super::surroundings::pairs;
use crate::git::Change;
use crate::project;

/// Completes the after sides whose lists of tests say something else than before; `files`, in the order of the changes, the
/// before side first. `paths` gives all paths of the repository on both sides, and is only asked where needed.
pub fn complete(
    changes: &[&Change],
    files: &mut [Analyzed],
    paths: impl FnOnce() -> Result<Vec<String>>,
) -> Result<()> {
    let sides = pairs(changes, files.len());
    let other: Vec<(usize, usize)> = sides
        .iter()
        .filter_map(|&(before, after)| before.zip(after))
        .filter(|&(before, after)| match (&files[before].facts.project, &files[after].facts.project) {
            (Some(before), Some(after)) => project::has_other_lists(before, after),
            _ => false,
        })
        .collect();
    if other.is_empty() {
        return Ok(());
    }
    let kept = on_both_sides(paths()?, &sides, files);
    let mut found = Vec::new();
    for (before, after) in other {
        let (Some(old), Some(new)) = (&files[before].facts.project, &files[after].facts.project) else {
            continue;
        };
        found.push((after, project::unreached(&files[after].path, old, new, &kept)));
    }
    for (after, unreached) in found.into_iter().filter(|(_, unreached)| !unreached.is_empty()) {
        if let Some(facts) = &mut Arc::make_mut(&mut files[after].facts).project {
            facts.unreached = unreached;
        }
    }
    Ok(())
}

/// Paths that neither leave nor come with the change.
pub fn on_both_sides(
    mut paths: Vec<String>,
    sides: &[(Option<usize>, Option<usize>)],
    files: &[Analyzed],
) -> Vec<String> {
    let path = |at: Option<usize>| at.map(|at| files[at].path.as_str());
    let moved = sides.iter().map(|&(before, after)| (path(before), path(after)));
    let moved = moved.filter(|(before, after)| before != after);
    let moved: HashSet<&str> = moved.flat_map(|(before, after)| before.into_iter().chain(after)).collect();
    paths.retain(|path| !moved.contains(path.as_str()));
    // Those that change are on the list of the base and on that of the change.
    paths.sort_unstable();
    paths.dedup();
    paths
}
