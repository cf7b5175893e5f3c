//! Results without files: each known test gets an execution of its own, the one whose name agrees the longest.
//!
//! Two tests of the same name need two executions. Which is whose is guessed by modules, packages and folders, and
//! however the guesses fall, as many tests as possible get one.

use super::KnownTest;
use super::units::Unit;
use crate::collections::HashMap;

/// Beyond so many pairs of equal names they are only counted.
const MOST_PAIRS: usize = 250_000;

/// The tests that are left without an execution.
pub fn assign(known: &[KnownTest<'_>], open: Vec<usize>, units: &mut [Unit<'_>]) -> Vec<usize> {
    let paths: crate::collections::HashSet<&str> = known.iter().map(|test| test.path).collect();
    // A file that no known test has is one that the runner names otherwise.
    let is_loose = |unit: &Unit<'_>| unit.file.is_none_or(|file| !paths.contains(file));
    let mut by_name: HashMap<String, Vec<Slot>> = HashMap::new();
    for (at, unit) in units.iter().enumerate().filter(|(_, unit)| is_loose(unit)) {
        for (name, path) in names(unit) {
            by_name.entry(name).or_default().push(Slot { unit: at, path });
        }
    }
    let mut groups: HashMap<&str, Vec<usize>> = HashMap::new();
    for &test in &open {
        groups.entry(known[test].name).or_default().push(test);
    }
    let mut left = Vec::new();
    for (name, tests) in groups {
        let slots = by_name.get(name).map_or(&[][..], Vec::as_slice);
        left.extend(group(known, tests, slots, units));
    }
    left.sort_unstable();
    left
}

/// An execution that could be a test's, with the parts of its path in front of the name.
struct Slot {
    unit: usize,
    path: Vec<String>,
}

/// The names that a unit could be an execution of: its own, and that of a table whose row it is (`adds::case_1`).
fn names(unit: &Unit<'_>) -> Vec<(String, Vec<String>)> {
    let file = unit.file.map(|file| file.rsplit_once('.').map_or(file, |(stem, _)| stem)).into_iter();
    let path: Vec<String> = file.chain(unit.suite.iter().map(String::as_str)).flat_map(parts).collect();
    let mut names = vec![(unit.name.to_owned(), path.clone())];
    if let Some((table, path)) = path.split_last() {
        names.push((table.clone(), path.to_vec()));
    }
    names
}

fn parts(text: &str) -> impl Iterator<Item = String> {
    text.split([':', '/', '.', '$', '\\']).filter(|part| !part.is_empty()).map(str::to_owned)
}

/// Tests of one name.
fn group(known: &[KnownTest<'_>], tests: Vec<usize>, slots: &[Slot], units: &mut [Unit<'_>]) -> Vec<usize> {
    if tests.len().saturating_mul(slots.len()) > MOST_PAIRS {
        let there: usize = slots.iter().map(|slot| units[slot.unit].times as usize).sum();
        return tests.into_iter().skip(there).collect();
    }
    let found = tests.iter().map(|&test| candidates(&known[test], slots));
    let (best, edges): (Vec<usize>, Vec<Vec<usize>>) = found.unzip();
    // Those that agree the longest first: what is left over is then the one that really did not run.
    let mut order: Vec<usize> = (0..tests.len()).collect();
    order.sort_by_key(|&at| (std::cmp::Reverse(best[at]), edges[at].len()));
    let mut owners: Vec<Vec<usize>> = vec![Vec::new(); slots.len()];
    let room = |slot: usize| units[slots[slot].unit].times as usize;
    let mut left = Vec::new();
    for at in order {
        let mut seen = vec![false; slots.len()];
        if !place(at, &edges, &mut owners, &room, &mut seen) {
            left.push(tests[at]);
        }
    }
    for (slot, owners) in slots.iter().zip(&owners) {
        units[slot.unit].claimed |= !owners.is_empty();
    }
    left
}

/// How long the best agreement is, and slots that a test fits, best first: its suites are the end of the slot's path,
/// or the other way round.
fn candidates(test: &KnownTest<'_>, slots: &[Slot]) -> (usize, Vec<usize>) {
    let suite: Vec<String> = test.suite.iter().flat_map(|suite| parts(suite)).collect();
    let stem = test.path.rsplit_once('.').map_or(test.path, |(stem, _)| stem);
    let file: Vec<&str> = stem.split('/').collect();
    let folder = &file[..file.len() - 1];
    let agreement = |slot: &Slot| {
        let shared = suite.iter().rev().zip(slot.path.iter().rev()).take_while(|(a, b)| a == b).count();
        if shared < suite.len().min(slot.path.len()) {
            return None;
        }
        let before = &slot.path[..slot.path.len() - shared];
        let tail = |path: &[&str]| {
            path.iter().rev().zip(before.iter().rev()).take_while(|(a, b)| **a == b.as_str()).count()
        };
        Some(shared + tail(&file).max(tail(folder)))
    };
    let mut fitting: Vec<(usize, usize)> =
        slots.iter().enumerate().filter_map(|(at, slot)| Some((agreement(slot)?, at))).collect();
    fitting.sort_by_key(|(agreement, at)| (std::cmp::Reverse(*agreement), *at));
    let best = fitting.first().map_or(0, |(agreement, _)| *agreement);
    (best, fitting.into_iter().map(|(_, at)| at).collect())
}

/// Finds room for a test, and moves others where that helps. Not by recursion: chains can be long.
fn place(
    test: usize,
    edges: &[Vec<usize>],
    owners: &mut [Vec<usize>],
    room: &impl Fn(usize) -> usize,
    seen: &mut [bool],
) -> bool {
    // How each slot was reached: by which test, and from which slot that test would move.
    let mut came: HashMap<usize, (usize, Option<usize>)> = HashMap::new();
    let mut queue = std::collections::VecDeque::from([(test, None)]);
    while let Some((mover, from)) = queue.pop_front() {
        for &slot in &edges[mover] {
            if std::mem::replace(&mut seen[slot], true) {
                continue;
            }
            came.insert(slot, (mover, from));
            if owners[slot].len() < room(slot) {
                shift(slot, &came, owners);
                return true;
            }
            queue.extend(owners[slot].iter().map(|&owner| (owner, Some(slot))));
        }
    }
    false
}

fn shift(last: usize, came: &HashMap<usize, (usize, Option<usize>)>, owners: &mut [Vec<usize>]) {
    let mut to = Some(last);
    while let Some(slot) = to {
        let Some(&(mover, from)) = came.get(&slot) else { return };
        owners[slot].push(mover);
        if let Some(from) = from {
            owners[from].retain(|&owner| owner != mover);
        }
        to = from;
    }
}
