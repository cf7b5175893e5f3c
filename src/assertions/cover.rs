//! Where else the after side may say what an assertion said: a helper, a stronger assertion, a table, a new test.

use std::cell::OnceCell;

use super::alike::{content, key, share, sides, split, values, words};
use super::branches::Branches;
use super::caught::{Catches, expects_error};
use super::choice::is_as_narrow;
use super::excuses::{excused, lines};
use super::given::Given;
use super::idle::{Callees, is_idle};
use super::merged::Merged;
use super::rows::Rows;
use super::synonyms::says_as_much;
use super::unit::{Helpers, Place, View};
use super::waits::Waits;
use super::whole::{size_of, wholes};
use super::worded::is_renamed;
use crate::collections::{HashMap, HashSet};
use crate::comparison::Comparison;
use crate::facts::{Assertion, Claim, ClaimKind, Reach, Span, Strength};

/// What other places of the after side assert.
pub struct Elsewhere<'a> {
    helpers: Helpers<'a>,
    comparison: &'a Comparison,
    /// The functions of each side, looked up when the first assertion changes.
    callees: [OnceCell<Callees<'a>>; 2],
    /// A part of a test may have become a test of its own.
    new_tests: NewTests,
}

/// What tests assert that continue none, by its words and by what it claims.
#[derive(Default)]
struct NewTests {
    texts: HashSet<String>,
    claims: HashSet<Said>,
}

/// What an assertion claims, however it is worded.
type Said = ((String, String), bool);

fn said(claim: &Claim) -> Option<Said> {
    let known = !claim.subject.is_empty() && claim.expected.is_some();
    known.then(|| (sides(claim), claim.negated))
}

impl<'a> Elsewhere<'a> {
    pub fn of(comparison: &'a Comparison) -> Self {
        let views =
            comparison.pairing.added.iter().filter_map(|at| View::after(comparison, Place::Test(*at)));
        let runs = views.filter(|view| view.test.is_some_and(|test| !test.is_skipped()));
        let mut new_tests = NewTests::default();
        let resolved = |view: View<'_>| view.resolved(&view.spelled());
        for assertion in runs.flat_map(resolved).filter(|assertion| assertion.reach.counts()) {
            new_tests.claims.extend(said(&assertion.claim));
            new_tests.texts.insert(key(&assertion.text));
        }
        let callees = [OnceCell::new(), OnceCell::new()];
        Self { helpers: Helpers::after(comparison), comparison, callees, new_tests }
    }

    fn callees(&self) -> [&Callees<'a>; 2] {
        let files = &self.comparison.files;
        let [before, after] = &self.callees;
        [
            before.get_or_init(|| Callees::of(files.iter().filter_map(|file| file.before.as_ref()))),
            after.get_or_init(|| Callees::of(files.iter().filter_map(|file| file.after.as_ref()))),
        ]
    }
}

/// What else of the after side may say what an assertion of one unit said.
pub struct Cover<'a> {
    helpers: Vec<&'a Assertion>,
    /// What an assertion stands for that is made of several values.
    given: Given,
    new_tests: &'a NewTests,
    /// Assertions that did not stand there before in these words.
    new: Vec<New<'a>>,
    /// All that can fail the unit, as it is meant and as it is written.
    standing: Vec<&'a Claim>,
    /// How often each word stands in the unit on each side.
    counts: [HashMap<String, usize>; 2],
    /// The lines of code that stand above a failing call on the before side and are there on both.
    kept_above: HashSet<u32>,
    /// The lines of assertions that other code stands for, which is no assertion by its name.
    excused: HashSet<u32>,
    /// Rows of tables that the unit did not go through before.
    rows: Rows,
    /// What the before side gave names to.
    names: HashMap<String, String>,
    /// What several assertions may have become.
    merged: Merged<'a>,
    /// What is compared as a whole, with what.
    wholes: HashSet<String>,
    /// The conditions that came.
    branches: Branches,
    waits: Waits,
    /// Whether errors are caught by the unit itself now.
    catches: Catches,
    /// Whether the after side asserts anything.
    asserts: bool,
    /// The lines of the after side without white space, each with whether it is a soft one.
    lines: Vec<(String, bool)>,
}

/// How lines begin that ask, give back or tell, and fail nothing by themselves: words, ...
const SOFT_WORDS: &[&str] = &["if", "return", "yield"];
/// ... and calls.
const SOFT: &[&str] = &[
    "print(",
    "println!",
    "eprintln!",
    "console.",
    "log.",
    "logger.",
    "logging.",
    "warnings.",
    "t.Log",
    "System.out",
    "dbg!",
];

/// The lines of a unit without white space, each with whether it is a soft one.
fn lines_of(view: &View<'_>) -> Vec<(String, bool)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let is_soft = |line: &str| {
        let word = line.split(|c: char| !is_part(c)).next().unwrap_or_default();
        SOFT_WORDS.contains(&word) || SOFT.iter().any(|start| line.starts_with(start))
    };
    lines(view).map(|line| (key(&line), is_soft(line.trim_start()))).collect()
}

struct New<'a> {
    assertion: &'a Assertion,
    /// The words of what it speaks of.
    content: Vec<u64>,
    /// What it looks at, as written.
    written: &'a str,
}

/// New assertions that share so much of a subject look at the same thing.
const SAME_SUBJECT: f64 = 0.5;
/// New assertions that share so much of a message look at it.
const SAME_MESSAGE: f64 = 0.8;

impl<'a> Cover<'a> {
    pub fn new(
        before: &View<'_>,
        after: &View<'a>,
        elsewhere: &'a Elsewhere<'_>,
        old: &[&Assertion],
        (spelled, new): (&'a [Assertion], &[&'a Assertion]),
    ) -> Self {
        let [old_callees, new_callees] = elsewhere.callees();
        let known: HashSet<String> = old.iter().map(|assertion| key(&assertion.text)).collect();
        let written = spelled.iter().map(|assertion| assertion.claim.subject.as_str());
        let is_fresh = |(one, _): &(&Assertion, &str)| one.reach.counts() && !known.contains(&key(&one.text));
        let fresh = |(assertion, written)| New { assertion, content: content(assertion), written };
        let named = elsewhere.helpers.newly_named(before, after);
        let (lost, came) = went_and_came(old, new);
        // Where there are too many to look at, none is given.
        let all = if new.is_empty() { &[][..] } else { spelled };
        Self {
            standing: new
                .iter()
                .copied()
                .chain(all)
                .filter(|one| one.reach == Reach::Always)
                .map(|one| &one.claim)
                .collect(),
            new: new.iter().copied().zip(written).filter(is_fresh).map(fresh).collect(),
            helpers: elsewhere.helpers.newly_called(&named, before, after),
            given: Given::of([before, after], &lost, &came, &named),
            new_tests: &elsewhere.new_tests,
            counts: [counts_of(before, old_callees), counts_of(after, new_callees)],
            kept_above: kept_above(before, after, old),
            excused: excused(before, after, old, new),
            rows: Rows::new(before, after),
            names: names_of(before),
            merged: Merged::of([before.bindings, after.bindings], lost.iter().copied(), came.iter().copied()),
            wholes: new.iter().copied().chain(spelled).flat_map(wholes).collect(),
            branches: Branches::of(before, after),
            waits: Waits::of(after, new_callees),
            catches: Catches::of(before, after),
            asserts: spelled.iter().any(|one| one.reach.counts()),
            lines: lines_of(after),
        }
    }

    pub fn catches(&self) -> Catches {
        self.catches
    }

    pub fn covers(&self, lost: &Assertion) -> bool {
        self.still_stands(lost) || self.still_called(lost) || self.covers_otherwise(lost)
    }

    /// Whether the helper that asserted is called as before: what became of it is told of itself.
    fn still_called(&self, lost: &Assertion) -> bool {
        let call = key(&lost.text);
        lost.claim.kind == ClaimKind::Helper && self.lines.iter().any(|(line, _)| *line == call)
    }

    /// Whether another assertion says what is lost, wherever its words stand.
    pub fn covers_otherwise(&self, lost: &Assertion) -> bool {
        self.helper_covers(lost)
            || self.new_covers(lost)
            || self.given.covers(lost)
            || self.test_covers(lost)
            || self.excused.contains(&lost.line)
            || self.is_counted(&lost.claim)
            || self.catches == Catches::AndInsists && expects_error(&lost.claim)
            || self.asks_both_ways(lost)
            || self.waits.ask(&lost.claim)
            || self.branches.decide(lost)
    }

    /// Whether what an assertion said is still said beside the one that continues it.
    pub fn excuses(&self, lost: &Assertion) -> bool {
        self.new_covers(lost) || self.asks_both_ways(lost)
    }

    /// Whether only the size was asked for of something that is compared as a whole.
    fn is_counted(&self, lost: &Claim) -> bool {
        let counted = size_of(&lost.subject).or_else(|| lost.expected.as_deref().and_then(size_of));
        !lost.negated && counted.is_some_and(|whole| self.wholes.contains(&whole))
    }

    /// Whether new assertions ask of one thing that it fails, and that it does not, each under a condition, and what is lost
    /// told these cases apart: `if (err != nil) != wantErr { t.Error() }`.
    fn asks_both_ways(&self, lost: &Assertion) -> bool {
        let subject = |new: &New<'_>, fails: bool| {
            let claim = &new.assertion.claim;
            let is_it = match fails {
                true => claim.kind == ClaimKind::Raises && !claim.negated,
                false => claim.is_no_error(),
            };
            is_it.then(|| key(&claim.subject))
        };
        let failing: HashSet<String> = self.new.iter().filter_map(|new| subject(new, true)).collect();
        let well = || self.new.iter().filter_map(|new| subject(new, false));
        let asks = split(&lost.claim.subject).any(|word| matches!(word, "nil" | "err" | "error"))
            || lost.claim.kind == ClaimKind::Failure;
        let [_, counts] = &self.counts;
        // The flag that tells the cases apart still stands in the test.
        let flags =
            split(&lost.claim.subject).chain(lost.claim.expected.as_deref().into_iter().flat_map(split));
        let mut flags = flags.filter(|word| !matches!(*word, "nil" | "true" | "false"));
        let is_told_apart = flags.any(|word| counts.contains_key(word));
        is_told_apart && (asks && well().any(|one| failing.contains(&one)) || self.asks_for_opposites(lost))
    }

    /// Whether one of two new assertions claims what the other one denies, of what a lost one was about.
    fn asks_for_opposites(&self, lost: &Assertion) -> bool {
        let about = words(&lost.claim.subject);
        let of = |new: &New<'_>| {
            let claim = &new.assertion.claim;
            let is_part = !claim.subject.is_empty() && share(&words(&claim.subject), &about) >= 1.0;
            (is_part && claim.expected.is_some()).then(|| (sides(claim), claim.negated))
        };
        let claims: HashSet<Said> = self.new.iter().filter_map(of).collect();
        claims.iter().any(|(said, negated)| claims.contains(&(said.clone(), !negated)))
    }

    /// Whether the message of an error that a test expected is now looked at by an assertion of its own.
    pub fn has_message(&self, lost: &Assertion) -> bool {
        let message = words(lost.claim.pattern.as_deref().unwrap_or_default());
        let exact = |new: &&New<'_>| new.assertion.claim.strength >= Strength::Pattern;
        self.new.iter().filter(exact).any(|new| share(&message, &new.content) >= SAME_MESSAGE)
    }

    fn helper_covers(&self, lost: &Assertion) -> bool {
        self.helpers.iter().any(|helper| helper.claim.strength >= lost.claim.strength)
    }

    fn test_covers(&self, lost: &Assertion) -> bool {
        let said_there = |said| self.new_tests.claims.contains(&said);
        self.new_tests.texts.contains(&key(&lost.text)) || said(&lost.claim).is_some_and(said_there)
    }

    /// One new assertion that says more about the same thing stands for several that said less.
    fn new_covers(&self, lost: &Assertion) -> bool {
        let (subject, whole) = (words(&lost.claim.subject), content(lost));
        let covers = |new: &New<'_>| {
            let claim = &new.assertion.claim;
            let helps = claim.kind == ClaimKind::Helper && !holds_code(&claim.subject);
            let stronger = claim.strength > lost.claim.strength || helps;
            stronger && share(&subject, &new.content).max(share(&whole, &new.content)) >= SAME_SUBJECT
                || is_whole_of(new, &lost.claim)
                || self.is_object_of(claim, &lost.claim)
                || self.rows.ask(claim, &lost.claim, &self.counts)
                || is_for_each(new, &lost.claim)
                || raises_as_much(claim, &lost.claim)
                || is_as_narrow(claim, &lost.claim)
                || is_renamed(&lost.claim, claim)
        };
        self.new.iter().any(covers)
            || self.merged.covers(lost)
            || self.standing.iter().any(|claim| says_as_much(&lost.claim, claim))
    }

    /// Whether a new assertion compares the whole with an object that has what a lost one asked of a member:
    /// `parse(text) == Order(lines=2)` for `order = parse(text)` and `order.lines == 2`.
    fn is_object_of(&self, new: &Claim, lost: &Claim) -> bool {
        let Some(end) = lost.subject.find(['.', '[']) else { return false };
        let (name, member) = lost.subject.split_at(end);
        let (Some(object), Some(value)) = (&new.expected, &lost.expected) else { return false };
        let object = words(object);
        self.names.get(name).is_some_and(|whole| *whole == key(&new.subject))
            && new.strength >= lost.strength
            && new.negated == lost.negated
            && share(&words(member), &object) >= 1.0
            && share(&words(value), &object) >= 1.0
    }

    /// What it looked at and what it expected are all still written in the code of the test: they moved into something
    /// that is not known as an assertion, a wait for instance, or into the rows of a table. The code that computes may
    /// then stand there once for all rows, the values must be there as often as before.
    fn still_stands(&self, lost: &Assertion) -> bool {
        let is_caught = self.catches == Catches::Whatever && expects_error(&lost.claim);
        if is_caught || self.branches.hush(lost) {
            return false;
        }
        if lost.claim.kind == ClaimKind::Failure && self.kept_above.contains(&lost.line) {
            return false;
        }
        let texts = [lost.claim.subject.as_str(), lost.claim.expected.as_deref().unwrap_or_default()];
        let said: HashSet<&str> = texts.iter().flat_map(|text| split(text)).collect();
        let values: HashSet<&str> = texts.iter().flat_map(|text| values(text)).collect();
        let [before, after] = &self.counts;
        let count = |counts: &HashMap<String, usize>, word: &str| counts.get(word).copied().unwrap_or(0);
        let stands = |word: &&&str| {
            let needed = if values.is_empty() || values.contains(**word) { count(before, word) } else { 1 };
            count(after, word) >= needed.max(1)
        };
        said.len() >= SAID && said.iter().all(|word| stands(&word)) && !self.is_only_spoken_of(&lost.claim)
    }

    /// Whether what was expected is only asked for without anything that fails: `if total != 3: print(total)`,
    /// `return total == 3`.
    fn is_only_spoken_of(&self, lost: &Claim) -> bool {
        let Some(expected) = lost.expected.as_deref().map(key).filter(|expected| !expected.is_empty()) else {
            return false;
        };
        let mut lines = self.lines.iter().filter(|(line, _)| line.contains(&expected)).peekable();
        let fails = |(line, _): &(String, bool)| {
            let ends = ["raise", "throw", "panic", "unreachable!", "process.exit", "sys.exit", "os.Exit"];
            ends.iter().any(|start| line.starts_with(start)) || line.contains("fail(")
        };
        !self.lines.iter().any(fails)
            && !self.asserts
            && lines.peek().is_some()
            && lines.all(|(_, is_soft)| *is_soft)
    }
}

/// The assertions that went, and those that came.
fn went_and_came<'o, 'a>(
    old: &[&'o Assertion],
    new: &[&'a Assertion],
) -> (Vec<&'o Assertion>, Vec<&'a Assertion>) {
    let texts = |all: &[&Assertion]| all.iter().map(|one| key(&one.text)).collect::<HashSet<String>>();
    let (known, kept) = (texts(old), texts(new));
    let lost = old.iter().copied().filter(|one| !kept.contains(&key(&one.text)));
    let came = new.iter().copied().filter(|one| one.reach.counts() && !known.contains(&key(&one.text)));
    (lost.collect(), came.collect())
}

/// Whether a call is given code with statements of its own: that quotes all that is asserted there, whatever that is.
fn holds_code(text: &str) -> bool {
    ["function (", "function(", "=> {", "-> {"].iter().any(|head| text.contains(head))
}

/// Fewer words than this are found again by chance.
const SAID: usize = 2;

/// Calls that give a part or a property of a whole.
const PARTS_OF: &[&str] =
    &["len(", "list(", "set(", "sorted(", "type(", "Object.entries(", "Object.keys(", "Object.values("];

/// Whether a new assertion gives the exact value of the whole of which a lost one looked at a part.
fn is_whole_of(new: &New<'_>, lost: &Claim) -> bool {
    let claim = &new.assertion.claim;
    let exact = claim.strength >= Strength::Value && !claim.negated && claim.expected.is_some();
    let plain = !new.written.is_empty() && split(new.written).nth(1).is_none();
    let opened = PARTS_OF.iter().find_map(|call| lost.subject.strip_prefix(call));
    let subject = opened.unwrap_or(&lost.subject);
    let is_part = |subject: &str| {
        let rest = subject.strip_prefix(new.written);
        rest.is_some_and(|rest| rest.starts_with(['.', '[', ')', '-', '?']))
    };
    exact && plain && lost.strength <= claim.strength && is_part(subject)
}

/// What names stand for that are given a value once.
fn names_of(view: &View<'_>) -> HashMap<String, String> {
    let mut names: HashMap<String, String> = HashMap::new();
    let mut several = HashSet::new();
    for binding in view.bindings {
        if names.insert(binding.name.clone(), key(&binding.value)).is_some() {
            several.insert(&binding.name);
        }
    }
    names.retain(|name, _| !several.contains(name));
    names
}

/// Whether a new assertion asks of each part what a lost one asked of one: `row.count` for `rows[0].count`.
fn is_for_each(new: &New<'_>, lost: &Claim) -> bool {
    let claim = &new.assertion.claim;
    let member = |text: &str| text.rsplit('.').next().map(key);
    let expected = |claim: &Claim| claim.expected.as_deref().map(key);
    lost.subject.contains('[')
        && !claim.subject.contains('[')
        && member(&claim.subject) == member(&lost.subject)
        && claim.strength >= lost.strength
        && claim.negated == lost.negated
        && claim.expected.is_some()
        && expected(claim) == expected(lost)
}

/// Whether a new expectation of an error asks for the type and the message that a lost one asked for.
fn raises_as_much(new: &Claim, lost: &Claim) -> bool {
    let asks = |lost: &Option<String>, new: &Option<String>| {
        lost.as_deref().is_none_or(|lost| new.as_deref().is_some_and(|new| key(new) == key(lost)))
    };
    new.kind == ClaimKind::Raises
        && lost.kind == ClaimKind::Raises
        && new.negated == lost.negated
        && (lost.expected.is_some() || lost.pattern.is_some())
        && asks(&lost.expected, &new.expected)
        && asks(&lost.pattern, &new.pattern)
}

/// The failing calls of the before side, by line, whose condition stands right above them and is still there.
fn kept_above(before: &View<'_>, after: &View<'_>, old: &[&Assertion]) -> HashSet<u32> {
    let failing = || old.iter().filter(|assertion| assertion.claim.kind == ClaimKind::Failure);
    if failing().next().is_none() {
        return HashSet::new();
    }
    let kept: HashSet<String> = after.file.lines(after.span).map(|line| key(&line)).collect();
    let above = |line: u32| before.file.lines(Span { start: line - 1, end: line - 1 }).next();
    let is_kept = |line: &u32| *line > 1 && above(*line).is_some_and(|above| kept.contains(&key(&above)));
    failing().map(|assertion| assertion.line).filter(is_kept).collect()
}

/// How often each word stands in the code of a unit. What became a comment says nothing, and what is computed for nobody
/// asks for nothing.
pub fn word_counts(view: &View<'_>) -> HashMap<String, usize> {
    counts_of(view, &Callees::of(std::iter::once(view.file)))
}

fn counts_of(view: &View<'_>, callees: &Callees<'_>) -> HashMap<String, usize> {
    let comments = &view.file.facts.comments;
    let mut counts = HashMap::new();
    for (number, line) in (view.span.start..).zip(view.file.lines(view.span)) {
        let at = comments.partition_point(|comment| comment.span.end < number);
        let commented = comments.get(at).is_some_and(|comment| comment.span.start <= number);
        let code = if commented { before_comment(&line) } else { &line };
        if is_idle(code, callees) {
            continue;
        }
        for word in split(code) {
            *counts.entry(word.to_owned()).or_default() += 1;
        }
    }
    counts
}

/// The part of a line with a comment that is code.
fn before_comment(line: &str) -> &str {
    let start = ["//", "#", "/*", "\"\"\"", "* "].iter().filter_map(|mark| line.find(mark)).min();
    &line[..start.unwrap_or(0)]
}
