//! # mocked-away (LP-014)
//!
//! A test that exercised real code now mostly exercises stand-ins: they outnumber its assertions three to one, and fewer
//! than two assertions look at anything real. Or it replaces the very thing that it checks: a patch, a mocked module, a
//! function of the same name in the test's own file, a stand-in that gets the name, or is called in its place.
//!
//! Severity: high where what is checked is itself replaced (medium where production code changes with it); else medium.
//!
//! ## Why it matters
//!
//! Stand-ins do what the test tells them. A test made of them passes whatever the real code does.
//!
//! ## Example
//!
//! ```python
//! # before                                  # after
//! order = place(cart)                       cart, mail, db = Mock(), Mock(), Mock()
//! assert order.total == 12                  place(cart, mail, db)
//! assert order.lines == 3                   mail.send.assert_called()
//! ```
//!
//! ## What is not reported
//!
//! - a test that had as many stand-ins before
//! - stand-ins in a test that keeps two or more assertions on real values
//! - spies that let the real code run
//! - new tests
//!
//! ## What to do
//!
//! Use the real thing where it is cheap, and assert what comes out of it.

mod replaced;

use super::report::{Draft, excerpt};
use super::table;
use crate::assertions::{Place, View};
use crate::comparison::{At, Comparison};
use crate::facts::{ClaimKind, Test};
use crate::finding::{Finding, FindingType, RuleId, Severity, Side};
use crate::pairing::Fate;
use crate::text::plural;

pub const ID: RuleId = table::id("mocked-away", "LP-014", FindingType::AssertionWeakening);

/// So many stand-ins for each assertion are too many.
const RATIO: usize = 3;
/// A test with as many assertions on real values does check something.
const REAL: usize = 2;

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let kept = comparison.pairing.fates.iter().filter_map(|(before, fate)| match fate {
        Fate::Same { after, .. } => Some((*before, *after)),
        _ => None,
    });
    let mut replacing = replaced::Replacing::new(comparison);
    kept.filter_map(|(before, after)| {
        replacing.finding(before, after).or_else(|| finding(comparison, before, after))
    })
    .collect()
}

fn finding(comparison: &Comparison, before: At, after: At) -> Option<Finding> {
    let (old_side, old) = comparison.before(before);
    let (side, new) = comparison.after(after);
    let line = new.doubles.first()?.line;
    if !is_mocked_away(new)
        || is_mocked_away(old)
        || old.doubles.len() >= new.doubles.len()
        || real(old) <= real(new)
    {
        return None;
    }
    let view = View::after(comparison, Place::Test(after))?;
    let draft = Draft {
        rule: ID,
        severity: Severity::Medium,
        confidence: 0.8,
        message: format!(
            "the test {} is now made of {} with {}",
            view.name,
            plural(new.doubles.len(), "stand-in"),
            plural(real(new), "real assertion")
        ),
        help: "assert what the real code gives; use the real thing where it is cheap".to_owned(),
    };
    let mut finding = draft.on_test(Side::After, side, new);
    finding.before = excerpt(old_side, old.span, old.line, "this exercised the code");
    finding.after = excerpt(side, new.span, line, "the first of the stand-ins");
    Some(finding)
}

fn is_mocked_away(test: &Test) -> bool {
    test.doubles.len() >= RATIO * test.assertions.len().max(1) && real(test) < REAL
}

/// How many assertions look at something other than a stand-in.
fn real(test: &Test) -> usize {
    let is_real = |assertion: &&crate::facts::Assertion| {
        assertion.reach.counts() && assertion.claim.kind != ClaimKind::Called
    };
    test.assertions.iter().filter(is_real).count()
}
