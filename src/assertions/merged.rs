//! Several assertions that became one: what each of them expected stands, value by value, in what a new one expects of
//! the whole.
//!
//! `len(l) == 2`, `l[0] == "a"` and `l[1] == "b"` are all said by `l == ["a", "b"]`. Only what is written out counts: a
//! value that the new expectation does not show is lost.

use std::borrow::Cow;

use super::alike::key;
use super::raised::Raised;
use super::tokens::{Tokens, count_items, items};
use super::whole::{Subject, bare_text, is_size};
use crate::collections::HashMap;
use crate::facts::{Assertion, Binding, Claim, ClaimKind, Strength};

/// So many assertions that expected the same value are looked at.
const SAME_VALUE: usize = 64;

/// So many assertions on the same thing are looked at.
const SAME_ORIGIN: usize = 64;

/// The new assertions of a unit, as far as they may stand for several old ones.
pub struct Merged<'a> {
    names: Names,
    wholes: Vec<Whole<'a>>,
    raised: Raised<'a>,
    /// Which subjects each value was expected of, among the assertions that are gone.
    by_value: HashMap<Tokens, Vec<Subject>>,
    /// What is newly taken apart into so many names, which fails where it has another number of elements.
    unpacked: Vec<(Subject, usize)>,
}

/// What local names stand for, white space left out.
type Names = HashMap<String, String>;

/// A new assertion that compares something with all of what it should be.
struct Whole<'a> {
    claim: &'a Claim,
    subjects: Vec<Subject>,
    expected: Tokens,
    /// What it is held against one after the other, where that is a list without brackets: `expect(200, body)`.
    listed: Vec<Tokens>,
    /// Whether parts that it does not show may be anything: `toMatchObject`.
    is_partial: bool,
    /// Whether it runs only on some way through the test.
    is_conditional: bool,
    /// Whether all that was asked of what it starts from stands in it.
    has_all: bool,
}

impl<'a> Merged<'a> {
    pub fn of<'b>(
        bindings: [&[Binding]; 2],
        lost: impl Iterator<Item = &'b Assertion>,
        new: impl Iterator<Item = &'a Assertion> + Clone,
    ) -> Self {
        let [names, new_names] = bindings.map(names_of);
        let unpacked = unpacked(bindings, &new_names);
        let mut parts: Vec<Part> = Vec::new();
        let mut by_value: HashMap<Tokens, Vec<Subject>> = HashMap::new();
        for assertion in lost {
            let part = Part::of(&assertion.claim, &names);
            // A number of elements is no value among the others.
            if let Some(value) = part.value.as_ref().filter(|_| part.size.is_none()) {
                by_value.entry(value.clone()).or_default().push(part.subject.clone());
            }
            parts.push(part);
        }
        let by_origin = by_origin(parts);
        let wholes = new.clone().filter_map(|assertion| Whole::of(assertion, &new_names, &by_origin));
        Self { wholes: wholes.collect(), raised: Raised::of(new), names, by_value, unpacked }
    }

    /// Whether one of the new assertions says what a lost one said.
    pub fn covers(&self, lost: &Assertion) -> bool {
        let part = Part::of(&lost.claim, &self.names);
        let runs = |whole: &&Whole<'_>| !whole.is_conditional || lost.under.is_some();
        let says = |whole: &Whole<'_>| {
            !lost.claim.negated && whole.has_part(&part, self.by_value(&part)) || whole.is_as_true(lost)
        };
        self.wholes.iter().filter(runs).any(says) || self.raised.covers(lost) || self.is_unpacked(&part)
    }

    fn is_unpacked(&self, part: &Part) -> bool {
        self.unpacked.iter().any(|(whole, size)| part.size == Some(*size) && part.subject.is_part_of(whole))
    }

    fn by_value(&self, part: &Part) -> &[Subject] {
        part.value.as_ref().and_then(|value| self.by_value.get(value)).map_or(&[], Vec::as_slice)
    }
}

/// What names stand for that are given a value once.
fn names_of(bindings: &[Binding]) -> Names {
    let mut names = Names::new();
    let mut several = Vec::new();
    for binding in bindings {
        if names.insert(binding.name.clone(), key(&binding.value)).is_some() {
            several.push(&binding.name);
        }
    }
    several.into_iter().for_each(|name| {
        names.remove(name);
    });
    names
}

/// What the after side takes apart and the before side did not: `(one,) = rows`.
fn unpacked([before, after]: [&[Binding]; 2], names: &Names) -> Vec<(Subject, usize)> {
    let several = |binding: &&Binding| binding.name.contains(',');
    let known: Vec<&Binding> = before.iter().filter(several).collect();
    let is_new = |new: &&Binding| !known.iter().any(|old| (&old.name, &old.value) == (&new.name, &new.value));
    let size = |binding: &Binding| items(binding.name.trim_matches(['(', ')', '[', ']'])).len();
    let new = after.iter().filter(several).filter(is_new);
    new.map(|binding| (Subject::of(&binding.value, names), size(binding))).collect()
}

/// A list of one value so many times, with the value written as often: `["a"; 3]`, `["a"] * 3`.
fn written_out(text: &str) -> Cow<'_, str> {
    let inside = |list: &'_ str| {
        list.trim().strip_prefix('[').and_then(|list| list.strip_suffix(']')).map(str::to_owned)
    };
    let repeated = match text.rsplit_once("] *") {
        Some((list, times)) => inside(&format!("{list}]")).zip(Some(times)),
        None => text
            .trim_end_matches(']')
            .rsplit_once(';')
            .and_then(|(list, times)| inside(&format!("{list}]")).zip(Some(times))),
    };
    let times = repeated.as_ref().and_then(|(_, times)| times.trim().parse::<usize>().ok());
    match (repeated, times.filter(|times| *times <= SAME_VALUE)) {
        (Some((value, _)), Some(times)) => Cow::Owned(vec![value; times].join(", ")),
        _ => Cow::Borrowed(text),
    }
}

/// Parts by what they start from.
fn by_origin(parts: Vec<Part>) -> HashMap<String, Vec<Part>> {
    let mut by_origin: HashMap<String, Vec<Part>> = HashMap::new();
    for part in parts {
        by_origin.entry(part.subject.origin().to_owned()).or_default().push(part);
    }
    by_origin
}

/// What an assertion that is gone asked for.
struct Part {
    subject: Subject,
    strength: Strength,
    kind: ClaimKind,
    /// What it expected; nothing where it was content with less than a value.
    value: Option<Tokens>,
    /// How many elements it asked for.
    size: Option<usize>,
}

impl Part {
    fn of(claim: &Claim, names: &Names) -> Self {
        let size = claim.expected.as_deref().filter(|_| is_size(&claim.subject));
        let value = claim.expected.as_deref().filter(|_| claim.strength >= Strength::Pattern);
        Self {
            subject: Subject::of(&claim.subject, names),
            strength: claim.strength,
            kind: claim.kind,
            value: value.map(Tokens::of),
            size: size.and_then(|size| size.parse().ok()),
        }
    }
}

impl<'a> Whole<'a> {
    fn of(assertion: &'a Assertion, names: &Names, by_origin: &HashMap<String, Vec<Part>>) -> Option<Self> {
        let claim = &assertion.claim;
        let helper = claim.kind == ClaimKind::Helper;
        let expected = claim.expected.as_deref();
        let is_partial =
            claim.strength == Strength::Pattern && expected.is_some_and(|text| key(text).starts_with('{'));
        let text = expected.and_then(bare_text);
        let says = claim.strength >= Strength::Value || is_partial || text.is_some();
        let is_true = claim.strength == Strength::Truthy;
        if claim.negated || claim.kind == ClaimKind::Raises || !(says || helper || is_true) {
            return None;
        }
        let expected = match text {
            Some(text) => Tokens::text(text),
            None if helper => Tokens::of(&claim.subject),
            None => Tokens::of(&written_out(expected.unwrap_or_default())),
        };
        let subjects = Subject::all_of(&claim.subject, names);
        let listed: Vec<Tokens> =
            items(claim.expected.as_deref().unwrap_or_default()).into_iter().map(Tokens::of).collect();
        let is_conditional = assertion.under.is_some();
        let mut whole =
            Self { claim, subjects, expected, listed, is_partial, is_conditional, has_all: false };
        let origin = whole.subjects.first()?.origin();
        let asked = by_origin.get(origin).map_or(&[][..], Vec::as_slice);
        whole.has_all =
            !is_true && asked.len() > 1 && asked.iter().take(SAME_ORIGIN).all(|part| whole.shows(part, 1));
        Some(whole)
    }

    /// Whether it says what a part said; `others` are all the subjects of which the same value was expected.
    fn has_part(&self, part: &Part, others: &[Subject]) -> bool {
        let is_plain = matches!(part.kind, ClaimKind::Value | ClaimKind::Failure);
        if self.claim.strength == Strength::Truthy || !is_plain {
            return false;
        }
        if self.claim.kind == ClaimKind::Helper {
            return part.value.is_some() && self.quotes(&part.subject) && self.shows(part, 1);
        }
        if !self.is_whole_of(&part.subject) {
            return self.has_all && self.subjects.iter().any(|whole| whole.origin() == part.subject.origin());
        }
        // Equal values that were expected of several members must be there as often.
        let mut seen: Vec<&Subject> = Vec::new();
        for other in others.iter().take(SAME_VALUE).filter(|other| self.is_whole_of(other)) {
            if !seen.contains(&other) {
                seen.push(other);
            }
        }
        self.shows(part, seen.len().max(1))
    }

    fn is_whole_of(&self, part: &Subject) -> bool {
        self.subjects.iter().any(|whole| part.is_part_of(whole))
    }

    /// Whether a call of the project's own is given what a part looked at.
    fn quotes(&self, part: &Subject) -> bool {
        let origin = part.origin();
        origin.contains('(') && key(&self.claim.subject).contains(origin)
    }

    /// Whether what a part expected stands in what is expected, so many times.
    fn shows(&self, part: &Part, times: usize) -> bool {
        if let Some(size) = part.size {
            let items = self.claim.expected.as_deref().and_then(count_items);
            return !self.is_partial && items.is_none_or(|items| items == size);
        }
        match &part.value {
            // Equality of the whole decides whatever is less than a value of a part.
            None => !self.is_partial && part.strength < Strength::Pattern,
            Some(value) => {
                let named = value.has_names() || self.lists(value) || self.names_member(&part.subject);
                named && self.is_as_strict(part) && self.expected.count(value) >= times
            }
        }
    }

    fn lists(&self, value: &Tokens) -> bool {
        self.listed.len() > 1 && self.listed.contains(value)
    }

    /// The same thing must be compared as strictly; of a part nothing but its value is asked.
    fn is_as_strict(&self, part: &Part) -> bool {
        self.claim.strength >= part.strength || !self.subjects.contains(&part.subject)
    }

    /// Where the members of what is expected have names, the part must be among them.
    fn names_member(&self, part: &Subject) -> bool {
        let Some(member) = part.member() else { return true };
        !self.expected.has_names() || self.expected.names(member)
    }

    /// Whether the truth of something stands for less than a value of it: that it is there, that it is `== True`.
    fn is_as_true(&self, lost: &Assertion) -> bool {
        let (old, new) = (&lost.claim, self.claim);
        let compares = key(&lost.text).contains("==True");
        new.strength == Strength::Truthy
            && new.kind == ClaimKind::Value
            && old.kind == ClaimKind::Value
            && (old.strength == Strength::NotNull || compares && old.expected.as_deref() == Some("True"))
            && key(&old.subject) == key(&new.subject)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Reach;

    fn assertion(strength: Strength, subject: &str, expected: &str) -> Assertion {
        let claim = Claim {
            kind: ClaimKind::Value,
            strength,
            expected: Some(expected.to_owned()),
            ..Claim::helper(subject)
        };
        Assertion {
            line: 1,
            text: format!("{subject} == {expected}"),
            claim,
            reach: Reach::Always,
            under: None,
        }
    }

    fn value(subject: &str, expected: &str) -> Assertion {
        assertion(Strength::Value, subject, expected)
    }

    /// Which of the lost assertions a new one stands for, where `r` is `f(1)`.
    fn covered(lost: &[Assertion], new: &Assertion) -> Vec<bool> {
        let given = [Binding { line: 1, name: "r".into(), value: "f(1)".into() }];
        let merged = Merged::of([&given, &[]], lost.iter(), std::iter::once(new));
        lost.iter().map(|lost| merged.covers(lost)).collect()
    }

    #[test]
    fn elements_and_their_number_stand_in_the_list() {
        let lost = [value("len(r)", "2"), value("r[0]", "'a'"), value("r[1]", "'b'")];
        assert_eq!(covered(&lost, &value("f(1)", "['a', 'b']")), [true; 3]);
        assert_eq!(covered(&lost, &value("f(1)", "['a']")), [false, true, false]);
        assert_eq!(covered(&lost, &value("g(1)", "['a', 'b']")), [false; 3]);
    }

    #[test]
    fn members_stand_in_the_record() {
        let lost = [value("r.name", "'Ann'"), value("r.age", "3")];
        assert_eq!(covered(&lost, &value("f(1)", "User { name: \"Ann\".into(), age: 3 }")), [true; 2]);
        assert_eq!(covered(&lost, &value("f(1)", "new User(\"Ann\", 3)")), [true; 2]);
        assert_eq!(covered(&lost, &value("f(1)", "{ name: 'Ann', size: 3 }")), [true, false]);
    }

    #[test]
    fn a_value_that_two_members_had_must_be_there_twice() {
        let lost = [value("r.a", "1"), value("r.b", "1")];
        assert_eq!(covered(&lost, &value("f(1)", "P(1, 1)")), [true; 2]);
        assert_eq!(covered(&lost, &value("f(1)", "P(1)")), [false; 2]);
    }

    #[test]
    fn a_part_of_the_members_says_nothing_of_their_number() {
        let lost = [value("r.a", "1"), value("r.length", "1")];
        let new = assertion(Strength::Pattern, "f(1)", "{ a: 1 }");
        assert_eq!(covered(&lost, &new), [true, false]);
        assert_eq!(covered(&lost, &assertion(Strength::Pattern, "f(1)", "1")), [false; 2]);
    }
}
