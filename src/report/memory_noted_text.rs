//! What was noted about an attempt, for whoever noted it.

use super::memory_query_text::{short, short_id};
use crate::memory::{Noted, Verification};
use crate::text::{one_line, plural};

pub fn analysis(noted: &Noted) -> String {
    let mut out = heading(noted, "analysis");
    let Some(analysis) = &noted.execution().analysis else { return out };
    for issue in &analysis.similar_past_issues {
        let id = short_id(&issue.session_id);
        let resolution = issue.resolution.as_deref().map_or_else(|| "solved".to_owned(), short);
        out.push_str(&format!("  similar before, session {id}: {resolution}\n"));
    }
    if !analysis.patterns_matched.is_empty() {
        let ids: Vec<String> = analysis.patterns_matched.iter().map(|id| one_line(id)).collect();
        out.push_str(&format!("  known pattern: {}\n", ids.join(", ")));
    }
    out.push_str("Next: change the code, then `aiwg-gate run`.\n");
    out
}

pub fn fix(noted: &Noted) -> String {
    let mut out = heading(noted, "fix");
    let Some(fix) = &noted.execution().fix_applied else { return out };
    if let Some(reason) = noted.no_diff {
        out.push_str(&format!("  without a diff: {reason}\n"));
    }
    if let Some(summary) = &fix.diff_summary {
        let files: Vec<String> = fix.files_changed.iter().take(5).map(|file| one_line(file)).collect();
        let more = match fix.files_changed.len().saturating_sub(files.len()) {
            0 => String::new(),
            more => format!(" and {} more", plural(more, "file")),
        };
        out.push_str(&format!("  {} in {}{more}\n", one_line(summary), files.join(", ")));
    }
    out.push_str(match fix.verification {
        Some(Verification::Passed) => "It worked: the run after it passed.\n",
        _ => "Next: `aiwg-gate run` tells whether it worked.\n",
    });
    out
}

fn heading(noted: &Noted, what: &str) -> String {
    let verb = if noted.replaced { "replaced" } else { "noted" };
    let session = &noted.session;
    let id = short_id(&session.session_id);
    let file = one_line(&session.file_path);
    format!("The {what} of attempt {} is {verb} in session {id} ({file}).\n", noted.execution().attempt)
}
