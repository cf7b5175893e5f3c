//! What earlier audits found out, kept in the repository's own folder.
//!
//! A report depends on the commit and the program alone: the commit names its parents, and with them the policy it is
//! judged by. So a line per commit is all there is, in a file per build of the program. Derived data: anyone may delete
//! it, a line that is not whole counts as none, and where nothing can be written everything works, only slower.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::Result;

use super::record;
use crate::collections::HashMap;
use crate::digest::Hasher;
use crate::files::{self, Replace};
use crate::git::{ObjectId, Repository};
use crate::verdict::Report;

/// Counts up when the lines change their form.
const FORMAT: &str = "2";

const SUFFIX: &str = ".audit";

/// The newest lines are kept up to here: some 50,000 commits.
const LIMIT: usize = 32 << 20;

/// Files of so many builds are kept.
const BUILDS: usize = 3;

/// What is known, by commit. Read once; other processes may add to the file meanwhile.
#[derive(Default)]
pub struct Store {
    file: Option<PathBuf>,
    text: String,
    lines: HashMap<ObjectId, Range<usize>>,
}

impl Store {
    /// Knows nothing and keeps nothing.
    pub fn none() -> Self {
        Self::default()
    }

    /// What is kept for this repository. In a shallow clone nothing is: the same commits mean something else once more
    /// of their history is there.
    pub fn open(repository: &Repository) -> Self {
        if repository.has_cut_history() {
            return Self::none();
        }
        let Some(build) = build() else { return Self::none() };
        let folder = files::state_folder(repository.common_dir());
        Self::at(folder.join(format!("{build}{SUFFIX}")))
    }

    fn at(file: PathBuf) -> Self {
        let text = read(&file);
        let lines = index(&text);
        Self { file: Some(file), text, lines }
    }

    pub fn get(&self, commit: &ObjectId) -> Option<Report> {
        let line = &self.text[self.lines.get(commit)?.clone()];
        record::read(commit, as_written(commit, line)?)
    }

    /// Adds new reports to the file. Not being able to is no error.
    pub fn add(&self, new: &[(ObjectId, String)]) {
        if let Some(file) = &self.file
            && !new.is_empty()
        {
            let _ = add(file, new);
        }
    }
}

fn add(file: &Path, new: &[(ObjectId, String)]) -> Result<()> {
    let _lock = files::lock(&file.with_extension("lock"))?;
    // As it is now: others may have added to it.
    let mut text = read(file);
    let known = index(&text);
    let is_known = |commit: &ObjectId| {
        known.get(commit).is_some_and(|line| as_written(commit, &text[line.clone()]).is_some())
    };
    let fresh = new.iter().filter(|(commit, _)| !is_known(commit));
    let fresh: String =
        fresh.map(|(commit, line)| format!("{commit} {} {line}\n", check_of(commit, line))).collect();
    text.push_str(&fresh);
    Replace::default().derived().write(file, newest(&text).as_bytes())?;
    if let Some(folder) = file.parent() {
        prune(folder, file);
    }
    Ok(())
}

/// The end of a text, whole lines only, as far as the limit allows.
fn newest(text: &str) -> &str {
    let Some(over) = text.len().checked_sub(LIMIT).filter(|over| *over > 0) else { return text };
    let start =
        text.as_bytes()[over..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |at| over + at + 1);
    &text[start..]
}

fn read(file: &Path) -> String {
    let bytes = files::read_bounded(file, 2 * LIMIT as u64).map(|(bytes, _)| bytes).unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_default()
}

/// What a line says of a commit, unless it was damaged since: that could pass for another verdict.
fn as_written<'l>(commit: &ObjectId, line: &'l str) -> Option<&'l str> {
    let (check, said) = line.split_once(' ')?;
    (check == check_of(commit, said)).then_some(said)
}

fn check_of(commit: &ObjectId, line: &str) -> String {
    let mut digest = Hasher::default();
    digest.add(commit.as_str()).add(line);
    digest.named().trim_start_matches("sha256:").chars().take(CHECK).collect()
}

/// So many digits tell damage.
const CHECK: usize = 16;

/// Where the line of each commit is; those that are no line of ours are passed over.
fn index(text: &str) -> HashMap<ObjectId, Range<usize>> {
    let mut lines = HashMap::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if let Some((commit, rest)) = line.split_once(' ')
            && rest.ends_with("}\n")
            && let Some(commit) = ObjectId::parse(commit)
        {
            let at = start + line.len() - rest.len();
            lines.insert(commit, at..start + line.len() - 1);
        }
        start += line.len();
    }
    lines
}

/// Removes what builds left that were not used for long.
fn prune(folder: &Path, own: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut others: Vec<(SystemTime, PathBuf)> = entries
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().ends_with(SUFFIX) && entry.path() != own)
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    others.sort();
    others.reverse();
    for (_, file) in others.into_iter().skip(BUILDS - 1) {
        // One that cannot be removed is in nobody's way.
        let _ = fs::remove_file(file.with_extension("lock"));
        let _ = fs::remove_file(file);
    }
}

/// Names this build of the program: rules may change without a new version.
fn build() -> Option<String> {
    let program = std::env::current_exe().ok()?;
    let metadata = fs::metadata(program).ok()?;
    let changed = metadata.modified().ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    let mut digest = Hasher::default();
    for part in [env!("CARGO_PKG_VERSION"), FORMAT] {
        digest.add((part.len() as u64).to_le_bytes()).add(part);
    }
    digest.add(metadata.len().to_le_bytes()).add(changed.as_nanos().to_le_bytes());
    Some(digest.named().trim_start_matches("sha256:").chars().take(16).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commit(digit: char) -> ObjectId {
        ObjectId::parse(&digit.to_string().repeat(40)).unwrap()
    }

    fn line() -> String {
        r#"{"verdict":1,"base":null,"files":3,"before":[1,0,2],"after":[1,1,2]}"#.to_owned()
    }

    #[test]
    fn what_was_added_is_known_the_next_time() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x.audit");
        Store::at(file.clone()).add(&[(commit('a'), line())]);
        Store::at(file.clone()).add(&[(commit('b'), line()), (commit('a'), line())]);
        let store = Store::at(file.clone());
        let report = store.get(&commit('a')).unwrap();
        assert_eq!((report.change.files, report.after.skipped), (3, 1));
        assert!(store.get(&commit('b')).is_some() && store.get(&commit('c')).is_none());
        assert_eq!(fs::read_to_string(file).unwrap().lines().count(), 2);
    }

    #[test]
    fn a_line_that_is_not_whole_counts_as_none() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x.audit");
        Store::at(file.clone()).add(&[(commit('a'), line()), (commit('b'), line())]);
        let whole = fs::read_to_string(&file).unwrap();
        fs::write(&file, format!("{}\n\0\0\0", &whole[..whole.len() - 20])).unwrap();
        let store = Store::at(file.clone());
        assert!(store.get(&commit('a')).is_some() && store.get(&commit('b')).is_none());
        fs::write(&file, b"\xff\xfe").unwrap();
        assert!(Store::at(file).get(&commit('a')).is_none());
    }

    #[test]
    fn a_line_with_another_digit_counts_as_none() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x.audit");
        Store::at(file.clone()).add(&[(commit('a'), line())]);
        let damaged = fs::read_to_string(&file).unwrap().replace("\"verdict\":1", "\"verdict\":0");
        fs::write(&file, damaged).unwrap();
        assert!(Store::at(file.clone()).get(&commit('a')).is_none());
        Store::at(file.clone()).add(&[(commit('a'), line())]);
        assert!(Store::at(file).get(&commit('a')).is_some());
    }

    #[test]
    fn a_rule_that_is_gone_makes_its_line_unknown() {
        let unknown = r#"{"rule":"gone","severity":1,"confidence":1.0,"lowered":false,"side":0,"path":"a","line":1,
            "symbol":"a","message":"","help":"","before":null,"after":null,"evidence":[],"action":1}"#;
        let with =
            line().replace("\"after\":[1,1,2]", &format!("\"after\":[1,1,2],\"findings\":[{unknown}]"));
        assert!(record::read(&commit('a'), &with).is_none());
        assert!(record::read(&commit('a'), &with.replace("gone", "test-removed")).is_some());
    }

    #[test]
    fn many_builds_leave_few_files() {
        let folder = tempfile::tempdir().unwrap();
        for build in 0..6 {
            Store::at(folder.path().join(format!("{build}.audit"))).add(&[(commit('a'), line())]);
        }
        let left = fs::read_dir(folder.path()).unwrap().flatten();
        let left = left.filter(|entry| entry.file_name().to_string_lossy().ends_with(SUFFIX)).count();
        assert_eq!(left, BUILDS);
    }

    #[test]
    fn the_oldest_lines_give_way() {
        let text = format!("{}\nlast\n", "x".repeat(LIMIT));
        assert_eq!(newest(&text), "last\n");
        assert_eq!(newest("a\nb\n"), "a\nb\n");
    }
}
