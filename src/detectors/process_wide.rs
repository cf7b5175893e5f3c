//! Settings of a whole process that hide warnings, logs or failed checks, newly made in existing production code:
//! `warnings.filterwarnings("ignore")`, `logging.disable()`, `NODE_TLS_REJECT_UNAUTHORIZED`.
//!
//! Part of the rules about swallowed errors and about guards. What is hidden only within a block is left alone.

use super::code_lines::{TestCode, existing, is_scratch, is_tooling};
use super::report::{Draft, excerpt};
use crate::collections::HashSet;
use crate::comparison::{CodeLine, Comparison, FileSide};
use crate::facts::Span;
use crate::finding::{Finding, RuleId, Severity, Side};

/// What a setting hides.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Hides {
    Errors,
    Checks,
}

/// What all of some must stand in a line without white space, and all quotes alike.
const SETTINGS: &[(&[&str], Hides)] = &[
    (&["warnings.filterwarnings('ignore'"], Hides::Errors),
    (&["warnings.simplefilter('ignore'"], Hides::Errors),
    (&["warnings.simplefilter(action='ignore'"], Hides::Errors),
    (&["disable_warnings("], Hides::Errors),
    (&["logging.disable("], Hides::Errors),
    (&["process.noDeprecation=true"], Hides::Errors),
    (&["process.removeAllListeners('warning')"], Hides::Errors),
    (&["console.error=()=>{}"], Hides::Errors),
    (&["console.warn=()=>{}"], Hides::Errors),
    (&["log.SetOutput(io.Discard)"], Hides::Errors),
    (&["log.SetOutput(ioutil.Discard)"], Hides::Errors),
    (&["LogManager.getLogManager().reset()"], Hides::Errors),
    (&["set_max_level(", "Off)"], Hides::Errors),
    (&["NODE_TLS_REJECT_UNAUTHORIZED", "0"], Hides::Checks),
    (&["_create_default_https_context=", "_create_unverified_context"], Hides::Checks),
    (&["setDefaultHostnameVerifier(", "->true"], Hides::Checks),
    (&["PYTHONHTTPSVERIFY", "0"], Hides::Checks),
    (&["GIT_SSL_NO_VERIFY", "="], Hides::Checks),
];

/// Words that tell that a filter of warnings is for one known and harmless message.
const NARROW: &[&str] = &["message=", "module=", "DeprecationWarning", "FutureWarning"];

pub fn findings(comparison: &Comparison, rule: &RuleId, hides: Hides) -> Vec<Finding> {
    let files = comparison.files.iter().filter_map(existing);
    let judged = files.filter(|(_, after)| {
        !after.facts.language.is_empty() && !is_scratch(&after.path) && !is_tooling(&after.path)
    });
    judged.filter_map(|(before, after)| in_file(before, after, rule, hides)).collect()
}

fn in_file(before: &FileSide, after: &FileSide, rule: &RuleId, hides: Hides) -> Option<Finding> {
    // A cheap question first: most files say nothing of the kind.
    let says = |marks: &&(&[&str], Hides)| {
        let word = marks.0[0].split(['(', '=']).next().unwrap_or_default();
        marks.1 == hides && crate::text::contains(&after.text, word.as_bytes())
    };
    let settings: Vec<&(&[&str], Hides)> = SETTINGS.iter().filter(says).collect();
    if settings.is_empty() {
        return None;
    }
    let known: HashSet<&str> = before.code().iter().map(|line| line.code.as_str()).collect();
    let tests = TestCode::of(after);
    let code = after.code();
    let (at, line) = code.iter().enumerate().find(|(at, line)| {
        let text = line.code.replace('"', "'");
        settings.iter().any(|(marks, _)| marks.iter().all(|mark| text.contains(mark)))
            && !known.contains(line.code.as_str())
            && !tests.contains(line.number)
            && !is_within(code, *at)
    })?;
    let shown = crate::text::clipped(&line.code, 60);
    let what = if hides == Hides::Errors { "what it would be told" } else { "what a check finds" };
    let draft = Draft {
        rule: rule.clone(),
        severity: Severity::High,
        confidence: 0.8,
        message: format!("{} now hides {what} from the whole process: `{shown}`", after.path),
        help: "mend what it tells of, or hide it only where it is known to be harmless".to_owned(),
    };
    let mut finding = draft.on(Side::After, after, line.number, after.path.clone());
    finding.after =
        excerpt(after, Span { start: line.number, end: line.number }, line.number, "for all code that runs");
    finding.lower(Severity::Medium, "what is hidden is not known from it alone");
    let call: String = code[at..].iter().take(4).map(|line| line.code.as_str()).collect();
    if NARROW.iter().any(|word| call.contains(word)) {
        finding.lower(Severity::Low, "it is for one kind of notice");
    }
    Some(finding)
}

/// Whether a line stands in a block that puts things back afterwards.
fn is_within(code: &[CodeLine], at: usize) -> bool {
    let above = code[..at].iter().rev().take(WITHIN);
    above.into_iter().any(|line| line.code.contains("catch_warnings"))
}

/// Such a block begins not far above.
const WITHIN: usize = 6;
