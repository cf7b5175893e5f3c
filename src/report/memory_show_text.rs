//! One session for people.

use super::memory_query_text::short;
use crate::memory::{Execution, Failure, FixApplied, Proof, ProofEnd, Session, verify_chain};
use crate::text::{moment, one_line, plural, printable};

/// Failures of one attempt that are listed without asking for more.
const SHOWN: usize = 10;

/// With `all`, stack traces, diffs and every failure.
pub fn render(session: &Session, all: bool) -> String {
    let mut out = header(session);
    for execution in &session.executions {
        out.push('\n');
        out.push_str(&attempt(execution, all));
    }
    out.push_str(&learnings(session));
    for foreign in &session.foreign {
        out.push_str(&format!("{:11}{}\n", one_line(&foreign.place), short(&foreign.value)));
    }
    out
}

fn header(session: &Session) -> String {
    let metadata = session.metadata.clone().unwrap_or_default();
    let chain = match verify_chain(session) {
        _ if session.executions.iter().all(|execution| execution.proof.is_none()) => None,
        Ok(()) => Some("intact".to_owned()),
        Err(broken) => Some(format!("broken: {broken}")),
    };
    let fields = [
        ("session", Some(session.session_id.clone())),
        ("file", Some(session.file_path.clone())),
        ("status", Some(session.status.name().to_owned())),
        ("started", session.created_at.map(moment)),
        ("agent", metadata.agent),
        ("task", metadata.task_id),
        ("iteration", metadata.ralph_iteration.map(|iteration| iteration.to_string())),
        ("worktree", metadata.worktree),
        ("chain", chain),
    ];
    let line = |(name, value): (&str, Option<String>)| Some(format!("{name:11}{}\n", one_line(&value?)));
    fields.into_iter().filter_map(line).collect()
}

fn attempt(execution: &Execution, all: bool) -> String {
    let results = &execution.test_results;
    let mut counts = vec![plural(results.total as usize, "test"), format!("{} passed", results.passed)];
    for (count, name) in
        [(results.failed, "failed"), (results.errors, "errors"), (results.skipped, "skipped")]
    {
        if count > 0 {
            counts.push(format!("{count} {name}"));
        }
    }
    let suite = execution.proof.as_ref().map(|proof| format!("{}: ", one_line(&proof.suite)));
    let mut out = format!(
        "attempt {}  {}  {}{}\n",
        execution.attempt,
        moment(execution.timestamp),
        suite.unwrap_or_default(),
        counts.join(", ")
    );
    if let Some(ended) = execution.proof.as_ref().and_then(ended) {
        out.push_str(&format!("  ended     {ended}\n"));
    }
    for weak in execution.proof.iter().flat_map(|proof| &proof.weak) {
        out.push_str(&format!("  weak      {}\n", one_line(weak)));
    }
    let shown = if all { usize::MAX } else { SHOWN };
    execution.failures.iter().take(shown).for_each(|one| out.push_str(&failure(one, all)));
    if execution.failures.len() > shown {
        let more = execution.failures.len() - shown;
        out.push_str(&format!("  and {} (-v shows them)\n", plural(more, "more failure")));
    }
    if let Some(analysis) = &execution.analysis {
        let sure = analysis.confidence.map(|confidence| format!(" (confidence {confidence:.2})"));
        let category = analysis.root_cause_category.map(|category| format!("[{}] ", category.name()));
        let (category, sure) = (category.unwrap_or_default(), sure.unwrap_or_default());
        out.push_str(&format!("  cause     {category}{}{sure}\n", one_line(&analysis.root_cause)));
        out.push_str(&format!("  strategy  {}\n", one_line(&analysis.fix_strategy)));
        for issue in &analysis.similar_past_issues {
            let resolution = issue.resolution.as_deref().map(short).unwrap_or_default();
            out.push_str(&format!("  similar   {}: {resolution}\n", one_line(&issue.session_id)));
        }
    }
    if let Some(applied) = &execution.fix_applied {
        out.push_str(&fix(applied, all));
    }
    out
}

/// How a run ended, where its tests do not tell.
fn ended(proof: &Proof) -> Option<String> {
    Some(match (proof.ended, proof.exit_code) {
        (ProofEnd::Exited, Some(0) | None) => return None,
        (ProofEnd::Exited, Some(code)) => format!("with exit code {code}"),
        (ProofEnd::Signal, _) => "by a signal: it crashed or was killed".to_owned(),
        (ProofEnd::Timeout, _) => "by its time limit".to_owned(),
        (ProofEnd::Interrupted, _) => "by an interrupt, before all tests had run".to_owned(),
        (ProofEnd::NotStarted, _) => "before it began: the command could not be started".to_owned(),
    })
}

fn failure(failure: &Failure, all: bool) -> String {
    let mut out = format!("  failed    {}\n", one_line(&failure.test_name));
    let message = if all { one_line(&failure.error_message) } else { short(&failure.error_message) };
    out.push_str(&format!("            {}\n", failure.error_type.before(&message)));
    if let Some(place) = &failure.source_location {
        let line = place.line.map(|line| format!(":{line}")).unwrap_or_default();
        out.push_str(&format!("            at {}{line}\n", one_line(&place.file)));
    }
    if let Some(trace) = failure.stack_trace.as_ref().filter(|_| all) {
        out.push_str(&indented(trace));
    }
    out
}

fn fix(fix: &FixApplied, all: bool) -> String {
    let facts = [fix.diff_summary.clone(), fix.verification.map(|one| one.name().to_owned())];
    let facts: Vec<String> = facts.into_iter().flatten().map(|fact| one_line(&fact)).collect();
    let facts = if facts.is_empty() { String::new() } else { format!(" ({})", facts.join(", ")) };
    let mut out = format!("  fix       {}{facts}\n", one_line(&fix.description));
    for file in fix.files_changed.iter().take(SHOWN) {
        out.push_str(&format!("            {}\n", one_line(file)));
    }
    if let Some(diff) = fix.diff.as_ref().filter(|_| all) {
        out.push_str(&indented(diff));
    }
    out
}

fn indented(text: &str) -> String {
    printable(text).lines().map(|line| format!("            | {line}\n")).collect()
}

fn learnings(session: &Session) -> String {
    let Some(learnings) = &session.learnings else { return String::new() };
    let mut out = String::from("\nlearned\n");
    for pattern in &learnings.patterns_identified {
        let times = pattern.frequency.map(|frequency| format!(" ({frequency} x)")).unwrap_or_default();
        out.push_str(&format!("  pattern   {}{times}\n", short(&pattern.pattern)));
        if let Some(template) = &pattern.fix_template {
            out.push_str(&format!("            fix: {}\n", short(template)));
        }
    }
    for recurring in &learnings.recurring_failures {
        let resolution = recurring.resolution.as_deref().map(short).unwrap_or_default();
        let test = one_line(&recurring.test);
        out.push_str(&format!("  again     {test} failed {} x: {resolution}\n", recurring.occurrences));
    }
    for issue in learnings.code_quality_issues.iter().chain(&learnings.recommendations) {
        out.push_str(&format!("  note      {}\n", short(issue)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::samples::{failing, passing, session};

    #[test]
    fn an_attempt_says_how_it_ended() {
        let told = |ended: ProofEnd, exit_code: Option<i32>| {
            let mut execution = passing(1);
            let proof = execution.proof.as_mut().unwrap();
            (proof.ended, proof.exit_code) = (ended, exit_code);
            render(&session(vec![execution]), false)
        };
        assert!(!told(ProofEnd::Exited, Some(0)).contains("ended"));
        for (ended, code, words) in [
            (ProofEnd::Exited, Some(3), "with exit code 3"),
            (ProofEnd::Signal, None, "by a signal"),
            (ProofEnd::Timeout, None, "by its time limit"),
            (ProofEnd::Interrupted, None, "by an interrupt"),
        ] {
            assert!(told(ended, code).contains(&format!("\n  ended     {words}")), "{ended:?}");
        }
    }

    #[test]
    fn the_type_of_an_error_is_said_once() {
        let mut failed = failing(1, "a");
        failed.failures[0].error_message = "AssertionError: 3 != 4".into();
        let told = render(&session(vec![failed]), false);
        assert!(told.contains("            AssertionError: 3 != 4\n"), "{told}");
    }
}
