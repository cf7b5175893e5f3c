//! The policy of this gate, compared as a policy.

use super::ID;
use crate::comparison::{Comparison, FileComparison, FileSide};
use crate::detectors::report::{Draft, excerpt};
use crate::detectors::table;
use crate::facts::Span;
use crate::finding::{Finding, Severity, Side};
use crate::policy::{
    Equivalence, FILE_NAME, OnMissing, Policy, PolicyError, Profile, RequireAnalysis, RuleAction,
    SuiteSetting,
};
use crate::project;

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let is_policy =
        |file: &&FileComparison| file.before.iter().chain(&file.after).any(|side| side.path == FILE_NAME);
    comparison.files.iter().filter(is_policy).flat_map(compare).collect()
}

fn compare(file: &FileComparison) -> Vec<Finding> {
    let named = |side: &Option<FileSide>| side.clone().filter(|side| side.path == FILE_NAME);
    let (before, after) = (named(&file.before), named(&file.after));
    let Some(side) = after.as_ref().or(before.as_ref()) else { return Vec::new() };
    let read = |side: &Option<FileSide>| match side {
        Some(side) => Policy::parse_bytes(&side.text, &table::names()),
        None => Ok(Policy::default()),
    };
    let Ok(old) = read(&before) else { return Vec::new() };
    let new = match read(&after) {
        Ok(new) => new,
        Err(error) => return vec![unreadable(side, &error)],
    };
    let first = before.is_none();
    // A project that starts out with the gate may well have no suite to run yet.
    let counts = |(key, _): &(String, String)| !first || key != "suites";
    let less = weaker(&old, &new).into_iter().filter(counts);
    less.map(|(key, what)| finding(side, &key, &what, first)).collect()
}

/// Nothing can be judged by a policy that cannot be read: every change after this one ends in an error.
fn unreadable(side: &FileSide, error: &PolicyError) -> Finding {
    let draft = Draft {
        rule: ID,
        severity: Severity::Critical,
        confidence: 0.95,
        message: format!("{FILE_NAME} can no longer be read as a policy"),
        help: format!("mend it: {error}"),
    };
    draft.on(Side::After, side, u32::try_from(error.line).unwrap_or(1).max(1), FILE_NAME.to_owned())
}

fn finding(side: &FileSide, key: &str, what: &str, first: bool) -> Finding {
    let last = key.rsplit('.').next().unwrap_or_default();
    let text = String::from_utf8_lossy(&side.text);
    let place = |is_it: &dyn Fn(&str) -> bool| text.lines().position(is_it);
    let named = place(&|line| line.trim_start().starts_with(&format!("{last}:")));
    let line = named.or_else(|| place(&|line| line.contains(last))).map(|at| at as u32 + 1);
    let draft = Draft {
        rule: ID,
        severity: Severity::Critical,
        confidence: 0.95,
        message: format!("the policy asks for less: {what}"),
        help: format!(
            "put {key} back in {FILE_NAME}, or commit the change of the policy by itself and waive it"
        ),
    };
    let mut finding = draft.on(Side::After, side, line.unwrap_or(1), format!("{FILE_NAME}::{key}"));
    // What is gone stands nowhere.
    let at = |line| excerpt(side, Span { start: line, end: line }, line, "this is weaker than before");
    finding.after = line.and_then(at);
    if first {
        finding.lower(Severity::Medium, "it is the first policy, compared with the defaults");
    }
    finding
}

/// What the new policy asks less of, each with its key.
fn weaker(old: &Policy, new: &Policy) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut note = |key: &str, what: String| found.push((key.to_owned(), what));
    if strictness(new.profile) < strictness(old.profile) {
        note("profile", format!("profile {} in place of {}", new.profile, old.profile));
    }
    for rule in table::names() {
        let usual = table::find(rule).map_or(Severity::High, |rule| rule.severity);
        if rank(new.action(rule), usual) < rank(old.action(rule), usual) {
            note(&format!("rules.{rule}"), format!("the rule {rule} does less than before"));
        }
    }
    let lists = [
        ("ignored", &old.paths.ignored, &new.paths.ignored),
        ("vendored", &old.paths.vendored, &new.paths.vendored),
        ("documentation", &old.paths.documentation, &new.paths.documentation),
    ];
    for (list, old, new) in lists {
        for glob in new.iter().filter(|glob| !old.contains(glob)) {
            note(&format!("paths.{list}"), format!("{glob} is no longer judged"));
        }
    }
    if old.proof.on_missing != OnMissing::Warn && new.proof.on_missing == OnMissing::Warn {
        note("proof.on_missing", "a missing proof only warns".to_owned());
    }
    if old.equivalence() == Equivalence::Exact
        && new.equivalence() == Equivalence::Tokens
        && old.profile == new.profile
    {
        note("proof.equivalence", "a proof holds for more than what ran".to_owned());
    }
    feedback(old, new, &mut note);
    suites(old, new, &mut note);
    own_rules(old, new, &mut note);
    if new.accept_waivers() > old.accept_waivers() && old.profile == new.profile {
        let (now, before) = (new.accept_waivers().name(), old.accept_waivers().name());
        note("waivers.accept", format!("more waivers count: {now} in place of {before}"));
    }
    found
}

/// The rules of the project, each of which may ask for less.
fn own_rules(old: &Policy, new: &Policy, note: &mut impl FnMut(&str, String)) {
    for pattern in &old.patterns {
        let name = &pattern.name;
        let Some(now) = new.patterns.iter().find(|other| other.name == *name) else {
            note("patterns", format!("the rule {name} of this project is gone"));
            continue;
        };
        if now.severity < pattern.severity {
            note("patterns", format!("{name} is less severe than before"));
        }
        if now.what != pattern.what || now.when != pattern.when || now.paths != pattern.paths {
            note("patterns", format!("{name} looks for something else than before"));
        }
        if rank(new.action(name), pattern.severity) < rank(old.action(name), pattern.severity) {
            note(&format!("rules.{name}"), format!("the rule {name} does less than before"));
        }
    }
}

fn feedback(old: &Policy, new: &Policy, note: &mut impl FnMut(&str, String)) {
    if old.feedback.abort_on_regression && !new.feedback.abort_on_regression {
        note("feedback.abort_on_regression", "a regression no longer stops the loop".to_owned());
    }
    let asks = |required: RequireAnalysis| required as u8;
    if asks(new.feedback.require_analysis) < asks(old.feedback.require_analysis) {
        note("feedback.require_analysis", "less is asked after a failed attempt".to_owned());
    }
}

fn suites(old: &Policy, new: &Policy, note: &mut impl FnMut(&str, String)) {
    let empty = |policy: &Policy| policy.suites.as_ref().is_some_and(Vec::is_empty);
    if empty(new) && !empty(old) {
        note("suites", "no suite is left to run".to_owned());
        return;
    }
    let (Some(old), Some(new)) = (&old.suites, &new.suites) else { return };
    for suite in old {
        match new.iter().find(|other| other.name == suite.name) {
            None if new.len() < old.len() => note("suites", format!("the suite {} is gone", suite.name)),
            None => {}
            Some(other) => suite_weaker(suite, other, note),
        }
    }
}

fn suite_weaker(old: &SuiteSetting, new: &SuiteSetting, note: &mut impl FnMut(&str, String)) {
    let name = &old.name;
    let does_nothing = |command: &str| matches!(command.trim(), "true" | ":" | "exit 0" | "");
    if does_nothing(&new.command) && !does_nothing(&old.command) {
        note("suites", format!("the command of {name} does nothing: {}", new.command));
    }
    if project::hides_failure(&new.command) && !project::hides_failure(&old.command) {
        note("suites", format!("the command of {name} hides how it ends: {}", new.command));
    }
    if new.required as u8 > old.required as u8 {
        note("suites", format!("{name} is required later than before: at {}", new.required.name()));
    }
    if let Some(gone) =
        old.paths.iter().find(|path| !new.paths.contains(path)).filter(|_| new.paths.len() < old.paths.len())
    {
        note("suites", format!("{name} no longer covers {gone}"));
    }
}

fn strictness(profile: Profile) -> u8 {
    match profile {
        Profile::Advisory => 0,
        Profile::Standard => 1,
        Profile::Strict => 2,
    }
}

/// How much is done about a rule; where nothing is said, as much as it deserves.
/// How much is made of a rule: what the policy says, or else what its usual severity leads to.
fn rank(action: Option<RuleAction>, usual: Severity) -> u8 {
    match (action, usual) {
        (Some(RuleAction::Off), _) => 0,
        (Some(RuleAction::Log), _) | (None, Severity::Low) => 1,
        (Some(RuleAction::Warn), _) | (None, Severity::Medium) => 2,
        (Some(RuleAction::Block), _) | (None, _) => 3,
    }
}
