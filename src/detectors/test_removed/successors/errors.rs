//! Lost tests that had to fail as a whole, and new ones that hold the same error as a value: `#[should_panic(expected =
//! "empty")]` and `assert_eq!(total([]), Err(Empty("empty")))`.

use super::claims::{share_of, values_of};
use crate::comparison::{At, Comparison, FileSide};
use crate::detectors::test_removed::losses::Losses;
use crate::facts::{Assertion, ClaimKind, Strength, Test};

/// Shorter messages stand in many texts.
const MESSAGE: usize = 3;
/// So many words of a lost test the new one needs: the call under test is among them.
const SHARED: f64 = 0.3;
/// More tests are not compared.
const LOOKED_AT: usize = 200;

/// The new test of the file that asserts the error which a lost one failed with, of the same input.
pub fn told_as_value(comparison: &Comparison, losses: &Losses, at: At) -> Option<String> {
    let (side, lost) = comparison.before(at);
    let whole = |one: &&Assertion| {
        one.claim.kind == ClaimKind::Raises && !one.claim.negated && one.claim.subject.is_empty()
    };
    let failure = lost.assertions.iter().find(whole).filter(|_| losses.removed.len() <= LOOKED_AT)?;
    let message = failure.claim.pattern.as_deref().or(failure.claim.expected.as_deref())?;
    let message = message.trim_matches(['"', '\'', '`']);
    if message.len() < MESSAGE {
        return None;
    }
    let given = values_of(&text_of(side, lost));
    let says = |one: &Assertion| {
        one.reach.counts() && one.claim.strength >= Strength::Value && one.text.contains(message)
    };
    let tells = |new: &&At| {
        let (side, test) = comparison.after(**new);
        let alike = new.file == at.file && !test.is_skipped() && share_of(lost, test) >= SHARED;
        alike && test.assertions.iter().any(says) && {
            let text = text_of(side, test);
            given.iter().all(|value| text.contains(value.as_str()))
        }
    };
    let found = comparison.pairing.added.iter().take(LOOKED_AT).find(tells)?;
    Some(comparison.after(*found).1.qualified_name())
}

fn text_of(side: &FileSide, test: &Test) -> String {
    side.lines(test.span).collect::<Vec<_>>().join("\n")
}
