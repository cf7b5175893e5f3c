//! Escalation: a person has to look. The reason, and the report they get.

use std::path::PathBuf;

use super::escalation_report::Markdown;
use super::format::{Execution, Session};
use super::hunt::{self, KnownFailures, Outcome};
use super::learned::LearnedPatterns;
use super::patterns;
use super::regression::Regression;
use super::similar::Similar;
use crate::git::{ObjectId, Repository};
use crate::text::{moment, one_line, plural};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Escalation {
    pub reason: Reason,
    pub path: PathBuf,
    pub markdown: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    MaxAttemptsReached,
    RegressionDetected,
}

impl Reason {
    pub fn name(self) -> &'static str {
        match self {
            Self::MaxAttemptsReached => "max_attempts_reached",
            Self::RegressionDetected => "regression_detected",
        }
    }

    fn sentence(self) -> &'static str {
        match self {
            Self::MaxAttemptsReached => "the last allowed attempt failed",
            Self::RegressionDetected => "tests that passed in an earlier attempt fail now",
        }
    }
}

/// What the report says besides the session.
pub struct Facts<'f> {
    pub suite: &'f str,
    pub known: &'f KnownFailures,
    pub similar: &'f [Similar],
    pub regressions: &'f [Regression],
    pub restore: Option<&'f str>,
    pub patterns: Option<&'f LearnedPatterns>,
    pub max_attempts: u32,
}

const MAX_FAILURES: usize = 20;
const MAX_TRACES: usize = 5;
const MAX_CODE_FILES: usize = 5;

/// The whole report as Markdown.
pub fn report(repository: &Repository, session: &Session, reason: Reason, facts: &Facts<'_>) -> String {
    let hunt = hunt::hunt(session, facts.suite, facts.known);
    let mut out = Markdown::default();
    header(&mut out, session, reason, facts);
    failures(&mut out, &hunt, facts);
    analyses(&mut out, &hunt);
    fixes(&mut out, &hunt);
    results(&mut out, &hunt, facts.known);
    memory(&mut out, hunt.last().copied(), facts);
    traces(&mut out, hunt.last().copied());
    original_code(&mut out, repository, session, &hunt);
    out.line("**Human review required**");
    out.finish()
}

fn header(out: &mut Markdown, session: &Session, reason: Reason, facts: &Facts<'_>) {
    let failed = hunt::failed_in_a_row(session, facts.suite, facts.known);
    out.line("## Execution Feedback Escalation");
    out.blank();
    out.field("File", &session.file_path);
    out.line(&format!("**Attempts**: {failed} / {}  ", facts.max_attempts));
    out.line(&format!("**Reason**: {} ({})  ", reason.name(), reason.sentence()));
    out.field("Suite", facts.suite);
    out.field("Session", &session.session_id);
    if let Some(agent) = session.metadata.as_ref().and_then(|metadata| metadata.agent.as_deref()) {
        out.field("Agent", agent);
    }
    out.blank();
}

fn failures(out: &mut Markdown, hunt: &[&Execution], facts: &Facts<'_>) {
    out.heading("Failures");
    for regression in facts.regressions.iter().take(MAX_FAILURES) {
        let attempt = regression.passed_in_attempt;
        out.item(&format!("regression: {} passed in attempt {attempt}", out.code(&regression.test)));
    }
    if let Some(restore) = facts.restore {
        out.blank();
        out.line("This restores the files of that attempt:");
        out.blank();
        out.block("sh", restore);
    }
    let Some(last) = hunt.last() else { return };
    let own = hunt::new_failures(last, facts.known);
    for failure in own.iter().take(MAX_FAILURES) {
        let in_attempts = hunt
            .iter()
            .filter(|execution| execution.failures.iter().any(|other| other.test_name == failure.test_name));
        let numbers: Vec<String> = in_attempts.map(|execution| execution.attempt.to_string()).collect();
        out.item(&format!(
            "{} {} (attempts {})",
            out.code(&failure.test_name),
            out.text(&failure.error_type.before(&failure.error_message)),
            numbers.join(", ")
        ));
    }
    more(out, own.len(), MAX_FAILURES);
    if own.is_empty() {
        let ended = last.proof.as_ref().map(|proof| format!("{:?}", proof.ended).to_lowercase());
        let code = last.proof.as_ref().and_then(|proof| proof.exit_code);
        let code = code.map_or_else(String::new, |code| format!(" with code {code}"));
        out.item(&format!("no test is named as failed; the run {}{code}", ended.unwrap_or_default()));
    }
    out.blank();
}

fn more(out: &mut Markdown, count: usize, shown: usize) {
    if count > shown {
        out.item(&format!("and {} more", count - shown));
    }
}

fn analyses(out: &mut Markdown, hunt: &[&Execution]) {
    out.heading("Analysis");
    for execution in hunt.iter().filter(|execution| !execution.failures.is_empty()) {
        match &execution.analysis {
            Some(analysis) => {
                let category = analysis.root_cause_category.map_or("", |category| category.name());
                let category = if category.is_empty() { String::new() } else { format!(" [{category}]") };
                let sure = analysis.confidence.map(|confidence| format!(" (confidence {confidence:.2})"));
                let (cause, plan) = (out.text(&analysis.root_cause), out.text(&analysis.fix_strategy));
                let sure = sure.unwrap_or_default();
                out.item(&format!("attempt {}{category}: {cause}{sure}; plan: {plan}", execution.attempt));
            }
            None => out.item(&format!("attempt {}: none was recorded", execution.attempt)),
        }
    }
    out.blank();
}

fn fixes(out: &mut Markdown, hunt: &[&Execution]) {
    out.heading("Attempted Fixes");
    let fixes: Vec<_> =
        hunt.iter().filter_map(|one| Some((one.attempt, one.fix_applied.as_ref()?))).collect();
    for (attempt, fix) in &fixes {
        let verification = fix.verification.unwrap_or_default().name();
        let summary = fix.diff_summary.as_deref().map(|summary| format!(", {}", out.text(summary)));
        let description = out.text(&fix.description);
        out.item(&format!(
            "after attempt {attempt}: {description} ({verification}{})",
            summary.unwrap_or_default()
        ));
        let files: Vec<String> = fix.files_changed.iter().take(10).map(|file| out.code(file)).collect();
        if !files.is_empty() {
            out.line(&format!("  files: {}", files.join(", ")));
        }
    }
    if fixes.is_empty() {
        out.item("none was recorded");
    }
    out.blank();
}

fn results(out: &mut Markdown, hunt: &[&Execution], known: &KnownFailures) {
    out.heading("All Test Results");
    out.line("| attempt | when | total | passed | failed | errors | skipped | came to |");
    out.line("| --- | --- | --- | --- | --- | --- | --- | --- |");
    for execution in hunt {
        let results = &execution.test_results;
        out.line(&format!(
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            execution.attempt,
            moment(execution.timestamp),
            results.total,
            results.passed,
            results.failed,
            results.errors,
            results.skipped,
            match hunt::outcome(execution, known) {
                Outcome::Passed => "passed",
                Outcome::Failed => "failed",
                Outcome::Open => "nothing",
            }
        ));
    }
    out.blank();
}

fn memory(out: &mut Markdown, last: Option<&Execution>, facts: &Facts<'_>) {
    out.heading("Debug Memory Summary");
    for similar in facts.similar {
        let Some(what) = similar.resolution() else { continue };
        let (test, what) = (out.code(&similar.test), out.text(&what));
        let id = one_line(&similar.session_id);
        out.item(&format!("similar: {test} in session {id} was solved by: {what}"));
    }
    let known = facts.patterns.zip(last).map(|(patterns, last)| patterns::matching(last, patterns));
    for pattern in known.iter().flatten().take(MAX_TRACES) {
        let (error, fix) = (out.text(&pattern.error_pattern), out.text(&pattern.fix_template));
        out.item(&format!(
            "pattern {}: {error}; seen in {}, solved in {:.0} %; fix: {fix}",
            one_line(&pattern.pattern_id),
            plural(pattern.occurrences as usize, "hunt"),
            pattern.success_rate * 100.0
        ));
    }
    if facts.similar.is_empty() && known.is_none_or(|known| known.is_empty()) {
        out.item("nothing like it was solved before");
    }
    out.blank();
}

fn traces(out: &mut Markdown, last: Option<&Execution>) {
    let failures = last.map(|last| last.failures.as_slice()).unwrap_or_default();
    let traces: Vec<_> = failures.iter().filter_map(|one| Some((one, one.stack_trace.as_ref()?))).collect();
    out.heading("Stack Traces");
    for (failure, trace) in traces.iter().take(MAX_TRACES) {
        out.line(&out.code(&failure.test_name));
        out.blank();
        out.block("text", trace);
    }
    if traces.is_empty() {
        out.item("none was printed");
        out.blank();
    }
}

/// The files under repair as they were before the hunt; those that are new, as they were in the first attempt.
fn original_code(out: &mut Markdown, repository: &Repository, session: &Session, hunt: &[&Execution]) {
    out.heading("Original Code");
    let first = hunt.first().and_then(|first| first.proof.as_ref());
    let base = first.and_then(|proof| ObjectId::parse(proof.base_tree.as_ref()?));
    let tested = first.and_then(|proof| ObjectId::parse(&proof.tree));
    let trees = [(base, "before the hunt"), (tested, "in the first attempt")];
    let mut shown = 0;
    for file in under_repair(session, hunt).into_iter().take(MAX_CODE_FILES) {
        let found = trees.iter().find_map(|(tree, when)| {
            let content = repository.file_in_tree(tree.as_ref()?, file)?;
            (!content.contains(&0)).then_some((content, when))
        });
        if let Some((content, when)) = found {
            out.line(&format!("{} as it was {when}:", out.code(file)));
            out.blank();
            out.block("", &String::from_utf8_lossy(&content));
            shown += 1;
        }
    }
    if shown == 0 {
        out.item("not available: the tree of the first attempt is not in this repository");
        out.blank();
    }
}

fn under_repair<'s>(session: &'s Session, hunt: &[&'s Execution]) -> Vec<&'s str> {
    let mut files: Vec<&str> = vec![&session.file_path];
    let changed = hunt.iter().filter_map(|execution| execution.fix_applied.as_ref());
    for file in changed.flat_map(|fix| &fix.files_changed) {
        if !files.contains(&file.as_str()) {
            files.push(file);
        }
    }
    files
}
