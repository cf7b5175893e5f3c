//! The content of the index or of a commit written to a folder of its own, with a small repository around it.
//!
//! git itself writes the files, so that filters and line ends are as in the working tree. The real index, working
//! tree, references and objects are only read.

mod repository;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::object::{Entry, ObjectId, RepoPath};
use super::plumbing;
use super::program::{Git, finish};
use super::repository::Repository;

/// One path of what is checked out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    pub path: RepoPath,
    pub entry: Entry,
    /// Left out of the working tree by a sparse checkout.
    pub skipped: bool,
}

impl Listed {
    pub fn is_submodule(&self) -> bool {
        self.entry.mode == 0o160_000
    }

    pub fn is_link(&self) -> bool {
        self.entry.mode == 0o120_000
    }
}

/// Settings that would make the copy of an index depend on files beside the real one.
const PLAIN_INDEX: [&str; 6] =
    ["-c", "core.untrackedCache=false", "-c", "core.splitIndex=false", "-c", "index.sparse=false"];

impl Repository {
    /// What a commit of the index would hold: without entries that are only intended (`add -N`).
    pub fn list_index(&self) -> Result<Vec<Listed>> {
        let args = ["ls-files", "--stage", "-t", "-z", "--full-name", ":/"];
        let mut entries = staged_entries(&self.git().output(&args)?)?;
        let intended = self.intended()?;
        entries.retain(|listed| intended.binary_search(&listed.path).is_err());
        Ok(entries)
    }

    /// What a commit holds, as sparse as the working tree is.
    pub fn list_commit(&self, commit: &ObjectId) -> Result<Vec<Listed>> {
        let sparse = self.git().line(&["config", "--type=bool", "core.sparseCheckout"]);
        let mut skipped: Vec<RepoPath> = Vec::new();
        if sparse.as_deref() == Some("true") {
            skipped.extend(self.list_index()?.into_iter().filter(|listed| listed.skipped).map(|l| l.path));
            skipped.sort();
        }
        let listed = |(path, entry)| {
            let skipped = skipped.binary_search(&path).is_ok();
            Listed { path, entry, skipped }
        };
        Ok(self.list(commit)?.into_iter().map(listed).collect())
    }

    /// Paths that `add -N` announced, sorted.
    fn intended(&self) -> Result<Vec<RepoPath>> {
        let base = match self.head()? {
            Some(head) => head.as_str().to_owned(),
            None => self.empty_tree()?,
        };
        let with = plumbing::diff_index_args(&base).map(|arg| match arg {
            "--ita-invisible-in-index" => "--ita-visible-in-index",
            arg => arg,
        });
        let seen = plumbing::raw_changes(&self.git().output(&with)?)?;
        let real = self.staged_by_git(self.head()?.as_ref())?;
        let only_seen = seen.into_iter().filter(|change| real.binary_search(change).is_err());
        Ok(only_seen.map(|change| change.path).collect())
    }

    /// Writes the entries below `root`, an empty folder, and a repository of its own whose HEAD is at `head`. `kept`
    /// gets a copy of its index.
    pub fn check_out(
        &self,
        entries: &[Listed],
        head: Option<&ObjectId>,
        root: &Path,
        kept: &Path,
    ) -> Result<CheckedOut> {
        repository::write(self, head, root)?;
        let index = root.join(".git/index");
        let git_dir = std::path::absolute(self.git_dir())?;
        let mut written = CheckedOut { git_dir, root: root.to_owned(), index: index.clone() };
        let lines: Vec<u8> = entries.iter().flat_map(index_line).collect();
        written.feed(&["update-index", "-z", "--index-info"], &lines)?;
        let skipped: Vec<u8> =
            entries.iter().filter(|listed| listed.skipped).flat_map(|listed| nul(&listed.path)).collect();
        if !skipped.is_empty() {
            written.feed(&["update-index", "--skip-worktree", "-z", "--stdin"], &skipped)?;
        }
        written.feed(&["checkout-index", "--all", "--force", "--index"], b"")?;
        // Tests may use git in the checkout, also its index.
        std::fs::copy(&index, kept).with_context(|| format!("cannot write {}", kept.display()))?;
        written.index = kept.to_owned();
        Ok(written)
    }

    /// Whether the submodule in a folder of the working tree has exactly this commit checked out, and nothing else.
    /// `None` where it is not populated.
    pub fn submodule_is_at(&self, folder: &Path, commit: &ObjectId) -> Option<bool> {
        std::fs::symlink_metadata(folder.join(".git")).ok()?;
        let head = in_submodule(folder, &["rev-parse", "--verify", "--quiet", "HEAD"]);
        let changed = in_submodule(folder, &["status", "--porcelain", "--ignore-submodules=none"]);
        Some(head.as_deref() == Some(commit.as_str()) && changed.as_deref() == Some(""))
    }

    /// Paths in a submodule that are not as its HEAD has them, and whether that has them at all. None where it is not
    /// populated.
    pub fn changed_in_submodule(&self, folder: &Path) -> Vec<(String, bool)> {
        if std::fs::symlink_metadata(folder.join(".git")).is_err() {
            return Vec::new();
        }
        let args = ["status", "--porcelain", "-z", "--no-renames", "--untracked-files=all"];
        let listed = in_submodule(folder, &[&args[..], &["--ignore-submodules=none"]].concat());
        let listed = listed.unwrap_or_default();
        let record = |record: &str| Some((record.get(3..)?.to_owned(), !record.starts_with("??")));
        listed.split('\0').filter_map(record).collect()
    }
}

/// What git prints in a submodule; `None` where it fails.
fn in_submodule(folder: &Path, args: &[&str]) -> Option<String> {
    let output = without_variables(Git::at(folder).command(args)).output().ok()?;
    // A status begins with a blank.
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
}

/// Files that were checked out.
pub struct CheckedOut {
    git_dir: PathBuf,
    root: PathBuf,
    index: PathBuf,
}

impl CheckedOut {
    /// Paths that are no longer as they were written, sorted.
    pub fn modified(&self) -> Result<Vec<RepoPath>> {
        // Tells by its exit code, too, that something differs.
        let _ = self.feed(&["update-index", "-q", "--refresh"], b"");
        let args = ["diff-files", "--name-only", "-z", "--ignore-submodules=all"];
        let listed = self.feed(&args, b"")?;
        Ok(listed.split(|&byte| byte == 0).filter(|path| !path.is_empty()).map(RepoPath::new).collect())
    }

    /// Runs git with the real repository's settings and objects on the files and an index of their own.
    fn feed(&self, args: &[&str], input: &[u8]) -> Result<Vec<u8>> {
        let args = [&PLAIN_INDEX[..], args].concat();
        let mut command = Git::at(&self.root).command(&args);
        command.env("GIT_DIR", &self.git_dir).env("GIT_WORK_TREE", &self.root);
        command.env("GIT_INDEX_FILE", &self.index);
        command.env_remove("GIT_PREFIX").env_remove("GIT_IMPLICIT_WORK_TREE");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().context("cannot run git")?;
        let mut stdin = child.stdin.take().context("git has no standard input")?;
        std::thread::scope(|scope| {
            // git may answer before it has read all; where it stops reading, its own words tell why.
            scope.spawn(move || {
                let _ = std::io::Write::write_all(&mut stdin, input);
            });
            finish(child, &args)
        })
    }
}

/// For a git that works on another repository than the one of a hook.
fn without_variables(mut command: Command) -> Command {
    for name in Git::local_variables() {
        command.env_remove(name);
    }
    command
}

/// A line of `update-index --index-info`.
fn index_line(listed: &Listed) -> Vec<u8> {
    let mut line = format!("{:o} {}\t", listed.entry.mode, listed.entry.id).into_bytes();
    line.extend(nul(&listed.path));
    line
}

fn nul(path: &RepoPath) -> impl Iterator<Item = u8> {
    path.as_bytes().iter().copied().chain([0])
}

/// Records of `ls-files --stage -t -z`: `<tag> <mode> <id> <stage>\t<path>`.
fn staged_entries(output: &[u8]) -> Result<Vec<Listed>> {
    let mut entries = Vec::new();
    for record in output.split(|&byte| byte == 0).filter(|record| !record.is_empty()) {
        let listed = staged_entry(record)
            .with_context(|| format!("git listed an entry that cannot be read: {}", RepoPath::new(record)))?;
        let Some(listed) = listed else {
            let path = record.split(|&byte| byte == b'\t').next_back().unwrap_or_default();
            bail!(
                "{} is not merged yet: resolve the conflict and `git add` it, then try again",
                RepoPath::new(path)
            );
        };
        entries.push(listed);
    }
    Ok(entries)
}

/// The inner `None` is an entry with a conflict.
fn staged_entry(record: &[u8]) -> Option<Option<Listed>> {
    let tab = record.iter().position(|&byte| byte == b'\t')?;
    let mut fields = std::str::from_utf8(&record[..tab]).ok()?.split(' ');
    let tag = fields.next()?;
    let mode = u32::from_str_radix(fields.next()?, 8).ok()?;
    let id = ObjectId::parse(fields.next()?)?;
    if fields.next()? != "0" {
        return Some(None);
    }
    let path = RepoPath::new(&record[tab + 1..]);
    Some(Some(Listed { path, entry: Entry { mode, id }, skipped: tag.eq_ignore_ascii_case("S") }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listed_entries_are_read() {
        let id = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
        let output = format!("H 100644 {id} 0\ta b\0S 120000 {id} 0\tc\0");
        let entries = staged_entries(output.as_bytes()).unwrap();
        assert_eq!(entries[0].path, RepoPath::new("a b"));
        assert!(!entries[0].skipped && entries[1].skipped && entries[1].is_link());
        let conflict = format!("M 100644 {id} 2\tboth\0");
        let error = staged_entries(conflict.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with("both is not merged yet"), "{error}");
    }
}
