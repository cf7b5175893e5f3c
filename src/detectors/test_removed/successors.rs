//! Which test, if any, carries on what a lost one said.
//!
//! There is one question, and signs from the surest to the weakest. A test that does or asserts all that the lost one did takes
//! its place, and the loss is worth a note. A test that speaks of much the same may do so: somebody should look, so that is
//! worth a warning. Nothing here says that a test *was* the lost one; pairing has tried that before.

mod claims;
mod errors;
mod gathered;
mod tables;
mod words;

use super::losses::Losses;
use crate::comparison::{At, Comparison, FileComparison, FileSide};
use crate::facts::{ClaimKind, Definition, DefinitionKind, Test};
use crate::similarity::Body;
use crate::text::name_words;

/// How many tests are looked at for one that is lost.
const NEARBY: usize = 500;

/// So many lost tests are looked up; more are a matter for whoever reads the change.
const LOST: usize = 200;

/// Bodies of fewer tokens leave what they do to what is around them.
const COPIED: usize = 30;

/// A test of the same name stands in for another from so much in common on.
const OVERRIDE: f64 = 0.4;

/// What takes the place of a lost test, in words.
pub fn replacement(comparison: &Comparison, losses: &Losses, at: At) -> Option<String> {
    if let Some(copy) = kept_copy(comparison, losses, at) {
        return Some(format!("the test {copy} of its file does the very same"));
    }
    if let Some(twin) = kept_twin(comparison, at) {
        return Some(format!("a test much like it stays in {twin}, and runs for it"));
    }
    if let Some(teller) = claims::all_told_by(comparison, losses, at) {
        return Some(format!("the test {teller} asserts all that it asserted"));
    }
    if let Some(teller) = errors::told_as_value(comparison, losses, at) {
        return Some(format!("the test {teller} asserts the error that it had to fail with"));
    }
    if let Some(one) = gathered::into_one(comparison, losses, at) {
        return Some(format!("the test {one} looks at all that it and others of its file looked at"));
    }
    if let Some(table) = tables::row_of(comparison, losses, at) {
        return Some(format!("the test {table} has a new row with its values"));
    }
    if tables::is_split_up(comparison, losses, at) {
        return Some("each of its rows is a new test of its file".to_owned());
    }
    // That something fails is soon found again in any neighbour.
    if comparison.before(at).1.assertions.iter().any(|one| one.claim.kind != ClaimKind::Raises)
        && let Some(heir) = tables::grown(comparison, losses, at)
    {
        return Some(format!("the test {heir} of its file takes over its words and as many assertions"));
    }
    if let Some(double) = claims::double_of(comparison, losses, at) {
        return Some(format!("the test {double} of its file has all of its steps, values and assertions"));
    }
    let renewed = comparison.production.changed && losses.added(Some(at.file)) >= losses.gone(Some(at.file));
    let replaced = renewed && asserts_as_much(comparison, at.file) && words::has_heir(comparison, losses, at);
    replaced
        .then(|| "a new test of its file says much of what it said, and the file asserts no less".to_owned())
}

/// Whether new tests assert all that the tests of a lost file asserted.
pub fn file_is_told(comparison: &Comparison, losses: &Losses, file: usize) -> bool {
    let is_told = |at| {
        claims::all_told_by(comparison, losses, at).is_some() || claims::told_together(comparison, losses, at)
    };
    losses.of_file(file).all(is_told)
}

/// Why some test may carry on a lost one.
pub fn heritage(comparison: &Comparison, losses: &Losses, at: At) -> Option<&'static str> {
    if words::has_heir(comparison, losses, at) || words::has_namesake(comparison, losses, at) {
        return Some("a new test of its file says much of what it said");
    }
    if losses.removed.len() > LOST {
        return None;
    }
    let carries_on =
        || words::is_told(comparison, losses, at) || words::has_namesake_elsewhere(comparison, losses, at);
    if losses.asserts_no_less && carries_on() {
        return Some(CONTINUED);
    }
    let renewed = comparison.production.changed && asserts_as_much(comparison, at.file);
    if renewed && words::has_kin(comparison, losses, at) {
        return Some("code changes, and a new test of its file bears most of its name");
    }
    if claims::most_told(comparison, losses, at) {
        return Some("a new test of the change asserts most of what it asserted");
    }
    if claims::asks_the_same_anew(comparison, losses, at) {
        return Some("code changes, and a new test of its file asks the same of it");
    }
    if words::has_its_name(comparison, losses, at) {
        return Some("a new test of the change bears its name");
    }
    if comparison.production.changed && words::has_twin_beside(comparison, losses, at) {
        return Some("code changes, and a test file beside it that changes as well has a test of its name");
    }
    if words::has_relative(comparison, losses, at) {
        return Some("a new test of the change bears a part of its name");
    }
    if words::has_offspring(comparison, losses, at) {
        return Some("tests of its file that stay are named after it");
    }
    if claims::kept_together(comparison, losses, at) {
        return Some("tests of its file that stay have all of its words, values and assertions");
    }
    if is_converted(comparison, losses, at) {
        return Some("another test of its file was turned into what it was");
    }
    tables::has_changed_double(comparison, losses, at)
        .then_some("a test that was much like it is rewritten in the same change")
}

/// Tests that differ from each other in this little say the same of one thing.
const CONVERTED: f64 = 0.85;

/// Whether a kept test of the file came to be much like the lost one, and no longer says what it said.
fn is_converted(comparison: &Comparison, losses: &Losses, at: At) -> bool {
    let (_, lost) = comparison.before(at);
    let kept = losses.running(at.file).iter().take(NEARBY);
    kept.filter_map(|&(new, old)| Some((comparison.after(new).1, comparison.before(old?).1))).any(
        |(new, old)| {
            let alike = new.body.similarity(&lost.body);
            alike >= CONVERTED && alike > old.body.similarity(&lost.body)
        },
    )
}

/// The same for all tests of a lost file: it has to hold for most of them, or another file has to take its place.
pub fn heritage_of_file(comparison: &Comparison, losses: &Losses, file: usize) -> Option<&'static str> {
    let all = losses.gone(Some(file));
    let told = losses.of_file(file).filter(|&at| heritage(comparison, losses, at).is_some()).count();
    if told * 2 > all {
        return Some(CONTINUED);
    }
    if is_gathered(comparison, losses, file) {
        return Some("a file that bears the beginning of its name has a new test for each that is lost");
    }
    let replaced = is_replaced(comparison, losses, file);
    replaced.then_some("a new file of the same folder and subject has as many tests and asserts as much")
}

/// Whether a new file beside a lost one bears its name and more, has as many tests that run, and asserts as much:
/// `toc_integration_test.go` in place of `toc_test.go`.
fn is_replaced(comparison: &Comparison, losses: &Losses, file: usize) -> bool {
    let Some(lost) = &comparison.files[file].before else { return false };
    let subject = |path: &str| {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let stem = name.split('.').next().unwrap_or(name);
        (folder.to_owned(), name_words(stem))
    };
    let (folder, wanted) = subject(&lost.path);
    let asserted: usize = lost.facts.listed_tests().map(|test| test.assertions.len()).sum();
    let takes_place = |(other, sides): (usize, &FileComparison)| {
        let Some(new) = sides.after.as_ref().filter(|_| sides.before.is_none()) else { return false };
        let (beside, words) = subject(&new.path);
        let running = || losses.running(other).iter().map(|(new, _)| comparison.after(*new).1);
        beside == folder
            && wanted.is_subset(&words)
            && running().count() >= losses.gone(Some(file))
            && running().map(|test| test.assertions.len()).sum::<usize>() >= asserted
    };
    !wanted.is_empty() && comparison.files.iter().enumerate().any(takes_place)
}

/// Whether a file, wherever it stands, bears the beginning of a lost one's name and has a new test for each that is lost:
/// `Fail_fail_Test` in place of `Fail_fail_withMessage_Test` and others.
fn is_gathered(comparison: &Comparison, losses: &Losses, file: usize) -> bool {
    let stem = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        name.split('.').next().unwrap_or(name).to_owned()
    };
    let Some(lost) = &comparison.files[file].before else { return false };
    let lost = stem(&lost.path);
    let gathers = |(other, sides): (usize, &FileComparison)| {
        let Some(new) = &sides.after else { return false };
        let new = stem(&new.path);
        let subject = ["_Test", "_test", "Tests", "Test"].iter().find_map(|mark| new.strip_suffix(mark));
        subject.is_some_and(|subject| subject.len() >= SUBJECT && lost.starts_with(subject) && lost != new)
            && losses.added(Some(other)) >= losses.gone(None)
    };
    losses.asserts_no_less && comparison.files.iter().enumerate().any(gathers)
}

/// Shorter names begin many others.
const SUBJECT: usize = 6;

const CONTINUED: &str = "the change asserts no less than before, and tests of it speak of much the same";

/// Whether a file has as many assertions as before.
fn asserts_as_much(comparison: &Comparison, file: usize) -> bool {
    let count = |side: &Option<FileSide>| {
        let tests = side.iter().flat_map(|side| side.facts.listed_tests());
        tests.map(|test| test.assertions.len()).sum::<usize>()
    };
    let FileComparison { before, after, .. } = &comparison.files[file];
    count(after) >= count(before)
}

/// A test of the same file that runs and has the same body.
fn kept_copy(comparison: &Comparison, losses: &Losses, at: At) -> Option<String> {
    let (_, lost) = comparison.before(at);
    let running = losses.running(at.file).iter().take(NEARBY).map(|(new, _)| comparison.after(*new).1);
    let mut copies = running.filter(|test| test.body == lost.body && lost.body.len() >= COPIED);
    copies.next().map(Test::qualified_name)
}

/// The file of the change that keeps a function with much of the same body for the lost test's class: one of the same name,
/// which it overrode, or one of a class that its file builds on from now on.
fn kept_twin(comparison: &Comparison, at: At) -> Option<String> {
    let (before, lost) = comparison.before(at);
    let is_alike = |body: &Body| body.similarity(&lost.body) >= OVERRIDE;
    let names = comparison.files[at.file].after.as_ref().map(|after| &after.facts.names);
    let is_new_base =
        |name: &str| names.is_some_and(|names| names.contains(name)) && !before.facts.names.contains(name);
    let inherits = |side: &FileSide| {
        side.facts
            .tests
            .iter()
            .any(|other| other.suite.last().is_some_and(|suite| is_new_base(suite)) && is_alike(&other.body))
    };
    let keeps = |file: &&FileComparison| {
        let side = file.after.as_ref().filter(|side| !side.facts.language.is_empty());
        side.is_some_and(|side| has_twin(comparison, file, side, lost) || inherits(side))
    };
    let kept = comparison.files.iter().find(keeps)?;
    kept.after.as_ref().map(|side| side.path.clone())
}

/// Whether a file has a function of a lost test's name and body that runs for others: one that was there before, one in a
/// class that was, or one that another file takes over. It is no test by itself, and what merely stands there never runs.
fn has_twin(comparison: &Comparison, file: &FileComparison, side: &FileSide, lost: &Test) -> bool {
    let alike = side
        .facts
        .definitions
        .iter()
        .filter(|other| other.name == lost.name && other.body.similarity(&lost.body) >= OVERRIDE);
    let was_there = |name: &str| {
        let before = file.before.as_ref();
        before.is_some_and(|before| before.facts.definitions.iter().any(|old| old.name == name))
    };
    let is_taken_over = |name: &str| {
        let others = comparison.files.iter().filter_map(|other| other.after.as_ref());
        others
            .filter(|other| other.path != side.path && other.facts.language == side.facts.language)
            .any(|other| other.facts.names.contains(name))
    };
    let types = side.facts.definitions.iter().filter(|one| one.kind == DefinitionKind::Type);
    alike.into_iter().any(|twin| {
        let holds = |one: &&Definition| one.span.start <= twin.span.start && twin.span.end <= one.span.end;
        let around = types.clone().find(holds).map_or(twin.name.as_str(), |one| one.name.as_str());
        was_there(&twin.name) || was_there(around) || is_taken_over(around)
    })
}
