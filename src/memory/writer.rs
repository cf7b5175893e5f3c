//! Sessions as YAML, strictly to the schema: what does not fit it is refused before anything is written.

use anyhow::{Context, Result, bail, ensure};

use super::format::{Analysis, Execution, Learnings, Session};
use super::learned::{LearnedPattern, LearnedPatterns};
use super::limits;
use crate::text::one_line;

/// Shorter ones explain nothing.
pub const MIN_EXPLANATION: usize = 20;

pub fn to_yaml(session: &Session) -> Result<String> {
    check(session)?;
    let mut session = session.clone();
    for execution in &mut session.executions {
        execution.analysis.iter_mut().for_each(limits::cut_analysis);
        execution.fix_applied.iter_mut().for_each(limits::cut_fix);
    }
    let text = serde_yaml::to_string(&session).context("cannot write the session as YAML")?;
    if text.len() as u64 > limits::MAX_FILE {
        bail!("the session has more than {} MiB: start a new one", limits::MAX_FILE >> 20);
    }
    Ok(text)
}

pub fn patterns_to_yaml(patterns: &LearnedPatterns) -> Result<String> {
    for LearnedPattern { pattern_id, error_pattern, success_rate, .. } in &patterns.patterns {
        ensure!(
            !pattern_id.is_empty() && !error_pattern.is_empty(),
            "a learned pattern has no id or no pattern"
        );
        share(*success_rate, "the success rate of a learned pattern")?;
    }
    serde_yaml::to_string(patterns).context("cannot write the patterns as YAML")
}

fn check(session: &Session) -> Result<()> {
    ensure!(
        session.foreign.is_empty(),
        "the session `{}` is of another tool and is left alone: start a new one",
        one_line(&session.session_id)
    );
    ensure!(!session.file_path.is_empty(), "a session needs the path of the file that it is about");
    let mut last = 0;
    for execution in &session.executions {
        let attempt = execution.attempt;
        ensure!(attempt > last, "attempt {attempt} does not come after attempt {last}: number them from 1");
        last = attempt;
        check_execution(execution).with_context(|| format!("attempt {attempt}"))?;
    }
    session.learnings.as_ref().map_or(Ok(()), check_learnings)
}

fn check_execution(execution: &Execution) -> Result<()> {
    ensure!(!execution.code_hash.is_empty(), "there is no code hash");
    if let Some(coverage) = execution.test_results.coverage_percent {
        ensure!((0.0..=100.0).contains(&coverage), "the coverage is {coverage}: it must be from 0 to 100");
    }
    ensure!(execution.failures.iter().all(|failure| !failure.test_name.is_empty()), "a failure has no test");
    if let Some(fix) = &execution.fix_applied {
        ensure!(!fix.description.is_empty(), "the fix has no description: say what was changed");
    }
    execution.analysis.as_ref().map_or(Ok(()), check_analysis)
}

fn check_analysis(analysis: &Analysis) -> Result<()> {
    let texts = [("root cause", &analysis.root_cause), ("fix strategy", &analysis.fix_strategy)];
    for (what, text) in texts {
        let length = text.trim().chars().count();
        ensure!(
            length >= MIN_EXPLANATION,
            "the {what} has {length} characters: write at least {MIN_EXPLANATION}, so that it explains something"
        );
    }
    analysis.confidence.map_or(Ok(()), |confidence| share(confidence, "the confidence"))
}

fn check_learnings(learnings: &Learnings) -> Result<()> {
    for pattern in &learnings.patterns_identified {
        ensure!(!pattern.pattern.is_empty(), "a pattern is empty");
        pattern.effectiveness.map_or(Ok(()), |effectiveness| share(effectiveness, "the effectiveness"))?;
    }
    Ok(())
}

fn share(number: f64, what: &str) -> Result<()> {
    ensure!((0.0..=1.0).contains(&number), "{what} is {number}: it must be from 0 to 1");
    Ok(())
}

#[cfg(test)]
#[path = "writer_tests.rs"]
mod tests;
