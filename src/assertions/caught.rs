//! Errors that a test expected and now catches by itself: without a failure where none comes, nothing is expected any more.

use super::unit::View;
use crate::facts::{Claim, ClaimKind};

/// How handlers begin.
const HANDLERS: &[&str] = &["except ", "except:", "} catch", "catch (", "catch(", "} catch{"];

/// What fails a test where no error came, or counts the assertions that have to run.
const INSISTS: &[&str] = &[
    "fail(",
    "fail!(",
    "panic!(",
    "unreachable",
    "expect.assertions(",
    "expect.hasAssertions(",
    ".plan(",
    "assert False",
    "assert 0",
    "raise AssertionError",
    "throw new Error(",
    "throw new AssertionError(",
    "toBe(true)",
    "assertTrue(thrown",
    "assertTrue(caught",
];

/// What a test does about errors on its after side, where it has handlers that it had not before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Catches {
    /// As it did before.
    NoMore,
    /// In new handlers, and it fails where no error comes.
    AndInsists,
    /// In new handlers, and nothing is said of what must come.
    Whatever,
}

impl Catches {
    pub fn of(before: &View<'_>, after: &View<'_>) -> Self {
        let count = |view: &View<'_>| view.file.lines(view.span).filter(|line| handles(line.trim())).count();
        let insists = |view: &View<'_>| {
            let lines = view.file.lines(view.span);
            lines.filter(|line| INSISTS.iter().any(|word| line.contains(word))).count()
        };
        match () {
            () if count(after) <= count(before) => Self::NoMore,
            () if insists(after) > 0 => Self::AndInsists,
            () => Self::Whatever,
        }
    }
}

/// Whether a line begins a handler, or ends a step in one: `await load(0).catch(() => {})`. Who keeps what comes out of that
/// may well look at it.
fn handles(line: &str) -> bool {
    let is_dropped = |at: usize| at > 0 && !line[..at].contains('=') && !line.starts_with("return");
    HANDLERS.iter().any(|head| line.starts_with(head)) || line.find(".catch(").is_some_and(is_dropped)
}

/// Whether a claim is that an error comes.
pub fn expects_error(claim: &Claim) -> bool {
    claim.kind == ClaimKind::Raises && !claim.negated
}
