//! # test-recognised (LP-015)
//!
//! Production code finds out that a test runs it, and acts otherwise: a variable of the test runner, `cfg!(test)`,
//! the address of a test user, or the very value that a test uses, with the answer that the test expects.
//!
//! Severity: critical; logged where only a build server is recognised, or a build script asks.
//!
//! ## Why it matters
//!
//! From then on the tests check a path that no user takes. They pass, and say nothing.
//!
//! ## Example
//!
//! ```javascript
//! // before                                  // after
//! function charge(card) {                    function charge(card) {
//!   return gateway.charge(card)                if (process.env.NODE_ENV === 'test') return { ok: true }
//! }                                            return gateway.charge(card)
//! ```
//!
//! ## What is not reported
//!
//! - functions that asked before the change, and new files
//! - configuration of builds and tests, scripts, reporters
//!
//! ## What to do
//!
//! Take the branch out. Where a test needs another behaviour, give it in from outside: a parameter, a stand-in, a
//! setting that the test makes.

use std::collections::BTreeMap;

use super::code_lines::{TestCode, existing, is_scratch, is_tooling};
use super::report::{Draft, excerpt};
use super::table;
use crate::collections::{HashMap, HashSet};
use crate::comparison::{Comparison, FileSide};
use crate::facts::{Function, Probe, ProbeKind, Span, SpecialCase};
use crate::finding::{Finding, FindingType, RuleId, Severity, Side};

pub const ID: RuleId = table::id("test-recognised", "LP-015", FindingType::ValidationBypass);

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let files = comparison.files.iter().filter_map(existing);
    let judged = files.filter(|(_, after)| !is_scratch(&after.path));
    judged.flat_map(|(before, after)| in_file(comparison, before, after)).collect()
}

fn in_file(comparison: &Comparison, before: &FileSide, after: &FileSide) -> Vec<Finding> {
    let mut found: BTreeMap<String, Finding> = BTreeMap::new();
    for probe in new_probes(before, after) {
        let finding = of_probe(before, after, probe);
        found.entry(finding.symbol.clone()).or_insert(finding);
    }
    for case in new_cases(before, after) {
        let Some((path, text)) = answers_test(comparison, case) else { continue };
        let finding = of_case(after, case, path, text);
        found.entry(finding.symbol.clone()).or_insert(finding);
    }
    found.into_values().collect()
}

/// Probes that their function did not make before.
fn new_probes<'c>(before: &'c FileSide, after: &'c FileSide) -> Vec<&'c Probe> {
    let old: HashSet<(&str, ProbeKind)> =
        before.facts.signals.probes.iter().map(|probe| (probe.what.as_str(), probe.kind)).collect();
    let (tests, functions) = (TestCode::of(after), Functions::of(before));
    let is_new = |probe: &&Probe| {
        !old.contains(&(probe.what.as_str(), probe.kind))
            && !tests.contains(probe.line)
            && functions.has(&probe.scope)
    };
    after.facts.signals.probes.iter().filter(is_new).collect()
}

/// The names of the functions that a side has.
struct Functions<'c>(HashSet<&'c str>);

impl<'c> Functions<'c> {
    fn of(side: &'c FileSide) -> Self {
        Self(side.facts.definitions.iter().map(|definition| definition.name.as_str()).collect())
    }

    /// Whether a function was there before; code outside of functions always was.
    fn has(&self, scope: &str) -> bool {
        let name = scope.rsplit('.').next().unwrap_or(scope);
        name.is_empty() || self.0.contains(name)
    }
}

fn of_probe(before: &FileSide, after: &FileSide, probe: &Probe) -> Finding {
    let message = match probe.kind {
        ProbeKind::TestRun => format!("the code asks whether a test runs it (`{}`)", probe.what),
        ProbeKind::TestValue => format!("the code knows the test user `{}`", probe.what),
        ProbeKind::BuildServer => format!("the code asks whether a build server runs it (`{}`)", probe.what),
    };
    let mut finding =
        draft(message, 0.82).on(Side::After, after, probe.line, symbol(after, &probe.scope, &probe.what));
    let line = Span { start: probe.line, end: probe.line };
    finding.after = excerpt(after, line, probe.line, "a test takes another path from here");
    if probe.kind == ProbeKind::BuildServer {
        finding.lower(Severity::Low, "build servers differ from machines of people in more than tests");
    } else if is_tooling(&after.path) {
        finding.lower(Severity::Low, "the file configures or builds");
    } else if serves_tests(before) {
        finding.lower(
            Severity::Low,
            "the file serves tests: its functions are given what their framework gives",
        );
    } else if probe.scope.is_empty() {
        finding.lower(Severity::Medium, "it stands outside of any function");
    }
    finding
}

/// Modules whose types only tests and what serves them are given.
const FRAMEWORKS: &[&str] = &["testing.", "pytest.", "unittest."];

/// Whether functions of a file took what a framework gives to tests before it asked: code that is shipped never gets that.
fn serves_tests(side: &FileSide) -> bool {
    let takes = |function: &Function| FRAMEWORKS.iter().any(|module| function.parameters.contains(module));
    side.facts.functions.iter().any(takes)
}

/// Hard-coded answers that their function did not have before.
pub fn new_cases<'c>(before: &'c FileSide, after: &'c FileSide) -> Vec<&'c SpecialCase> {
    let mut old: HashMap<(&str, &str), usize> = HashMap::new();
    for case in &before.facts.signals.cases {
        *old.entry((&case.input, &case.result)).or_default() += 1;
    }
    let mut fresh = Vec::new();
    let (tests, functions) = (TestCode::of(after), Functions::of(before));
    for case in &after.facts.signals.cases {
        match old.get_mut(&(case.input.as_str(), case.result.as_str())) {
            Some(count) if *count > 0 => *count -= 1,
            _ if !tests.contains(case.line) && !case.scope.is_empty() && functions.has(&case.scope) => {
                fresh.push(case)
            }
            _ => {}
        }
    }
    fresh
}

/// An assertion of the change's tests that gives in the literal and expects the answer.
fn answers_test<'c>(comparison: &'c Comparison, case: &SpecialCase) -> Option<(&'c str, &'c str)> {
    let (input, result) = (bare(&case.input), bare(&case.result));
    if !is_telling(input) || result.len() < 2 || input == result || is_word(result) {
        return None;
    }
    asserted(comparison, input, result)
}

/// Whether a test of the change gives in the literal and expects the answer, however common both are.
pub fn is_tested(comparison: &Comparison, case: &SpecialCase) -> bool {
    let (input, result) = (bare(&case.input), bare(&case.result));
    input != result && !is_word(result) && asserted(comparison, input, result).is_some()
}

fn asserted<'c>(comparison: &'c Comparison, input: &str, result: &str) -> Option<(&'c str, &'c str)> {
    let sides = comparison.files.iter().filter_map(|file| file.after.as_ref());
    let assertions = sides.flat_map(|side| {
        let own = side.facts.tests.iter().flat_map(|test| test.assertions.iter());
        own.map(move |assertion| (side.path.as_str(), assertion.text.as_str()))
    });
    assertions.filter(|(_, text)| has_literal(text, input) && has_literal(text, result)).min()
}

/// Whether a value is one that somebody made up: plain words and small numbers are cases of their own right.
fn is_telling(value: &str) -> bool {
    value.len() >= 3 && !is_word(value)
}

fn is_word(value: &str) -> bool {
    value.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_' || byte == b'-')
        || matches!(value, "True" | "False" | "None")
}

fn bare(literal: &str) -> &str {
    literal.trim_matches(['"', '\'', '`'])
}

/// Whether a literal stands in a text as a whole.
fn has_literal(text: &str, literal: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    !literal.is_empty()
        && text.match_indices(literal).any(|(at, _)| {
            !text[..at].ends_with(is_part)
                && !text[at + literal.len()..].starts_with(|c: char| c.is_alphanumeric())
        })
}

fn of_case(after: &FileSide, case: &SpecialCase, path: &str, assertion: &str) -> Finding {
    let message = format!("for {} the code now returns {}, just as a test wants it", case.input, case.result);
    let mut finding =
        draft(message, 0.85).on(Side::After, after, case.line, symbol(after, &case.scope, &case.input));
    let line = Span { start: case.line, end: case.line };
    finding.after = excerpt(after, line, case.line, "the answer to one test");
    finding.evidence.push(format!("{path}: {assertion}"));
    finding
}

fn draft(message: String, confidence: f64) -> Draft {
    Draft {
        rule: ID,
        severity: Severity::Critical,
        confidence,
        message,
        help: "take the branch out, and let the test give in what it needs".to_owned(),
    }
}

fn symbol(side: &FileSide, scope: &str, what: &str) -> String {
    let scope = if scope.is_empty() { String::new() } else { format!("{}::", scope.replace('.', "::")) };
    format!("{}::{scope}{}", side.path, bare(what))
}
