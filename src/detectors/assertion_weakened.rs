//! # assertion-weakened (LP-013)
//!
//! A test that stays asserts less than before: an assertion is gone, says less about the same thing, claims the opposite,
//! compares something of which the test now sets a part itself, is made of fewer inputs of a list, or a step whose failure
//! failed the test is now allowed to fail. Also, as warnings: a loop over asserted cases that goes fewer rounds, a wait that
//! asks for less, a test that is run again until it passes, a time limit that is switched off or grows, fewer examples that
//! are tried, a call that may come any number of times, and an input of a test that became a comment.
//!
//! Severity: high; medium where production code changes with it, low for the removal of a single assertion then, unless the
//! test is left without any or that code names nothing which the test speaks of; medium for a removal after which most of
//! the test's assertions are left, unless what failed the test is only printed now.
//!
//! From strong to weak: exact structure, exact value, approximate value, pattern or containment, type or shape, bound,
//! not null, truthy, always true.
//!
//! Where nothing of the kind is seen, and the message of the commit says that less is asked for (`Relax the expected
//! output`), what changes in the tests is a warning.
//!
//! ## Why it matters
//!
//! A test that asks for less lets more mistakes through, and its name still promises the old check.
//!
//! ## Example
//!
//! ```js
//! // before                                  // after
//! expect(cart.total()).toBe(12)              expect(cart.total()).toBeTruthy()
//! ```
//!
//! ## What is not reported
//!
//! - the same expectation in other words or in another framework
//! - an assertion that moved to a helper, another line or a loop, or that another one repeats with no step between
//! - several weak assertions that became one strong one
//! - the check of a callback's error where the step is awaited now, and branches that fail which became checks by name
//! - wrong checks that became as many right ones of the same strength
//! - a test that is rewritten together with the code
//!
//! Logged only: assertions about something that leaves the production code in the same change, assertions that go
//! while production code changes that has to do with them, and checks that a step on the way to the test did not fail.
//!
//! ## What to do
//!
//! Put the assertion back and make the code pass it. If the expectation was wrong, write down the right one, as
//! strictly as the old one.

mod discarded;
pub mod inputs_dropped;

use super::asserting::{Group, Words, groups, was};
use super::edits;
use super::subject::binding;
use super::table;
use crate::assertions::{Changed, How, View, expression_key, shows, split};
use crate::collections::HashMap;
use crate::comparison::Comparison;
use crate::facts::{Assertion, Claim, ClaimKind, Strength};
use crate::finding::{Finding, FindingType, RuleId, Severity};
use crate::text::plural;

pub const ID: RuleId = table::id("assertion-weakened", "LP-013", FindingType::AssertionWeakening);

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let of_kinds = |kinds: &[How], finding: fn(&Comparison, &Group<'_>) -> Finding| -> Vec<Finding> {
        groups(comparison, kinds).iter().map(|group| finding(comparison, group)).collect()
    };
    let mut findings = of_kinds(&[How::Weakened, How::Flipped], weakened);
    let replaced = of_kinds(&[How::Substituted], substituted);
    tell_more(&mut findings, of_kinds(&[How::Removed], removed));
    findings.extend(replaced);
    findings.extend(of_kinds(&[How::Blanked], blanked));
    let read = edits::detect(comparison, edits::Part::Weakened);
    for more in [inputs_dropped::detect(comparison), discarded::detect(comparison), read] {
        tell_more(&mut findings, more);
    }
    findings
}

/// One finding for each test: what else is found there belongs to it, so that nobody accepts the one without the other.
fn tell_more(findings: &mut Vec<Finding>, more: Vec<Finding>) {
    let told = findings.len();
    for finding in more {
        match findings[..told].iter_mut().find(|known| known.symbol == finding.symbol) {
            Some(known) => {
                known.detail.push_str(&finding.detail);
                known.detail.push_str(&finding.message);
            }
            None => findings.push(finding),
        }
    }
}

/// As strong, but about something else: only noted, since nobody but the author knows what was meant.
fn substituted(_comparison: &Comparison, group: &Group<'_>) -> Finding {
    let words = Words {
        message: format!("{} asserts something else in place of what it asserted", group.name()),
        help: format!("check that nothing is missing: {}", was(group.first())),
        labels: ["this was asserted", "this stands in its place"],
    };
    group.finding(ID, Severity::Low, 0.6, words)
}

/// The same comparison, but of something of which the test now sets a part.
fn blanked(comparison: &Comparison, group: &Group<'_>) -> Finding {
    let setting = group.first().after.as_ref().map(|after| after.text.as_str()).unwrap_or_default();
    let words = Words {
        message: format!("{} sets a part of what it compares: `{setting}`", group.name()),
        help: "compare what the code gave, or the rest of it field by field".to_owned(),
        labels: ["this compared all of it", "this part says nothing any more"],
    };
    let mut finding = group.finding(ID, Severity::Medium, 0.75, words);
    group.weigh(comparison, &mut finding, Severity::Low);
    finding
}

fn weakened(comparison: &Comparison, group: &Group<'_>) -> Finding {
    let first = group.first();
    let message = match first.how {
        How::Flipped => format!("{} now claims the opposite", group.name()),
        _ => format!("{} asserts less than before: {}", group.name(), steps(first)),
    };
    let words = Words {
        message,
        help: format!("assert it as strictly as before: {}", was(first)),
        labels: ["this was asserted", "this says less"],
    };
    let mut finding = group.finding(ID, Severity::High, 0.9, words);
    // What gave a value may come to refuse its input.
    let refuses = |changed: &&&Changed| {
        let nothing = matches!(
            changed.before.claim.expected.as_deref(),
            Some("null" | "None" | "nil" | "undefined" | "false" | "False")
        );
        let raises = |claim: &Claim| claim.kind == ClaimKind::Raises && !claim.negated;
        changed
            .after
            .as_ref()
            .is_some_and(|after| expects_error(&after.claim) || nothing && raises(&after.claim))
    };
    let with_code = match group.changes.iter().filter(refuses).count() == group.changes.len() {
        true => Severity::Low,
        false => Severity::Medium,
    };
    group.weigh(comparison, &mut finding, with_code);
    finding
}

fn expects_error(claim: &Claim) -> bool {
    let told = claim.expected.is_some() || claim.pattern.is_some();
    claim.kind == ClaimKind::Raises && !claim.negated && told
}

/// `exact value -> truthy`
fn steps(changed: &Changed) -> String {
    let before = asked(&changed.before.claim);
    let after = changed.after.as_ref().map_or("nothing", |after| asked(&after.claim));
    if before == after { "the whole -> a part of it".to_owned() } else { format!("{before} -> {after}") }
}

/// How much a claim asks for, in words.
fn asked(claim: &Claim) -> &'static str {
    let expected = claim.expected.as_deref().unwrap_or_default();
    let offers = [" or ", " || "].iter().any(|word| expected.contains(word));
    match claim.strength {
        Strength::Approximate if offers && claim.limit.is_none() => "one of several values",
        strength => strength.name(),
    }
}

/// So many lost assertions of one test are told although code changes with them.
const SEVERAL: usize = 2;

fn removed(comparison: &Comparison, group: &Group<'_>) -> Finding {
    let lost = plural(group.changes.len(), "assertion");
    let words = Words {
        message: format!("{} lost {lost}", group.name()),
        help: format!("put it back: {}", was(group.first())),
        labels: ["this is no longer asserted", ""],
    };
    let mut finding = group.finding(ID, Severity::High, 0.85, words);
    if group.changes.iter().all(|changed| changed.before.claim.is_no_error()) {
        let severity = if forgives(group) { Severity::Medium } else { Severity::Low };
        finding.lower(severity, "it only checked that a step on the way did not fail");
    } else if is_only_shown(group) {
        finding.evidence.push("what failed the test is only printed now".to_owned());
    } else if 2 * group.changes.len() < group.before.spelled_major().len() {
        finding.lower(Severity::Medium, "most of what the test asserts stays");
    }
    if group.changes.iter().all(|changed| still_quotes(group, &changed.before.claim)) {
        finding.lower(Severity::Low, "the text that it looked for still stands in the test");
    }
    if group.changes.iter().all(|changed| tells_by_error_now(group, &changed.before.claim)) {
        finding.lower(
            Severity::Medium,
            "the step whose success it asked for is now another one, which gives an error",
        );
    }
    // Code that changes may make an assertion wrong, but no test that asks for nothing is right.
    let is_hollow = !group.after.assertions.iter().any(|assertion| assertion.reach.counts());
    let is_test = group.before.test.is_some();
    // One that goes may have become wrong; several that go at once are worth a look.
    let is_much = is_hollow || group.changes.len() >= SEVERAL;
    group.weigh(comparison, &mut finding, if is_much && is_test { Severity::Medium } else { Severity::Low });
    finding
}

/// Whether a line came that prints what an assertion was given: `t.Errorf("got %d", n)` became `t.Logf("got %d", n)`.
fn is_only_shown(group: &Group<'_>) -> bool {
    let given = |line: &str| line.split_once('(').map(|(_, given)| expression_key(given));
    // How much more often each is shown than before.
    let mut shown: HashMap<String, i64> = HashMap::new();
    for (view, more) in [(&group.before, -1), (&group.after, 1)] {
        for told in view.file.lines(view.span).filter(|line| shows(line)).filter_map(|line| given(&line)) {
            *shown.entry(told).or_default() += more;
        }
    }
    let is_shown = |told: String| told.len() >= QUOTED && shown.get(&told).is_some_and(|&more| more > 0);
    group.changes.iter().any(|changed| given(&changed.before.text).is_some_and(is_shown))
}

/// Shorter texts stand in many places.
const QUOTED: usize = 8;

/// Whether a text that a claim looked for is quoted in the code of the test as often as before: something checks it that is
/// no assertion by its form.
fn still_quotes(group: &Group<'_>, claim: &Claim) -> bool {
    let expected = claim.expected.as_deref().unwrap_or_default();
    let text = expected.split(['"', '\'']).nth(1).unwrap_or_default();
    let count = |view: &View<'_>| {
        let lines = view.file.lines(view.span);
        lines.filter(|line| line.contains(text) && !line.trim_start().starts_with(['/', '#', '*'])).count()
    };
    // What a helper gives a name to stands there whether or not anything is held against it.
    let is_named = || group.before.bindings.iter().any(|one| one.value.contains(text));
    let is_own = group.before.test.is_some() || !is_named();
    text.len() >= QUOTED && is_own && count(&group.after) >= count(&group.before)
}

/// Whether the test now throws the error of a step away, or asserts only where there was none.
fn forgives(group: &Group<'_>) -> bool {
    let thrown = |view: &View<'_>| {
        let lines = view.file.lines(view.span);
        lines
            .filter(|line| [", _ :=", ", _ =", "_ = ", ".ok();"].iter().any(|sign| line.contains(sign)))
            .count()
    };
    let depends = |changed: &&Changed| {
        let subject = changed.before.claim.subject.trim();
        let asks = |one: &&Assertion| {
            one.under.as_deref().is_some_and(|under| split(under).any(|word| word == subject))
        };
        let count = |view: &View<'_>| view.assertions.iter().filter(|one| asks(one)).count();
        !subject.is_empty() && count(&group.after) > count(&group.before)
    };
    thrown(&group.after) > thrown(&group.before) || group.changes.iter().any(depends)
}

/// Whether a claim was that a step went well by a variable that is gone together with the call that set it, while as many steps
/// as before are asked for their errors: `ok, err := set(x)` became `err := write(x)`.
fn tells_by_error_now(group: &Group<'_>, claim: &Claim) -> bool {
    let flag = claim.subject.trim();
    let is_name = !flag.is_empty() && flag.chars().all(|c| c.is_alphanumeric() || c == '_');
    let is_true = matches!(claim.expected.as_deref(), None | Some("true")) && !claim.negated;
    let before: Vec<_> = group.before.file.lines(group.before.span).collect();
    let setter = binding(&before.join("\n"), flag).into_iter().next();
    let is_gone = |name: &str| !group.after.words.contains(name);
    let no_error = |all: &[&Assertion]| all.iter().filter(|one| one.claim.is_no_error()).count();
    is_name
        && is_true
        && is_gone(flag)
        && setter.is_some_and(|setter| is_gone(&setter))
        && no_error(&group.after.assertions) >= no_error(&group.before.assertions).max(1)
}
