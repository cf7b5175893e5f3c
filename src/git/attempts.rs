//! Trees of attempts: how they differ from each other and from the working tree, what they held, the references
//! that keep them.
//!
//! Never writes to the working tree or the index: where git needs an index, it gets one of its own.

use std::collections::BTreeSet;
use std::io::Read;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use super::object::ObjectId;
use super::program::Git;
use super::repository::Repository;

/// References below this keep the tree of each attempt: `<session>/<attempt>`.
pub const ATTEMPTS_REF: &str = "refs/aiwg-gate/attempts";

/// The gate's own records are no part of what is repaired.
const OWN: &str = ":(top,exclude).aiwg";

/// How many files of a difference are named, and how much of its text is kept.
const MAX_FILES: usize = 100;
const MAX_TEXT: u64 = 16 * 1024;

/// Larger files are not quoted in reports.
const MAX_FILE: u64 = 1024 * 1024;

/// What differs between two states of the tested files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    pub added: u64,
    pub removed: u64,
    /// Sorted; at most a hundred of them.
    pub files: Vec<ChangedFile>,
    /// How many files differ in all.
    pub total: usize,
    /// The patch, cut off where it is long.
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedFile {
    pub path: String,
    /// Whether the earlier state has it.
    pub was_there: bool,
}

impl Difference {
    /// As in `+5/-2 lines`.
    pub fn summary(&self) -> String {
        format!("+{}/-{} lines", self.added, self.removed)
    }

    pub fn paths(&self) -> Vec<String> {
        self.files.iter().map(|file| file.path.clone()).collect()
    }
}

impl Repository {
    /// How a later tree differs from an earlier one.
    pub fn tree_difference(&self, before: &ObjectId, after: &ObjectId) -> Result<Difference> {
        // A path pattern counts from where git runs.
        let git = self.work_dir().map_or_else(|| self.git().clone(), Git::at);
        difference(&git, &["diff-tree", "-r"], &[before.as_str(), after.as_str()])
    }

    /// How the files on disk, untracked ones included, differ from a tree.
    pub fn worktree_difference(&self, before: &ObjectId) -> Result<Difference> {
        let root = self.work_dir().context("this repository has no working tree")?;
        let folder = tempfile::tempdir().context("cannot make a temporary directory")?;
        let index = folder.path().join("index");
        // The stat data of the real index saves git from reading every file again.
        if self.index_file().exists() {
            std::fs::copy(self.index_file(), &index).context("cannot copy the index")?;
        }
        let git = Git::at(root).with_index(&index);
        git.output(&["read-tree", "--reset", before.as_str()])?;
        let others = git.output(&["ls-files", "--others", "--exclude-standard", "-z"])?;
        let own = |path: &&[u8]| path.is_empty() || path.starts_with(b".aiwg/");
        let others: Vec<&[u8]> = others.split(|&byte| byte == 0).filter(|path| !own(path)).collect();
        if !others.is_empty() {
            let add = ["--literal-pathspecs", "add", "--intent-to-add", "--pathspec-from-file=-"];
            git.filter(&[&add[..], &["--pathspec-file-nul"]].concat(), &others.join(&0))?;
        }
        // Otherwise a file that was only touched reads as changed.
        let _ = git.output(&["update-index", "-q", "--refresh"]);
        difference(&git, &["diff-files"], &[])
    }

    /// What a tree holds at a path; `None` for what is no file, is not there or is too large to quote.
    pub fn file_in_tree(&self, tree: &ObjectId, path: &str) -> Option<Vec<u8>> {
        let name = format!("{tree}:{path}");
        let size = self.git().line(&["cat-file", "-s", &name])?;
        let kind = self.git().line(&["cat-file", "-t", &name])?;
        if kind != "blob" || size.parse::<u64>().ok()? > MAX_FILE {
            return None;
        }
        self.git().output(&["cat-file", "blob", &name]).ok()
    }

    /// The trees of the newest commits that local branches can reach.
    pub fn branch_trees(&self, limit: usize) -> Result<BTreeSet<String>> {
        let count = format!("--max-count={limit}");
        let args = ["log", "--branches", &count, "--format=%T", "--no-show-signature"];
        let listed = self.git().output(&args)?;
        Ok(String::from_utf8_lossy(&listed).lines().map(str::to_owned).collect())
    }

    /// Lets go of the trees of one session; gives how many references went.
    pub fn forget_attempts(&self, session: &str) -> Result<usize> {
        let prefix = format!("{ATTEMPTS_REF}/{session}/");
        let listed = self.git().output(&["for-each-ref", "--format=delete %(refname)", &prefix])?;
        if !listed.is_empty() {
            self.git().filter(&["update-ref", "--stdin"], &listed)?;
        }
        Ok(listed.iter().filter(|&&byte| byte == b'\n').count())
    }
}

fn difference(git: &Git, command: &[&str], sides: &[&str]) -> Result<Difference> {
    let common = ["--no-renames", "--no-ext-diff", "--no-textconv", "--no-color"];
    let args = |form: &[&'static str]| [command, &common[..], form, sides, &["--", ":/", OWN]].concat();
    let mut difference = read_names(&git.output(&args(&["--name-status", "-z"]))?);
    (difference.added, difference.removed) = read_counts(&git.output(&args(&["--numstat", "-z"]))?);
    if difference.total > 0 {
        difference.text = beginning(git.command(&args(&["-p", "--unified=3"])))?;
    }
    Ok(difference)
}

/// Records of `--name-status -z`: `<letter>\0<path>\0`.
fn read_names(output: &[u8]) -> Difference {
    let mut fields = output.split(|&byte| byte == 0).filter(|field| !field.is_empty());
    let mut difference = Difference::default();
    while let (Some(letter), Some(path)) = (fields.next(), fields.next()) {
        difference.total += 1;
        if difference.files.len() < MAX_FILES {
            let path = String::from_utf8_lossy(path).into_owned();
            difference.files.push(ChangedFile { path, was_there: letter != b"A" });
        }
    }
    difference
}

/// Records of `--numstat -z`: `<added>\t<removed>\t<path>\0`, with `-` for what is not text.
fn read_counts(output: &[u8]) -> (u64, u64) {
    let count = |record: &[u8]| {
        let text = String::from_utf8_lossy(record);
        let mut numbers = text.split('\t').map(|field| field.parse::<u64>().unwrap_or_default());
        (numbers.next().unwrap_or_default(), numbers.next().unwrap_or_default())
    };
    let records = output.split(|&byte| byte == 0).map(count);
    records.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
}

/// The beginning of what git prints, up to whole lines, with a last line that says where it was cut off.
fn beginning(mut command: Command) -> Result<String> {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().context("cannot run git")?;
    let mut bytes = Vec::new();
    if let Some(stdout) = child.stdout.take() {
        stdout.take(MAX_TEXT + 1).read_to_end(&mut bytes).context("cannot read from git")?;
    }
    // It may still be writing into a pipe that nobody reads any more.
    let _ = child.kill();
    let _ = child.wait();
    let whole = bytes.len() as u64 <= MAX_TEXT;
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    if !whole {
        text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
        text.push_str("... (cut off)\n");
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A repository with one commit of `a.txt` and `b.txt`.
    fn repository() -> (tempfile::TempDir, Repository) {
        let folder = tempfile::tempdir().unwrap();
        let git = Git::at(folder.path());
        git.output(&["init", "--quiet", "--initial-branch=main"]).unwrap();
        write(&folder, "a.txt", "one\ntwo\n");
        write(&folder, "b.txt", "b\n");
        git.output(&["add", "--all"]).unwrap();
        let who = ["-c", "user.name=Gate", "-c", "user.email=gate@example.invalid"];
        git.output(&[&who[..], &["commit", "--quiet", "-m", "First"]].concat()).unwrap();
        let repository = Repository::open(folder.path()).unwrap();
        (folder, repository)
    }

    fn write(folder: &tempfile::TempDir, name: &str, text: &str) {
        std::fs::write(folder.path().join(name), text).unwrap();
    }

    fn tree(repository: &Repository) -> ObjectId {
        let line = repository.git().line(&["rev-parse", "HEAD^{tree}"]).unwrap();
        ObjectId::parse(&line).unwrap()
    }

    #[test]
    fn files_on_disk_are_compared_with_a_tree() {
        let (folder, repository) = repository();
        let before = tree(&repository);
        assert_eq!(repository.worktree_difference(&before).unwrap(), Difference::default());
        write(&folder, "a.txt", "one\nthree\nfour\n");
        write(&folder, "new.txt", "n\n");
        std::fs::remove_file(folder.path().join("b.txt")).unwrap();
        std::fs::create_dir_all(folder.path().join(".aiwg/ralph")).unwrap();
        write(&folder, ".aiwg/ralph/x", "ours\n");
        write(&folder, "skipped.log", "ignored\n");
        write(&folder, ".git/info/exclude", ".aiwg/ralph/\n*.log\n");
        let difference = repository.worktree_difference(&before).unwrap();
        assert_eq!(difference.paths(), ["a.txt", "b.txt", "new.txt"]);
        assert_eq!(difference.summary(), "+3/-2 lines");
        assert!(!difference.files[2].was_there && difference.files[1].was_there);
        assert!(difference.text.contains("+three\n"), "{}", difference.text);
        let status = repository.git().output(&["status", "--porcelain"]).unwrap();
        assert!(String::from_utf8_lossy(&status).contains("?? new.txt"), "the index is as it was");
    }

    #[test]
    fn a_tree_with_untracked_files_is_no_deletion() {
        let (folder, repository) = repository();
        write(&folder, "new.txt", "n\n");
        let git = repository.git();
        git.output(&["add", "--all"]).unwrap();
        let with_new = ObjectId::parse(&git.line(&["write-tree"]).unwrap()).unwrap();
        git.output(&["reset", "--quiet"]).unwrap();
        assert_eq!(repository.worktree_difference(&with_new).unwrap(), Difference::default());
        let between = repository.tree_difference(&tree(&repository), &with_new).unwrap();
        assert_eq!((between.summary().as_str(), between.total), ("+1/-0 lines", 1));
        assert_eq!(repository.file_in_tree(&with_new, "new.txt").unwrap(), b"n\n");
        assert_eq!(repository.file_in_tree(&tree(&repository), "new.txt"), None);
        assert_eq!(repository.file_in_tree(&with_new, ""), None);
    }

    #[test]
    fn long_patches_are_cut_off() {
        let (folder, repository) = repository();
        write(&folder, "a.txt", &"a long line of text\n".repeat(5000));
        let difference = repository.worktree_difference(&tree(&repository)).unwrap();
        assert_eq!(difference.added, 5000);
        assert!(difference.text.len() < MAX_TEXT as usize + 100);
        assert!(difference.text.ends_with("... (cut off)\n"));
    }

    #[test]
    fn references_of_a_session_go_together() {
        let (_folder, repository) = repository();
        let tree = tree(&repository);
        let git = repository.git();
        for name in ["one/1", "one/2", "other/1"] {
            git.output(&["update-ref", &format!("{ATTEMPTS_REF}/{name}"), tree.as_str()]).unwrap();
        }
        assert_eq!(repository.forget_attempts("one").unwrap(), 2);
        assert_eq!(repository.forget_attempts("one").unwrap(), 0);
        let left = git.line(&["for-each-ref", "--format=%(refname)", ATTEMPTS_REF]).unwrap();
        assert_eq!(left, format!("{ATTEMPTS_REF}/other/1"));
        assert!(repository.branch_trees(10).unwrap().contains(tree.as_str()));
    }
}
