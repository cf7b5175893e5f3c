//! What the author of a commit says that it does, as far as the first line of its message tells.
//!
//! Words prove nothing by themselves: they tell what a change is about that can be read either way. What counts is what
//! somebody says to have done, so a word has to stand where the deed stands: `Skip the flaky test`, not `Fix skipping`.
//! Pure; git and the hooks bring the message.

mod lexicon;
mod words;

use lexicon::{
    AFTER_OBJECT, BESIDE, CHECKS, COVERAGE, ERRORS, FOR_NOW, HIDES, IS_SOMETHING, LEADING, LEAVES_OUT, LESS,
    LOWERS, MANNERS, MARKED_AS, MARKS, NO_LONGER_CHECKS, NO_LONGER_FAILS, NO_LONGER_RUNS, OF_OTHERS,
    PROVISIONAL, REMOVES, SHIPS, TESTS, WAITING,
};
use words::{Word, begins_with, has_phrase, read};

/// What a message says about the change that it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Intent {
    /// The first line, as it was written.
    pub subject: String,
    /// What is left out from now on, where the message says that something is.
    pub leaves_out: Option<Object>,
    /// What less is asked of than before: `Relax the expected message`.
    pub asks_less_of: Option<Object>,
    /// Whether it is meant for a while only.
    pub is_provisional: bool,
}

/// What a deed is done to, in the order in which one counts where a message names several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Object {
    Tests,
    Coverage,
    /// Linters, jobs and steps of a build server, hooks.
    Checks,
    /// That something fails, be it a program or a step of a build.
    Failures,
    /// Errors and exceptions of the program.
    Errors,
    /// The message does not say: `Skip on Windows`.
    Unnamed,
    Other,
}

impl Intent {
    /// Reads the first line of a message. Of a commit that takes another one back it says what that one did.
    pub fn of(message: &str) -> Option<Self> {
        let subject = message.lines().map(str::trim).find(|line| !line.is_empty())?;
        let words = read(subject);
        if words.first().is_none_or(|first| first.text.starts_with("revert")) {
            return None;
        }
        let clauses: Vec<&[Word]> = words.chunk_by(|_, next| !next.begins).collect();
        let left_out = clauses.iter().filter_map(|clause| left_out(clause)).min();
        // What is tested by nobody, such as the tests themselves, need not be counted: `exclude tests from coverage`.
        let counts_less = words.iter().any(|word| word.is_one_of(COVERAGE));
        let is_uncounted = |object: &Object| counts_less && matches!(object, Object::Tests | Object::Checks);
        Some(Self {
            subject: subject.to_owned(),
            leaves_out: left_out.map(|object| if is_uncounted(&object) { Object::Other } else { object }),
            asks_less_of: clauses.iter().filter_map(|clause| asked_less_of(clause)).min(),
            is_provisional: has_phrase(&words, PROVISIONAL),
        })
    }

    /// Whether it says something that could be found in a change.
    pub fn is_telling(&self) -> bool {
        self.leaves_out.is_some() || self.asks_less_of.is_some()
    }
}

/// What a clause says to leave out: `temporarily disable the flaky test on CI`.
fn left_out(clause: &[Word]) -> Option<Object> {
    let leads = |word: &&Word| LEADING.split('|').any(|leading| word.text == leading);
    let leading = clause.iter().take_while(leads).count();
    let clause = &clause[leading..];
    if let Some(deed) = begins_with(clause, NO_LONGER_RUNS) {
        return Some(object(&clause[deed..]).min(Object::Unnamed));
    }
    if begins_with(clause, NO_LONGER_FAILS).is_some() {
        return Some(Object::Failures);
    }
    if begins_with(clause, NO_LONGER_CHECKS).is_some() {
        return Some(Object::Checks);
    }
    if begins_with(clause, MARKS).is_some() && has_phrase(clause, MARKED_AS) {
        return Some(Object::Tests);
    }
    if begins_with(clause, LOWERS).is_some() && object(&clause[1..]) == Object::Coverage {
        return Some(Object::Coverage);
    }
    if let Some(deed) = begins_with(clause, HIDES) {
        return Some(object(&clause[deed..])).filter(|object| *object == Object::Errors);
    }
    if begins_with(clause, REMOVES).is_some() && (leading > 0 || has_phrase(clause, FOR_NOW)) {
        return Some(Object::Other);
    }
    let deed = begins_with(clause, LEAVES_OUT)?;
    let is_name = begins_with(&clause[deed..], IS_SOMETHING).is_some();
    (!is_name).then(|| object(&clause[deed..]))
}

/// Whether a line says that something is meant for a while only.
pub fn has_provisional(line: &str) -> bool {
    has_phrase(&read(line), PROVISIONAL)
}

/// Whether a line names something that a build makes for people, beside its checks.
pub fn speaks_of_shipping(line: &str) -> bool {
    read(line).iter().any(|word| word.is_one_of(SHIPS))
}

/// What the words after a deed name, up to where they begin to say when and why.
fn object(words: &[Word]) -> Object {
    let is_end = |word: &Word| AFTER_OBJECT.split('|').any(|end| word.text == end);
    let end = words.iter().position(is_end).unwrap_or(words.len());
    let (named, rest) = words.split_at(end);
    let is_one_of = |list: &str| named.iter().any(|word| word.is_one_of(list));
    let is_beside = || head(named).is_some_and(|head| head.is_one_of(BESIDE)) || is_one_of(MANNERS);
    if named.is_empty() {
        Object::Unnamed
    } else if is_beside() || has_phrase(words, OF_OTHERS) {
        Object::Other
    } else if is_one_of(COVERAGE) {
        Object::Coverage
    } else if is_one_of(CHECKS) {
        Object::Checks
    } else if is_one_of(TESTS) {
        Object::Tests
    } else if rest.iter().any(|word| word.is_one_of(COVERAGE)) {
        Object::Coverage
    } else if names_errors(named) {
        Object::Errors
    } else {
        Object::Other
    }
}

/// What is named, of all that belongs to the name: `annotations of the lint job`.
fn head(named: &[Word]) -> Option<&Word> {
    named.split(|word| word.text == "of").next()?.last()
}

/// Whether errors are named, and not something of theirs: `exceptions`, `exceptions raised`, but no `exception cause`.
fn names_errors(named: &[Word]) -> bool {
    let is_told_of =
        |next: Option<&Word>| next.is_none_or(|next| next.text.ends_with("ed") || next.text == "thrown");
    (0..named.len()).any(|at| named[at].is_one_of(ERRORS) && is_told_of(named.get(at + 1)))
}

/// What a clause says to be less strict about; it may be named before the deed.
fn asked_less_of(clause: &[Word]) -> Option<Object> {
    let asks = has_phrase(clause, LESS) && !has_phrase(clause, WAITING);
    let object = if clause.iter().any(|word| word.is_one_of(TESTS)) { Object::Tests } else { Object::Other };
    asks.then_some(object)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left_out(message: &str) -> Option<Object> {
        Intent::of(message).and_then(|intent| intent.leaves_out)
    }

    #[test]
    fn tests_that_are_left_out_are_named_behind_the_deed() {
        for message in [
            "Skip flaky test on CI",
            "test: skip the symlink test on windows, it needs rights",
            "Refs #12 -- Temporarily disabled test_total.",
            "Disable ArchUnitTests on JDK 24 and later",
            "o Disabled IT (support was dropped)",
            "Mark test_total as xfail",
            "Update the parser and skip two tests",
        ] {
            assert_eq!(left_out(message), Some(Object::Tests), "{message}");
        }
    }

    #[test]
    fn other_objects_are_told_apart() {
        assert_eq!(left_out("Skip on Windows"), Some(Object::Unnamed));
        assert_eq!(left_out("functional: do not run SIGQUIT for now"), Some(Object::Unnamed));
        assert_eq!(left_out("Disable JaCoCo on Java 16+"), Some(Object::Coverage));
        assert_eq!(left_out("Lower the coverage threshold"), Some(Object::Coverage));
        assert_eq!(left_out("ci: disable the lint job"), Some(Object::Checks));
        assert_eq!(left_out("Suppress exceptions raised by toString"), Some(Object::Errors));
        assert_eq!(left_out("Suppress the exception cause"), None);
        assert_eq!(left_out("Disable rendering to memory"), Some(Object::Other));
        assert_eq!(left_out("Disable debugging output during test"), Some(Object::Other));
    }

    #[test]
    fn a_word_that_is_no_deed_says_nothing() {
        for message in [
            "Fix skipping of tests",
            "Allow disabling tests",
            "Remove xfail from a test that passes",
            "Revert \"Skip flaky test\"",
            "Bump version [skip ci]",
            "Un-skip the tests",
            "Add a flag to skip tests",
            "Fix a bug where # fmt: skip is not respected in tests",
            "",
        ] {
            assert_eq!(left_out(message), None, "{message}");
        }
    }

    #[test]
    fn less_is_asked_for_in_many_words() {
        let asked = |message: &str| Intent::of(message).and_then(|intent| intent.asks_less_of);
        assert_eq!(asked("Relaxed the expected message"), Some(Object::Other));
        assert_eq!(asked("be less strict in test case"), Some(Object::Tests));
        assert_eq!(asked("More leniency for Java 17"), Some(Object::Other));
        assert_eq!(asked("Relax test timeouts"), None);
        assert_eq!(asked("Fix the relaxation"), None);
    }

    #[test]
    fn what_holds_for_a_while_is_provisional() {
        assert!(Intent::of("Disable search for now").is_some_and(|intent| intent.is_provisional));
        assert!(!Intent::of("Disable search").is_some_and(|intent| intent.is_provisional));
    }
}
