//! Tests of which a part, or all, only runs where a condition holds that nobody asked for before.
//!
//! Part of the rule about skipped tests: no mark is needed where the body stands in an `if`, or where rounds of its loop are
//! left.

use super::ID;
use crate::assertions::{Changed, How, Place};
use crate::comparison::{At, Comparison, FileSide};
use crate::detectors::conditions::holds_for_less;
use crate::detectors::report::{Draft, excerpt};
use crate::facts::{Assertion, Span, Test};
use crate::finding::{Finding, Severity, Side};
use crate::pairing::Fate;
use crate::text::clipped;

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let kept = comparison.pairing.fates.iter().filter_map(|(before, fate)| match fate {
        Fate::Same { after, .. } => Some((*before, *after)),
        _ => None,
    });
    let mut findings = Vec::new();
    for (before, after) in kept {
        let ((old_side, old), (side, new)) = (comparison.before(before), comparison.after(after));
        if old.body == new.body || old.assertions.is_empty() || new.is_skipped() {
            continue;
        }
        let sides = [old_side, side];
        let Some((count, first)) = guarded(old, new, sides) else { continue };
        let all = new.assertions.iter().filter(|one| one.reach.counts()).count();
        let condition = first.under.as_deref().unwrap_or_default();
        let is_whole = || count == all && condition.contains('(') && !is_told(comparison, before);
        if asks_for_place(condition) || is_whole() {
            findings.push(finding(sides, old, new, count == all, first));
        }
    }
    findings
}

/// Words of conditions that ask where a test runs, or what can be done there.
const PLACES: &[&str] = &[
    "os",
    "goos",
    "goarch",
    "platform",
    "sys",
    "windows",
    "win32",
    "linux",
    "darwin",
    "mac",
    "macos",
    "arch",
    "android",
    "ios",
    "wasm",
    "graalvm",
    "htmlunit",
    "arm",
    "env",
    "environ",
    "getenv",
    "environment",
    "ci",
    "travis",
    "github",
    "version",
    "versions",
    "implementation",
    "pypy",
    "jdk",
    "java",
    "node",
    "browser",
    "browsername",
    "firefox",
    "chromium",
    "webkit",
    "docker",
    "feature",
    "features",
    "cfg",
    "supported",
    "supports",
    "unsupported",
    "available",
    "installed",
    "skip",
    "skipped",
    "xfail",
    "failures",
    "failing",
    "flaky",
    "short",
    "slow",
    "build",
    "debug",
    "release",
    "dialect",
    "driver",
    "backend",
];

pub fn asks_for_place(condition: &str) -> bool {
    let words = crate::text::name_words(condition);
    PLACES.iter().any(|word| words.contains(*word))
}

/// Whether the rules about assertions tell what became of the test.
fn is_told(comparison: &Comparison, test: At) -> bool {
    let told = |one: &&Changed| one.unit.before == Place::Test(test) && one.how != How::Sometimes;
    comparison.changed_assertions().iter().any(|one| told(&one))
}

/// Each assertion of one side is looked for in the other: tests of thousands are written by programs.
const MOST_PAIRS: usize = 400_000;

/// How many assertions of a test came under a condition, and the first of them.
fn guarded<'a>(old: &Test, new: &'a Test, sides: [&FileSide; 2]) -> Option<(usize, &'a Assertion)> {
    if old.assertions.len().saturating_mul(new.assertions.len()) > MOST_PAIRS {
        return None;
    }
    let is_free = |one: &&Assertion| one.under.is_none() && one.reach.counts();
    let mut found: Vec<&Assertion> = Vec::new();
    for now in new.assertions.iter().filter(|one| one.under.is_some() && one.reach.counts()) {
        let same = |one: &&Assertion| one.text == now.text;
        let before: Vec<&Assertion> = old.assertions.iter().filter(same).collect();
        let free = |all: &[Assertion]| all.iter().filter(same).filter(is_free).count();
        let condition = now.under.as_deref().unwrap_or_default();
        let came = free(&old.assertions) > free(&new.assertions);
        let narrowed = before.len() == 1
            && before[0].under.as_deref().is_some_and(|was| holds_for_less(was, condition).is_some());
        if (came || narrowed) && !knew(sides[0], old, condition) {
            found.push(now);
        }
    }
    Some((found.len(), *found.first()?))
}

/// Whether the test asked the same before, or one of its lines did.
fn knew(side: &FileSide, test: &Test, condition: &str) -> bool {
    let plain = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let asked = plain(condition);
    side.lines(test.span).any(|line| plain(&line).contains(&asked))
}

fn finding(sides: [&FileSide; 2], old: &Test, new: &Test, is_whole: bool, first: &Assertion) -> Finding {
    let [old_side, side] = sides;
    let condition = clipped(first.under.as_deref().unwrap_or_default(), 80);
    let what = if is_whole { "everything" } else { "a part of what" };
    let draft = Draft {
        rule: ID,
        severity: Severity::High,
        confidence: 0.8,
        message: format!("{what} the test {} asks now depends on `{condition}`", new.qualified_name()),
        help: format!("make sure that `{condition}` fails only where the test cannot run, or assert it"),
    };
    let mut finding = draft.on_test(Side::After, side, new);
    finding.line = first.line;
    let was = old.assertions.iter().find(|one| one.text == first.text).map_or(old.line, |one| one.line);
    finding.before = excerpt(old_side, Span { start: was, end: was }, was, "this always ran");
    finding.after =
        excerpt(side, Span { start: first.line, end: first.line }, first.line, "this runs on a condition");
    finding.lower(Severity::Medium, "where the condition holds it still runs");
    finding
}
