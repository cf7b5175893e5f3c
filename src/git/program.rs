//! Runs the git program: one constructor, a predictable environment, errors that quote git.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

/// The git program, run in one directory.
///
/// Variables such as `GIT_DIR` and `GIT_INDEX_FILE` are passed on: inside a hook they say what is being committed.
#[derive(Clone, Debug)]
pub struct Git {
    directory: PathBuf,
    /// In place of the index that the repository or the environment names.
    index: Option<PathBuf>,
}

impl Git {
    pub fn at(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into(), index: None }
    }

    /// The same with an index of its own, so that the real one stays as it is.
    pub fn with_index(self, index: impl Into<PathBuf>) -> Self {
        Self { index: Some(index.into()), ..self }
    }

    pub fn directory(&self) -> &Path {
        &self.directory
    }

    pub fn command<A: AsRef<OsStr>>(&self, args: &[A]) -> Command {
        let mut command = Command::new("git");
        // A setting of the repository may name any program here, which a mere look at it would start.
        command.current_dir(&self.directory).args(["-c", "core.fsmonitor=false"]);
        // So would a write to a copy of the index: a hook that is told of it is a file of the repository.
        if self.index.is_some() {
            command.args(["-c", "core.hooksPath=/dev/null"]);
        }
        command.args(args);
        // Messages in English, and no write to the index just to refresh it.
        command.env("LC_ALL", "C").env("GIT_OPTIONAL_LOCKS", "0");
        // Objects as they are, as libgit2 sees them: a replacement cannot stand in for what is committed.
        command.env("GIT_NO_REPLACE_OBJECTS", "1");
        if let Some(index) = &self.index {
            command.env("GIT_INDEX_FILE", index);
        }
        command.stdin(Stdio::null());
        command
    }

    /// What git prints; a failure becomes an error with git's own words.
    pub fn output<A: AsRef<OsStr>>(&self, args: &[A]) -> Result<Vec<u8>> {
        let output = self.command(args).output().context(NOT_FOUND)?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        bail!("`git {}` failed: {}", describe(args), String::from_utf8_lossy(&output.stderr).trim())
    }

    /// What git prints, or `None` where it exits with 1, by which it says that there is nothing.
    pub fn maybe<A: AsRef<OsStr>>(&self, args: &[A]) -> Result<Option<String>> {
        let output = self.command(args).output().context(NOT_FOUND)?;
        match output.status.code() {
            Some(0) => Ok(Some(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())),
            Some(1) => Ok(None),
            _ => bail!("`git {}` failed: {}", describe(args), String::from_utf8_lossy(&output.stderr).trim()),
        }
    }

    /// The one line git prints, or `None` where it exits with a failure.
    pub fn line<A: AsRef<OsStr>>(&self, args: &[A]) -> Option<String> {
        let output = self.command(args).stderr(Stdio::null()).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim_end_matches(['\n', '\r']).to_owned())
    }

    /// Feeds `input` to git and gives what it prints.
    pub fn filter<A: AsRef<OsStr>>(&self, args: &[A], input: &[u8]) -> Result<Vec<u8>> {
        self.filter_named(args, 0, input)
    }

    /// The same where the first words are settings, which an error leaves out.
    pub fn filter_named<A: AsRef<OsStr>>(&self, args: &[A], plain: usize, input: &[u8]) -> Result<Vec<u8>> {
        let named = args.get(plain..).unwrap_or(args);
        let mut child = self.spawn(args, Stdio::piped())?;
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(input).with_context(|| format!("cannot write to `git {}`", describe(named)))?;
        }
        finish(child, named)
    }

    /// Starts git without waiting, to work while it does.
    pub fn start<A: AsRef<OsStr>>(&self, args: &[A]) -> Result<Child> {
        self.spawn(args, Stdio::null())
    }

    fn spawn<A: AsRef<OsStr>>(&self, args: &[A], stdin: Stdio) -> Result<Child> {
        let mut command = self.command(args);
        command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().context(NOT_FOUND)
    }
}

const NOT_FOUND: &str = "cannot run git: is it installed and on PATH?";

/// Waits for a started git and gives what it printed.
pub fn finish<A: AsRef<OsStr>>(child: Child, args: &[A]) -> Result<Vec<u8>> {
    let output = child.wait_with_output()?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    bail!("`git {}` failed: {}", describe(args), String::from_utf8_lossy(&output.stderr).trim())
}

fn describe<A: AsRef<OsStr>>(args: &[A]) -> String {
    let words: Vec<_> = args.iter().map(|arg| arg.as_ref().to_string_lossy()).collect();
    words.join(" ")
}
