//! # test-removed (LP-001)
//!
//! A test that existed before the change is gone: its whole file was deleted, or it was taken out of a file that
//! stays.
//!
//! Severity: critical for a whole file and for more than ten tests at once, high otherwise.
//!
//! ## Why it matters
//!
//! Deleting the test is the shortest way from red to green. The behaviour it guarded can break from now on
//! without anybody noticing.
//!
//! ## Example
//!
//! ```python
//! # before                                  # after
//! def test_total_includes_tax():            (gone)
//!     assert cart.total(tax=0.2) == 12
//! ```
//!
//! ## What is not reported
//!
//! - a test that moved to another file or suite, or was renamed
//! - a test whose content went into a parameter table, a loop, or several new tests
//! - a test that another one repeats, or that bears the very name of another one in the same place
//!
//! Only a test that runs can stand in for one that ran: one that moved to a file in which no runner looks for tests, and that
//! no other file takes up there, is gone. A subject that was merely renamed has not left the code.
//!
//! Logged only, with the reason: a test whose subject, or a rare number of it, leaves the production code in the same change,
//! with the suite that goes as a whole where code is only taken away, a test that was skipped already, a test without a body or with nothing to fail on, a test that goes while its file gets many more,
//! a test that uses what had left the code before, one of which another test of the file has all steps, values and
//! assertions, an override of a test that the change keeps elsewhere, a test that its class inherits from now on, a test all of whose
//! assertions stand in another one, a test that another one takes over while code changes and its file asserts no less, a test
//! whose values become a row of a table or a part of its neighbour, one whose set-up, field or file name is about what goes, one
//! that stands elsewhere in the repository under its name, and one that quotes a message which an earlier commit took out of
//! the code.
//!
//! Warned about: a test that goes while the change does little but take production code away, or takes away lines of what it
//! is about and puts nothing in their place, while a new test of its file
//! says much the same or bears most of its name, while the change asserts no less than before and a test of it, wherever it
//! stands, speaks of much the same or bears its name, while a new test asserts most of what it asserted, while another test
//! is turned into what it was, while a file of the same subject takes the place of its own, while a message that it quotes
//! leaves the code, while code is reworked and new tests come, or while code and tests go back to what they were, be it in two
//! steps; one that goes with its whole module, that tests what only helps tests, that passes what the code now refuses, that is
//! named after code which no longer uses its subject or which stays while another name that it uses goes, or that uses an
//! option or a name which an earlier commit took away; one of whose name a new test has a part, after which tests of its file
//! are named, or nearly all lines of which stand in another test file; a function that tests, though only a list or another test names it; and rows of a table, or values that tests
//! are made of, that go while the test and the code stay as they are.
//!
//! ## What to do
//!
//! Put the test back and make the code pass it. If the behaviour is meant to go, remove the code and its test in
//! one commit. If the test was wrong, replace it with one that checks the right thing.

mod cases_dropped;
mod circumstances;
pub mod listed_tests;
mod losses;
mod successors;

use super::edits;
use super::evidence;
use crate::collections::{HashMap, HashSet};
use circumstances::circumstance;

use super::messages::{removed_message, removed_number};
use super::relation::{self, About};
use super::report::{Draft, excerpt, restore, show_before, symbol};
use super::table;
use crate::comparison::{At, Comparison, FileSide};
use crate::facts::{Level, Test};
use crate::finding::{Finding, FindingType, RuleId, Severity, Side};
use crate::pairing::Fate;
use crate::paths::{PathClass, is_source};
use crate::text::plural;
use losses::Losses;

pub const ID: RuleId = table::id("test-removed", "LP-001", FindingType::TestDeletion);

/// More removed tests than this in one change are critical.
const MANY: usize = 10;

/// So many new tests for each removed one speak for a rework.
const REWRITE: usize = 4;

/// So many where code is reworked as well.
const REWORK: usize = 2;

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let losses = Losses::of(comparison, removed_tests(comparison));
    let files = losses.whole_files(comparison);
    let single = losses.removed.iter().filter(|at| files.binary_search(&at.file).is_err());
    let mut explained: Vec<(At, Option<String>)> = single.map(|&at| (at, reason(comparison, at))).collect();
    share_reasons(comparison, &mut explained);
    let many = explained.iter().filter(|(_, reason)| reason.is_none()).count() > MANY;
    let of_files = files.into_iter().filter_map(|file| {
        let finding = file_finding(comparison, &losses, file)?;
        Some(doubted(comparison, &losses, file, None, finding))
    });
    let of_tests = explained.into_iter().map(|(at, reason)| {
        let reason = reason.or_else(|| rework(comparison, &losses, at));
        doubted(comparison, &losses, at.file, Some(at), test_finding(comparison, at, reason, many))
    });
    let mut listed = listed_tests::removed(comparison);
    listed.extend(edits::detect(comparison, edits::Part::Removed));
    of_files.chain(of_tests).chain(cases_dropped::detect(comparison)).chain(listed).collect()
}

/// Where code is only taken away, and a suite goes with the test of what goes, its other tests were about that too.
fn share_reasons(comparison: &Comparison, explained: &mut [(At, Option<String>)]) {
    if !comparison.production.only_shrinks {
        return;
    }
    let suite = |at: At| (at.file, comparison.before(at).1.suite.clone());
    let is_kept = |(file, suite): &(usize, Vec<String>)| {
        let after = comparison.files[*file].after.as_ref();
        after.is_none_or(|after| after.facts.tests.iter().any(|test| test.suite.starts_with(suite)))
    };
    let mut reasons: HashMap<(usize, Vec<String>), (usize, Vec<String>)> = HashMap::new();
    for (at, reason) in explained.iter() {
        let (all, found) = reasons.entry(suite(*at)).or_default();
        *all += 1;
        found.extend(reason.clone());
    }
    reasons.retain(|suite, (all, found)| !suite.1.is_empty() && 2 * found.len() >= *all && !is_kept(suite));
    for (at, reason) in explained.iter_mut().filter(|(_, reason)| reason.is_none()) {
        let shared = reasons.get(&suite(*at)).and_then(|(_, found)| found.first());
        *reason =
            shared.map(|shared| format!("of another test of its suite, which goes as a whole: {shared}"));
    }
}

/// Whether a function of the same name is still there: of two in one place only one could ever run.
fn has_same_id(comparison: &Comparison, at: At) -> bool {
    let (side, lost) = comparison.before(at);
    let is_function = lost.name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let same = |test: &&Test| test.name == lost.name && test.suite == lost.suite;
    let runs_always = lost.conditions.is_empty() && lost.skip.is_none();
    let twice = side.facts.tests.iter().filter(same).count() > 1;
    let after = comparison.files[at.file].after.as_ref();
    is_function
        && twice
        && runs_always
        && after.is_some_and(|after| after.facts.tests.iter().any(|test| same(&test)))
}

/// Tests that are gone; parts of a test that is gone itself are not counted again.
fn removed_tests(comparison: &Comparison) -> Vec<At> {
    let gone = comparison.pairing.fates.iter().filter(|(_, fate)| *fate == Fate::Removed).map(|(at, _)| *at);
    let all: Vec<At> = gone.filter(|at| !has_same_id(comparison, *at)).collect();
    let parents: HashSet<String> =
        all.iter().map(|&at| comparison.before(at)).map(|(file, test)| symbol(file, test)).collect();
    let is_part = |at: &At| {
        let (file, test) = comparison.before(*at);
        test.level == Level::Subtest && parents.contains(&format!("{}::{}", file.path, test.suite.join("::")))
    };
    all.iter().copied().filter(|at| !is_part(at)).collect()
}

fn file_finding(comparison: &Comparison, losses: &Losses, file: usize) -> Option<Finding> {
    let side = comparison.files[file].before.as_ref()?;
    let tests: Vec<&Test> = side.facts.listed_tests().collect();
    let first = tests.first()?;
    let draft = Draft {
        rule: ID,
        severity: Severity::Critical,
        confidence: confidence(comparison),
        message: format!("{} was deleted with {}", side.path, plural(tests.len(), "test")),
        help: format!("bring it back: {}", restore(comparison, side)),
    };
    let mut finding = draft.on(Side::Before, side, first.line, side.path.clone());
    finding.before = excerpt(side, first.span, first.line, "the first of the deleted tests");
    if let Some(reason) = could_not_load(side) {
        finding.lower(Severity::Low, reason);
    } else if let Some(reason) = reason_for_file(comparison, side, &tests) {
        finding.lower(Severity::Low, format!("of its first explained test: {reason}"));
    } else if successors::file_is_told(comparison, losses, file) {
        finding.lower(Severity::Low, "new tests of the change assert all that its tests asserted");
    }
    note_production(comparison, &mut finding);
    Some(finding)
}

/// Why nothing in a file can have run before the change.
fn could_not_load(side: &FileSide) -> Option<String> {
    let module = side.facts.surroundings.as_ref()?.missing.first()?;
    Some(format!("it loads `{module}`, which was not there before the change either"))
}

/// Why a whole file may go: what most of the tests that checked something were about goes too.
fn reason_for_file(comparison: &Comparison, side: &FileSide, tests: &[&Test]) -> Option<String> {
    let idle: Vec<Option<String>> = tests.iter().map(|test| evidence::checked_nothing(test)).collect();
    let checking = || tests.iter().zip(&idle).filter(|(_, idle)| idle.is_none()).map(|(test, _)| *test);
    let reasons: Vec<String> =
        checking().filter_map(|test| evidence::without_subject(comparison, side, test)).collect();
    let enough = 2 * reasons.len() >= checking().count();
    reasons.into_iter().chain(idle.into_iter().flatten()).next().filter(|_| enough)
}

/// Why single tests may go although what they are about stays.
fn rework(comparison: &Comparison, losses: &Losses, at: At) -> Option<String> {
    let many = |file| losses.added(file) >= REWRITE * losses.gone(file);
    if many(Some(at.file)) || comparison.production.changed && many(None) {
        return Some("the change adds many more tests than it removes".to_owned());
    }
    if losses.removed.len() <= QUOTING
        && let Some(number) = number(comparison, at)
    {
        return Some(format!(
            "`{number}`, which it uses, is removed from the production code in the same change"
        ));
    }
    // With a message of a check goes the check; what was deprecated goes for good.
    let outdated = || losses.removed.len() <= QUOTING && quotes_deprecation(comparison, at);
    if comparison.production.only_shrinks && outdated() {
        return Some(
            "code is taken away, and with it the words that call it deprecated, which it quotes".to_owned(),
        );
    }
    successors::replacement(comparison, losses, at)
}

fn number(comparison: &Comparison, at: At) -> Option<String> {
    let (side, test) = comparison.before(at);
    removed_number(comparison, side, test)
}

fn doubted(
    comparison: &Comparison,
    losses: &Losses,
    file: usize,
    at: Option<At>,
    mut finding: Finding,
) -> Finding {
    if let Some(doubt) = doubt(comparison, losses, file, at) {
        finding.lower(Severity::Medium, doubt);
    }
    finding
}

/// What speaks for a loss without explaining it: a warning is enough then.
fn doubt(comparison: &Comparison, losses: &Losses, file: usize, at: Option<At>) -> Option<&'static str> {
    if comparison.production.only_shrinks {
        return Some("the change does little to the production code but take parts of it away");
    }
    if at.is_some_and(|at| loses_subject(comparison, at)) {
        return Some("the production code that it is about loses lines in the same change, and none come");
    }
    let heritage = match at {
        Some(at) => successors::heritage(comparison, losses, at),
        None => successors::heritage_of_file(comparison, losses, file),
    };
    if heritage.is_some() {
        return heritage;
    }
    if losses.removed.len() <= QUOTING && at.is_some_and(|at| quotes_removed(comparison, at)) {
        return Some("a message that it quotes leaves the production code in the same change");
    }
    if at.is_some_and(|at| is_repeated(comparison, at)) {
        return Some("its package has another test of this name");
    }
    if is_about_what_stays(comparison, file, at) {
        return Some("a name that it uses leaves the code, but what it is named after stays");
    }
    if let Some(circumstance) = circumstance(comparison, file, at) {
        return Some(circumstance);
    }
    if is_rewritten_elsewhere(comparison, file) {
        return Some("a test file of the same name comes in a language that cannot be read here");
    }
    if is_about_missing(comparison, at, file) {
        return Some("it is about a module that was not there before the change either");
    }
    let (gone, new) = losses.cases(comparison, file);
    if comparison.production.changed && new >= REWRITE * gone {
        return Some("code changes, and new tests of its file run through many more cases");
    }
    let reworked = comparison.production.changed && losses.new.len() >= REWORK * losses.gone(None);
    reworked.then_some("production code is reworked, and new tests come with it")
}

fn loses_subject(comparison: &Comparison, at: At) -> bool {
    let (side, test) = comparison.before(at);
    relation::loses_subject(comparison, About { side, test: Some(test), text: "" })
}

/// Of so many lost tests each is asked what it quotes: that takes reading all of the code.
const QUOTING: usize = 50;

fn quotes_removed(comparison: &Comparison, at: At) -> bool {
    let (side, test) = comparison.before(at);
    removed_message(comparison, side, test).is_some()
}

fn quotes_deprecation(comparison: &Comparison, at: At) -> bool {
    let (side, test) = comparison.before(at);
    removed_message(comparison, side, test).is_some_and(|message| message.to_lowercase().contains("deprecat"))
}

fn is_about_what_stays(comparison: &Comparison, file: usize, at: Option<At>) -> bool {
    let Some(side) = comparison.files[file].before.as_ref() else { return false };
    let is_one = |test: &Test| evidence::is_about_another(comparison, side, test);
    match at {
        Some(at) => is_one(comparison.before(at).1),
        None => side.facts.listed_tests().any(is_one),
    }
}

fn is_repeated(comparison: &Comparison, at: At) -> bool {
    let (side, lost) = comparison.before(at);
    let around = side.facts.surroundings.as_ref();
    around.is_some_and(|around| around.repeated.iter().any(|other| other.name == lost.name))
}

/// Whether the lost tests are named after a module that another lost file failed to load.
fn is_about_missing(comparison: &Comparison, at: Option<At>, file: usize) -> bool {
    let subjects = &comparison.shared(|| Missing::of(comparison)).0;
    if subjects.is_empty() {
        return false;
    }
    let is_named = |test: &Test| {
        let name = test.qualified_name().to_lowercase();
        subjects.iter().any(|subject| name.contains(subject.as_str()))
    };
    match at {
        Some(at) => is_named(comparison.before(at).1),
        None => {
            comparison.files[file].before.as_ref().is_some_and(|side| side.facts.listed_tests().all(is_named))
        }
    }
}

/// The names of the modules that lost files failed to load, in lower case.
struct Missing(Vec<String>);

impl Missing {
    fn of(comparison: &Comparison) -> Self {
        let sides = comparison.files.iter().filter_map(|file| file.before.as_ref());
        let around = sides.filter_map(|side| side.facts.surroundings.as_deref());
        let missing = around.flat_map(|around| &around.missing);
        let subjects = missing.map(|module| module.rsplit(['/', '.']).next().unwrap_or(module));
        Self(subjects.filter(|name| name.len() >= SUBJECT).map(str::to_lowercase).collect())
    }
}

/// Shorter names of modules say little.
const SUBJECT: usize = 4;

/// Whether a test file of the same name, up to its extension, is new and in a language that no pack reads.
fn is_rewritten_elsewhere(comparison: &Comparison, file: usize) -> bool {
    let Some(before) = comparison.files[file].before.as_ref() else { return false };
    comparison.shared(|| NewUnread::of(comparison)).0.contains(bare_name(&before.path))
}

/// The names of new test files that no pack reads, without their extensions.
struct NewUnread(HashSet<String>);

impl NewUnread {
    fn of(comparison: &Comparison) -> Self {
        let new =
            comparison.files.iter().filter(|file| file.before.is_none() && file.class == PathClass::Test);
        let unread = new
            .filter_map(|file| file.after.as_ref())
            .filter(|after| after.facts.language.is_empty() && is_source(&after.path));
        Self(unread.map(|after| bare_name(&after.path).to_owned()).collect())
    }
}

fn bare_name(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

fn reason(comparison: &Comparison, at: At) -> Option<String> {
    let (side, test) = comparison.before(at);
    evidence::for_removal(comparison, side, test)
}

fn test_finding(comparison: &Comparison, at: At, reason: Option<String>, many: bool) -> Finding {
    let (side, test) = comparison.before(at);
    let draft = Draft {
        rule: ID,
        severity: if many { Severity::Critical } else { Severity::High },
        confidence: confidence(comparison),
        message: format!("the test {} was removed", test.qualified_name()),
        help: help(comparison, side, test, comparison.files[at.file].after.is_none()),
    };
    let mut finding = draft.on_test(Side::Before, side, test);
    finding.before = excerpt(side, test.span, test.line, "this test is gone");
    match reason {
        Some(reason) => finding.lower(Severity::Low, reason),
        None => note_production(comparison, &mut finding),
    }
    finding
}

fn help(comparison: &Comparison, side: &FileSide, test: &Test, file_gone: bool) -> String {
    if file_gone {
        return format!("bring its file back: {}", restore(comparison, side));
    }
    format!("put it back; this prints it: {}", show_before(comparison, side, test.span))
}

fn note_production(comparison: &Comparison, finding: &mut Finding) {
    if !comparison.production.changed && !finding.lowered {
        finding.evidence.push("no production code changes with it".to_owned());
    }
}

fn confidence(comparison: &Comparison) -> f64 {
    if comparison.production.changed { 0.88 } else { 0.95 }
}
