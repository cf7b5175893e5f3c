//! What became of each function of the production code.

use super::candidates::Candidates;
use super::fate::How;
use crate::collections::{HashMap, HashSet};
use crate::comparison::{FileComparison, FileSide};
use crate::facts::{Function, Span};
use crate::paths::PathClass;
use crate::similarity::{Body, hash};

/// How alike the bodies of a function in two files are.
const MOVED: f64 = 0.5;
/// How alike the bodies of a function under two names are.
const RENAMED: f64 = 0.7;
/// Shorter bodies are alike by chance.
const MIN_BODY: usize = 12;

/// A function of one side: a file of the comparison and a place in that side's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    pub file: usize,
    pub function: usize,
}

/// A function that is on both sides and does not read the same.
#[derive(Clone, Debug)]
pub struct FunctionPair {
    pub before: Place,
    pub after: Place,
    pub how: How,
    pub old: Body,
    pub new: Body,
}

#[derive(Clone, Debug, Default)]
pub struct FunctionPairing {
    /// Only those that differ, in the order of the before side.
    pub changed: Vec<FunctionPair>,
    pub removed: Vec<Place>,
    pub added: Vec<Place>,
}

struct Placed<'a> {
    place: Place,
    side: &'a FileSide,
    function: &'a Function,
}

impl Placed<'_> {
    fn text(&self) -> &[u8] {
        self.side.text.get(self.function.whole.clone()).unwrap_or_default()
    }

    fn body(&self) -> Body {
        Body::of(&self.side.text, self.function.body.clone(), &self.function.comments)
    }

    /// What stands on it; some languages write that outside of the function.
    fn annotations(&self) -> impl Iterator<Item = &[u8]> {
        let ranges = self.function.annotations.iter().cloned();
        ranges.map(|range| self.side.text.get(range).unwrap_or_default())
    }

    /// Name, parameters and body: what a change to any of them changes.
    fn code(&self) -> Body {
        Body::of(&self.side.text, self.function.whole.clone(), &self.function.comments)
    }

    /// How deep each statement stands, where that alone says what it is part of.
    fn nesting(&self) -> Vec<usize> {
        if self.side.facts.language != "python" {
            return Vec::new();
        }
        let (mut open, mut depths, mut brackets) = (Vec::new(), Vec::new(), 0i64);
        for line in self.text().split(|&byte| byte == b'\n').skip(1) {
            let code = line.trim_ascii();
            if code.is_empty() || code.starts_with(b"#") {
                continue;
            }
            if brackets == 0 {
                let indent = line.len() - line.trim_ascii_start().len();
                while open.last().is_some_and(|&last| last > indent) {
                    open.pop();
                }
                if open.last() != Some(&indent) {
                    open.push(indent);
                }
                depths.push(open.len());
            }
            let opens = |byte: &u8| {
                matches!(byte, b'(' | b'[' | b'{') as i64 - matches!(byte, b')' | b']' | b'}') as i64
            };
            brackets = (brackets + code.iter().map(opens).sum::<i64>()).max(0);
        }
        depths
    }
}

/// Pairs the functions of production files.
pub fn pair_functions(files: &[FileComparison]) -> FunctionPairing {
    // Most files do nothing outside of their functions.
    let acts: Vec<bool> = files.iter().map(acts_outside).collect();
    let before = placed(files, &acts, |file| file.before.as_ref());
    let after = placed(files, &acts, |file| file.after.as_ref());
    let mut partners: Vec<Option<(usize, How)>> = vec![None; before.len()];
    let mut taken = vec![false; after.len()];
    let in_file = |placed: &Placed<'_>| (placed.place.file, placed.function.name.clone());
    match_groups(&before, &after, &mut partners, &mut taken, How::Kept, in_file);
    let by_name = |placed: &Placed<'_>| (0, placed.function.name.clone());
    match_groups(&before, &after, &mut partners, &mut taken, How::Moved, by_name);
    match_by_body(&before, &after, &mut partners, &mut taken);
    settle(&before, &after, &partners, &taken)
}

fn settle(
    before: &[Placed<'_>],
    after: &[Placed<'_>],
    partners: &[Option<(usize, How)>],
    taken: &[bool],
) -> FunctionPairing {
    let mut pairing = FunctionPairing::default();
    for (old, partner) in before.iter().zip(partners) {
        let Some((index, how)) = *partner else {
            pairing.removed.push(old.place);
            continue;
        };
        let new = &after[index];
        let same_code =
            old.text() == new.text() || (old.code() == new.code() && old.nesting() == new.nesting());
        if same_code && old.annotations().eq(new.annotations()) {
            continue;
        }
        let (before, after) = (old.place, new.place);
        pairing.changed.push(FunctionPair { before, after, how, old: old.body(), new: new.body() });
    }
    let added = after.iter().zip(taken).filter(|(_, taken)| !**taken);
    pairing.added = added.map(|(placed, _)| placed.place).collect();
    pairing
}

/// Whether one side of a file fails, handles errors or routes outside of its functions.
fn acts_outside(file: &FileComparison) -> bool {
    let sides = file.before.iter().chain(&file.after);
    let mut outside =
        sides.filter_map(|side| side.facts.functions.first().filter(|first| first.name.is_empty()));
    outside.any(Function::says_something)
}

fn placed<'a>(
    files: &'a [FileComparison],
    acts: &[bool],
    side: impl Fn(&'a FileComparison) -> Option<&'a FileSide>,
) -> Vec<Placed<'a>> {
    let production = files.iter().enumerate().filter(|(_, file)| file.class == PathClass::Production);
    let sides = production.filter_map(|(index, file)| side(file).map(|side| (index, side)));
    let functions = |(file, side): (usize, &'a FileSide)| {
        let tests = test_spans(side);
        let listed = side.facts.functions.iter().enumerate();
        let acts = acts[file];
        let judged = listed.filter(move |(index, function)| {
            let is_file = *index == 0 && function.name.is_empty();
            if is_file { acts } else { !is_within(&tests, function.span) }
        });
        judged.map(move |(index, function)| Placed { place: Place { file, function: index }, side, function })
    };
    sides.flat_map(functions).collect()
}

/// Lines that serve tests, sorted and without overlap.
fn test_spans(side: &FileSide) -> Vec<Span> {
    let tests = side.facts.tests.iter().map(|test| test.span);
    // Without a test, a suite is a class like any other.
    let serves = |in_suite: bool| in_suite && !side.facts.tests.is_empty();
    let helpers = side.facts.definitions.iter().filter(|definition| serves(definition.in_suite));
    let mut spans: Vec<Span> = tests.chain(helpers.map(|definition| definition.span)).collect();
    spans.sort_unstable();
    let mut merged: Vec<Span> = Vec::new();
    for span in spans {
        match merged.last_mut() {
            Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
            _ => merged.push(span),
        }
    }
    merged
}

fn is_within(spans: &[Span], span: Span) -> bool {
    let after = spans.partition_point(|other| other.start <= span.start);
    after.checked_sub(1).is_some_and(|index| spans[index].contains(span))
}

/// How a function is found among those of its name, the surest way first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fit {
    Equal,
    /// Of several that are left, such as overloads: the one that is most alike.
    Alike,
    Next,
}

/// Joins what has the same key: equal text first, then what is alike, then in order.
fn match_groups<'a>(
    before: &[Placed<'a>],
    after: &[Placed<'a>],
    partners: &mut [Option<(usize, How)>],
    taken: &mut [bool],
    how: How,
    key: impl Fn(&Placed<'a>) -> (usize, String),
) {
    let mut groups: HashMap<(usize, String), Vec<usize>> = HashMap::new();
    for (index, placed) in after.iter().enumerate().filter(|(index, _)| !taken[*index]) {
        groups.entry(key(placed)).or_default().push(index);
    }
    for fit in [Fit::Equal, Fit::Alike, Fit::Next] {
        for (index, old) in before.iter().enumerate() {
            if partners[index].is_some() || (how != How::Kept && old.function.name.is_empty()) {
                continue;
            }
            let Some(group) = groups.get_mut(&key(old)) else { continue };
            // Overloads are few; a longer list of one name is taken in order.
            let near = &group[..group.len().min(GROUP)];
            let found = match fit {
                Fit::Equal => near.iter().position(|&at| after[at].text() == old.text()),
                Fit::Alike if how == How::Kept && near.len() < 2 => None,
                Fit::Alike => most_alike(old, near, after, if how == How::Kept { OVERLOAD } else { MOVED }),
                Fit::Next => (how == How::Kept && !near.is_empty()).then_some(0),
            };
            let Some(found) = found else { continue };
            let found = group.remove(found);
            partners[index] = Some((found, how));
            taken[found] = true;
        }
    }
}

/// So many functions of one name are looked at.
const GROUP: usize = 64;

/// How alike the bodies of a function are that has others of its name beside it.
const OVERLOAD: f64 = 0.3;

/// Where in the group the function stands whose body is most alike, if it is alike enough.
fn most_alike(old: &Placed<'_>, group: &[usize], after: &[Placed<'_>], enough: f64) -> Option<usize> {
    let body = old.body();
    let alike = group.iter().map(|&at| after[at].body().similarity(&body));
    let best = alike.enumerate().max_by(|(i, a), (j, b)| a.total_cmp(b).then(j.cmp(i)))?;
    (best.1 >= enough).then_some(best.0)
}

fn match_by_body(
    before: &[Placed<'_>],
    after: &[Placed<'_>],
    partners: &mut [Option<(usize, How)>],
    taken: &mut [bool],
) {
    let open: Vec<usize> = (0..after.len()).filter(|&index| !taken[index]).collect();
    let bodies: Vec<Body> = open.iter().map(|&index| after[index].body()).collect();
    if open.is_empty() || partners.iter().all(Option::is_some) {
        return;
    }
    let candidates = Candidates::new(bodies.iter().collect());
    for (index, old) in before.iter().enumerate().filter(|(_, old)| !old.function.name.is_empty()) {
        if partners[index].is_some() {
            continue;
        }
        let body = old.body();
        if body.len() < MIN_BODY {
            continue;
        }
        let like = candidates.like(&body);
        let best = like.into_iter().find(|&(at, alike)| alike >= RENAMED && !taken[open[at]]);
        if let Some((at, _)) = best {
            partners[index] = Some((open[at], How::Renamed));
            taken[open[at]] = true;
        }
    }
}

/// The hashed names of all functions that the change adds, removes or changes, without what is around them.
pub fn touched_names(files: &[FileComparison], pairing: &FunctionPairing) -> HashSet<u64> {
    let name = |side: Option<&FileSide>, place: Place| {
        side.map(|side| hash(side.facts.functions[place.function].short_name().as_bytes()))
    };
    let before = pairing.changed.iter().map(|pair| pair.before).chain(pairing.removed.iter().copied());
    let after = pairing.changed.iter().map(|pair| pair.after).chain(pairing.added.iter().copied());
    let before = before.filter_map(|place| name(files[place.file].before.as_ref(), place));
    before.chain(after.filter_map(|place| name(files[place.file].after.as_ref(), place))).collect()
}
