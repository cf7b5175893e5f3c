//! A bounded look below a folder, the likely places first.

use std::collections::VecDeque;

use super::look::{Look, join};
use super::places::{depth, is_documentation, is_material, is_test_folder};

/// How far a search goes.
#[derive(Clone, Copy)]
pub struct Bounds {
    pub folders: usize,
    /// Levels below the start.
    pub depth: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Found,
    /// Everything was seen, and it is not there.
    Absent,
    /// There is more than the search may look at.
    Unknown,
}

/// Visits folders below `start` until `visit` finds what it wants: folders of tests and sources as soon as they are
/// seen, others level by level. `visit` gets a folder and the names in it; `enter` says which folders to go into.
pub fn search(
    look: &Look<'_>,
    start: &str,
    bounds: Bounds,
    mut enter: impl FnMut(&str) -> bool,
    mut visit: impl FnMut(&str, &[String]) -> bool,
) -> Outcome {
    let mut pending = VecDeque::from([start.to_owned()]);
    let mut seen = 0;
    let mut complete = true;
    while let Some(folder) = pending.pop_front() {
        if folder != start && !enter(&folder) {
            continue;
        }
        if seen == bounds.folders {
            return Outcome::Unknown;
        }
        seen += 1;
        let names = look.names(&folder);
        if visit(&folder, &names) {
            return Outcome::Found;
        }
        let below = names.iter().filter_map(|name| name.strip_suffix('/')).filter(|name| !is_left_out(name));
        if depth(&folder) - depth(start) == bounds.depth {
            complete &= below.count() == 0;
            continue;
        }
        let (likely, others): (Vec<&str>, Vec<&str>) =
            below.partition(|name| is_test_folder(name) || *name == "src");
        // Each goes before the last: folders of tests are seen before sources.
        let (tests, sources): (Vec<&str>, Vec<&str>) = likely.into_iter().partition(|name| *name != "src");
        sources.iter().chain(tests.iter().rev()).for_each(|name| pending.push_front(join(&folder, name)));
        pending.extend(others.iter().map(|name| join(&folder, name)));
    }
    if complete { Outcome::Absent } else { Outcome::Unknown }
}

/// Folders without a project's own tests.
fn is_left_out(name: &str) -> bool {
    name.starts_with('.')
        || is_material(name)
        || is_documentation(name)
        || matches!(name, "target" | "dist" | "build" | "venv" | "env")
}
