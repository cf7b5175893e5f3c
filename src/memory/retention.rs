//! How long sessions are kept.

use super::format::{Session, Verification};

/// Whether a session taught something: lessons, or a fix that a later run verified.
pub fn has_learned(session: &Session) -> bool {
    let fixes = session.executions.iter().filter_map(|execution| execution.fix_applied.as_ref());
    let lessons = session.learnings.as_ref().is_some_and(|learnings| {
        !learnings.patterns_identified.is_empty()
            || !learnings.recurring_failures.is_empty()
            || !learnings.recommendations.is_empty()
    });
    lessons || fixes.into_iter().any(|fix| fix.verification == Some(Verification::Passed))
}
