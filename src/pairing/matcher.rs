//! Pairs the tests of both sides, from the surest sign to the weakest.

#[cfg(test)]
mod tests;

use super::candidates::Candidates;
use super::fate::{Fate, How, Pairing};
use super::traces::Traces;
use crate::collections::HashMap;
use crate::comparison::{At, FileComparison};
use crate::facts::Test;

/// Same name in another file: enough if the bodies have this much in common ...
const MOVED: f64 = 0.5;
/// ... or this much, where no other test of the change bears the name.
const MOVED_UNIQUE: f64 = 0.12;
/// Another name in the same file.
const RENAMED: f64 = 0.55;
/// Another name that shares most of its words, in the same file.
const RENAMED_ALIKE: f64 = 0.35;
/// Another name in another file.
const RENAMED_ELSEWHERE: f64 = 0.7;

/// Bodies that have so little in common are two tests, whatever their names ...
const UNLIKE: f64 = 0.5;
/// ... and a body that is so much alike is the same test under the other's name.
const TAKEN_OVER: f64 = 0.9;
/// How many tests of a file are looked at for that.
const NEARBY: usize = 1000;

/// A test of one side with where it stands.
#[derive(Clone, Copy)]
pub struct Placed<'a> {
    pub at: At,
    pub test: &'a Test,
}

/// Decides the fate of every test of the before side.
pub fn pair(files: &[FileComparison]) -> Pairing {
    let mut matcher = Matcher::new(files);
    matcher.match_in_place();
    matcher.give_back_names();
    matcher.match_by_name_in_file();
    matcher.match_by_name_elsewhere();
    matcher.match_equal_bodies();
    matcher.match_by_body();
    let Matcher { before, after, partner_of_before, partner_of_after } = matcher;
    let traces = Traces::new(files, &before, &after, &partner_of_before, &partner_of_after);
    let fate = |index: usize| match partner_of_before[index] {
        Some((partner, how)) => Fate::Same { after: after[partner].at, how },
        None => traces.fate_of(before[index]),
    };
    let fates = (0..before.len()).map(|index| (before[index].at, fate(index))).collect();
    let unpaired = (0..after.len()).filter(|&index| partner_of_after[index].is_none());
    Pairing { fates, added: unpaired.map(|index| after[index].at).collect() }
}

struct Matcher<'a> {
    before: Vec<Placed<'a>>,
    after: Vec<Placed<'a>>,
    partner_of_before: Vec<Option<(usize, How)>>,
    partner_of_after: Vec<Option<usize>>,
}

impl<'a> Matcher<'a> {
    fn new(files: &'a [FileComparison]) -> Self {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for (file, comparison) in files.iter().enumerate() {
            for (side, list) in [(&comparison.before, &mut before), (&comparison.after, &mut after)] {
                let tests = side.iter().flat_map(|side| side.facts.tests.iter());
                list.extend(
                    tests.enumerate().map(|(test, found)| Placed { at: At { file, test }, test: found }),
                );
            }
        }
        let (partner_of_before, partner_of_after) = (vec![None; before.len()], vec![None; after.len()]);
        Self { before, after, partner_of_before, partner_of_after }
    }

    /// Same file, same suite, same name.
    fn match_in_place(&mut self) {
        self.match_unchanged_lists();
        let key = |placed: &Placed<'a>| (placed.at.file, &placed.test.suite[..], placed.test.name.as_str());
        self.match_groups(key, How::Kept, |_, _, _| true);
    }

    /// Most files of most changes list the same tests in the same order: no need to look any of them up.
    fn match_unchanged_lists(&mut self) {
        let same_file = |a: &Placed<'a>, b: &Placed<'a>| a.at.file == b.at.file;
        let (mut b, mut a) = (0, 0);
        while b < self.before.len() {
            let old = self.before[b..].chunk_by(same_file).next().map_or(0, <[_]>::len);
            let file = self.before[b].at.file;
            a += self.after[a..].partition_point(|placed| placed.at.file < file);
            let new = self.after[a..].partition_point(|placed| placed.at.file == file);
            let names = |side: &[Placed<'a>]| {
                side.iter().map(|placed| (&placed.test.suite, &placed.test.name)).collect::<Vec<_>>()
            };
            if old == new && names(&self.before[b..b + old]) == names(&self.after[a..a + new]) {
                (0..old).for_each(|offset| self.join(b + offset, a + offset, How::Kept));
            }
            b += old;
        }
    }

    /// Where a test took over the name of another one of its file, the name says nothing: the bodies decide.
    fn give_back_names(&mut self) {
        for b in self.open_before() {
            let lost = self.before[b];
            let first = self.after.partition_point(|placed| placed.at.file < lost.at.file);
            let in_file = self.after[first..].iter().take_while(|placed| placed.at.file == lost.at.file);
            let taken = in_file.take(NEARBY).enumerate().map(|(offset, _)| first + offset).find(|&a| {
                let owner = self.partner_of_after[a].map(|owner| self.before[owner].test);
                let is_other = |owner: &Test| owner.body.similarity(&self.after[a].test.body) < UNLIKE;
                owner.is_some_and(is_other)
                    && lost.test.body.similarity(&self.after[a].test.body) >= TAKEN_OVER
            });
            if let Some(a) = taken {
                if let Some(owner) = self.partner_of_after[a] {
                    self.partner_of_before[owner] = None;
                }
                self.join(b, a, How::Renamed);
            }
        }
    }

    /// Same file, another suite; also another spelling of the same words.
    fn match_by_name_in_file(&mut self) {
        let key = |placed: &Placed<'a>| (placed.at.file, placed.test.name.clone());
        self.match_groups(key, How::Moved, |_, _, _| true);
        let key = |placed: &Placed<'a>| (placed.at.file, spelling(&placed.test.name));
        self.match_groups(key, How::Renamed, |_, _, _| true);
    }

    fn match_by_name_elsewhere(&mut self) {
        let key = |placed: &Placed<'a>| (0, spelling(&placed.test.name));
        self.match_groups(key, How::Moved, |before, after, unique| {
            let needed = if unique { MOVED_UNIQUE } else { MOVED };
            let same_suite =
                !before.test.suite.is_empty() && before.test.suite.last() == after.test.suite.last();
            same_suite || before.test.body.similarity(&after.test.body) >= needed
        });
    }

    /// Another name, but the very same body, best in the same file. Among thousands that differ in a number alone, the
    /// search for what is much alike may miss it.
    fn match_equal_bodies(&mut self) {
        let has_body = |before: &Placed<'a>, _: &Placed<'a>, _: bool| !before.test.body.is_empty();
        let key = |placed: &Placed<'a>| (placed.at.file, &placed.test.body);
        self.match_groups(key, How::Renamed, has_body);
        self.match_groups(|placed: &Placed<'a>| &placed.test.body, How::Renamed, has_body);
    }

    /// Pairs what shares a key: in order where both sides have equally many, else the most alike first.
    fn match_groups<K: std::hash::Hash + Eq>(
        &mut self,
        key: impl Fn(&Placed<'a>) -> K,
        how: How,
        accept: impl Fn(&Placed<'a>, &Placed<'a>, bool) -> bool,
    ) {
        let mut groups: HashMap<K, (Vec<usize>, Vec<usize>)> = HashMap::new();
        for index in self.open_before() {
            groups.entry(key(&self.before[index])).or_default().0.push(index);
        }
        for index in self.open_after() {
            if let Some(group) = groups.get_mut(&key(&self.after[index])) {
                group.1.push(index);
            }
        }
        for (old, new) in groups.into_values().filter(|(_, new)| !new.is_empty()) {
            let unique = old.len() == 1 && new.len() == 1;
            let pairs = if old.len() == new.len() {
                old.into_iter().zip(new).collect()
            } else {
                self.most_alike(&old, &new)
            };
            for (b, a) in pairs {
                let is_copy = self.before[b].test.level.is_copy_of(self.after[a].test.level);
                if !is_copy && accept(&self.before[b], &self.after[a], unique) {
                    self.join(b, a, how);
                }
            }
        }
    }

    fn most_alike(&self, old: &[usize], new: &[usize]) -> Vec<(usize, usize)> {
        // Large groups of one name are pairs in order, then leftovers: comparing all with all would not end.
        if old.len().saturating_mul(new.len()) > 10_000 {
            return old.iter().copied().zip(new.iter().copied()).collect();
        }
        let score = |b: usize, a: usize| self.before[b].test.body.similarity(&self.after[a].test.body);
        let mut scores: Vec<(f64, usize, usize)> =
            old.iter().flat_map(|&b| new.iter().map(move |&a| (score(b, a), b, a))).collect();
        scores.sort_by(|x, y| y.0.total_cmp(&x.0).then((x.1, x.2).cmp(&(y.1, y.2))));
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        for (_, b, a) in scores {
            if !pairs.iter().any(|&(old, new)| old == b || new == a) {
                pairs.push((b, a));
            }
        }
        pairs
    }

    /// Another name, but a body that is much the same. The most alike pairs go first.
    fn match_by_body(&mut self) {
        let (open_before, open_after) = (self.open_before(), self.open_after());
        if open_before.is_empty() || open_after.is_empty() {
            return;
        }
        let candidates = Candidates::new(open_after.iter().map(|&a| &self.after[a].test.body).collect());
        let mut scores = Vec::new();
        for &b in &open_before {
            for (index, similarity) in candidates.like(&self.before[b].test.body) {
                let a = open_after[index];
                let is_copy = self.before[b].test.level.is_copy_of(self.after[a].test.level);
                if !is_copy && similarity >= needed_similarity(&self.before[b], &self.after[a]) {
                    scores.push((similarity, b, a));
                }
            }
        }
        scores.sort_by(|x, y| y.0.total_cmp(&x.0).then((x.1, x.2).cmp(&(y.1, y.2))));
        for (_, b, a) in scores {
            if self.partner_of_before[b].is_none() && self.partner_of_after[a].is_none() {
                self.join(b, a, How::Renamed);
            }
        }
    }

    fn join(&mut self, before: usize, after: usize, how: How) {
        self.partner_of_before[before] = Some((after, how));
        self.partner_of_after[after] = Some(before);
    }

    fn open_before(&self) -> Vec<usize> {
        (0..self.before.len()).filter(|&index| self.partner_of_before[index].is_none()).collect()
    }

    fn open_after(&self) -> Vec<usize> {
        (0..self.after.len()).filter(|&index| self.partner_of_after[index].is_none()).collect()
    }
}

fn needed_similarity(before: &Placed<'_>, after: &Placed<'_>) -> f64 {
    if before.at.file != after.at.file {
        RENAMED_ELSEWHERE
    } else if names_alike(&before.test.name, &after.test.name) {
        RENAMED_ALIKE
    } else {
        RENAMED
    }
}

/// A name without case and separators: `testFooBar`, `test_foo_bar` and `TestFooBar` are one.
fn spelling(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether two names share at least half of their words.
fn names_alike(a: &str, b: &str) -> bool {
    let (a, b) = (name_words(a), name_words(b));
    let common = a.iter().filter(|word| b.contains(word)).count();
    common > 0 && 2 * common >= a.len().max(b.len())
}

/// The words of a name, `test` itself aside.
fn name_words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut lower_before = false;
    let mut fresh = true;
    for c in name.chars() {
        if !c.is_alphanumeric() {
            fresh = true;
            continue;
        }
        if fresh || (lower_before && c.is_uppercase()) {
            words.push(String::new());
        }
        (fresh, lower_before) = (false, c.is_lowercase());
        if let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| word != "test" && word != "should");
    words
}
