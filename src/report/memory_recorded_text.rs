//! What memory makes of a run, to be printed after it.

use super::memory_query_text::{short, short_id};
use crate::memory::{Outcome, Recorded, Similar};
use crate::text::{one_line, plural, shell_quote};

/// Regressions that are named.
const SHOWN: usize = 10;

pub fn render(recorded: &Recorded) -> String {
    let mut out = attempt(recorded);
    for regression in recorded.regressions.iter().take(SHOWN) {
        let test = one_line(&regression.test);
        let passed = regression.passed_in_attempt;
        out.push_str(&format!("  regression: {test} passed in attempt {passed} and fails now\n"));
    }
    if recorded.regressions.len() > SHOWN {
        let more = plural(recorded.regressions.len() - SHOWN, "more regression");
        out.push_str(&format!("  and {more}\n"));
    }
    if let Some(restore) = &recorded.restore {
        out.push_str(&format!("  to get those files back:\n    {}\n", one_line(restore)));
    }
    recorded.similar.iter().for_each(|one| out.push_str(&similar(one)));
    if recorded.fix_verified {
        out.push_str("  the change since the failed attempt is noted as a verified fix\n");
    }
    for learned in &recorded.learned {
        out.push_str(&format!("  learned: {}\n", short(learned)));
    }
    for warning in &recorded.warnings {
        out.push_str(&format!("  warning: {}\n", one_line(warning)));
    }
    if recorded.analysis_missing {
        out.push_str("  the attempt before was never analysed: say why it failed before you try again\n");
    }
    if recorded.outcome == Outcome::Failed && recorded.counted && recorded.escalation.is_none() {
        let id = shell_quote(&recorded.session.session_id);
        out.push_str(&format!(
            "  next: aiwg-gate memory analyze --session {id} --root-cause \"...\" --strategy \"...\"\n"
        ));
    }
    if let Some(escalation) = &recorded.escalation {
        let path = one_line(&escalation.path.display().to_string());
        out.push_str(&format!("  escalated ({}): {path}\n\n", escalation.reason.name()));
        out.push_str(&escalation.markdown);
    }
    out
}

/// `attempt 2 of 3` where a limit applies, else only the number.
fn attempt(recorded: &Recorded) -> String {
    let id = short_id(&recorded.session.session_id);
    let limit = match (recorded.counted, recorded.outcome) {
        (true, Outcome::Failed) => {
            format!(", failed {} of {} times", recorded.failed_in_a_row, recorded.max_attempts)
        }
        _ => String::new(),
    };
    let status = match recorded.outcome {
        Outcome::Open => format!("{}, this run decides nothing", recorded.session.status.name()),
        _ => recorded.session.status.name().to_owned(),
    };
    format!("attempt {} of session {id} ({status}){limit}\n", recorded.attempt)
}

fn similar(similar: &Similar) -> String {
    let when = similar.when.map(|time| time.format(" on %Y-%m-%d").to_string()).unwrap_or_default();
    let id = short_id(&similar.session_id);
    let mut out = format!("  similar{when}: {} (session {id})\n", one_line(&similar.test));
    if let Some(cause) = &similar.root_cause {
        out.push_str(&format!("    cause: {}\n", short(cause)));
    }
    if let Some(fixed) = similar.resolution() {
        let summary = similar.diff_summary.as_deref().filter(|summary| !fixed.contains(summary));
        let summary = summary.map(|summary| format!(" ({})", one_line(summary)));
        out.push_str(&format!("    fixed by: {}{}\n", short(&fixed), summary.unwrap_or_default()));
    }
    out
}
