//! Which session an attempt belongs to: the hunt under way, or a new one.

use std::collections::BTreeSet;

use anyhow::{Result, bail};

use super::format::{Proof, Session, Status};
use super::hunt;
use super::index::{Index, Summary};
use super::store::{Store, is_full};
use crate::git::Repository;
use crate::text::one_line;

/// Names the session of everything that is run below it.
pub const SESSION_VARIABLE: &str = "AIWG_SESSION_ID";

/// How sessions name the working tree of a repository; empty where it has none.
pub fn worktree_of(repository: &Repository) -> String {
    let root =
        repository.work_dir().map(|root| std::fs::canonicalize(root).unwrap_or_else(|_| root.to_owned()));
    root.map(|root| root.display().to_string()).unwrap_or_default()
}

/// Where a run takes place and what it is about, as far as that is known.
#[derive(Clone, Debug, Default)]
pub struct Work {
    pub suite: String,
    pub worktree: String,
    pub agent: Option<String>,
    pub base_commit: Option<String>,
    /// Files that differ from HEAD.
    pub changed: Vec<String>,
    /// Tests that fail; empty before the run.
    pub failing: Vec<String>,
    /// `--session`, or the variable `AIWG_SESSION_ID`.
    pub session: Option<String>,
}

/// Where an attempt goes.
#[derive(Debug, PartialEq)]
pub struct Place {
    pub session: Belongs,
    /// Hunts that the work has left.
    pub left: Vec<Session>,
}

#[derive(Debug, PartialEq)]
pub enum Belongs {
    To(Box<Session>),
    ToNew { id: String },
}

/// So many sessions under way are looked at; more are not left in one working tree.
const LOOKED_AT: usize = 20;

pub fn choose(store: &Store, index: &Index, work: &Work) -> Result<Place> {
    if let Some(id) = &work.session {
        return Ok(Place { session: named(store, id)?, left: Vec::new() });
    }
    let under_way = index.summaries().filter(|summary| is_under_way(summary, work));
    let mut left = Vec::new();
    for summary in under_way.take(LOOKED_AT) {
        let Some(session) = own(store, &summary.session_id)? else { continue };
        if overlaps(&session, work) && !is_full(&session) {
            return Ok(Place { session: Belongs::To(Box::new(session)), left: Vec::new() });
        }
        left.push(session);
    }
    Ok(Place { session: new(), left })
}

fn new() -> Belongs {
    Belongs::ToNew { id: uuid::Uuid::new_v4().to_string() }
}

/// Refuses an id that no attempt could go to, before anything runs.
pub fn check_named(store: &Store, id: &str) -> Result<()> {
    named(store, id).map(drop)
}

/// The session with an id that somebody chose.
fn named(store: &Store, id: &str) -> Result<Belongs> {
    let Some(id) = uuid::Uuid::parse_str(id.trim()).ok().map(|uuid| uuid.to_string()) else {
        bail!(
            "`{}` is not a session id: give a UUID such as {}, or leave it out to continue the work under way",
            one_line(id),
            uuid::Uuid::new_v4()
        );
    };
    match own(store, &id)? {
        Some(session) if is_full(&session) => {
            bail!("session {id} is full: give another id, or leave it out to start a new session")
        }
        Some(session) => Ok(Belongs::To(Box::new(session))),
        None => Ok(Belongs::ToNew { id }),
    }
}

/// A session that we may write: one of ours, with nothing in it that would get lost.
pub fn own(store: &Store, id: &str) -> Result<Option<Session>> {
    if !store.session_file(id).is_ok_and(|path| path.is_file()) {
        return Ok(None);
    }
    let session = store.session(id)?;
    if session.as_ref().is_some_and(|session| !session.foreign.is_empty()) {
        bail!("session {id} was written by another tool: it is left as it is");
    }
    Ok(session)
}

fn is_under_way(summary: &Summary, work: &Work) -> bool {
    summary.own
        && summary.status == Status::InProgress
        && summary.suites.contains(&work.suite)
        && summary.worktree.as_deref() == Some(&work.worktree)
        && summary.agent == work.agent
}

/// Whether the last attempt of the session was at the same work.
fn overlaps(session: &Session, work: &Work) -> bool {
    let attempts = hunt::of_suite(session, &work.suite);
    let Some(last) = attempts.last() else { return false };
    let proof = last.proof.as_ref();
    if work.base_commit.is_some()
        && proof.and_then(|proof| proof.base_commit.as_ref()) == work.base_commit.as_ref()
    {
        return true;
    }
    let before_any_commit =
        work.base_commit.is_none() && proof.is_some_and(|proof| proof.base_commit.is_none());
    let tests: BTreeSet<&str> = last.failures.iter().map(|failure| failure.test_name.as_str()).collect();
    let files: BTreeSet<&str> = proof.into_iter().flat_map(delta_paths).collect();
    before_any_commit
        || work.failing.iter().any(|test| tests.contains(test.as_str()))
        || work.changed.iter().any(|file| files.contains(file.as_str()))
}

/// The files in which what was tested differed from the base.
pub fn delta_paths(proof: &Proof) -> impl Iterator<Item = &str> {
    proof.delta.iter().map(|line| match line.strip_prefix("- ") {
        Some(gone) => gone,
        None => line.splitn(3, ' ').nth(2).unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::samples::{failing, session};

    fn store(sessions: &[Session]) -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(folder.path(), &folder.path().join("state"));
        let locked = store.lock().unwrap();
        sessions.iter().for_each(|session| locked.write(session).unwrap());
        drop(locked);
        (folder, store)
    }

    fn work() -> Work {
        let base_commit = Some("c0".to_owned());
        Work { suite: "unit".into(), worktree: "/w".into(), base_commit, ..Work::default() }
    }

    fn chosen(work: &Work) -> Place {
        let (_folder, store) = store(&[session(vec![failing(1, "a")])]);
        choose(&store, &store.index().unwrap(), work).unwrap()
    }

    fn continues(work: &Work) -> bool {
        matches!(chosen(work).session, Belongs::To(_))
    }

    #[test]
    fn work_on_the_same_base_file_or_test_goes_on() {
        assert!(continues(&work()));
        let moved = Work { base_commit: Some("c1".into()), ..work() };
        assert!(continues(&Work { changed: vec!["src/cart.py".into()], ..moved.clone() }));
        assert!(continues(&Work { failing: vec!["a".into()], ..moved }));
    }

    #[test]
    fn work_that_moved_elsewhere_leaves_the_session() {
        let moved = Work {
            base_commit: Some("c1".into()),
            changed: vec!["src/tax.py".into()],
            failing: vec!["b".into()],
            ..work()
        };
        let place = chosen(&moved);
        assert!(matches!(place.session, Belongs::ToNew { .. }));
        assert_eq!(place.left.len(), 1);
    }

    #[test]
    fn others_have_hunts_of_their_own() {
        for other in [
            Work { suite: "web".into(), ..work() },
            Work { worktree: "/other".into(), ..work() },
            Work { agent: Some("codex".into()), ..work() },
        ] {
            let place = chosen(&other);
            assert!(matches!(place.session, Belongs::ToNew { .. }) && place.left.is_empty(), "{other:?}");
        }
    }

    #[test]
    fn a_given_id_wins() {
        let id = "22222222-2222-4222-8222-222222222222";
        let given = |session: &str| Work { session: Some(session.into()), ..work() };
        let place = chosen(&given(id));
        assert_eq!(place, Place { session: Belongs::ToNew { id: id.into() }, left: Vec::new() });
        let (_folder, store) = store(&[session(vec![failing(1, "a")])]);
        let other = Work { worktree: "/other".into(), ..given("6F9619FF-8B86-4D01-B42D-00CF4FC964FF") };
        let place = choose(&store, &store.index().unwrap(), &other).unwrap();
        assert!(matches!(place.session, Belongs::To(_)));
        let error = choose(&store, &store.index().unwrap(), &given("../x")).unwrap_err().to_string();
        assert!(error.contains("`../x` is not a session id: give a UUID"), "{error}");
    }

    #[test]
    fn what_has_ended_is_not_continued() {
        for status in [Status::Passed, Status::Failed, Status::Escalated] {
            let ended = Session { status, ..session(vec![failing(1, "a")]) };
            let (_folder, store) = store(&[ended]);
            let place = choose(&store, &store.index().unwrap(), &work()).unwrap();
            assert!(matches!(place.session, Belongs::ToNew { .. }) && place.left.is_empty());
        }
    }

    #[test]
    fn paths_are_read_off_a_delta() {
        let mut proof = failing(1, "a").proof.unwrap();
        proof.delta = vec!["100644 0123 a b.py".into(), "- gone.py".into()];
        assert_eq!(delta_paths(&proof).collect::<Vec<_>>(), ["a b.py", "gone.py"]);
    }
}
