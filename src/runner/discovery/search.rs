//! A bounded look below a folder, the likely places first.

use std::collections::VecDeque;

use super::look::{Look, join};
use super::places::{depth, is_material, is_test_folder};

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

/// Visits folders below `start`, breadth first with folders of tests before others, until `visit` finds what it
/// wants. `visit` gets a folder and the names in it; `enter` says which folders below to go into.
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
        seen += 1;
        if seen > bounds.folders {
            return Outcome::Unknown;
        }
        let names = look.names(&folder);
        if visit(&folder, &names) {
            return Outcome::Found;
        }
        let below: Vec<&str> = names.iter().filter_map(|name| name.strip_suffix('/')).collect();
        let likely = below.iter().filter(|name| is_test_folder(name));
        let others = below.iter().filter(|name| !is_test_folder(name));
        let wanted = likely.chain(others).filter(|name| !is_left_out(name)).map(|name| join(&folder, name));
        let wanted: Vec<String> = wanted.filter(|folder| enter(folder)).collect();
        if depth(&folder) - depth(start) < bounds.depth {
            pending.extend(wanted);
        } else {
            complete &= wanted.is_empty();
        }
    }
    if complete { Outcome::Absent } else { Outcome::Unknown }
}

/// Folders without a project's own tests.
fn is_left_out(name: &str) -> bool {
    name.starts_with('.') || is_material(name) || matches!(name, "target" | "dist" | "docs" | "doc")
}
