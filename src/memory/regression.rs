//! Regressions: tests that passed in an earlier attempt of the session and fail now.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read;

use super::format::{Execution, Session};
use super::hunt;
use super::store::{Beside, Store};
use crate::git::{ObjectId, Repository};
use crate::text::{from_root, shell_quote};

/// A test that an attempt broke.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Regression {
    pub test: String,
    /// The newest attempt in which it passed.
    pub passed_in_attempt: u32,
    /// What was tested then.
    pub tree: String,
}

/// More than this is no list of tests that we wrote.
const MAX_TESTS: u64 = 64 << 20;

/// More files than this are restored all at once.
const MAX_NAMED: usize = 12;

/// Outcomes of one attempt, as `runs/<session>-<attempt>.tests` has them: `outcome<TAB>id` on each line.
pub fn read_tests(store: &Store, session_id: &str, attempt: u32) -> Vec<(String, String)> {
    let mut text = String::new();
    let path = store.beside_file(session_id, Beside::Tests(attempt));
    let read = path.ok().and_then(|path| File::open(path).ok());
    let complete = read.is_some_and(|file| file.take(MAX_TESTS).read_to_string(&mut text).is_ok());
    if !complete {
        return Vec::new();
    }
    let line = |line: &str| line.split_once('\t').map(|(outcome, id)| (outcome.to_owned(), id.to_owned()));
    text.lines().filter_map(line).collect()
}

/// A name as it stands in that list.
pub fn flat(text: &str) -> String {
    text.replace(['\n', '\r', '\t'], " ")
}

pub fn tests_to_text(tests: &[(String, String)]) -> String {
    tests.iter().map(|(outcome, id)| format!("{}\t{}\n", flat(outcome), flat(id))).collect()
}

/// Tests that fail in `now` and passed in an attempt of the session before it. An attempt on the same content tells
/// of a test that is not stable, not of a change that broke it.
pub fn find(
    store: &Store,
    session: &Session,
    now: &Execution,
    failing: &BTreeSet<String>,
) -> Vec<Regression> {
    let tree = |execution: &Execution| execution.proof.as_ref().map(|proof| proof.tree.clone());
    let mut found: BTreeMap<String, Regression> = BTreeMap::new();
    let earlier = hunt::of_suite(session, hunt::suite_of(now)).into_iter();
    for execution in earlier.filter(|execution| execution.attempt < now.attempt) {
        let Some(tree) = tree(execution).filter(|before| tree(now).as_ref() != Some(before)) else {
            continue;
        };
        for (outcome, test) in read_tests(store, &session.session_id, execution.attempt) {
            if outcome == "passed" && failing.contains(&test) {
                let passed_in_attempt = execution.attempt;
                let regression = Regression { test: test.clone(), passed_in_attempt, tree: tree.clone() };
                found.insert(test, regression);
            }
        }
    }
    found.into_values().collect()
}

/// What to type to get the files of an earlier attempt back. Files that were added since then stay.
pub fn restore_command(repository: &Repository, earlier: &str, now: Option<&str>) -> String {
    let trees = (ObjectId::parse(earlier), now.and_then(ObjectId::parse));
    let difference = match &trees {
        (Some(before), Some(after)) => repository.tree_difference(before, after).ok(),
        _ => None,
    };
    let named = difference.filter(|difference| difference.total <= MAX_NAMED).map(|difference| {
        let there = difference.files.iter().filter(|file| file.was_there);
        there.map(|file| format!(" {}", shell_quote(&from_root(&file.path)))).collect::<String>()
    });
    let files = named.filter(|files| !files.is_empty()).unwrap_or_else(|| " :/".to_owned());
    format!("git restore --source={} --worktree --{files}", shell_quote(earlier))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::samples::{failing, repository, session, tree};

    fn listed(tests: &[(&str, &str)]) -> String {
        let owned: Vec<_> = tests.iter().map(|(outcome, id)| (outcome.to_string(), id.to_string())).collect();
        tests_to_text(&owned)
    }

    #[test]
    fn what_passed_before_and_fails_now_is_named_with_the_newest_good_attempt() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(folder.path(), &folder.path().join("state"));
        let session = session(vec![failing(1, "a"), failing(2, "a"), failing(3, "b")]);
        let id = &session.session_id;
        let locked = store.lock().unwrap();
        let write = |attempt, tests: &[(&str, &str)]| {
            locked.write_beside(id, Beside::Tests(attempt), listed(tests).as_bytes()).unwrap()
        };
        write(1, &[("failed", "a"), ("passed", "b"), ("passed", "c")]);
        write(2, &[("failed", "a"), ("passed", "b")]);
        let failing_now = BTreeSet::from(["a".to_owned(), "b".to_owned()]);
        let found = find(&store, &session, &session.executions[2], &failing_now);
        let expected = Regression { test: "b".into(), passed_in_attempt: 2, tree: "tree2".into() };
        assert_eq!(found, [expected]);
        let mut same = session.executions[2].clone();
        same.proof.as_mut().unwrap().tree = "tree2".into();
        assert_eq!(find(&store, &session, &same, &failing_now)[0].passed_in_attempt, 1);
        same.proof.as_mut().unwrap().suite = "web".into();
        assert_eq!(find(&store, &session, &same, &failing_now), []);
    }

    #[test]
    fn the_command_restores_what_differs() {
        let folder = tempfile::tempdir().unwrap();
        let repository = repository(folder.path());
        let before = tree(&repository, &[("src/a.py", "good\n"), ("b [x].py", "b\n")]);
        let after = tree(&repository, &[("src/a.py", "bad\n"), ("b [x].py", "worse\n"), ("new.py", "n\n")]);
        let command = restore_command(&repository, before.as_str(), Some(after.as_str()));
        assert!(command.ends_with("--worktree -- ':(top,literal)b [x].py' :/src/a.py"), "{command}");
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &command]).current_dir(folder.path().join("src"));
        assert!(shell.status().unwrap().success(), "{command}");
        assert_eq!(std::fs::read_to_string(folder.path().join("src/a.py")).unwrap(), "good\n");
        assert_eq!(std::fs::read_to_string(folder.path().join("b [x].py")).unwrap(), "b\n");
        let whole = restore_command(&repository, before.as_str(), None);
        assert!(whole.ends_with("--worktree -- :/"), "{whole}");
    }

    #[test]
    fn names_of_tests_cannot_break_the_list() {
        let tests = vec![("passed".to_owned(), "a\nfailed\tb".to_owned())];
        assert_eq!(tests_to_text(&tests), "passed\ta failed b\n");
    }
}
