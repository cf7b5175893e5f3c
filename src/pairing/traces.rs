//! Looks for what is left of a test that has no partner on the after side.

use std::cell::OnceCell;
use std::sync::LazyLock;

use super::candidates::Candidates;
use super::fate::{Fate, How};
use super::matcher::Placed;
use crate::collections::{HashMap, HashSet};
use crate::comparison::{At, FileComparison, FileSide};
use crate::facts::{Definition, DefinitionKind, Health, Level, Span, Test};
use crate::similarity::{Words, hash};

/// How much of a test must stand in a comment for it to be commented out.
const COMMENTED: f64 = 0.6;
/// How alike a function must be to count as the test's remains.
const UNCOLLECTED: f64 = 0.6;
/// The share of a test's words that must be in the test it was merged into.
const MERGED: f64 = 0.8;
/// The same for the words that the other test did not have before.
const MERGED_NEW: f64 = 0.6;
/// How alike a test that was there all along must be to make another one superfluous: tests that differ in one
/// value check different things.
const DUPLICATE: f64 = 0.999;
/// How alike two tests must have been for one to become a row of the other's table ...
const ROW_ALIKE: f64 = 0.4;
/// ... and the share of what only the lost one said that must be in the table.
const ROW_NEW: f64 = 0.3;
/// The share of a named part's words that must be in the test whose table has a row of its name.
const PARENT_ROW: f64 = 0.5;
/// How much of each part must come from the test that was split.
const SPLIT: f64 = 0.55;
/// How many neighbours in a file are looked at one by one: enough for files that people write.
const NEARBY: usize = 1000;
/// How often neighbours are looked at in all, so that thousands of lost tests still take no time to speak of.
const LOOKS: usize = 1_000_000;

/// Fewer words than this are in many tests.
const MIN_CONTENT: usize = 4;
/// The same without the words of frameworks.
const MIN_PLAIN: usize = 3;

/// Words in which frameworks ask for what a test expects, and what stands around them in every test.
const FRAMEWORKS: &str = "\
    self this assert assertEqual assertEquals assertNotEqual assertTrue assertFalse assertIs assertIsNone \
    assertIsNotNone assertIn assertNotIn assertRaises assertAlmostEqual assertThat assertNull assertNotNull \
    assertSame assertThrows assertArrayEquals assert_eq assert_ne expect toBe toEqual toStrictEqual toThrow \
    should equal eql equals deepEqual strictEqual isEqualTo isTrue isFalse isNull isNotNull is to be not have \
    require Equal NoError Errorf Fatalf Error Fatal pytest raises approx def async await function const let var \
    func void public test Test it";

fn is_framework(word: u64) -> bool {
    static HASHES: LazyLock<HashSet<u64>> =
        LazyLock::new(|| FRAMEWORKS.split_whitespace().map(|word| hash(word.as_bytes())).collect());
    HASHES.contains(&word)
}

pub struct Traces<'a> {
    files: &'a [FileComparison],
    before: &'a [Placed<'a>],
    after: &'a [Placed<'a>],
    partner_of_after: &'a [Option<usize>],
    /// Tests of the before side that are still there.
    kept: Vec<usize>,
    kept_index: Candidates<'a>,
    kept_after: HashMap<usize, usize>,
    /// Tests of the after side without a partner.
    new: Vec<usize>,
    /// Which tests of the after side have other rows beside them than before, found out when asked for.
    gained: Vec<OnceCell<bool>>,
    /// How many neighbours each lost test is compared with.
    nearby: usize,
    after_index: Candidates<'a>,
    /// What stands around each test of the after side, once it is asked for.
    surroundings: Vec<OnceCell<Words>>,
}

impl<'a> Traces<'a> {
    pub fn new(
        files: &'a [FileComparison],
        before: &'a [Placed<'a>],
        after: &'a [Placed<'a>],
        partner_of_before: &'a [Option<(usize, How)>],
        partner_of_after: &'a [Option<usize>],
    ) -> Self {
        let lost = partner_of_before.iter().filter(|partner| partner.is_none()).count();
        // Without losses nothing is looked up.
        let some = |indexes: Vec<usize>| if lost > 0 { indexes } else { Vec::new() };
        let kept = some((0..before.len()).filter(|&index| partner_of_before[index].is_some()).collect());
        let kept_index = Candidates::new(kept.iter().map(|&index| &before[index].test.body).collect());
        let kept_after = kept
            .iter()
            .filter_map(|&index| partner_of_before[index].map(|(after, _)| (index, after)))
            .collect();
        let everything = some((0..after.len()).collect());
        let after_index = Candidates::new(everything.iter().map(|&index| &after[index].test.body).collect());
        let surroundings = some((0..after.len()).collect()).iter().map(|_| OnceCell::new()).collect();
        Self {
            files,
            before,
            after,
            partner_of_after,
            kept,
            kept_index,
            kept_after,
            after_index,
            surroundings,
            new: (0..after.len()).filter(|&index| partner_of_after[index].is_none()).collect(),
            gained: (0..after.len()).map(|_| OnceCell::new()).collect(),
            nearby: NEARBY.min(LOOKS / lost.max(1)),
        }
    }

    pub fn fate_of(&self, lost: Placed<'a>) -> Fate {
        // What stands around a syntax error is not to be trusted: one test may seem to have swallowed the next.
        // What is still written down but not run comes before anything that merely reads alike.
        self.obscured(lost)
            .or_else(|| self.commented_out(lost))
            .or_else(|| self.uncollected(lost))
            .or_else(|| self.merged(lost))
            .or_else(|| self.duplicate(lost))
            .or_else(|| self.split(lost))
            .unwrap_or(Fate::Removed)
    }

    /// A test of the same file, or a new one anywhere, that now says what this one said.
    fn merged(&self, lost: Placed<'a>) -> Option<Fate> {
        let content = content(lost.test);
        if content.len() < MIN_CONTENT {
            return None;
        }
        let alike = self.after_index.like(&lost.test.body).into_iter().map(|(index, _)| index);
        let nearby = self.in_file(lost.at.file).take(self.nearby);
        let mut found: Vec<usize> = alike
            .chain(nearby)
            .filter(|&index| self.runs_like(lost, index))
            .filter(|&index| {
                self.took_in(lost, &content, index)
                    || self.became_row_of(lost, &content, index)
                    || self.became_row_of_its_parent(lost, &content, index)
            })
            .collect();
        found.sort_unstable();
        found.first().map(|&index| Fate::Merged { into: self.after[index].at })
    }

    /// Whether a test can stand in for the lost one: where that one ran, it must run too.
    fn runs_like(&self, lost: Placed<'a>, index: usize) -> bool {
        lost.test.is_skipped() || !self.after[index].test.is_skipped()
    }

    fn took_in(&self, lost: Placed<'a>, content: &[u64], index: usize) -> bool {
        if lost.test.level.is_copy_of(self.after[index].test.level) {
            return false;
        }
        let share = |words: &[u64]| {
            let found = words.iter().filter(|&&word| self.says(index, word)).count();
            found as f64 / words.len().max(1) as f64
        };
        let plain: Vec<u64> = content.iter().copied().filter(|&word| !is_framework(word)).collect();
        // Another framework says the same in other words of its own.
        if share(content) < MERGED && (plain.len() < MIN_PLAIN || share(&plain) < MERGED) {
            return false;
        }
        let Some(partner) = self.partner_of_after[index] else {
            return true;
        };
        let had = self.before[partner].test;
        let more_cases = self.after[index].test.cases > had.cases;
        if had.words == self.after[index].test.words && !more_cases && !self.gained_rows(index, partner) {
            return false;
        }
        let new: Vec<u64> = content.iter().copied().filter(|&word| !had.words.has_hash(word)).collect();
        (!new.is_empty() && share(&new) >= MERGED_NEW) || (new.is_empty() && more_cases)
    }

    /// A sibling that was much the same and has more rows now, among them some of what was new in this one.
    fn became_row_of(&self, lost: Placed<'a>, content: &[u64], index: usize) -> bool {
        let Some(partner) = self.partner_of_after[index] else { return false };
        let (had, now) = (self.before[partner].test, self.after[index].test);
        let more_cases = now.cases.is_none() || now.cases > had.cases;
        let new = || content.iter().copied().filter(|&word| !had.words.has_hash(word));
        // An import that the lost test had to itself moves to the top of the file.
        let names = self.after_side(self.after[index].at.file).map(|side| &side.facts.names);
        let in_file = |word: u64| names.is_some_and(|names| names.has_hash(word));
        let is_row = new().count() == 0 || new().any(|word| now.words.has_hash(word));
        let found = new().filter(|&word| now.words.has_hash(word) || is_row && in_file(word)).count();
        let was_alike = had.cases != now.cases && lost.test.body.similarity(&had.body) >= ROW_ALIKE;
        more_cases && was_alike && found as f64 >= ROW_NEW * new().count() as f64
    }

    /// A named part of a kept test that became a row of a table there, under its name.
    fn became_row_of_its_parent(&self, lost: Placed<'a>, content: &[u64], index: usize) -> bool {
        let parent = self.after[index];
        if lost.test.level != Level::Subtest
            || lost.at.file != parent.at.file
            || lost.test.suite.join("::") != parent.test.qualified_name()
        {
            return false;
        }
        let named = words_of_name(&lost.test.name).all(|word| parent.test.words.contains(word));
        let found = content.iter().filter(|&&word| parent.test.words.has_hash(word)).count();
        named && found as f64 >= PARENT_ROW * content.len() as f64
    }

    /// Whether a test has a word, be it in the table beside it.
    fn says(&self, index: usize, word: u64) -> bool {
        self.after[index].test.words.has_hash(word) || self.surroundings(index).has_hash(word)
    }

    /// The words around a test of the after side that has rows: the rows may stand there. Of one that may go through them by
    /// itself, those of the constants that it names.
    fn surroundings(&self, index: usize) -> &Words {
        self.surroundings[index].get_or_init(|| {
            let Placed { at, test } = self.after[index];
            let words = match test.cases {
                Some(1) => words_of_constants,
                _ => words_around,
            };
            self.after_side(at.file).map(|side| words(side, test)).unwrap_or_default()
        })
    }

    /// Whether what stands around a table's test is not what stood there before.
    fn gained_rows(&self, index: usize, partner: usize) -> bool {
        if self.after[index].test.cases == Some(1) {
            return false;
        }
        *self.gained[index].get_or_init(|| {
            let Placed { at, test } = self.before[partner];
            let before = self.files[at.file].before.as_ref().map(|side| words_around(side, test));
            before.as_ref() != Some(self.surroundings(index))
        })
    }

    fn duplicate(&self, lost: Placed<'a>) -> Option<Fate> {
        // Several files run a shared test: that it lives on in one says nothing about what another has lost.
        let is_shared = |placed: Placed<'a>| placed.test.level == Level::Shared;
        if is_shared(lost) {
            return None;
        }
        let mut alike = self.kept_index.like(&lost.test.body).into_iter();
        let (index, similarity) = alike.find(|&(index, _)| !is_shared(self.before[self.kept[index]]))?;
        let after = *self.kept_after.get(self.kept.get(index)?)?;
        (similarity >= DUPLICATE && self.runs_like(lost, after))
            .then(|| Fate::Duplicate { twin: self.after[after].at })
    }

    fn split(&self, lost: Placed<'a>) -> Option<Fate> {
        let part = |&index: &usize| self.after[index].test.body.containment(&lost.test.body) >= SPLIT;
        let new = self.new_in_file(lost.at.file).take(self.nearby);
        let new = new.filter(|&index| self.runs_like(lost, index));
        let parts: Vec<At> = new.filter(part).map(|index| self.after[index].at).collect();
        (parts.len() >= 2).then_some(Fate::Split { into: parts })
    }

    fn commented_out(&self, lost: Placed<'a>) -> Option<Fate> {
        let file = lost.at.file;
        let comments = self.after_side(file)?.facts.comments.iter();
        let holds = |body: &crate::similarity::Body| lost.test.body.containment(body) >= COMMENTED;
        let mut found =
            comments.take(self.nearby).filter(|comment| comment.body.len() >= 3 && holds(&comment.body));
        // A comment that was there before hides nothing.
        let old = self.files[file].before.as_ref().map(|side| &side.facts.comments);
        let is_old = |comment: &&crate::facts::Comment| {
            old.is_some_and(|old| old.iter().any(|before| before.body == comment.body))
        };
        let comment = found.find(|comment| !is_old(comment))?;
        Some(Fate::CommentedOut { file, span: comment.span })
    }

    /// A new function with the test's code that no test calls.
    fn uncollected(&self, lost: Placed<'a>) -> Option<Fate> {
        let file = lost.at.file;
        let after = self.after_side(file)?;
        let old = self.files[file].before.as_ref().map_or(&[][..], |side| &side.facts.definitions);
        let is_remains = |definition: &&Definition| {
            let function = definition.kind == DefinitionKind::Function;
            let new = !old.iter().any(|old| old.name == definition.name);
            function && new && definition.body.similarity(&lost.test.body) >= UNCOLLECTED
        };
        let remains = after.facts.definitions.iter().take(self.nearby).filter(is_remains);
        let alike = |definition: &Definition| definition.body.similarity(&lost.test.body);
        let found = remains.max_by(|a, b| {
            let same_name = |definition: &Definition| definition.name == lost.test.name;
            same_name(a).cmp(&same_name(b)).then(alike(a).total_cmp(&alike(b)))
        })?;
        // A test that merely bears the name does not call it.
        let calls = |test: &Test| test.name != found.name && test.words.contains(&found.name);
        let caller = self.after.iter().find(|placed| calls(placed.test));
        Some(match caller {
            Some(caller) => Fate::Merged { into: caller.at },
            None => Fate::Uncollected { file, name: found.name.clone(), span: found.span },
        })
    }

    fn obscured(&self, lost: Placed<'a>) -> Option<Fate> {
        let before = self.files[lost.at.file].before.as_ref()?.facts.health;
        let after = self.after_side(lost.at.file)?.facts.health;
        (before == Health::Clean && after != Health::Clean).then_some(Fate::Obscured)
    }

    /// The tests of the after side of one file that have no partner.
    fn new_in_file(&self, file: usize) -> impl Iterator<Item = usize> + use<'_> {
        let start = self.new.partition_point(|&index| self.after[index].at.file < file);
        self.new[start..].iter().copied().take_while(move |&index| self.after[index].at.file == file)
    }

    /// The tests of the after side of one file; they stand together.
    fn in_file(&self, file: usize) -> impl Iterator<Item = usize> + use<'_> {
        let start = self.after.partition_point(|placed| placed.at.file < file);
        (start..self.after.len()).take_while(move |&index| self.after[index].at.file == file)
    }

    fn after_side(&self, file: usize) -> Option<&'a FileSide> {
        self.files[file].after.as_ref()
    }
}

/// The words of constants that a test names.
fn words_of_constants(side: &FileSide, test: &Test) -> Words {
    let constants = side.facts.definitions.iter().filter(|found| found.kind == DefinitionKind::Constant);
    let named = constants.filter(|found| test.words.contains(&found.name));
    let text: String =
        named.flat_map(|found| side.lines(found.span)).map(|text| format!("{text}\n")).collect();
    Words::of(text.as_bytes(), 0..text.len(), &[])
}

/// What a test says apart from its name. Of a name in words, numbers stay: they tell one test from its siblings.
fn content(test: &Test) -> Vec<u64> {
    let prose = words_of_name(&test.name).filter(|word| !word.chars().all(char::is_numeric));
    let named: Vec<u64> = prose.map(|word| hash(word.as_bytes())).collect();
    test.words.iter().filter(|word| !named.contains(word)).collect()
}

fn words_of_name(name: &str) -> impl Iterator<Item = &str> {
    let is_gap = |c: char| !c.is_alphanumeric() && c != '_' && c != '$';
    name.split(is_gap).filter(|word| !word.is_empty())
}

/// The words between the test before and the test after this one, outside comments and functions: code that is kept
/// there without being run is no row. A function that the marks of the test name gives rows,
/// wherever it stands.
fn words_around(side: &FileSide, test: &Test) -> Words {
    let others = || side.facts.tests.iter().map(|other| other.span);
    let from = others().map(|other| other.end).filter(|&end| end < test.span.start).max().unwrap_or(0);
    let to =
        others().map(|other| other.start).filter(|&start| start > test.span.end).min().unwrap_or(u32::MAX);
    let functions = || side.facts.definitions.iter().filter(|found| found.kind == DefinitionKind::Function);
    let idle: Vec<Span> = side
        .facts
        .comments
        .iter()
        .map(|comment| comment.span)
        .chain(functions().map(|found| found.span))
        .collect();
    let is_idle = |line: u32| idle.iter().any(|span| (span.start..=span.end).contains(&line));
    let lines = side.lines(Span { start: from + 1, end: to - 1 }).zip(from + 1..);
    let beside = lines.filter(|(_, line)| !is_idle(*line)).map(|(text, _)| text);
    let head: String =
        side.lines(Span { start: test.span.start, end: test.line.saturating_sub(1) }).collect();
    let givers = functions().filter(|found| words_of_name(&head).any(|name| name == found.name));
    let given = givers.flat_map(|giver| side.lines(giver.span));
    let text: String = beside.chain(given).map(|text| format!("{text}\n")).collect();
    Words::of(text.as_bytes(), 0..text.len(), &[])
}
