//! What is compared: a test that lives on, or a function through which tests assert, with all that it asserts.

use super::alike::{key, split};
use super::resolve::resolved;
use crate::collections::{HashMap, HashSet};
use crate::comparison::{At, Comparison, FileSide};
use crate::facts::{Assertion, Binding, Claim, ClaimKind, Definition, DefinitionKind, Level, Span, Test};
use crate::pairing::Fate;
use crate::paths::PathClass;
use crate::similarity::{Body, Words};

/// Where assertions stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    Test(At),
    Helper { file: usize, definition: usize },
}

impl Place {
    pub fn file(self) -> usize {
        match self {
            Self::Test(at) => at.file,
            Self::Helper { file, .. } => file,
        }
    }
}

/// One place of the before side and where it lives on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    pub before: Place,
    pub after: Place,
    /// Whether the test went into another one, which has assertions of its own.
    pub merged: bool,
}

/// One side of a unit.
pub struct View<'a> {
    pub file: &'a FileSide,
    pub test: Option<&'a Test>,
    pub name: String,
    pub span: Span,
    /// Those of named parts are their own.
    pub assertions: Vec<&'a Assertion>,
    /// What it gives names to.
    pub bindings: &'a [Binding],
    pub body: &'a Body,
    pub words: &'a Words,
}

impl<'a> View<'a> {
    pub fn before(comparison: &'a Comparison, place: Place) -> Option<Self> {
        Self::of(comparison.files.get(place.file())?.before.as_ref()?, place)
    }

    pub fn after(comparison: &'a Comparison, place: Place) -> Option<Self> {
        Self::of(comparison.files.get(place.file())?.after.as_ref()?, place)
    }

    fn of(file: &'a FileSide, place: Place) -> Option<Self> {
        match place {
            Place::Test(at) => {
                let test = file.facts.tests.get(at.test)?;
                let (name, span, body, words) = (test.qualified_name(), test.span, &test.body, &test.words);
                let (assertions, bindings) =
                    (once(own_assertions(&file.facts.tests, at.test)), test.bindings.as_slice());
                Some(Self { file, test: Some(test), name, span, assertions, bindings, body, words })
            }
            Place::Helper { definition, .. } => {
                let Definition { name, span, assertions, bindings, body, words, .. } =
                    file.facts.definitions.get(definition)?;
                let (name, assertions) = (name.clone(), once(assertions.iter().collect()));
                Some(Self { file, test: None, name, span: *span, assertions, bindings, body, words })
            }
        }
    }

    /// Whether nothing that counts differs. What a test expects of itself as a whole stands outside its body.
    pub fn says_the_same(&self, other: &Self) -> bool {
        // A long text is cut, and a body does not mind the order of its parts.
        let same =
            |(one, other): (&&Assertion, &&Assertion)| one.text == other.text && one.claim == other.claim;
        self.body == other.body
            && self.assertions.len() == other.assertions.len()
            && self.assertions.iter().zip(&other.assertions).all(same)
            && self.constants() == other.constants()
    }

    /// Leaves out what a macro asserts that makes the test on both sides: the macro is compared by itself.
    pub fn without_macro(sides: [Self; 2]) -> [Self; 2] {
        if !sides.iter().all(Self::is_made_by_macro) {
            return sides;
        }
        sides.map(|mut side| {
            let span = side.span;
            side.assertions.retain(|one| (span.start..=span.end).contains(&one.line));
            side
        })
    }

    fn is_made_by_macro(&self) -> bool {
        let elsewhere = |one: &&Assertion| one.line < self.span.start || one.line > self.span.end;
        self.test.is_some_and(|test| test.level == Level::Definition) && self.assertions.iter().any(elsewhere)
    }

    /// Whether it names something, its title aside.
    fn names(&self, name: &str) -> bool {
        let is_titled = || split(&self.name).any(|word| word == name);
        let is_called = || self.file.lines(self.span).any(|line| line.contains(&format!("{name}(")));
        self.words.contains(name) && (!is_titled() || is_called())
    }

    /// What it asserts as written. What must hold at once is taken apart: each part is an assertion of its own.
    pub fn spelled(&self) -> Vec<Assertion> {
        self.assertions.iter().flat_map(|assertion| apart(assertion)).collect()
    }

    /// The same without parts that only make sure that the others can be looked at.
    pub fn spelled_major(&self) -> Vec<Assertion> {
        let parts = |assertion: &&Assertion| {
            let mut parts = apart(assertion);
            let several = parts.len() > 1;
            parts.retain(|part| !several || part.claim.is_major());
            parts
        };
        self.assertions.iter().flat_map(parts).collect()
    }

    /// Assertions of it with local names replaced by what they stand for.
    pub fn resolved(&self, spelled: &[Assertion]) -> Vec<Assertion> {
        let constants = self.file.facts.definitions.iter().filter_map(constant);
        resolved(spelled, constants.chain(self.bindings.iter().cloned()).collect())
    }

    /// The constants of the file that it names, with what they are set to.
    fn constants(&self) -> HashMap<&str, &str> {
        let constants = self.file.facts.definitions.iter().filter(|found| self.words.contains(&found.name));
        constants.filter_map(|found| Some((found.name.as_str(), found.value.as_deref()?))).collect()
    }

    /// The number that a name of its file stands for, where it is given one and never anything else.
    pub fn number_of(&self, name: &str) -> Option<f64> {
        let whole = Span { start: 1, end: u32::MAX };
        let given = |line: &str| -> Option<String> {
            let (left, right) = line.split_once('=').filter(|(_, right)| !right.starts_with('='))?;
            let target = left.trim_end_matches([':', ' ']).rsplit(' ').next()?;
            (target == name).then(|| right.trim().trim_end_matches([';', ',']).replace('_', ""))
        };
        let lines = self.file.lines(whole).take(LINES);
        let mut values = lines.filter(|line| line.contains(name)).filter_map(|line| given(&line));
        let value = values.next()?;
        // `500L`, `1.5f`
        let number = value.trim_end_matches(['L', 'l', 'f', 'F', 'd', 'D']);
        if values.any(|other| other != value) { None } else { number.parse().ok() }
    }

    /// `path::Suite::name`
    pub fn symbol(&self) -> String {
        format!("{}::{}", self.file.path, self.name)
    }
}

/// So many lines are looked through for what a name is given.
const LINES: usize = 5000;

/// A constant as a name that is given its value before anything else.
fn constant(definition: &Definition) -> Option<Binding> {
    let value = definition.value.clone()?;
    Some(Binding { line: 0, name: definition.name.clone(), value })
}

/// The parts of an assertion, each with what it is about beside the text of the whole; the whole where none says much.
fn apart(assertion: &Assertion) -> Vec<Assertion> {
    let whole = &assertion.claim;
    if !whole.parts.iter().any(Claim::is_major) {
        return vec![assertion.clone()];
    }
    let part = |claim: &Claim| {
        let expected = claim.expected.as_deref().unwrap_or_default();
        let text = format!("{} ({} {expected})", assertion.text, claim.subject);
        let kind = if whole.kind == ClaimKind::Failure { whole.kind } else { claim.kind };
        Assertion { text, claim: Claim { kind, ..claim.clone() }, ..assertion.clone() }
    };
    whole.parts.iter().map(part).collect()
}

/// The assertions of a test that stand in none of its named parts, which follow it in the list.
fn own_assertions(tests: &[Test], index: usize) -> Vec<&Assertion> {
    let test = &tests[index];
    let follows = |part: &&Test| part.level == Level::Subtest && part.span.start <= test.span.end;
    let parts: Vec<Span> = tests[index + 1..].iter().take_while(follows).map(|part| part.span).collect();
    let mut next = 0;
    let is_own = |assertion: &&Assertion| {
        while parts.get(next).is_some_and(|part| part.end < assertion.line) {
            next += 1;
        }
        parts.get(next).is_none_or(|part| assertion.line < part.start)
    };
    test.assertions.iter().filter(is_own).collect()
}

/// Assertions without those that only fail once more on the same way: `t.Error("x")` and then `t.FailNow()`.
fn once(assertions: Vec<&Assertion>) -> Vec<&Assertion> {
    let mut left: Vec<&Assertion> = Vec::with_capacity(assertions.len());
    for one in assertions {
        let fails_again = left.last().is_some_and(|last| {
            let both_fail = [last, one].iter().all(|one| one.claim.kind == ClaimKind::Failure);
            both_fail && last.line + 1 == one.line && last.under == one.under && last.claim == one.claim
        });
        if !fails_again {
            left.push(one);
        }
    }
    left
}

/// Everything that is compared, in the order of the before side.
pub fn units(comparison: &Comparison) -> Vec<Unit> {
    let mut units: Vec<Unit> =
        comparison.pairing.fates.iter().filter_map(|(at, fate)| of_test(*at, fate)).collect();
    for file in 0..comparison.files.len() {
        units.extend(helpers(comparison, file));
    }
    units
}

fn of_test(before: At, fate: &Fate) -> Option<Unit> {
    let (after, merged) = match fate {
        Fate::Same { after, .. } => (*after, false),
        Fate::Merged { into } => (*into, true),
        _ => return None,
    };
    Some(Unit { before: Place::Test(before), after: Place::Test(after), merged })
}

/// Functions of test files that assert, and that bear a name as often on each side.
fn helpers(comparison: &Comparison, file: usize) -> Vec<Unit> {
    let sides = &comparison.files[file];
    let (Some(before), Some(after)) = (&sides.before, &sides.after) else { return Vec::new() };
    let (old, new) = (&before.facts.definitions, &after.facts.definitions);
    let named = functions(new);
    let pairs = |(name, was): (&str, Vec<usize>)| -> Vec<(usize, usize)> {
        let is = named.get(name).filter(|is| is.len() == was.len()).cloned().unwrap_or_default();
        let pairs: Vec<(usize, usize)> = was.into_iter().zip(is).collect();
        // Of several that bear one name no more than one may be another: then each has kept its place.
        let changed = pairs.iter().filter(|(b, a)| old[*b].body != new[*a].body).count();
        if pairs.len() == 1 || changed <= 1 { pairs } else { Vec::new() }
    };
    let mut units: Vec<(usize, usize)> = functions(old).into_iter().flat_map(pairs).collect();
    units.retain(|(before, _)| serves_tests(sides.class, &old[*before]));
    units.sort_unstable();
    let place = |definition| Place::Helper { file, definition };
    units.into_iter().map(|(b, a)| Unit { before: place(b), after: place(a), merged: false }).collect()
}

fn serves_tests(class: PathClass, definition: &Definition) -> bool {
    !definition.assertions.is_empty() && (class == PathClass::Test || definition.in_suite)
}

/// The functions of a side by name, those of one name in the order of lines.
fn functions(definitions: &[Definition]) -> HashMap<&str, Vec<usize>> {
    let mut found: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, definition) in definitions.iter().enumerate() {
        if definition.kind == DefinitionKind::Function {
            found.entry(definition.name.as_str()).or_default().push(index);
        }
    }
    found
}

/// Functions that assert, by name: those through which a test may assert.
pub struct Helpers<'a> {
    named: HashMap<&'a str, Vec<&'a Definition>>,
    /// What those assert that were there before, and did not assert then.
    grown: HashMap<&'a str, Vec<&'a Assertion>>,
}

impl<'a> Helpers<'a> {
    /// Those of the after side of the whole change.
    pub fn after(comparison: &'a Comparison) -> Self {
        let functions = |side: &'a FileSide| {
            side.facts.definitions.iter().filter(|definition| definition.kind == DefinitionKind::Function)
        };
        let sides = comparison.files.iter().filter_map(|file| file.after.as_ref());
        let mut named: HashMap<&str, Vec<&Definition>> = HashMap::new();
        for definition in sides.flat_map(functions).filter(|definition| !definition.assertions.is_empty()) {
            named.entry(&definition.name).or_default().push(definition);
        }
        let mut said: HashMap<&str, HashSet<String>> = HashMap::new();
        if !named.is_empty() {
            let sides = comparison.files.iter().filter_map(|file| file.before.as_ref());
            for old in sides.flat_map(functions).filter(|old| named.contains_key(old.name.as_str())) {
                let texts = old.assertions.iter().map(|assertion| key(&assertion.text));
                said.entry(&old.name).or_default().extend(texts);
            }
        }
        let new = |(name, said): (&str, HashSet<String>)| {
            let (name, helpers) = named.get_key_value(name)?;
            let all = helpers.iter().flat_map(|helper| &helper.assertions);
            Some((*name, all.filter(|one| one.reach.counts() && !said.contains(&key(&one.text))).collect()))
        };
        let grown = said.into_iter().filter_map(new).collect();
        Self { named, grown }
    }

    /// The functions that assert and that a unit did not name before.
    pub fn newly_named(&self, before: &View<'_>, after: &View<'_>) -> Vec<&'a Definition> {
        let is_new = |name: &str| after.words.contains(name) && !before.names(name) && name != after.name;
        let named = self.named.iter().filter(|(name, _)| is_new(name));
        named.flat_map(|(_, definitions)| definitions.iter().copied()).collect()
    }

    /// What a unit asserts through functions that it did not name before, or that did not assert it then.
    pub fn newly_called(
        &self,
        named: &[&'a Definition],
        before: &View<'_>,
        after: &View<'_>,
    ) -> Vec<&'a Assertion> {
        let is_kept =
            |name: &str| after.words.contains(name) && before.words.contains(name) && name != after.name;
        let grown =
            self.grown.iter().filter(|(name, _)| is_kept(name)).flat_map(|(_, new)| new.iter().copied());
        let called = named.iter().flat_map(|definition| &definition.assertions);
        called.filter(|assertion| assertion.reach.counts()).chain(grown).collect()
    }
}
