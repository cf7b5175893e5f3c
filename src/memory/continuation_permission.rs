//! Whether a run may start: after a failed attempt somebody has to say first why it failed, where the policy asks so.

use anyhow::Result;

use super::continuation::{self, Belongs, Work};
use super::format::{Session, Status};
use super::hunt::{self, KnownFailures};
use super::index::Index;
use super::store::{Beside, Store};
use crate::policy::{FeedbackSettings, RequireAnalysis};
use crate::text::shell_quote;

/// The answer, with a message for whoever started the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Permission {
    Granted,
    /// It may run, and this should be said.
    Warned(String),
    Refused(String),
}

/// `counted`: an agent's run, or one in a loop. Others are never asked for anything.
pub fn may_run(store: &Store, work: &Work, counted: bool, settings: &FeedbackSettings) -> Result<Permission> {
    if !counted {
        return Ok(Permission::Granted);
    }
    let index = store.index()?;
    let place = continuation::choose(store, &index, work)?;
    let session = match place.session {
        Belongs::To(session) => *session,
        Belongs::ToNew { .. } => return escalated_before(store, &index, work),
    };
    let known = KnownFailures::of(&index, &work.suite);
    let failed = hunt::last_failed(&session, &work.suite, &known);
    let Some(failed) = failed.filter(|execution| execution.analysis.is_none()) else {
        return Ok(Permission::Granted);
    };
    let message = message(&session, failed.attempt);
    Ok(match settings.require_analysis {
        RequireAnalysis::Off => Permission::Granted,
        RequireAnalysis::Warn => Permission::Warned(message),
        RequireAnalysis::Block => Permission::Refused(message),
    })
}

fn message(session: &Session, attempt: u32) -> String {
    format!(
        "attempt {attempt} failed and nobody said why. Say so before the next attempt:\n  \
         aiwg-gate memory analyze --session {} --root-cause \"...\" --strategy \"...\"",
        shell_quote(&session.session_id)
    )
}

/// A hunt that was escalated waits for a person; the next run starts a new one, and says so.
fn escalated_before(store: &Store, index: &Index, work: &Work) -> Result<Permission> {
    let newest = index.summaries().find(|summary| {
        summary.suites.contains(&work.suite)
            && summary.worktree.as_deref() == Some(&work.worktree)
            && summary.agent == work.agent
    });
    let Some(escalated) = newest.filter(|summary| summary.status == Status::Escalated) else {
        return Ok(Permission::Granted);
    };
    Ok(match store.beside_file(&escalated.session_id, Beside::Escalation) {
        Ok(path) if path.is_file() => Permission::Warned(format!(
            "the session before was escalated and waits for a person: {}\nThis run starts a new session.",
            path.display()
        )),
        _ => Permission::Granted,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::samples::{analysis, failing, passing, session};

    fn asked(sessions: &[Session], counted: bool, require_analysis: RequireAnalysis) -> Permission {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(folder.path(), &folder.path().join("state"));
        let locked = store.lock().unwrap();
        for session in sessions {
            locked.write(session).unwrap();
            if session.status == Status::Escalated {
                locked.write_beside(&session.session_id, Beside::Escalation, b"report").unwrap();
            }
        }
        drop(locked);
        let base_commit = Some("c0".to_owned());
        let work = Work { suite: "unit".into(), worktree: "/w".into(), base_commit, ..Work::default() };
        let settings = FeedbackSettings { require_analysis, ..FeedbackSettings::default() };
        may_run(&store, &work, counted, &settings).unwrap()
    }

    #[test]
    fn a_failed_attempt_wants_an_analysis() {
        let failed = [session(vec![failing(1, "a")])];
        let warned = asked(&failed, true, RequireAnalysis::Warn);
        let Permission::Warned(message) = warned else { panic!("{warned:?}") };
        assert!(message.contains("attempt 1 failed") && message.contains("memory analyze --session 6f96"));
        assert!(matches!(asked(&failed, true, RequireAnalysis::Block), Permission::Refused(_)));
        assert_eq!(asked(&failed, true, RequireAnalysis::Off), Permission::Granted);
    }

    #[test]
    fn a_person_is_not_asked() {
        let failed = [session(vec![failing(1, "a")])];
        assert_eq!(asked(&failed, false, RequireAnalysis::Block), Permission::Granted);
    }

    #[test]
    fn quiet_after_an_analysis_and_after_a_pass() {
        let mut analysed = failing(1, "a");
        analysed.analysis = Some(analysis());
        assert_eq!(asked(&[session(vec![analysed])], true, RequireAnalysis::Block), Permission::Granted);
        let passed = session(vec![failing(1, "a"), passing(2)]);
        assert_eq!(asked(&[passed], true, RequireAnalysis::Block), Permission::Granted);
        assert_eq!(asked(&[], true, RequireAnalysis::Block), Permission::Granted);
    }

    #[test]
    fn after_an_escalation_a_new_session_starts_and_says_so() {
        let escalated = Session { status: Status::Escalated, ..session(vec![failing(1, "a")]) };
        let answer = asked(&[escalated], true, RequireAnalysis::Block);
        let Permission::Warned(message) = answer else { panic!("{answer:?}") };
        assert!(message.contains("waits for a person") && message.contains(".escalation.md"), "{message}");
    }
}
