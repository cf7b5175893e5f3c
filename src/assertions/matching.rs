//! Which assertion of the after side continues which one of the before side, from the surest sign to the weakest.

use super::accepting::accepts_any_error;
use super::alike::{content, key, overlap, sides};
use crate::collections::HashMap;
use crate::facts::{Assertion, ClaimKind};

/// Claims that share fewer of their words speak of different things.
const ALIKE: f64 = 0.5;

/// Comparing more than this many of one test by their words would take too long; ...
const COMPARED: usize = 250_000;
/// ... each is compared with those that stand about where it stood.
const NEAR: usize = 8;

/// So many places are looked at for what stands where an assertion stood.
const PLACES: usize = 1000;

/// How many more comparisons of one assertion with another the whole change may take. What goes beyond is told by key
/// and place alone: nobody writes so many assertions by hand.
pub struct Budget(usize);

impl Budget {
    pub const fn new() -> Self {
        Self(8_000_000)
    }

    /// Whether `few` assertions can be compared with `many` others.
    pub fn allows(&mut self, few: usize, many: usize) -> bool {
        let left = self.0.checked_sub(few.saturating_mul(many));
        self.0 = left.unwrap_or(self.0);
        left.is_some()
    }
}

/// The partner of each assertion of the before side, by its place in the list of the after side.
pub struct Matches {
    pub of_before: Vec<Option<usize>>,
    /// Whether the partner merely stands in the place of the assertion.
    pub by_place: Vec<bool>,
}

pub fn pair(before: &[&Assertion], after: &[&Assertion], budget: &mut Budget) -> Matches {
    let mut matcher =
        Matcher { before, after, of_before: vec![None; before.len()], taken: vec![false; after.len()] };
    matcher.by_key(|assertion| Some(key(&assertion.text)));
    matcher.repeated();
    matcher.by_key(|assertion| {
        let claim = &assertion.claim;
        let known = !claim.subject.is_empty() && claim.expected.is_some();
        known.then(|| (sides(claim), claim.negated))
    });
    // An element that came or went shifts those behind it.
    matcher.by_key(|assertion| {
        let claim = &assertion.claim;
        let expected = claim.expected.as_deref().map(key)?;
        claim.subject.contains('[').then(|| (without_index(&claim.subject), expected, claim.negated))
    });
    matcher.by_key(|assertion| {
        let subject = key(&assertion.claim.subject);
        (!subject.is_empty()).then_some(subject)
    });
    // What a test as a whole must fail with stands beside it: `#[should_panic]`, `@Test(expected = ...)`.
    matcher.by_key(|assertion| {
        let claim = &assertion.claim;
        (claim.kind == ClaimKind::Raises && claim.subject.is_empty()).then_some(claim.negated)
    });
    matcher.by_words(budget);
    let by_place = matcher.by_place();
    Matches { of_before: matcher.of_before, by_place }
}

/// A subject whatever the places of the elements on the way to it: `rows[].name`.
fn without_index(subject: &str) -> String {
    let mut depth = 0_usize;
    let is_kept = |c: &char| {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 || !c.is_ascii_digit()
    };
    key(subject).chars().filter(is_kept).collect()
}

struct Matcher<'a, 'b> {
    before: &'b [&'a Assertion],
    after: &'b [&'a Assertion],
    of_before: Vec<Option<usize>>,
    taken: Vec<bool>,
}

impl Matcher<'_, '_> {
    /// Pairs what shares a key, in order.
    fn by_key<K: std::hash::Hash + Eq>(&mut self, key: impl Fn(&Assertion) -> Option<K>) {
        let mut waiting: HashMap<K, Vec<usize>> = HashMap::new();
        for index in (0..self.after.len()).rev().filter(|&index| !self.taken[index]) {
            if let Some(key) = key(self.after[index]) {
                waiting.entry(key).or_default().push(index);
            }
        }
        if waiting.is_empty() {
            return;
        }
        for b in 0..self.before.len() {
            if self.of_before[b].is_none()
                && let Some(key) = key(self.before[b])
                && let Some(a) = waiting.get_mut(&key).and_then(Vec::pop)
            {
                self.join(b, a);
            }
        }
    }

    /// What the after side says only once stands for all that said it before.
    fn repeated(&mut self) {
        let places: HashMap<String, usize> =
            self.after.iter().enumerate().map(|(index, assertion)| (key(&assertion.text), index)).collect();
        // A block that must fail is not told by what it must fail with: where any error will do now for one of them, that
        // one did not go into another.
        let heir = |b: usize| {
            let old = &self.before[b].claim;
            let open = (0..self.after.len()).filter(|&a| !self.taken[a]).map(|a| &self.after[a].claim);
            old.subject.is_empty()
                && open.filter(|new| new.subject.is_empty()).any(|new| accepts_any_error(old, new))
        };
        // What plainly fails claims what is asked around it, and its words may stand under several conditions.
        let is_same = |b: usize, a: usize| {
            let (old, new) = (&self.before[b].claim, &self.after[a].claim);
            old.kind != ClaimKind::Failure || old.subject.is_empty() || sides(old) == sides(new)
        };
        for b in 0..self.before.len() {
            if self.of_before[b].is_none() && !heir(b) {
                let place = places.get(&key(&self.before[b].text)).copied();
                self.of_before[b] = place.filter(|&a| is_same(b, a));
            }
        }
    }

    fn by_words(&mut self, budget: &mut Budget) {
        let open_before: Vec<usize> =
            (0..self.before.len()).filter(|&b| self.of_before[b].is_none()).collect();
        let open_after: Vec<usize> = (0..self.after.len()).filter(|&a| !self.taken[a]).collect();
        let (few, many) = (open_before.len(), open_after.len());
        let all = few.saturating_mul(many) <= COMPARED && budget.allows(few, many);
        let range = |place: usize| match (all, (place * many).checked_div(few)) {
            (false, Some(about)) => about.saturating_sub(NEAR)..many.min(about + NEAR),
            _ => 0..many,
        };
        let words: Vec<Vec<u64>> = open_after.iter().map(|&a| content(self.after[a])).collect();
        let mut scores = Vec::new();
        for (place, &b) in open_before.iter().enumerate() {
            let own = content(self.before[b]);
            let near = words[range(place)].iter().zip(&open_after[range(place)]);
            let alike = near.map(|(words, &a)| (overlap(&own, words), b, a));
            scores.extend(alike.filter(|(score, ..)| *score >= ALIKE));
        }
        scores.sort_by(|x, y| y.0.total_cmp(&x.0).then((x.1, x.2).cmp(&(y.1, y.2))));
        for (_, b, a) in scores {
            if self.of_before[b].is_none() && !self.taken[a] {
                self.join(b, a);
            }
        }
    }

    /// Pairs what is left between the same neighbours, in order: one assertion stands where another stood.
    fn by_place(&mut self) -> Vec<bool> {
        let mut by_place = vec![false; self.before.len()];
        let (mut next, mut neighbour) = (0, 0);
        for (b, placed) in by_place.iter_mut().enumerate() {
            if let Some(a) = self.of_before[b] {
                next = next.max(a + 1);
                continue;
            }
            // `next` only grows: who was passed over once is no neighbour of those that follow.
            neighbour = neighbour.max(b + 1);
            let is_below = |partner: &Option<usize>| partner.is_none_or(|a| a < next);
            while self.of_before.get(neighbour).is_some_and(is_below) {
                neighbour += 1;
            }
            let until = self.of_before.get(neighbour).copied().flatten().unwrap_or(self.after.len());
            // Where several came, one that says as much is the more likely heir.
            let strength = |assertion: &Assertion| assertion.claim.strength;
            let open = || (next..until).take(PLACES).filter(|&a| !self.taken[a]);
            let as_strong = open().find(|&a| strength(self.after[a]) >= strength(self.before[b]));
            if let Some(a) = as_strong.or_else(|| open().next()) {
                self.join(b, a);
                (*placed, next) = (true, a + 1);
            }
        }
        by_place
    }

    fn join(&mut self, b: usize, a: usize) {
        self.of_before[b] = Some(a);
        self.taken[a] = true;
    }
}
