//! Which test, if any, carries on what a lost one said.
//!
//! There is one question, and signs from the surest to the weakest. A test that does or asserts all that the lost one did takes
//! its place, and the loss is worth a note. A test that speaks of much the same may do so: somebody should look, so that is
//! worth a warning. Nothing here says that a test *was* the lost one; pairing has tried that before.

mod claims;
mod words;

use super::losses::Losses;
use crate::comparison::{At, Comparison, FileComparison, FileSide};
use crate::facts::Test;
use crate::similarity::Body;

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
    if let Some(twin) = kept_twin(comparison, comparison.before(at).1) {
        return Some(format!("a test of this name, and much like it, stays in {twin}"));
    }
    if let Some(teller) = claims::all_told_by(comparison, losses, at) {
        return Some(format!("the test {teller} asserts all that it asserted"));
    }
    let renewed = comparison.production.changed && losses.added(Some(at.file)) >= losses.gone(Some(at.file));
    let replaced = renewed && asserts_as_much(comparison, at.file) && words::has_heir(comparison, losses, at);
    replaced
        .then(|| "a new test of its file says much of what it said, and the file asserts no less".to_owned())
}

/// Whether new tests assert all that the tests of a lost file asserted.
pub fn file_is_told(comparison: &Comparison, losses: &Losses, file: usize) -> bool {
    losses.of_file(file).all(|at| claims::all_told_by(comparison, losses, at).is_some())
}

/// Why some test may carry on a lost one.
pub fn heritage(comparison: &Comparison, losses: &Losses, at: At) -> Option<&'static str> {
    if words::has_heir(comparison, losses, at) || words::has_namesake(comparison, losses, at) {
        return Some("a new test of its file says much of what it said");
    }
    let few = losses.removed.len() <= LOST;
    (few && losses.asserts_no_less && words::is_told(comparison, losses, at)).then_some(CONTINUED)
}

/// The same for all tests of a lost file: it has to hold for most of them.
pub fn heritage_of_file(comparison: &Comparison, losses: &Losses, file: usize) -> Option<&'static str> {
    let all = losses.gone(Some(file));
    let told = losses.of_file(file).filter(|&at| heritage(comparison, losses, at).is_some()).count();
    (told * 2 > all).then_some(CONTINUED)
}

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

/// The file of the change that keeps a function of the same name with much of the same body: what it overrode.
fn kept_twin(comparison: &Comparison, test: &Test) -> Option<String> {
    let is_twin = |name: &str, body: &Body| name == test.name && body.similarity(&test.body) >= OVERRIDE;
    // The one it overrode is no test by itself: it stands in a class that others derive from.
    let has_twin =
        |side: &&FileSide| side.facts.definitions.iter().any(|other| is_twin(&other.name, &other.body));
    let sides = comparison.files.iter().filter_map(|file| file.after.as_ref());
    sides.filter(|side| !side.facts.language.is_empty()).find(has_twin).map(|side| side.path.clone())
}
